"""Preparing: features, nearest continuations and labels of the takes to choose from."""

import numpy as np

from motionloom.assembly import Material, choose_material
from motionloom.assembly.hovering import find_hovering
from motionloom.caching import cached
from motionloom.conform import View, ViewSettings, make_view
from motionloom.conform.label_tracks import known_labels, label_tracks
from motionloom.corpus import Corpus, TakeFinder
from motionloom.corpus.material import named_only, recordings
from motionloom.graphs.view_measures import measure_view_features
from motionloom.methods.timeline.model import INDEX, Model, make_model
from motionloom.methods.timeline.request import Request, Settings
from motionloom.similarity import NeighbourSettings, find_neighbours
from motionloom.similarity.feature_space import FeatureDistances
from motionloom.similarity.slices import lowest_in_time
from motionloom.tasks import Progress


def prepare(
    corpus: Corpus,
    material: Material | None = None,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
) -> Model:
    """Make takes ready for searching; what takes long is cached if the corpus is open for writing.

    Args:
        corpus: with labels.
        material: which takes, at which rate; None for all that were recorded.
        settings: of the search.
        progress: called as progress(done, total) while nearest frames are searched.
    """
    material, settings = material or Material(), settings or Settings()
    conformed = ViewSettings(fps=material.fps, mirrored=settings.mirrored)
    view = make_view(corpus, choose_material(corpus, material.takes), conformed)
    return prepare_view(view, settings, progress)


def material_of(corpus: Corpus, request: Request) -> Material:
    """The takes that a request chooses from, at its rate, with those that it names.

    A motion that was put together before is material only where the request names it in full: else the next one would
    be a copy of it, and would not come from recordings.
    """
    infos = corpus.infos()
    kept = named_only(infos)
    finder = TakeFinder([info.name for info in recordings(infos)], named_only=kept)
    begin = [] if request.start_from is None else [finder.find(request.start_from)]
    if request.takes is not None:
        return Material((*request.takes, *begin), request.fps)
    if not kept:
        return Material(None, request.fps)
    named = {*begin, *(finder.find(forced.take) for forced in request.frames)}.intersection(kept)
    return Material((*choose_material(corpus, None), *sorted(named)) if named else None, request.fps)


def prepare_view(view: View, settings: Settings, progress: Progress | None = None) -> Model:
    """Make a view ready for searching."""
    count = settings.by_all.neighbours
    arrays = view.model(_make_index, {"neighbours": count}, view, count, progress)
    labels = tuple(dict.fromkeys([*known_labels(view), *view.corpus.label_names()]))
    return make_model(view, settings, arrays, labels, label_tracks(view, labels), find_hovering(view))


@cached("timeline")
def _make_index(view: View, count: int, progress: Progress | None) -> dict[str, np.ndarray]:
    measure = measure_view_features(view)
    facings = np.asarray(view.whole_layer("facing"), float)
    settings = NeighbourSettings(count=count)
    found = find_neighbours(measure, settings, progress=progress)
    coordinates = np.concatenate([measure.coordinates, _go_on(measure.coordinates, view.starts)])
    frames, distances = _beyond_ends(measure, coordinates[measure.n_frames :], settings)
    arrays = (
        coordinates,
        np.concatenate([facings, _go_on(facings, view.starts)]),
        np.concatenate([found.frames, frames]).astype(np.int32),
        np.concatenate([found.distances, distances]).astype(np.float32),
    )
    return dict(zip(INDEX, arrays))


def _go_on(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """(M, ...) what would come after the last frame of each motion, if it went on as it moved."""
    last = starts[1:] - 1
    before = np.maximum(last - 1, starts[:-1])
    return 2 * values[last] - values[before]


def _beyond_ends(
    measure: FeatureDistances, points: np.ndarray, settings: NeighbourSettings
) -> tuple[np.ndarray, np.ndarray]:
    """(M, k) the frames nearest to points of the feature space, and how far; as `find_neighbours` does for frames."""
    frames = np.full((len(points), settings.count), -1)
    distances = np.full((len(points), settings.count), np.inf)
    for number, point in enumerate(points):
        away = np.linalg.norm(measure.coordinates - point, axis=1)
        lowest = lowest_in_time(away, measure.starts, settings.apart)
        stop = measure.starts[number + 1]
        lowest[max(measure.starts[number], stop - settings.own_frames) : stop] = False
        nearest = np.flatnonzero(lowest)
        nearest = nearest[np.argsort(away[nearest], kind="stable")][: settings.count]
        frames[number, : len(nearest)], distances[number, : len(nearest)] = nearest, away[nearest]
    return frames, distances
