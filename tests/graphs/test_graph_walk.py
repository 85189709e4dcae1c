"""Graph walks and the clips that they play."""

import numpy as np
import pytest

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs import clips_along, merge_chains, prune, random_walk, walk_along
from motionloom.motion import Placement, compose

LENGTHS = (20, 15, 10)
PAIRS = [(2, 12), (9, 40), (22, 17), (38, 30), (5, 14), (27, 16)]


@pytest.fixture
def graph(graphs):
    return merge_chains(prune(graphs.of_pairs(PAIRS, LENGTHS)).graph)


def frames_of(clips) -> list[int]:
    """The frames of the view that clips play, one after another."""
    begin = dict(zip("abc", (0, 20, 35)))
    return [begin[clip.name] + f for clip in clips for f in range(clip.start, clip.stop)]


@pytest.mark.parametrize("seed", range(5))
def test_a_random_walk_plays_only_what_the_graph_allows(graphs, graph, seed):
    walk = random_walk(graph, 30.0, np.random.default_rng(seed), min_stay=0.3)
    frames = frames_of(clips_along(graph, walk))
    assert set(zip(frames[:-1], frames[1:])) <= graphs.steps(graph)
    assert len(frames) >= 300


def test_the_same_seed_gives_the_same_walk(graph):
    one, same, other = (
        random_walk(graph, 20.0, np.random.default_rng(seed), min_stay=0.0).nodes.tolist() for seed in (4, 4, 5)
    )
    assert one == same != other


def test_soon_after_a_transition_the_recording_goes_on_where_it_can(graph):
    walk = random_walk(graph, 60.0, np.random.default_rng(1), min_stay=0.4)
    stayed = graph.seconds[walk.nodes[0]]
    for edge, node in zip(walk.edges, walk.nodes[1:]):
        if not graph.goes_on[edge]:
            could_go_on = graph.goes_on[graph.leaving(graph.sources[edge])].any()
            assert stayed >= 0.4 or not could_go_on
            stayed = 0.0
        stayed += graph.seconds[node]


def test_each_clip_is_placed_as_its_transition_says_from_where_the_one_before_stands(graph):
    walk = random_walk(graph, 10.0, np.random.default_rng(2), min_stay=0.0)
    begin = Placement(0.7, np.array([1.0, -2.0]))
    clips = clips_along(graph, walk, placement=begin)
    jumps = [int(edge) for edge in walk.edges if not graph.goes_on[edge]]
    assert len(clips) == len(jumps) + 1 > 3
    expected = begin
    for clip, edge in zip(clips[1:], jumps):
        expected = compose(expected, graph.placement(edge))
        np.testing.assert_allclose(clip.placement.slide, expected.slide)
        assert clip.placement.heading == pytest.approx(expected.heading)


def test_clips_can_be_cut_to_a_number_of_frames(graph):
    walk = random_walk(graph, 10.0, np.random.default_rng(3))
    everything = frames_of(clips_along(graph, walk))
    for n_frames in (1, 7, 55, len(everything)):
        assert frames_of(clips_along(graph, walk, n_frames=n_frames)) == everything[:n_frames]
    for wrong in (0, len(everything) + 1):
        with pytest.raises(BadInput, match=f"n_frames {wrong} is out of range"):
            clips_along(graph, walk, n_frames=wrong)


def test_a_walk_into_a_dead_end_says_where(graphs):
    with pytest.raises(Unsatisfiable, match=r"frame 19 of a is a dead end of the graph; prune the graph first"):
        random_walk(graphs.of_pairs([], LENGTHS), 10.0, np.random.default_rng(0), start=0)


def test_walks_that_make_no_sense_are_refused(graph):
    with pytest.raises(BadInput, match="above 0 seconds"):
        random_walk(graph, 0.0, np.random.default_rng(0))
    with pytest.raises(BadInput, match="must be finite"):
        random_walk(graph, np.inf, np.random.default_rng(0))
    for start in (-1, graph.n_nodes):
        with pytest.raises(BadInput, match=r"start node .* is out of range"):
            random_walk(graph, 3.0, np.random.default_rng(0), start=start)
    with pytest.raises(BadInput, match="an edge is out of range"):
        walk_along(graph, 0, np.array([graph.n_edges]))
    elsewhere = int(np.flatnonzero(graph.sources != 0)[0])
    with pytest.raises(BadInput, match=f"step 0: edge {elsewhere} leaves node"):
        walk_along(graph, 0, np.array([elsewhere]))
