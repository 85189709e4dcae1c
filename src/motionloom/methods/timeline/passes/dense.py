"""The dense pass: the exact cheapest chain through a few good blocks of every slot, with all cuts between them."""

from collections.abc import Sequence

import numpy as np

from motionloom.methods.timeline.passes.trellis import Trellis


def best_blocks(through: np.ndarray, count: int) -> np.ndarray:
    """(C,) the blocks of a slot with the least cost of a chain through them, in order of frame; at most `count`."""
    if len(through) > count:
        blocks = np.argpartition(through, count - 1)[:count]
    else:
        blocks = np.arange(len(through))
    return np.sort(blocks[np.isfinite(through[blocks])])


def dense_chain(trellis: Trellis, blocks: Sequence[np.ndarray]) -> tuple[np.ndarray, float]:
    """The cheapest chain of blocks, one of those allowed in each slot; of equals the one with lower frames.

    Args:
        trellis: S slots.
        blocks: S times (C,) int, the blocks allowed in each slot.

    Returns:
        (S,) int, and what it costs.
    """
    costs = [of_slot[allowed] for of_slot, allowed in zip(trellis.costs, blocks)]
    cost_to_go = np.asarray(costs[-1], float)
    choices: list[np.ndarray] = []
    for slot in range(trellis.n_slots - 2, -1, -1):
        trellis.check_stop()
        last = blocks[slot] + trellis.length(slot) - 1
        after, choice = _step_back(trellis, last, blocks[slot + 1], cost_to_go)
        choices.append(choice)
        cost_to_go = costs[slot] + after
    place = int(cost_to_go.argmin())
    chain = [blocks[0][place]]
    for slot, choice in enumerate(choices[::-1]):
        place = choice[place]
        chain.append(blocks[slot + 1][place])
    return np.array(chain), float(cost_to_go.min())


def _step_back(
    trellis: Trellis, last: np.ndarray, first: np.ndarray, cost_to_go: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(A,) the least cost to go after each of `last` (A,), and which of `first` (B,), in order, comes next."""
    from motionloom.methods.timeline.passes._kernels import cheapest_cuts

    model, problem = trellis.model, trellis.problem
    following = model.following[last]
    place = np.minimum(np.searchsorted(first, following), len(first) - 1)
    goes_on = first[place] == following
    least = np.where(goes_on, cost_to_go[place], np.inf)
    order = np.argsort(cost_to_go, kind="stable")
    entries, ends = model.coordinates[first[order]], model.coordinates[following]
    choice = np.full(len(last), -1, np.int64)
    cheapest_cuts(cost_to_go[order], entries, ends, (problem.cut_weight, problem.fee), least, choice)
    return least, np.where(choice < 0, place, order[choice])
