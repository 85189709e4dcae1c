"""Marked bodies: the joints of a skeleton that rotate when it is fitted to markers, and the markers on them.

Joints without markers below them keep their neutral rotation, and so do joints inside the bones of limbs and those
between the hips and a thigh; each is a rigid part of the joint above it.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.markers.marker_set import MarkerSet
from motionloom.markers.nodes import Nodes
from motionloom.motion import Skeleton, hinges, kinematics, rest_pose, rotations
from motionloom.motion.hinges import SHORTEST_BONE

NEUTRAL = 1.0  # 1 / radians^2: pull towards the neutral pose, beside markers that are known to millimetres
TOLD = 1e-3  # 1 / radians^2, of joints with three markers or more, which need none
SHARED = (
    30.0  # 1 / radians^2, of joints of the trunk without markers of their own: those of a spine share a bend evenly
)
CLAVICLE = 3.0  # 1 / radians^2
LIMBS = ("hip", "knee", "foot", "shoulder", "elbow", "hand")
HANGING = np.radians(75.0)  # of the arms of the neutral pose, from T-pose
BEYOND_STRAIGHT = 400.0  # 1 / radians^2, of knees and elbows that turn over: three degrees


@dataclass(frozen=True, eq=False)
class MarkedBody:
    """A skeleton with markers, as the solver sees it: N joints that rotate, the rest rigid."""

    skeleton: Skeleton
    markers: MarkerSet
    joints: np.ndarray  # (N,) int: those that rotate, parents first
    rest: np.ndarray  # (J, 4) joint to parent: the neutral pose, with hanging arms
    spread: np.ndarray  # (J, 4) joint to parent: the T-pose
    nodes: Nodes

    @functools.cached_property
    def rest_places(self) -> np.ndarray:
        """(K, 3) metres: the markers in the neutral pose, facing +z, with the root at the origin."""
        positions, turned = kinematics.forward(self.skeleton, np.zeros((1, 3)), self.rest[None])
        carriers = self.markers.carriers(self.skeleton)
        return kinematics.attached_positions(positions, turned, carriers, self.markers.offsets)[0]

    def full_locals(self, locals_: np.ndarray) -> np.ndarray:
        """(F, J, 4) local rotations from matrices (F, N, 3, 3) of the joints that rotate."""
        local = np.repeat(self.rest[None], len(locals_), axis=0)
        local[:, self.joints] = to_quaternions(locals_)
        return local


@dataclass(frozen=True, eq=False)
class Hinge:
    """A knee or an elbow as the solver sees it."""

    node: int  # number of the joint
    axis: np.ndarray  # (3,) unit, in the frame of the joint above that rotates
    upper: np.ndarray  # (3,) unit, the bone above, in that frame
    lower: np.ndarray  # (3,) unit, the bone below, in its own frame


def to_quaternions(matrices: np.ndarray) -> np.ndarray:
    """(F, N, 4) from rotations (F, N, 3, 3), without jumps of sign."""
    from motionloom.markers._kernels import fill_quaternions

    quaternions = np.empty((*matrices.shape[:2], 4))
    fill_quaternions(np.ascontiguousarray(matrices), quaternions)
    return quaternions


def mark_body(skeleton: Skeleton, markers: MarkerSet) -> MarkedBody:
    """Put markers on a skeleton for the solver; knees and elbows bend about the axes of the rest pose."""
    turned = rest_pose.t_pose(skeleton)
    spread, rest = (kinematics.to_local(skeleton, pose) for pose in (turned, _hang_arms(skeleton, turned)))
    joints = _find_joints(skeleton, markers)
    number = {int(joint): n for n, joint in enumerate(joints)}
    shifts, turns, parents = np.zeros((len(joints), 3)), np.tile(np.eye(3), (len(joints), 1, 1)), []
    for n, joint in enumerate(joints):
        above, turn, shift = _rigid_part(skeleton, rest, int(skeleton.parents[joint]), skeleton.offsets[joint], number)
        parents.append(-1 if joint == 0 else number[above])
        if joint:
            shifts[n], turns[n] = shift, rotations.to_matrix(turn)
    carriers, offsets = [], []
    for joint, offset in zip(markers.carriers(skeleton), markers.offsets):
        above, _, shift = _rigid_part(skeleton, rest, int(joint), offset, number)
        carriers.append(number[above])
        offsets.append(shift)
    nodes = Nodes(
        np.array(parents, np.int64),
        shifts,
        turns,
        np.array(carriers, np.int64),
        np.array(offsets).reshape(-1, 3),
        np.ascontiguousarray(rotations.to_matrix(rest[joints])),
        _rest_weights(skeleton, joints, np.array(carriers, int)),
        np.zeros(0, np.int64),
        np.zeros((0, 3)),
        np.zeros((0, 3)),
        np.zeros((0, 3)),
        BEYOND_STRAIGHT,
    )
    axes = {limb: hinges.rest_axis(skeleton, limb) for limb in hinges.hinged_limbs(skeleton)}
    return bend_about(MarkedBody(skeleton, markers, joints, rest, spread, nodes), axes)


def bend_about(body: MarkedBody, axes: Mapping[str, np.ndarray]) -> MarkedBody:
    """The body with knees and elbows that bend about given axes.

    Args:
        body: to change.
        axes: limb -> (3,) unit, in the frame of the joint above; limbs without one may bend to any side.
    """
    number = {int(joint): n for n, joint in enumerate(body.joints)}
    limbs = _find_hinges(body.skeleton, body.rest, number, axes)
    nodes = body.nodes._replace(
        hinges=np.array([limb.node for limb in limbs], np.int64),
        hinge_axes=np.array([limb.axis for limb in limbs]).reshape(-1, 3),
        upper_bones=np.array([limb.upper for limb in limbs]).reshape(-1, 3),
        lower_bones=np.array([limb.lower for limb in limbs]).reshape(-1, 3),
    )
    return replace(body, nodes=nodes)


def _find_joints(skeleton: Skeleton, markers: MarkerSet) -> np.ndarray:
    above = {joint for carrier in markers.carriers(skeleton) for joint in skeleton.chain(int(carrier))}
    fixed = set(hinges.inner_joints(skeleton))
    for side in ("left", "right"):
        if skeleton.has(f"{side}_hip", "hips"):
            chain = skeleton.chain(skeleton.index(f"{side}_hip"))
            hips = skeleton.index("hips")
            fixed |= set(chain[chain.index(hips) + 1 : -1]) if hips in chain else set()
    return np.array(sorted((above - fixed) | {0}), int)


def _rigid_part(
    skeleton: Skeleton, rest: np.ndarray, joint: int, offset: np.ndarray, number: dict[int, int]
) -> tuple[int, np.ndarray, np.ndarray]:
    """The nearest joint that rotates, a frame's rotation (4,) in its frame, and a point's place (3,) in it.

    Args:
        skeleton: J joints.
        rest: (J, 4) joint to parent.
        joint: in whose frame the point is.
        offset: (3,) metres, of the point.
        number: of the joints that rotate.
    """
    turn, place = rotations.IDENTITY, np.asarray(offset, float)
    while joint > 0 and joint not in number:
        turn = rotations.multiply(rest[joint], turn)
        place = skeleton.offsets[joint] + rotations.rotate(rest[joint], place)
        joint = int(skeleton.parents[joint])
    return joint, turn, place


def _hang_arms(skeleton: Skeleton, turned: np.ndarray) -> np.ndarray:
    """(J, 4) joint to world: a T-pose with hanging arms."""
    hanging = turned.copy()
    for side, out in (("left", -1.0), ("right", 1.0)):
        if skeleton.has(f"{side}_shoulder"):
            arm = skeleton.index(f"{side}_shoulder")
            below = [joint for joint in range(skeleton.n_joints) if arm in skeleton.chain(joint)]
            swing = rotations.about_axis(np.array([0.0, 0.0, 1.0]), out * HANGING)
            hanging[below] = rotations.multiply(swing, turned[below])
    return hanging


def _rest_weights(skeleton: Skeleton, joints: np.ndarray, carriers: np.ndarray) -> np.ndarray:
    """(N,) weights of the neutral pose; carriers (K,) are the numbers of the joints that carry markers."""
    roles = [f"{side}_{limb}" for side in ("left", "right") for limb in LIMBS]
    limbs = [skeleton.index(role) for role in roles if skeleton.has(role)]
    weights = np.where(np.isin(joints, limbs), NEUTRAL, SHARED)
    counts = np.bincount(carriers, minlength=len(joints))
    weights = np.where(counts >= 3, TOLD, np.where(counts > 0, NEUTRAL, weights))
    clavicles = [skeleton.index(role) for role in ("left_clavicle", "right_clavicle") if skeleton.has(role)]
    weights = np.where(np.isin(joints, clavicles) & (weights == NEUTRAL), CLAVICLE, weights)
    weights[0] = 0.0
    return weights


def _find_hinges(
    skeleton: Skeleton, rest: np.ndarray, number: dict[int, int], axes: Mapping[str, np.ndarray]
) -> list[Hinge]:
    """The knees and elbows that rotate and have a side."""
    found = []
    for limb in hinges.hinged_limbs(skeleton):
        upper, middle, end = hinges.limb_joints(skeleton, limb)
        if upper not in number or middle not in number or limb not in axes:
            continue
        last = int(skeleton.parents[middle])  # the axis is in the frame of the last joint above
        _, turn, _ = _rigid_part(skeleton, rest, last, np.zeros(3), number)
        _, _, thigh = _rigid_part(skeleton, rest, last, skeleton.offsets[middle], number)
        shin = _place_in(skeleton, rest, end, middle)
        upper_bone, lower_bone = (bone / max(float(np.linalg.norm(bone)), SHORTEST_BONE) for bone in (thigh, shin))
        found.append(Hinge(number[middle], rotations.rotate(turn, axes[limb]), upper_bone, lower_bone))
    return found


def _place_in(skeleton: Skeleton, rest: np.ndarray, joint: int, above: int) -> np.ndarray:
    """Where a joint is in the frame of one above it, (3,) metres, with all joints between at rest."""
    place = skeleton.offsets[joint].copy()
    parent = int(skeleton.parents[joint])
    while parent != above:
        place = skeleton.offsets[parent] + rotations.rotate(rest[parent], place)
        parent = int(skeleton.parents[parent])
    return place
