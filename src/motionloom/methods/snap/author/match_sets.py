"""Match sets: frames alike enough to be made one pose; grown from one frame, or the largest of the corpus.

Gleicher et al. 2003, section 4.1. The minima of all slices are found once for a view; match sets are chosen among them,
so nothing is compared again when hubs are accepted, changed or dropped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.blending import DisplacementSettings
from motionloom.errors import BadInput
from motionloom.similarity.slice_minima import SliceMinima

USUAL_W_MIN = 0.5  # seconds between match frames
LEAST_FRAMES = 5  # between match frames, however few a second has: three are the hub's, and feet change in the others


@dataclass(frozen=True, eq=False)
class MatchSet:
    """Frames that can be made one pose, and how far each is from the frame that the set was grown from."""

    seed: int
    frames: np.ndarray  # (N,) int, ascending
    distances: np.ndarray  # (N,) in the unit of the measure

    @property
    def mean_distance(self) -> float:
        return float(self.distances.mean())


@dataclass(frozen=True, eq=False)
class AcceptedSet:
    """An accepted match set."""

    name: str
    frames: np.ndarray  # (N,) int, over all frames of the view


def spacing_in_frames(w_min: float, fps: float, displacement: DisplacementSettings | None = None) -> int:
    """The shortest allowed distance between match frames, w_min seconds; never less than displacement maps need."""
    displacement = displacement or DisplacementSettings()
    return max(round(w_min * fps), round(displacement.shortest * fps), LEAST_FRAMES)


def suggest_sets(
    minima: SliceMinima,
    motion_starts: np.ndarray,
    threshold: float,
    *,
    spacing: int,
    taken: Iterable[int] = (),
    count: int = 1,
) -> list[MatchSet]:
    """The largest match sets that any frame gives, of equally large ones those with the lowest mean distance.

    A suggestion says something new: its seed is in, or next to a frame of, none of the better ones.

    Args:
        minima: of all slices, up to the threshold at least.
        motion_starts: (M + 1,) where motions start.
        threshold: in the unit of the minima.
        spacing: as in `grow_set`.
        taken: match frames of other hubs.
        count: how many to suggest at most; sets of one frame are no suggestion.
    """
    from motionloom.methods.snap.author._kernels import grow_sets

    check_known(minima, threshold)
    ranges = _ranges(motion_starts)
    free = free_frames(motion_starts, spacing, taken)
    seeds = np.flatnonzero(free & (np.diff(minima.starts) > 0))
    sizes, totals = np.zeros(len(seeds), np.int64), np.zeros(len(seeds))
    words = (minima.starts, minima.frames, minima.distances, threshold, free, ranges, spacing)
    grow_sets(seeds, *words, sizes, totals)
    order = np.lexsort((seeds, totals / np.maximum(sizes, 1), -sizes))
    said = np.zeros(len(free), bool)
    suggested: list[MatchSet] = []
    for number in order:
        if sizes[number] < 2 or len(suggested) == count:
            break
        seed = int(seeds[number])
        if said[seed]:
            continue
        one = _set_of(minima, seed, threshold, free, ranges, spacing)
        for frame in one.frames.tolist():
            said[max(ranges[frame, 0], frame - spacing + 1) : min(ranges[frame, 1], frame + spacing)] = True
        suggested.append(one)
    return suggested


def grow_set(
    minima: SliceMinima,
    motion_starts: np.ndarray,
    seed: int,
    threshold: float,
    *,
    spacing: int,
    taken: Iterable[int] = (),
) -> MatchSet:
    """The frames that are like one frame: minima of its slice, nearest first, none too near another match frame.

    Args:
        minima: of all slices, up to the threshold at least; nothing is compared.
        motion_starts: (M + 1,) where motions start.
        seed: the frame.
        threshold: in the unit of the minima; farther frames do not match.
        spacing: frames that are at least between two match frames, and between one and an end of its motion; w_min.
        taken: match frames of other hubs.
    """
    check_known(minima, threshold)
    free = free_frames(motion_starts, spacing, taken)
    return _set_of(minima, seed, threshold, free, _ranges(motion_starts), spacing)


def check_known(minima: SliceMinima, threshold: float) -> None:
    """Raise unless minima are known up to a threshold."""
    if threshold > minima.threshold:
        raise BadInput(
            f"a threshold of {threshold:.4g} where minima are known up to {minima.threshold:.4g}; find more first"
        )


def check_set(
    frames: Sequence[int] | np.ndarray,
    motion_starts: np.ndarray,
    *,
    spacing: int,
    taken: Iterable[int] = (),
    name: Callable[[int], str] | None = None,
) -> np.ndarray:
    """The match frames of a set in order; refuses those that cannot be a hub, in words.

    Args:
        frames: over all frames of the motions.
        motion_starts: (M + 1,) where motions start.
        spacing: as in `grow_set`.
        taken: match frames of other hubs.
        name: says a frame in words; None for its number in its motion.
    """
    say = name or (lambda frame: f"frame {frame - motion_range(motion_starts, frame)[0]}")
    numbers = np.unique(np.asarray(frames, np.int64))
    if len(numbers) < 2:
        raise BadInput(f"a match set of {_frames(len(numbers))}; a hub needs two or more")
    outside = numbers[(numbers < 0) | (numbers >= motion_starts[-1])]
    if len(outside):
        raise BadInput(f"match frame {outside[0]} of {motion_starts[-1]} frames; they count from 0")
    others = np.unique(np.fromiter(taken, np.int64))
    known = np.union1d(numbers, others)
    for frame in numbers.tolist():
        start, stop = motion_range(motion_starts, frame)
        if frame in others:
            raise BadInput(f"{say(frame)} is a match frame of another hub; a frame has one pose")
        beside = known[(known >= start) & (known < stop) & (known != frame)]
        nearest = int(beside[np.abs(beside - frame).argmin()]) if len(beside) else None
        apart = spacing if nearest is None else abs(nearest - frame)
        if nearest is not None and apart < spacing:
            raise BadInput(
                f"{say(min(frame, nearest))} and {say(max(frame, nearest))} are {_frames(apart)} apart; "
                f"the displacement map of a match frame needs at least {spacing}: drop one, or lower w_min"
            )
        room = min(frame - start, stop - 1 - frame)
        if room < spacing:
            raise BadInput(
                f"{say(frame)} is {_frames(room)} from an end of its take; the clip would be shorter than the "
                f"displacement map of a match frame, which needs at least {spacing}: drop it, or lower w_min"
            )
    return numbers


def _frames(count: int) -> str:
    return f"{count} frame{'s' * (count != 1)}"


def free_frames(motion_starts: np.ndarray, spacing: int, taken: Iterable[int] = ()) -> np.ndarray:
    """(F,) bool: frames that may be match frames beside those taken: far enough from them and from ends of motions."""
    free = np.zeros(motion_starts[-1], bool)
    for start, stop in zip(motion_starts[:-1], motion_starts[1:]):
        free[start + spacing : max(stop - spacing, start)] = True
    for frame in taken:
        start, stop = motion_range(motion_starts, frame)
        free[max(start, frame - spacing + 1) : min(stop, frame + spacing)] = False
    return free


def motion_range(motion_starts: np.ndarray, frame: int) -> tuple[int, int]:
    """The half-open range of the motion that a frame is of."""
    number = int(np.searchsorted(motion_starts, frame, side="right")) - 1
    return int(motion_starts[number]), int(motion_starts[number + 1])


def _ranges(motion_starts: np.ndarray) -> np.ndarray:
    """(F, 2) the half-open range of the motion that each frame is of."""
    return np.repeat(np.stack([motion_starts[:-1], motion_starts[1:]], axis=1), np.diff(motion_starts), axis=0)


def _set_of(
    minima: SliceMinima, seed: int, threshold: float, free: np.ndarray, ranges: np.ndarray, spacing: int
) -> MatchSet:
    frames, distances = minima.of(seed)
    open_frames = free.copy()
    kept = []
    for number in range(int(np.searchsorted(distances, threshold, side="right"))):
        frame = int(frames[number])
        if open_frames[frame]:
            kept.append(number)
            open_frames[max(ranges[frame, 0], frame - spacing + 1) : min(ranges[frame, 1], frame + spacing)] = False
    order = np.array(kept, np.int64)[np.argsort(frames[kept])]
    return MatchSet(seed, frames[order].astype(np.int64), distances[order].astype(float))
