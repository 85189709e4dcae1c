"""Limits of what comes in: motions, names and sources beyond them are refused by readers and by the corpus alike.

They are far beyond any recording of people. What is within them can be stored in float32, and the check of a corpus
finds nothing wrong with it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats.take import Source
from motionloom.motion import Curves, Motion, PointMotion, Skeleton

LEAST_FPS, MOST_FPS = 0.1, 10_000.0  # frames per second
MOST_METRES = 100_000.0  # of a coordinate or a bone, from the origin; float32 still tells a centimetre apart
MOST_FRAMES = 10_000_000  # 23 hours at 120 frames per second
MOST_JOINTS = 10_000
MOST_POINTS = 100_000
MOST_CURVES = 1_000
MOST_ENDS = 10_000  # end sites of a skeleton
MOST_ROLES = 1_000
MOST_SECONDS = 86_400.0  # between the beginnings of a motion and of curves beside it
LONGEST_NAME = 1_000  # characters
MOST_METRES_PER_UNIT = 1e6
UP_AXES = ("x", "y", "z", "-x", "-y", "-z")
UNIT_TOLERANCE = 1e-3  # by which the length of a rotation may differ from 1
ROUNDING = 1e-6  # of a length in float32: a stored rotation may differ by that much more

JOINT_FRAMES = 2_500_000  # frames times joints that any text file may have; larger files have more
BYTES_PER_JOINT_FRAME = 8  # of a text file beyond that

_BLOCK = 1 << 20  # numbers that are checked at a time, so that checking takes little memory


def check_motion(motion: Motion | PointMotion, whose: str) -> None:
    """Raise unless a motion is within all limits.

    Args:
        motion: of a body or of points; points may be missing (NaN).
        whose: it is, for the message.
    """
    problem = find_excess(motion)
    if problem is not None:
        raise BadInput(f"{whose}: {problem}")


def find_excess(motion: Motion | PointMotion) -> str | None:
    """The first thing about a motion that is beyond a limit, as a sentence; None if there is none."""
    if not LEAST_FPS <= motion.fps <= MOST_FPS:
        return f"{motion.fps:g} frames per second; it must be {LEAST_FPS:g} to {MOST_FPS:g}"
    if motion.n_frames > MOST_FRAMES:
        return f"{motion.n_frames} frames; at most {MOST_FRAMES} can be read"
    if isinstance(motion, PointMotion):
        return _find_excess_of_points(motion)
    return _find_excess_of_skeleton(motion.skeleton) or _find_bad_frame(motion)


def find_excess_of_curves(curves: Curves) -> str | None:
    """The first thing about curves that is beyond a limit, as a sentence; None if there is none."""
    if not LEAST_FPS <= curves.fps <= MOST_FPS or not LEAST_FPS <= curves.timecode_fps <= MOST_FPS:
        return f"{curves.fps:g} rows per second by the timecode; it must be {LEAST_FPS:g} to {MOST_FPS:g}"
    if curves.n_rows > MOST_FRAMES or len(curves.names) > MOST_CURVES:
        return f"{curves.n_rows} rows of {len(curves.names)} curves; at most {MOST_FRAMES} of {MOST_CURVES} can be read"
    if abs(curves.start) > MOST_SECONDS:
        return f"curves that begin {curves.start:g} s after their motion; at most {MOST_SECONDS:g} s are possible"
    return find_bad_name(curves.names, "curve")


def check_unfolding(path: str | Path, n_frames: int, n_joints: int, n_bytes: int, what: str = "joints") -> None:
    """Raise if a text file states more frames of more joints than it can mean, before there are arrays of them.

    A joint without channels takes no room in a file, but as much as any other in memory.

    Args:
        path: of the file.
        n_frames: that it has.
        n_joints: of its skeleton, or its points.
        n_bytes: of the file.
        what: joints or points.
    """
    most = max(JOINT_FRAMES, n_bytes // BYTES_PER_JOINT_FRAME)
    if n_frames > MOST_FRAMES or n_frames * n_joints > most:
        reason = f"{n_frames} frames of {n_joints} {what} in {n_bytes / 1e6:.1f} MB"
        raise FormatError(
            path, f"{reason}, of which at most {most // n_joints} frames are read. Is it a real recording?"
        )


def find_bad_name(names: Iterable[object], what: str) -> str | None:
    """The first name that is not text of a usual length, as a sentence; None if there is none."""
    for name in names:
        if not isinstance(name, str):
            return f"the name of a {what} is not text"
        if len(name) > LONGEST_NAME:
            return f"the name of a {what} has {len(name)} characters; at most {LONGEST_NAME} can be read"
        if "\0" in name or not is_encodable(name):
            return f"the name of a {what} has a character that is not text"
    return None


def is_encodable(text: str) -> bool:
    """Whether a text has a UTF-8 form: it has no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_source(source: Source, whose: str) -> None:
    """Raise unless the units, axes and rate of a source are such that files can be written with them."""
    if not 0 < source.metres_per_unit <= MOST_METRES_PER_UNIT:
        raise BadInput(
            f"{whose}: a unit of {source.metres_per_unit} m in its source; expected more than 0, and at most "
            f"{MOST_METRES_PER_UNIT:g}"
        )
    if source.up not in UP_AXES:
        raise BadInput(f"{whose}: the up axis of its source is '{source.up[:20]}'; expected {', '.join(UP_AXES)}")
    if not np.isfinite(source.fps):
        raise BadInput(f"{whose}: the frame rate of its source must be finite, got {source.fps}")


