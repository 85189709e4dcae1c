"""Rest poses: changing the rest pose of a skeleton or motion, and the T-pose."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.motion import Motion
from motionloom.motion.skeleton import Skeleton

FOLDED = np.radians(120.0)  # between a bone of the rest pose and where it points in T-pose
HALF_TURN = np.array([0.0, 0.0, 0.0, 1.0])  # about the forward axis


def rebase(motion: Motion, rest_rotations: np.ndarray) -> Motion:
    """Make a pose the new rest pose: world positions stay, joint frames change.

    Args:
        motion: to rebase.
        rest_rotations: (J, 4) joint to world, in the old joint frames, of the new rest pose.
    """
    parents = motion.skeleton.parents
    of_parent = np.where((parents >= 0)[:, None], rest_rotations[parents], rotations.IDENTITY)  # (J, 4)
    local = rotations.multiply(rotations.multiply(of_parent, motion.local_rotations), rotations.inverse(rest_rotations))
    return replace(motion, skeleton=rebase_skeleton(motion.skeleton, rest_rotations), local_rotations=local)


def rebase_skeleton(skeleton: Skeleton, rest_rotations: np.ndarray) -> Skeleton:
    """The skeleton whose rest pose is the given one; bones keep their lengths."""
    of_parent = np.where((skeleton.parents >= 0)[:, None], rest_rotations[skeleton.parents], rotations.IDENTITY)
    return replace(
        skeleton,
        offsets=rotations.rotate(of_parent, skeleton.offsets),
        end_offsets=rotations.rotate(rest_rotations[skeleton.end_parents], skeleton.end_offsets),
    )


def turn_world(motion: Motion, turn: np.ndarray) -> Motion:
    """Rotate the world and all joint frames, such as from z up to y up."""
    skeleton = motion.skeleton
    return replace(
        motion,
        skeleton=replace(
            skeleton,
            offsets=rotations.rotate(turn, skeleton.offsets),
            end_offsets=rotations.rotate(turn, skeleton.end_offsets),
        ),
        root_positions=rotations.rotate(turn, motion.root_positions),
        local_rotations=rotations.multiply(rotations.multiply(turn, motion.local_rotations), rotations.inverse(turn)),
    )


def t_pose(skeleton: Skeleton, given: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
    """The (J, 4) joint-to-world rotations of a skeleton's T-pose, upright and facing +z.

    Legs point down, arms sideways, spine and head up, feet keep their angle to the shin. Joints without a role rotate
    with their parent.

    Args:
        skeleton: J joints.
        given: rotations (4,) joint to world, by role, of ends (head, feet, hands) whose rest pose is another one; the
            joints below them rotate along.
    """
    known = {skeleton.index(role): np.asarray(turn, float) for role, turn in (given or {}).items()}
    return aim_bones(skeleton, limb_aims(skeleton), known)


def aim_bones(
    skeleton: Skeleton,
    aims: Mapping[int, tuple[np.ndarray, np.ndarray]],
    given: Mapping[int, np.ndarray] | None = None,
) -> np.ndarray:
    """The (J, 4) joint-to-world rotations of the upright rest pose with some bones turned to given directions.

    Args:
        skeleton: J joints.
        aims: joint -> (3,) metres, a bone of the rest pose that begins at it, and (3,) its direction in the upright
            pose facing +z. It is turned there by the shortest way unless it is folded, with everything below it.
        given: joint -> (4,) joint to world, instead of an aim.
    """
    known = given or {}
    turned = rotations.identity((skeleton.n_joints,))
    turned[:] = upright_turn(skeleton)
    for joint in range(skeleton.n_joints):
        parent = skeleton.parents[joint]
        if parent >= 0:
            turned[joint] = turned[parent]
        if joint in known:
            turned[joint] = known[joint]
        elif joint in aims:
            bone, direction = aims[joint]
            if np.linalg.norm(bone) > 1e-6:
                turned[joint] = _swing(turned[joint], bone, direction)
    return turned


def is_folded(bone: np.ndarray, direction: np.ndarray) -> bool:
    """Whether a bone (3,) points so far away from a direction (3,) that the shortest way there means nothing."""
    lengths = float(np.linalg.norm(bone) * np.linalg.norm(direction))
    return float(bone @ direction) < np.cos(FOLDED) * lengths


def _swing(turned: np.ndarray, bone: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """A rotation (4,) joint to world, turned so that a bone points in a direction.

    A bone that points the other way is first turned about the forward axis, so that knees still point ahead and elbows
    back.
    """
    if is_folded(rotations.rotate(turned, bone), direction):
        turned = rotations.multiply(HALF_TURN, turned)
    return rotations.multiply(rotations.between_vectors(rotations.rotate(turned, bone), direction), turned)


def limb_aims(skeleton: Skeleton) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Aims of the T-pose for `aim_bones`: legs down, arms sideways."""
    down, rest = np.array([0.0, -1.0, 0.0]), skeleton.rest_positions
    aims: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    for side, out in (("left", 1.0), ("right", -1.0)):
        sideways = np.array([out, 0.0, 0.0])
        for start, end, direction in (
            ("hip", "knee", down),
            ("knee", "foot", down),
            ("shoulder", "elbow", sideways),
            ("elbow", "hand", sideways),
        ):
            if skeleton.has(f"{side}_{start}", f"{side}_{end}"):
                upper, lower = skeleton.index(f"{side}_{start}"), skeleton.index(f"{side}_{end}")
                aims[upper] = (rest[lower] - rest[upper], direction)
    return aims


def upright_turn(skeleton: Skeleton) -> np.ndarray:
    """The rotation (4,) that makes the rest pose upright and face +z, from hips, head and the two sides."""
    rest = skeleton.rest_positions
    if not skeleton.has("head", "left_hip", "right_hip"):
        return rotations.IDENTITY.copy()
    up = rest[skeleton.index("head")] - (rest[skeleton.index("left_hip")] + rest[skeleton.index("right_hip")]) / 2
    left = rest[skeleton.index("left_hip")] - rest[skeleton.index("right_hip")]
    if np.linalg.norm(np.cross(up, left)) < 1e-6:
        return rotations.IDENTITY.copy()
    y = up / np.linalg.norm(up)
    x = left - y * (left @ y)
    x /= np.linalg.norm(x)
    return rotations.inverse(rotations.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1)))
