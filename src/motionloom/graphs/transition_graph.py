"""TransitionGraph: a motion graph, whose nodes are clips of recordings and whose edges are transitions between them.

A *match* (i, j) is a pair of similar frames. It allows to play up to and including frame i and continue with what
follows j, so the edge leads to frame j + 1: the frame rate is constant, and no pose is repeated. The continuation of a
recording is the match of a frame with itself, at distance 0: frame i is followed by i + 1.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Placement
from motionloom.motion.placement import turn_ground

_ARRAYS = ("starts", "stops", "sources", "targets", "distances", "headings", "slides", "motion_starts")
_INTEGERS = ("starts", "stops", "sources", "targets", "motion_starts")


@dataclass(frozen=True, eq=False)
class TransitionGraph:
    """Nodes are clips of a view, sorted by frame; edges lead to the clips that may follow the last frame of each.

    An edge has the placement that moves the recording of its target onto the recording of its source, both as in the
    view; it is the identity if the recording continues.
    """

    starts: np.ndarray  # (N,) int: first frame of each node, in the view's arrays over all frames
    stops: np.ndarray  # (N,) int: the frame after its last
    sources: np.ndarray  # (E,) int: the node that an edge leaves; sorted by source, then by target
    targets: np.ndarray  # (E,) int: the node that it enters
    distances: np.ndarray  # (E,) in `unit`, of the match of the edge; 0 if the recording continues
    headings: np.ndarray  # (E,) radians: placement of the target, its turn
    slides: np.ndarray  # (E, 2) metres: and its slide along x and z
    motion_starts: (
        np.ndarray
    )  # (M + 1,) int: motion m of the view has the frames [motion_starts[m], motion_starts[m + 1])
    names: tuple[str, ...]  # (M,) of the motions
    fps: float
    unit: str  # of distances: "m", "rad" or "" for a number without unit
    threshold: float  # maximum distance of matches, but for those that hold together what would fall apart

    def __post_init__(self) -> None:
        for name in _ARRAYS:
            array = np.array(getattr(self, name), int if name in _INTEGERS else float)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        _check(self)

    @property
    def n_nodes(self) -> int:
        return len(self.starts)

    @property
    def n_edges(self) -> int:
        return len(self.sources)

    @property
    def edges(self) -> np.ndarray:
        """(E, 2) int: from, to."""
        return np.stack([self.sources, self.targets], axis=1)

    @property
    def seconds(self) -> np.ndarray:
        """(N,) duration of each node."""
        return (self.stops - self.starts) / self.fps

    @cached_property
    def goes_on(self) -> np.ndarray:
        """(E,) bool: the recording continues; the other edges are transitions."""
        return self.starts[self.targets] == self.stops[self.sources]

    @property
    def loosest(self) -> float:
        """The threshold, or the largest distance where looser transitions hold together what would fall apart."""
        return max(self.threshold, float(self.distances.max(initial=0.0)))

    @cached_property
    def _first_edges(self) -> np.ndarray:
        return np.searchsorted(self.sources, np.arange(self.n_nodes + 1))

    def leaving(self, node: int) -> np.ndarray:
        """(K,) int: the edges that leave a node, sorted by target."""
        return np.arange(self._first_edges[node], self._first_edges[node + 1])

    def placement(self, edge: int) -> Placement:
        """The placement of the recording of an edge's target, relative to that of its source."""
        return Placement(float(self.headings[edge]), self.slides[edge])

    def clip_of(self, start: int, stop: int) -> tuple[str, int, int]:
        """Frames [start, stop) of the view as a clip: the motion's name and its own frames."""
        motion = int(np.searchsorted(self.motion_starts, start, side="right")) - 1
        first = int(self.motion_starts[motion])
        return self.names[motion], int(start) - first, int(stop) - first

    def describe(self) -> str:
        """One line for users."""
        n_looser = int((self.distances > self.threshold).sum())
        looser = f", {n_looser} of them beyond {self.threshold:.3g}, where takes would fall apart" if n_looser else ""
        return (
            f"{self.n_nodes} nodes of {self.seconds.sum():.1f} s from {len(self.names)} motions, "
            f"{int((~self.goes_on).sum())} transitions of up to {self.loosest:.3g} {self.unit}"
        ).rstrip() + looser

    def to_arrays(self) -> dict[str, np.ndarray]:
        """As arrays, to be cached; `from_arrays` is the inverse."""
        about = json.dumps(
            {"names": self.names, "fps": self.fps, "unit": self.unit, "threshold": self.threshold}
        ).encode()
        return {name: getattr(self, name) for name in _ARRAYS} | {"about": np.frombuffer(about, np.uint8)}

    @staticmethod
    def from_arrays(arrays: Mapping[str, np.ndarray]) -> "TransitionGraph":
        """The inverse of `to_arrays`; missing arrays are empty."""
        about = json.loads(np.asarray(arrays["about"]).tobytes())
        empty = {name: np.zeros((0, 2) if name == "slides" else 0) for name in _ARRAYS}
        return TransitionGraph(
            **{name: arrays.get(name, empty[name]) for name in _ARRAYS},
            names=tuple(about["names"]),
            fps=about["fps"],
            unit=about["unit"],
            threshold=about["threshold"],
        )


