"""Preparing: features, nearest continuations and labels of the takes to choose from."""

import numpy as np

from motionloom.assembly import Material, choose_material
from motionloom.assembly.hovering import find_hovering
from motionloom.conform import View, ViewSettings, make_view
from motionloom.conform.label_tracks import known_labels, label_tracks
from motionloom.corpus import Corpus, TakeFinder
from motionloom.corpus.material import named_only, recordings
from motionloom.graphs.view_measures import feature_statistics
from motionloom.methods.timeline.continuations import find_continuations, go_on
from motionloom.methods.timeline.model import INDEX, Model, make_model
from motionloom.methods.timeline.request import Request, Settings
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
    count, space = settings.by_all.neighbours, feature_statistics(view).digest
    facings = np.asarray(view.whole_layer("facing"), float)
    found = find_continuations(view, count, progress)
    arrays = (
        found.coordinates,
        np.concatenate([facings, go_on(facings, view.starts)]),
        found.frames,
        found.distances,
    )
    labels = tuple(dict.fromkeys([*known_labels(view), *view.corpus.label_names()]))
    tracks = label_tracks(view, labels)
    return make_model(view, settings, dict(zip(INDEX, arrays)), labels, tracks, find_hovering(view), space)
