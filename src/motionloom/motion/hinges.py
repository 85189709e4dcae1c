"""Hinges: knees and elbows, the side on which they bend, and how far they are bent.

The side is anatomy: a property of the skeleton and of the recordings of its body, not of a single frame. It is an axis
in the frame of the thigh or the upper arm, so it follows the body wherever it goes, lies, tumbles or twists.
"""

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import rotations
from motionloom.motion.skeleton import Skeleton

LIMBS = {
    f"{side}_{limb}": tuple(f"{side}_{joint}" for joint in joints)
    for side in ("left", "right")
    for limb, joints in (("leg", ("hip", "knee", "foot")), ("arm", ("shoulder", "elbow", "hand")))
}
WELL_BENT = np.radians(30.0)  # nothing is overstretched by so much: limbs bent further show their side
REST_FRAMES = 10.0  # well-bent frames that weigh as much as the rest pose
AGREEMENT = 0.8  # least length of the mean of unit axes: below it a limb does not bend like a hinge
FEWEST = 3  # well-bent frames that can disagree
SHORTEST_BONE = 1e-6  # metres


def limb_joints(skeleton: Skeleton, limb: str) -> tuple[int, int, int]:
    """Indices of hip, knee and foot, or of shoulder, elbow and hand."""
    if limb not in LIMBS:
        raise BadInput(f"no limb '{limb}'; the limbs are {', '.join(LIMBS)}")
    upper, middle, end = (skeleton.index(role) for role in LIMBS[limb])
    if skeleton.parents[middle] != upper or skeleton.parents[end] != middle:
        raise BadInput(
            f"{limb}: '{skeleton.names[upper]}', '{skeleton.names[middle]}' and '{skeleton.names[end]}' are not a "
            "chain of parents and children; correct their roles"
        )
    return upper, middle, end


def hinged_limbs(skeleton: Skeleton) -> tuple[str, ...]:
    """The limbs that have a knee or an elbow between two bones."""
    return tuple(limb for limb in LIMBS if _is_hinged(skeleton, limb))


def hinge_axis(skeleton: Skeleton, local_rotations: np.ndarray, limb: str) -> np.ndarray | None:
    """The axis about which the lower bone of a limb bends: (3,) unit vector in the frame of the upper joint.

    It is measured in the frames in which the limb is well bent; the fewer there are, the more the rest pose counts,
    in which knees point forwards and elbows back. Bending is a positive turn about it.

    Args:
        skeleton: with the three roles of the limb.
        local_rotations: (F, J, 4) joint to parent.
        limb: left_leg, right_leg, left_arm or right_arm.

    Returns:
        The axis, or None if the limb bends about axes so different that it has no side.
    """
    upper_bone, lower_bones = _bones(skeleton, local_rotations, limb)
    normals = np.cross(upper_bone, lower_bones)
    sines = np.linalg.norm(normals, axis=-1)
    is_bent = (np.arctan2(sines, lower_bones @ upper_bone) > WELL_BENT) & (sines > 0.1)  # folded flat has no axis
    units = normals[is_bent] / sines[is_bent, None]
    if len(units) >= FEWEST and np.linalg.norm(units.mean(axis=0)) < AGREEMENT:
        return None
    axis = units.sum(axis=0) + REST_FRAMES * rest_axis(skeleton, limb)
    return axis / max(float(np.linalg.norm(axis)), 1e-12)


def rest_axis(skeleton: Skeleton, limb: str) -> np.ndarray:
    """The axis (3,) that the rest pose of a skeleton suggests: knees point forwards, elbows back."""
    _, middle, _ = limb_joints(skeleton, limb)
    bone = _unit(skeleton.offsets[middle])
    forwards, up = _rest_directions(skeleton)
    points = forwards + 0.1 * up if limb.endswith("leg") else -forwards - 0.1 * up  # of a limb stretched forwards
    return _unit(np.cross(points, bone))


def flexion(skeleton: Skeleton, local_rotations: np.ndarray, limb: str, axis: np.ndarray) -> np.ndarray:
    """How far a knee or an elbow is bent: (F,) radians, 0 for a straight limb and negative beyond straight."""
    upper_bone, lower_bones = _bones(skeleton, local_rotations, limb)
    return np.arctan2(np.cross(upper_bone, lower_bones) @ axis, lower_bones @ upper_bone)


def bend_offsets(skeleton: Skeleton, local_rotations: np.ndarray, limb: str, axis: np.ndarray) -> np.ndarray:
    """Distance of a knee from the line of hip and ankle, or of an elbow from that of shoulder and wrist.

    Returns:
        (F,) metres; negative where the limb is bent beyond straight.
    """
    _, middle, end = limb_joints(skeleton, limb)
    upper_bone, lower_bones = _bones(skeleton, local_rotations, limb)
    a, b = (float(np.linalg.norm(skeleton.offsets[joint])) for joint in (middle, end))
    normals = np.cross(upper_bone, lower_bones)
    chord = np.linalg.norm(a * upper_bone + b * lower_bones, axis=-1)
    distances = a * b * np.linalg.norm(normals, axis=-1) / np.maximum(chord, 1e-9)
    return np.where(normals @ axis < 0, -distances, distances)


def _is_hinged(skeleton: Skeleton, limb: str) -> bool:
    if not skeleton.has(*LIMBS[limb]):
        return False
    upper, middle, end = (skeleton.index(role) for role in LIMBS[limb])
    lengths = np.linalg.norm(skeleton.offsets[[middle, end]], axis=-1)
    is_chain = skeleton.parents[middle] == upper and skeleton.parents[end] == middle
    return bool(is_chain and (lengths > SHORTEST_BONE).all())


def _bones(skeleton: Skeleton, local_rotations: np.ndarray, limb: str) -> tuple[np.ndarray, np.ndarray]:
    """Directions (3,) of the upper and (F, 3) of the lower bone, in the frame of the upper joint."""
    _, middle, end = limb_joints(skeleton, limb)
    lower = rotations.rotate(np.asarray(local_rotations[:, middle], float), _unit(skeleton.offsets[end]))
    return _unit(skeleton.offsets[middle]), lower


def _rest_directions(skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """Forwards and up (3,) of the rest pose, from its hips and head, or feet where it has no head."""
    if not skeleton.has("left_hip", "right_hip"):
        return np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
    rest = skeleton.rest_positions
    left, right = rest[skeleton.index("left_hip")], rest[skeleton.index("right_hip")]
    up = np.array([0.0, 1.0, 0.0])
    if skeleton.has("head"):
        up = rest[skeleton.index("head")] - (left + right) / 2
    elif skeleton.has("left_foot", "right_foot"):
        up = (left + right - rest[skeleton.index("left_foot")] - rest[skeleton.index("right_foot")]) / 2
    forwards = np.cross(left - right, up)
    if np.linalg.norm(forwards) < 1e-9:
        return np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
    return _unit(forwards), _unit(up)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / max(float(np.linalg.norm(vector)), 1e-12)
