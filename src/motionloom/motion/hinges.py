"""Hinges: knees and elbows, the side on which they bend, and how far they are bent.

The side is anatomy: a property of the skeleton and of the recordings of its body, not of a single frame. It is an axis
in the frame of the thigh or the upper arm, so it follows the body wherever it goes, lies, tumbles or twists.

Bones may have joints of their own, such as those that spread a twist along a thigh or a forearm: hip, knee and foot are
then joints of a longer chain. The joints in between are parts of the bone, which has the length and direction that they
give it in each frame. The axis is in the frame of the last of them above the knee: the twist of the thigh is above it.
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
    if not _is_chain(skeleton, upper, middle, end):
        raise BadInput(
            f"{limb}: '{skeleton.names[upper]}', '{skeleton.names[middle]}' and '{skeleton.names[end]}' are not a "
            "chain of parents and children; correct their roles"
        )
    return upper, middle, end


def inner_joints(skeleton: Skeleton) -> frozenset[int]:
    """The joints inside the bones of limbs: between hip and knee, knee and foot, shoulder and elbow, elbow and hand."""
    limbs = [limb_joints(skeleton, limb) for limb in hinged_limbs(skeleton)]
    pairs = [pair for upper, middle, end in limbs for pair in ((upper, middle), (middle, end))]
    return frozenset(joint for upper, lower in pairs for joint in _links(skeleton, upper, lower)[:-1])


def limb_bones(skeleton: Skeleton, local_rotations: np.ndarray, limb: str) -> tuple[np.ndarray, np.ndarray]:
    """The two bones of a limb in metres: in the frame of the joint above the middle one, and in that of the middle one.

    Returns:
        (3,) where the bone is one offset; (F, 3) where joints inside it can bend it.
    """
    joints = limb_joints(skeleton, limb)
    above, below = (_links(skeleton, upper, lower) for upper, lower in zip(joints, joints[1:]))
    thigh, shin = skeleton.offsets[above[0]], skeleton.offsets[below[-1]]
    for joint, child in zip(above, above[1:]):
        turns = rotations.inverse(np.asarray(local_rotations[:, joint], float))
        thigh = rotations.rotate(turns, np.broadcast_to(thigh, (len(turns), 3))) + skeleton.offsets[child]
    for joint in below[-2::-1]:
        turns = np.asarray(local_rotations[:, joint], float)
        shin = skeleton.offsets[joint] + rotations.rotate(turns, np.broadcast_to(shin, (len(turns), 3)))
    return thigh, shin


def bone_length(bone: np.ndarray) -> float | np.ndarray:
    """Metres of a bone of `limb_bones`: a number, or (F,)."""
    return float(np.linalg.norm(bone)) if bone.ndim == 1 else np.linalg.norm(bone, axis=-1)


def rest_lengths(skeleton: Skeleton, limb: str) -> tuple[float, float]:
    """Metres of the two bones of a limb in the rest pose."""
    upper, middle, end = LIMBS[limb]
    bones = skeleton.bone(middle, upper), skeleton.bone(end, middle)
    return float(np.linalg.norm(bones[0])), float(np.linalg.norm(bones[1]))


def upper_turns(skeleton: Skeleton, local_rotations: np.ndarray, limb: str) -> np.ndarray:
    """(F, 4) rotations of the joint above the middle one, relative to the parent of the limb."""
    upper, middle, _ = limb_joints(skeleton, limb)
    turns = local_rotations[:, upper]
    for joint in _links(skeleton, upper, middle)[:-1]:
        turns = rotations.multiply(turns, local_rotations[:, joint])
    return turns


def hinged_limbs(skeleton: Skeleton) -> tuple[str, ...]:
    """The limbs that have a knee or an elbow between two bones."""
    return tuple(limb for limb in LIMBS if _is_hinged(skeleton, limb))


def hinge_axis(skeleton: Skeleton, local_rotations: np.ndarray, limb: str) -> np.ndarray | None:
    """The axis about which the lower bone of a limb bends: (3,) unit vector in the frame of the upper bone.

    It is measured in the frames in which the limb is well bent; the fewer there are, the more the rest pose counts,
    in which knees point forwards and elbows back. Bending is a positive turn about it.

    Args:
        skeleton: with the three roles of the limb.
        local_rotations: (F, J, 4) joint to parent.
        limb: left_leg, right_leg, left_arm or right_arm.

    Returns:
        The axis, or None if the limb bends about axes so different that it has no side.
    """
    upper_bone, lower_bones = _directions(skeleton, local_rotations, limb)
    normals = np.cross(upper_bone, lower_bones)
    sines = np.linalg.norm(normals, axis=-1)
    is_bent = (np.arctan2(sines, _dot(lower_bones, upper_bone)) > WELL_BENT) & (sines > 0.1)  # folded flat has no axis
    units = normals[is_bent] / sines[is_bent, None]
    if len(units) >= FEWEST and np.linalg.norm(units.mean(axis=0)) < AGREEMENT:
        return None
    axis = units.sum(axis=0) + REST_FRAMES * rest_axis(skeleton, limb)
    return axis / max(float(np.linalg.norm(axis)), 1e-12)


def rest_axis(skeleton: Skeleton, limb: str) -> np.ndarray:
    """The axis (3,) that the rest pose of a skeleton suggests: knees point forwards, elbows back."""
    limb_joints(skeleton, limb)
    bone = _unit(skeleton.bone(LIMBS[limb][1], LIMBS[limb][0]))
    forwards, up = _rest_directions(skeleton)
    points = forwards + 0.1 * up if limb.endswith("leg") else -forwards - 0.1 * up  # of a limb stretched forwards
    return _unit(np.cross(points, bone))


def flexion(skeleton: Skeleton, local_rotations: np.ndarray, limb: str, axis: np.ndarray) -> np.ndarray:
    """How far a knee or an elbow is bent: (F,) radians, 0 for a straight limb and negative beyond straight."""
    upper_bone, lower_bones = _directions(skeleton, local_rotations, limb)
    return np.arctan2(np.cross(upper_bone, lower_bones) @ axis, _dot(lower_bones, upper_bone))


def bend_offsets(skeleton: Skeleton, local_rotations: np.ndarray, limb: str, axis: np.ndarray) -> np.ndarray:
    """Distance of a knee from the line of hip and ankle, or of an elbow from that of shoulder and wrist.

    Returns:
        (F,) metres; negative where the limb is bent beyond straight.
    """
    upper_bone, lower_bones = _directions(skeleton, local_rotations, limb)
    a, b = (np.asarray(bone_length(bone)) for bone in limb_bones(skeleton, local_rotations, limb))
    normals = np.cross(upper_bone, lower_bones)
    chord = np.linalg.norm(a[..., None] * upper_bone + b[..., None] * lower_bones, axis=-1)
    distances = a * b * np.linalg.norm(normals, axis=-1) / np.maximum(chord, 1e-9)
    return np.where(normals @ axis < 0, -distances, distances)


def _is_hinged(skeleton: Skeleton, limb: str) -> bool:
    if not skeleton.has(*LIMBS[limb]):
        return False
    is_chain = _is_chain(skeleton, *(skeleton.index(role) for role in LIMBS[limb]))
    return is_chain and min(rest_lengths(skeleton, limb)) > SHORTEST_BONE


def _is_chain(skeleton: Skeleton, upper: int, middle: int, end: int) -> bool:
    chain = skeleton.chain(end)
    return upper in chain and middle in chain and chain.index(upper) < chain.index(middle) < len(chain) - 1


def _links(skeleton: Skeleton, upper: int, lower: int) -> list[int]:
    """The joints of a bone: those below its upper joint down to the lower one."""
    chain = skeleton.chain(lower)
    return chain[chain.index(upper) + 1 :]


def _directions(skeleton: Skeleton, local_rotations: np.ndarray, limb: str) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors (3,) or (F, 3) of the upper and (F, 3) of the lower bone, in the frame above the middle joint."""
    upper, lower = limb_bones(skeleton, local_rotations, limb)
    turns = np.asarray(local_rotations[:, limb_joints(skeleton, limb)[1]], float)
    return _unit(upper), rotations.rotate(turns, _unit(lower))


def _dot(vectors: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(F,) products of (F, 3) vectors with one vector, or with (F, 3)."""
    return np.asarray(vectors @ others if others.ndim == 1 else (vectors * others).sum(axis=-1))


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
    if vector.ndim == 1:
        return vector / max(float(np.linalg.norm(vector)), 1e-12)
    return vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), 1e-12)
