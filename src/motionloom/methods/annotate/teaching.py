"""Teaching: which take, or part of a take, would teach the machines the most when it is verified next."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.annotate.model import Model
from motionloom.methods.annotate.smoothing import entropy

AT_A_TIME = 128  # windows whose distances are in memory together
MOST_COMPARED = 3000  # windows that stand for all when nothing is verified yet
LEAST_UNSURE = 0.02  # bits per label, so that what is new still counts where the machines are sure


@dataclass(frozen=True, order=True)
class Offer:
    """Frames of a take to be verified next."""

    worth: float  # how much they would teach; the larger the more
    take: str
    start: int  # frames at the view's rate
    stop: int
    unsure: float  # from 0 to 1: how unsure the machines are there, mean over labels
    new: float  # usual distances to the nearest verified window


def teaches_most(
    model: Model, count: int = 1, *, takes: Sequence[str] | None = None, longest: float | None = None
) -> list[Offer]:
    """The takes that would teach the most, the best first; none when all is verified.

    Worth is how unsure the machines are times how far the windows are from all that is verified, both as means over
    what is not verified of a take. Before anything is verified, the take comes first that is most like all others.

    Args:
        model: what was learnt so far, maybe from nothing.
        count: how many at most.
        takes: to choose from; None for all.
        longest: seconds; of longer takes the part of this length is offered that would teach the most.
    """
    if longest is not None and not longest > 0:
        raise BadInput(f"parts of at most {longest} seconds; give a positive number, or None for whole takes")
    windows = model.windows
    is_open = (model.known == 0).any(axis=1) if model.labels else np.ones(windows.n_windows, bool)
    unsure = _unsure(model)
    new = np.zeros(windows.n_windows)
    new[is_open] = (_distances if len(model.gram.rows) else _remoteness)(model, windows.coordinates[0][is_open])
    offers = []
    for take in windows.names if takes is None else takes:
        begin, end = windows.range_of(take)
        if is_open[begin:end].any():
            offers.append(_offer(model, take, is_open[begin:end], unsure[begin:end], new[begin:end], longest))
    return sorted(offers, key=lambda one: (-one.worth, one.take))[:count]


def _offer(
    model: Model, take: str, is_open: np.ndarray, unsure: np.ndarray, new: np.ndarray, longest: float | None
) -> Offer:
    """The best part of one take."""
    begin, end, number = 0, len(is_open), model.windows.names.index(take)
    first, last = model.windows.ranges[number]
    if longest is not None:
        length = max(1, round(longest * model.settings.rate))
        if length < end:
            worths = np.where(is_open, (unsure + LEAST_UNSURE) * new, 0.0)
            sums = np.concatenate([[0.0], np.cumsum(worths)])
            begin = int((sums[length:] - sums[:-length]).argmax())
            end = begin + length
    chosen = is_open[begin:end]
    nearest = model.windows.nearest(number) - model.windows.starts[number]
    start, stop = np.searchsorted(nearest, [begin, end])
    mean_unsure, mean_new = float(unsure[begin:end][chosen].mean()), float(new[begin:end][chosen].mean())
    worth = (mean_unsure + LEAST_UNSURE) * mean_new if len(model.gram.rows) else -mean_new
    return Offer(worth, take, int(start), int(min(stop, last - first)), mean_unsure, mean_new)


def _unsure(model: Model) -> np.ndarray:
    """(W,) mean over the labels of how unsure the machines are; 1 where nothing was verified of any label."""
    learnt = model.is_learnt
    if not learnt.any():
        return np.ones(model.windows.n_windows)
    return entropy(model.decisions[:, learnt], model.settings).mean(axis=1)


def _distances(model: Model, here: np.ndarray) -> np.ndarray:
    """(K,) distance to the nearest verified window, mirrored or not as the settings say."""
    sides = (0, 1) if model.settings.mirrored else (0,)
    others = np.concatenate([model.windows.coordinates[side][model.gram.rows] for side in sides])
    return np.sqrt(_squared(here, others, np.min))


def _remoteness(model: Model, here: np.ndarray) -> np.ndarray:
    """(K,) root of the mean squared distance to all windows: small for what is typical."""
    all_windows = model.windows.coordinates[0]
    return np.sqrt(_squared(here, all_windows[:: max(1, -(-len(all_windows) // MOST_COMPARED))], np.mean))


def _squared(here: np.ndarray, others: np.ndarray, reduce: Callable[..., np.ndarray]) -> np.ndarray:
    """(K,) of squared distances to the others, reduced over them."""
    sizes = (others**2).sum(axis=1)
    parts = []
    for begin in range(0, len(here), AT_A_TIME):
        part = here[begin : begin + AT_A_TIME]
        parts.append(reduce(sizes - 2 * (part @ others.T), axis=1) + (part**2).sum(axis=1))
    return np.maximum(np.concatenate([np.zeros(0), *parts]), 0.0)
