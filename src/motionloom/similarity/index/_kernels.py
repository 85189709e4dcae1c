"""Compiled loops of the index of nearest frames; their plain twins are in the tests.

Which segments are worth a comparison is decided in float32, distances of frames in float64. Those are added up
in the same order everywhere, without contraction: two equal frames are equally far from a third, to the last bit,
whichever loop compares them.
"""

import numba
import numpy as np

from motionloom.similarity.index.cells import Cells

CHUNK = 32  # segments compared at once: their frames stay in the fastest memory
ROUNDING = 1e-4  # share of a distance in float32 that may be rounding, many times over
BUCKETS = 1 << 12  # of numbers that agree in their exponent and the 4 bits after it


@numba.njit(cache=True, nogil=True)
def begin_segments(steps: np.ndarray, starts: np.ndarray, longest: int, most: float) -> np.ndarray:
    """(F,) bool: frames that begin a segment, which has `longest` frames and goes as far as `most` in all, or less.

    steps (F,): how far each frame is from the one before; starts (M + 1,) of motions.
    """
    begins = np.zeros(len(steps), np.bool_)
    for m in range(len(starts) - 1):
        first, path = starts[m], 0.0
        begins[first] = True
        for frame in range(starts[m] + 1, starts[m + 1]):
            path += steps[frame]
            if frame - first == longest or path > most:
                first, path = frame, 0.0
                begins[first] = True
    return begins


@numba.njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")
def _squares_to_lanes(point: np.ndarray, lanes: np.ndarray, out: np.ndarray) -> None:
    """Fill out (L,) with the squared distances of a point (P,) to lanes (P, L), all float32; out may be longer."""
    n_lanes, n_axes = np.uintp(lanes.shape[1]), np.uintp(len(point))
    out[:n_lanes] = np.float32(0.0)
    fours = n_axes - n_axes % np.uintp(4)
    for p in range(np.uintp(0), fours, np.uintp(4)):  # four at a time: fewer passes over out
        a, b, c, d = point[p], point[p + 1], point[p + 2], point[p + 3]
        one, two, three, four = lanes[p], lanes[p + 1], lanes[p + 2], lanes[p + 3]
        for j in range(n_lanes):
            w, x, y, z = one[j] - a, two[j] - b, three[j] - c, four[j] - d
            out[j] += (w * w + x * x) + (y * y + z * z)
    for p in range(fours, n_axes):
        a, one = point[p], lanes[p]
        for j in range(n_lanes):
            w = one[j] - a
            out[j] += w * w


@numba.njit(cache=True, nogil=True)
def _square(points: np.ndarray, q: int, coordinates: np.ndarray, frame: int) -> float:
    """The squared distance of a point and a frame. Rows are not cut out: views are counted, by all threads in turn."""
    n_axes = points.shape[1]
    fours, total = n_axes - n_axes % 4, 0.0
    for p in range(0, fours, 4):
        w, x = coordinates[frame, p] - points[q, p], coordinates[frame, p + 1] - points[q, p + 1]
        y, z = coordinates[frame, p + 2] - points[q, p + 2], coordinates[frame, p + 3] - points[q, p + 3]
        total += (w * w + x * x) + (y * y + z * z)
    for p in range(fours, n_axes):
        w = coordinates[frame, p] - points[q, p]
        total += w * w
    return total


@numba.njit(cache=True, nogil=True)
def _exact_squares(points: np.ndarray, q: int, room: np.ndarray, n_frames: int, out: np.ndarray) -> None:
    """Fill out (n_frames,) with the squared distances of a point to room (P, N), to the bit as `_square` does."""
    n, n_axes = np.uintp(n_frames), np.uintp(points.shape[1])
    out[:n_frames] = 0.0
    fours = n_axes - n_axes % np.uintp(4)
    for p in range(np.uintp(0), fours, np.uintp(4)):
        a, b, c, d = points[q, p], points[q, p + 1], points[q, p + 2], points[q, p + 3]
        one, two, three, four = room[p], room[p + 1], room[p + 2], room[p + 3]
        for j in range(n):
            w, x, y, z = one[j] - a, two[j] - b, three[j] - c, four[j] - d
            out[j] += (w * w + x * x) + (y * y + z * z)
    for p in range(fours, n_axes):
        a, one = points[q, p], room[p]
        for j in range(n):
            w = one[j] - a
            out[j] += w * w


@numba.njit(cache=True, nogil=True)
def _is_farther(value: float, frame: int, other_value: float, other_frame: int) -> bool:
    return value > other_value or (value == other_value and frame > other_frame)


