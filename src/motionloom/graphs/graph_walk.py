"""Graph walks: sequences of nodes and edges of a transition graph, and the clips that they play."""

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
    """Frames [start, stop) of a motion of a view, with their placement."""

    name: str
    start: int
    stop: int
    placement: Placement


def walk_along(graph: TransitionGraph, start: int, edges: np.ndarray) -> GraphWalk:
    """The graph walk from a node along some edges; raises if they are not connected."""
    edges = np.asarray(edges, int)
    if not 0 <= start < graph.n_nodes or (len(edges) and not 0 <= edges.min() <= edges.max() < graph.n_edges):
        raise BadInput(
            f"start node {start} or an edge is out of range: the graph has {graph.n_nodes} nodes and {graph.n_edges} "
            "edges"
        )
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
    """A random graph walk of at least some length.

    Args:
        graph: pruned, so that it has no dead ends.
        seconds: minimum length.
        rng: random number generator.
        start: the first node; None for a random one.
        min_stay: seconds after a transition in which the recording continues if possible.
    """
    if not 0 < seconds < np.inf:
        raise BadInput(f"the length of a graph walk must be finite and above 0 seconds, got {seconds}")
    if start is not None:
        walk_along(graph, start, np.zeros(0, int))  # raises if the node is out of range
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
    """The placed clips that a graph walk plays; consecutive nodes of one recording are merged into one clip.

    Args:
        graph: of the walk.
        walk: to unroll.
        n_frames: number of frames to play; None for all.
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
        raise Unsatisfiable(f"frame {stop - 1} of {name} is a dead end of the graph; prune the graph first")
    going_on = leaving[graph.goes_on[leaving]]
    return int(rng.choice(going_on if stays and len(going_on) else leaving))


def _shorten(clips: list[PlacedClip], n_frames: int) -> list[PlacedClip]:
    """The first n_frames of some clips."""
    begins = np.cumsum([0, *(clip.stop - clip.start for clip in clips)])
    if not 0 < n_frames <= begins[-1]:
        raise BadInput(f"n_frames {n_frames} is out of range: the graph walk has {begins[-1]} frames")
    return [
        replace(clip, stop=min(clip.stop, clip.start + n_frames - int(begin)))
        for clip, begin in zip(clips, begins)
        if begin < n_frames
    ]
