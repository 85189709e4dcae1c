"""Waiting: what follows begins in the frame in which it shall."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.buildup import Settings
from motionloom.methods.buildup.request import Built
from motionloom.methods.buildup.sequence.entries import LastPose, find_entries
from motionloom.methods.buildup.sequence.sequence import where_ends
from motionloom.methods.buildup.sequence.steps import begin
from motionloom.methods.buildup.sequence.waiting import begin_at, find_stay
from motionloom.methods.buildup.sequence.ways import Browser, way_to
from motionloom.methods.buildup.tree.search_tree import GrowthSettings, grow_tree
from motionloom.motion import Placement


@pytest.fixture(scope="module")
def small(model):
    return replace(model, settings=Settings(growth=GrowthSettings(seconds=6.0, nodes=40_000)))


@pytest.mark.parametrize("frame", [2, 40, 173, 700])
def test_a_sequence_waits_to_the_frame(small, frame):
    sequence, why_not = begin_at(small, begin(small, Built()), frame)
    assert (sequence.n_frames, why_not) == (frame, "")


def test_a_little_is_made_up_for_by_pace(small):
    longer, _ = begin_at(small, begin(small, Built()), 100)
    for frame in (97, 103):
        paced, why_not = begin_at(small, longer, frame)
        assert (paced.n_frames, len(paced.stretches), why_not) == (frame, len(longer.stretches), "")


def test_what_lasts_too_long_is_said(small):
    longer, _ = begin_at(small, begin(small, Built()), 100)
    kept, why_not = begin_at(small, longer, 30)
    assert kept is longer and "ends at 1.67 s, not at 0.50 s" in why_not


def test_waiting_ends_where_the_tree_comes_nearest(small):
    sequence = begin(small, Built())
    tree = Browser.of(small, sequence).index.tree
    end = find_stay(small, tree, (0.0, 0.0, 0.0), 120)
    stretch = way_to(small, tree, end).stretch()
    assert stretch.n_played == 120
    np.testing.assert_allclose(where_ends(small, stretch)[:2], end.place[:2], atol=1e-9)
    assert np.hypot(*end.place[:2]) == pytest.approx(end.distance)
    assert find_stay(small, tree, (0.0, 0.0, 0.0), 100_000) is None


def test_wherever_a_sequence_ends_something_follows(small):
    graph = small.graph
    onward = [any(graph.goes_on[edge] for edge in graph.leaving(node)) for node in range(graph.n_nodes)]
    nodes = np.flatnonzero(~np.array(onward))[:10]
    assert len(nodes)
    for node in nodes:
        last = LastPose(int(graph.stops[node]) - 1, Placement.none(), since=1)
        tree = grow_tree(small.tables, find_entries(small, last), small.settings.growth)
        assert tree.n_nodes > 1
