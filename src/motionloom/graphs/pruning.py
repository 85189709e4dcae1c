"""Pruning: removes dead ends and unreachable nodes from a transition graph, with a report."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from motionloom.errors import Unsatisfiable
from motionloom.graphs.components import WHY, Components, find_components, find_reachability
from motionloom.graphs.transition_graph import TransitionGraph, choose_nodes

_LISTED = 3  # parts in a line of a report


@dataclass(frozen=True)
class LeftOut:
    """Frames [start, stop) of a motion that were removed from a graph, and why."""

    name: str
    start: int
    stop: int
    seconds: float
    why: str  # the reachability, of `components`: "dead end", "unreachable", "between" or "apart"


@dataclass(frozen=True)
class PruneReport:
    """What pruning kept and removed."""

    kept_seconds: float
    seconds: float  # of all recordings
    n_components: int  # kept
    n_transitions: int  # kept
    n_transitions_before: int
    left_out: tuple[LeftOut, ...]  # in the order of the recordings
    lost: tuple[str, ...]  # motions of which nothing is left

    def describe(self) -> str:
        """A few lines for users: how much was kept, and the longest parts that were removed for each reason."""
        lines = [
            f"kept {self.kept_seconds:.1f} of {self.seconds:.1f} s ({self.kept_seconds / self.seconds:.0%}) "
            f"and {self.n_transitions} of {self.n_transitions_before} transitions"
            + (f", in {self.n_components} components" if self.n_components > 1 else "")
        ]
        if self.lost:
            lines.append(f"nothing is left of {', '.join(self.lost)}")
        for why in dict.fromkeys(part.why for part in self.left_out):
            parts = [part for part in self.left_out if part.why == why]
            seconds = sum(part.seconds for part in parts)
            lines.append(f"{seconds:.1f} s {WHY[why]}: {_longest(parts)}")
        return "\n".join(lines)

    def to_data(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> "PruneReport":
        """The inverse of `to_data`."""
        left_out = tuple(LeftOut(**part) for part in data["left_out"])
        return PruneReport(**{**data, "left_out": left_out, "lost": tuple(data["lost"])})


@dataclass(frozen=True, eq=False)
class Pruned:
    """A graph without dead ends, and the report."""

    graph: TransitionGraph
    report: PruneReport


def prune(graph: TransitionGraph, min_seconds: float | None = None) -> Pruned:
    """Keep the largest strongly connected component, by seconds, or all that are large enough.

    Args:
        graph: to prune.
        min_seconds: keep every component at least this long, without the one-way transitions between them; None for
            the largest only.
    """
    found = find_components(graph.n_nodes, graph.edges, graph.seconds)
    kept = _components_to_keep(found, min_seconds)
    nodes = np.isin(found.numbers, kept)  # (N,)
    inside = found.numbers[graph.sources] == found.numbers[graph.targets]  # (E,)
    pruned = choose_nodes(graph, nodes, inside)
    left_out = _list_left_out(graph, nodes)
    report = PruneReport(
        kept_seconds=float(pruned.seconds.sum()),
        seconds=float(graph.seconds.sum()),
        n_components=len(kept),
        n_transitions=int((~pruned.goes_on).sum()),
        n_transitions_before=int((~graph.goes_on).sum()),
        left_out=left_out,
        lost=_list_lost(graph, nodes),
    )
    return Pruned(pruned, report)


def _longest(parts: list[LeftOut]) -> str:
    """The longest of some parts, and the number of the others."""
    ordered = sorted(parts, key=lambda part: (-part.seconds, part.name, part.start))
    named = [f"{part.name} [{part.start}, {part.stop})" for part in ordered[:_LISTED]]
    more = len(ordered) - len(named)
    return ", ".join(named) + (f" and {more} shorter parts" if more else "")


def _components_to_keep(found: Components, min_seconds: float | None) -> np.ndarray:
    endless = np.flatnonzero(found.is_cyclic)
    if not len(endless):
        raise Unsatisfiable(
            "the graph has no cycle, so every graph walk ends; allow a larger distance, or add recordings with "
            "recurring poses"
        )
    if min_seconds is None:
        return endless[:1]
    large = endless[found.weights[endless] >= min_seconds]
    if not len(large):
        raise Unsatisfiable(
            f"no strongly connected component is {min_seconds:g} s long; the largest has {found.weights[0]:.1f} s, "
            "allow shorter ones"
        )
    return large


def _list_left_out(graph: TransitionGraph, kept: np.ndarray) -> tuple[LeftOut, ...]:
    """The removed parts; adjacent ones with the same reason are merged."""
    reachability = find_reachability(graph.n_nodes, graph.edges, kept)
    parts: list[tuple[int, int, str]] = []
    for node in np.flatnonzero(~kept):
        start, stop, why = int(graph.starts[node]), int(graph.stops[node]), reachability[node]
        goes_on = parts and parts[-1][1:] == (start, why) and start not in graph.motion_starts
        parts[-1:] = [(parts[-1][0], stop, why)] if goes_on else [*parts[-1:], (start, stop, why)]
    return tuple(LeftOut(*graph.clip_of(a, b), (b - a) / graph.fps, why) for a, b, why in parts)


def _list_lost(graph: TransitionGraph, kept: np.ndarray) -> tuple[str, ...]:
    motions = np.searchsorted(graph.motion_starts, graph.starts, side="right") - 1
    return tuple(graph.names[i] for i in np.setdiff1d(motions, motions[kept]))
