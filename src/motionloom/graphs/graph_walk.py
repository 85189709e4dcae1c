"""Graph walks: the nodes taken one after another, and the clips that they play."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs.transition_graph import TransitionGraph
from motionloom.motion import Placement, compose


@dataclass(frozen=True, eq=False)
class GraphWalk:
    """Nodes of a graph in the order they are played, and the edges between them."""

    nodes: np.ndarray  # (K,) int
    edges: np.ndarray  # (K - 1,) int


@dataclass(frozen=True)
class PlacedClip:
    """Frames [start, stop) of a motion of a view, and where on the ground they are played."""

    name: str
    start: int
    stop: int
    placement: Placement


def walk_along(graph: TransitionGraph, start: int, edges: np.ndarray) -> GraphWalk:
    """The graph walk that begins at a node and takes some edges."""
    edges = np.asarray(edges, int)
    if not 0 <= start < graph.n_nodes or (len(edges) and not 0 <= edges.min() <= edges.max() < graph.n_edges):
        raise BadInput(f"a graph of {graph.n_nodes} nodes and {graph.n_edges} edges has no such node or edge")
    nodes = np.concatenate([[start], graph.targets[edges]]).astype(int)
    broken = np.flatnonzero(graph.sources[edges] != nodes[:-1])
    if len(broken):
        step = int(broken[0])
        raise BadInput(f"step {step}: edge {edges[step]} leaves node {graph.sources[edges[step]]}, not {nodes[step]}")
    return GraphWalk(nodes, edges)


def random_walk(
    graph: TransitionGraph,
    seconds: float,
    rng: np.random.Generator,
    *,
    start: int | None = None,
    min_stay: float = 1.0,
) -> GraphWalk:
    """Take edges at random until enough is played.

    Args:
        graph: pruned, so that a walk never has to end.
        seconds: to play at least.
        rng: where chance comes from.
        start: the node to begin with; None for any.
        min_stay: seconds; so soon after a transition the recording goes on where it can.
    """
    if not 0 < seconds < np.inf:
        raise BadInput(f"a graph walk of {seconds} seconds; it must be more than 0, and end")
    if start is not None:
        walk_along(graph, start, np.zeros(0, int))  # refuses a node that is not there
    node = int(rng.integers(graph.n_nodes)) if start is None else start
    first, edges = node, []
    played = stayed = float(graph.seconds[node])
    while played < seconds - 1e-9:
        edge = _choose_edge(graph, node, stayed < min_stay, rng)
        node = int(graph.targets[edge])
        stayed = graph.seconds[node] + (stayed if graph.goes_on[edge] else 0.0)
        played += graph.seconds[node]
        edges.append(edge)
    return walk_along(graph, first, np.array(edges, int))


def clips_along(
    graph: TransitionGraph, walk: GraphWalk, *, n_frames: int | None = None, placement: Placement | None = None
) -> list[PlacedClip]:
    """What a graph walk plays, as clips on the ground; nodes that the recording itself connects are one clip.

    Args:
        graph: that the walk is through.
        walk: to unroll.
        n_frames: how many frames to play; None for all of them.
        placement: of the first clip; None to leave it where it was recorded.
    """
    placed = placement or Placement.none()
    stretches = [(int(graph.starts[walk.nodes[0]]), int(graph.stops[walk.nodes[0]]), placed)]
    for edge, node in zip(walk.edges, walk.nodes[1:]):
        if graph.goes_on[edge]:
            stretches[-1] = (stretches[-1][0], int(graph.stops[node]), placed)
        else:
            placed = compose(placed, graph.placement(edge))
            stretches.append((int(graph.starts[node]), int(graph.stops[node]), placed))
    clips = [PlacedClip(*graph.clip_of(start, stop), where) for start, stop, where in stretches]
    return clips if n_frames is None else _shorten(clips, n_frames)


def _choose_edge(graph: TransitionGraph, node: int, stays: bool, rng: np.random.Generator) -> int:
    leaving = graph.leaving(node)
    if not len(leaving):
        name, _, stop = graph.clip_of(graph.starts[node], graph.stops[node])
        raise Unsatisfiable(f"the graph walk ends after frame {stop - 1} of {name}, a dead end; prune the graph first")
    going_on = leaving[graph.goes_on[leaving]]
    return int(rng.choice(going_on if stays and len(going_on) else leaving))


def _shorten(clips: list[PlacedClip], n_frames: int) -> list[PlacedClip]:
    """The first n_frames of some clips."""
    begins = np.cumsum([0, *(clip.stop - clip.start for clip in clips)])
    if not 0 < n_frames <= begins[-1]:
        raise BadInput(f"{n_frames} frames of a graph walk that plays {begins[-1]}")
    return [
        replace(clip, stop=min(clip.stop, clip.start + n_frames - int(begin)))
        for clip, begin in zip(clips, begins)
        if begin < n_frames
    ]
