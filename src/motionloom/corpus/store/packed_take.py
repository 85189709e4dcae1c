"""Takes as they are stored: one float32 array of frames, and a digest of the content."""

import hashlib
import json
from dataclasses import dataclass

import numpy as np

from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store.packed_curves import pack_curves
from motionloom.corpus.store.serialization import is_text, shorten
from motionloom.errors import BadInput
from motionloom.formats import limits
from motionloom.formats.take import Finding, Source, Take
from motionloom.motion import Curves, Motion, PointMotion, Skeleton
from motionloom.motion.packed import pack_frames, packed_width, unpack_frames

BODY, POINTS = "body", "points"


@dataclass(frozen=True, eq=False)
class PackedTake:
    """A take ready to be stored."""

    name: str
    kind: str
    frames: np.ndarray  # (F, 3 + 4 J) float32: root position, then rotations; for points (F, 3 M): positions
    fps: float
    skeleton: Skeleton | None  # for a body
    point_names: tuple[str, ...] | None  # for points
    floor_height: float  # metres, world
    floor_given: bool  # set by a person rather than estimated
    digest: str
    source: Source
    findings: tuple[Finding, ...]
    curves: Curves | None = None  # beside it

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """What is stored in files."""
        curves = {} if self.curves is None else {"curves": pack_curves(self.curves)}
        return {"frames": self.frames, **curves}


def pack(take: Take, floor_height: float | None = None) -> PackedTake:
    """Pack a take into the array that is stored, and estimate its floor height if it is not given."""
    check_name(take.name)
    if floor_height is not None:
        check_floor(take.name, floor_height)
    motion = take.motion
    if motion.n_frames == 0:
        raise BadInput(f"{take.name}: has no frames; a take needs at least one")
    if isinstance(motion, PointMotion) and not motion.names:
        raise BadInput(f"{take.name}: has no points; a take needs at least one")
    _check_finite(take.name, motion)
    limits.check_motion(motion, take.name)  # so that nothing is stored that the check would call damaged
    limits.check_source(take.source, take.name)
    excess = None if take.curves is None else limits.find_excess_of_curves(take.curves)
    if excess is not None:
        raise BadInput(f"{take.name}: {excess}")
    frames = _frames_of(motion)
    is_body = isinstance(motion, Motion)
    skeleton = motion.skeleton if isinstance(motion, Motion) else None
    point_names = motion.names if isinstance(motion, PointMotion) else None
    return PackedTake(
        name=take.name,
        kind=BODY if is_body else POINTS,
        frames=frames,
        fps=float(motion.fps),
        skeleton=skeleton,
        point_names=point_names,
        floor_height=_floor_of(motion) if floor_height is None else float(floor_height),
        floor_given=floor_height is not None,
        digest=content_digest(frames, motion.fps, skeleton, point_names),
        source=take.source,
        findings=take.findings,
        curves=take.curves,
    )


def unpack(
    frames: np.ndarray, fps: float, skeleton: Skeleton | None, point_names: tuple[str, ...] | None
) -> Motion | PointMotion:
    """The motion of stored frames, as float64."""
    if skeleton is not None:
        return unpack_frames(frames, skeleton, fps)
    assert point_names is not None
    return PointMotion(point_names, np.array(frames, dtype=float).reshape(len(frames), len(point_names), 3), fps)


def n_columns(info: TakeInfo, skeleton: Skeleton | None, point_names: tuple[str, ...] | None) -> int:
    """Number of values in a stored frame of this take."""
    if info.kind == BODY:
        return packed_width(skeleton.n_joints) if skeleton is not None else 0
    return 3 * len(point_names or ())


def check_name(name: str) -> None:
    """Raise unless a name is a path without extension: parts of printable characters, joined by single slashes."""
    parts = name.split("/")
    is_path = name.isprintable() and name == name.strip() and not any(part in ("", ".", "..") for part in parts)
    if not is_path or not is_text(name):
        raise BadInput(f"'{shorten(name)}' is not a valid name for a take; use one like 'walks/monday_03'")
    if len(name) > limits.LONGEST_NAME:
        raise BadInput(
            f"'{shorten(name)}' is too long for the name of a take: {len(name)} characters, at most "
            f"{limits.LONGEST_NAME} are allowed"
        )


def check_floor(name: str, floor_height: float) -> None:
    """Raise unless a floor height is finite and within the limits."""
    if not np.isfinite(floor_height):
        raise BadInput(f"{name}: floor height must be finite, got {floor_height}; give it in metres")
    if abs(floor_height) > limits.MOST_METRES:
        raise BadInput(
            f"{name}: a floor at {floor_height:g} m; it must be within {limits.MOST_METRES:g} m of the origin"
        )


def _check_finite(name: str, motion: Motion | PointMotion) -> None:
    if isinstance(motion, PointMotion):
        return  # a point that is missing is NaN, and infinite ones are beyond the limits
    is_finite = np.isfinite(motion.root_positions).all(axis=1) & np.isfinite(motion.local_rotations).all(axis=(1, 2))
    bad = np.flatnonzero(~is_finite)
    if len(bad):
        raise BadInput(
            f"{name}: frame {bad[0]} has a value that is not finite ({len(bad)} such frames); fix the recording first"
        )


def _frames_of(motion: Motion | PointMotion) -> np.ndarray:
    if isinstance(motion, PointMotion):
        return np.ascontiguousarray(motion.positions.reshape(motion.n_frames, -1), dtype=np.float32)
    return pack_frames(motion)


def _floor_of(motion: Motion | PointMotion) -> float:
    from motionloom.features.floor import estimate_floor

    return estimate_floor(motion) if isinstance(motion, Motion) else 0.0


def content_digest(
    frames: np.ndarray, fps: float, skeleton: Skeleton | None, point_names: tuple[str, ...] | None
) -> str:
    """Digest of the content of a take: kind, rate, skeleton or point names, and stored frames."""
    h = hashlib.sha256()
    if skeleton is not None:  # without its name and roles, which may be corrected later
        h.update(json.dumps([BODY, fps, skeleton.names]).encode())
        for array in (skeleton.parents, skeleton.offsets, skeleton.end_parents, skeleton.end_offsets):
            h.update(np.ascontiguousarray(array).tobytes())
    else:
        h.update(json.dumps([POINTS, fps, point_names]).encode())
    h.update(np.ascontiguousarray(frames).reshape(-1).view(np.uint8).data)
    return h.hexdigest()[:32]


def content_digests(
    frames: np.ndarray, fps: float, skeleton: Skeleton | None, point_names: tuple[str, ...] | None
) -> set[str]:
    """The digests that the content of a stored take may have: its rate may have been given as 60.0 or as 60."""
    rates = [fps, int(fps)] if float(fps).is_integer() else [fps]
    return {content_digest(frames, rate, skeleton, point_names) for rate in rates}
