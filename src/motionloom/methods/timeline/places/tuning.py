"""Tuning: small changes of a motion that bring it nearer to its places, each tried with the shared cost.

Moving a cut by a few frames, or playing a piece a few frames earlier or later in its recording, moves all that comes
after by centimetres. No program over blocks sees that; trying it is cheap.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from motionloom.methods.timeline.answer import Stop
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective import cost_of, find_cuts
from motionloom.methods.timeline.problem import Problem

SHIFTS = (-8, -4, -2, -1, 1, 2, 4, 8)  # frames
ROUNDS = 30  # at most; most motions are done after ten


def tune(model: Model, problem: Problem, frames: np.ndarray, stop: Stop | None = None) -> np.ndarray:
    """Change an answer as long as that makes it cheaper: never dearer by `cost_of`; forced frames stay.

    Args:
        model: N frames.
        problem: F frames, with places.
        frames: (F,) int, the frame of the model played in each frame.
        stop: asked before every round.
    """
    frames = np.asarray(frames, np.int64)
    cost = cost_of(model, problem, frames).total
    for _ in range(ROUNDS):
        if stop is not None and stop():
            break
        changed = [(cost_of(model, problem, other).total, other) for other in _changes(model, problem, frames)]
        best = min(changed, key=lambda one: one[0], default=(np.inf, frames))
        if best[0] >= cost - 1e-6:
            break
        cost, frames = best
    return frames


def _changes(model: Model, problem: Problem, frames: np.ndarray) -> Iterator[np.ndarray]:
    """Answers that differ in one cut or one piece, and can be played."""
    borders = np.array([0, *find_cuts(model, frames), len(frames)])
    firsts = frames[borders[:-1]]
    motions, offsets = model.motion_of[firsts], firsts - borders[:-1]
    for number, shift in product(range(len(offsets)), SHIFTS):
        moved = np.zeros(len(borders), int), np.zeros(len(offsets), int)
        for which in range(2 if number else 1):
            here = [one.copy() for one in moved]
            here[1 - which][number] = shift  # the piece, or the cut before it
            new_borders, new_offsets = borders + here[0], offsets + here[1]
            low, high = new_borders[:-1] + new_offsets, new_borders[1:] + new_offsets
            fits = (low >= model.starts[motions]) & (high <= model.starts[motions + 1]) & (low < high)
            if fits.all():
                played = np.repeat(new_offsets, np.diff(new_borders)) + np.arange(len(frames))
                if _is_forced_right(problem, played):
                    yield played


def _is_forced_right(problem: Problem, frames: np.ndarray) -> bool:
    return all((frames[one.at : one.stop] - np.arange(one.n_frames) == one.first).all() for one in problem.forced)
