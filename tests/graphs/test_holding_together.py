"""Looser transitions: only into what is left out and out of it, and no looser than nearly all of it takes."""

from functools import partial

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.errors import Unsatisfiable
from motionloom.formats.take import Source, Take
from motionloom.graphs import GraphSettings, Matches, connect, find_matches, measure_view, prune, transition_graph_of
from motionloom.graphs.holding_together import ENOUGH, STEP, add_looser
from motionloom.motion import Motion, cut, rotations

USUAL, LOOSEST = 1.0, 2.0
ROUND = [(18, 2, 0.1)]  # within the first motion, of frames 0 to 19: it repeats
OWN = [(12, 4, 1.2)]  # looser, between frames that hold together without it
SECOND = [(10, 30, 1.3), (35, 5, 1.31)]  # into the second motion, of 20 frames, and back
THIRD = [(15, 50, 1.9), (43, 3, 1.8)]


def matches_of(rows) -> Matches:
    frames, distances = np.array([row[:2] for row in rows], int), np.array([row[2] for row in rows])
    return Matches(frames[:, 0], frames[:, 1], distances, np.zeros(len(rows)), np.zeros((len(rows), 2)))


def builder(*lengths):
    """Makes pruned graphs of motions of some lengths."""
    starts, names = np.concatenate([[0], np.cumsum(lengths)]), tuple("abcdef"[: len(lengths)])
    return lambda matches: prune(connect(matches, starts, names, 10.0, "m", USUAL))


def distances_of(rows, *lengths):
    return sorted(add_looser(matches_of(rows), sum(lengths), USUAL, LOOSEST, builder(*lengths)).distances.tolist())


def test_what_is_left_out_is_held_by_looser_matches_and_the_rest_by_none():
    found = distances_of([*ROUND, *OWN, *SECOND, *THIRD], 20, 20, 20)
    assert found == [0.1, 1.3, 1.31, 1.8, 1.9]


def test_the_loosest_are_not_taken_for_a_little_more():
    short = [(15, 41, 1.9), (42, 3, 1.8)]
    assert distances_of([*ROUND, *SECOND, *short], 20, 20, 4) == [0.1, 1.3, 1.31]


def test_takes_that_nothing_usual_holds_together_are_held_by_looser_matches():
    assert distances_of([*OWN, *SECOND], 20, 20) == [1.2, 1.3, 1.31]


def test_where_nothing_holds_nothing_is_gained():
    found = add_looser(matches_of([(3, 15, 1.5)]), 20, USUAL, LOOSEST, builder(10, 10))
    with pytest.raises(Unsatisfiable):
        builder(10, 10)(found)


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_least_of_the_thresholds_that_holds_enough(seed):
    rng = np.random.default_rng(seed)
    lengths = (40, 30, 30, 20)
    pairs = rng.integers(0, sum(lengths), (60, 2))
    rows = [(int(a), int(b), float(d)) for (a, b), d in zip(pairs, rng.uniform(0.5, LOOSEST, 60)) if abs(a - b) > 3]
    matches, build = matches_of(rows), builder(*lengths)
    found = add_looser(matches, sum(lengths), USUAL, LOOSEST, build)
    kept = np.zeros(sum(lengths), bool)
    usual = build(matches.chosen(matches.distances <= USUAL)).graph
    for start, stop in zip(usual.starts, usual.stops):
        kept[start:stop] = True
    looser = found.distances > USUAL
    assert not (kept[found.first] & kept[found.second])[looser].any()
    leads_out = ~(kept[matches.first] & kept[matches.second])
    seconds = [build(matches.chosen((matches.distances <= USUAL) | part)).report.kept_seconds
               for part in (leads_out, leads_out & (matches.distances < found.distances.max() / STEP))]  # fmt: skip
    assert build(found).report.kept_seconds >= ENOUGH * seconds[0]
    if looser.any():
        assert seconds[1] < ENOUGH * seconds[0]


@pytest.fixture(scope="module")
def view(make, tmp_path_factory):
    """Somebody who repeats moves, and does them again, less far."""
    still = make.motion(2, wildness=0.2)
    phase = 2 * np.pi * np.arange(160) / 40
    swings = np.random.default_rng(5).normal(scale=0.4, size=(2, still.skeleton.n_joints, 3))
    turns = np.cos(phase)[:, None, None] * swings[0] + np.sin(phase)[:, None, None] * swings[1]
    turns[:, 0] = 0.0
    root = np.tile([0.0, 0.95, 0.0], (160, 1))
    with Corpus.create(tmp_path_factory.mktemp("holding") / "corpus") as corpus:
        for name, share, n_frames in (("far", 1.0, 160), ("less", 0.9, 130)):
            motion = cut(Motion(still.skeleton, root, rotations.exp(share * turns), 60.0), 0, n_frames)
            corpus.add(Take(name, motion, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
        yield make_view(corpus)


def test_graphs_of_a_view_are_held_together_where_that_is_asked(view):
    matches = find_matches(view, measure_view(view), 0.2)
    across = (matches.first < 160) != (matches.second < 160)
    threshold = float(matches.distances[across].min()) / 1.5
    apart = transition_graph_of(view, GraphSettings(threshold=threshold))
    held = transition_graph_of(view, GraphSettings(threshold=threshold, loosest=2.0))
    assert apart.report.lost == ("less",) and held.report.lost == ()
    assert held.graph.threshold == threshold < held.graph.loosest <= 2 * threshold
    looser = held.graph.distances > threshold
    frames = held.graph.stops[held.graph.sources[looser]] - 1, held.graph.starts[held.graph.targets[looser]] - 1
    assert ((frames[0] < 160) != (frames[1] < 160)).all(), "between the takes, not within them"
    assert "of them beyond" in held.graph.describe() and "beyond" not in apart.graph.describe()
    assert_same_graph = partial(np.testing.assert_array_equal, transition_graph_of(view, GraphSettings()).graph.edges)
    assert_same_graph(transition_graph_of(view, GraphSettings(loosest=1.0)).graph.edges)
