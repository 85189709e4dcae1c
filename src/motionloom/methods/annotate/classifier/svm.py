"""Svm: a support vector machine for one label, or for a left and a right label at once.

Mirrored copies double what is learnt from, but not the work. A label without side holds in a window if and only if it
holds in the mirrored one, so both get the same weight, and the machine is one of half the size whose kernel is the sum
of the two. Of a left and a right label one machine is enough: the right label is the left one of the mirrored window.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.annotate.classifier.gram import Gram
from motionloom.methods.annotate.request import Settings

TOLERANCE = 0.02  # of the margin: how far from the optimum a machine may stay
MOST_STEPS = 200_000
RECORDED, MIRRORED, BOTH = 0, 1, 2  # sides of an example
LEAST_SCALE = 0.05  # of how alike such examples are: less difference counts as none
SURE_SHARE = 0.1  # of the only examples that a label without counterexamples leaves outside


@dataclass(frozen=True, eq=False)
class Svm:
    """E examples with their weights."""

    which: np.ndarray  # (E,) int: rows of the Gram matrix
    side: np.ndarray  # (E,) int8: as recorded, mirrored, or both
    is_positive: np.ndarray  # (E,) bool
    weights: np.ndarray  # (E,) float64, 0 where an example does not matter
    slopes: np.ndarray  # (E,) float64: of the objective by each weight
    bias: float

    @property
    def coefficients(self) -> np.ndarray:
        """(E,) the weights with the signs of their examples."""
        return np.where(self.is_positive, self.weights, -self.weights)


def train(
    gram: Gram,
    which: np.ndarray,
    side: np.ndarray,
    is_positive: np.ndarray,
    settings: Settings,
    before: Svm | None = None,
) -> Svm:
    """Find the weights of a machine; from those of the machine before, where its examples are all there still.

    Args:
        gram: the kernel.
        which: (E,) int, rows of it.
        side: (E,) int8.
        is_positive: (E,) bool.
        settings: out of margin cost.
        before: of the same label.
    """
    from motionloom.methods.annotate.classifier._kernels import optimize_machine

    if not len(which) or is_positive.all() or not is_positive.any():
        return _one_sided(gram, which, side, is_positive)
    weights, slopes = _start(gram, which, side, is_positive, before)
    most = np.full(len(which), settings.out_of_margin_cost)
    optimize_machine(gram.values, which, side, is_positive, most, weights, slopes, TOLERANCE, MOST_STEPS)
    return Svm(which, side, is_positive, weights, slopes, _bias(is_positive, most, weights, slopes))


def load_kernels() -> None:
    """Compile what learning needs, or load it where it was compiled before, so that nobody waits for it later."""
    from motionloom.methods.annotate.classifier._kernels import cheapest_states

    gram = Gram(np.arange(2), np.broadcast_to(np.eye(2, dtype=np.float32), (2, 2, 2)).copy(), np.zeros(0, np.int64))
    for side in (RECORDED, BOTH):
        train(gram, np.arange(2), np.full(2, side, np.int8), np.array([True, False]), Settings())
    cheapest_states(np.zeros((2, 2)), np.zeros(2), np.zeros(2, bool))


def kernel_between(values: np.ndarray, side: np.ndarray, other_side: np.ndarray) -> np.ndarray:
    """(A, B) kernel between examples, of (2, A, B) values between their windows."""
    if len(side) and side[0] == BOTH:
        return values[0] + values[1]
    return np.where(side[:, None] == other_side, values[0], values[1])


def _start(
    gram: Gram, which: np.ndarray, side: np.ndarray, is_positive: np.ndarray, before: Svm | None
) -> tuple[np.ndarray, np.ndarray]:
    """Weights and slopes to begin with: those of before, and of new examples no weight."""
    weights, slopes = np.zeros(len(which)), np.full(len(which), -1.0)
    if before is None or not before.weights.any() or before.is_positive.all() or not before.is_positive.any():
        return weights, slopes
    keys, old_keys = which * 4 + side, before.which * 4 + before.side
    order = np.argsort(keys)
    places = order[np.minimum(np.searchsorted(keys, old_keys, sorter=order), len(keys) - 1)]
    if not (keys[places] == old_keys).all() or not (is_positive[places] == before.is_positive).all():
        return weights, slopes  # something was taken back, so that the old weights need not balance
    weights[places], slopes[places] = before.weights, before.slopes
    new = np.setdiff1d(np.arange(len(which)), places)
    used = np.flatnonzero(weights)
    if len(new):
        values = gram.values[:, which[new][:, None], which[used]]
        kernel = kernel_between(values, side[new], side[used])
        signed = np.where(is_positive[used], weights[used], -weights[used])
        slopes[new] += np.where(is_positive[new], 1.0, -1.0) * (kernel @ signed)
    return weights, slopes


def _bias(is_positive: np.ndarray, most: np.ndarray, weights: np.ndarray, slopes: np.ndarray) -> float:
    """What puts the free examples onto the margin; without such, the middle of what is allowed."""
    values = np.where(is_positive, -slopes, slopes)
    free = (weights > 0) & (weights < most)
    if free.any():
        return float(values[free].mean())
    may_rise = np.where(is_positive, weights < most, weights > 0)
    may_fall = np.where(is_positive, weights > 0, weights < most)
    return float((values[may_rise].max() + values[may_fall].min()) / 2)


def _one_sided(gram: Gram, which: np.ndarray, side: np.ndarray, is_positive: np.ndarray) -> Svm:
    """What can be said without examples of both kinds: never so far, or only what looks like the examples."""
    weights = np.zeros(len(which))
    if not len(which) or not is_positive.any():
        return Svm(which, side, is_positive, weights, weights, -1.0)
    alike = kernel_between(gram.values[:, which[:, None], which], side, side).mean(axis=1)
    usual = float(np.quantile(alike, SURE_SHARE))
    scale = max(float(alike.max()) - usual, LEAST_SCALE * usual)
    return Svm(which, side, is_positive, np.full(len(which), 1 / (len(which) * scale)), weights, -usual / scale)
