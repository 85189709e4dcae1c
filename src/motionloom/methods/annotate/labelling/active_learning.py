"""Active learning: which take, or part of a take, to verify next, by uncertainty and novelty."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.classify.model import Model
from motionloom.classify.viterbi import entropy
from motionloom.errors import BadInput
from motionloom.tasks import one_thread_per_product

AT_A_TIME = 128  # windows per batch of distances
MOST_COMPARED = 3000  # windows sampled to find the most typical take when nothing is verified yet
LEAST_UNSURE = 0.02  # bits per label, added so that novelty counts where the classifier is certain
LEAST_WORTH = 1e-6  # of a window, so that unverified windows count even if they equal verified ones


@dataclass(frozen=True, order=True)
class Offer:
    """A query: frames of a take to verify next."""

    worth: float  # expected benefit; higher is better
    take: str
    start: int  # frames at the view's rate
    stop: int
    unsure: float  # entropy, 0 to 1, mean over labels that are not verified there
    new: float  # distance to the nearest verified window, in mean distances; mean over these labels


@one_thread_per_product()  # so that ties do not depend on the number of cores
def teaches_most(
    model: Model, count: int = 1, *, takes: Sequence[str] | None = None, longest: float | None = None
) -> list[Offer]:
    """The takes to verify next, best first; none if everything is verified.

    A take is rated by entropy times distance to the nearest verified window, both as means over its unverified windows.
    Before anything is verified, the most typical take comes first.

    Args:
        model: the classifiers so far; may have learnt nothing yet.
        count: maximum number of queries.
        takes: to choose from; None for all.
        longest: seconds; of longer takes the best part of this length is offered.
    """
    if longest is not None and not longest > 0:
        raise BadInput(f"longest must be positive, got {longest}; give None for whole takes")
    windows = model.windows
    is_open = (model.known == 0).any(axis=1) if model.labels else np.ones(windows.n_windows, bool)
    unsure = _mean_of_open(model, entropy(model.decisions, model.settings))
    new = _mean_of_open(model, _distances(model)) if len(model.gram.rows) else _remoteness(model)
    offers = []
    for take in windows.names if takes is None else takes:
        begin, end = windows.range_of(take)
        if is_open[begin:end].any():
            offers.append(_offer(model, take, is_open[begin:end], unsure[begin:end], new[begin:end], longest))
    return sorted(offers, key=lambda offer: (-offer.worth, offer.take))[:count]


def _offer(
    model: Model, take: str, is_open: np.ndarray, unsure: np.ndarray, new: np.ndarray, longest: float | None
) -> Offer:
    """The best part of a take."""
    begin, end, number = 0, len(is_open), model.windows.names.index(take)
    first, last = model.windows.ranges[number]
    if longest is not None:
        length = max(1, round(longest * model.settings.rate))
        if length < end:
            worths = (unsure + LEAST_UNSURE) * new + LEAST_WORTH if len(model.gram.rows) else -new
            worths = np.where(is_open, worths, 0.0)
            sums = np.concatenate([[0.0], np.cumsum(worths)])
            begin = int((sums[length:] - sums[:-length]).argmax())
            end = begin + length
    chosen = is_open[begin:end]
    nearest = model.windows.nearest(number) - model.windows.starts[number]
    start, stop = np.searchsorted(nearest, [begin, end])
    mean_unsure, mean_new = float(unsure[begin:end][chosen].mean()), float(new[begin:end][chosen].mean())
    worth = (mean_unsure + LEAST_UNSURE) * mean_new if len(model.gram.rows) else -mean_new
    return Offer(worth, take, int(start), int(min(stop, last - first)), mean_unsure, mean_new)


def _mean_of_open(model: Model, values: np.ndarray) -> np.ndarray:
    """(W,) mean of (W, L) values over the learnt labels that are not verified in a window; 1 if there are none."""
    counted = (model.known == 0) & model.is_learnt
    n_open = counted.sum(axis=1)
    return np.where(n_open > 0, np.where(counted, values, 0.0).sum(axis=1) / np.maximum(n_open, 1), 1.0)


def _distances(model: Model) -> np.ndarray:
    """(W, L) distance from each window in which a label is not verified to the nearest in which it is.

    Mirrored windows count if the settings use them. Labels verified in the same windows are measured together.
    """
    rows, everything = model.gram.rows, model.windows.coordinates
    patterns, which = np.unique(model.known[rows] != 0, axis=1, return_inverse=True)
    out = np.zeros(model.known.shape)
    for number, looked in enumerate(patterns.T):
        columns = np.flatnonzero(which.ravel() == number)
        here = np.flatnonzero((model.known[:, columns] == 0).any(axis=1))
        if looked.any():
            sides = (0, 1) if model.settings.mirrored else (0,)
            others = np.concatenate([everything[side][rows[looked]] for side in sides])
            out[here[:, None], columns] = np.sqrt(_squared(everything[0][here], others, np.min))[:, None]
    return out


def _remoteness(model: Model) -> np.ndarray:
    """(W,) root mean squared distance to all windows: small for typical windows."""
    here = model.windows.coordinates[0]
    return np.sqrt(_squared(here, here[:: max(1, -(-len(here) // MOST_COMPARED))], np.mean))


def _squared(here: np.ndarray, others: np.ndarray, reduce: Callable[..., np.ndarray]) -> np.ndarray:
    """(K,) squared distances to the others, reduced by a function over them."""
    sizes = (others**2).sum(axis=1)
    parts = []
    for begin in range(0, len(here), AT_A_TIME):
        part = here[begin : begin + AT_A_TIME]
        parts.append(reduce(sizes - 2 * (part @ others.T), axis=1) + (part**2).sum(axis=1))
    return np.maximum(np.concatenate([np.zeros(0), *parts]), 0.0)
