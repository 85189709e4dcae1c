"""Holding together: transitions looser than usual, only where recordings would fall apart without them.

The usual threshold is how far bodies move in a moment. People who stand still move little, so that recordings of
them are hardly ever so alike, and most of what they did would be left out. Looser transitions lead into what is left
out, and out of it; those between frames that hold together already are as alike as ever.
"""

from collections.abc import Callable

import numpy as np

from motionloom.errors import Unsatisfiable
from motionloom.graphs.pruning import Pruned
from motionloom.graphs.transition_graph import Matches

ENOUGH = 0.9  # share of the recordings, and of what the loosest transitions hold together, that has to be kept
STEP = 1.05  # ratio of one threshold that is tried to the one before

Build = Callable[[Matches], Pruned]


def falls_apart(pruned: Pruned) -> bool:
    """Whether so much is left out that looser transitions are worth it."""
    return pruned.report.kept_seconds < ENOUGH * pruned.report.seconds


def add_looser(matches: Matches, n_frames: int, threshold: float, loosest: float, build: Build) -> Matches:
    """The matches up to a threshold, and as few looser ones as hold nearly all together that can be held.

    Args:
        matches: up to the loosest.
        n_frames: of the view.
        threshold: that is usual.
        loosest: threshold of those that are added.
        build: makes the pruned graph of some matches; raises `Unsatisfiable` where nothing holds together.
    """
    is_usual = matches.distances <= threshold
    kept = _kept_frames(_built(matches.chosen(is_usual), build), n_frames)
    leads_out = ~(kept[matches.first] & kept[matches.second])
    n_steps = int(np.ceil(np.log(loosest / threshold) / np.log(STEP)))
    thresholds = np.minimum(threshold * STEP ** np.arange(n_steps + 1), loosest)
    enough = ENOUGH * _seconds(_built(matches.chosen(is_usual | leads_out), build))
    low, high = 0, n_steps  # the last is enough
    while low < high:
        middle = (low + high) // 2
        near = matches.distances <= thresholds[middle]
        is_enough = _seconds(_built(matches.chosen(is_usual | (leads_out & near)), build)) >= enough
        low, high = (low, middle) if is_enough else (middle + 1, high)
    return matches.chosen(is_usual | (leads_out & (matches.distances <= thresholds[low])))


def _built(matches: Matches, build: Build) -> Pruned | None:
    try:
        return build(matches)
    except Unsatisfiable:
        return None


def _seconds(pruned: Pruned | None) -> float:
    return 0.0 if pruned is None else pruned.report.kept_seconds


def _kept_frames(pruned: Pruned | None, n_frames: int) -> np.ndarray:
    """(N,) bool: frames that the graph plays."""
    kept = np.zeros(n_frames, bool)
    if pruned is not None:
        for start, stop in zip(pruned.graph.starts, pruned.graph.stops):
            kept[start:stop] = True
    return kept
