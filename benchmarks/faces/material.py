"""What faces are measured on: four recorded takes of one actor, stretches of them left out in turn; performed faces.

A prior for a stretch is learnt from all takes but the stretch and a second before and after it. Labels say so: one for
each stretch holds wherever is learnt from.
"""

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.timeline.corpora import folder_for
from motionloom import formats
from motionloom.conform.point_view import PointView
from motionloom.conform.point_view_builder import make_point_view
from motionloom.corpus import Corpus, Label, Take
from motionloom.formats import Source
from motionloom.methods.dynamics import Material, Model, prepare
from motionloom.methods.dynamics.request import Prior
from motionloom.performer import perform_demo_faces

RECORDED = tuple(f"face/{take}" for take in ("eyebrows", "nose", "cheeks", "jaw"))
AROUND = 1.0  # seconds before and after a stretch that nothing is learnt from
FPS = 60.0
PAPER = Prior(dimensions=20, controls=1, order=2, mirrored=False)
USUAL = Prior(mirrored=False)


@cache
def recorded(data: Path) -> Corpus:
    """The recorded takes; for writing."""
    corpus = Corpus.create(folder_for("faces"))
    for name in RECORDED:
        take = formats.read(data / f"{name}.csv")
        corpus.add(Take(name, take.motion, take.source, take.findings))
    return corpus


@cache
def performed() -> Corpus:
    """The faces of the demo corpus; for writing."""
    corpus = Corpus.create(folder_for("performed"))
    for face in perform_demo_faces():
        digest = hashlib.sha256(face.motion.positions.tobytes()).hexdigest()
        corpus.add(Take(face.name, face.motion, Source(face.name, "performer", digest, face.motion.fps, 1.0)))
    return corpus


_views: dict[Path, PointView] = {}


def view_of(corpus: Corpus) -> PointView:
    """All takes of a corpus, with their head motion taken off."""
    if corpus.folder not in _views:
        _views[corpus.folder] = make_point_view(corpus)
    return _views[corpus.folder]


_models: dict = {}


def model_without(
    corpus: Corpus, take: str, start: int, stop: int, prior: Prior = PAPER, takes: tuple[str, ...] | None = None
) -> Model:
    """A model learnt from all but some frames of a take, and a second around them; kept until the benchmark ends.

    Args:
        corpus: with takes of the same markers.
        take: that has the frames, and may be shown.
        start: of the frames at 60 per second.
        stop: one past the last.
        prior: what is given of it.
        takes: that are learnt from; None for all.
    """
    names = takes or tuple(info.name for info in corpus.infos())
    key = (corpus.folder, take, start, stop, prior, names)
    if key not in _models:
        label = _label_without(corpus, take, start, stop)
        of_stretch = replace(prior, labels=(label,))
        _models[key] = prepare(corpus, Material(names, FPS, of_stretch, (take,)))
    return _models[key]


def _label_without(corpus: Corpus, take: str, start: int, stop: int) -> str:
    """The label that holds in all frames of all takes but those around a stretch."""
    name, around = f"away from {take} {start} to {stop}", round(AROUND * FPS)
    if name in _labels:
        return name
    view, found = view_of(corpus), []
    for other in view.names:
        begin, end = view.range_of(other)
        n_frames = end - begin
        ranges = [(0, n_frames)] if other != take else [(0, start - around), (stop + around, n_frames)]
        frames = view.source_frames[begin:end]
        found += [
            Label(other, name, int(np.floor(frames[first])), int(np.ceil(frames[last - 1])) + 1)
            for first, last in ranges
            if last > first
        ]
    corpus.add_labels(found)
    _labels.add(name)
    return name


_labels: set[str] = set()
