"""TransitionGraph: stretches of recordings, and where one can go over into another.

A *match* (i, j) says that frames i and j look alike. It lets one play up to and with frame i and go on with what
follows j, so the edge leads to frame j + 1: time goes on at its pace, and no pose is shown twice. The recording itself
is the match of a frame with itself, at distance 0: frame i goes on with i + 1.
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
    """Nodes are clips of a view, in the order of their frames; edges say what may follow the last frame of each.

    An edge has the placement that puts the recording of its target onto the recording of its source, both as they
    stand in the view; where the recording just goes on it is no move at all.
    """

    starts: np.ndarray  # (N,) int: first frame of each node, in the view's arrays over all frames
    stops: np.ndarray  # (N,) int: the frame after its last
    sources: np.ndarray  # (E,) int: the node that an edge leaves; sorted by source, then by target
    targets: np.ndarray  # (E,) int: the node that it enters
    distances: np.ndarray  # (E,) in `unit`, of the match behind the edge; 0 where the recording goes on
    headings: np.ndarray  # (E,) radians: placement of the target, its turn
    slides: np.ndarray  # (E, 2) metres: and its slide along x and z
    motion_starts: (
        np.ndarray
    )  # (M + 1,) int: motion m of the view has the frames [motion_starts[m], motion_starts[m + 1])
    names: tuple[str, ...]  # (M,) of the motions
    fps: float
    unit: str  # of distances: "m", "rad" or "" for a number without unit
    threshold: float  # no match is farther apart

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
        """(N,) how long each node plays."""
        return (self.stops - self.starts) / self.fps

    @cached_property
    def goes_on(self) -> np.ndarray:
        """(E,) bool: the recording goes on; the other edges are transitions."""
        return self.starts[self.targets] == self.stops[self.sources]

    @cached_property
    def _first_edges(self) -> np.ndarray:
        return np.searchsorted(self.sources, np.arange(self.n_nodes + 1))

    def leaving(self, node: int) -> np.ndarray:
        """(K,) int: the edges that leave a node, by target."""
        return np.arange(self._first_edges[node], self._first_edges[node + 1])

    def placement(self, edge: int) -> Placement:
        """Where an edge puts the recording of its target, as seen from that of its source."""
        return Placement(float(self.headings[edge]), self.slides[edge])

    def clip_of(self, start: int, stop: int) -> tuple[str, int, int]:
        """Frames [start, stop) of the view as a clip: the motion's name and its own frames."""
        motion = int(np.searchsorted(self.motion_starts, start, side="right")) - 1
        first = int(self.motion_starts[motion])
        return self.names[motion], int(start) - first, int(stop) - first

    def describe(self) -> str:
        """One line for people."""
        return (
            f"{self.n_nodes} nodes of {self.seconds.sum():.1f} s from {len(self.names)} motions, "
            f"{int((~self.goes_on).sum())} transitions of up to {self.threshold:.3g} {self.unit}"
        ).rstrip()

    def to_arrays(self) -> dict[str, np.ndarray]:
        """As arrays only, so that it can be kept; `from_arrays` takes them back."""
        about = json.dumps(
            {"names": self.names, "fps": self.fps, "unit": self.unit, "threshold": self.threshold}
        ).encode()
        return {name: getattr(self, name) for name in _ARRAYS} | {"about": np.frombuffer(about, np.uint8)}

    @staticmethod
    def from_arrays(arrays: Mapping[str, np.ndarray]) -> "TransitionGraph":
        """Back from arrays; those that are missing were empty."""
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
    """Pairs of frames that look alike; each pair once."""

    first: np.ndarray  # (P,) int: frames of the view
    second: np.ndarray  # (P,) int
    distances: np.ndarray  # (P,)
    headings: np.ndarray  # (P,) radians: the placement that puts the second onto the first, its turn
    slides: np.ndarray  # (P, 2) metres: and its slide


def connect(
    matches: Matches, motion_starts: np.ndarray, names: tuple[str, ...], fps: float, unit: str, threshold: float
) -> TransitionGraph:
    """Cut recordings where there is a choice, and connect the parts.

    Args:
        matches: the pairs; each is used both ways.
        motion_starts: (M + 1,) int: where the motions begin in the arrays over all frames, and where the last ends.
        names: (M,) of the motions.
        fps: frames per second.
        unit: of the distances.
        threshold: that the matches were found with.
    """
    motion_starts = np.asarray(motion_starts, int)
    frames = np.concatenate([matches.first, matches.second])
    if len(frames) and not 0 <= frames.min() <= frames.max() < motion_starts[-1]:
        raise BadInput(f"matches of frames {frames.min()} to {frames.max()}; there are {motion_starts[-1]}")
    both = _both_ways(matches)
    has_next = ~np.isin(both.second + 1, motion_starts)  # after the last frame of a recording comes nothing
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
    """Keep some nodes and, of the edges between them, some.

    Args:
        graph: to choose from.
        nodes: (N,) bool.
        edges: (E,) bool; an edge that loses a node goes with it.
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
    """Make one node of those between which there is no choice: the only way out of one is the only way into the next.

    The same frames can be played in the same order as before.
    """
    out_degree = np.bincount(graph.sources, minlength=graph.n_nodes)
    in_degree = np.bincount(graph.targets, minlength=graph.n_nodes)
    single = graph.goes_on & (out_degree[graph.sources] == 1) & (in_degree[graph.targets] == 1)  # (E,)
    is_absorbed = np.zeros(graph.n_nodes, bool)
    is_absorbed[graph.targets[single]] = True  # the node before it in time is the node before it in number
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
    """Every match as a way from its first frame and, with the placement taken back, as one from its second."""
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
    wrong = [f"{name} {shapes[name]} instead of {shape}" for name, shape in expected.items() if shapes[name] != shape]
    if wrong:
        raise BadInput(f"a graph of {n} nodes and {e} edges with {', '.join(wrong)}")
    if n == 0:
        raise BadInput("a graph without nodes; give at least one")
    if (graph.starts >= graph.stops).any() or (graph.stops[:-1] > graph.starts[1:]).any():
        raise BadInput("nodes of a graph must have frames, in order and without overlap")
    order = np.lexsort((graph.targets, graph.sources))
    if e and (graph.edges.min() < 0 or graph.edges.max() >= n or (order != np.arange(e)).any()):
        raise BadInput(f"edges of a graph must lead between its {n} nodes, sorted by source and target")
    if len(graph.motion_starts) != len(graph.names) + 1:
        raise BadInput(f"{len(graph.names)} names for {len(graph.motion_starts) - 1} motions")
    if not np.isfinite(graph.distances).all() or (graph.distances < 0).any():
        raise BadInput("distances of a graph must be finite and not negative")
