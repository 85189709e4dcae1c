"""The two programs over all blocks: what has been spent when a block begins, what is to pay from there to the end.

A step from one block to the next is free where the recording goes on by itself. Else it is a cut, which costs
`cut_weight * (fee + distance)`. Three kinds of cuts are looked at: going back over the slots, those to the listed
neighbours of the frame that would have come; going on, those from the listed neighbours of the entry; and always those
to or from the cheapest block of the slot, wherever that is, which makes steps to and from forced blocks exact and
leaves nobody stranded.
What both programs say is what some real chain of blocks costs; it is the least of all chains only up to the cuts that
were not looked at, which the dense program (dense.py) makes good.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import Slots, all_slot_costs, make_slots
from motionloom.tasks import Stop, check_stop

MOST_KEPT = 150_000_000  # numbers of one program: 600 MB


@dataclass(frozen=True, eq=False)
class Tables:
    """Both programs of one problem; arrays are shared between tables and never written to.

    A block b of slot s is named by its first frame in the model. Infinite: b cannot be in s.
    """

    problem: Problem
    slots: Slots
    costs: tuple[np.ndarray, ...]  # S times (N,) float32: wrong labels of each block in the slot
    spent: tuple[np.ndarray, ...]  # S times (N,) float32: least cost of all before the block, the cut into it included
    to_pay: tuple[np.ndarray, ...]  # S times (N,) float32: cost of the block and least cost of all after it

    def through(self, slot: int) -> np.ndarray:
        """(N,) least cost of a chain that has each block in a slot."""
        return self.spent[slot] + self.to_pay[slot]


def usual_slots(model: Model, problem: Problem) -> Slots:
    """Slots of the usual length; shorter where no motion is that long."""
    longest = int(np.diff(model.starts).max())
    return make_slots(problem, min(model.settings.by_all.block, longest))


def make_tables(model: Model, problem: Problem, stop: Stop | None = None) -> Tables:
    """Run both programs."""
    slots = usual_slots(model, problem)
    costs = all_slot_costs(model, problem, slots)
    to_pay = run_back(model, problem, slots, costs, stop=stop)
    spent = run_on(model, problem, slots, costs, stop=stop)
    return Tables(problem, slots, tuple(costs), tuple(spent), tuple(to_pay))


def update_tables(model: Model, old: Tables, problem: Problem, stop: Stop | None = None) -> Tables:
    """Tables of a changed problem: what was spent before the first change and what is to pay after the last stays."""
    slots = usual_slots(model, problem)
    if (problem.cut_weight, problem.fee) != (old.problem.cut_weight, old.problem.fee):
        return make_tables(model, problem, stop)
    costs = all_slot_costs(model, problem, slots)
    before, now = _descriptions(old.problem, old.slots), _descriptions(problem, slots)
    n_same = _n_equal(before, now)
    n_same_last = _n_equal(before[::-1], now[::-1])
    kept = old.spent[: min(n_same + 1, slots.n_slots, old.slots.n_slots)]
    spent = run_on(model, problem, slots, costs, kept, stop)
    to_pay = run_back(model, problem, slots, costs, old.to_pay[old.slots.n_slots - n_same_last :], stop)
    return Tables(problem, slots, tuple(costs), tuple(spent), tuple(to_pay))


def run_back(
    model: Model,
    problem: Problem,
    slots: Slots,
    costs: Sequence[np.ndarray],
    known: Sequence[np.ndarray] = (),
    stop: Stop | None = None,
) -> list[np.ndarray]:
    """S times (N,) what is to pay, found from the last slot to the first.

    Args:
        model: N frames.
        problem: weights of cuts.
        slots: S.
        costs: S times (N,) of the blocks.
        known: what is to pay in the last slots, if it was found before.
        stop: asked before every slot; if it says so, `Stopped` is raised.
    """
    to_pay = list(known)[::-1] or [costs[-1]]
    for slot in range(slots.n_slots - len(to_pay) - 1, -1, -1):
        check_stop(stop)
        to_pay.append(costs[slot] + step_back(model, problem, int(slots.lengths[slot]), to_pay[-1])[0])
    return to_pay[::-1]


@dataclass(frozen=True, eq=False)
class BackProgram:
    """What is to pay, kept in whole for usual lengths, else in parts that are made again when they are needed."""

    model: Model
    problem: Problem
    slots: Slots
    costs: Sequence[np.ndarray]  # S times (N,)
    borders: tuple[int, ...]  # slots where parts begin, and S
    firsts: tuple[np.ndarray, ...]  # (N,) what is to pay in the first slot of each part
    whole: tuple[np.ndarray, ...] | None  # S times (N,), if all is kept

    def parts(self, stop: Stop | None = None) -> Iterator[tuple[int, Sequence[np.ndarray]]]:
        """One part after another, in order of time: its first slot, and (N,) what is to pay in each of its slots."""
        if self.whole is not None:
            yield 0, self.whole
            return
        for number, (first, last) in enumerate(zip(self.borders, self.borders[1:])):
            slots, after = self.slots.between(first, last), self.firsts[number + 1 : number + 2]
            if after:  # one slot more, whose values are known
                slots = self.slots.between(first, last + 1)
            costs = self.costs[first : first + slots.n_slots]
            yield first, run_back(self.model, self.problem, slots, costs, after, stop)[: last - first]

    def trace(self, stop: Stop | None = None) -> np.ndarray:
        """(S,) the blocks of the cheapest chain."""
        chain: list[int] = []
        for first, to_pay in self.parts(stop):
            if not chain:
                chain.append(int(to_pay[0].argmin()))
            to_come = to_pay[len(chain) - first :]
            lengths = self.slots.lengths[len(chain) - 1 :]
            chain += follow(self.model, self.problem, lengths, to_come, chain[-1])
        return np.array(chain)


@dataclass
class Recall:
    """What a search leaves for the next one, which asks for something a little different: its last program."""

    back: BackProgram | None = None

    def of_last_slots(self, model: Model, problem: Problem, slots: Slots) -> Sequence[np.ndarray]:
        """(N,) what is to pay in each of the last slots, as far as nothing has changed there."""
        old = self.back
        if old is None or old.whole is None or old.model is not model:
            return ()
        if (problem.cut_weight, problem.fee) != (old.problem.cut_weight, old.problem.fee):
            return ()
        before, now = _descriptions(old.problem, old.slots), _descriptions(problem, slots)
        return old.whole[old.slots.n_slots - _n_equal(before[::-1], now[::-1]) :]


def run_back_in_parts(
    model: Model,
    problem: Problem,
    slots: Slots,
    costs: Sequence[np.ndarray],
    stop: Stop | None = None,
    recall: Recall | None = None,
) -> BackProgram:
    """Run back over all slots; of a long request only so much is kept that all of it can be made again."""
    if slots.n_slots * model.n_frames <= MOST_KEPT:
        known = recall.of_last_slots(model, problem, slots) if recall is not None else ()
        whole = run_back(model, problem, slots, costs, known, stop)
        back = BackProgram(model, problem, slots, costs, (0, slots.n_slots), (whole[0],), tuple(whole))
        if recall is not None:
            recall.back = back
        return back
    n_parts = int(np.ceil(np.sqrt(slots.n_slots)))
    borders = tuple(int(border) for border in np.linspace(0, slots.n_slots, n_parts + 1))
    to_pay, firsts = costs[-1], list[np.ndarray]()
    for slot in range(slots.n_slots - 1, -1, -1):
        check_stop(stop)
        if slot < slots.n_slots - 1:
            to_pay = costs[slot] + step_back(model, problem, int(slots.lengths[slot]), to_pay)[0]
        if slot in borders:
            firsts.append(to_pay)
    return BackProgram(model, problem, slots, costs, borders, tuple(firsts[::-1]), None)


def run_on(
    model: Model,
    problem: Problem,
    slots: Slots,
    costs: Sequence[np.ndarray],
    known: Sequence[np.ndarray] = (),
    stop: Stop | None = None,
) -> list[np.ndarray]:
    """S times (N,) what has been spent when a block begins; `known` are the first of them, if found before."""
    spent = list(known) or [np.zeros(model.n_frames, np.float32)]
    for slot in range(len(spent) - 1, slots.n_slots - 1):
        check_stop(stop)
        spent.append(step_on(model, problem, int(slots.lengths[slot]), spent[slot] + costs[slot])[0])
    return spent


def step_back(model: Model, problem: Problem, length: int, to_pay: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One slot back.

    Args:
        model: N frames.
        problem: weights of cuts.
        length: frames of the slot.
        to_pay: (N,) float32 of the blocks of the slot after it, their own cost included.

    Returns:
        (N,) float32: what is to pay after each block, without its own cost; (N,) int32: the block that comes next, -1
        where none can.
    """
    least, choice = _least(model, problem, to_pay, 0, len(model.coordinates))
    return _of_block(model, length, least, np.inf), _of_block(model, length, choice, -1)


