"""The desk that builds hub graphs: a desk of its own, so that looking at distances never waits for it."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.caching import Recent
from motionloom.errors import BadInput
from motionloom.studio.desks.lent_corpus import open_lent
from motionloom.tasks import Task

if TYPE_CHECKING:
    from motionloom.assembly import Result
    from motionloom.methods.snap import Request
    from motionloom.methods.snap.author.compared_view import ComparedView
    from motionloom.methods.snap.author.graph_request import GraphRequest
    from motionloom.methods.snap.model import Model

KEPT = 2  # choices of takes whose distances are remembered
GRAPHS_KEPT = 4  # that walks can be made of


class HubGraphsDesk:
    """Builds what was authored; keeps what is known about the takes."""

    def __init__(self, folder: Path, can_write: bool) -> None:
        self.corpus = open_lent(folder, can_write)
        self._kept: Recent[tuple[str, ...], ComparedView] = Recent(KEPT)
        self._built: Recent[str, Model] = Recent(GRAPHS_KEPT)

    def warm_up(self, task: Task) -> None:
        """Load what building needs."""
        from motionloom.methods.snap import prepare  # noqa: F401
        from motionloom.methods.snap.graph import hubs_file, statistics  # noqa: F401

    def build(self, task: Task, request: dict[str, Any]) -> dict[str, Any]:
        """Build a graph; returns the bytes of its file, their digest and the report for the page.

        Args:
            task: gets progress.
            request: a `GraphRequest` as plain data.
        """
        from motionloom.methods.snap.author.graph_request import GraphRequest
        from motionloom.methods.snap.graph.hubs_file import hubs_bytes
        from motionloom.methods.snap.prepare import prepare_compared

        began = time.perf_counter()
        wanted = GraphRequest.from_data(request)
        compared = self._compare(task, wanted)
        model = prepare_compared(compared, None, wanted, progress=partial(task.progress, note="bending takes"))
        task.check()
        content = hubs_bytes(model.graph)
        digest = hashlib.sha256(content).hexdigest()[:16]
        self._built.put(digest, model)
        return {
            "file": content,
            "digest": digest,
            "seconds": time.perf_counter() - began,
            **_describe(model),
        }

    def walk(self, task: Task, graph: str, clips: Sequence[int], frames: int | None) -> "Result":
        """The result of clips one after another, as pages play them: the graph walk whose steps they are.

        Args:
            task: asked whether to stop.
            graph: the digest of its file.
            clips: numbers of clips; each begins where the one before it ends.
            frames: of the graph, after which it ends; None for all of the last clip too.
        """
        from motionloom.assembly import realize, solve
        from motionloom.methods import snap

        model = self._built.get(graph)
        if model is None:
            raise BadInput("this graph is no longer kept; change something in the Graph workspace to build it again")
        (answer,) = solve(snap, model, _walk_request(model, clips, frames), stop=task.stop)
        return realize(snap, answer, model, stop=task.stop)

    def _compare(self, task: Task, wanted: "GraphRequest") -> "ComparedView":
        """The takes of a graph, compared; those that were compared before are only looked at."""
        from motionloom.methods.snap.author.compared_view import compare_view
        from motionloom.methods.snap.prepare import view_for

        task.progress(0, 0, "reading takes")
        view = view_for(self.corpus, wanted, partial(task.progress, note="takes read"))
        kept = self._kept.get(view.names)
        if kept is None or kept.view.key != view.key:
            kept = compare_view(view, partial(task.progress, note="comparing frames"))
        self._kept.put(view.names, kept)
        return kept


def _walk_request(model: "Model", clips: Sequence[int], frames: int | None) -> "Request":
    """What is asked of a graph to play clips, one after another."""
    from motionloom.methods.snap import Request, Start, Step

    graph = model.graph
    for number in clips:
        if not 0 <= number < len(graph.clips):
            raise BadInput(f"the graph has no clip {number}; it has {len(graph.clips)}")
    taken = [graph.clips[number] for number in clips]
    for one, other in pairwise(taken):
        if one.target != other.source:
            raise BadInput(f"{other.name} cannot follow {one.name}: it leaves another hub than that which this enters")
    whole = sum(clip.n_frames for clip in taken)
    length = f"{whole if frames is None else min(frames, whole)}f"
    steps = tuple(Step(clip=clip.name) for clip in taken[1:])
    return Request(steps=steps, start=Start(clip=taken[0].name), length=length, graph=model.material)


def _describe(model: "Model") -> dict[str, Any]:
    """The report of a graph for the page."""
    from motionloom.methods.snap.graph.statistics import measure_graph

    report, view = model.report, model.view
    built, connectivity = report.build, report.connectivity
    assert connectivity is not None  # it was built just now
    numbers = measure_graph(model.graph)
    gaps = [turns.largest_gap_two for turns in numbers.turns if turns.one_clip]
    ranges = [turns.range for turns in numbers.turns if turns.one_clip]
    fixes: dict[str, list[dict[str, Any]]] = {}
    for fix in report.fixes:
        fixes.setdefault(fix.frame.take, []).append({**asdict(fix.frame), "hub": fix.hub, "distance": fix.distance})
    steps = {name: _step_of(model, name) for name in fixes}
    return {
        "hubs": [asdict(hub) for hub in built.hubs],
        "mean_displacement": built.mean_displacement,
        "worst_displacement": built.worst_displacement,
        "worst_where": built.worst_where,
        "planted_step_mm": built.planted_step_mm,
        "dropped": list(built.dropped),
        "is_mended": report.is_mended,
        "has_loop": connectivity.has_loop,
        "dead_ends": [
            {
                "take": loose.motion,
                "start": loose.start,
                "stop": loose.stop,
                "why": loose.why,
                "seconds": loose.seconds,
                "fix": [
                    fix
                    for fix in fixes.get(loose.motion, [])
                    if loose.start <= fix["frame"] / steps[loose.motion] < loose.stop
                ],
            }
            for loose in connectivity.loose
        ],
        "statistics": {
            "hubs": numbers.hubs,
            "clips": numbers.clips,
            "seconds": numbers.seconds,
            "actions": numbers.actions,
            "branching": numbers.branching.mean,
            "mean_wait": numbers.waiting.mean if numbers.waiting else None,
            "worst_wait": numbers.waiting.worst if numbers.waiting else None,
            "turn_right": min((low for low, _ in ranges), default=None),
            "turn_left": max((high for _, high in ranges), default=None),
            "turn_gap": min(gaps, default=None),
        },
        "notes": list(report.notes),
        "fps": view.fps,
    }


def _step_of(model: "Model", name: str) -> float:
    """Frames of a recording from one frame of the view to the next."""
    start, stop = model.view.range_of(name)
    frames = model.view.source_frames[start:stop]
    return float(frames[1] - frames[0]) if len(frames) > 1 else 1.0
