"""Connectivity: clips outside the largest strongly connected component are reported, removed, or connected.

A clip is connected by an additional match frame.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from motionloom.errors import BadInput
from motionloom.graphs.components import (
    DEAD_END,
    INSIDE,
    UNREACHABLE,
    WHY,
    Components,
    find_components,
    find_reachability,
)
from motionloom.methods.snap.author.compared_view import ComparedView, frame_of_take
from motionloom.methods.snap.author.graph_request import GraphRequest, TakeFrame
from motionloom.methods.snap.author.hub_resolution import ResolvedHub, spacing_of
from motionloom.methods.snap.author.match_sets import free_frames
from motionloom.methods.snap.graph.hub_graph import HubGraph

AS_NEAR = 1.5  # times the distance of the nearest frame: frames within it count as equally near


@dataclass(frozen=True)
class Loose:
    """Consecutive clips of a take outside the largest strongly connected component."""

    motion: str  # of the view
    start: int  # frames [start, stop) of it
    stop: int
    clips: tuple[int, ...]
    reachability: str  # of `graphs.components`
    seconds: float

    @property
    def why(self) -> str:
        """The reason, as a sentence."""
        return WHY[self.reachability]

    def to_data(self) -> dict[str, Any]:
        """As plain data that JSON can hold."""
        data = asdict(self)
        return data | {"role": data.pop("reachability"), "why": self.why}


@dataclass(frozen=True)
class Fix:
    """An additional match frame that connects loose clips."""

    hub: str
    frame: TakeFrame
    distance: float  # metres from the nearest match frame of the hub
    seconds: float  # duration of clips that it connects


@dataclass(frozen=True)
class ConnectivityReport:
    """What is outside the largest strongly connected component of a graph."""

    clips: int
    seconds: float  # of all clips
    loose: tuple[Loose, ...]
    has_loop: bool  # whether the graph has a cycle, so that it can be played endlessly
    hubs_apart: tuple[str, ...]  # hubs outside the component

    @property
    def loose_clips(self) -> int:
        return sum(len(part.clips) for part in self.loose)

    def sentences(self) -> list[str]:
        """The report as sentences."""
        if not self.has_loop:
            return ["the graph has no cycle: no clip leads back to where it began, so it cannot be played endlessly"]
        kinds = {DEAD_END: "between a hub and the end of a take", UNREACHABLE: "between the start of a take and a hub"}
        by_kind = {kind: [part for part in self.loose if part.reachability == kind] for kind in kinds}
        sentences = [_summarize(kinds[kind], own) for kind, own in by_kind.items() if own]
        rest = [part for part in self.loose if part.reachability not in kinds]
        if rest:
            names = sorted({part.motion for part in rest})
            sentences.append(
                _summarize("without a way to the rest", rest) + f": {', '.join(names[:5])}{', ...' * (len(names) > 5)}"
            )
        if self.hubs_apart:
            sentences.append(f"outside the largest strongly connected component: {', '.join(self.hubs_apart)}")
        return sentences


def _summarize(where: str, loose: Sequence[Loose]) -> str:
    """'3 clips (2.5 s) between a hub and the end of a take'."""
    clips, seconds = sum(len(part.clips) for part in loose), sum(part.seconds for part in loose)
    return f"{clips} clip{'s' * (clips != 1)} ({seconds:.1f} s) {where}"


def inspect_graph(graph: HubGraph) -> ConnectivityReport:
    """Find the clips outside the largest strongly connected component of a graph."""
    components = _components(graph)
    inside = _inside(graph, components)
    reachability = _clip_reachability(graph, inside)
    loose: list[Loose] = []
    order = sorted(np.flatnonzero(~inside).tolist(), key=lambda c: (graph.clips[c].motion, graph.clips[c].start))
    for number in order:
        clip, seconds = graph.clips[number], float(graph.seconds[number])
        last = loose[-1] if loose else None
        if (
            last
            and last.motion == clip.motion
            and last.stop == clip.start
            and last.reachability == reachability[number]
        ):
            loose[-1] = replace(last, stop=clip.stop, clips=(*last.clips, number), seconds=last.seconds + seconds)
        else:
            loose.append(Loose(clip.motion, clip.start, clip.stop, (number,), reachability[number], seconds))
    apart = [graph.nodes[n].name for n in range(graph.n_hubs) if components.numbers[n] != 0]
    has_loop = bool(components.is_cyclic[0])
    return ConnectivityReport(len(graph.clips), float(graph.seconds.sum()), tuple(loose), has_loop, tuple(apart))


def remove_loose(graph: HubGraph) -> HubGraph:
    """The largest strongly connected component of a graph.

    Raises:
        BadInput: the graph has no cycle.
    """
    components = _components(graph)
    if not components.is_cyclic[0]:
        raise BadInput(
            "the graph has no cycle: no clip leads back to where it began, so it cannot be played endlessly; give a "
            "hub two match frames in one take, or set `mend: keep`"
        )
    return _without_idle_hubs(graph.keep_clips(np.flatnonzero(_inside(graph, components)).tolist()))


def propose_fixes(
    compared: ComparedView, request: GraphRequest, resolved: Sequence[ResolvedHub], graph: HubGraph
) -> list[Fix]:
    """Propose an additional match frame for every loose part of a take, the nearest first.

    It belongs to a hub of the largest strongly connected component. Among frames about as near as the nearest, the one
    that connects the most is proposed.

    Args:
        compared: the compared view; no frames are compared again.
        request: of the graph; its w_min is used.
        resolved: the hubs that the graph was built from.
        graph: before loose clips were removed.
    """
    view, spacing = compared.view, spacing_of(request)
    report = inspect_graph(graph)
    usable = [hub for hub in resolved if not hub.problem]
    taken = [int(frame) for hub in usable for frame in hub.frames]
    free = free_frames(view.starts, spacing, taken)
    kept = [hub for hub in usable if hub.name not in report.hubs_apart]
    fixes = []
    for loose in report.loose:
        start, _ = view.range_of(loose.motion)
        found = [
            Fix(hub, frame_of_take(view, frame), distance, _gained(loose, frame - start) / view.fps)
            for distance, frame, hub in _near(compared, kept, free, start + loose.start, start + loose.stop)
        ]
        if found:
            near = AS_NEAR * min(fix.distance for fix in found)
            fixes.append(max((fix for fix in found if fix.distance <= near), key=lambda fix: fix.seconds))
    return sorted(fixes, key=lambda fix: fix.distance)


def _gained(loose: Loose, frame: int) -> int:
    """The number of frames of a loose part that a match frame at a frame of its take connects."""
    return frame - loose.start if loose.reachability == DEAD_END else loose.stop - frame


def _without_idle_hubs(graph: HubGraph) -> HubGraph:
    """The graph without hubs that have no clips."""
    used = np.unique(graph.edges)
    number = {int(old): new for new, old in enumerate(used)}
    return replace(
        graph,
        nodes=tuple(graph.nodes[node] for node in used),
        clips=tuple(replace(clip, source=number[clip.source], target=number[clip.target]) for clip in graph.clips),
        hub_frames=graph.hub_frames[used[used < graph.n_hubs]],
    )


def _near(
    compared: ComparedView, hubs: Sequence[ResolvedHub], free: np.ndarray, start: int, stop: int
) -> list[tuple[float, int, str]]:
    """Distance, frame and hub of the free frames in [start, stop) that are alike to match frames of a hub."""
    found: dict[tuple[int, str], float] = {}
    for hub in hubs:
        for match in hub.frames.tolist():
            frames, distances = compared.minima.of(match)
            inside = np.flatnonzero((frames >= start) & (frames < stop) & free[frames])
            for frame, distance in zip(frames[inside].tolist(), distances[inside].tolist()):
                found[frame, hub.name] = min(distance, found.get((frame, hub.name), np.inf))
    return [(distance, frame, hub) for (frame, hub), distance in found.items()]


def _components(graph: HubGraph) -> Components:
    """Strongly connected components, ranked by the total duration of their clips."""
    n_nodes, edges = len(graph.nodes), graph.edges
    numbers = find_components(n_nodes, edges).numbers
    within = numbers[edges[:, 0]] == numbers[edges[:, 1]]
    weights = np.bincount(edges[within, 0], weights=graph.seconds[within], minlength=n_nodes)
    return find_components(n_nodes, edges, weights)


def _inside(graph: HubGraph, components: Components) -> np.ndarray:
    """(C,) bool: clips inside the largest strongly connected component; none if it has no cycle."""
    if not components.is_cyclic[0]:
        return np.zeros(len(graph.clips), bool)
    return (components.numbers[graph.edges] == 0).all(axis=1)


def _clip_reachability(graph: HubGraph, inside: np.ndarray) -> list[str]:
    """The reachability of each clip from and to the clips inside: that of the worse of its two nodes."""
    kept = np.zeros(len(graph.nodes), bool)
    kept[graph.edges[inside].ravel()] = True
    nodes = find_reachability(len(graph.nodes), graph.edges, kept)
    reachability = []
    for clip in graph.clips:
        outside = [kind for kind in (nodes[clip.source], nodes[clip.target]) if kind != INSIDE]
        reachability.append(outside[-1] if outside else INSIDE)
    return reachability
