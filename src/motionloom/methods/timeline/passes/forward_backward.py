"""Forward and backward passes over a trellis: the cost so far when a block begins, and the cost to go from there.

A step from one block to the next is free where the recording goes on by itself. Else it is a cut, which costs
`cut_weight * (fee + distance)`. Three kinds of cuts are looked at: backward over the slots, those to the listed
neighbours of the frame that would have come; forward, those from the listed neighbours of the entry; and always those
to or from the cheapest block of the slot, wherever that is, which makes steps to and from forced blocks exact and
lets every block be reached.
What both passes find is what some real chain of blocks costs; it is the least of all chains only up to the cuts that
were not looked at, which the dense pass (dense.py) makes good.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.passes.trellis import Trellis

MOST_KEPT = 150_000_000  # numbers of one pass: 600 MB


def backward_pass(trellis: Trellis, known: Sequence[np.ndarray] = ()) -> tuple[np.ndarray, ...]:
    """S times (N,) float32 cost to go: of each block and of the cheapest that can follow it, from the last slot back.

    Args:
        trellis: S slots of N blocks.
        known: the cost to go in the last slots, if it was found before.
    """
    cost_to_go = list(known)[::-1] or [trellis.costs[-1]]
    for slot in range(trellis.n_slots - len(cost_to_go) - 1, -1, -1):
        trellis.check_stop()
        cost_to_go.append(trellis.costs[slot] + backward_step(trellis, slot, cost_to_go[-1])[0])
    return tuple(cost_to_go[::-1])


@dataclass(frozen=True, eq=False)
class Endings:
    """The cheapest way to the end from every block of every slot."""

    trellis: Trellis
    cost_to_go: tuple[np.ndarray, ...]  # S times (N,) float32

    def trace(self, slot: int, block: int) -> np.ndarray:
        """(S - slot,) the blocks of the cheapest ending: the given block of a slot, and one for each slot after it."""
        return np.array([block, *follow(self.trellis, slot, self.cost_to_go[slot + 1 :], block)])


@dataclass(frozen=True, eq=False)
class BackwardPass:
    """The cost to go, kept in whole for usual lengths, else in parts that are computed again when they are needed."""

    trellis: Trellis
    borders: tuple[int, ...]  # slots where parts begin, and S
    firsts: tuple[np.ndarray, ...]  # (N,) cost to go in the first slot of each part
    whole: tuple[np.ndarray, ...] | None  # S times (N,), if all is kept

    def parts(self) -> Iterator[tuple[int, Sequence[np.ndarray]]]:
        """One part after another, in order of time: its first slot, and (N,) the cost to go in each of its slots."""
        if self.whole is not None:
            yield 0, self.whole
            return
        for number, (first, last) in enumerate(zip(self.borders, self.borders[1:])):
            after = self.firsts[number + 1 : number + 2]
            part = self.trellis.between(first, last + len(after))  # one slot more, whose cost to go is known
            yield first, backward_pass(part, after)[: last - first]

    def trace(self) -> np.ndarray:
        """(S,) the blocks of the cheapest chain."""
        chain: list[int] = []
        for first, cost_to_go in self.parts():
            if not chain:
                chain.append(int(cost_to_go[0].argmin()))
            chain += follow(self.trellis, len(chain) - 1, cost_to_go[len(chain) - first :], chain[-1])
        return np.array(chain)


@dataclass
class Recall:
    """What a search leaves for the next one, which asks for something a little different: its backward pass."""

    back: BackwardPass | None = None

    def of_last_slots(self, trellis: Trellis) -> Sequence[np.ndarray]:
        """(N,) cost to go in each of the last slots, as far as nothing has changed there."""
        old = self.back
        if old is None or old.whole is None or old.trellis.model is not trellis.model:
            return ()
        if _weights(old.trellis.problem) != _weights(trellis.problem):
            return ()
        before, now = _descriptions(old.trellis), _descriptions(trellis)
        return old.whole[old.trellis.n_slots - _n_equal(before[::-1], now[::-1]) :]


def run_backward(trellis: Trellis, recall: Recall | None = None) -> BackwardPass:
    """Run a backward pass; of a long request only so much is kept that all of it can be computed again."""
    if trellis.n_blocks <= MOST_KEPT:
        known = recall.of_last_slots(trellis) if recall is not None else ()
        whole = backward_pass(trellis, known)
        back = BackwardPass(trellis, (0, trellis.n_slots), (whole[0],), whole)
        if recall is not None:
            recall.back = back
        return back
    n_parts = int(np.ceil(np.sqrt(trellis.n_slots)))
    borders = tuple(int(border) for border in np.linspace(0, trellis.n_slots, n_parts + 1))
    cost_to_go, firsts = trellis.costs[-1], list[np.ndarray]()
    for slot in range(trellis.n_slots - 1, -1, -1):
        trellis.check_stop()
        if slot < trellis.n_slots - 1:
            cost_to_go = trellis.costs[slot] + backward_step(trellis, slot, cost_to_go)[0]
        if slot in borders:
            firsts.append(cost_to_go)
    return BackwardPass(trellis, borders, tuple(firsts[::-1]), None)


def backward_step(trellis: Trellis, slot: int, cost_to_go: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One slot backward.

    Args:
        trellis: N blocks.
        slot: to step to.
        cost_to_go: (N,) float32 of the blocks of the slot after it, their own cost included.

    Returns:
        (N,) float32: cost to go after each block, without its own cost; (N,) int32: the block that comes next, -1 where
        none can.
    """
    model, length = trellis.model, trellis.length(slot)
    least, choice = _least(trellis, cost_to_go, 0, len(model.coordinates))
    return _of_block(model, length, least, np.inf), _of_block(model, length, choice, -1)


