"""What a corpus has of labels, and how motion gets from one label to another."""

import json
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.methods.timeline.report.coverage import (
    QUALITIES,
    CoverageSettings,
    count_labels,
    find_coverage,
    quality_of,
    stretches_of,
)
from motionloom.methods.timeline.report.reachability import (
    FAR,
    OWN_FRAMES,
    follow,
    nearest_cuts,
    recorded_changes,
    soonest_way,
    ways_to,
)

LENGTHS = (50, 7, 31, 60)
N = sum(LENGTHS)


def random_track(rng, n_frames=N, usual=8):
    """+1 and -1 in stretches."""
    return np.repeat(rng.choice([-1, 1], n_frames), rng.integers(1, 2 * usual, n_frames))[:n_frames]


def random_model(tiny, seed):
    rng = np.random.default_rng(seed)
    return tiny(LENGTHS, {label: random_track(rng) for label in "abc"}, seed=seed)


def flags(model, label):
    return model.tracks[:, model.labels.index(label)] > 0


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_the_nearest_cut_is_the_nearest_of_all_frames_but_those_that_go_on(tiny, seed):
    model = random_model(tiny, seed)
    goal = flags(model, "a")
    exits = np.arange(0, N, 3)
    cuts = nearest_cuts(model, exits, goal)
    for frame, entry, distance in zip(exits, cuts.entries, cuts.distances):
        away = np.linalg.norm(model.coordinates[:N] - model.coordinates[model.following[frame]], axis=1)
        own = (model.motion_of == model.motion_of[frame]) & (np.abs(np.arange(N) - frame) <= OWN_FRAMES)
        away[~goal | own] = np.inf
        assert distance == pytest.approx(away.min())
        assert entry == -1 if np.isinf(away.min()) else away[entry] == pytest.approx(away.min())


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_recorded_changes_are_those_that_a_patient_reader_counts(tiny, seed):
    model = random_model(tiny, seed)
    before, after = flags(model, "a"), flags(model, "b")
    counted = []
    for start, stop in pairwise(model.starts):
        for frame in range(start + 1, stop):
            if after[frame] and not after[frame - 1]:
                gone = [i for i in range(start, frame) if before[i] and not after[i]]
                if gone and frame - 1 - gone[-1] <= 0.1 * model.fps:
                    counted.append(frame - 1 - gone[-1])
    assert recorded_changes(model, before, after, 0.1).tolist() == counted


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.floats(0.3, 3.0))
def test_the_soonest_way_is_as_long_as_a_search_frame_by_frame_finds(tiny, seed, limit):
    model = random_model(tiny, seed)
    goal = flags(model, "a")
    ways = ways_to(model, goal, limit, cuts=2)
    left = np.full((3, N), FAR)  # by cuts allowed
    left[:, goal] = 0
    changed = True
    while changed:
        changed = False
        for c, i in product(range(3), reversed(range(N))):
            after = model.following[i]
            options = [left[c, i], left[c, after] + 1 if after < N else FAR]
            if c:
                options += [left[c - 1, j] + 1 for j in model.neighbours[after][model.distances[after] <= limit]]
            changed |= min(options) < left[c, i]
            left[c, i] = min(options)
    np.testing.assert_array_equal(np.minimum(left, FAR), ways.frames)


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_a_way_can_be_played_and_is_as_long_as_promised(tiny, seed):
    model = random_model(tiny, seed)
    goal = flags(model, "b")
    ways = ways_to(model, goal, 1.5, cuts=2)
    for frame in range(0, N, 7):
        way = follow(model, ways, frame)
        if ways.frames[-1][frame] >= FAR:
            assert not len(way)
            continue
        assert way[0] == frame
        assert goal[way[-1]] and not goal[way[:-1]].any()
        assert len(way) - 1 == ways.frames[-1][frame]
        cuts = np.flatnonzero(model.following[way[:-1]] != way[1:])
        assert len(cuts) <= 2
        jumps = model.coordinates[model.following[way[cuts]]] - model.coordinates[way[cuts + 1]]
        assert (np.linalg.norm(jumps, axis=1) <= 1.5 + 1e-6).all()
    best = soonest_way(model, ways, flags(model, "a"))
    assert len(best) == 0 or len(best) - 1 == ways.frames[-1][flags(model, "a")].min()


def test_stretches_end_where_their_motion_does(tiny):
    model = tiny((5, 4, 3), {"a": np.array([-1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, 1])})
    assert stretches_of(model, flags(model, "a")) == [(1, 5), (5, 9), (11, 12)]


