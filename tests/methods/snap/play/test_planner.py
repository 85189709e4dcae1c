"""Planning against trying everything."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.methods.snap.graph.clip_controls import Control
from motionloom.methods.snap.graph.hub_graph import Action
from motionloom.methods.snap.play.planner import Planner
from motionloom.motion import Placement
from motionloom.motion.angles import wrap_outside
from motionloom.motion.placement import compose


def walks_from(graph, node, depth):
    """Every graph walk from a node of up to so many clips, the empty one too."""
    walks = [((), node)]
    for clips, at in walks:
        if len(clips) < depth:
            walks += [((*clips, c), graph.clips[c].target) for c in graph.leaving[at]]
    return [clips for clips, _ in walks]


def end_of(graph, clips, placement):
    for c in clips:
        placement = compose(placement, graph.placement(c))
    return placement


def frames_of(graph, clips):
    return sum(graph.clips[c].n_frames for c in clips)


def check_walk(graph, node, clips):
    for c in clips:
        assert graph.clips[c].source == node
        node = graph.clips[c].target
    return node


@pytest.mark.parametrize("seed", range(8))
def test_the_way_to_a_word_is_the_shortest_of_all(hub_graphs, seed):
    rng = np.random.default_rng(seed)
    graph = hub_graphs(seed, hubs=4, clips=8, takes=1)
    goals = tuple(int(c) for c in rng.choice(8, size=2, replace=False))
    graph = replace(graph, actions=(Action("jump", goals),))
    planner = Planner(graph)
    for node in range(4):
        walk = planner.walk_to(node, "jump")
        check_walk(graph, node, walk)
        assert walk[-1] in goals
        tried = [clips for clips in walks_from(graph, node, 5) if clips and clips[-1] in goals]
        assert frames_of(graph, walk[:-1]) == min(frames_of(graph, clips[:-1]) for clips in tried)


@pytest.mark.parametrize("seed", range(4))
def test_the_way_to_a_node_is_the_shortest_of_all(hub_graphs, seed):
    graph = hub_graphs(seed, hubs=3, clips=7, takes=2)
    planner = Planner(graph)
    for node, goal in itertools.product(range(3), range(len(graph.nodes))):
        tried = [clips for clips in walks_from(graph, node, 5) if check_walk(graph, node, clips) == goal]
        if graph.nodes[goal].kind == "start":
            with pytest.raises(Unsatisfiable, match="no way from"):
                planner.walk_to_node(node, goal)
            continue
        walk = planner.walk_to_node(node, goal)
        assert check_walk(graph, node, walk) == goal
        assert frames_of(graph, walk) == min(frames_of(graph, clips) for clips in tried)


def test_labels_and_names_are_words_too(hub_graphs):
    graph = replace(hub_graphs(2, hubs=2, clips=8), actions=())
    planner = Planner(graph)
    assert "punch" in graph.clips[planner.walk_to(0, "punch")[-1]].labels
    assert planner.walk_to(0, graph.clips[5].name)[-1] == 5
    with pytest.raises(BadInput, match="no clip 'cartwheel' in the graph; it has 8"):
        planner.walk_to(0, "cartwheel")


def test_a_word_is_done_by_a_clip_that_goes_on_where_there_is_one(hub_graphs):
    graph = hub_graphs(2, hubs=1, clips=3, takes=1)
    end = next(c for c, clip in enumerate(graph.clips) if graph.nodes[clip.target].kind == "end")
    both, only = Action("bow", (end, 1)), Action("leave", (end,))
    planner = Planner(replace(graph, actions=(both, only)))
    assert planner.walk_to(0, "bow") == (1,)
    assert planner.walk_to(0, "leave") == (end,)
    assert planner.is_alive.tolist() == [graph.nodes[clip.target].kind != "end" for clip in graph.clips]


def test_nodes_that_only_lead_to_ends_are_dead_too(hub_graphs):
    graph = hub_graphs(2, hubs=3, edges=[(0, 0), (0, 1), (1, 2)])
    assert Planner(graph).is_alive.tolist() == [True, False, False]
    assert Planner(graph).nearest_clip(0, Control()) == 0
    with pytest.raises(BadInput, match="no clip leaves node 'hub 2'"):
        Planner(graph).nearest_clip(2, Control())


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_clip_is_the_nearest_of_all(hub_graphs, seed):
    rng = np.random.default_rng(seed)
    graph = hub_graphs(seed, hubs=2, clips=30)
    planner = Planner(graph)
    found = planner.controls
    for _ in range(50):
        node, speed, curvature = int(rng.integers(2)), rng.uniform(0, 3), rng.normal()
        heading, facing = rng.uniform(-4, 4, 2)

        def cost(c, speed=speed, curvature=curvature, heading=heading, facing=facing):
            off = float(wrap_outside(np.array(facing + found.turn[c] - heading)))
            shares = 1 - graph.clips[c].labels.get("walk", 0.0)
            parts = ((found.speed[c] - speed) / 0.5, (found.curvature[c] - curvature) / 0.5, off / (math.pi / 4))
            return sum(part**2 for part in parts) + 4 * shares

        control = Control(speed=speed, curvature=curvature, heading=heading, labels=("walk",))
        assert cost(planner.nearest_clip(node, control, facing)) == pytest.approx(min(map(cost, graph.leaving[node])))


@pytest.mark.parametrize("seed", range(10))
def test_the_way_to_a_place_is_no_longer_than_the_shortest_of_all_short_ones(hub_graphs, seed):
    rng = np.random.default_rng(seed)
    graph = hub_graphs(seed, hubs=2, clips=5)
    planner = Planner(graph)
    x, z, heading = rng.normal(size=3)
    begin = Placement(heading, np.array([x, z]))
    place = rng.normal(scale=1.5, size=2)
    wish = float(rng.uniform(-3, 3)) if seed % 2 else None
    walk = planner.walk_to_place(0, (x, z, heading), place, heading=wish, tolerance=0.4, heading_tolerance=0.8)
    check_walk(graph, 0, walk.clips)
    end = end_of(graph, walk.clips, begin)
    np.testing.assert_allclose((walk.x, walk.z), end.slide, atol=1e-9)
    assert walk.distance == pytest.approx(np.linalg.norm(end.slide - place))
    assert walk.seconds == pytest.approx(frames_of(graph, walk.clips) / graph.fps)

    def is_there(clips):
        placed = end_of(graph, clips, begin)
        off = 0.0 if wish is None else abs(float(wrap_outside(np.array(placed.heading - wish))))
        return np.linalg.norm(placed.slide - place) <= 0.4 and off <= 0.8

    assert is_there(walk.clips) == walk.is_reached
    there = [frames_of(graph, clips) for clips in walks_from(graph, 0, 6) if is_there(clips)]
    assert walk.is_reached or not there
    if there and walk.is_shortest:
        assert frames_of(graph, walk.clips) <= min(there)
    assert walk.is_shortest or seed not in range(4)  # the search is not always cut short


@pytest.mark.parametrize("seed", range(5))
def test_where_a_place_cannot_be_reached_in_time_the_nearest_end_of_all_is_returned(hub_graphs, seed):
    graph = hub_graphs(seed, hubs=2, clips=5)
    walk = Planner(graph).walk_to_place(0, (0.0, 0.0, 0.0), [50.0, 20.0], seconds=1.2)
    assert not walk.is_reached
    assert not walk.is_shortest
    assert walk.seconds <= 1.2
    most = 1.2 * graph.fps
    tried = [clips for clips in walks_from(graph, 0, 9) if frames_of(graph, clips) <= most]
    ends = [end_of(graph, clips, Placement.none()).slide for clips in tried]
    assert walk.distance == pytest.approx(min(np.hypot(*(end - (50.0, 20.0))) for end in ends))


def test_who_is_there_already_stays(hub_graphs):
    walk = Planner(hub_graphs(1)).walk_to_place(0, (1.0, 2.0, 0.0), [1.1, 2.0])
    assert walk.clips == ()
    assert walk.is_reached
    assert walk.is_shortest


def test_a_far_place_is_reached_in_a_hurry_and_reported_so(hub_graphs):
    planner = Planner(hub_graphs(4, hubs=1, clips=24, reach=0.6))
    walk = planner.walk_to_place(0, (0.0, 0.0, 0.0), [12.0, -9.0], heading=1.0)
    assert walk.is_reached
    assert not walk.is_shortest
    assert walk.distance <= 0.25
    assert walk.heading_off <= 0.5


def test_the_search_gives_up_when_stopped(hub_graphs):
    graph = hub_graphs(4, hubs=1, clips=24)
    walk = Planner(graph).walk_to_place(0, (0.0, 0.0, 0.0), [1e6, 0.0], effort=100)
    assert not walk.is_reached
    assert walk.distance == pytest.approx(np.hypot(*(end_of(graph, walk.clips, Placement.none()).slide - (1e6, 0.0))))
    with pytest.raises(BadInput, match="must be finite"):
        Planner(graph).walk_to_place(0, (0.0, 0.0, 0.0), [float("nan"), 0.0])
