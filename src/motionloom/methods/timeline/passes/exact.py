"""Exact dynamic programming: the cheapest chain of all blocks with all cuts, to hold searches against.

They look at every pair of an exit and an entry in every slot, up to N * N of them, which takes minutes even on a small
corpus. No request is answered with them. With blocks of one frame the answer is the best there is, up to places.
"""

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import Slots, all_slot_costs, chain_frames, make_slots
from motionloom.tasks import Progress


def solve_exactly(
    model: Model, problem: Problem, block: int | None = None, progress: Progress | None = None
) -> np.ndarray:
    """(F,) frames of the model that cost least of all that are made of blocks; places do not count.

    Args:
        model: N frames.
        problem: what is asked.
        block: frames of a block; None for the usual. With 1 nothing costs less.
        progress: called as progress(done, total) with slots.
    """
    longest = int(np.diff(model.starts).max())
    slots = make_slots(problem, min(block or model.settings.by_all.block, longest))
    costs = all_slot_costs(model, problem, slots)
    cost_to_go = costs[-1].astype(float)
    nexts: list[np.ndarray] = []
    for slot in range(slots.n_slots - 2, -1, -1):
        after, choice = _step_back(model, problem, int(slots.lengths[slot]), costs[slot], cost_to_go)
        cost_to_go = costs[slot] + after
        nexts.append(choice)
        if progress is not None:
            progress(slots.n_slots - slot - 1, slots.n_slots - 1)
    return _trace(slots, int(cost_to_go.argmin()), nexts[::-1])


def _step_back(
    model: Model, problem: Problem, length: int, costs: np.ndarray, cost_to_go: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(N,) the least that is to pay after each block of a slot, and (N,) int32 the block that comes next."""
    from motionloom.methods.timeline.passes._kernels import cheapest_cuts

    fitting = np.flatnonzero(np.isfinite(costs))
    following = model.following[fitting + length - 1]
    goes_on = following < model.n_frames
    least = np.full(len(fitting), np.inf)
    least[goes_on] = cost_to_go[following[goes_on]]
    entries = np.flatnonzero(np.isfinite(cost_to_go))
    entries = entries[np.argsort(cost_to_go[entries], kind="stable")]
    choice = np.full(len(fitting), -1, np.int64)
    weights, points = (problem.cut_weight, problem.fee), model.coordinates
    cheapest_cuts(cost_to_go[entries], points[entries], points[following], weights, least, choice)
    after, nexts = np.full(model.n_frames, np.inf), np.full(model.n_frames, -1, np.int32)
    after[fitting] = least
    nexts[fitting] = np.where(choice < 0, following, entries[choice])
    return after, nexts


def _trace(slots: Slots, block: int, nexts: list[np.ndarray]) -> np.ndarray:
    chain = [block]
    for choice in nexts:
        chain.append(int(choice[chain[-1]]))
    return chain_frames(slots, np.array(chain))
