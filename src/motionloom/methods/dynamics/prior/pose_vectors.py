"""Pose vectors: what a model sees of a body in one frame, wherever on the ground it is and whichever way it looks.

A vector holds the velocity over the ground as seen from the facing (forward, left), the turning rate, the height of the
root, its tilt, and the rotation vector of every moving joint about the joint's mean rotation: there is no wrap-around
within half a turn of the mean. Numbers are scaled so that a metre and a radian count alike. Place and heading are kept
beside: three numbers a frame, which the velocities tie from frame to frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, Skeleton, hinges, kinematics, rotations
from motionloom.motion.placement import direction_of

SPEED, TURN, HEIGHT = 0.35, 0.15, 4.0  # scales: per m/s, per rad/s, per m; radians count as they are
N_GROUND = 3  # forward, left, turning
HEIGHT_AT = 3
TILT_AT = 4
JOINTS_AT = 7
N_PLACE = 3  # x, z, heading
MOVES = np.radians(0.1)  # root mean square turn from which a joint moves


@dataclass(frozen=True, eq=False)
class PoseVectors:
    """How poses of a skeleton are written as vectors of D numbers, and back."""

    skeleton: Skeleton
    fps: float
    joints: np.ndarray  # (M,) int: those that move, without the root
    means: np.ndarray  # (J, 4) mean rotations; the root's with its heading taken out; others joint to parent
    n_places = N_PLACE  # of unknowns of a frame beside its vector

    @property
    def size(self) -> int:
        """D."""
        return JOINTS_AT + 3 * len(self.joints)

    @cached_property
    def scales(self) -> np.ndarray:
        """(D,) that numbers in metres, radians and per second are multiplied with."""
        return np.array([SPEED, SPEED, TURN, HEIGHT, *np.ones(3 + 3 * len(self.joints))])

    @cached_property
    def turning(self) -> np.ndarray:
        """(1 + M,) joints whose rotation vectors are in a vector, the root first."""
        return np.concatenate([[0], self.joints]).astype(int)

    def encode(self, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
        """(F, D) scaled vectors and (F, 3) places of a motion at the rate of the vectors.

        The velocity of a frame leads to the next; the last frame has that of the one before.
        """
        check_fits(self, motion)
        places = find_places(motion)
        return self.scales * np.concatenate([self.velocities(places), self.poses(motion, places)], axis=1), places

    def lessons(self, motion: Motion) -> np.ndarray:
        """(F - 1, D) the vectors of a motion that can be learnt from: its last frame has no velocity of its own."""
        return self.encode(motion)[0][:-1]

    def velocities(self, places: np.ndarray) -> np.ndarray:
        """(F, 3) metres and radians per second: forward, left, turning."""
        if len(places) < 2:
            return np.zeros((len(places), N_GROUND))
        steps = np.diff(places, axis=0) * self.fps
        forward = direction_of(places[:-1, 2])
        left = np.stack([forward[:, 1], -forward[:, 0]], axis=-1)
        seen = np.stack([(steps[:, :2] * forward).sum(-1), (steps[:, :2] * left).sum(-1), steps[:, 2]], axis=-1)
        return np.concatenate([seen, seen[-1:]])

    def poses(self, motion: Motion, places: np.ndarray) -> np.ndarray:
        """(F, D - 3) metres and radians: height, tilt, joints."""
        own = motion.local_rotations[:, self.turning].copy()
        own[:, 0] = rotations.multiply(rotations.about_y(-places[:, 2]), motion.local_rotations[:, 0])
        turns = rotations.log(rotations.multiply(rotations.inverse(self.means[self.turning]), own))
        turns = unwrap_turns(turns)
        return np.concatenate([motion.root_positions[:, 1:2], turns.reshape(len(turns), -1)], axis=1)

    def bases(self, places: np.ndarray) -> np.ndarray:
        """(F, 1 + M, 4) rotations that rotation vectors are relative to: those of the root turned to its heading."""
        bases = np.broadcast_to(self.means[self.turning], (len(places), len(self.turning), 4)).copy()
        bases[:, 0] = rotations.multiply(rotations.about_y(places[:, 2]), self.means[0])
        return bases

    def turns(self, vectors: np.ndarray) -> np.ndarray:
        """(F, 1 + M, 3) rotation vectors of scaled vectors, radians."""
        return (vectors / self.scales)[:, TILT_AT:].reshape(len(vectors), -1, 3)

    def apart(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(N,) degrees between the joints of two (N, D) scaled vectors, on average, without the root."""
        turned = [rotations.exp(self.turns(vectors)[:, 1:]) for vectors in (one, other)]
        return np.degrees(rotations.angle_between(*turned).mean(axis=1))

    def decode(self, vectors: np.ndarray, places: np.ndarray, still: np.ndarray | None = None) -> Motion:
        """The motion of (F, D) scaled vectors at (F, 3) places.

        Args:
            vectors: scaled.
            places: x, z and heading.
            still: (F, J, 4) rotations of the joints that vectors say nothing of; None for their means.
        """
        n = len(vectors)
        local = np.broadcast_to(self.means, (n, self.skeleton.n_joints, 4)) if still is None else still
        local = np.array(local, float)
        local[:, self.turning] = rotations.multiply(self.bases(places), rotations.exp(self.turns(vectors)))
        height = vectors[:, HEIGHT_AT] / HEIGHT
        return Motion(self.skeleton, np.stack([places[:, 0], height, places[:, 1]], axis=-1), local, self.fps)


