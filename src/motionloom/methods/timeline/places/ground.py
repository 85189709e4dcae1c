"""Where blocks are on the ground: how far each moves on, and where its best ending is at the next places."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import Slots
from motionloom.methods.timeline.passes.forward_backward import Endings, backward_step
from motionloom.methods.timeline.passes.trellis import Trellis
from motionloom.motion.placement import turn_ground


@dataclass(frozen=True, eq=False)
class PlaceLeg:
    """The leg from one slot with places to the next, or from the start to the first: what is known before searching."""

    first: int  # slot
    last: int  # slot with the places
    places: np.ndarray  # (G, 5) metres along x and z, radians, price of a metre, of a radian
    ahead: tuple[np.ndarray, ...]  # of slots [first, last]: (N, G, 3) float32 where the best ending is at the places


@dataclass(frozen=True, eq=False)
class BlockMoves:
    """How far blocks of one length move on."""

    moves: np.ndarray  # (N, 5) float32 metres to the left and ahead, radians, cosine and sine; 0 if it is too long
    leaving: np.ndarray  # (N,) int: the frame that would come after the block


def find_legs(endings: Endings, moves: dict[int, BlockMoves]) -> list[PlaceLeg]:
    """The legs of a problem, with where the cheapest endings lead."""
    from motionloom.methods.timeline.places._kernels import carry_back

    trellis, legs, first = endings.trellis, list[PlaceLeg](), 0
    for last, numbers in place_slots(trellis.problem, trellis.slots):
        ahead = [_ahead_in_slot(trellis, last, numbers)]
        for slot in range(last - 1, first - 1, -1):
            trellis.check_stop()
            after = backward_step(trellis, slot, endings.cost_to_go[slot + 1])[1]
            ahead.append(carry_back(ahead[-1], after, moves[trellis.length(slot)].moves))
        legs.append(PlaceLeg(first, last, place_rows(trellis.model, trellis.problem, numbers), tuple(ahead[::-1])))
        first = last
    return legs


def place_slots(problem: Problem, slots: Slots) -> list[tuple[int, list[int]]]:
    """The slots with places, in order, and the numbers of their places."""
    of_place = np.searchsorted(slots.borders, [place.frame for place in problem.places], side="right") - 1
    return [(int(slot), np.flatnonzero(of_place == slot).tolist()) for slot in np.unique(of_place)]


def place_rows(model: Model, problem: Problem, numbers: Sequence[int]) -> np.ndarray:
    """(G, 5) some places: metres along x and z, radians, price of a metre, of a radian; 0 where it is not asked for."""
    rows = np.zeros((len(numbers), 5))
    for row, number in zip(rows, numbers):
        place = problem.places[number]
        price = model.settings.place_miss * place.weight
        if place.position is not None:
            row[:2], row[3] = place.position, price
        if place.heading is not None:
            row[2], row[4] = place.heading, price * model.settings.heading_miss
    return rows


def find_block_moves(model: Model, slots: Slots) -> dict[int, BlockMoves]:
    """How far blocks move on, for every length that slots have."""
    return {int(length): _moves_of(model, int(length)) for length in np.unique(slots.lengths)}


def seen_from(model: Model, blocks: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """(C, 3) metres to the left and ahead and radians: where (C,) frames are, seen from (C,) blocks' beginnings."""
    begins, there = model.facings[blocks], model.facings[frames]
    ground = turn_ground(there[:, :2] - begins[:, :2], -begins[:, 2])
    return np.column_stack([ground, there[:, 2] - begins[:, 2]])


def _moves_of(model: Model, length: int) -> BlockMoves:
    blocks = np.flatnonzero(np.arange(model.n_frames) + length <= model.stops)
    moves, leaving = np.zeros((model.n_frames, 5), np.float32), np.zeros(model.n_frames, np.int64)
    leaving[blocks] = model.following[blocks + length - 1]
    moves[blocks, :3] = seen_from(model, blocks, leaving[blocks])
    moves[:, 3], moves[:, 4] = np.cos(moves[:, 2]), np.sin(moves[:, 2])
    return BlockMoves(moves, leaving)


def _ahead_in_slot(trellis: Trellis, slot: int, numbers: Sequence[int]) -> np.ndarray:
    """(N, G, 3) float32 where blocks are at the places of their own slot, seen from where they begin."""
    blocks = np.flatnonzero(np.isfinite(trellis.costs[slot]))
    ahead = np.zeros((trellis.model.n_frames, len(numbers), 3), np.float32)
    for row, number in enumerate(numbers):
        frames = blocks + trellis.problem.places[number].frame - trellis.slots.borders[slot]
        ahead[blocks, row] = seen_from(trellis.model, blocks, frames)
    return ahead
