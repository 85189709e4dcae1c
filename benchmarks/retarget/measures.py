"""What is measured of a retargeted motion, from its joints alone: nothing of the engine is used here."""

import numpy as np

from motionloom.motion import Footing, Motion, Skeleton, find_runs, kinematics, rotations

BONES = (("shoulder", "elbow"), ("elbow", "hand"), ("hip", "knee"), ("knee", "foot"))
BONE_NAMES = ("upper arm", "forearm", "thigh", "shank")
SIDES = ("left", "right")
NEAR = 0.05  # metres of the source: a hand this near to something touches it
RAISED = 0.015  # metres above its usual height from which on a resting point of the source rests on something else
USUAL = 20.0  # percentile of the heights of a resting point that is its usual height
HAND = 0.19  # of the leg: from the wrist to the fingertips
ON_HAND = np.linspace(0.0, 1.0, 7)  # points of a hand
MOVING = ("hips", "chest", "head") + tuple(
    f"{side}_{role}" for side in SIDES for role in ("hip", "knee", "foot", "ball", "shoulder", "elbow", "hand")
)


def bone_directions(motion: Motion) -> dict[str, np.ndarray]:
    """(F, 3) unit directions of upper arms, forearms, thighs, shanks, trunk and head, by name."""
    positions, skeleton = kinematics.world_positions(motion), motion.skeleton

    def at(*roles: str) -> np.ndarray:
        return np.mean([positions[:, skeleton.index(role)] for role in roles], axis=0)

    bones = {
        f"{side} {name}": at(f"{side}_{lower}") - at(f"{side}_{upper}")
        for side in SIDES
        for name, (upper, lower) in zip(BONE_NAMES, BONES)
    }
    bones["trunk"] = at("left_shoulder", "right_shoulder") - at("left_hip", "right_hip")
    bones["head"] = at("head") - at("neck")
    return {name: bone / np.linalg.norm(bone, axis=-1, keepdims=True) for name, bone in bones.items()}


def direction_errors(source: Motion, result: Motion, contacts: np.ndarray, touching: np.ndarray) -> dict[str, float]:
    """Mean degrees between the bones of two motions, by name, in the frames in which their limb is free.

    Args:
        source: F frames.
        result: as many.
        contacts: (F, 4) bool: heels and balls that rest.
        touching: (F, 2) bool: hands that touch.
    """
    before, after = bone_directions(source), bone_directions(result)
    errors = {}
    for name in before:
        number = SIDES.index(name.split()[0]) if name.split()[0] in SIDES else None
        free = np.ones(source.n_frames, bool)
        if number is not None:
            is_leg = name.endswith(("thigh", "shank"))
            free = ~contacts[:, 2 * number : 2 * number + 2].any(axis=1) if is_leg else ~touching[:, number]
        if free.any():
            a, b = before[name][free], after[name][free]
            angles = np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1))
            errors[name] = float(np.degrees(angles).mean())
    return errors


def height_error(
    points: np.ndarray, before: np.ndarray, contacts: np.ndarray, footing: Footing, footing_before: Footing
) -> float:
    """Millimetres that planted points leave their height above what is under them, at most.

    The height of a point is a low percentile of those of all of its plants. Where the source rests higher than it
    usually does, such as a heel in running, the height is that of the plant.

    Args:
        points: (F, 4, 3) metres, world: heels and balls of the result.
        before: the same of the source.
        contacts: (F, 4) bool.
        footing: what the result stands on.
        footing_before: what the source stands on.
    """
    above = points[..., 1] - footing.under(np.nan_to_num(points), contacts)
    own_above = before[..., 1] - footing_before.under(np.nan_to_num(before), contacts)
    worst = 0.0
    for column in range(points.shape[1]):
        rests = contacts[:, column]
        if not rests.any():
            continue
        usual, usual_before = (np.percentile(heights[rests, column], USUAL) for heights in (above, own_above))
        for start, stop in find_runs(rests):
            heights = above[start:stop, column]
            error = float(np.abs(heights - usual).max())
            if float(np.median(own_above[start:stop, column])) > usual_before + RAISED:
                error = min(error, float(np.abs(heights - np.median(heights)).max()))
            worst = max(worst, error)
    return 1000 * worst


def touches(motion: Motion, near: float) -> np.ndarray:
    """(F, 2, 3) bool: whether each hand is near the other one, the head and the hips."""
    skeleton = motion.skeleton
    positions, turned = kinematics.world(motion)
    hands = np.stack([_hand(skeleton, side, positions, turned) for side in SIDES], axis=1)  # (F, 2, 7, 3)
    between = np.linalg.norm(hands[:, 0, :, None] - hands[:, 1, None], axis=-1).min(axis=(1, 2))
    found = np.zeros((motion.n_frames, 2, 3), bool)
    found[..., 0] = (between < near)[:, None]
    for kind, (centre, radius) in enumerate((_head(skeleton, positions, turned), _hips(skeleton, positions)), start=1):
        away = np.linalg.norm(hands - centre[:, None, None], axis=-1).min(axis=2) - radius
        found[..., kind] = away < near
    return found


