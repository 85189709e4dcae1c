"""Statistics of a hub graph: how much choice there is, how soon any action follows any other, how well it turns."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from motionloom.methods.snap.graph.clip_controls import measure_controls, wrap
from motionloom.methods.snap.graph.hub_graph import HubGraph


@dataclass(frozen=True)
class Branching:
    """How many clips leave a hub."""

    mean: float
    least: int
    most: int


@dataclass(frozen=True)
class Waiting:
    """Seconds from the end of a clip of one action until a clip of another begins, by the shortest graph walk."""

    mean: float
    worst: float
    worst_from: str
    worst_to: str
    pairs: int  # of actions that were compared
    without_a_way: int  # of these


@dataclass(frozen=True)
class TurnCoverage:
    """Which way one stands after leaving a hub, compared with before; degrees, positive to the left."""

    hub: str
    one_clip: tuple[float, ...]  # sorted, as the body turns: 190 to the left is not 170 to the right
    two_clips: tuple[float, ...]  # sorted, from -180 to 180
    largest_gap: float  # of all headings round the circle, those that one clip does not come near
    largest_gap_two: float  # the same with two clips

    @property
    def range(self) -> tuple[float, float]:
        """The sharpest turns to the right and to the left with one clip."""
        return (self.one_clip[0], self.one_clip[-1]) if self.one_clip else (0.0, 0.0)


@dataclass(frozen=True)
class GraphStatistics:
    """What there is to say about a graph in numbers."""

    hubs: int
    clips: int
    seconds: float  # of all clips
    actions: int
    branching: Branching
    waiting: Waiting | None  # None where there is one action, or none
    turns: tuple[TurnCoverage, ...]

    def to_data(self) -> dict[str, Any]:
        """As plain data that JSON can hold."""
        return asdict(self)


def measure_graph(graph: HubGraph) -> GraphStatistics:
    """Measure a hub graph."""
    return GraphStatistics(
        graph.n_hubs,
        len(graph.clips),
        float(graph.seconds.sum()),
        len(graph.actions),
        _branching(graph),
        waiting_times(graph),
        tuple(turn_coverage(graph, hub) for hub in range(graph.n_hubs)),
    )


def describe_statistics(found: GraphStatistics) -> str:
    """A few lines for people to read."""
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
            lines.append(f"{waiting.without_a_way} of {waiting.pairs} pairs of {what}s have no way at all")
    for turn in found.turns:
        low, high = turn.range
        lines.append(
            f"turns at {turn.hub}: {low:+.0f} to {high:+.0f} deg with one clip; largest gap {turn.largest_gap:.0f} "
            f"deg, with two clips {turn.largest_gap_two:.0f} deg"
        )
    return "\n".join(lines)


def times_between(graph: HubGraph) -> np.ndarray:
    """(N, N) seconds of the shortest graph walk from each node to each other; infinite where there is no way."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    n_nodes = len(graph.nodes)
    shortest = np.full((n_nodes, n_nodes), np.inf)
    edges = graph.edges
    np.minimum.at(shortest, (edges[:, 0], edges[:, 1]), graph.seconds)
    rows, columns = np.nonzero(np.isfinite(shortest))
    matrix = csr_array((shortest[rows, columns], (rows, columns)), shape=(n_nodes, n_nodes))
    return dijkstra(matrix)


def waiting_times(graph: HubGraph) -> Waiting | None:
    """How long one waits for any action after any other; without actions every clip is one of its own."""
    named = [(action.name, action.clips) for action in graph.actions]
    named = named or [(clip.name, (number,)) for number, clip in enumerate(graph.clips)]
    if len(named) < 2:
        return None
    between, edges = times_between(graph), graph.edges
    waits = between[edges[:, 1][:, None], edges[:, 0][None]]  # (C, C) from the end of one clip to the begin of another
    soonest = np.stack([waits[:, list(clips)].min(axis=1) for _, clips in named], axis=1)  # (C, A)
    ways: list[tuple[float, float, str, str]] = []
    without = 0
    for one, clips in named:
        for number, (other, _) in enumerate(named):
            own = soonest[list(clips), number]
            if one == other:
                continue
            if np.isinf(own).any():
                without += 1
            else:
                ways.append((float(own.mean()), float(own.max()), one, other))
    if not ways:
        return Waiting(0.0, 0.0, "", "", without, without)
    worst = max(ways, key=lambda way: way[1])
    mean = float(np.mean([way[0] for way in ways]))
    return Waiting(mean, worst[1], worst[2], worst[3], len(ways) + without, without)


def turn_coverage(graph: HubGraph, hub: int) -> TurnCoverage:
    """How clips that leave a hub for another turn, alone and with any that may follow."""
    turn = measure_controls(graph).turn
    ahead = [clip for clip in graph.leaving[hub] if graph.leaving[graph.clips[clip].target]]
    single = turn[ahead]
    double = np.array([turn[one] + turn[other] for one in ahead for other in graph.leaving[graph.clips[one].target]])
    return TurnCoverage(
        graph.nodes[hub].name,
        tuple(np.degrees(np.sort(single)).tolist()),
        tuple(np.degrees(np.sort(wrap(double))).tolist()),
        largest_gap(np.degrees(single)),
        largest_gap(np.degrees(double)),
    )


def largest_gap(angles: Sequence[float] | np.ndarray) -> float:
    """The widest part of the circle, degrees, without any of some angles; 360 for none or one."""
    round_once = np.sort(np.asarray(angles, float) % 360)
    if len(round_once) < 2:
        return 360.0
    return float(np.diff(np.append(round_once, round_once[0] + 360)).max())


def _branching(graph: HubGraph) -> Branching:
    degrees = [len(graph.leaving[hub]) for hub in range(graph.n_hubs)]
    return Branching(float(np.mean(degrees)), min(degrees), max(degrees)) if degrees else Branching(0.0, 0, 0)
