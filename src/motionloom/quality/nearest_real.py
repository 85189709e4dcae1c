"""Nearest real frames: the distance of each pose of a motion from the most similar recorded pose."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, check_motion, kinematics
from motionloom.similarity import (
    Measure,
    NeighbourSettings,
    PointSettings,
    distinct_joints,
    find_neighbours,
    measure_points,
)

CHUNK = 20_000  # recorded frames that are compared at a time, about 2 kB each
ONE_NEAREST = NeighbourSettings(count=1, apart=0, own_frames=0)  # without temporal suppression


@dataclass(frozen=True, eq=False)
class RealFrames:
    """Recorded motions of one skeleton, their frames numbered consecutively."""

    motions: Mapping[str, Motion]  # by name
    starts: np.ndarray = field(init=False, repr=False)  # (M + 1,) int

    def __post_init__(self) -> None:
        if not self.motions:
            raise BadInput("no recorded motions to search; give at least one")
        first = next(iter(self.motions.values()))
        for name, motion in self.motions.items():
            if motion.skeleton != first.skeleton:
                raise SkeletonMismatch(
                    f"skeleton '{motion.skeleton.name}' of '{name}' differs from '{first.skeleton.name}' of the first "
                    "motion; conform them to one skeleton first"
                )
        lengths = [motion.n_frames for motion in self.motions.values()]
        object.__setattr__(self, "starts", np.concatenate([[0], np.cumsum(lengths)]))

    def range_of(self, name: str) -> tuple[int, int]:
        """The half-open range of the frames of a motion in the consecutive numbering."""
        names = list(self.motions)
        if name not in self.motions:
            raise BadInput(f"no recorded motion '{name}'; known are {', '.join(names[:20])}")
        number = names.index(name)
        return int(self.starts[number]), int(self.starts[number + 1])


@dataclass(frozen=True, eq=False)
class NearestReal:
    """For each frame of a motion the most similar recorded frame."""

    distances: np.ndarray  # (F,) metres: root mean square over the joints, after the best placement
    names: tuple[str, ...]  # of the recorded motions
    motions: np.ndarray  # (F,) int, into names
    frames: np.ndarray  # (F,) int, of that motion

    @property
    def median(self) -> float:
        """Metres."""
        return float(np.median(self.distances))

    @property
    def farthest(self) -> float:
        """Metres."""
        return float(self.distances.max())

    @property
    def farthest_frame(self) -> int:
        return int(self.distances.argmax())

    def to_data(self) -> dict:
        """The summary as JSON values, without the frames."""
        worst = self.farthest_frame
        return {
            "median_m": self.median,
            "percentile_95_m": float(np.percentile(self.distances, 95)),
            "farthest_m": self.farthest,
            "farthest_frame": worst,
            "nearest_to_it": [self.names[self.motions[worst]], int(self.frames[worst])],
        }

    def describe(self) -> str:
        """One sentence for users."""
        return (
            f"{100 * self.median:.1f} cm from the nearest real frame in the median, "
            f"farthest {100 * self.farthest:.1f} cm at frame {self.farthest_frame}"
        )


def find_nearest(
    motion: Motion,
    real: RealFrames,
    *,
    leave_out: npt.ArrayLike | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> NearestReal:
    """Find the recorded frame with the most similar pose for each frame of a motion, invariant to placement.

    Exact, as `similarity.neighbours` is: float32 products choose candidates, which are compared in float64.
    Recordings are processed in chunks, so memory does not grow with their number.

    Args:
        motion: of the skeleton of the recordings.
        real: the recordings.
        leave_out: (F, 2) or (2,) half-open ranges of recorded frames, as `RealFrames` numbers them, that each frame is
            not compared with: `real.range_of(name)` for those of one recording. Every change of range is a separate
            search, so a range per frame is slow.
        progress: called as progress(recorded_frames_done, recorded_frames_total).
    """
    motion = _check_skeleton(check_motion(motion), real)
    ranges = _check_ranges(leave_out, motion.n_frames, int(real.starts[-1]))
    settings = PointSettings(window=1, joints=distinct_joints(motion.skeleton.rest_positions[None]).tolist())
    own = kinematics.world_positions(motion)
    distances, frames = np.full(motion.n_frames, np.inf), np.zeros(motion.n_frames, int)
    for start, positions in _chunks(real):
        stacked = np.concatenate([own, positions])
        measure = measure_points(stacked, [0, len(own), len(stacked)], settings)
        found, where = _search(measure, len(own), ranges - start + len(own))
        nearer = found < distances
        distances[nearer], frames[nearer] = found[nearer], where[nearer] - len(own) + start
        if progress is not None:
            progress(start + len(positions), int(real.starts[-1]))
    if np.isinf(distances).any():
        raise BadInput(f"frame {int(distances.argmax())} has no recorded frame to compare with; leave out fewer")
    motions = np.searchsorted(real.starts, frames, side="right") - 1
    return NearestReal(distances, tuple(real.motions), motions, frames - real.starts[motions])


def _check_skeleton(motion: Motion, real: RealFrames) -> Motion:
    expected = next(iter(real.motions.values())).skeleton
    if motion.skeleton != expected:
        raise SkeletonMismatch(
            f"skeleton '{motion.skeleton.name}' of the motion differs from '{expected.name}' of the recordings; "
            "conform them to one skeleton first"
        )
    return motion


def _check_ranges(leave_out: npt.ArrayLike | None, n_frames: int, n_real: int) -> np.ndarray:
    """(F, 2) half-open ranges of recorded frames; empty if nothing is left out."""
    ranges = np.zeros(2, int) if leave_out is None else np.asarray(leave_out)
    if ranges.shape not in ((2,), (n_frames, 2)) or ranges.dtype.kind not in "iu":
        raise BadInput(
            f"leave_out has shape {ranges.shape} and type {ranges.dtype}, expected integers (2,) or ({n_frames}, 2)"
        )
    outside = (ranges < 0) | (ranges > n_real)
    if outside.any():
        raise BadInput(f"leave_out: frame {ranges[outside][0]} is out of range: there are {n_real} recorded frames")
    return np.broadcast_to(ranges, (n_frames, 2))


def _chunks(real: RealFrames) -> Iterator[tuple[int, np.ndarray]]:
    """Chunks of recorded frames: the first frame, and (C, J, 3) joint positions in metres, world."""
    waiting: list[np.ndarray] = []
    for number, (name, motion) in enumerate(real.motions.items()):
        try:
            positions = kinematics.world_positions(check_motion(motion))
        except BadInput as error:
            raise BadInput(f"recorded motion '{name}': {error}") from error
        waiting.append(positions)
        held = sum(len(part) for part in waiting)
        if held >= CHUNK or number + 1 == len(real.motions):
            yield int(real.starts[number + 1]) - held, np.concatenate(waiting)
            waiting = []


def _search(measure: Measure, n_own: int, left_out: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F,) exact distance of each of the first `n_own` frames to the nearest of the others, and (F,) its number."""
    distances, nearest = np.full(n_own, np.inf), np.zeros(n_own, int)
    ends = np.flatnonzero(np.diff(left_out, axis=0).any(axis=1)) + 1  # where the left-out range changes
    for rows in (slice(a, b) for a, b in zip([0, *ends.tolist()], [*ends.tolist(), n_own])):
        for columns in _others(n_own, measure.n_frames, left_out[rows.start]):
            found = find_neighbours(measure, ONE_NEAREST, rows=rows, columns=columns)
            nearer = found.distances[:, 0] < distances[rows]
            distances[rows] = np.where(nearer, found.distances[:, 0], distances[rows])
            nearest[rows] = np.where(nearer, found.frames[:, 0], nearest[rows])
    return distances, nearest


def _others(start: int, stop: int, left_out: np.ndarray) -> list[slice]:
    """The frames [start, stop) without those of a half-open range."""
    first, last = np.clip(left_out, start, stop).tolist()
    if first >= last:
        return [slice(start, stop)]
    return [part for part in (slice(start, first), slice(last, stop)) if part.start < part.stop]