@numba.njit(cache=True, nogil=True)
def _replace_farthest(values: np.ndarray, frames: np.ndarray, q: int, value: float, frame: int, n_kept: int) -> None:
    """Let the first of heap q go, which is the farthest, and sink another to its place."""
    at = 0
    while True:
        child = 2 * at + 1
        if child + 1 < n_kept and _is_farther(
            values[q, child + 1], frames[q, child + 1], values[q, child], frames[q, child]
        ):
            child += 1
        if child >= n_kept or not _is_farther(values[q, child], frames[q, child], value, frame):
            break
        values[q, at], frames[q, at] = values[q, child], frames[q, child]
        at = child
    values[q, at], frames[q, at] = value, frame


@numba.njit(cache=True, nogil=True)
def _make_heap(points: np.ndarray, q: int, coordinates: np.ndarray, values: np.ndarray, frames: np.ndarray) -> None:
    """Make heap q of the frames listed so far, -1 where there is none, and of their squared distances."""
    listed = frames[q].copy()
    values[q] = np.inf
    frames[q] = -1
    for frame in listed:
        if frame >= 0:
            _replace_farthest(values, frames, q, _square(points, q, coordinates, frame), frame, len(listed))


@numba.njit(cache=True, nogil=True)
def _sort_heap(values: np.ndarray, frames: np.ndarray, q: int) -> None:
    """Sort heap q in place, the nearest first."""
    for n_left in range(values.shape[1] - 1, 0, -1):
        value, frame = values[q, n_left], frames[q, n_left]
        values[q, n_left], frames[q, n_left] = values[q, 0], frames[q, 0]
        _replace_farthest(values, frames, q, value, frame, n_left)


@numba.njit(cache=True, nogil=True)
def _is_lowest_around(
    points: np.ndarray, q: int, coordinates: np.ndarray, frame: int, value: float, apart: int, start: int, stop: int
) -> bool:
    """Whether a frame of the motion [start, stop) is nearest within `apart` frames; of equally near ones the first.

    Neighbours in time are compared from the nearest on, because those decide most often; as in `_square`, but here,
    because every call that hands on arrays counts them.
    """
    n_axes = points.shape[1]
    fours = n_axes - n_axes % 4
    for turn in range(2, 2 * apart + 2):
        other = frame - turn // 2 if turn % 2 == 0 else frame + turn // 2
        if other < start or other >= stop:
            continue
        total = 0.0
        for p in range(0, fours, 4):
            w, x = coordinates[other, p] - points[q, p], coordinates[other, p + 1] - points[q, p + 1]
            y, z = coordinates[other, p + 2] - points[q, p + 2], coordinates[other, p + 3] - points[q, p + 3]
            total += (w * w + x * x) + (y * y + z * z)
        for p in range(fours, n_axes):
            w = coordinates[other, p] - points[q, p]
            total += w * w
        if total < value or (total == value and other < frame):
            return False
    return True


@numba.njit(cache=True, nogil=True)
def _is_listed(frames: np.ndarray, q: int, frame: int) -> bool:
    found = False
    for k in range(frames.shape[1]):
        found |= frames[q, k] == frame
    return found


@numba.njit(cache=True, nogil=True)
def _offer(
    points: np.ndarray,
    q: int,
    excluded: np.ndarray,
    squares: np.ndarray,
    offered: np.ndarray,
    n_offered: int,
    coordinates: np.ndarray,
    ranges: np.ndarray,
    apart: int,
    values: np.ndarray,
    frames: np.ndarray,
) -> None:
    """Put the frames offered, at squared distances, into the heap of point q where they are minima along time."""
    for j in range(n_offered):
        value, frame = squares[j], offered[j]
        if value > values[q, 0] or (value == values[q, 0] and frame >= frames[q, 0]):
            continue
        start, stop = ranges[frame, 0], ranges[frame, 1]
        if j > 0 and offered[j - 1] == frame - 1 and frame > start and squares[j - 1] <= value:
            continue
        if j + 1 < n_offered and offered[j + 1] == frame + 1 and frame + 1 < stop and squares[j + 1] < value:
            continue
        if excluded[q, 0] <= frame < excluded[q, 1]:
            continue
        is_lowest = _is_lowest_around(points, q, coordinates, frame, value, apart, start, stop)
        if is_lowest and not _is_listed(frames, q, frame):
            _replace_farthest(values, frames, q, value, frame, values.shape[1])


