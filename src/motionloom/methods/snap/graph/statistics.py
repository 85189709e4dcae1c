"""Statistics of a hub graph: branching factor, waiting times between actions, and coverage of turns."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from motionloom.methods.snap.graph.clip_controls import measure_controls
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.motion.angles import wrap_outside

MOST_PAIRS = 200_000  # pairs of clips of a hub whose turns are all listed; of more, each hundredth of a degree once


@dataclass(frozen=True)
class Branching:
    """The branching factor: how many clips leave a hub."""

    mean: float
    least: int
    most: int


@dataclass(frozen=True)
class Waiting:
    """Seconds from the end of a clip of one action to the start of a clip of another, by the shortest graph walk."""

    mean: float
    worst: float
    worst_from: str
    worst_to: str
    pairs: int  # of actions
    without_a_way: int  # pairs without a graph walk from the first to the second


@dataclass(frozen=True)
class TurnCoverage:
    """Turns that clips make from a hub, in degrees; positive to the left."""

    hub: str
    one_clip: tuple[float, ...]  # sorted, unwrapped: 190 to the left is not 170 to the right
    two_clips: tuple[float, ...]  # sorted, wrapped to -180 to 180
    largest_gap: float  # widest range of headings that no single clip turns to
    largest_gap_two: float  # the same for two clips in a row

    @property
    def range(self) -> tuple[float, float]:
        """The sharpest turns of one clip to the right and to the left."""
        return (self.one_clip[0], self.one_clip[-1]) if self.one_clip else (0.0, 0.0)


@dataclass(frozen=True)
class GraphStatistics:
    """Statistics of a graph."""

    hubs: int
    clips: int
    seconds: float  # of all clips
    actions: int
    branching: Branching
    waiting: Waiting | None  # None with fewer than two actions
    turns: tuple[TurnCoverage, ...]

    def to_data(self) -> dict[str, Any]:
        """As plain data that JSON can hold."""
        return asdict(self)


def measure_graph(graph: HubGraph) -> GraphStatistics:
    """Compute the statistics of a hub graph."""
    turns = measure_controls(graph).turn
    return GraphStatistics(
        graph.n_hubs,
        len(graph.clips),
        float(graph.seconds.sum()),
        len(graph.actions),
        _branching(graph),
        waiting_times(graph),
        tuple(turn_coverage(graph, hub, turns) for hub in range(graph.n_hubs)),
    )


def describe_statistics(found: GraphStatistics) -> str:
    """The statistics as a few lines of text."""
    branching, waiting = found.branching, found.waiting
    lines = [
        f"{found.hubs} hub{'s' * (found.hubs != 1)}, {found.clips} clip{'s' * (found.clips != 1)}, "
        f"{found.seconds:.1f} s",
        f"clips to choose from at a hub: {branching.mean:.1f} on average, {branching.least} to {branching.most}",
    ]
    if waiting is not None:
        what = "action" if found.actions else "clip"
        lines.append(
            f"from any {what} to any other: {waiting.mean:.2f} s on average, {waiting.worst:.2f} s at worst "
            f"(from {waiting.worst_from} to {waiting.worst_to})"
        )
        if waiting.without_a_way:
            lines.append(f"{waiting.without_a_way} of {waiting.pairs} pairs of {what}s have no graph walk between them")
    for turn in found.turns:
        low, high = turn.range
        lines.append(
            f"turns at {turn.hub}: {low:+.0f} to {high:+.0f} deg with one clip; largest gap {turn.largest_gap:.0f} "
            f"deg, with two clips {turn.largest_gap_two:.0f} deg"
        )
    return "\n".join(lines)


def times_between(graph: HubGraph) -> np.ndarray:
    """(N, N) seconds of the shortest graph walk between all nodes; infinite where there is none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    n_nodes, edges, seconds = len(graph.nodes), graph.edges, graph.seconds
    ordered = np.lexsort((seconds, edges[:, 1], edges[:, 0]))  # the shortest of the clips between two nodes first
    is_first = np.any(np.diff(edges[ordered], axis=0, prepend=-1) != 0, axis=1)
    shortest = ordered[is_first]
    matrix = csr_array((seconds[shortest], (edges[shortest, 0], edges[shortest, 1])), shape=(n_nodes, n_nodes))
    return dijkstra(matrix)


