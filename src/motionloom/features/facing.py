"""Facing: the torso's coordinate frame dropped onto the ground."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Skeleton, rotations

SURE_TILT = np.radians(100.0)  # the torso may lean this far from upright and its heading is still plain to see
_SIDES = (("left_hip", "right_hip"), ("left_shoulder", "right_shoulder"))


def find_facing(skeleton: Skeleton, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find where a body is on the ground and which way its torso faces.

    The heading is the turn about up in the torso's orientation, so bending, leaning and lying do not change it.
    Where the torso is near upside down that turn is undefined: there the heading is carried on by how fast the torso
    turns about up, and meets the next sure frame without a jump.

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


def torso_rotations(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """How the torso is turned: (F, 4) from x left, y along the spine, z to the front, to the world."""
    pairs = [pair for pair in _SIDES if skeleton.has(*pair)]
    if not pairs:
        raise BadInput(
            f"skeleton '{skeleton.name}' tells no left from right (no hips or shoulders found), so it has no facing; "
            f"correct its roles; joints: {', '.join(skeleton.names)}"
        )
    ends = [(positions[:, skeleton.index(left)], positions[:, skeleton.index(right)]) for left, right in pairs]
    across = sum(_unit(left - right) for left, right in ends)
    x = _unit(np.asarray(across))
    up = _spine(skeleton, positions, ends)
    y = _unit(up - x * (up * x).sum(-1, keepdims=True))
    return rotations.align_signs(rotations.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1)))


def _spine(skeleton: Skeleton, positions: np.ndarray, ends: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """(F, 3) from the hips to the shoulders, or to the head where there are no shoulders; up where neither is known."""
    middles = [(left + right) / 2 for left, right in ends]
    if len(middles) == 2:
        return middles[1] - middles[0]
    for role in ("neck", "head", "chest"):
        if skeleton.has(role) and skeleton.has("hips"):
            return positions[:, skeleton.index(role)] - positions[:, skeleton.index("hips")]
    return np.broadcast_to(np.array([0.0, 1.0, 0.0]), middles[0].shape)


def _turn_about_up(torso: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F,) radians about up, wrapped, and (F,) whether the torso is upright enough to tell."""
    turn = 2.0 * np.arctan2(torso[:, 2], torso[:, 0])
    return turn, np.hypot(torso[:, 0], torso[:, 2]) > np.cos(SURE_TILT / 2)


def _least_tilted(torso: np.ndarray) -> int:
    return int(np.hypot(torso[:, 0], torso[:, 2]).argmax())


def _steps_about_up(torso: np.ndarray) -> np.ndarray:
    """(F,) radians that the torso turns about up from the frame before, whichever way up it is; the first is 0."""
    steps = rotations.log(rotations.multiply(torso[1:], rotations.inverse(torso[:-1])))[:, 1]
    return np.concatenate([[0.0], steps])


def _carry(turn: np.ndarray, sure: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Headings (F,) that equal the turn, up to whole turns, where it is sure, and follow the steps in between."""
    along = np.cumsum(steps)
    known = np.flatnonzero(sure)
    # the difference to the integrated steps is small from one sure frame to the next, so it unwraps safely
    difference = np.unwrap(turn[known] - along[known])
    headings = along + np.interp(np.arange(len(turn)), known, difference)
    return headings - 2 * np.pi * np.round(headings[known[0]] / (2 * np.pi))


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 1e-9)
