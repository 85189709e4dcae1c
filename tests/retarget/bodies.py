"""Bodies and motions that the tests of retargeting share."""

from dataclasses import replace

import numpy as np

from motionloom.motion import Motion, Skeleton, kinematics, rotations
from motionloom.retarget import RetargetSettings

BARE = RetargetSettings(plant=False, keep_touches=False)
LOOSE = RetargetSettings(plant=False)
BONES = (("shoulder", "elbow"), ("elbow", "hand"), ("hip", "knee"), ("knee", "foot"))
SIDES = ("left", "right")


def at(motion: Motion, *roles: str) -> np.ndarray:
    """(F, 3) metres, world: the mean place of joints."""
    positions = kinematics.world_positions(motion)
    return np.mean([positions[:, motion.skeleton.index(role)] for role in roles], axis=0)


def limb_directions(motion: Motion) -> np.ndarray:
    """(F, 8, 3) unit vectors of the bones of the limbs."""
    bones = [at(motion, f"{side}_{b}") - at(motion, f"{side}_{a}") for side in SIDES for a, b in BONES]
    vectors = np.stack(bones, axis=1)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def trunk_directions(motion: Motion) -> np.ndarray:
    """(F, 2, 3) unit vectors: from mid-hips to mid-shoulders, and from neck to head."""
    trunk = at(motion, "left_shoulder", "right_shoulder") - at(motion, "left_hip", "right_hip")
    vectors = np.stack([trunk, at(motion, "head") - at(motion, "neck")], axis=1)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def degrees(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(...) degrees between unit vectors (..., 3)."""
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1)))


def renamed(skeleton: Skeleton) -> Skeleton:
    """The same skeleton with names that say nothing; roles are kept."""
    new = {name: f"joint_{number}" for number, name in enumerate(skeleton.names)}
    roles = {role: new[joint] for role, joint in skeleton.roles.items()}
    return replace(skeleton, names=tuple(new.values()), roles=roles)


def with_spine(n: int) -> Skeleton:
    """A body whose spine has n joints above the hips, the last of them the chest."""
    names, parents, offsets = ["Hips"], [-1], [(0.0, 0.0, 0.0)]
    for number in range(n):
        names.append(f"Spine{number}" if number < n - 1 else "Chest")
        parents.append(len(names) - 2)
        offsets.append((0.0, 0.36 / n, 0.0))
    chest = len(names) - 1
    names += ["Neck", "Head"]
    parents += [chest, chest + 1]
    offsets += [(0.0, 0.14, 0.0), (0.0, 0.1, 0.02)]
    for side, out in (("Left", 1.0), ("Right", -1.0)):
        arm = ("Clavicle", chest, (0.03 * out, 0.1, 0.0)), ("Arm", -1, (0.14 * out, 0.0, 0.0))
        arm += ("ForeArm", -1, (0.28 * out, 0.0, 0.0)), ("Hand", -1, (0.25 * out, 0.0, 0.0))
        leg = ("UpLeg", 0, (0.09 * out, -0.06, 0.0)), ("Leg", -1, (0.0, -0.41, 0.0))
        leg += ("Foot", -1, (0.0, -0.4, 0.0)), ("ToeBase", -1, (0.0, -0.07, 0.13))
        for name, parent, offset in arm + leg:
            names.append(side + name)
            parents.append(len(names) - 2 if parent < 0 else parent)
            offsets.append(offset)
    return Skeleton(tuple(names), np.array(parents), np.array(offsets))


def below_a_root(skeleton: Skeleton, height: float = 0.9) -> Skeleton:
    """The skeleton below one more joint, on the floor under its hips."""
    return Skeleton(
        ("reference", *skeleton.names),
        np.concatenate([[-1], skeleton.parents + 1]),
        np.concatenate([np.zeros((1, 3)), [[0.0, height, 0.0]], skeleton.offsets[1:]]),
        skeleton.end_parents + 1,
        skeleton.end_offsets,
        dict(skeleton.roles),
    )


def lowered_arms(skeleton: Skeleton, angle: float) -> np.ndarray:
    """(J, 4) joint to world: the rest pose with both arms lowered by an angle, for `rest_pose.rebase`."""
    turned = rotations.identity((skeleton.n_joints,))
    for side, sign in zip(SIDES, (-1.0, 1.0)):
        shoulder = skeleton.index(f"{side}_shoulder")
        below = [joint for joint in range(skeleton.n_joints) if shoulder in skeleton.chain(joint)]
        turned[below] = rotations.about_axis(np.array([0.0, 0.0, 1.0]), sign * angle)
    return turned
