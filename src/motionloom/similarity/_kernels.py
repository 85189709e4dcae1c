"""Compiled loops of the similarity room; their plain twins are in the tests.

Blocks are (R, C) float32 arrays of squared distances for the frames [row, row + R) and [column, column + C).
"""

import numba
import numpy as np

STRIDE = 32  # pairs whose smallest distance is found at once, to pass over those that are all too far apart
FAST = {"contract", "reassoc", "nsz", "arcp", "nnan"}


@numba.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def finish_point_clouds(
    alike: np.ndarray,
    across: np.ndarray,
    heights: np.ndarray,
    weights: np.ndarray,
    tracks: np.ndarray,
    sizes: np.ndarray,
    row: int,
    column: int,
    sums: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill out (R, C) from products of single poses, summed along the diagonal over the window.

    alike, across, heights (R + W - 1, C + W - 1): products of poses on the ground, of poses with poses turned a
    quarter, and of heights. tracks (2, W, F): where the middles of the poses are in their window. sums (3, C): room.
    """
    n_rows, n_columns = np.uintp(out.shape[0]), np.uintp(out.shape[1])
    cosines, sines, dots = sums[0], sums[1], sums[2]
    zero = np.float32(0.0)
    for i in range(n_rows):
        cosines[:] = zero
        sines[:] = zero
        dots[:] = zero
        for o in range(np.uintp(len(weights))):  # one short loop each: they run on eight pairs at once
            w, x, z = weights[o], tracks[0, o, row + i], tracks[1, o, row + i]
            c, s, h = alike[i + o, o:], across[i + o, o:], heights[i + o, o:]
            tx, tz = tracks[0, o, column:], tracks[1, o, column:]
            for j in range(n_columns):
                cosines[j] += w * c[j] + x * tx[j] + z * tz[j]
            for j in range(n_columns):
                sines[j] += w * s[j] + x * tz[j] - z * tx[j]
            for j in range(n_columns):
                dots[j] += w * h[j]
        size, others, line = sizes[row + i], sizes[column:], out[i]
        for j in range(n_columns):
            product = dots[j] + np.sqrt(cosines[j] * cosines[j] + sines[j] * sines[j])
            line[j] = max(size + others[j] - product - product, zero)


@numba.njit(cache=True, nogil=True)
def point_cloud_pairs(
    points: np.ndarray,
    middles: np.ndarray,
    joint_weights: np.ndarray,
    window_weights: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill out (P,) with the distance of each pair of frames: the best turn and slide, then what is left (eq. 1-4)."""
    n_window, n_joints = len(window_weights), len(joint_weights)
    half = n_window // 2
    for p in range(len(first)):
        a, b = first[p] - half, second[p] - half
        ax = az = bx = bz = 0.0
        for o in range(n_window):
            ax += window_weights[o] * middles[a + o, 0]
            az += window_weights[o] * middles[a + o, 1]
            bx += window_weights[o] * middles[b + o, 0]
            bz += window_weights[o] * middles[b + o, 1]
        cosine = sine = 0.0
        for o in range(n_window):
            for j in range(n_joints):
                w = window_weights[o] * joint_weights[j]
                x, z = points[a + o, j, 0] - ax, points[a + o, j, 2] - az
                u, v = points[b + o, j, 0] - bx, points[b + o, j, 2] - bz
                cosine += w * (x * u + z * v)
                sine += w * (x * v - u * z)
        angle = np.arctan2(sine, cosine)
        c, s = np.cos(angle), np.sin(angle)
        left = 0.0
        for o in range(n_window):
            for j in range(n_joints):
                w = window_weights[o] * joint_weights[j]
                x, z = points[a + o, j, 0] - ax, points[a + o, j, 2] - az
                u, v = points[b + o, j, 0] - bx, points[b + o, j, 2] - bz
                dx, dz = x - (c * u + s * v), z - (c * v - s * u)
                dy = points[a + o, j, 1] - points[b + o, j, 1]
                left += w * (dx * dx + dy * dy + dz * dz)
        out[p] = np.sqrt(left)


@numba.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def joint_angle_block(
    quaternions: np.ndarray, weights: np.ndarray, series: np.ndarray, row: int, column: int, out: np.ndarray
) -> None:
    """Fill out (R, C) with weighted squares of the angles between joints, the root under the best turn about up.

    quaternions (J, 4, F), the root first. series: the square of the angle as a polynomial in u, one minus the cosine of
    its half, without constant; it is smooth down to no angle at all, where the arc cosine itself is not.
    """
    n_rows, n_columns = np.uintp(out.shape[0]), np.uintp(out.shape[1])
    one, zero = np.float32(1.0), np.float32(0.0)
    c0, c1, c2, c3, c4 = series[0], series[1], series[2], series[3], series[4]
    c5, c6, c7, c8 = series[5], series[6], series[7], series[8]
    for i in range(n_rows):
        line = out[i]
        for m in range(np.uintp(len(weights))):
            weight = weights[m]
            w, x, y, z = (
                quaternions[m, 0, row + i],
                quaternions[m, 1, row + i],
                quaternions[m, 2, row + i],
                quaternions[m, 3, row + i],
            )
            qw, qx = quaternions[m, 0, column:], quaternions[m, 1, column:]
            qy, qz = quaternions[m, 2, column:], quaternions[m, 3, column:]
            if m == 0:  # with the other turned half about up; what is between is a mix of both
                for j in range(n_columns):
                    alike = w * qw[j] + x * qx[j] + y * qy[j] + z * qz[j]
                    across = y * qw[j] - z * qx[j] - w * qy[j] + x * qz[j]
                    u = max(one - np.sqrt(alike * alike + across * across), zero)
                    tail = c4 + u * (c5 + u * (c6 + u * (c7 + u * c8)))
                    line[j] = weight * u * (c0 + u * (c1 + u * (c2 + u * (c3 + u * tail))))
                continue
            for j in range(n_columns):
                u = max(one - abs(w * qw[j] + x * qx[j] + y * qy[j] + z * qz[j]), zero)
                tail = c4 + u * (c5 + u * (c6 + u * (c7 + u * c8)))
                line[j] += weight * u * (c0 + u * (c1 + u * (c2 + u * (c3 + u * tail))))


@numba.njit(cache=True, nogil=True)
def joint_angle_pairs(
    quaternions: np.ndarray, weights: np.ndarray, first: np.ndarray, second: np.ndarray, out: np.ndarray
) -> None:
    """Fill out (P,) with the root of the weighted mean square angle of each pair; quaternions (F, J, 4), root first."""
    for p in range(len(first)):
        a, b = quaternions[first[p]], quaternions[second[p]]
        total = 0.0
        for m in range(len(weights)):
            aw, ax, ay, az = a[m, 0], a[m, 1], a[m, 2], a[m, 3]
            bw, bx, by, bz = b[m, 0], b[m, 1], b[m, 2], b[m, 3]
            w = aw * bw + ax * bx + ay * by + az * bz  # of b after the inverse of a
            x = aw * bx - ax * bw + ay * bz - az * by
            y = aw * by - ax * bz - ay * bw + az * bx
            z = aw * bz + ax * by - ay * bx - az * bw
            if m == 0:  # its turn about up is free
                angle = 2.0 * np.arctan2(np.sqrt(x * x + z * z), np.sqrt(w * w + y * y))
            else:
                angle = 2.0 * np.arctan2(np.sqrt(x * x + y * y + z * z), abs(w))
            total += weights[m] * angle * angle
        out[p] = np.sqrt(total)


@numba.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def finish_features(sizes: np.ndarray, row: int, column: int, out: np.ndarray) -> None:
    """Turn products (R, C) of feature vectors into squared distances, in place; sizes (F,) are their squares."""
    n_rows, n_columns = np.uintp(out.shape[0]), np.uintp(out.shape[1])
    zero = np.float32(0.0)
    for i in range(n_rows):
        size, others, line = sizes[row + i], sizes[column:], out[i]
        for j in range(n_columns):
            line[j] = max(size + others[j] - line[j] - line[j], zero)


@numba.njit(cache=True, nogil=True)
def feature_pairs(coordinates: np.ndarray, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
    """Fill out (N,) with the distances of pairs of rows of coordinates (F, P).

    Squares are added up in eight sums side by side, as numpy does for up to 128 coordinates: to the bit its norm.
    """
    n_axes = coordinates.shape[1]
    eights = n_axes - n_axes % 8
    sums = np.empty(8)
    for n in range(len(out)):
        i, j = first[n], second[n]
        total = 0.0
        if eights > 0:
            sums[:] = 0.0
            for p in range(0, eights, 8):
                for k in range(8):
                    gap = coordinates[i, p + k] - coordinates[j, p + k]
                    sums[k] += gap * gap
            total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
        for p in range(eights, n_axes):
            gap = coordinates[i, p] - coordinates[j, p]
            total += gap * gap
        out[n] = np.sqrt(total)


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _smallest(line: np.ndarray, start: int, stop: int) -> float:
    values = line[start:stop]
    smallest = values[0]
    for k in range(np.uintp(1), np.uintp(len(values))):
        smallest = min(smallest, values[k])
    return smallest


@numba.njit(cache=True, nogil=True)
def _rivals(
    block: np.ndarray,
    row: int,
    column: int,
    i: int,
    j: int,
    radius: int,
    slack: np.ndarray,
    ranges: np.ndarray,
    number: int,
    n_doubts: int,
    doubts: np.ndarray,
) -> int:
    """Add the neighbours that are within rounding of a pair to the doubts, and count these; -1 where one is smaller."""
    value, rounding = block[i - row, j - column], slack[i] + slack[j]
    for k in range(max(ranges[i, 0], i - radius), min(ranges[i, 1], i + radius + 1)):
        for m in range(max(ranges[j, 0], j - radius), min(ranges[j, 1], j + radius + 1)):
            if k == i and m == j:
                continue
            above = block[k - row, m - column] - value
            tolerance = rounding + slack[k] + slack[m]
            if above < -tolerance:
                return -1
            if above <= tolerance:
                doubts[n_doubts, 0] = number
                doubts[n_doubts, 1] = k
                doubts[n_doubts, 2] = m
                n_doubts += 1
    return n_doubts


@numba.njit(cache=True, nogil=True)
def mark_minima(
    block: np.ndarray,
    row: int,
    column: int,
    core: tuple,
    begin: tuple,
    limit: float,
    radius: int,
    own: int,
    slack: np.ndarray,
    repeats: np.ndarray,
    ranges: np.ndarray,
    marked: np.ndarray,
    doubts: np.ndarray,
) -> tuple:
    """List the pairs of a block that may be local minima at most limit (squared), and what is left to compare exactly.

    core: (row start, row stop, column start, column stop), the pairs to judge; the block holds their neighbours too.
    begin: the pair to go on with. repeats (F,): of two equal pairs the first wins, so those with such a frame lose.
    ranges (F, 2): the frames of the motion that a frame is of. marked (N, 2): frames of each pair. doubts (D, 3): the
    number of a pair, and the frames of a neighbour that is within rounding of it; there is room for all neighbours of
    a pair at least. Returns how many there are of both, and where to go on when one of the lists is full; at the end
    that is a row after the last.
    """
    n_marked = n_doubts = 0
    most = limit + 2 * slack.max()
    most_doubts = len(doubts) - (2 * radius + 1) ** 2
    for i in range(begin[0], core[1]):
        if repeats[i]:
            continue
        line = block[i - row]
        start = max(core[2], i + 1)
        if i == begin[0]:
            start = max(start, begin[1])
        for part in range(start, core[3], STRIDE):
            end = min(part + STRIDE, core[3])
            if not _smallest(line, part - column, end - column) <= most:
                continue
            for j in range(part, end):
                value = line[j - column]
                rounding = slack[i] + slack[j]
                if not value <= limit + rounding or repeats[j] or (j < ranges[i, 1] and j - i <= own):
                    continue
                if n_marked == len(marked) or n_doubts > most_doubts:
                    return n_marked, n_doubts, i, j
                found = _rivals(block, row, column, i, j, radius, slack, ranges, n_marked, n_doubts, doubts)
                if found < 0:
                    continue
                n_doubts = found
                marked[n_marked, 0] = i
                marked[n_marked, 1] = j
                n_marked += 1
    return n_marked, n_doubts, core[1], core[3]


@numba.njit(cache=True, nogil=True)
def keep_nearest(
    block: np.ndarray,
    row: int,
    column: int,
    core: tuple,
    apart: int,
    own: int,
    slack: np.ndarray,
    repeats: np.ndarray,
    ranges: np.ndarray,
    searched: tuple,
    kept: np.ndarray,
    values: np.ndarray,
) -> None:
    """Put the frames of a block that may be minima along time among the nearest of each row so far.

    core, repeats: as in `mark_minima`. searched: the half-open range of frames that count as neighbours in time. kept
    and values (R, K): a heap per row, farthest first; a frame j with a neighbour in time within rounding is kept as
    -1 - j.
    """
    for i in range(core[0], core[1]):
        line, heap, frames = block[i - row], values[i - core[0]], kept[i - core[0]]
        for part in range(core[2], core[3], STRIDE):
            end = min(part + STRIDE, core[3])
            if not _smallest(line, part - column, end - column) < heap[0]:
                continue
            for j in range(part, end):
                value = line[j - column]
                if not value < heap[0] or (ranges[i, 0] <= j < ranges[i, 1] and abs(j - i) <= own):
                    continue
                if repeats[j] and apart > 0 and j > searched[0]:
                    continue
                smallest, sure = True, True
                start, stop = max(ranges[j, 0], searched[0], j - apart), min(ranges[j, 1], searched[1], j + apart + 1)
                for m in range(start, stop):
                    above = line[m - column] - value
                    tolerance = slack[i] + slack[i] + slack[j] + slack[m]
                    if above < -tolerance:
                        smallest = False
                        break
                    if above <= tolerance and m != j:
                        sure = False
                if smallest:
                    _replace_farthest(heap, frames, value, j if sure else -1 - j)


@numba.njit(cache=True, nogil=True)
def _replace_farthest(heap: np.ndarray, frames: np.ndarray, value: float, frame: int) -> None:
    """Let the first of a heap go, which is its largest, and sink another value to its place."""
    at, n_kept = 0, len(heap)
    while True:
        child = 2 * at + 1
        if child + 1 < n_kept and heap[child + 1] > heap[child]:
            child += 1
        if child >= n_kept or heap[child] <= value:
            break
        heap[at], frames[at] = heap[child], frames[child]
        at = child
    heap[at], frames[at] = value, frame


@numba.njit(cache=True, nogil=True)
def cheapest_warp(costs: np.ndarray, repeats: int, came_from: np.ndarray) -> float:
    """The cost of the cheapest way through costs (N, M), corner to corner; infinite where there is none.

    A step goes on in both (it counts twice), in the output alone or in the source alone (once); at most `repeats` steps
    of the same single kind follow each other, with a step in both before and after. came_from (N, M) uint8: the state
    before the last step in both: 0 both, 1 .. repeats steps in the output alone, then as many in the source alone.
    """
    n_output, n_source = costs.shape
    n_states = 2 * repeats + 1
    before = np.full((n_source, n_states), np.inf)
    now = np.full((n_source, n_states), np.inf)
    for i in range(n_output):
        for j in range(n_source):
            now[j, :] = np.inf
            if i == 0 and j == 0:
                now[0, 0] = 2.0 * costs[0, 0]
                continue
            if i > 0 and j > 0:
                best = 0
                for s in range(1, n_states):
                    if before[j - 1, s] < before[j - 1, best]:
                        best = s
                came_from[i, j] = best
                now[j, 0] = before[j - 1, best] + 2.0 * costs[i, j]
            if i == 0 or j == 0:
                continue  # the first step is one in both
            for s in range(1, repeats + 1):
                now[j, s] = before[j, s - 1] + costs[i, j]
                now[j, repeats + s] = now[j - 1, 0 if s == 1 else repeats + s - 1] + costs[i, j]
        before, now = now, before
    return before[n_source - 1, 0]


@numba.njit(cache=True, nogil=True)
def mark_slice_minima(
    block: np.ndarray,
    column: int,
    core: tuple,
    limit: float,
    slack: np.ndarray,
    repeats: np.ndarray,
    ranges: np.ndarray,
) -> tuple:
    """List the pairs of a block that may be minima of their row along time, at most limit (squared).

    core: (row start, row stop, column start, column stop), the pairs to judge; the block holds their neighbours too,
    from the first of these rows and from `column` on. Returns rows (N,), frames (N,) and (N,) bool whether the
    neighbours are larger beyond rounding.
    """
    room = 1024
    rows, frames, sure = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.bool_)
    n_found = 0
    most = limit + 2 * slack.max()
    for i in range(core[0], core[1]):
        line = block[i - core[0]]
        for part in range(core[2], core[3], STRIDE):
            end = min(part + STRIDE, core[3])
            if not _smallest(line, part - column, end - column) <= most:
                continue
            for j in range(part, end):
                value = line[j - column]
                if not value <= limit + slack[i] + slack[j] or (repeats[j] and j > ranges[j, 0]):
                    continue
                is_lowest, is_sure = True, True
                for m in (j - 1, j + 1):
                    if ranges[j, 0] <= m < ranges[j, 1]:
                        above = line[m - column] - value
                        tolerance = slack[i] + slack[i] + slack[j] + slack[m]
                        if above < -tolerance:
                            is_lowest = False
                        elif above <= tolerance:
                            is_sure = False
                if not is_lowest:
                    continue
                if n_found == room:
                    room *= 2
                    longer_rows, longer_frames = np.empty(room, np.int64), np.empty(room, np.int64)
                    longer_sure = np.empty(room, np.bool_)
                    longer_rows[:n_found], longer_frames[:n_found], longer_sure[:n_found] = rows, frames, sure
                    rows, frames, sure = longer_rows, longer_frames, longer_sure
                rows[n_found], frames[n_found], sure[n_found] = i, j, is_sure
                n_found += 1
    return rows[:n_found], frames[:n_found], sure[:n_found]