def waiting_times(graph: HubGraph) -> Waiting | None:
    """Waiting times between all pairs of actions; without actions, every clip counts as an action."""
    named = [(action.name, list(action.clips)) for action in graph.actions if action.clips]
    named = named or [(clip.name, [number]) for number, clip in enumerate(graph.clips)]
    if len(named) < 2:
        return None
    between, edges = times_between(graph), graph.edges
    soonest = np.empty((len(graph.nodes), len(named)))  # (N, A) seconds to the start of each action
    for number, (_, clips) in enumerate(named):
        soonest[:, number] = between[:, edges[clips, 0]].min(axis=1)
    names = np.array([name for name, _ in named])
    total, pairs, without, worst = 0.0, 0, 0, (-np.inf, "", "")
    for source, clips in named:
        own = soonest[edges[clips, 1]]  # (K, A) from the end of each clip
        is_other, has_way = names != source, np.isfinite(own).all(axis=0)
        others = np.flatnonzero(is_other & has_way)
        pairs += int(is_other.sum())
        without += int(is_other.sum()) - len(others)
        if not len(others):
            continue
        longest = own[:, others].max(axis=0)
        total += float(own[:, others].mean(axis=0).sum())
        if longest.max() > worst[0]:
            worst = (float(longest.max()), source, named[others[longest.argmax()]][0])
    if pairs == without:
        return Waiting(0.0, 0.0, "", "", without, without)
    return Waiting(total / (pairs - without), *worst, pairs, without)


def turn_coverage(graph: HubGraph, hub: int, turns: np.ndarray | None = None) -> TurnCoverage:
    """The turns of clips that lead from a hub to another, alone and with each clip that can follow.

    Args:
        graph: of the hub.
        hub: its node.
        turns: (C,) radians, of all clips, if they are measured already.
    """
    turn = measure_controls(graph).turn if turns is None else turns
    ahead = [clip for clip in graph.leaving[hub] if graph.leaving[graph.clips[clip].target]]
    single = turn[ahead]
    double = _turns_of_pairs(graph, ahead, turn)
    return TurnCoverage(
        graph.nodes[hub].name,
        tuple(np.degrees(np.sort(single)).tolist()),
        tuple(np.sort(double).tolist()),
        largest_gap(np.degrees(single)),
        largest_gap(double),
    )


def _turns_of_pairs(graph: HubGraph, ahead: Sequence[int], turn: np.ndarray) -> np.ndarray:
    """The turns of clips with each clip that can follow, degrees, wrapped; of very many, each hundredth once."""
    following = [list(graph.leaving[graph.clips[clip].target]) for clip in ahead]
    sums = (np.degrees(wrap_outside(turn[clip] + turn[after])) for clip, after in zip(ahead, following))
    if sum(map(len, following)) <= MOST_PAIRS:
        return np.concatenate([*sums, np.zeros(0)])
    is_found = np.zeros(36_001, bool)  # by hundredths of a degree from -180
    for wrapped in sums:
        is_found[np.rint(100 * wrapped).astype(int) + 18_000] = True
    return (np.flatnonzero(is_found) - 18_000) / 100


def largest_gap(angles: Sequence[float] | np.ndarray) -> float:
    """The largest gap between neighbouring angles on the circle, degrees; 360 for one angle or none."""
    wrapped = np.sort(np.asarray(angles, float) % 360)
    if len(wrapped) < 2:
        return 360.0
    return float(np.diff(np.append(wrapped, wrapped[0] + 360)).max())


def _branching(graph: HubGraph) -> Branching:
    degrees = [len(graph.leaving[hub]) for hub in range(graph.n_hubs)]
    return Branching(float(np.mean(degrees)), min(degrees), max(degrees)) if degrees else Branching(0.0, 0, 0)
