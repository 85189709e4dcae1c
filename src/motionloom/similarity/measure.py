"""Measure: the interface of all distance measures between frames."""

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.similarity.tiles import Scratch, TileSettings, run_tiles, split

Frames = slice | npt.ArrayLike  # a slice, or frame numbers
PAIRS_PER_THREAD = 2000  # with fewer, starting a second thread costs more than it saves


class Measure(ABC):
    """Distances between any two of F frames of concatenated motions.

    Blocks are fast and float32: the error of a pair (i, j) is at most slack[i] + slack[j] in the squared distance.
    Pairs are exact and float64. A frame whose window extends beyond its motion is not comparable: its distance to every
    frame is infinite.
    """

    unit: str  # of the distances: "m", "rad"; "" if they are relative
    starts: np.ndarray  # (M + 1,) int: motion m has the frames [starts[m], starts[m + 1])
    comparable: np.ndarray  # (F,) bool
    slack: np.ndarray  # (F,) float32, in the unit squared
    repeats: np.ndarray  # (F,) bool: its distances are bitwise equal to those of the frame before, which is comparable

    @abstractmethod
    def squared_block(self, rows: slice, columns: slice, scratch: Scratch) -> np.ndarray:
        """(R, C) float32 squared distances between two ranges of frames; overwritten by the next use of the scratch."""

    @abstractmethod
    def fill_pairs(self, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
        """Fill out (P,) with the exact distances between comparable frames."""

    @property
    def n_frames(self) -> int:
        return int(self.starts[-1])

    @property
    def ranges(self) -> np.ndarray:
        """(F, 2) int: the half-open range of each frame's motion."""
        return np.repeat(np.stack([self.starts[:-1], self.starts[1:]], axis=1), np.diff(self.starts), axis=0)

    def pairs(self, first: npt.ArrayLike, second: npt.ArrayLike, *, threads: int | None = None) -> np.ndarray:
        """Exact distances: float64, of the broadcast shape of the two arrays of frames."""
        first, second = np.broadcast_arrays(self.check_frames(first), self.check_frames(second))
        flat_first, flat_second = first.ravel(), second.ravel()
        out = np.full(first.size, np.inf)
        usable = np.flatnonzero(self.comparable[flat_first] & self.comparable[flat_second])
        found = np.empty(len(usable))
        flat_first, flat_second = np.ascontiguousarray(flat_first[usable]), np.ascontiguousarray(flat_second[usable])

        def fill(part: slice, _: Scratch) -> None:
            self.fill_pairs(flat_first[part], flat_second[part], found[part])

        parts = split(0, len(usable), PAIRS_PER_THREAD)
        if len(parts) > 1 and threads != 1:
            run_tiles(fill, parts, threads=threads)
        elif parts:
            fill(slice(None), Scratch())
        out[usable] = found
        return out.reshape(first.shape)

    def distances(self, rows: Frames, columns: Frames, *, tiles: TileSettings | None = None) -> np.ndarray:
        """Distances (R, C) between two sets of frames: fast and float32 for slices, exact for frame numbers."""
        if not isinstance(rows, slice) or not isinstance(columns, slice):
            numbers = [np.arange(self.n_frames)[f] if isinstance(f, slice) else np.asarray(f) for f in (rows, columns)]
            return self.pairs(numbers[0][:, None], numbers[1][None, :])
        tiles = tiles or TileSettings()
        rows, columns = self.check_range(rows), self.check_range(columns)
        out = np.empty((rows.stop - rows.start, columns.stop - columns.start), np.float32)

        def fill_strip(strip: slice, scratch: Scratch) -> None:
            lines = out[strip.start - rows.start : strip.stop - rows.start]
            for part in split(columns.start, columns.stop, tiles.columns):
                here = lines[:, part.start - columns.start : part.stop - columns.start]
                np.sqrt(self.squared_block(strip, part, scratch), out=here)

        run_tiles(fill_strip, split(rows.start, rows.stop, tiles.rows), threads=tiles.threads)
        return out

    def check_frames(self, frames: npt.ArrayLike) -> np.ndarray:
        """The frames as int64; raises if they are out of range."""
        numbers = np.asarray(frames)
        if not np.issubdtype(numbers.dtype, np.integer):
            raise BadInput(f"frames must be integers, got {numbers.dtype}")
        outside = (numbers < 0) | (numbers >= self.n_frames)
        if outside.any():
            raise BadInput(
                f"frame {int(numbers[outside].flat[0])} is out of range: the measure has {self.n_frames} frames"
            )
        return numbers.astype(np.int64)

    def check_range(self, frames: slice) -> slice:
        """The slice with explicit bounds; raises if it has a step."""
        start, stop, step = frames.indices(self.n_frames)
        if step != 1:
            raise BadInput(f"slices of frames must have step 1, got {step}; give frame numbers instead")
        return slice(start, max(start, stop))


def check_starts(starts: npt.ArrayLike, n_frames: int) -> np.ndarray:
    """Starts of concatenated motions as (M + 1,) int64; raises unless they rise from 0 to n_frames."""
    given = np.asarray(starts)
    numbers = given.astype(np.int64) if np.issubdtype(given.dtype, np.integer) else np.zeros(0, np.int64)
    if numbers.ndim != 1 or len(numbers) < 2 or numbers[0] != 0 or numbers[-1] != n_frames:
        raise BadInput(f"starts {str(given)[:60]} for {n_frames} frames: expected integers from 0 to {n_frames}")
    if (np.diff(numbers) < 1).any():
        empty = int((np.diff(numbers) < 1).argmax())
        raise BadInput(f"motion {empty} starts at {numbers[empty]} and has no frames; starts must be increasing")
    return numbers


def share_weights(weights: npt.ArrayLike | None, count: int, what: str) -> np.ndarray:
    """(K,) weights that sum to 1; None: equal. Raises if their number is wrong, one is negative or all are zero."""
    shares = np.ones(count) if weights is None else np.asarray(weights, float)
    if shares.shape != (count,) or not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
        raise BadInput(
            f"{shares.size} weights for {count} {what}: expected one finite number for each, not negative and not all "
            "zero"
        )
    return shares / shares.sum()


def whole_windows(starts: np.ndarray, half: int) -> np.ndarray:
    """(F,) bool: the frames whose window of `half` frames on both sides lies inside their motion."""
    frames = np.arange(starts[-1])
    lengths = np.diff(starts)
    inside = (frames - np.repeat(starts[:-1], lengths) >= half) & (np.repeat(starts[1:], lengths) - frames > half)
    if not inside.any():
        raise BadInput(
            f"a window of {2 * half + 1} frames is longer than the longest motion, which has {lengths.max()}; choose a "
            "smaller window"
        )
    return inside


def find_repeats(starts: np.ndarray, half: int, *values: np.ndarray) -> np.ndarray:
    """(F,) bool: the frames whose window equals that of the frame before in every array (F, ...)."""
    same = np.ones(len(values[0]), bool)
    for array in values:
        same[1:] &= (array[1:] == array[:-1]).all(axis=tuple(range(1, array.ndim)))
    same[starts[:-1]] = False
    padded = np.pad(same, half)
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).all(axis=1))


def check_finite(values: np.ndarray, starts: np.ndarray, what: str) -> None:
    """Raise if (F, ...) values are not finite, naming motion and frame."""
    bad = ~np.isfinite(values).reshape(len(values), -1).all(axis=1)
    if bad.any():
        frame = int(bad.argmax())
        motion = int(np.searchsorted(starts, frame, side="right")) - 1
        raise BadInput(
            f"{what} of motion {motion}, frame {frame - starts[motion]}, are not finite ({int(bad.sum())} of "
            f"{len(values)} frames); leave such frames out or repair them"
        )
