"""Preparing: a transition graph and pose groups of the takes to choose from."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from motionloom.assembly import choose_material
from motionloom.caching import cached
from motionloom.conform import View, ViewSettings, make_view
from motionloom.corpus import Corpus, TakeFinder
from motionloom.corpus.material import named_only, recordings
from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs import GraphSettings, TransitionGraph, transition_graph_of
from motionloom.graphs.pruning import Pruned
from motionloom.graphs.view_measures import ANGLES, POINTS, MeasureSettings, measure_view_angles
from motionloom.methods.buildup.holding_threshold import find_holding_threshold
from motionloom.methods.buildup.model import Model, arrays_of, groups_of
from motionloom.methods.buildup.poses.group_count import suggest_group_count
from motionloom.methods.buildup.poses.pose_groups import PoseGroups, assign, group_poses
from motionloom.methods.buildup.request import Material, Request, Settings
from motionloom.tasks import Progress

MEASURES: Mapping[str, MeasureSettings] = {"points": POINTS, "angles": ANGLES}
LOOSEST = 2.0  # usual thresholds up to which transitions may hold together takes that would fall apart


def prepare(
    corpus: Corpus,
    material: Material | None = None,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
) -> Model:
    """Connect takes and group their poses; what takes long is cached if the corpus is open for writing.

    Args:
        corpus: with takes.
        material: which takes, at which rate, how connected and grouped; None for all that were recorded.
        settings: of the search.
        progress: called as progress(done, total) while frames are compared.
    """
    material, settings = material or Material(), settings or Settings()
    searched = choose_material(corpus, material.takes)
    begun = [name for name in material.begin if name not in searched]
    rate = ViewSettings(fps=material.fps)
    view = make_view(corpus, searched, rate)
    model = prepare_view(view, material, settings, progress)
    return _with_beginnings(model, make_view(corpus, [*searched, *begun], rate)) if begun else model


def material_of(corpus: Corpus, request: Request) -> Material:
    """The takes that a request chooses from, and those that its characters start from."""
    infos = corpus.infos()
    kept = named_only(infos)
    finder = TakeFinder([info.name for info in recordings(infos)], named_only=kept)
    begin = [finder.find(built.start_from) for built in request.cast if built.start_from is not None]
    begun = tuple(dict.fromkeys(begin))
    return Material(request.takes, request.fps, request.groups, request.measure, request.threshold, begun)


def prepare_view(view: View, material: Material, settings: Settings, progress: Progress | None = None) -> Model:
    """Make a view ready for building up."""
    pruned = _connect(view, graph_settings(material), progress)
    groups = _grouped(view, pruned.graph, material.groups, settings.seed, progress)
    return Model(view, settings, material, pruned.graph, pruned.report, groups)


def graph_settings(material: Material) -> GraphSettings:
    """How the transitions of a model are found."""
    is_as_asked = material.threshold is not None or material.measure == "angles"  # by whoever asks, or by the paper
    loosest = 1.0 if is_as_asked else LOOSEST
    return GraphSettings(measure=MEASURES[material.measure], threshold=material.threshold, loosest=loosest)


def _connect(view: View, settings: GraphSettings, progress: Progress | None) -> Pruned:
    longest = int(np.diff(view.starts).max())
    if longest < POINTS.window:
        has = f"the longest take has {longest} at {view.fps:g} frames per second"
        raise BadInput(
            f"poses are compared over {POINTS.window} frames, but {has}; choose longer takes, or import some"
        )
    try:
        return transition_graph_of(view, settings, progress=progress)
    except Unsatisfiable as error:
        found = find_holding_threshold(view, settings)
        way = f"a threshold of {found:.3g} holds them together" if found else "no threshold does; choose other takes"
        tried = str(error).partition(": ")[0]  # "2 matches at 0.09 m"
        raise Unsatisfiable(f"the takes cannot be connected: {tried} lead nowhere back; {way}") from error


def _grouped(
    view: View, graph: TransitionGraph, n_groups: int | None, seed: int, progress: Progress | None
) -> PoseGroups:
    """Pose groups, from the corpus where they were found before."""
    about = {"groups": n_groups, "seed": seed, "graph": graph_digest(graph)}
    return groups_of(view.model(_group, about, view, graph, n_groups, seed, progress))


@cached("pose groups")
def _group(
    view: View,
    graph: TransitionGraph,
    n_groups: int | None,
    seed: int,
    progress: Callable[[int, int], None] | None,
) -> dict[str, np.ndarray]:
    """Group the frames that are in the graph, because others cannot be asked for; all get the group that is nearest."""
    measure = measure_view_angles(view)
    played = np.concatenate([np.arange(a, b) for a, b in zip(graph.starts, graph.stops)])
    chosen, rng = measure.chosen(played), np.random.default_rng(seed)
    if n_groups is None:
        n_groups = suggest_group_count(measure, view.fps, rng)
        n_groups = min(n_groups, len(played))
    elif n_groups > len(played):
        raise BadInput(f"{n_groups} pose groups, but {len(played)} frames can be reached; ask for at most so many")
    found = group_poses(chosen, n_groups, rng, progress=progress)
    centres = played[found.centres]
    groups = assign(measure, centres)
    groups[played] = found.of_frame
    return arrays_of(PoseGroups(centres, groups, found.errors, found.is_settled))


def graph_digest(graph: TransitionGraph) -> str:
    """The same for graphs of the same nodes and edges."""
    import hashlib

    digest = hashlib.sha256()
    for name, array in sorted(graph.to_arrays().items()):
        digest.update(name.encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]


def _with_beginnings(model: Model, view: View) -> Model:
    """The same model with more takes in its view, which motions start from and nothing else plays."""
    shift = np.concatenate([np.arange(*view.range_of(name)) for name in model.view.names])  # (N,) old frame to new
    graph = model.graph
    order = np.argsort(shift[graph.starts], kind="stable")
    rank = np.empty(len(order), int)
    rank[order] = np.arange(len(order))
    sources, targets = rank[graph.sources], rank[graph.targets]
    edges = np.lexsort((targets, sources))
    moved = replace(
        graph,
        starts=shift[graph.starts][order],
        stops=(shift[graph.stops - 1] + 1)[order],
        sources=sources[edges],
        targets=targets[edges],
        distances=graph.distances[edges],
        headings=graph.headings[edges],
        slides=graph.slides[edges],
        motion_starts=view.starts,
        names=view.names,
    )
    centres = shift[model.groups.centres]
    groups = assign(measure_view_angles(view), np.sort(centres))
    by_centre = np.argsort(np.argsort(centres)).astype(np.int32)
    groups[shift] = by_centre[model.groups.of_frame]
    grouped = replace(model.groups, centres=np.sort(centres), of_frame=groups)
    return replace(model, view=view, graph=moved, groups=grouped)