@numba.njit(cache=True, nogil=True)
def _compare(
    points: np.ndarray,
    excluded: np.ndarray,
    here: tuple,
    segments: np.ndarray,
    n_segments: int,
    cells: Cells,
    apart: int,
    values: np.ndarray,
    frames: np.ndarray,
    scratch: tuple,
) -> None:
    """Offer all frames of some segments to each point of the range `here`."""
    room, offered, squares = scratch
    borders, coordinates, ranges = cells.borders, cells.coordinates, cells.ranges
    n_offered = 0
    for i in range(n_segments):
        for frame in range(borders[segments[i]], borders[segments[i] + 1]):
            for p in range(coordinates.shape[1]):
                room[p, n_offered] = coordinates[frame, p]
            offered[n_offered] = frame
            n_offered += 1
    for q in range(here[0], here[1]):
        _exact_squares(points, q, room, n_offered, squares)
        _offer(points, q, excluded, squares, offered, n_offered, coordinates, ranges, apart, values, frames)


@numba.njit(cache=True, nogil=True)
def _make_scratch(cells: Cells) -> tuple:
    size = CHUNK * np.diff(cells.borders).max()
    return np.empty((cells.coordinates.shape[1], size)), np.empty(size, np.int64), np.empty(size)


@numba.njit(cache=True, nogil=True)
def _farthest_listed(values: np.ndarray, here: tuple) -> float:
    """The distance that a frame must be within to get into one of some heaps."""
    worst = 0.0
    for q in range(here[0], here[1]):
        worst = max(worst, values[q, 0])
    return np.sqrt(worst)


@numba.njit(cache=True, nogil=True)
def _compare_near(
    points: np.ndarray,
    excluded: np.ndarray,
    here: tuple,
    radius: float,
    listed: np.ndarray,
    least: np.ndarray,
    order: np.ndarray,
    cells: Cells,
    apart: int,
    values: np.ndarray,
    frames: np.ndarray,
    scratch: tuple,
) -> int:
    """Compare a group of points, the range `here`, with the segments that may hold frames for its heaps; how many.

    listed and least: segments, and the least distance at which they may have frames, seen from the middle of the group,
    whose points are within a radius of it; order: of these, those to look at, in this order.
    """
    chunk, n_chunk, n_compared = np.empty(CHUNK, np.int64), 0, 0
    reach = _farthest_listed(values, here) + radius
    for j in order:
        if least[j] > reach:
            continue
        chunk[n_chunk] = listed[j]
        n_chunk += 1
        if n_chunk == CHUNK:
            _compare(points, excluded, here, chunk, n_chunk, cells, apart, values, frames, scratch)
            n_compared, n_chunk = n_compared + n_chunk, 0
            reach = _farthest_listed(values, here) + radius
    _compare(points, excluded, here, chunk, n_chunk, cells, apart, values, frames, scratch)
    return n_compared + n_chunk


@numba.njit(cache=True, nogil=True)
def _find_middle(points: np.ndarray, here: tuple, shift: np.ndarray, middle: np.ndarray) -> float:
    """Fill middle (P,) float32 with the mean of a range of points, less shift (P,); how far the farthest is from it."""
    for p in range(points.shape[1]):
        total = 0.0
        for q in range(here[0], here[1]):
            total += points[q, p] - shift[p]
        middle[p] = total / (here[1] - here[0])
    farthest = 0.0
    for q in range(here[0], here[1]):
        square = 0.0
        for p in range(points.shape[1]):
            gap = points[q, p] - shift[p] - middle[p]
            square += gap * gap
        farthest = max(farthest, square)
    return np.sqrt(farthest)


@numba.njit(cache=True, nogil=True)
def _nearest_first(away: np.ndarray, most: int, counts: np.ndarray, order: np.ndarray) -> int:
    """Fill order with the places of the `most` smallest of away (N,) float32 >= 0, about sorted; how many there are.

    Numbers that agree in their exponent and the 4 bits after it share a bucket, and stay in the order they have: of the
    last bucket the first ones count. counts (BUCKETS,): room.
    """
    bits = away.view(np.int32)
    counts[:] = 0
    lowest = BUCKETS
    for j in range(len(bits)):
        bucket = bits[j] >> 19
        counts[bucket] += 1
        lowest = min(lowest, bucket)
    total, last = 0, lowest
    while total < min(most, len(bits)):
        total, counts[last] = total + counts[last], total
        last += 1
    for j in range(len(bits)):
        bucket = bits[j] >> 19
        if bucket < last:
            if counts[bucket] < most:
                order[counts[bucket]] = j
            counts[bucket] += 1
    return min(total, most)


@numba.njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")
def _least_distances(middle: np.ndarray, lanes: np.ndarray, radii: np.ndarray, share: float, out: np.ndarray) -> None:
    """Fill out (L,) with the least distances to what is within a share of radii (L,) of lanes (P, L); float32."""
    _squares_to_lanes(middle, lanes, out)
    part, none = np.float32(share), np.float32(0.0)
    for j in range(np.uintp(len(radii))):
        out[j] = max(np.sqrt(out[j]) - part * radii[j], none)


