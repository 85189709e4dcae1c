"""The transition graph builder: matches frames of a view, connects, prunes and merges."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.conform.statistics import learn_statistics, recorded_only
from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs.holding_together import add_looser, falls_apart
from motionloom.graphs.pruning import Pruned, PruneReport, prune
from motionloom.graphs.transition_graph import Matches, TransitionGraph, connect, merge_chains
from motionloom.graphs.view_measures import (
    POINTS,
    MeasureSettings,
    feature_statistics,
    measure_view,
    measure_view_points,
    plain_settings,
)
from motionloom.similarity.alignment import align_clouds
from motionloom.similarity.feature_space import FeatureSettings
from motionloom.similarity.measure import Measure
from motionloom.similarity.minima import MinimaSettings, find_minima
from motionloom.similarity.point_cloud import PointClouds, PointSettings
from motionloom.similarity.thresholds import default_threshold

ALIGNED_AT_A_TIME = 4096  # pairs whose windows are in memory at a time


@dataclass(frozen=True)
class GraphSettings:
    """How transitions are found, and which components are kept."""

    measure: MeasureSettings = POINTS  # distance between frames
    threshold: float | None = None  # maximum distance, in the unit of the measure; None for the usual of the corpus
    apart: float = 0.1  # seconds: of matches closer than this in both recordings only the best is kept
    own: float = 0.35  # seconds: minimum distance in time of a transition of a recording to itself
    min_component: float | None = None  # seconds: keep all components at least this long; None for the largest only
    loosest: float = 1.0  # thresholds up to which transitions may hold together what would fall apart


DEFAULT = GraphSettings()


def transition_graph_of(
    view: View, settings: GraphSettings = DEFAULT, *, progress: Callable[[int, int], None] | None = None
) -> Pruned:
    """The pruned transition graph of a view, cached if the corpus is open for writing.

    The usual threshold is that of the corpus, whichever takes the view has. Frames are compared once for every pair of
    takes; the graph is of all of them together, and is put together anew for another choice of takes.

    Args:
        view: whose motions are connected.
        settings: how transitions are found.
        progress: called as progress(rows_of_tiles_done, rows_of_tiles_total) while frames are compared.
    """
    chosen = replace(settings, threshold=find_threshold(view, settings))
    made_with = {**plain_settings(chosen), "measure": _plain_measure(settings), "names": view.names}
    arrays = view.model(_build_arrays, made_with, view, chosen, progress)
    return Pruned(TransitionGraph.from_arrays(arrays), PruneReport.from_data(json.loads(arrays["report"].tobytes())))


def find_threshold(view: View, settings: GraphSettings = DEFAULT) -> float:
    """The threshold of settings; None in them: what is usual in the recordings of the corpus of a view."""
    if settings.threshold is not None:
        return settings.threshold
    measure = settings.measure
    learnt = learn_statistics(
        view, _learn_threshold, {"measure": _plain_measure(settings)}, lambda sample: _learn_threshold(sample, measure)
    )
    return float(learnt.arrays["threshold"][0])


def build(view: View, settings: GraphSettings = DEFAULT, progress: Callable[[int, int], None] | None = None) -> Pruned:
    """Match the frames of a view, connect its motions, prune dead ends, merge chains; nothing looser is added."""
    measure = measure_view(view, settings.measure)
    threshold = find_threshold(view, settings)
    matches = find_matches(view, measure, threshold, settings, progress)
    return _connect(view, matches, measure.unit, threshold, settings)


def _connect(view: View, matches: Matches, unit: str, threshold: float, settings: GraphSettings) -> Pruned:
    """Connect the motions of a view, prune dead ends, merge chains."""
    try:
        pruned = _pruned(view, matches, unit=unit, threshold=threshold, settings=settings)
    except Unsatisfiable as error:
        found = f"{len(matches.first)} matches at {threshold:.3g} {unit}".rstrip()
        raise Unsatisfiable(f"{found}: {error}") from error
    return Pruned(merge_chains(pruned.graph), pruned.report)


def _pruned(view: View, matches: Matches, *, unit: str, threshold: float, settings: GraphSettings) -> Pruned:
    graph = connect(matches, view.starts, view.names, view.fps, unit, threshold)
    return prune(graph, settings.min_component)


def _falls_apart(view: View, matches: Matches, unit: str, threshold: float, settings: GraphSettings) -> bool:
    try:
        return falls_apart(_pruned(view, matches, unit=unit, threshold=threshold, settings=settings))
    except Unsatisfiable:
        return True


def find_matches(
    view: View,
    measure: Measure,
    threshold: float,
    settings: GraphSettings = DEFAULT,
    progress: Callable[[int, int], None] | None = None,
) -> Matches:
    """Find the local minima of the distances between frames of a view, and the placements that align them.

    Args:
        view: of the measure.
        measure: of its frames.
        threshold: in the unit of the measure.
        settings: distances in time between matches.
        progress: as in `transition_graph_of`.
    """
    if measure.n_frames != view.n_frames:
        raise BadInput(f"the measure has {measure.n_frames} frames, expected {view.n_frames} of the view")
    found = find_minima(measure, threshold, _neighbourhood(view, settings), progress=progress)
    return _placed(view, measure, found.frames[:, 0], found.frames[:, 1], found.distances)


def _neighbourhood(view: View, settings: GraphSettings) -> MinimaSettings:
    """Within which of matches only the best is kept."""
    if not 0 <= settings.apart < np.inf or not 0 <= settings.own < np.inf:
        raise BadInput(
            f"apart and own must be finite and not negative, got {settings.apart} and {settings.own} seconds"
        )
    return MinimaSettings(max(1, round(settings.apart * view.fps)), round(settings.own * view.fps))


def _placed(view: View, measure: Measure, first: np.ndarray, second: np.ndarray, distances: np.ndarray) -> Matches:
    """Pairs of frames with the placements that move the second ones onto the first."""
    clouds = measure if isinstance(measure, PointClouds) else measure_view_points(view, PointSettings(window=1))
    return Matches(first, second, distances, *_align(clouds, second, first))


def _kept_matches(
    view: View, measure: Measure, settings: GraphSettings, threshold: float, progress: Callable[[int, int], None] | None
) -> Matches:
    """As `find_matches`; pairs of takes that were compared before are not compared again, distances are rounded."""
    near = _neighbourhood(view, settings)
    made_with = {
        "measure": _plain_measure(settings),
        "joints": measure.joints.tolist() if isinstance(measure, PointClouds) else None,
        "space": _space_of(view, settings.measure),
        "threshold": threshold,
        "near": [near.radius, near.own_frames],
    }
    lists = view.pairs(
        _match, made_with, lambda cells: _match(view, settings.measure, threshold, near, cells, progress)
    )
    first = np.repeat(np.arange(view.n_frames), np.diff(lists.starts))
    second = lists.frames.astype(int)
    once = first < second  # lists have every pair in both directions
    order = np.lexsort((second[once], first[once]))
    distances = lists.distances[once].astype(float)[order]
    return _placed(view, measure, first[once][order], second[once][order], distances)


def _space_of(view: View, settings: MeasureSettings) -> str:
    """The digest of the feature space that frames are compared in; "" where they are not."""
    return feature_statistics(view, settings).digest if isinstance(settings, FeatureSettings) else ""


@cached("frame matches")
def _match(
    view: View,
    settings: MeasureSettings,
    threshold: float,
    near: MinimaSettings,
    cells: np.ndarray,
    progress: Callable[[int, int], None] | None,
) -> dict[str, np.ndarray]:
    """The arrays of the matches of the pairs of motions that are True in (M, M) bool."""
    measure = measure_view(view, settings)
    found = find_minima(measure, threshold, near, cells=cells, progress=progress)
    first, second = (np.concatenate(ends) for ends in (found.frames.T, found.frames.T[::-1]))
    motion_of = np.repeat(np.arange(len(measure.starts) - 1), np.diff(measure.starts))
    wanted = cells[motion_of[first], motion_of[second]]
    first, second = first[wanted], second[wanted]
    distances = np.tile(found.distances, 2)[wanted].astype(np.float32)
    order = np.lexsort((second, distances, first))
    starts = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=measure.n_frames))])
    return {"starts": starts, "frames": second[order].astype(np.int32), "distances": distances[order]}


def _align(clouds: PointClouds, moved: np.ndarray, onto: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(P,) headings and (P, 2) slides that move frames onto others."""
    headings, slides = np.zeros(len(moved)), np.zeros((len(moved), 2))
    for begin in range(0, len(moved), ALIGNED_AT_A_TIME):
        part = slice(begin, begin + ALIGNED_AT_A_TIME)
        pair = clouds.windows(moved[part]), clouds.windows(onto[part])
        headings[part], slides[part] = align_clouds(*pair, clouds.weights)
    return headings, slides


