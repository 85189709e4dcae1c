"""Priors by expression and pooled: three keys and a trajectory, with priors from the same take, all, or all others."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.faces.completion import request_of
from benchmarks.faces.material import RECORDED, USUAL, performed, recorded, view_of
from benchmarks.faces.stretches import made_of, missed_by, stretches_of
from benchmarks.measure import figure
from motionloom.corpus import Corpus

SECONDS = 1.5
EXPRESSIONS = tuple(
    f"face/{name}"
    for name in ("happiness", "surprise", "disgust", "fear", "anger", "sadness", "speaking", "eating", "snoring")
)
SOURCES: dict[str, Callable[[str, tuple[str, ...]], tuple[str, ...]]] = {
    "the same expression": lambda take, takes: (take,),
    "all pooled": lambda take, takes: takes,
    "all other expressions": lambda take, takes: tuple(other for other in takes if other != take),
}


def figures(data: Path) -> list[dict]:
    """Millimetres by what is learnt from; the stretch and a second around it never are."""
    return [
        *_rows("recorded regions", recorded(data), RECORDED),
        *_rows("performed expressions", performed(), EXPRESSIONS),
    ]


def _rows(what: str, corpus: Corpus, tested: tuple[str, ...]) -> list[dict]:
    stretches = stretches_of(corpus, SECONDS, tested)
    rows = []
    for source, takes_for in SOURCES.items():
        missed = []
        for stretch in stretches:
            model = stretch.model(USUAL, takes_for(stretch.take, view_of(corpus).names))
            missed.append(missed_by(made_of(model, request_of(stretch)), stretch))
        rows.append(figure(f"{what}, {SECONDS:g} s; prior of {source}", 1000 * float(np.mean(missed)), "mm", "lower"))
    return rows
