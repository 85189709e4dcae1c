"""Compiled loops over lists of pairs of frames; their plain twins are in the tests."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def count_entries(
    starts: np.ndarray,
    frames: np.ndarray,
    motion_of: np.ndarray,
    keep: np.ndarray,
    shifts: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Add to counts (F,) how many entries of some lists are in cells that are kept.

    starts (G + 1,), frames (N,): the lists of G frames. motion_of (G,): the motion of each frame. keep (K, K) bool: its
    cells that are wanted. shifts (K,): from the frames of a motion here to those of the same motion in counts.
    """
    for row in range(len(starts) - 1):
        motion = motion_of[row]
        found = 0
        for entry in range(starts[row], starts[row + 1]):
            found += keep[motion, motion_of[frames[entry]]]
        if found:
            counts[row + shifts[motion]] += found


@numba.njit(cache=True, nogil=True)
def merge_entries(
    starts: np.ndarray,
    frames: np.ndarray,
    distances: np.ndarray,
    motion_of: np.ndarray,
    keep: np.ndarray,
    shifts: np.ndarray,
    ends: np.ndarray,
    out_starts: np.ndarray,
    out_frames: np.ndarray,
    out_distances: np.ndarray,
) -> None:
    """Merge the entries that `count_entries` counts into the lists of out, by distance, of equal ones by frame.

    ends (F,): where each list of out ends so far; it has room for what is added, and is moved on. Each list that is
    added is in the order of distances already.
    """
    longest = 0
    for row in range(len(starts) - 1):
        longest = max(longest, starts[row + 1] - starts[row])
    new_frames, new_distances = np.empty(longest, np.int32), np.empty(longest, np.float32)
    for row in range(len(starts) - 1):
        motion = motion_of[row]
        n_new = 0
        for entry in range(starts[row], starts[row + 1]):
            other = motion_of[frames[entry]]
            if not keep[motion, other]:
                continue
            frame, distance = np.int32(frames[entry] + shifts[other]), distances[entry]
            at = n_new
            while at > 0 and new_distances[at - 1] == distance and new_frames[at - 1] > frame:  # other order of motions
                new_frames[at], new_distances[at] = new_frames[at - 1], new_distances[at - 1]
                at -= 1
            new_frames[at], new_distances[at] = frame, distance
            n_new += 1
        if n_new == 0:
            continue
        to = row + shifts[motion]
        old, begin = ends[to] - 1, out_starts[to]
        ends[to] += n_new
        new = n_new - 1
        for place in range(ends[to] - 1, begin - 1, -1):  # from the back, so that nothing is overwritten
            if new < 0:
                break
            is_old = old >= begin and (
                out_distances[old] > new_distances[new]
                or (out_distances[old] == new_distances[new] and out_frames[old] > new_frames[new])
            )
            if is_old:
                out_frames[place], out_distances[place] = out_frames[old], out_distances[old]
                old -= 1
            else:
                out_frames[place], out_distances[place] = new_frames[new], new_distances[new]
                new -= 1
