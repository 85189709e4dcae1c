"""Local search: small changes of a motion that bring it nearer to its places, each tried with the shared cost.

Moving a cut by a few frames, or playing a piece a few frames earlier or later in its recording, moves all that comes
after by centimetres. No pass over blocks sees that; trying it is cheap.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import cost_of, find_cuts
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.tasks import Stop, check_stop

SHIFTS = (-8, -4, -2, -1, 1, 2, 4, 8)  # frames
ROUNDS = 6  # over all pieces, at most
LEAST = 0.1  # wrong frames that a round must gain for another to follow


def tune(model: Model, problem: Problem, frames: np.ndarray, stop: Stop | None = None) -> np.ndarray:
    """Change an answer as long as that makes it cheaper: its cost by `cost_of` never rises; forced frames stay.

    Args:
        model: N frames.
        problem: F frames, with places.
        frames: (F,) int, the frame of the model played in each frame.
        stop: asked before every piece; if it answers True, `Stopped` is raised.
    """
    frames = np.asarray(frames, np.int64)
    cost = cost_of(model, problem, frames).total
    for _ in range(ROUNDS):
        before, number = cost, 0
        while number <= len(find_cuts(model, frames)):
            check_stop(stop)
            for other in list(_changes(model, problem, frames, number)):
                changed = cost_of(model, problem, other).total
                if changed < cost - 1e-6:
                    cost, frames = changed, other
            number += 1
        if cost > before - LEAST:
            break
    return frames


def _changes(model: Model, problem: Problem, frames: np.ndarray, number: int) -> Iterator[np.ndarray]:
    """Answers that differ in one piece, or in the cut before it, and can be played."""
    borders = np.array([0, *find_cuts(model, frames), len(frames)])
    firsts = frames[borders[:-1]]
    motions, offsets = model.motion_of[firsts], firsts - borders[:-1]
    piece, cut = (np.arange(len(values)) == number for values in (offsets, borders))
    for shift, is_cut in product(SHIFTS, (False, True) if number else (False,)):
        new_borders, new_offsets = borders + shift * (cut & is_cut), offsets + shift * (piece & (not is_cut))
        low, high = new_borders[:-1] + new_offsets, new_borders[1:] + new_offsets
        fits = (low >= model.starts[motions]) & (high <= model.starts[motions + 1]) & (low < high)
        if fits.all():
            played = np.repeat(new_offsets, np.diff(new_borders)) + np.arange(len(frames))
            if _is_forced_right(problem, played):
                yield played


def _is_forced_right(problem: Problem, frames: np.ndarray) -> bool:
    return all((frames[run.at : run.stop] - np.arange(run.n_frames) == run.first).all() for run in problem.runs)
