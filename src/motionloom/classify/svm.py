"""Svm: a support vector machine for one label, or for a left and a right label at once.

Mirrored copies double the examples, but not the work. A label without a side holds in a window if and only if it holds
in the mirrored window, so both have the same weight, and a machine of half the size with the sum of both kernels is
equivalent. A left and a right label share a machine: the right label is the left label of the mirrored window.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.classify.gram import Gram
from motionloom.classify.settings import Settings

TOLERANCE = 0.02  # of the margin: stopping criterion of the optimization
MOST_STEPS = 200_000
RECORDED, MIRRORED, BOTH = 0, 1, 2  # sides of an example
LEAST_SCALE = 0.05  # lower bound of the scale of one-class decisions, relative to the kernel's quantile
SURE_SHARE = 0.1  # share of the examples that a one-class decision rejects


@dataclass(frozen=True, eq=False)
class Svm:
    """A trained support vector machine: E examples with their weights."""

    which: np.ndarray  # (E,) int: rows of the Gram matrix
    side: np.ndarray  # (E,) int8: RECORDED, MIRRORED or BOTH
    is_positive: np.ndarray  # (E,) bool
    weights: np.ndarray  # (E,) float64; 0 for all but support vectors
    slopes: np.ndarray  # (E,) float64: gradient of the objective
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
    """Train a machine; a warm start from the machine before if all of its examples are still there.

    Args:
        gram: kernel between windows.
        which: (E,) int, rows of the Gram matrix.
        side: (E,) int8.
        is_positive: (E,) bool.
        settings: the out-of-margin cost is used.
        before: the last machine of the same label.
    """
    from motionloom.classify._kernels import optimize_machine

    if not len(which) or is_positive.all() or not is_positive.any():
        return _one_sided(gram, which, side, is_positive)
    weights, slopes = _start(gram, which, side, is_positive, before)
    most = np.full(len(which), settings.out_of_margin_cost)
    optimize_machine(gram.values, which, side, is_positive, most, weights, slopes, TOLERANCE, MOST_STEPS)
    return Svm(which, side, is_positive, weights, slopes, _bias(is_positive, most, weights, slopes))


def load_kernels() -> None:
    """Compile the kernels of learning, or load them from the cache, so that the first session does not wait."""
    from motionloom.classify._kernels import cheapest_states

    gram = Gram(np.arange(2), np.broadcast_to(np.eye(2, dtype=np.float32), (2, 2, 2)).copy(), np.zeros(0, np.int64))
    for side in (RECORDED, BOTH):
        train(gram, np.arange(2), np.full(2, side, np.int8), np.array([True, False]), Settings())
    cheapest_states(np.zeros((2, 2)), np.zeros(2), np.zeros(2, bool))


def kernel_between(values: np.ndarray, side: np.ndarray, other_side: np.ndarray) -> np.ndarray:
    """(A, B) kernel between examples, from (2, A, B) kernels between their windows."""
    if len(side) and side[0] == BOTH:
        return values[0] + values[1]
    return np.where(side[:, None] == other_side, values[0], values[1])


def _start(
    gram: Gram, which: np.ndarray, side: np.ndarray, is_positive: np.ndarray, before: Svm | None
) -> tuple[np.ndarray, np.ndarray]:
    """Initial weights and gradient: a warm start from the machine before, with weight 0 for new examples."""
    weights, slopes = np.zeros(len(which)), np.full(len(which), -1.0)
    if before is None or not before.weights.any() or before.is_positive.all() or not before.is_positive.any():
        return weights, slopes
    keys, old_keys = which * 4 + side, before.which * 4 + before.side
    order = np.argsort(keys)
    places = order[np.minimum(np.searchsorted(keys, old_keys, sorter=order), len(keys) - 1)]
    if not (keys[places] == old_keys).all() or not (is_positive[places] == before.is_positive).all():
        return weights, slopes  # an example was removed or changed, so the old weights may not be feasible
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
    """The bias: the mean over free support vectors, or the middle of the feasible interval without any."""
    values = np.where(is_positive, -slopes, slopes)
    free = (weights > 0) & (weights < most)
    if free.any():
        return float(values[free].mean())
    may_rise = np.where(is_positive, weights < most, weights > 0)
    may_fall = np.where(is_positive, weights > 0, weights < most)
    return float((values[may_rise].max() + values[may_fall].min()) / 2)


def _one_sided(gram: Gram, which: np.ndarray, side: np.ndarray, is_positive: np.ndarray) -> Svm:
    """A machine without examples of both classes: never, or one-class, where windows are like the examples."""
    weights = np.zeros(len(which))
    if not len(which) or not is_positive.any():
        return Svm(which, side, is_positive, weights, weights, -1.0)
    alike = kernel_between(gram.values[:, which[:, None], which], side, side).mean(axis=1)
    usual = float(np.quantile(alike, SURE_SHARE))
    scale = max(float(alike.max()) - usual, LEAST_SCALE * usual)
    return Svm(which, side, is_positive, np.full(len(which), 1 / (len(which) * scale)), weights, -usual / scale)
