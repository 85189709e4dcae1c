"""Provenance: every frame knows where it comes from, through cuts, joins, mixtures and chains of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.motion import Provenance, provenance
from motionloom.motion.provenance import SourceOfFrames


def entries(known: Provenance, frame: int) -> list[tuple[str, float, float]]:
    return [(source.name, round(at, 9), round(weight, 9)) for source, at, weight in known.of_frame(frame)]


def plain_mixture(
    first: Provenance, second: Provenance, weight: np.ndarray, frame: int
) -> dict[tuple[str, float], float]:
    """The slow, obvious mixture of one frame."""
    mixed: dict[tuple[str, float], float] = {}
    for part, share in ((first, 1 - weight[frame]), (second, weight[frame])):
        for source, at, own in part.of_frame(frame):
            if own * share > 0:
                mixed[source.name, at] = mixed.get((source.name, at), 0.0) + own * share
    return mixed


def test_recorded_frames_come_from_their_take_with_full_weight():
    known = provenance.recorded("walk_01", [5, 6.5, 8])
    assert [entries(known, i) for i in range(3)] == [[("walk_01", f, 1.0)] for f in (5, 6.5, 8)]


def test_generated_frames_name_the_model_and_its_parameters():
    source, _, weight = provenance.generated("dynamics", 4, {"seed": 3}).of_frame(2)[0]
    assert (source.kind, source.details, weight) == ("generated", {"seed": 3}, 1.0)


def test_cutting_and_concatenating_gives_the_same_back():
    whole = provenance.concatenate([provenance.recorded("a", np.arange(6)), provenance.recorded("b", np.arange(3))])
    again = provenance.concatenate([provenance.cut(whole, 0, 4), provenance.cut(whole, 4, 9)])
    assert [entries(again, i) for i in range(9)] == [entries(whole, i) for i in range(9)]


def test_a_cut_forgets_sources_it_no_longer_shows():
    whole = provenance.concatenate([provenance.recorded("a", np.arange(6)), provenance.recorded("b", np.arange(3))])
    assert [source.name for source in provenance.cut(whole, 6, 9).sources] == ["b"]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.integers(0, 3))
def test_mixtures_are_those_of_the_plain_twin(weight, frame):
    first = provenance.mix(
        provenance.recorded("a", np.arange(4)), provenance.recorded("b", np.arange(4)), np.array([0, 0.25, 0.5, 1])
    )
    second = provenance.mix(
        provenance.recorded("b", np.arange(4)), provenance.recorded("c", np.arange(4)), np.array([0, 0.5, 0.75, 1])
    )
    mixed = provenance.mix(first, second, np.array(weight))
    expected = plain_mixture(first, second, np.array(weight), frame)
    found = {(name, at): share for name, at, share in ((s.name, a, w) for s, a, w in mixed.of_frame(frame))}
    assert found.keys() == expected.keys()
    for key, share in expected.items():
        assert found[key] == pytest.approx(share, abs=1e-9)


def test_a_chain_of_joins_is_traced_to_the_recordings():
    joined = provenance.mix(
        provenance.recorded("first", np.arange(4)), provenance.recorded("second", np.arange(4)), np.full(4, 0.25)
    )
    traced = provenance.trace(
        joined, {"first": provenance.recorded("walk", np.arange(10, 14)), "second": provenance.recorded("run", [7] * 4)}
    )
    assert entries(traced, 2) == [("walk", 12, 0.75), ("run", 7, 0.25)]


def test_tracing_keeps_sources_that_have_no_provenance_of_their_own():
    known = provenance.recorded("a", np.arange(3))
    assert entries(provenance.trace(known, {"b": provenance.recorded("c", [0])}), 1) == [("a", 1, 1.0)]


def test_tracing_merges_what_comes_twice_from_the_same_frame():
    joined = provenance.mix(
        provenance.recorded("first", np.arange(3)), provenance.recorded("second", np.arange(3)), np.full(3, 0.5)
    )
    same = provenance.recorded("walk", np.arange(20, 23))
    assert entries(provenance.trace(joined, {"first": same, "second": same}), 1) == [("walk", 21, 1.0)]


def test_a_note_of_the_nearest_real_frame_survives():
    sources = (SourceOfFrames("model", "generated"), SourceOfFrames("walk"))
    known = Provenance(sources, np.array([[0, 1]]), np.array([[0.0, 33.0]]), np.array([[1.0, 0.0]]))
    assert entries(provenance.cut(known, 0, 1), 0) == [("model", 0, 1.0), ("walk", 33, 0.0)]


def test_the_nearest_real_frame_is_noted_where_a_model_had_a_part():
    made = provenance.mix(
        provenance.recorded("walk", [5, 6, 7]), provenance.generated("model", 3), np.array([0.0, 0.25, 1.0])
    )
    noted = provenance.note_nearest(made, provenance.recorded("run", [30, 31, 32]))
    assert entries(noted, 0) == [("walk", 5, 1.0)]
    assert entries(noted, 1) == [("walk", 6, 0.75), ("model", 1, 0.25), ("run", 31, 0.0)]
    assert entries(noted, 2) == [("model", 2, 1.0), ("run", 32, 0.0)]
    assert [source.kind for source in noted.sources] == ["recorded", "generated", "recorded"]
    with pytest.raises(BadInput, match="nearest has 2 frames, expected 3"):
        provenance.note_nearest(made, provenance.recorded("run", [30, 31]))


def test_frames_read_between_two_are_between_two_of_the_take():
    known = provenance.recorded("walk", [10, 12, 14])
    assert provenance.take_frames(known, np.array([0.5, 1.25, 2.0])).frames[:, 0] == pytest.approx([11, 12.5, 14])


def test_frames_read_between_two_takes_belong_to_the_nearer():
    known = provenance.concatenate([provenance.recorded("a", [3]), provenance.recorded("b", [50])])
    read = provenance.take_frames(known, np.array([0.25, 0.75]))
    assert [entries(read, 0), entries(read, 1)] == [[("a", 3, 1.0)], [("b", 50, 1.0)]]


def test_a_jump_within_one_take_is_not_read_as_a_way_through_it():
    known = provenance.recorded("walk", [10, 11, 500, 501])
    read = provenance.take_frames(known, np.array([0.5, 1.25, 1.75, 2.5]))
    assert read.frames[:, 0] == pytest.approx([10.5, 11, 500, 500.5])


def test_frames_beyond_the_ends_are_those_of_the_ends():
    known = provenance.recorded("walk", [10, 12, 14])
    assert provenance.take_frames(known, np.array([-3.2, 2.4, 9.0])).frames[:, 0] == pytest.approx([10, 14, 14])


def test_frames_between_two_of_a_crossfade_move_on_in_both_takes():
    known = provenance.mix(
        provenance.recorded("a", np.arange(4)), provenance.recorded("b", np.arange(10, 14)), np.array([0, 0.4, 0.6, 1])
    )
    read = provenance.take_frames(known, np.array([1.25]))
    assert entries(read, 0) == [("a", 1.25, 0.6), ("b", 11.25, 0.4)]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Provenance((SourceOfFrames("a"),), np.array([[0]]), np.array([[0.0]]), np.array([[0.5]])),
        lambda: Provenance((SourceOfFrames("a"),), np.array([[1]]), np.array([[0.0]]), np.array([[1.0]])),
        lambda: Provenance((SourceOfFrames("a"),), np.array([[0]]), np.array([[0.0, 1.0]]), np.array([[1.0]])),
        lambda: Provenance((SourceOfFrames("a"),), np.array([[-1]]), np.array([[0.0]]), np.array([[1.0]])),
        lambda: Provenance((SourceOfFrames("a"),), np.array([[0, 0]]), np.array([[0.0, 1.0]]), np.array([[1.5, -0.5]])),
        lambda: Provenance((SourceOfFrames("a"),), np.array([[0]]), np.array([[np.inf]]), np.array([[1.0]])),
        lambda: provenance.recorded("a", [np.nan]),
        lambda: provenance.cut(provenance.recorded("a", [1, 2]), 1, 3),
        lambda: provenance.concatenate([]),
        lambda: provenance.mix(provenance.recorded("a", [1]), provenance.recorded("b", [1, 2]), np.array([0.5])),
        lambda: provenance.mix(provenance.recorded("a", [1]), provenance.recorded("b", [1]), np.array([1.5])),
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(BadInput):
        wrong()
