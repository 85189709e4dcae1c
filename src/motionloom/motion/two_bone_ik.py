"""Two-bone inverse kinematics of legs and arms, in closed form."""

import numpy as np

from motionloom.motion import kinematics, rotations
from motionloom.motion.hinges import LIMBS, bone_length, hinge_axis, limb_bones, limb_joints, rest_axis
from motionloom.motion.skeleton import Skeleton

__all__ = ["LIMBS", "place_middle", "reach"]

# Distance of the middle joint from the line through the ends, in lengths of the upper bone, below which the anatomical
# bend direction is blended in: about two degrees.
STRAIGHT = 0.02


def reach(
    skeleton: Skeleton,
    root_positions: np.ndarray,
    local_rotations: np.ndarray,
    limb: str,
    targets: np.ndarray,
    *,
    bend_towards: np.ndarray | None = None,
    end_rotations: np.ndarray | None = None,
    axis: np.ndarray | None = None,
    twists: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve a leg or an arm so that its foot or hand is at a target in every frame.

    The middle joint stays in its plane (or turns towards `bend_towards`) and on the side on which the body bends it: a
    limb that is straight or overstretched in the source bends in the anatomical direction. Bones keep their length,
    and joints inside them their rotations.
    For a target out of reach the limb is stretched towards it.

    Args:
        skeleton: with the three roles of the limb.
        root_positions: (F, 3) metres, world.
        local_rotations: (F, J, 4) joint to parent.
        limb: left_leg, right_leg, left_arm or right_arm.
        targets: (F, 3) metres, world: positions of the ankle or wrist.
        bend_towards: (F, 3) or (3,) pole vector, world direction that the knee or elbow points to; None keeps it.
        end_rotations: (F, 4) foot or hand to world; None keeps its world orientation.
        axis: (3,) of the hinge in the frame of the upper bone, from `hinges.hinge_axis`; None measures it here.
        twists: (F,) radians that the limb turns about the line through its ends, where `bend_towards` is None.

    Returns:
        (F, J, 4) the new joint-to-parent rotations, and (F,) metres by which each target is out of reach.
    """
    upper, middle, end = limb_joints(skeleton, limb)
    positions, turned = kinematics.forward(skeleton, root_positions, local_rotations)
    start, knee, tip = positions[:, upper], positions[:, middle], positions[:, end]
    axis = hinge_axis(skeleton, local_rotations, limb) if axis is None else axis
    a, b = (_column(bone_length(bone)) for bone in limb_bones(skeleton, local_rotations, limb))
    straight = STRAIGHT * a
    axes = rotations.rotate(turned[:, skeleton.parents[middle]], rest_axis(skeleton, limb) if axis is None else axis)
    old_towards = _bend_direction(start, knee, tip, axes, straight, is_hinge=axis is not None)
    if bend_towards is None:
        towards = rotations.rotate(_swing(tip - start, targets - start), _twisted(old_towards, tip - start, twists))
    else:
        towards = np.broadcast_to(bend_towards, start.shape)
    new_knee, new_tip = place_middle(start, targets, a, b, towards)

    hinge = np.cross(old_towards, tip - start)
    new_hinge = np.cross(towards, new_tip - start)
    turn_upper = _turn(knee - start, hinge, new_knee - start, new_hinge)
    turn_lower = _turn(tip - knee, hinge, new_tip - new_knee, new_hinge)
    new_end = turned[:, end] if end_rotations is None else end_rotations
    above, below = skeleton.parents[middle], skeleton.parents[end]  # hip and knee, or joints inside the bones

    result = np.array(local_rotations, dtype=float)
    for joint, parents, own in (
        (upper, turned[:, skeleton.parents[upper]], rotations.multiply(turn_upper, turned[:, upper])),
        (middle, rotations.multiply(turn_upper, turned[:, above]), rotations.multiply(turn_lower, turned[:, middle])),
        (end, rotations.multiply(turn_lower, turned[:, below]), new_end),
    ):
        result[:, joint] = rotations.multiply(rotations.inverse(parents), own)
    return result, np.linalg.norm(targets - new_tip, axis=-1)


def place_middle(
    start: np.ndarray, targets: np.ndarray, a: np.ndarray | float, b: np.ndarray | float, towards: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """New positions of knee and ankle (or elbow and wrist): (..., 3) and (..., 3) metres, by the law of cosines.

    Args:
        start: (..., 3) metres, world: hip or shoulder.
        targets: (..., 3) metres, world.
        a: metres of the upper bone, a number or (..., 1).
        b: metres of the lower bone.
        towards: (..., 3) direction that the knee or elbow points to.
    """
    line = targets - start
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    along = np.where(distance > 1e-9, line / np.maximum(distance, 1e-9), np.array([0.0, -1.0, 0.0]))
    reached = np.clip(distance, abs(a - b) + 1e-9, a + b - 1e-9)
    across = _across(towards, along)
    across = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-12)
    foot_point = (a * a - b * b + reached * reached) / (2 * reached)
    height = np.sqrt(np.maximum(a * a - foot_point * foot_point, 0.0))
    return start + along * foot_point + across * height, start + along * reached


def _bend_direction(
    start: np.ndarray,
    knee: np.ndarray,
    tip: np.ndarray,
    axes: np.ndarray,
    straight: np.ndarray | float,
    *,
    is_hinge: bool,
) -> np.ndarray:
    """The direction (F, 3) that the middle joint bends to, continuous from bent over straight to overstretched.

    A limb on its anatomical side keeps its direction. One beyond straight is mirrored to that side: else the knee would
    turn over, and shortening the limb would bend it further the wrong way.

    Args:
        start: (F, 3) metres, world: hip or shoulder.
        knee: (F, 3) metres, world.
        tip: (F, 3) metres, world: ankle or wrist.
        axes: (F, 3) of the hinge, world.
        straight: metres, a number or (F, 1), from the line through the ends, below which the anatomical direction is
            blended in.
        is_hinge: whether the limb has a side; else only straight limbs get the anatomical direction.
    """
    line = tip - start
    line = line / np.maximum(np.linalg.norm(line, axis=-1, keepdims=True), 1e-9)
    out = _across(knee - start, line)
    natural = np.cross(line, axes)
    natural = natural / np.maximum(np.linalg.norm(natural, axis=-1, keepdims=True), 1e-9)
    along = (out * natural).sum(-1, keepdims=True)
    sided = np.where((along < 0) & is_hinge, out - 2 * along * natural, out)
    bend = np.linalg.norm(out, axis=-1, keepdims=True)
    return sided + 2.0 * straight * np.maximum(1.0 - bend / straight, 0.0) ** 2 * natural


def _twisted(directions: np.ndarray, lines: np.ndarray, twists: np.ndarray | None) -> np.ndarray:
    """Directions (F, 3) turned about lines (F, 3) by (F,) radians."""
    if twists is None:
        return directions
    lengths = np.maximum(np.linalg.norm(lines, axis=-1, keepdims=True), 1e-9)
    return rotations.rotate(rotations.exp(twists[:, None] * lines / lengths), directions)


def _column(values: np.ndarray | float) -> np.ndarray | float:
    """(F, 1) of (F,) values; a number stays one."""
    return values[:, None] if isinstance(values, np.ndarray) else values


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
