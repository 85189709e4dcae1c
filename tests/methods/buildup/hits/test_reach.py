"""Reaching: the frame of every tree node in which a point of the body is best, as plain loops find it."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.buildup.hits import _kernels
from motionloom.methods.buildup.hits.body_points import points_named
from motionloom.methods.buildup.hits.reach import track_of
from motionloom.methods.buildup.model import TRACKS_KEPT
from motionloom.methods.buildup.tree.search_tree import GrowthSettings, grow_tree

NONE = -1


@pytest.fixture
def tree(tables):
    made = tables.random(3)
    return grow_tree(made, tables.entries(made, 3), GrowthSettings(seconds=6.0, nodes=600))


def plainly(tree, points, prices, goals, begun, limits, groups, group):
    settled, least, longest, within = limits
    stops, found = tree.tables.spans[1], []
    for number in range(tree.n_nodes):
        placement, best = tree.placement(number), (np.inf, np.inf, NONE)
        soonest = tree.begins[number] + max(settled - tree.since[number], 0)
        for frame in range(soonest, stops[tree.nodes[number]]):
            time = tree.arrivals[number] + frame - tree.begins[number] + 1
            if not least <= time <= longest or (group != NONE and groups[frame] != group):
                continue
            for point, price in zip(points[frame], prices[frame]):
                c, s = np.cos(placement.heading), np.sin(placement.heading)
                there = np.array([c * point[0] + s * point[2], point[1], -s * point[0] + c * point[2]])
                there[[0, 2]] += placement.slide
                away = np.linalg.norm(there - goals[min(begun + time, len(goals) - 1)])
                if away <= within and away + price < best[0]:
                    best = away + price, away, frame
        found.append(best)
    return found


@pytest.mark.parametrize("group", [NONE, 2])
@pytest.mark.parametrize("n_goals", [1, 90])
@pytest.mark.parametrize("within", [1.0, 100.0])
def test_the_compiled_loop_finds_what_plain_loops_find(tree, group, n_goals, within):
    rng = np.random.default_rng(0)
    n_frames = len(tree.tables.facings)
    points, prices = rng.normal(size=(n_frames, 2, 3)), rng.random((n_frames, 2))
    goals, groups = rng.normal(size=(n_goals, 3)), tree.tables.groups
    limits = 2, 5.0, 40.0, within
    middle = goals.mean(axis=0)
    around = np.append(middle, np.linalg.norm(goals - middle, axis=1).max())
    balls = []
    for start, stop in zip(*tree.tables.spans):
        own = points[start:stop].reshape(-1, 3)
        balls.append([*own.mean(axis=0), np.linalg.norm(own - own.mean(axis=0), axis=1).max()])
    costs, distances = np.empty(tree.n_nodes), np.empty(tree.n_nodes)
    frames = np.empty(tree.n_nodes, np.int32)
    _kernels.reach_points(
        (tree.nodes, tree.begins, tree.arrivals, tree.since, tree.headings, tree.slides),
        tree.tables.spans[1], points, prices, np.array(balls), goals, around, 7, limits, groups, group,
        costs, distances, frames,
    )  # fmt: skip
    wanted = plainly(tree, points, prices, goals, 7, limits, groups, group)
    assert [each[2] for each in wanted] == frames.tolist()
    np.testing.assert_allclose(costs, [each[0] for each in wanted])
    np.testing.assert_allclose(distances, [each[1] for each in wanted])
    assert (frames >= 0).any() and (frames < 0).any()


def test_a_model_keeps_the_points_it_was_asked_for_last_and_takes_them_along(model):
    fresh = replace(model)
    joints = [name for name in fresh.view.skeleton.names if name != "hips"][: TRACKS_KEPT + 1]
    points = [points_named(fresh.view.skeleton, joint) for joint in joints]
    tracks = [track_of(fresh, each) for each in points]
    assert track_of(fresh, points[-1]) is tracks[-1]
    assert len(fresh.point_tracks) == TRACKS_KEPT
    kept = weakref.ref(fresh)
    del fresh, tracks
    gc.collect()
    assert kept() is None, "nothing else holds a model"
