"""Joining beginnings with endings so that motions pass their places (Arikan et al. 2003, 3.4, for all motions at once).

The program that runs on knows the best beginning that ends with each block, and carries where it arrives on the ground.
The program that runs back knows the best ending from each block, and where that leads, seen from there. So every
beginning can be joined with every ending that it can go on with: what such a motion costs and how far it is from its
place are known at once. The paper does so with a pool of 20 motions; here the pool is all that the programs know.

One join is often not enough: to walk to a place behind one's back takes a turn that nobody makes without the place. So
the program that runs on may look ahead. It then chooses beginnings by what was spent and a share of what missing the
place would cost if the best ending followed. With a share of 0 it finds the best single join of the two programs; with
more, every block of a beginning may be a join.

With several places one comes after another. For every block of the slot with a place the best motion up to it is kept,
the place included; from those the program runs on to the next place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.passes.forward_backward import Tables, step_on, trace_on
from motionloom.methods.timeline.places.ground import Stage, Steps
from motionloom.tasks import Stop, check_stop

SLACK = 40.0  # wrong frames by which a motion up to a place, other than the last, may be worse than the best one


@dataclass(frozen=True, eq=False)
class Beginnings:
    """The best motions up to each block of a slot."""

    spent: np.ndarray  # (N,) float32: least cost of all before the block, with the places before the slot's own
    arrivals: np.ndarray  # (N, 3) float32 metres along x and z, radians: where the block begins
    before: tuple[np.ndarray, ...]  # of each slot from the second on: (N,) int32 the block of the slot before; -1: none


@dataclass(frozen=True, eq=False)
class Joined:
    """The best motion of one run: a beginning up to a block of a slot, and the best ending from a block of the next."""

    cost: float
    slot: int
    block: int
    entry: int


def join(
    model: Model,
    tables: Tables,
    stages: Sequence[Stage],
    steps: dict[int, Steps],
    share: float,
    limit: float = np.inf,
    stop: Stop | None = None,
) -> tuple[float, np.ndarray] | None:
    """The best motion that joining finds: what it costs and its (S,) blocks; None if none costs less than the limit.

    Args:
        model: N frames.
        tables: of the problem; what was spent is not needed.
        stages: from `find_stages`.
        steps: from `find_steps`.
        share: of what missing the next place would cost, by which beginnings are chosen: 0 to 1.
        limit: what another motion costs that is known.
        stop: asked at every slot; if it says so, `Stopped` is raised.
    """
    start = tables.problem.start
    arrivals = np.tile(np.array([*start.slide, start.heading], np.float32), (model.n_frames, 1))
    begin = Beginnings(np.zeros(model.n_frames, np.float32), arrivals, ())
    for stage in stages[:-1]:
        begin, _ = _run_stage(model, tables, stage, steps, begin, share, limit, SLACK, stop)
        priced = _price_stage(stage, begin)
        begin = Beginnings(priced, begin.arrivals, begin.before)
    last = stages[-1]
    begin, best = _run_stage(model, tables, last, steps, begin, share, limit, 0.0, stop)
    if last.first == last.last:  # nothing is left to join before the places
        total = _price_stage(last, begin) + tables.to_pay[last.last]
        best = Joined(float(total.min()), last.last, int(total.argmin()), -1)
    return (best.cost, _trace(model, tables, begin, best)) if best.cost < limit else None


def _run_stage(
    model: Model,
    tables: Tables,
    stage: Stage,
    steps: dict[int, Steps],
    begin: Beginnings,
    share: float,
    limit: float,
    slack: float,
    stop: Stop | None,
) -> tuple[Beginnings, Joined]:
    """The beginnings of the last slot of a stage, from those of the first; and the best motion met on the way."""
    from motionloom.methods.timeline.places._kernels import carry_on, join_all, price_all

    lists = model.neighbours, model.distances, (tables.problem.cut_weight, tables.problem.fee)
    best = Joined(np.inf, -1, -1, -1)
    for slot, ahead in zip(range(stage.first, stage.last), stage.ahead[1:]):
        check_stop(stop)
        length, to_pay = int(tables.slots.lengths[slot]), tables.to_pay[slot + 1]
        moves, paid = steps[length], begin.spent + tables.costs[slot]
        spent, before = step_on(model, tables.problem, length, paid, to_pay, limit)
        arrivals = carry_on(begin.arrivals, before, moves.steps)
        keys = price_all(spent, arrivals, ahead, stage.places, share)
        known, better = (paid, begin.arrivals, moves.steps, moves.leaving), (keys, spent, before, arrivals)
        cost, block, entry = join_all(*known, *lists, to_pay, ahead, stage.places, share, limit, *better)
        begin = Beginnings(spent, arrivals, (*begin.before, before))
        if cost < best.cost:
            best = Joined(cost, slot, block, entry)
            limit = min(limit, cost + slack)
    return begin, best


def _price_stage(stage: Stage, begin: Beginnings) -> np.ndarray:
    """(N,) what was spent before each block of the last slot of a stage, its places included."""
    from motionloom.methods.timeline.places._kernels import price_all

    return price_all(begin.spent, begin.arrivals, stage.ahead[-1], stage.places, 1.0)


def _trace(model: Model, tables: Tables, begin: Beginnings, joined: Joined) -> np.ndarray:
    """(S,) the blocks of a motion."""
    chain = [joined.block]
    for before in begin.before[: joined.slot][::-1]:
        chain.append(int(before[chain[-1]]))
    entry, slot = (joined.entry, joined.slot + 1) if joined.entry >= 0 else (chain.pop(0), joined.slot)
    return np.array([*chain[::-1], *trace_on(model, tables, slot, entry)])
