"""The dense program: the exact cheapest chain through a few good blocks of every slot, with all cuts between them."""

from collections.abc import Sequence

import numpy as np

from motionloom.methods.timeline.answer import Stop
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.problem import Problem
from motionloom.methods.timeline.programs import check_stop
from motionloom.methods.timeline.slots import Slots


def best_blocks(through: np.ndarray, count: int) -> np.ndarray:
    """(C,) the blocks of a slot with the least cost of a chain through them, in order of frame; at most `count`."""
    if len(through) > count:
        blocks = np.argpartition(through, count - 1)[:count]
    else:
        blocks = np.arange(len(through))
    return np.sort(blocks[np.isfinite(through[blocks])])


def dense_chain(
    model: Model,
    problem: Problem,
    slots: Slots,
    blocks: Sequence[np.ndarray],
    costs: Sequence[np.ndarray],
    stop: Stop | None = None,
) -> tuple[np.ndarray, float]:
    """The cheapest chain of blocks, one of those allowed in each slot; of equals the one with lower frames.

    Args:
        model: N frames.
        problem: weights of cuts.
        slots: S.
        blocks: S times (C,) int, the blocks allowed in each slot.
        costs: S times (C,) of having them there.
        stop: asked at every slot; if it says so, `Stopped` is raised.

    Returns:
        (S,) int, and what it costs.
    """
    to_pay = np.asarray(costs[-1], float)
    choices: list[np.ndarray] = []
    for slot in range(slots.n_slots - 2, -1, -1):
        check_stop(stop)
        steps = step_costs(model, problem, blocks[slot] + slots.lengths[slot] - 1, blocks[slot + 1]) + to_pay
        choices.append(steps.argmin(axis=1))
        to_pay = costs[slot] + np.take_along_axis(steps, choices[-1][:, None], axis=1)[:, 0]
    place = int(to_pay.argmin())
    chain = [blocks[0][place]]
    for slot, choice in enumerate(choices[::-1]):
        place = choice[place]
        chain.append(blocks[slot + 1][place])
    return np.array(chain), float(to_pay.min())


def step_costs(model: Model, problem: Problem, last: np.ndarray, first: np.ndarray) -> np.ndarray:
    """(A, B) what it costs to play each frame of `first` (B,) after each of `last` (A,)."""
    following = model.following[last]
    ends, entries = model.coordinates[following], model.coordinates[first]
    square = (ends**2).sum(axis=1)[:, None] + (entries**2).sum(axis=1) - 2 * (ends @ entries.T)
    steps = problem.cut_weight * (problem.fee + np.sqrt(np.maximum(square, 0.0)))
    steps[following[:, None] == first] = 0.0
    return steps
