"""Two-bone inverse kinematics of legs and arms, in closed form."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import kinematics, rest_pose, rotations
from motionloom.motion.skeleton import Skeleton

LIMBS = {
    f"{side}_{limb}": tuple(f"{side}_{joint}" for joint in joints)
    for side in ("left", "right")
    for limb, joints in (("leg", ("hip", "knee", "foot")), ("arm", ("shoulder", "elbow", "hand")))
}

# Distance of the middle joint from the line through the ends, in lengths of the upper bone, below which the anatomical
# bend direction is blended in.
STRAIGHT = 0.02  # bent in the anatomical direction or sideways: about two degrees
OVERSTRETCHED = 0.12  # bent against it; from half of this, about seven degrees, a limb counts as bent backwards


def reach(
    skeleton: Skeleton,
    root_positions: np.ndarray,
    local_rotations: np.ndarray,
    limb: str,
    targets: np.ndarray,
    *,
    bend_towards: np.ndarray | None = None,
    end_rotations: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve a leg or an arm so that its foot or hand is at a target in every frame.

    The middle joint stays in its plane (or turns towards `bend_towards`), and a limb that is straight or slightly
    hyperextended bends in the anatomical direction; bones keep their length. For a target out of reach the limb is
    stretched towards it.

    Args:
        skeleton: with the three roles of the limb.
        root_positions: (F, 3) metres, world.
        local_rotations: (F, J, 4) joint to parent.
        limb: left_leg, right_leg, left_arm or right_arm.
        targets: (F, 3) metres, world: positions of the ankle or wrist.
        bend_towards: (F, 3) or (3,) pole vector, world direction that the knee or elbow points to; None keeps it.
        end_rotations: (F, 4) foot or hand to world; None keeps its world orientation.

    Returns:
        (F, J, 4) the new joint-to-parent rotations, and (F,) metres by which each target is out of reach.
    """
    upper, middle, end = _limb_joints(skeleton, limb)
    positions, turned = kinematics.forward(skeleton, root_positions, local_rotations)
    start, knee, tip = positions[:, upper], positions[:, middle], positions[:, end]
    old_towards = _bend_direction(skeleton, limb, turned[:, upper], start, knee, tip)
    if bend_towards is None:
        towards = rotations.rotate(_swing(tip - start, targets - start), old_towards)
    else:
        towards = np.broadcast_to(bend_towards, start.shape)
    new_knee, new_tip = place_middle(start, targets, skeleton.offsets[middle], skeleton.offsets[end], towards)

    new = turned.copy()
    hinge = np.cross(old_towards, tip - start)
    new_hinge = np.cross(towards, new_tip - start)
    new[:, upper] = rotations.multiply(_turn(knee - start, hinge, new_knee - start, new_hinge), turned[:, upper])
    new[:, middle] = rotations.multiply(_turn(tip - knee, hinge, new_tip - new_knee, new_hinge), turned[:, middle])
    new[:, end] = turned[:, end] if end_rotations is None else end_rotations

    result = np.array(local_rotations, dtype=float)
    for joint in (upper, middle, end):
        parent_turn = new[:, skeleton.parents[joint]] if joint != upper else turned[:, skeleton.parents[joint]]
        result[:, joint] = rotations.multiply(rotations.inverse(parent_turn), new[:, joint])
    return result, np.linalg.norm(targets - new_tip, axis=-1)


def place_middle(
    start: np.ndarray, targets: np.ndarray, upper_bone: np.ndarray, lower_bone: np.ndarray, towards: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """New positions of knee and ankle (or elbow and wrist): (..., 3) and (..., 3) metres, by the law of cosines."""
    a, b = float(np.linalg.norm(upper_bone)), float(np.linalg.norm(lower_bone))
    line = targets - start
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    along = np.where(distance > 1e-9, line / np.maximum(distance, 1e-9), np.array([0.0, -1.0, 0.0]))
    reached = np.clip(distance, abs(a - b) + 1e-9, a + b - 1e-9)
    across = _across(towards, along)
    across = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-12)
    foot_point = (a * a - b * b + reached * reached) / (2 * reached)
    height = np.sqrt(np.maximum(a * a - foot_point * foot_point, 0.0))
    return start + along * foot_point + across * height, start + along * reached


def _limb_joints(skeleton: Skeleton, limb: str) -> tuple[int, int, int]:
    if limb not in LIMBS:
        raise BadInput(f"no limb '{limb}'; the limbs are {', '.join(LIMBS)}")
    upper, middle, end = (skeleton.index(role) for role in LIMBS[limb])
    if skeleton.parents[middle] != upper or skeleton.parents[end] != middle:
        raise BadInput(
            f"{limb}: '{skeleton.names[upper]}', '{skeleton.names[middle]}' and '{skeleton.names[end]}' are not a "
            "chain of parents and children; correct their roles"
        )
    return upper, middle, end


def _bend_direction(
    skeleton: Skeleton, limb: str, upper_turned: np.ndarray, start: np.ndarray, knee: np.ndarray, tip: np.ndarray
) -> np.ndarray:
    """The direction (F, 3) that the middle joint bends to; near a straight limb, the anatomical one.

    A slightly hyperextended limb, as measured knees often are, still bends in the anatomical direction: else the knee
    would flip from one frame to the next.
    """
    line = tip - start
    line = line / np.maximum(np.linalg.norm(line, axis=-1, keepdims=True), 1e-9)
    out = _across(knee - start, line)
    natural = np.array([0.0, 0.0, 1.0 if limb.endswith("leg") else -1.0])  # knees point forwards, elbows back
    natural = rotations.rotate(rotations.inverse(rest_pose.upright_turn(skeleton)), natural)
    natural = _across(rotations.rotate(upper_turned, np.broadcast_to(natural, start.shape)), line)
    natural = natural / np.maximum(np.linalg.norm(natural, axis=-1, keepdims=True), 1e-9)
    length = float(np.linalg.norm(skeleton.offsets[skeleton.index(LIMBS[limb][1])]))
    bend = np.linalg.norm(out, axis=-1, keepdims=True)
    against = np.maximum(-(out * natural).sum(-1, keepdims=True) / np.maximum(bend, 1e-12), 0.0)
    straight = length * (STRAIGHT + (OVERSTRETCHED - STRAIGHT) * against**2)
    return out + 2.0 * straight * np.maximum(1.0 - bend / straight, 0.0) ** 2 * natural


def _across(vectors: np.ndarray, line: np.ndarray) -> np.ndarray:
    """The components of (..., 3) vectors perpendicular to unit lines."""
    return vectors - line * (vectors * line).sum(-1, keepdims=True)


def _swing(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The shortest rotation (F, 4) from one direction to another; the identity if the new one has no length."""
    has_length = np.linalg.norm(new, axis=-1, keepdims=True) > 1e-9
    return rotations.between_vectors(old, np.where(has_length, new, old))


def _turn(old: np.ndarray, old_hinge: np.ndarray, new: np.ndarray, new_hinge: np.ndarray) -> np.ndarray:
    """The rotation (F, 4) that takes a bone and its hinge axis to their new directions."""
    return rotations.from_matrix(_frame(new, new_hinge) @ np.swapaxes(_frame(old, old_hinge), -1, -2))


def _frame(bone: np.ndarray, hinge: np.ndarray) -> np.ndarray:
    y = bone / np.linalg.norm(bone, axis=-1, keepdims=True)
    x = hinge - y * (hinge * y).sum(-1, keepdims=True)
    x = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)
    return np.stack([x, y, np.cross(x, y)], axis=-1)
