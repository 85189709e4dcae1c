"""Preparing: from a corpus and an authored graph to clips that only have to be played."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np

from motionloom.assembly import Timing, choose_material
from motionloom.caching import cached
from motionloom.conform import View, ViewSettings, describe_left_out, make_view
from motionloom.corpus import Corpus
from motionloom.methods.snap.author.clip_names import name_graph
from motionloom.methods.snap.author.compared_view import ComparedView, compare_view
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.snap.author.hub_resolution import require_hubs, resolve_hubs
from motionloom.methods.snap.author.match_sets import AcceptedSet
from motionloom.methods.snap.builder.build_report import BuildReport
from motionloom.methods.snap.builder.connectivity import inspect_graph, propose_fixes, remove_loose
from motionloom.methods.snap.builder.hub_graph_builder import BuildSettings, build
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.model import GraphReport, Model, build_report_of
from motionloom.methods.snap.request import Request, Settings
from motionloom.tasks import Progress

KEPT = 8  # graphs of a corpus; the oldest goes


def prepare(
    corpus: Corpus,
    material: GraphRequest | None = None,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
) -> Model:
    """Build a hub graph; what takes long is cached if the corpus is open for writing.

    Args:
        corpus: with takes.
        material: the graph as it was authored; None for one hub, the largest match set of all recordings.
        settings: how graphs are built.
        progress: called as progress(done, total) in every step.
    """
    material = material or GraphRequest()
    clock = _Clock()
    view = view_for(corpus, material, progress)
    clock.stop("reading takes")
    compared = compare_view(view, progress)
    clock.stop("comparing frames")
    return prepare_compared(compared, settings, material, progress=progress, timings=clock.timings)


def material_of(corpus: Corpus, request: Request) -> GraphRequest:
    """The graph that a request walks through."""
    return request.graph or GraphRequest()


def view_for(corpus: Corpus, request: GraphRequest, progress: Progress | None = None) -> View:
    """The takes that a graph is made from."""
    return make_view(corpus, choose_material(corpus, request.takes), ViewSettings(fps=request.fps), progress=progress)


def prepare_compared(
    compared: ComparedView,
    settings: Settings | None,
    request: GraphRequest,
    *,
    progress: Progress | None = None,
    timings: Sequence[Timing] = (),
) -> Model:
    """As `prepare`, of takes that were compared before."""
    settings = settings or Settings()
    view, clock = compared.view, _Clock()
    resolved = resolve_hubs(compared, request)
    hubs = require_hubs(resolved)
    clock.stop("finding match sets")
    whole, built = _built(view, hubs, BuildSettings(w_min=request.w_min, bend=settings.bend), progress)
    clock.stop("building")
    connectivity = inspect_graph(whole)
    is_mended = request.mend == "remove" and connectivity.loose_clips > 0
    graph = name_graph(remove_loose(whole) if is_mended else whole, view, request.actions)
    fixes = propose_fixes(compared, request, resolved, whole) if connectivity.loose else []
    clock.stop("naming and connectivity")
    notes = [
        *describe_left_out(view.left_out),
        *built.notes,
        *_left_out(built),
        *(f"{'left out' if is_mended else 'kept'}: {sentence}" for sentence in connectivity.sentences()),
    ]
    report = GraphReport(built, connectivity, is_mended, tuple(fixes), (*timings, *clock.timings), tuple(notes))
    return Model(view, settings, graph, request, report)


def _built(
    view: View, hubs: Sequence[AcceptedSet], settings: BuildSettings, progress: Progress | None
) -> tuple[HubGraph, BuildReport]:
    """The graph of some match sets, from the corpus where it was built before."""
    named = {
        "hubs": [[hub.name, hub.frames.tolist()] for hub in hubs],
        "takes": view.names,
    }  # the graph has their names
    settled = {**named, "settings": asdict(settings)}
    arrays = view.model(_build_arrays, settled, view, hubs, settings, progress)
    report = build_report_of(json.loads(bytes(np.asarray(arrays["report"]))))
    return HubGraph.from_arrays(arrays, view.skeleton), report


@cached("hub graph", at_most=KEPT)
def _build_arrays(
    view: View, hubs: Sequence[AcceptedSet], settings: BuildSettings, progress: Progress | None
) -> dict[str, np.ndarray]:
    made = build(view, hubs, settings, progress=progress)
    report = json.dumps(asdict(made.report)).encode()
    return {**made.graph.to_arrays(), "report": np.frombuffer(report, np.uint8)}


def _left_out(built: BuildReport) -> list[str]:
    """A sentence about match frames that the build left out."""
    count = len(built.dropped)
    if not count:
        return []
    return [f"left out: {count} match frame{'s' * (count != 1)} at which joins would be rougher than the takes are"]


class _Clock:
    """Measures one step after another."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now, self.last = now, now()
        self.timings: list[Timing] = []

    def stop(self, step: str) -> None:
        """A step has ended."""
        then, self.last = self.last, self.now()
        self.timings.append(Timing(step, self.last - then))
