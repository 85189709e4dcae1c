"""Loose clips: what is outside the part that can be played for ever, removing it, and match frames that connect it."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.graphs.components import DEAD_END, UNREACHABLE
from motionloom.methods.snap import GraphRequest, prepare, resolve_hubs
from motionloom.methods.snap.author.compared_view import frame_in_view, frame_of_take
from motionloom.methods.snap.builder.connectivity import inspect_graph, propose_fixes, remove_loose


def with_fix(request, fix):
    """The request with the match frame that is proposed; if it was dropped before, it is no longer."""
    (hub,) = request.hubs
    dropped = tuple(frame for frame in hub.drop if frame != fix.frame)
    return replace(request, hubs=(replace(hub, add=(*hub.add, fix.frame), drop=dropped),))


def reaches(graph, node):
    """Every node that can be reached, by trying."""
    seen, queue = set(), [node]
    while queue:
        for clip in graph.leaving[queue.pop()]:
            target = graph.clips[clip].target
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return seen


@pytest.mark.parametrize("seed", range(5))
def test_after_removing_every_node_reaches_every_node(hub_graphs, seed):
    rng = np.random.default_rng(seed)
    edges = [(int(a), int(b)) for a, b in rng.integers(5, size=(9, 2))]
    graph = hub_graphs(seed, hubs=5, edges=[*edges, (0, 0)], takes=2)
    connected = remove_loose(graph)
    everything = set(range(len(connected.nodes)))
    assert all(reaches(connected, node) == everything for node in everything)
    assert connected.n_hubs == len(connected.nodes) == len(connected.hub_frames)
    assert len(connected.clips) == len(graph.clips) - inspect_graph(graph).loose_clips
    assert not inspect_graph(connected).loose


def test_what_is_kept_is_the_part_with_most_seconds(hub_graphs):
    graph = hub_graphs(2, hubs=3, edges=[(0, 0), (1, 2), (2, 1), (1, 1), (0, 1)])
    connected = remove_loose(graph)
    assert {node.name for node in connected.nodes} == {"hub 1", "hub 2"}
    assert inspect_graph(graph).hubs_apart == ("hub 0",)


def test_hubs_and_poses_stay_together_when_hubs_go(hub_graphs):
    graph = hub_graphs(2, hubs=3, edges=[(0, 0), (1, 2), (2, 1), (1, 1), (0, 1)])
    connected = remove_loose(graph)
    for number, node in enumerate(connected.nodes):
        before = graph.find_node(node.name)
        np.testing.assert_array_equal(connected.hub_frames[number], graph.hub_frames[before])
        for clip in connected.leaving[number]:
            np.testing.assert_array_equal(
                connected.frames[connected.clip_starts[clip]], connected.hub_frames[number, 1]
            )


def test_ends_and_starts_of_takes_are_reported_with_their_reason(hub_graphs):
    graph = hub_graphs(0, hubs=1, clips=3, takes=2)
    found = inspect_graph(graph)
    assert sorted(part.reachability for part in found.loose) == [DEAD_END, DEAD_END, UNREACHABLE, UNREACHABLE]
    assert sum(part.seconds for part in found.loose) == pytest.approx(graph.seconds[3:].sum())
    assert "2 clips" in found.sentences()[0] and "end of a take" in found.sentences()[0]


def test_a_graph_in_which_nothing_goes_round_is_refused(hub_graphs):
    graph = hub_graphs(0, hubs=2, edges=[(0, 1)], takes=1)
    assert not inspect_graph(graph).has_loop
    assert "the graph has no cycle" in inspect_graph(graph).sentences()[0]
    with pytest.raises(BadInput, match="the graph has no cycle: no clip leads back"):
        remove_loose(graph)


def test_a_match_frame_is_proposed_where_one_was_dropped(walking, compared):
    view = compared.view
    (before,) = resolve_hubs(compared, GraphRequest())
    _, end = view.range_of("walk/figure_eight")
    last = int(before.frames[before.frames < end].max())
    dropped = frame_of_take(view, last)
    hub = {"largest": True, "drop": [{"take": dropped.take, "frame": dropped.frame}]}
    request = GraphRequest.from_data({"hubs": [hub], "mend": "keep"})
    whole = prepare(view.corpus, request)
    fixes = propose_fixes(compared, request, resolve_hubs(compared, request), whole.graph)
    (fix,) = [fix for fix in fixes if fix.frame.take == "walk/figure_eight" and fix.frame.frame > 500]
    assert abs(frame_in_view(view, fix.frame) - last) <= 3
    assert fix.distance <= compared.threshold
    (again,) = resolve_hubs(compared, with_fix(request, fix))
    assert not again.problem
    assert len(again.frames) == len(before.frames)
    assert fix.seconds == pytest.approx((frame_in_view(view, fix.frame) - again.frames[again.frames < end][-2]) / 60)
