"""Building the transition graph of a view: match frames, connect, prune, merge."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs.pruning import Pruned, PruneReport, prune
from motionloom.graphs.transition_graph import Matches, TransitionGraph, connect, merge_chains
from motionloom.graphs.view_measures import POINTS, MeasureSettings, measure_view, measure_view_points, plain_settings
from motionloom.similarity.alignment import align_clouds
from motionloom.similarity.measure import Measure
from motionloom.similarity.minima import MinimaSettings, find_minima
from motionloom.similarity.point_cloud import PointClouds, PointSettings
from motionloom.similarity.thresholds import default_threshold

ALIGNED_AT_A_TIME = 4096  # pairs whose windows are in memory together


@dataclass(frozen=True)
class GraphSettings:
    """What makes a transition, and what is kept of the graph."""

    measure: MeasureSettings = POINTS  # what frames are compared by
    threshold: float | None = None  # largest distance, in the unit of the measure; None for `default_threshold`
    apart: float = 0.1  # seconds: of matches nearer than this in both recordings only the best stays
    own: float = 0.35  # seconds: a recording does not go over into itself so near in time
    min_component: float | None = None  # seconds: keep all components at least this long; None for the largest alone


DEFAULT = GraphSettings()


def transition_graph_of(
    view: View, settings: GraphSettings = DEFAULT, *, progress: Callable[[int, int], None] | None = None
) -> Pruned:
    """The transition graph of a view without dead ends, and what was left out: a model of it, kept in the corpus.

    Args:
        view: whose motions are connected.
        settings: what makes a transition.
        progress: called with how much of the comparing is done, and of how much.
    """
    kind = type(settings.measure).__name__
    made_with = {**plain_settings(settings), "measure": [kind, plain_settings(settings.measure)]}
    arrays = view.model(_build_arrays, made_with, view, settings, progress)
    return Pruned(TransitionGraph.from_arrays(arrays), PruneReport.from_data(json.loads(arrays["report"].tobytes())))


def build(view: View, settings: GraphSettings = DEFAULT, progress: Callable[[int, int], None] | None = None) -> Pruned:
    """Match the frames of a view, connect its motions, prune dead ends, merge what leaves no choice."""
    measure = measure_view(view, settings.measure)
    threshold = default_threshold(measure, view.fps) if settings.threshold is None else settings.threshold
    matches = find_matches(view, measure, threshold, settings, progress)
    graph = connect(matches, view.starts, view.names, view.fps, measure.unit, threshold)
    try:
        pruned = prune(graph, settings.min_component)
    except Unsatisfiable as error:
        found = f"{len(matches.first)} matches at {threshold:.3g} {measure.unit}".rstrip()
        raise Unsatisfiable(f"{found}: {error}") from error
    return Pruned(merge_chains(pruned.graph), pruned.report)


def find_matches(
    view: View,
    measure: Measure,
    threshold: float,
    settings: GraphSettings = DEFAULT,
    progress: Callable[[int, int], None] | None = None,
) -> Matches:
    """Find the local minima of all distances between frames of a view, and the placements that lay them on each other.

    Args:
        view: that the measure is of.
        measure: of its frames.
        threshold: in the unit of the measure.
        settings: how near in time matches may be.
        progress: as in `transition_graph_of`.
    """
    if measure.n_frames != view.n_frames:
        raise BadInput(f"a measure of {measure.n_frames} frames for a view of {view.n_frames}; make it of this view")
    if not 0 <= settings.apart < np.inf or not 0 <= settings.own < np.inf:
        raise BadInput(f"matches {settings.apart} and {settings.own} seconds apart; give finite times, not negative")
    near = MinimaSettings(radius=max(1, round(settings.apart * view.fps)), own_frames=round(settings.own * view.fps))
    found = find_minima(measure, threshold, near, progress=progress)
    first, second = found.frames[:, 0], found.frames[:, 1]
    clouds = measure if isinstance(measure, PointClouds) else measure_view_points(view, PointSettings(window=1))
    return Matches(first, second, found.distances, *_align(clouds, second, first))


def _align(clouds: PointClouds, moved: np.ndarray, onto: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(P,) headings and (P, 2) slides that put frames onto others."""
    headings, slides = np.zeros(len(moved)), np.zeros((len(moved), 2))
    for begin in range(0, len(moved), ALIGNED_AT_A_TIME):
        part = slice(begin, begin + ALIGNED_AT_A_TIME)
        pair = clouds.windows(moved[part]), clouds.windows(onto[part])
        headings[part], slides[part] = align_clouds(*pair, clouds.weights)
    return headings, slides


@cached("transition graph")
def _build_arrays(
    view: View, settings: GraphSettings, progress: Callable[[int, int], None] | None
) -> dict[str, np.ndarray]:
    pruned = build(view, settings, progress)
    report = json.dumps(pruned.report.to_data()).encode()
    return {**pruned.graph.to_arrays(), "report": np.frombuffer(report, np.uint8)}