def step_on(
    model: Model,
    problem: Problem,
    length: int,
    paid: np.ndarray,
    to_pay: np.ndarray | None = None,
    limit: float = np.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """One slot on.

    Args:
        model: N frames.
        problem: weights of cuts.
        length: frames of the slot.
        paid: (N,) float32: what has been spent with each block of the slot, its own cost included. To begin with a
            given block only, let all others be infinite.
        to_pay: (N,) float32 of the blocks of the next slot. If it is given, no cuts are made to blocks through which
            every chain would cost the limit or more: that is faster.
        limit: see `to_pay`.

    Returns:
        (N,) float32: what has been spent when each block of the next slot begins; (N,) int32: the block that it came
        from, -1 where it cannot be reached.
    """
    values = _after_block(model, length, paid)
    spent, choice = _least(model, problem, values, 0, model.n_frames, to_pay, limit)
    return spent, blocks_left(model, length, choice)


def trace_on(model: Model, tables: Tables, slot: int, block: int) -> np.ndarray:
    """(S - slot,) the blocks of the cheapest ending: the given block of a slot, and one for each slot after it."""
    lengths, to_come = tables.slots.lengths[slot:], tables.to_pay[slot + 1 :]
    return np.array([block, *follow(model, tables.problem, lengths, to_come, block)])


def follow(model: Model, problem: Problem, lengths: np.ndarray, to_pay: Sequence[np.ndarray], block: int) -> list[int]:
    """The cheapest blocks after a block, one for each (N,) array of what is to pay.

    lengths: of the slot of the block, and of the slots after it.
    """
    chain = [block]
    for length, values in zip(lengths, to_pay):
        leaving = int(model.following[chain[-1] + length - 1])
        chain.append(int(_least(model, problem, values, leaving, 1)[1][0]))
    return chain[1:]


def trace_back(model: Model, tables: Tables, slot: int, block: int) -> np.ndarray:
    """(slot + 1,) the blocks of the cheapest beginning: one for each slot before, and the given block of the slot."""
    chain = [block]
    for s in range(slot - 1, -1, -1):
        length = int(tables.slots.lengths[s])
        values = _after_block(model, length, tables.spent[s] + tables.costs[s])
        frame = _least(model, tables.problem, values, chain[-1], 1)[1]
        chain.append(int(blocks_left(model, length, frame)[0]))
    return np.array(chain[::-1])


def blocks_left(model: Model, length: int, frames: np.ndarray) -> np.ndarray:
    """The blocks of a length after which frames would come, made-up frames too; -1 stays."""
    stops = np.concatenate([np.arange(model.n_frames), model.starts[1:]])
    return np.where(frames < 0, -1, stops[frames] - length).astype(np.int32)


def _least(
    model: Model,
    problem: Problem,
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
    lists, weights = (model.neighbours, model.distances), (problem.cut_weight, problem.fee)
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


def _descriptions(problem: Problem, slots: Slots) -> list[tuple[int, int, dict[str, bytes]]]:
    """What decides the costs of each slot: its length, the block forced there, and the labels painted there."""
    described = []
    for start, stop, forced in zip(slots.borders, slots.borders[1:], slots.forced):
        paint = problem.paint[start:stop]
        painted = {problem.labels[label]: paint[:, label].tobytes() for label in np.flatnonzero(paint.any(axis=0))}
        described.append((int(stop - start), int(forced), painted))
    return described


def _n_equal(one: Sequence[object], other: Sequence[object]) -> int:
    """How many of the first are equal."""
    pairs = zip(one, other)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
