"""Joining beginnings with endings so that motions pass their places (Arikan et al. 2003, 3.4, for all motions at once).

The forward pass knows the best beginning that ends with each block, and carries where it arrives on the ground. The
backward pass knows the best ending from each block, and where that leads, seen from there. So every beginning can be
joined with every ending that it can go on with: what such a motion costs and how far it is from its place are known at
once. The paper does so with a pool of 20 motions; here the pool is all that the passes know.

One join is often not enough: to walk to a place behind one's back takes a turn that none makes without the place. So
the forward pass may look ahead. It then chooses beginnings by the cost so far and a share of what missing the place
would cost if the best ending followed. With a share of 0 it finds the best single join of the two passes; with more,
every block of a beginning may be a join.

With several places one comes after another. For every block of the slot with a place the best motion up to it is kept,
the place included; from those the forward pass goes on to the next place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.passes.forward_backward import Endings, forward_step
from motionloom.methods.timeline.places.ground import BlockMoves, PlaceLeg

SLACK = 40.0  # wrong frames by which a motion up to a place, other than the last, may be worse than the best one


@dataclass(frozen=True, eq=False)
class Beginnings:
    """The best motions up to each block of a slot."""

    cost_so_far: np.ndarray  # (N,) float32: least cost of all before the block, with the places before the slot's own
    arrivals: np.ndarray  # (N, 3) float32 metres along x and z, radians: where the block begins
    before: tuple[np.ndarray, ...]  # of each slot from the second on: (N,) int32 the block of the slot before; -1: none


@dataclass(frozen=True, eq=False)
class JoinedChain:
    """The best motion of one run: a beginning up to a block of a slot, and the best ending from a block of the next."""

    cost: float
    slot: int
    block: int
    entry: int


def join(
    endings: Endings, legs: Sequence[PlaceLeg], moves: dict[int, BlockMoves], share: float, limit: float = np.inf
) -> tuple[float, np.ndarray] | None:
    """The best motion that joining finds: what it costs and its (S,) blocks; None if none costs less than the limit.

    Args:
        endings: of the problem.
        legs: from `find_legs`.
        moves: from `find_block_moves`.
        share: of what missing the next place would cost, by which beginnings are chosen: 0 to 1.
        limit: what another motion costs that is known.
    """
    n_frames, start = endings.trellis.model.n_frames, endings.trellis.problem.start
    arrivals = np.tile(np.array([*start.slide, start.heading], np.float32), (n_frames, 1))
    begin = Beginnings(np.zeros(n_frames, np.float32), arrivals, ())
    for leg in legs[:-1]:
        begin, _ = _run_leg(endings, leg, moves, begin, share, limit, SLACK)
        priced = _price_leg(leg, begin)
        begin = Beginnings(priced, begin.arrivals, begin.before)
    last = legs[-1]
    begin, best = _run_leg(endings, last, moves, begin, share, limit, 0.0)
    if last.first == last.last:  # nothing is left to join before the places
        total = _price_leg(last, begin) + endings.cost_to_go[last.last]
        best = JoinedChain(float(total.min()), last.last, int(total.argmin()), -1)
    return (best.cost, _trace(endings, begin, best)) if best.cost < limit else None


def _run_leg(
    endings: Endings,
    leg: PlaceLeg,
    moves: dict[int, BlockMoves],
    begin: Beginnings,
    share: float,
    limit: float,
    slack: float,
) -> tuple[Beginnings, JoinedChain]:
    """The beginnings of the last slot of a leg, from those of the first; and the best motion met on the way."""
    from motionloom.methods.timeline.places._kernels import carry_on, join_all, price_all

    trellis = endings.trellis
    model, problem = trellis.model, trellis.problem
    lists = model.neighbours, model.distances, (problem.cut_weight, problem.fee)
    best = JoinedChain(np.inf, -1, -1, -1)
    for slot, ahead in zip(range(leg.first, leg.last), leg.ahead[1:]):
        trellis.check_stop()
        cost_to_go = endings.cost_to_go[slot + 1]
        moved, paid = moves[trellis.length(slot)], begin.cost_so_far + trellis.costs[slot]
        cost_so_far, before = forward_step(trellis, slot, paid, cost_to_go, limit)
        arrivals = carry_on(begin.arrivals, before, moved.moves)
        keys = price_all(cost_so_far, arrivals, ahead, leg.places, share)
        known, better = (paid, begin.arrivals, moved.moves, moved.leaving), (keys, cost_so_far, before, arrivals)
        cost, block, entry = join_all(*known, *lists, cost_to_go, ahead, leg.places, share, limit, *better)
        begin = Beginnings(cost_so_far, arrivals, (*begin.before, before))
        if cost < best.cost:
            best = JoinedChain(cost, slot, block, entry)
            limit = min(limit, cost + slack)
    return begin, best


def _price_leg(leg: PlaceLeg, begin: Beginnings) -> np.ndarray:
    """(N,) cost so far before each block of the last slot of a leg, its places included."""
    from motionloom.methods.timeline.places._kernels import price_all

    return price_all(begin.cost_so_far, begin.arrivals, leg.ahead[-1], leg.places, 1.0)


def _trace(endings: Endings, begin: Beginnings, joined: JoinedChain) -> np.ndarray:
    """(S,) the blocks of a motion."""
    chain = [joined.block]
    for before in begin.before[: joined.slot][::-1]:
        chain.append(int(before[chain[-1]]))
    entry, slot = (joined.entry, joined.slot + 1) if joined.entry >= 0 else (chain.pop(0), joined.slot)
    return np.array([*chain[::-1], *endings.trace(slot, entry)])