def forward_step(
    trellis: Trellis, slot: int, paid: np.ndarray, cost_to_go: np.ndarray | None = None, limit: float = np.inf
) -> tuple[np.ndarray, np.ndarray]:
    """One slot forward.

    Args:
        trellis: N blocks.
        slot: to step from.
        paid: (N,) float32: cost so far with each block of the slot, its own included. To begin with a given block only,
            let all others be infinite.
        cost_to_go: (N,) float32 of the blocks of the next slot. If it is given, no cuts are made to blocks through
            which every chain would cost the limit or more: that is faster.
        limit: see `cost_to_go`.

    Returns:
        (N,) float32: cost so far when each block of the next slot begins; (N,) int32: the block that it came from, -1
        where it cannot be reached.
    """
    model, length = trellis.model, trellis.length(slot)
    values = _after_block(model, length, paid)
    cost_so_far, choice = _least(trellis, values, 0, model.n_frames, cost_to_go, limit)
    return cost_so_far, blocks_left(model, length, choice)


def follow(trellis: Trellis, slot: int, cost_to_go: Sequence[np.ndarray], block: int) -> list[int]:
    """The cheapest blocks after a block of a slot, one for each (N,) cost to go of the slots after it."""
    chain = [block]
    for number, values in enumerate(cost_to_go, start=slot):
        leaving = int(trellis.model.following[chain[-1] + trellis.length(number) - 1])
        chain.append(int(_least(trellis, values, leaving, 1)[1][0]))
    return chain[1:]


def blocks_left(model: Model, length: int, frames: np.ndarray) -> np.ndarray:
    """The blocks of a length after which frames would come, made-up frames too; -1 stays."""
    stops = np.concatenate([np.arange(model.n_frames), model.starts[1:]])
    return np.where(frames < 0, -1, stops[frames] - length).astype(np.int32)


def _least(
    trellis: Trellis,
    values: np.ndarray,
    first: int,
    count: int,
    rest: np.ndarray | None = None,
    limit: float = np.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """(R,) the least that it costs frames [first, first + count) to get to a value, and (R,) the frame that has it.

    values (N,) are of entries, seen from the frames that would have come before them; (N + M,) are of frames that would
    have come, made-up ones included, seen from the entries in their place.
    """
    from motionloom.methods.timeline.passes._kernels import relax, relax_from_ends

    least, choice = np.empty(count, np.float32), np.empty(count, np.int32)
    cheapest = int(values.argmin())
    cheapest = cheapest if np.isfinite(values[cheapest]) else -1
    model = trellis.model
    lists, weights = (model.neighbours, model.distances), _weights(trellis.problem)
    rest = rest if rest is not None else np.empty(0, np.float32)
    relax(values, *lists, model.bulk, cheapest, weights, rest, limit, first, least, choice)
    if len(values) > model.n_frames:
        relax_from_ends(values, *lists, model.n_frames, weights, first, least, choice)
    return least, choice


def _of_block(model: Model, length: int, of_following: np.ndarray, otherwise: float) -> np.ndarray:
    """(N,) what holds of a block, from (N + M,) what holds of the frame after it."""
    n = model.n_frames
    whole = np.full(n, otherwise, of_following.dtype)
    whole[: max(n - length, 0)] = of_following[min(length, n) : n]
    long_enough = np.diff(model.starts) >= length
    whole[model.starts[1:][long_enough] - length] = of_following[n:][long_enough]
    return whole


def _after_block(model: Model, length: int, of_block: np.ndarray) -> np.ndarray:
    """(N + M,) what holds of the frame after a block, from (N,) what holds of the block; infinite at other frames."""
    n = model.n_frames
    after = np.full(len(model.coordinates), np.inf, np.float32)
    after[min(length, n) : n] = of_block[: max(n - length, 0)]
    after[model.starts[:-1]] = np.inf  # these come after no block of their own motion
    long_enough = np.diff(model.starts) >= length
    after[n:][long_enough] = of_block[model.starts[1:][long_enough] - length]
    return after


def _weights(problem: Problem) -> tuple[float, float]:
    """What cuts cost."""
    return problem.cut_weight, problem.fee


def _descriptions(trellis: Trellis) -> list[tuple[int, int, dict[str, bytes]]]:
    """What decides the costs of each slot: its length, the block forced there, and the labels painted there."""
    described, slots, problem = [], trellis.slots, trellis.problem
    for start, stop, forced in zip(slots.borders, slots.borders[1:], slots.forced):
        paint = problem.paint[start:stop]
        painted = {problem.labels[label]: paint[:, label].tobytes() for label in np.flatnonzero(paint.any(axis=0))}
        described.append((int(stop - start), int(forced), painted))
    return described


def _n_equal(one: Sequence[object], other: Sequence[object]) -> int:
    """How many of the first are equal."""
    pairs = zip(one, other)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