def _plain_measure(settings: GraphSettings) -> list[Any]:
    return [type(settings.measure).__name__, plain_settings(settings.measure)]


@cached("usual threshold")
def _learn_threshold(view: View, measure: MeasureSettings) -> dict[str, np.ndarray]:
    """The usual threshold of a transition between two frames of the recordings of a view."""
    return {"threshold": np.array([default_threshold(measure_view(recorded_only(view), measure), view.fps)])}


@cached("transition graph")
def _build_arrays(
    view: View, settings: GraphSettings, progress: Callable[[int, int], None] | None
) -> dict[str, np.ndarray]:
    measure, threshold = measure_view(view, settings.measure), find_threshold(view, settings)
    matches = _kept_matches(view, measure, settings, threshold, progress)
    if settings.loosest > 1 and threshold > 0 and _falls_apart(view, matches, measure.unit, threshold, settings):
        loosest = settings.loosest * threshold
        looser = _kept_matches(view, measure, settings, loosest, progress)
        build = partial(_pruned, view, unit=measure.unit, threshold=threshold, settings=settings)
        matches = add_looser(looser, view.n_frames, threshold, loosest, build)
    pruned = _connect(view, matches, measure.unit, threshold, settings)
    report = json.dumps(pruned.report.to_data()).encode()
    return {**pruned.graph.to_arrays(), "report": np.frombuffer(report, np.uint8)}