@dataclass(frozen=True, eq=False)
class Matches:
    """Pairs of similar frames; each pair once."""

    first: np.ndarray  # (P,) int: frames of the view
    second: np.ndarray  # (P,) int
    distances: np.ndarray  # (P,)
    headings: np.ndarray  # (P,) radians: the placement that moves the second onto the first, its turn
    slides: np.ndarray  # (P, 2) metres: and its slide

    def chosen(self, which: np.ndarray) -> "Matches":
        """Some of them: (P,) bool, or their numbers."""
        return Matches(*(getattr(self, each.name)[which] for each in fields(self)))


def connect(
    matches: Matches, motion_starts: np.ndarray, names: tuple[str, ...], fps: float, unit: str, threshold: float
) -> TransitionGraph:
    """Cut recordings at matches, and connect the clips.

    Args:
        matches: the pairs; each is used in both directions.
        motion_starts: (M + 1,) int: offsets of the motions in the arrays over all frames, and the total.
        names: (M,) of the motions.
        fps: frames per second.
        unit: of the distances.
        threshold: that the matches were found with.
    """
    motion_starts = np.asarray(motion_starts, int)
    frames = np.concatenate([matches.first, matches.second])
    if len(frames) and not 0 <= frames.min() <= frames.max() < motion_starts[-1]:
        raise BadInput(
            f"frames {frames.min()} to {frames.max()} of matches are out of range: there are {motion_starts[-1]} frames"
        )
    both = _both_ways(matches)
    has_next = ~np.isin(both.second + 1, motion_starts)  # the last frame of a recording has no successor
    both = _choose(both, np.flatnonzero(has_next))
    bounds = np.unique(np.concatenate([motion_starts, both.first + 1, both.second + 1]))
    starts, stops = bounds[:-1], bounds[1:]
    going_on = np.flatnonzero(~np.isin(stops, motion_starts))
    sources = np.concatenate([going_on, np.searchsorted(stops, both.first + 1)])
    targets = np.concatenate([going_on + 1, np.searchsorted(starts, both.second + 1)])
    still = np.zeros(len(going_on))
    order = np.lexsort((targets, sources))
    return TransitionGraph(
        starts,
        stops,
        sources[order],
        targets[order],
        np.concatenate([still, both.distances])[order],
        np.concatenate([still, both.headings])[order],
        np.concatenate([np.zeros((len(going_on), 2)), both.slides])[order],
        motion_starts,
        names,
        fps,
        unit,
        threshold,
    )