def _hand(skeleton: Skeleton, side: str, positions: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """(F, 7, 3) metres, world: points from the wrist to the fingertips, as the forearm points in the rest pose."""
    hand = skeleton.index(f"{side}_hand")
    bone = skeleton.bone(f"{side}_hand", f"{side}_elbow")
    along = HAND * skeleton.leg_length * bone / np.linalg.norm(bone)
    fingers = rotations.rotate(turned[:, hand], np.broadcast_to(along, positions[:, hand].shape))
    return np.asarray(positions[:, hand, None] + ON_HAND[:, None] * fingers[:, None])


def _head(skeleton: Skeleton, positions: np.ndarray, turned: np.ndarray) -> tuple[np.ndarray, float]:
    """(F, 3) metres, world, and metres: a sphere around the head, above its joint."""
    rest, head = skeleton.rest_positions, skeleton.index("head")
    shoulders, hips = (rest[[skeleton.index(f"{side}_{role}") for side in SIDES]] for role in ("shoulder", "hip"))
    trunk = np.linalg.norm(shoulders.mean(axis=0) - hips.mean(axis=0))
    ends = skeleton.end_offsets[skeleton.end_parents == head]
    children = rest[skeleton.parents == head] - rest[head]
    top = max((float(np.linalg.norm(tip)) for tip in (*ends, *children)), default=0.0)
    radius = max(0.24 * float(trunk), 0.5 * top)
    up = rest[head] - hips.mean(axis=0)
    up = radius * up / np.linalg.norm(up)
    return positions[:, head] + rotations.rotate(turned[:, head], np.broadcast_to(up, positions[:, 0].shape)), radius


def _hips(skeleton: Skeleton, positions: np.ndarray) -> tuple[np.ndarray, float]:
    left, right = (positions[:, skeleton.index(f"{side}_hip")] for side in SIDES)
    half_width = float(np.linalg.norm(left[0] - right[0])) / 2
    return (left + right) / 2, half_width + 0.09 * skeleton.leg_length


def highest_acceleration(motion: Motion) -> float:
    """Leg lengths per second squared: the highest of any joint with a role."""
    skeleton = motion.skeleton
    joints = [skeleton.index(role) for role in MOVING if skeleton.has(role)]
    positions = kinematics.world_positions(motion)[:, joints]
    bends = np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1)
    return float(bends.max(initial=0.0)) * motion.fps**2 / skeleton.leg_length


def chain_errors(first: Motion, back: Motion, way: Skeleton) -> tuple[float, float]:
    """How far a motion that was carried to a skeleton and back is from itself.

    Returns:
        Degrees of joint angles at most, in limbs and in chains of as many joints on both skeletons; and degrees of
        world orientation at most, of chest and head, where spine or neck have other numbers of joints.
    """
    skeleton = first.skeleton
    world = kinematics.world(first)[1], kinematics.world(back)[1]
    local = first.local_rotations, back.local_rotations
    same, ends = _limb_joints(skeleton), []
    for lower, upper in (("chest", "hips"), ("head", "chest")):
        chain, other = (_chain(body, upper, lower) for body in (skeleton, way))
        if chain and len(chain) == len(other):
            same += chain
        elif chain:
            ends.append(chain[-1])
    return _largest(*local, same), _largest(*world, ends)


def _limb_joints(skeleton: Skeleton) -> list[int]:
    """Joints below hip and shoulder: their angles do not depend on how many joints the spine has."""
    roles = [f"{side}_{role}" for side in SIDES for role in ("hip", "knee", "foot", "ball", "elbow", "hand")]
    return [skeleton.index(role) for role in roles if skeleton.has(role)]


def _chain(skeleton: Skeleton, upper: str, lower: str) -> list[int]:
    """The joints below one down to another; the chest is where both arms branch off."""
    arms = [skeleton.chain(skeleton.index(f"{side}_shoulder")) for side in SIDES]
    chest = [joint for joint in arms[0] if joint in arms[1]][-1]
    ends = [chest if role == "chest" else skeleton.index(role) for role in (upper, lower)]
    chain = skeleton.chain(ends[1])
    return chain[chain.index(ends[0]) + 1 :]


def _largest(a: np.ndarray, b: np.ndarray, joints: list[int]) -> float:
    if not joints:
        return 0.0
    return float(np.degrees(rotations.angle_between(a[:, joints], b[:, joints])).max())
