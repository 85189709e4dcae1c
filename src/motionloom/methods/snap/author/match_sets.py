"""Match sets: frames alike enough to be bent to one common pose; grown from a seed frame, or the largest of a corpus.

Gleicher et al. 2003, section 4.1. The minima of all slices are found once for a view; match sets are selected among
them, so no frames are compared again when hubs are accepted, changed or dropped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.blending import DisplacementSettings
from motionloom.errors import BadInput
from motionloom.similarity.slice_minima import SliceMinima

USUAL_W_MIN = 0.5  # seconds between match frames
LEAST_FRAMES = 5  # between match frames, at any rate: three are the hub's, in the others contacts of feet change


@dataclass(frozen=True, eq=False)
class MatchSet:
    """Frames that can be bent to one common pose, and the distance of each from the seed frame."""

    seed: int
    frames: np.ndarray  # (N,) int, ascending
    distances: np.ndarray  # (N,) in the unit of the measure

    @property
    def mean_distance(self) -> float:
        return float(self.distances.mean())


@dataclass(frozen=True, eq=False)
class AcceptedSet:
    """A match set that is accepted as a hub."""

    name: str  # of the hub
    frames: np.ndarray  # (N,) int, over all frames of the view


def spacing_in_frames(w_min: float, fps: float, displacement: DisplacementSettings | None = None) -> int:
    """The minimum number of frames between match frames: w_min seconds, and at least what displacement maps need."""
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
    """Suggest the largest match sets over all seed frames; ties are broken by the lowest mean distance.

    Suggestions do not overlap: no seed is closer than the spacing to a match frame of a better suggestion.

    Args:
        minima: of all slices, up to the threshold at least.
        motion_starts: (M + 1,) index of the first frame of each motion.
        threshold: in the unit of the minima.
        spacing: as in `grow_set`.
        taken: match frames of other hubs.
        count: maximum number of suggestions; sets of a single frame are not suggested.
    """
    from motionloom.methods.snap.author._kernels import grow_sets

    check_known(minima, threshold)
    ranges = _ranges(motion_starts)
    free = free_frames(motion_starts, spacing, taken)
    seeds = np.flatnonzero(free & (np.diff(minima.starts) > 0))
    sizes, totals = np.zeros(len(seeds), np.int64), np.zeros(len(seeds))
    grow_sets(seeds, minima.starts, minima.frames, minima.distances, threshold, free, ranges, spacing, sizes, totals)
    order = np.lexsort((seeds, totals / np.maximum(sizes, 1), -sizes))
    covered = np.zeros(len(free), bool)
    suggested: list[MatchSet] = []
    for number in order:
        if sizes[number] < 2 or len(suggested) == count:
            break
        seed = int(seeds[number])
        if covered[seed]:
            continue
        found = _set_of(minima, seed, threshold, free, ranges, spacing)
        for frame in found.frames.tolist():
            covered[max(ranges[frame, 0], frame - spacing + 1) : min(ranges[frame, 1], frame + spacing)] = True
        suggested.append(found)
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
    """Grow the match set of a seed frame: minima of its slice, nearest first, that keep the spacing to each other.

    Args:
        minima: of all slices, up to the threshold at least; no frames are compared.
        motion_starts: (M + 1,) index of the first frame of each motion.
        seed: index of the seed frame.
        threshold: maximum distance of a match frame from the seed, in the unit of the minima.
        spacing: minimum number of frames between two match frames, and to the ends of their motion; w_min.
        taken: match frames of other hubs.
    """
    check_known(minima, threshold)
    free = free_frames(motion_starts, spacing, taken)
    return _set_of(minima, seed, threshold, free, _ranges(motion_starts), spacing)


def check_known(minima: SliceMinima, threshold: float) -> None:
    """Raise `BadInput` unless minima were computed up to a threshold."""
    if threshold > minima.threshold:
        raise BadInput(
            f"threshold {threshold:.4g} is too large: minima are known up to {minima.threshold:.4g}; find more first"
        )


def check_set(
    frames: Sequence[int] | np.ndarray,
    motion_starts: np.ndarray,
    *,
    spacing: int,
    taken: Iterable[int] = (),
    name: Callable[[int], str] | None = None,
) -> np.ndarray:
    """Check that frames can be the match frames of a hub; returns them sorted.

    Args:
        frames: indices over all frames of the motions.
        motion_starts: (M + 1,) index of the first frame of each motion.
        spacing: as in `grow_set`.
        taken: match frames of other hubs.
        name: describes a frame in error messages; None for its index in its motion.

    Raises:
        BadInput: too few frames, an index out of range, or too little spacing.
    """
    describe = name or (lambda frame: f"frame {frame - motion_range(motion_starts, frame)[0]}")
    numbers = np.unique(np.asarray(frames, np.int64))
    if len(numbers) < 2:
        raise BadInput(f"a match set of {_frames(len(numbers))}; a hub needs at least 2")
    outside = numbers[(numbers < 0) | (numbers >= motion_starts[-1])]
    if len(outside):
        raise BadInput(f"match frame {outside[0]} is out of range: the takes have {motion_starts[-1]} frames")
    others = np.unique(np.fromiter(taken, np.int64))
    known = np.union1d(numbers, others)
    for frame in numbers.tolist():
        start, stop = motion_range(motion_starts, frame)
        if frame in others:
            raise BadInput(f"{describe(frame)} is a match frame of another hub; a frame can belong to one hub only")
        beside = known[(known >= start) & (known < stop) & (known != frame)]
        nearest = int(beside[np.abs(beside - frame).argmin()]) if len(beside) else None
        apart = spacing if nearest is None else abs(nearest - frame)
        if nearest is not None and apart < spacing:
            raise BadInput(
                f"{describe(min(frame, nearest))} and {describe(max(frame, nearest))} are {_frames(apart)} apart; "
                f"the displacement map of a match frame needs at least {spacing}: drop one, or lower w_min"
            )
        room = min(frame - start, stop - 1 - frame)
        if room < spacing:
            raise BadInput(
                f"{describe(frame)} is {_frames(room)} from an end of its take; the clip would be shorter than the "
                f"displacement map of a match frame, which needs at least {spacing}: drop it, or lower w_min"
            )
    return numbers


def _frames(count: int) -> str:
    return f"{count} frame{'s' * (count != 1)}"


def free_frames(motion_starts: np.ndarray, spacing: int, taken: Iterable[int] = ()) -> np.ndarray:
    """(F,) bool: frames that keep the spacing to the match frames of other hubs (taken) and to the ends of motions."""
    free = np.zeros(motion_starts[-1], bool)
    for start, stop in zip(motion_starts[:-1], motion_starts[1:]):
        free[start + spacing : max(stop - spacing, start)] = True
    for frame in taken:
        start, stop = motion_range(motion_starts, frame)
        free[max(start, frame - spacing + 1) : min(stop, frame + spacing)] = False
    return free


def motion_range(motion_starts: np.ndarray, frame: int) -> tuple[int, int]:
    """The half-open range of frames of the motion that contains a frame."""
    number = int(np.searchsorted(motion_starts, frame, side="right")) - 1
    return int(motion_starts[number]), int(motion_starts[number + 1])


def _ranges(motion_starts: np.ndarray) -> np.ndarray:
    """(F, 2) for each frame, the half-open range of frames of its motion."""
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