def test_coverage_counts_what_was_recorded(tiny):
    a = np.array([1] * 30 + [-1] * 30 + [-1] * 40 + [1] * 10 + [0] * 10)
    b = np.array([-1] * 36 + [1] * 24 + [-1] * 35 + [1] * 5 + [-1] * 20)
    covered = find_coverage(tiny((60, 60), {"a": a, "b": b}))
    one, other = covered.labels
    assert (one.seconds, one.stretches, one.takes) == (pytest.approx(40 / 60), 2, 2)
    assert (one.longest, one.unknown) == (pytest.approx(0.5), pytest.approx(10 / 60))
    assert other.stretches == 2
    change = covered.change("a", "b")
    assert (change.quality, change.recorded, change.recorded_seconds) == ("recorded", 1, pytest.approx(0.1))
    assert change.way_seconds <= 0.1 + 1e-9
    back = covered.change("b", "a")
    assert (back.recorded, back.recorded_seconds) == (1, 0.0)
    assert covered.together("b", "a") == 0


def test_a_label_that_never_comes_without_another_has_no_change_to_it(tiny):
    a = np.array([-1] * 10 + [1] * 20 + [-1] * 10)
    b = np.array([-1] * 5 + [1] * 30 + [-1] * 5)
    covered = find_coverage(tiny((40,), {"a": a, "b": b}))
    assert covered.change("a", "b").quality == "together"
    assert covered.together("a", "b") == pytest.approx(20 / 60)


def test_a_cut_is_called_by_its_distance():
    assert [quality_of(d) for d in (0.0, 1.0, 1.1, 2.0, 2.1, 4.0, 4.1, None)] == (
        ["good"] * 2 + ["fair"] * 2 + ["poor"] * 2 + ["none"] * 2
    )


def test_measuring_after_every_few_frames_says_nearly_the_same(model):
    all_frames = find_coverage(model)
    fewer = find_coverage(model, settings=CoverageSettings(pairs=2e6))
    for one, other in zip(all_frames.changes, fewer.changes):
        assert (one.recorded, one.way_seconds) == (other.recorded, other.way_seconds)
        if one.best_cut is not None:
            assert one.best_cut <= other.best_cut <= 1.5 * one.best_cut + 0.5


def test_coverage_of_performed_takes_is_what_they_perform(model):
    covered = find_coverage(model, ["walk", "run", "wave"], together=3)
    assert [label.label for label in covered.labels] == ["walk", "run", "wave"]
    assert covered.change("walk", "run").quality == "recorded"
    assert covered.change("run", "walk").quality == "recorded"
    assert covered.together("walk", "wave") > 1
    assert covered.together("walk", "run", "wave") == 0
    assert covered.change("run", "wave").recorded == 0
    assert {change.quality for change in covered.changes} <= set(QUALITIES)
    assert json.loads(json.dumps(covered.to_data()))["changes"][1]["after"] == "run"


def test_labels_of_layers_are_left_out_unless_asked_for(tiny):
    tracks = {"a": np.ones(30), "contacts.left": np.ones(30)}
    model = tiny((30,), tracks)
    assert [label.label for label in find_coverage(model).labels] == ["a"]
    assert [label.label for label in find_coverage(model, ["contacts.left"]).labels] == ["contacts.left"]


def test_an_unknown_label_is_refused_with_the_known_ones(model):
    with pytest.raises(BadInput, match=r"nothing is labelled 'fly'; the labels are .*walk"):
        find_coverage(model, ["walk", "fly"])
    covered = find_coverage(model, ["walk", "run"])
    with pytest.raises(BadInput, match=r"'wave'.*the labels are walk, run"):
        covered.change("walk", "wave")
    with pytest.raises(BadInput, match="walk, wave together"):
        covered.together("walk", "wave")


def test_a_label_that_never_holds_changes_to_nothing_and_nothing_to_it(tiny):
    """As one that people have looked for, and found nowhere."""
    model = tiny((60,), {"a": np.ones(60), "b": np.full(60, -1)})
    covered = find_coverage(model)
    assert {
        (change.before, change.after): change.quality for change in covered.changes if change.before != change.after
    } == {
        ("a", "b"): "none",
        ("b", "a"): "none",
    }
    assert covered.change("b", "b").quality == "none"


def test_labels_are_counted_as_the_model_covers_them(model):
    counted, covered = count_labels(model.view.corpus), find_coverage(model).labels
    assert [label.label for label in counted] == [label.label for label in covered]
    for one, other in zip(counted, covered):
        assert (one.takes, one.stretches) == (other.takes, other.stretches)
        assert one.seconds == pytest.approx(other.seconds, abs=0.1)
        assert one.longest == pytest.approx(other.longest, abs=0.1)
    assert {label.label for label in count_labels(model.view.corpus, ["jump/*"])} < {label.label for label in counted}