@numba.njit(cache=True, nogil=True)
def search_cells(
    points: np.ndarray,
    groups: np.ndarray,
    excluded: np.ndarray,
    cells: Cells,
    shortlist: np.ndarray,
    limits: tuple,
    values: np.ndarray,
    frames: np.ndarray,
) -> int:
    """Improve frames (Q, k), the nearest ones listed so far, and fill values (Q, k) with squared distances.

    points (Q, P); groups (G + 1,): where groups begin that are looked for together. excluded (Q, 2): ranges of frames
    that are no answer. shortlist (W,): the cells to choose from. limits: (apart, n_probes, most, share): of the
    `n_probes` nearest cells at most the `most` nearest segments are compared, where a share of the radii of cells,
    segments and groups counts. Lists come out sorted, the nearest first. Returns how many segments were compared.
    """
    apart, n_probes, most, share = limits
    n_axes, n_probes = points.shape[1], min(n_probes, len(shortlist))
    sizes = np.diff(cells.cell_borders)
    n_listed = n_probes * sizes.max()
    least, listed = np.empty(n_listed, np.float32), np.empty(n_listed, np.int64)
    order = np.empty(max(most, n_probes), np.int64)
    cell_lanes, cell_radii = cells.cell_centres[shortlist].T.copy(), cells.cell_radii[shortlist]
    least_of_cells = np.empty(len(shortlist), np.float32)
    counts, middle = np.empty(BUCKETS, np.int32), np.empty(n_axes, np.float32)
    scratch, n_compared = _make_scratch(cells), 0
    for g in range(len(groups) - 1):
        here = (groups[g], groups[g + 1])
        radius = _find_middle(points, here, cells.shift, middle)
        _least_distances(middle, cell_lanes, cell_radii, share, least_of_cells)
        n_listed = 0
        for c in order[: _nearest_first(least_of_cells, n_probes, counts, order)]:
            start, n = cells.cell_borders[shortlist[c]], sizes[shortlist[c]]
            lanes = cells.lanes[start * n_axes : (start + n) * n_axes].reshape((n_axes, n))
            _least_distances(middle, lanes, cells.lane_radii[start : start + n], share, least[n_listed:])
            listed[n_listed : n_listed + n] = cells.members[start : start + n]
            n_listed += n
        n_near = _nearest_first(least[:n_listed], most, counts, order)
        for q in range(here[0], here[1]):
            _make_heap(points, q, cells.coordinates, values, frames)
        n_compared += _compare_near(
            points, excluded, here, share * radius, listed, least, order[:n_near], cells, apart, values, frames, scratch
        )
        for q in range(here[0], here[1]):
            _sort_heap(values, frames, q)
    return n_compared


@numba.njit(cache=True, nogil=True)
def offer_segments(
    points: np.ndarray,
    groups: np.ndarray,
    excluded: np.ndarray,
    cells: Cells,
    segments: np.ndarray,
    lanes: np.ndarray,
    apart: int,
    values: np.ndarray,
    frames: np.ndarray,
) -> np.ndarray:
    """Offer all frames of segments (N,), with centres lanes (P, N) float32, to points; arguments as in `search_cells`.

    Nothing is left out: segments are passed over only where their radius and that of the group make it certain that
    none of their frames is near enough. values (Q, k): distances of what is listed, the nearest first; squared where
    something was compared, which is returned for each group: (G,) bool.
    """
    least, order = np.empty(len(segments), np.float32), np.empty(len(segments), np.int64)
    radii = cells.radii[segments].astype(np.float32)
    middle, changed = np.empty(points.shape[1], np.float32), np.zeros(len(groups) - 1, np.bool_)
    scratch = _make_scratch(cells)
    for g in range(len(groups) - 1):
        here = (groups[g], groups[g + 1])
        radius = _find_middle(points, here, cells.shift, middle)
        _least_distances(middle, lanes, radii, 1.0, least)
        rounding = ROUNDING * (1.0 + radius)
        reach = (values[here[0] : here[1], -1].max() + radius + rounding) * (1.0 + ROUNDING)
        n_near = 0
        for j in range(len(segments)):
            if least[j] <= reach + ROUNDING * radii[j]:
                order[n_near] = j
                n_near += 1
        if n_near == 0:
            continue
        changed[g] = True
        for q in range(here[0], here[1]):
            _make_heap(points, q, cells.coordinates, values, frames)
        _compare_near(
            points, excluded, here, np.inf, segments, least, order[:n_near], cells, apart, values, frames, scratch
        )
        for q in range(here[0], here[1]):
            _sort_heap(values, frames, q)
    return changed
