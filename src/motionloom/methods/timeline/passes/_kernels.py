"""One step of a pass, from slot to slot, over all frames of a model or over active blocks."""

import numba
import numpy as np

FAST = {"contract", "reassoc", "nsz", "arcp", "nnan"}
N_CHEAP = 8  # of the cheapest blocks before, which others are held against


@numba.njit(cache=True, nogil=True)
def relax(
    values: np.ndarray,
    neighbours: np.ndarray,
    distances: np.ndarray,
    points: np.ndarray,
    cheapest: int,
    weights: tuple[float, float],
    rest: np.ndarray,
    limit: float,
    first: int,
    out: np.ndarray,
    choice: np.ndarray,
) -> None:
    """Fill out (R,) and choice (R,): for frame first + r the least of values[j] and what it costs to get to j.

    It costs nothing to stay at the frame itself, and weight * (fee + distance), with weights (weight, fee), to get to
    one of its neighbours, nearest first, or to the frame `cheapest`, which has the least value of all: -1 if none is
    finite. values (V,) float32 may cover fewer frames than there are, or more. The rest of a list is passed over where
    not even the least value would help. Frames get no cut at all if with it and rest (R,), or (0,) for none, they would
    come to the limit.
    """
    by, flat = np.float32(weights[0]), np.float32(weights[1])
    least = values[cheapest] if cheapest >= 0 else np.float32(np.inf)
    for r in range(len(out)):
        x = first + r
        best = values[x] if x < len(values) else np.float32(np.inf)
        pick = x if best < np.inf else -1
        if len(rest) > 0 and least + by * flat + rest[r] >= limit:
            out[r], choice[r] = best, pick
            continue
        for k in range(neighbours.shape[1]):
            price = by * (flat + distances[x, k])
            if least + price >= best:  # so it is for all that are farther
                break
            j = neighbours[x, k]
            if j < len(values) and values[j] + price < best:
                best, pick = values[j] + price, j
        if cheapest >= 0 and least + by * flat < best:
            square = np.float32(0.0)
            for p in range(points.shape[1]):
                gap = points[x, p] - points[cheapest, p]
                square += gap * gap
            price = least + by * (flat + np.sqrt(square))
            if price < best:
                best, pick = price, cheapest
        out[r], choice[r] = best, pick


@numba.njit(cache=True, nogil=True)
def relax_from_ends(
    values: np.ndarray,
    neighbours: np.ndarray,
    distances: np.ndarray,
    n_frames: int,
    weights: tuple[float, float],
    first: int,
    out: np.ndarray,
    choice: np.ndarray,
) -> None:
    """Improve out (R,) of frames from first on by what comes from the made-up frames after the ends of motions.

    They are in no list, so their own lists are gone through: values (N + M,), of which the last M are theirs.
    """
    by, flat = np.float32(weights[0]), np.float32(weights[1])
    for end in range(n_frames, len(values)):
        for k in range(neighbours.shape[1]):
            if not distances[end, k] < np.inf:
                break
            r = neighbours[end, k] - first
            cost = values[end] + by * (flat + distances[end, k])
            if 0 <= r < len(out) and cost < out[r]:
                out[r], choice[r] = cost, end


@numba.njit(cache=True, nogil=True, error_model="numpy")
def cheapest_cuts(
    values: np.ndarray,
    entries: np.ndarray,
    ends: np.ndarray,
    weights: tuple[float, float],
    least: np.ndarray,
    choice: np.ndarray,
) -> None:
    """Improve least (R,) by the cheapest cut to any of E entries, values[j] + weight * (fee + distance).

    values (E,) ascending. entries (E, P), ends (R, P): the points between which distances are, the most important
    numbers first: a pair is left as soon as it is too far. choice (R,): which j it is, where one is cheaper.
    """
    weight, fee = weights
    n_fours = ends.shape[1] // 4 * 4
    for r in range(len(ends)):
        best, pick, end = least[r], choice[r], ends[r]
        for j in range(len(values)):
            allowed = (best - values[j]) / weight - fee  # the distance of equal cost
            if not allowed > 0:  # nor where cuts cost nothing and both are equal, which divides 0 by 0
                break
            bound, entry = allowed * allowed, entries[j]
            square, p = 0.0, 0
            while p < n_fours and square < bound:
                a, b, c, d = (
                    end[p] - entry[p],
                    end[p + 1] - entry[p + 1],
                    end[p + 2] - entry[p + 2],
                    end[p + 3] - entry[p + 3],
                )
                square += (a * a + b * b) + (c * c + d * d)
                p += 4
            if square >= bound:
                continue
            for q in range(n_fours, len(end)):
                square += (end[q] - entry[q]) ** 2
            if square < bound:
                best, pick = values[j] + weight * (fee + np.sqrt(square)), j
        least[r], choice[r] = best, pick


@numba.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def enter_blocks(
    exits: np.ndarray,
    after: np.ndarray,
    paid: np.ndarray,
    cheapest: np.ndarray,
    entries: np.ndarray,
    blocks: np.ndarray,
    weight: float,
    fee: float,
    squares: np.ndarray,
    best: np.ndarray,
    come_from: np.ndarray,
) -> None:
    """Fill best (C,) and come_from (C,): how a slot is entered at each of its blocks for the least cost.

    exits (A, P): coordinates of what would come after each block of the slot before; after (A,) its frame; paid (A,)
    what it costs up to there; cheapest (A,) all of them, in order of paid. entries (P, C): coordinates of the first
    frame of each block; blocks (C,) that frame. squares (C,): room.

    A cut from a block never costs less than one from a cheaper block that saves more than the cuts can differ by, which
    is the distance between the two exits: such blocks only go on without a cut. About half of all are.
    """
    n_before, n_blocks, n_axes = len(paid), np.uintp(len(blocks)), np.uintp(exits.shape[1])
    best[:] = np.inf
    for rank in range(n_before):
        i = cheapest[rank]
        is_worse = False
        for other in range(min(rank, N_CHEAP)):
            gap, k = 0.0, cheapest[other]
            for axis in range(n_axes):
                gap += (exits[i, axis] - exits[k, axis]) * (exits[i, axis] - exits[k, axis])
            is_worse = is_worse or paid[k] + weight * np.sqrt(gap) <= paid[i]
        if not is_worse:
            squares[:] = 0.0
            for axis in range(n_axes):  # one short loop each: they run on several blocks at once
                there, here = exits[i, axis], entries[axis]
                for j in range(n_blocks):
                    squares[j] += (here[j] - there) * (here[j] - there)
            base = paid[i] + weight * fee
            for j in range(n_blocks):
                cost = base + weight * np.sqrt(squares[j])
                if cost < best[j]:
                    best[j] = cost
                    come_from[j] = i
        for j in range(n_blocks):
            if blocks[j] == after[i] and paid[i] < best[j]:  # no cut
                best[j] = paid[i]
                come_from[j] = i
