"""The dense program: the exact cheapest chain through a few good blocks of every slot, with all cuts between them."""

from collections.abc import Sequence

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import Slots
from motionloom.tasks import Stop, check_stop


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
        last = blocks[slot] + slots.lengths[slot] - 1
        after, choice = _step_back(model, problem, last, blocks[slot + 1], to_pay)
        choices.append(choice)
        to_pay = costs[slot] + after
    place = int(to_pay.argmin())
    chain = [blocks[0][place]]
    for slot, choice in enumerate(choices[::-1]):
        place = choice[place]
        chain.append(blocks[slot + 1][place])
    return np.array(chain), float(to_pay.min())


def _step_back(
    model: Model, problem: Problem, last: np.ndarray, first: np.ndarray, to_pay: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(A,) the least that is to pay after each of `last` (A,), and which of `first` (B,), in order, comes next."""
    from motionloom.methods.timeline.passes._kernels import cheapest_cuts

    following = model.following[last]
    place = np.minimum(np.searchsorted(first, following), len(first) - 1)
    goes_on = first[place] == following
    least = np.where(goes_on, to_pay[place], np.inf)
    order = np.argsort(to_pay, kind="stable")
    entries, ends = model.coordinates[first[order]], model.coordinates[following]
    choice = np.full(len(last), -1, np.int64)
    cheapest_cuts(to_pay[order], entries, ends, (problem.cut_weight, problem.fee), least, choice)
    return least, np.where(choice < 0, place, order[choice])
