"""Agreement between two people's labels."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.corpus import Label
from motionloom.corpus.labels.annotator_agreement import LabelAgreement, compare_labels

N = 30
ranges = st.tuples(st.integers(0, N - 1), st.integers(1, N)).filter(lambda pair: pair[0] < pair[1])
labels = st.lists(
    st.builds(
        lambda take, word, range_: Label(take, word, *range_),
        st.sampled_from("ab"),
        st.sampled_from(["x", "y"]),
        ranges,
    ),
    min_size=1,
    max_size=6,
)


def test_frames_are_counted_one_by_one():
    first = [Label("a", "walk", 0, 10), Label("a", "run", 10, 20)]
    second = [Label("a", "walk", 0, 12), Label("a", "wave", 5, 6)]
    agreement = compare_labels(first, second)
    assert agreement.labels == (
        LabelAgreement("run", 0, 10, 0, 10),
        LabelAgreement("walk", 10, 0, 2, 8),
        LabelAgreement("wave", 0, 0, 1, 19),
    )
    walk = agreement.labels[1]
    assert (walk.share, walk.f1) == (0.9, 20 / 22)
    assert walk.kappa == pytest.approx((0.9 - (0.5 * 0.6 + 0.5 * 0.4)) / 0.5)
    assert agreement.total == LabelAgreement("all", 10, 10, 3, 37)


def test_borders_can_be_left_out():
    first, second = [Label("a", "walk", 10, 20), Label("a", "end", 29, 30)], [Label("a", "walk", 8, 21)]
    walk = compare_labels(first, second, border=2).labels[1]
    assert (walk.only_first, walk.only_second, walk.share) == (0, 0, 1.0)
    assert compare_labels(first, second, n_frames={"a": 40}).labels[1].n_frames == 40


def test_only_takes_that_both_have_labelled_count_whatever_end_of_their_path_is_written():
    first = [Label("cmu/football/143_04", "run", 0, 10), Label("143_05", "run", 0, 5), Label("mine", "run", 0, 5)]
    second = [Label("143_04.bvh", "run", 0, 5), Label("cmu/143_05", "run", 0, 5), Label("yours", "run", 0, 5)]
    agreement = compare_labels(first, second)
    assert agreement.takes == ("143_05", "cmu/football/143_04")
    assert agreement.left_out == ("mine", "yours")
    assert agreement.labels == (LabelAgreement("run", 10, 5, 0, 0),)


def test_files_about_different_takes_have_nothing_to_agree_on():
    agreement = compare_labels([Label("a", "run", 0, 5)], [Label("b", "run", 0, 5)])
    assert (agreement.takes, agreement.labels, agreement.left_out) == ((), (), ("a", "b"))


@given(labels, labels)
def test_agreement_is_the_same_from_both_sides_and_whole_with_oneself(mine, yours):
    one, other = compare_labels(mine, yours), compare_labels(yours, mine)
    for here, there in zip(one.labels, other.labels, strict=True):
        assert (here.both, here.only_first) == (there.both, there.only_second)
        assert (here.share, here.f1) == (there.share, there.f1)
        assert here.kappa == pytest.approx(there.kappa)
        assert -1 <= here.kappa <= here.share <= 1 or math.isclose(here.kappa, here.share)
    assert all(row.share == row.f1 == row.kappa == 1 for row in compare_labels(mine, mine).labels)