def learn_pose_vectors(motions: Sequence[Motion], *, joints: Sequence[int] | None = None) -> PoseVectors:
    """Find the mean rotations and the joints that move in motions of one skeleton and rate.

    Args:
        motions: at least one.
        joints: those that are to be in the vectors; None for those that move, without fingers and joints inside bones.
    """
    if not motions:
        raise BadInput("no motions to learn pose vectors from; choose at least one take")
    first = motions[0]
    local = np.concatenate([np.asarray(motion.local_rotations, float) for motion in motions])
    upright = [rotations.multiply(rotations.about_y(-find_places(m)[:, 2]), m.local_rotations[:, 0]) for m in motions]
    local[:, 0] = np.concatenate(upright)
    means = rotations.mean(local)
    if joints is None:
        turns = rotations.angle_between(means, local)
        moving = np.sqrt((turns**2).mean(axis=0)) > MOVES
        left_out = {0, *hinges.inner_joints(first.skeleton), *below_hands(first.skeleton)}
        joints = [joint for joint in np.flatnonzero(moving).tolist() if joint not in left_out]
    return PoseVectors(first.skeleton, first.fps, np.array(joints, int), means)


def find_places(motion: Motion) -> np.ndarray:
    """(F, 3) of a motion: metres along x and z under the root, and radians of the heading, unwrapped."""
    positions = kinematics.world_positions(motion)
    headings, _ = find_facing(motion.skeleton, positions)
    root = np.asarray(motion.root_positions, float)
    return np.column_stack([root[:, 0], root[:, 2], headings])


def below_hands(skeleton: Skeleton) -> set[int]:
    """The joints of fingers."""
    hands = {skeleton.index(hand) for hand in ("left_hand", "right_hand") if skeleton.has(hand)}
    return {joint for joint in range(skeleton.n_joints) if hands & set(skeleton.chain(joint)) - {joint}}


def unwrap_turns(turns: np.ndarray, like: np.ndarray | None = None) -> np.ndarray:
    """(F, K, 3) rotation vectors, each the one of the same rotation that is nearest to that of the frame before.

    Args:
        turns: radians, up to half a turn long.
        like: (F, K, 3) to be near to instead of the frame before.
    """
    result = turns.copy()
    if like is not None:
        return _nearest(turns, like)
    jumps = np.flatnonzero((np.abs(np.diff(turns, axis=0)).max(axis=(1, 2), initial=0.0)) > np.pi / 2)
    if len(jumps):
        for frame in range(int(jumps[0]) + 1, len(turns)):
            result[frame] = _nearest(turns[frame], result[frame - 1])
    return result


def _nearest(turns: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Rotation vectors of the same rotations, whole turns longer or shorter, nearest to others."""
    angle = np.linalg.norm(turns, axis=-1, keepdims=True)
    far = np.linalg.norm(like, axis=-1, keepdims=True)
    axis = np.divide(like, far, out=np.zeros_like(turns), where=far > 1e-9)  # no turn is a whole turn about any axis
    axis = np.divide(turns, angle, out=axis, where=angle > 1e-9)
    whole = np.round(((like * axis).sum(-1, keepdims=True) - angle) / (2 * np.pi))
    return turns + whole * 2 * np.pi * axis


def check_fits(vectors: PoseVectors, motion: Motion) -> None:
    """Raise if a motion has another skeleton or rate."""
    if motion.skeleton != vectors.skeleton:
        raise SkeletonMismatch(
            f"the motion has the skeleton '{motion.skeleton.name}', the model '{vectors.skeleton.name}'; conform it"
        )
    if abs(motion.fps - vectors.fps) > 1e-6 * vectors.fps:
        raise BadInput(
            f"a motion at {motion.fps:g} frames per second for a model at {vectors.fps:g}; resample it first"
        )