def _find_excess_of_points(motion: PointMotion) -> str | None:
    if len(motion.names) > MOST_POINTS:
        return f"{len(motion.names)} points; at most {MOST_POINTS} can be read"
    for start, block in _blocks(motion.positions):
        far = np.abs(block) > MOST_METRES  # false for NaN, a point that is missing
        if far.any():
            frame = int(far.any(axis=(1, 2)).argmax())
            return _too_far(start + frame, "a point")
    return find_bad_name(motion.names, "point")


def _find_excess_of_skeleton(skeleton: Skeleton) -> str | None:
    for count, most, what in (
        (skeleton.n_joints, MOST_JOINTS, "joints"),
        (len(skeleton.end_parents), MOST_ENDS, "end sites"),
        (len(skeleton.roles), MOST_ROLES, "roles of joints"),
    ):
        if count > most:
            return f"{count} {what}; at most {most} can be read"
    ends = skeleton.end_parents
    if len(ends) and not (ends.min() >= 0 and ends.max() < skeleton.n_joints):
        return f"an end site belongs to joint {ends.max()}, but there are {skeleton.n_joints} joints"
    for offsets in (skeleton.offsets, skeleton.end_offsets):
        if (np.abs(offsets) > MOST_METRES).any():
            return f"a bone is longer than {MOST_METRES:g} m (is the unit right?)"
    return find_bad_name([skeleton.name, *skeleton.names, *skeleton.roles], "joint, a role or a skeleton")


def _find_bad_frame(motion: Motion) -> str | None:
    """The first frame with a root too far away, or with a rotation that is none, as a sentence."""
    for start, block in _blocks(motion.root_positions):
        near = (np.abs(block) <= MOST_METRES).all(axis=1)
        if not near.all():
            frame = int(near.argmin())
            if not np.isfinite(block[frame]).all():
                return f"frame {start + frame} has a value that is not finite"
            return _too_far(start + frame, "the root")
    for start, block in _blocks(motion.local_rotations):
        with np.errstate(over="ignore"):
            turns = block.astype(float, copy=False)
            lengths = np.sqrt(np.einsum("fjc,fjc->fj", turns, turns))
        bad = ~(np.abs(lengths - 1.0) <= UNIT_TOLERANCE)  # true for NaN
        if bad.any():
            frame, joint = np.argwhere(bad)[0]
            if not np.isfinite(lengths[frame, joint]):
                return f"frame {start + frame} has a value that is not finite"
            return (
                f"frame {start + frame}: the rotation of '{motion.skeleton.names[joint]}' has length "
                f"{lengths[frame, joint]:.4g}, expected 1"
            )
    return None


def _too_far(frame: int, what: str) -> str:
    return f"frame {frame}: {what} is farther than {MOST_METRES:g} m from the origin (is the unit right?)"


def _blocks(values: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Runs of frames of (F, ...) values, each with the index of its first frame."""
    step = max(1, _BLOCK // max(1, int(np.prod(values.shape[1:]))))
    for start in range(0, len(values), step):
        yield start, values[start : start + step]
