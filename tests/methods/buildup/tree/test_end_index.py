"""The index of ends beside plain versions: where paths end, and which ends a query finds, in both orders."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.buildup.tree import _kernels
from motionloom.methods.buildup.tree.end_index import (
    Grid,
    NodeIndex,
    Query,
    find_ends,
    find_ends_as_printed,
    index_ends,
    soonest_ends,
)
from motionloom.methods.buildup.tree.search_tree import GrowthSettings, grow_tree, subtree, unroll_to_depth
from motionloom.motion.placement import turn_ground

GROWTH = GrowthSettings(seconds=8.0, nodes=3000, apart=0.4, stretch=0.4)
SEEDS = range(5)


@pytest.fixture(params=SEEDS)
def tree(request, tables):
    made = tables.random(request.param)
    return grow_tree(made, tables.entries(made, request.param), GROWTH)


def plain_ends(tree, own, settled):
    """The first frame of each group in each tree node, walking every path frame by frame: (node, frame, group)."""
    groups, stops = tree.tables.groups, tree.tables.graph.stops
    found = []
    for number in range(tree.n_nodes):
        path = tree.path_to(number)
        before = [f for step in path[:-1] for f in range(tree.begins[step], stops[tree.nodes[step]])]
        has_left, seen = any(groups[before] != own), set()
        for frame in range(tree.begins[number], stops[tree.nodes[number]]):
            has_left = has_left or groups[frame] != own
            is_settled = tree.since[number] + frame - tree.begins[number] >= settled
            if has_left and is_settled and groups[frame] not in seen:
                seen.add(groups[frame])
                found.append((number, frame, int(groups[frame])))
    return sorted(found)


@pytest.mark.parametrize("own", [None, 0, 3])
@pytest.mark.parametrize("settled", [0.0, 0.3])
def test_ends_are_the_first_frames_of_groups_once_the_path_has_left_its_own(tree, own, settled):
    index = index_ends(tree, own, settled)
    expected = plain_ends(tree, -1 if own is None else own, round(settled * 10))
    assert sorted(zip(index.nodes.tolist(), index.frames.tolist(), index.groups.tolist())) == expected


def test_ends_are_where_placing_the_recording_puts_them(tree):
    index = index_ends(tree)
    for number in np.random.default_rng(0).integers(0, index.n_ends, 60):
        end = index.end(int(number))
        x, z, heading = tree.tables.facings[end.frame]
        placement = tree.placement(end.node)
        place = turn_ground(np.array([x, z]), placement.heading) + placement.slide
        np.testing.assert_allclose(end.place, (*place, heading + placement.heading), atol=1e-9)
        path = tree.path_to(end.node)
        played = sum(int(tree.tables.graph.stops[tree.nodes[step]] - tree.begins[step]) for step in path[:-1])
        assert end.n_frames == tree.entries[path[0]].lead + played + end.frame + 1 - tree.begins[end.node]


def random_queries(tree, count, seed=0):
    """Queries of every kind: groups, headings, times, near and far, inside what is reached and far from it."""
    rng = np.random.default_rng(seed)
    low, high = tree.places[:, :2].min(axis=0) - 1, tree.places[:, :2].max(axis=0) + 1
    for number in range(count):
        place = rng.uniform(low, high) if number % 9 else rng.normal(scale=50, size=2)
        begin = float(rng.uniform(0, 5))
        yield Query(
            (float(place[0]), float(place[1])),
            int(rng.integers(tree.tables.n_groups)) if rng.random() < 0.7 else None,
            float(rng.uniform(-9, 9)) if rng.random() < 0.3 else None,
            float(rng.uniform(0.2, 2)),
            (begin, begin + float(rng.uniform(0.2, 4))) if rng.random() < 0.3 else None,
            float(rng.choice([0.05, 0.9, 3.0, 1000.0])),
            int(rng.choice([1, 5, 40])),
            float(rng.choice([0.0, 0.1, 2.0])),
        )


def brute_nearest(places, times, allowed, query, fps):
    """Numbers and distances of the nearest allowed ones, nearest first; later ones count as farther."""
    distances = np.hypot(places[:, 0] - query.position[0], places[:, 1] - query.position[1])
    allowed = allowed & (distances <= query.within)
    if query.heading is not None:
        off = (places[:, 2] - query.heading + np.pi) % (2 * np.pi) - np.pi
        allowed &= np.abs(off) <= query.heading_within
    if query.seconds is not None:
        allowed &= (times >= query.seconds[0] * fps) & (times <= query.seconds[1] * fps)
    numbers = np.flatnonzero(allowed)
    ranks = distances[numbers] + query.haste / fps * times[numbers]
    numbers = numbers[np.lexsort((numbers, ranks))][: query.count]
    return numbers, distances[numbers]


def by_time(ends):
    return sorted(ends, key=lambda end: (end.n_frames, end.distance, end.number))


def test_looking_for_poses_first_finds_what_brute_force_finds(tree):
    index = index_ends(tree, own_group=1, settled=0.2)
    answered = 0
    for query in random_queries(tree, 200):
        allowed = np.ones(index.n_ends, bool) if query.group is None else index.groups == query.group
        numbers, distances = brute_nearest(index.places, index.times, allowed, query, 10.0)
        expected = by_time(index.end(int(number), float(far)) for number, far in zip(numbers, distances))
        found = find_ends(index, query)
        assert [end.number for end in found] == [end.number for end in expected]
        np.testing.assert_allclose([end.distance for end in found], [end.distance for end in expected], atol=1e-9)
        answered += bool(found)
    assert answered > 40


def test_the_papers_order_finds_what_brute_force_finds(tree):
    index = index_ends(tree, own_group=1, settled=0.2)
    nodes = NodeIndex.of(index)
    everything = np.ones(tree.n_nodes, bool)
    answered = 0
    for query in random_queries(tree, 200, seed=1):
        numbers, distances = brute_nearest(tree.places, tree.arrivals, everything, replace(query, haste=0.0), 10.0)
        expected = []
        for node, far in zip(numbers, distances):
            own = [n for n in np.flatnonzero(index.nodes == node) if query.group in (None, int(index.groups[n]))]
            expected += [index.end(int(number), float(far)) for number in own[:1]]
        found = find_ends_as_printed(nodes, query)
        assert [end.number for end in found] == [end.number for end in by_time(expected)]
        answered += bool(found)
    assert answered > 40


def test_without_a_place_the_soonest_are_found_wherever_they_are(tree):
    index = index_ends(tree)
    for query in random_queries(tree, 60, seed=2):
        far = replace(query, position=(0.0, 0.0), within=1e9, count=index.n_ends)
        allowed = sorted((end.n_frames, end.number) for end in find_ends(index, far))
        found = find_ends(index, replace(query, position=None))
        assert [(end.n_frames, end.number) for end in found] == allowed[: query.count]


def test_the_papers_order_needs_a_place_no_more_than_the_other(tree):
    index = index_ends(tree)
    query = Query(None, heading=0.5, seconds=(1.0, 4.0))
    assert find_ends_as_printed(NodeIndex.of(index), query) == find_ends(index, query) != []


@pytest.mark.parametrize("group", [None, 2])
def test_the_soonest_ends_are_those_that_come_first(tree, group):
    index = index_ends(tree)
    numbers = [n for n in range(index.n_ends) if group is None or index.groups[n] == group]
    expected = sorted(numbers, key=lambda number: (index.times[number], number))
    for count in (1, 7, 10**6):
        assert [end.number for end in soonest_ends(index, group, count)] == expected[:count]


def test_there_are_no_ends_before_the_last_pose_is_left(tables):
    made = tables.random(0)
    still = replace(made, groups=np.zeros(150, np.int32))
    index = index_ends(unroll_to_depth(still, tables.entries(made), 4), own_group=0)
    assert index.n_ends == 0
    assert find_ends(index, Query((0.0, 0.0))) == soonest_ends(index, None, 3) == []
    assert find_ends(index, Query(None, group=1)) == []


def test_a_subtree_has_the_ends_that_its_root_leads_to(tree):
    """With nothing to leave and nothing to settle, ends below a node are those of the tree below it."""
    whole = index_ends(tree, None, 0.0)
    number = int(np.flatnonzero(tree.parents < 0)[0])
    child = int(np.flatnonzero(tree.parents == number)[0])
    frame = int(tree.begins[child])
    kept = index_ends(subtree(tree, child, frame), None, 0.0)
    below = np.array([child in tree.path_to(int(node)) and int(node) != child for node in whole.nodes])
    is_root = kept.nodes == 0
    np.testing.assert_array_equal(kept.frames[~is_root], whole.frames[below])
    np.testing.assert_array_equal(kept.places[~is_root], whole.places[below])
    np.testing.assert_array_equal(kept.times[~is_root], whole.times[below] - tree.arrivals[child] - 1)


def test_points_on_the_borders_of_cells_are_found():
    """Everything on a lattice that cells are cut along, asked for on the lattice too."""
    side = 0.2 * np.arange(12)
    places = np.column_stack([*(axis.ravel() for axis in np.meshgrid(side, side)), np.zeros(144)])
    grid = Grid.of(places, np.arange(144.0), np.zeros(144, np.int32), 1)
    for position in places[::7, :2]:
        query = Query((float(position[0]), float(position[1])), within=0.45, count=30, haste=0.0)
        expected, _ = brute_nearest(places, np.arange(144.0), np.ones(144, bool), query, 1.0)
        numbers, _ = grid.nearest(query, 1.0, 0)
        assert set(numbers) == set(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_cells_hold_each_point_once_in_order(seed):
    rng = np.random.default_rng(seed)
    places, times, groups = rng.normal(size=(300, 3)), rng.random(300), rng.integers(0, 3, 300)
    corner, shape = places[:, :2].min(axis=0), (9, 14)
    first, order, points = np.zeros(3 * 9 * 14 + 1, np.int64), np.empty(300, np.int64), np.empty((300, 4))
    _kernels.sort_into_cells(places, times, groups, corner, 0.5, shape, first, order, points)
    np.testing.assert_array_equal(np.sort(order), np.arange(300))
    np.testing.assert_array_equal(points, np.column_stack([places, times])[order])
    columns, rows = np.floor((places[:, :2] - corner) / 0.5).astype(int).T
    columns, rows = np.minimum(columns, 8), np.minimum(rows, 13)
    cells = (groups * 9 + columns) * 14 + rows
    for cell in range(3 * 9 * 14):
        np.testing.assert_array_equal(order[first[cell] : first[cell + 1]], np.flatnonzero(cells == cell))
