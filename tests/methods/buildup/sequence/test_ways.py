"""Ways: where they end is where the same clips, placed and put one after another, end; and ways that differ."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionloom.assembly import Join, assemble
from motionloom.features.facing import find_facing
from motionloom.graphs import walk_along
from motionloom.graphs.graph_walk import clips_along
from motionloom.methods.buildup.sequence.entries import LastPose, find_entries
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, start_at, where_is
from motionloom.methods.buildup.sequence.steps import usual_pose
from motionloom.methods.buildup.sequence.ways import DIFFERENT, Browser, choose_different
from motionloom.methods.buildup.tree.end_index import Query
from motionloom.methods.buildup.tree.search_tree import GrowthSettings, grow_tree, subtree, unroll_to_depth
from motionloom.motion import kinematics
from motionloom.motion.angles import wrap_angle

GROWTH = GrowthSettings(seconds=6.0, nodes=60_000)


@pytest.fixture(scope="module")
def start(model) -> BuiltSequence:
    frame = int(np.random.default_rng(1).choice(model.tables.played_frames))
    return start_at(model, frame, (0.5, -1.0, 0.7))


@pytest.fixture(scope="module")
def browser(model, start) -> Browser:
    last = start.last_pose(model)
    return Browser.over(model, last, grow_tree(model.tables, find_entries(model, last), GROWTH))


def random_ends(browser, count=12, seed=0):
    numbers = np.random.default_rng(seed).integers(0, browser.index.n_ends, count)
    return [browser.index.end(int(number)) for number in numbers]


def by_plain_cuts(model, sequence):
    """The motion of a sequence whose clips are placed, put one after another, and not joined."""
    plan = sequence.plan(model)
    plan = replace(plan, joins=tuple(Join("cut", 0.0) for _ in plan.joins))
    return assemble(plan, model.view, footplants=None).motion


def test_places_are_those_of_the_same_path_assembled_with_plain_cuts(model, start, browser):
    for end in random_ends(browser):
        motion = by_plain_cuts(model, start.extended(browser.way(end).stretch(0)))
        headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
        assert motion.n_frames == 1 + end.n_frames
        np.testing.assert_allclose(ground[-1], end.place[:2], atol=1e-9)
        np.testing.assert_allclose(wrap_angle(headings[-1] - end.place[2]), 0.0, atol=1e-6)


def test_a_way_begins_after_the_last_pose_and_ends_with_the_first_frame_of_its_group(model, browser):
    groups, tree = model.groups.of_frame, browser.index.tree
    for end in random_ends(browser, 40):
        way = browser.way(end)
        assert way.frames[0] == browser.last.frame + 1
        assert way.frames[-1] == end.frame
        assert groups[end.frame] == end.group
        ready = tree.begins[end.node] + max(round(model.settings.settled * model.fps) - tree.since[end.node], 0)
        left = np.flatnonzero(groups[way.frames] != groups[browser.last.frame])[0]
        within = np.arange(tree.begins[end.node], end.frame)
        earlier = within[(groups[within] == end.group) & (within >= ready)]
        assert all(len(way.frames) - 1 - (end.frame - frame) < left for frame in earlier)


def test_a_way_within_one_node_plays_some_of_its_frames(model, browser):
    inside = [n for n in range(browser.index.n_ends) if browser.index.nodes[n] == 0]
    last = browser.last
    if not inside:  # the last pose is near the end of its node: begin with its first frame
        node = int(np.argmax(model.graph.stops - model.graph.starts))
        last = LastPose(int(model.graph.starts[node]), last.placement)
        browser = Browser.over(model, last, unroll_to_depth(model.tables, find_entries(model, last), 0))
        inside = list(range(browser.index.n_ends))
    end = browser.index.end(inside[0])
    (clip,) = browser.way(end).clips
    assert model.view.range_of(clip.name)[0] + clip.start == last.frame + 1
    assert clip.stop - clip.start == end.n_frames == end.frame - last.frame


def test_a_way_plays_nothing_but_steps_of_the_graph(model, browser):
    graph = model.graph
    cuts = {(int(graph.stops[a]) - 1, int(graph.starts[b])) for a, b in graph.edges}
    for end in random_ends(browser, 40):
        way = browser.way(end)
        assert len(way.frames) == end.n_frames == way.stretch().n_played
        assert all(b == a + 1 or (a, b) in cuts for a, b in pairwise(way.frames.tolist()))
        jumps = sum(b != a + 1 for a, b in pairwise(way.frames.tolist()))
        assert len(way.clips) == 1 + jumps == 1 + way.n_cuts
        assert 0 <= way.hardest <= graph.threshold


def test_ways_differ_from_each_other_and_the_soonest_comes_first(model, browser):
    query = Query(browser.index.places[browser.index.n_ends // 2, :2].tolist(), within=model.radius)
    ways = browser.ways(query, count=4)
    assert len(ways) > 1
    assert ways[0].end == browser.ends(query)[0]
    for number, way in enumerate(ways):
        assert all(1 - np.isin(way.frames, other.frames).mean() >= DIFFERENT for other in ways[:number])


def test_no_more_ways_are_made_than_are_looked_at(browser):
    made = []

    def making():
        for end in random_ends(browser, 30):
            made.append(end)
            yield browser.way(end)

    assert len(choose_different(making(), 1)) == 1
    assert len(made) == 1


@pytest.mark.parametrize("order", ["groups", "nodes"])
def test_ends_can_be_asked_for_by_place_pose_heading_and_duration(model, browser, order):
    browser = replace(browser, model=replace(model, settings=replace(model.settings, order=order)))
    target = browser.index.end(browser.index.n_ends // 3)
    query = Query(target.place[:2], target.group, target.place[2], 0.3, (0.5, 6.0), model.radius, 5)
    for asked in (query, replace(query, group=None), replace(query, heading=None), replace(query, seconds=None)):
        ends = browser.ends(asked)
        assert len(ends) <= 5
        assert [end.n_frames for end in ends] == sorted(end.n_frames for end in ends)
        for end in ends:
            assert asked.group in (None, end.group)
            if order == "groups":
                assert np.hypot(*np.subtract(end.place[:2], target.place[:2])) <= model.radius
                assert asked.heading is None or abs(wrap_angle(end.place[2] - asked.heading)) <= 0.3 + 1e-9
                assert asked.seconds is None or 0.5 <= end.n_frames / model.fps <= 6.0
    assert order == "nodes" or browser.ends(query)


def test_by_poses_alone_the_soonest_is_found(browser):
    group = int(browser.index.groups[-1])
    ends = browser.ends(None, group)
    assert {end.group for end in ends} == {group}
    assert ends[0].n_frames == browser.index.times[browser.index.groups == group].min()


def test_a_subtree_is_what_a_path_through_it_gives(model, start, browser):
    """Keeping what is left of a tree when a way is accepted: it begins, and stays, where the sequence now ends."""
    for end in random_ends(browser, 6, seed=3):
        kept = subtree(browser.index.tree, end.node, end.frame)
        extended = start.extended(browser.way(end).stretch(0))
        last = extended.last_pose(model)
        (entry,) = find_entries(model, last)
        assert (kept.entries[0].node, kept.entries[0].begin) == (entry.node, entry.begin)
        assert min(kept.entries[0].since, 10_000) == min(entry.since, 10_000)
        np.testing.assert_allclose(kept.entries[0].placement.slide, entry.placement.slide, atol=1e-9)
        for number in np.random.default_rng(0).integers(0, kept.n_nodes, 20):
            walk = walk_along(model.graph, entry.node, kept.edges[kept.path_to(int(number))[1:]])
            clip = clips_along(model.graph, walk, placement=entry.placement)[-1]
            expected = where_is(model, min(int(kept.begins[number]), model.view.n_frames - 1), clip.placement)
            np.testing.assert_allclose(kept.places[number], expected, atol=1e-9)
            played = sum(int(model.graph.stops[node]) - int(model.graph.starts[node]) for node in walk.nodes[:-1])
            skipped = entry.begin - int(model.graph.starts[entry.node]) if len(walk.nodes) > 1 else 0
            assert kept.arrivals[number] == played - skipped


def test_the_tree_that_is_kept_has_the_ways_of_a_new_one(model, start):
    """The paper's tree: what is kept of it is the tree that would be made, one step less deep for each on the way."""
    last = start.last_pose(model)
    tree = unroll_to_depth(model.tables, find_entries(model, last), 6)
    browser = Browser.over(model, last, tree)
    for end in random_ends(browser, 8, seed=5):
        depth = len(tree.path_to(end.node)) - 1
        after = start.extended(browser.way(end).stretch(0)).last_pose(model)
        fresh = unroll_to_depth(model.tables, find_entries(model, after), 6 - depth)
        one = Browser.over(model, after, subtree(tree, end.node, end.frame)).index
        other = Browser.over(model, after, fresh).index
        np.testing.assert_array_equal(one.frames, other.frames)
        np.testing.assert_array_equal(one.times, other.times)
        np.testing.assert_allclose(one.places, other.places, atol=1e-9)


def test_the_usual_pose_is_in_the_graph(model):
    assert model.tables.node_at(usual_pose(model)) >= 0