def choose_nodes(graph: TransitionGraph, nodes: np.ndarray, edges: np.ndarray) -> TransitionGraph:
    """The subgraph of some nodes and, of the edges between them, some.

    Args:
        graph: to choose from.
        nodes: (N,) bool.
        edges: (E,) bool; edges of removed nodes are removed too.
    """
    number = np.cumsum(nodes) - 1
    kept = edges & nodes[graph.sources] & nodes[graph.targets]
    return replace(
        graph,
        starts=graph.starts[nodes],
        stops=graph.stops[nodes],
        sources=number[graph.sources[kept]],
        targets=number[graph.targets[kept]],
        distances=graph.distances[kept],
        headings=graph.headings[kept],
        slides=graph.slides[kept],
    )


def merge_chains(graph: TransitionGraph) -> TransitionGraph:
    """Merge chains of nodes without branches: the only edge out of one is the only edge into the next.

    The graph plays the same sequences of frames as before.
    """
    out_degree = np.bincount(graph.sources, minlength=graph.n_nodes)
    in_degree = np.bincount(graph.targets, minlength=graph.n_nodes)
    single = graph.goes_on & (out_degree[graph.sources] == 1) & (in_degree[graph.targets] == 1)  # (E,)
    is_absorbed = np.zeros(graph.n_nodes, bool)
    is_absorbed[graph.targets[single]] = True  # into the previous node, which has the previous number
    group = np.cumsum(~is_absorbed) - 1  # (N,) number of the merged node
    last = np.append(np.flatnonzero(~is_absorbed)[1:], graph.n_nodes) - 1
    return replace(
        graph,
        starts=graph.starts[~is_absorbed],
        stops=graph.stops[last],
        sources=group[graph.sources[~single]],
        targets=group[graph.targets[~single]],
        distances=graph.distances[~single],
        headings=graph.headings[~single],
        slides=graph.slides[~single],
    )


def _both_ways(matches: Matches) -> Matches:
    """Every match in both directions; the second with the inverse placement."""
    back = turn_ground(-matches.slides, -matches.headings)
    both = Matches(
        np.concatenate([matches.first, matches.second]),
        np.concatenate([matches.second, matches.first]),
        np.concatenate([matches.distances, matches.distances]),
        np.concatenate([matches.headings, -matches.headings]),
        np.concatenate([matches.slides, back]),
    )
    _, chosen = np.unique(np.stack([both.first, both.second], axis=1), axis=0, return_index=True)
    return _choose(both, chosen[both.first[chosen] != both.second[chosen]])


def _choose(matches: Matches, chosen: np.ndarray) -> Matches:
    return Matches(*(getattr(matches, field.name)[chosen] for field in fields(matches)))


def _check(graph: TransitionGraph) -> None:
    n, e = len(graph.starts), len(graph.sources)
    shapes = {name: getattr(graph, name).shape for name in _ARRAYS}
    expected = {"stops": (n,), "targets": (e,), "distances": (e,), "headings": (e,), "slides": (e, 2)}
    wrong = [f"{name} {shapes[name]}, expected {shape}" for name, shape in expected.items() if shapes[name] != shape]
    if wrong:
        raise BadInput(f"arrays of a graph of {n} nodes and {e} edges have wrong shapes: {'; '.join(wrong)}")
    if n == 0:
        raise BadInput("the graph has no nodes; give at least one")
    if (graph.starts >= graph.stops).any() or (graph.stops[:-1] > graph.starts[1:]).any():
        raise BadInput("nodes of a graph must have at least one frame each, sorted and without overlap")
    order = np.lexsort((graph.targets, graph.sources))
    if e and (graph.edges.min() < 0 or graph.edges.max() >= n or (order != np.arange(e)).any()):
        raise BadInput(f"edges of a graph must connect its {n} nodes, sorted by source and target")
    if len(graph.motion_starts) != len(graph.names) + 1:
        raise BadInput(f"{len(graph.names)} names for {len(graph.motion_starts) - 1} motions")
    if not np.isfinite(graph.distances).all() or (graph.distances < 0).any():
        raise BadInput("distances of a graph must be finite and not negative")
