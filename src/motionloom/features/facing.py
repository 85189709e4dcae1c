"""Facing: the torso's coordinate frame projected onto the ground, as position and heading."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Skeleton, rotations

SURE_TILT = np.radians(100.0)  # tilt of the torso from upright up to which its heading is well defined
_SIDES = (("left_hip", "right_hip"), ("left_shoulder", "right_shoulder"))


def find_facing(skeleton: Skeleton, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the position of a body on the ground and the heading of its torso.

    The heading is the twist of the torso's orientation about y (swing-twist), so bending, leaning and lying do not
    change it. Near upside down the twist is undefined: there the torso's angular velocity about y is integrated, and
    corrected so that it meets the next well-defined frame without a jump.

    Args:
        skeleton: with hips or shoulders of both sides.
        positions: (F, J, 3) metres, world.

    Returns:
        (F,) headings in radians, unwrapped, and (F, 2) metres along x and z under the hips.
    """
    ground = positions[:, skeleton.index("hips")][:, [0, 2]]
    torso = torso_rotations(skeleton, positions)
    turn, sure = _turn_about_up(torso)
    if not sure.any():
        sure = sure | (np.arange(len(sure)) == _least_tilted(torso))
    return _carry(turn, sure, _steps_about_up(torso)), ground


def knows_heading(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """Whether the heading of a torso is well defined: (F,) bool, False near upside down.

    Args:
        skeleton: with hips or shoulders of both sides.
        positions: (F, J, 3) metres, world.
    """
    return _turn_about_up(torso_rotations(skeleton, positions))[1]


def torso_rotations(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """Orientation of the torso: (F, 4) from x left, y along the spine, z to the front, to the world."""
    pairs = [pair for pair in _SIDES if skeleton.has(*pair)]
    if not pairs:
        raise BadInput(
            f"skeleton '{skeleton.name}' has no left and right hips or shoulders, so its facing is undefined; "
            f"assign their roles; joints: {', '.join(skeleton.names)}"
        )
    ends = [(positions[:, skeleton.index(left)], positions[:, skeleton.index(right)]) for left, right in pairs]
    across = sum(_unit(left - right) for left, right in ends)
    x = _unit(np.asarray(across))
    up = _spine(skeleton, positions, ends)
    y = _unit(up - x * (up * x).sum(-1, keepdims=True))
    return rotations.align_signs(rotations.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1)))


def _spine(skeleton: Skeleton, positions: np.ndarray, ends: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """(F, 3) from the hips to the shoulders, or to the head without shoulders; y if neither is known."""
    middles = [(left + right) / 2 for left, right in ends]
    if len(middles) == 2:
        return middles[1] - middles[0]
    for role in ("neck", "head", "chest"):
        if skeleton.has(role) and skeleton.has("hips"):
            return positions[:, skeleton.index(role)] - positions[:, skeleton.index("hips")]
    return np.broadcast_to(np.array([0.0, 1.0, 0.0]), middles[0].shape)


def _turn_about_up(torso: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F,) twist about y in radians, wrapped, and (F,) bool, whether it is well defined."""
    turn = 2.0 * np.arctan2(torso[:, 2], torso[:, 0])
    return turn, np.hypot(torso[:, 0], torso[:, 2]) > np.cos(SURE_TILT / 2)


def _least_tilted(torso: np.ndarray) -> int:
    return int(np.hypot(torso[:, 0], torso[:, 2]).argmax())


def _steps_about_up(torso: np.ndarray) -> np.ndarray:
    """(F,) rotation of the torso about y from the frame before, in radians; the first is 0."""
    steps = rotations.log(rotations.multiply(torso[1:], rotations.inverse(torso[:-1])))[:, 1]
    return np.concatenate([[0.0], steps])


def _carry(turn: np.ndarray, sure: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """(F,) headings that equal the twist, up to multiples of 2 pi, where it is sure, and follow the steps between."""
    along = np.cumsum(steps)
    known = np.flatnonzero(sure)
    # the difference to the integrated steps changes little from one sure frame to the next, so it unwraps safely
    difference = np.unwrap(turn[known] - along[known])
    headings = along + np.interp(np.arange(len(turn)), known, difference)
    return headings - 2 * np.pi * np.round(headings[known[0]] / (2 * np.pi))


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 1e-9)
