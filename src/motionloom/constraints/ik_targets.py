"""Targets of inverse kinematics: positions and orientations of joints in some frames."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Motion, kinematics, rotations

Frames = int | Sequence[int] | np.ndarray


@dataclass(frozen=True, eq=False)
class PositionTarget:
    """The target position of a joint, or of a point fixed to it, in some frames."""

    joint: str  # name or role
    frames: Frames  # one frame or N of them
    position: np.ndarray | Sequence[float] | None = None  # (3,) or (N, 3) metres, world; None: its current position
    offset: np.ndarray | Sequence[float] = (0.0, 0.0, 0.0)  # (3,) metres in the joint's frame, such as a heel
    weight: float = 1.0  # of a miss, if not all targets can be met


@dataclass(frozen=True, eq=False)
class OrientationTarget:
    """The target orientation of a joint in some frames."""

    joint: str  # name or role
    frames: Frames  # one frame or N of them
    rotation: np.ndarray | Sequence[float] | None = None  # (4,) or (N, 4) joint to world; None: its current orientation
    weight: float = 1.0  # of a miss, if not all targets can be met


Target = PositionTarget | OrientationTarget


@dataclass(frozen=True, eq=False)
class Demand:
    """A resolved target: indices of joint and frames, and one value for each of its N frames."""

    is_position: bool
    joint: int
    offset: np.ndarray  # (3,) metres in the joint's frame; zeros for orientations
    frames: np.ndarray  # (N,) int
    values: np.ndarray  # (N, 3) metres, world, or (N, 4) joint to world
    weight: float


def read_targets(motion: Motion, targets: Sequence[Target]) -> list[Demand]:
    """Resolve joints and frames of targets; raises if they are invalid."""
    positions, turned = kinematics.world(motion)
    return [_read(motion, target, number, positions, turned) for number, target in enumerate(targets)]


def find_values(demand: Demand, positions: np.ndarray, world_rotations: np.ndarray) -> np.ndarray:
    """The values of a demand's joint in (N, J, ...) poses: (N, 3) metres or (N, 4) joint to world."""
    turned = world_rotations[:, demand.joint]
    if not demand.is_position:
        return turned
    return positions[:, demand.joint] + rotations.rotate(turned, np.broadcast_to(demand.offset, (len(turned), 3)))


def find_misses(demand: Demand, reached: np.ndarray) -> np.ndarray:
    """Errors of the reached values: (N,) metres or radians."""
    if demand.is_position:
        return np.linalg.norm(reached - demand.values, axis=-1)
    return rotations.angle_between(reached, demand.values)


def _read(motion: Motion, target: Target, number: int, positions: np.ndarray, world_rotations: np.ndarray) -> Demand:
    is_position = isinstance(target, PositionTarget)
    where = f"target {number} ({target.joint})"
    joint = motion.skeleton.index(target.joint)
    frames = _read_frames(target.frames, motion.n_frames, where)
    if not 0 < target.weight < np.inf:
        raise BadInput(f"{where}: weight must be finite and above 0, got {target.weight}")
    offset = _read_row(target.offset, 3, f"{where}: offset") if isinstance(target, PositionTarget) else np.zeros(3)
    demand = Demand(is_position, joint, offset, frames, np.zeros((0, 0)), float(target.weight))
    given = target.position if isinstance(target, PositionTarget) else target.rotation
    if given is None:
        values = find_values(demand, positions[frames], world_rotations[frames])
    else:
        values = _read_values(given, len(frames), 3 if is_position else 4, where)
    return Demand(is_position, joint, offset, frames, values, float(target.weight))


def _read_frames(given: Frames, n_frames: int, where: str) -> np.ndarray:
    frames = np.atleast_1d(np.asarray(given))
    if frames.ndim != 1 or not len(frames) or not np.issubdtype(frames.dtype, np.integer):
        raise BadInput(f"{where}: frames must be a frame number or a list of them, got {given!r}")
    beyond = (frames < 0) | (frames >= n_frames)
    if beyond.any():
        raise BadInput(f"{where}: frame {frames[beyond.argmax()]} is out of range: the motion has {n_frames} frames")
    if len(np.unique(frames)) < len(frames):
        raise BadInput(f"{where}: a frame occurs twice; give each frame of a target once")
    return frames


def _read_values(given: object, n_frames: int, width: int, where: str) -> np.ndarray:
    what = "position" if width == 3 else "rotation"
    values = np.asarray(given, float)
    if values.shape not in ((width,), (n_frames, width)):
        raise BadInput(f"{where}: {what} has shape {values.shape}, expected ({width},) or ({n_frames}, {width})")
    if not np.isfinite(values).all():
        raise BadInput(f"{where}: a {what} is not finite")
    if width == 4 and (np.linalg.norm(values, axis=-1) < 1e-6).any():
        raise BadInput(f"{where}: a rotation is zero; give unit quaternions wxyz")
    values = np.broadcast_to(values, (n_frames, width))
    return rotations.normalize(values) if width == 4 else values


def _read_row(given: object, width: int, what: str) -> np.ndarray:
    row = np.asarray(given, float)
    if row.shape != (width,) or not np.isfinite(row).all():
        raise BadInput(f"{what} must be {width} finite numbers, got {given!r}")
    return row
