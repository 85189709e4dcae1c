"""Body points: joints, and the fists and the chin, which are points fixed to joints."""

from dataclasses import dataclass

import numpy as np

from motionloom.features.body_size import size_factor
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, Skeleton, kinematics, rotations
from motionloom.motion.placement import direction_of

SIDES = ("left", "right")
EITHER = ("hand", "fist", "foot", "elbow", "knee", "ball")  # words for the nearer one of both sides
KNUCKLES = 0.08  # metres from the wrist to the middle of a fist, of an adult
CHIN = 0.10  # metres from the joint of the head to the chin, of an adult


@dataclass(frozen=True)
class BodyPoint:
    """A point that a joint carries."""

    name: str  # "left_hand", "chin", a joint
    joint: int
    carrier: str  # name of the joint
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)  # metres in the joint's frame

    def of(self, motion: Motion) -> np.ndarray:
        """(F, 3) metres, world: where it is."""
        positions, turned = kinematics.world(motion)
        offset = np.broadcast_to(np.array(self.offset), (motion.n_frames, 3))
        return positions[:, self.joint] + rotations.rotate(turned[:, self.joint], offset)


def points_named(skeleton: Skeleton, name: str) -> tuple[BodyPoint, ...]:
    """The points that a word in a request may mean: both hands for `hand`, else one.

    Args:
        skeleton: of the body.
        name: a joint, a role, left_fist, right_fist or chin; or hand, fist, foot, elbow, knee or ball for the nearer.
    """
    if name in EITHER and name not in skeleton.names:
        return tuple(_point(skeleton, f"{side}_{name}") for side in SIDES)
    return (_point(skeleton, name),)


def arm_length(skeleton: Skeleton) -> float:
    """Metres from shoulder to hand along the bones, the mean of both sides; 0 for a body without arms."""
    roles = ("shoulder", "elbow", "hand")
    sides = [side for side in SIDES if skeleton.has(*(f"{side}_{role}" for role in roles))]
    lengths = [
        float(np.linalg.norm(skeleton.bone(f"{side}_{lower}", f"{side}_{upper}")))
        for side in sides
        for upper, lower in zip(roles, roles[1:])
    ]
    return sum(lengths) / max(len(sides), 1)


def _point(skeleton: Skeleton, name: str) -> BodyPoint:
    known = name in skeleton.names
    if not known and name.removeprefix("left_").removeprefix("right_") == "fist":
        hand = skeleton.index(name.replace("fist", "hand"))
        return BodyPoint(
            name,
            hand,
            skeleton.names[hand],
            _tuple(KNUCKLES * size_factor(skeleton) * _along_hand(skeleton, name, hand)),
        )
    if not known and name == "chin":
        heading = float(find_facing(skeleton, skeleton.rest_positions[None])[0][0])
        x, z = CHIN * size_factor(skeleton) * direction_of(heading)
        head = skeleton.index("head")
        return BodyPoint(name, head, skeleton.names[head], (float(x), 0.0, float(z)))
    joint = skeleton.index(name)
    return BodyPoint(name, joint, skeleton.names[joint])


def _along_hand(skeleton: Skeleton, name: str, hand: int) -> np.ndarray:
    """(3,) unit: from the wrist to the fingers in the rest pose, or on from the forearm where there are no fingers."""
    below = skeleton.offsets[np.asarray(skeleton.parents) == hand]
    ends = skeleton.end_offsets[np.asarray(skeleton.end_parents) == hand]
    way = np.concatenate([below, ends]).sum(axis=0) if len(below) + len(ends) else np.zeros(3)
    if np.linalg.norm(way) < 1e-6:
        rest = skeleton.rest_positions
        way = rest[hand] - rest[skeleton.index(name.replace("fist", "elbow"))]
    return way / max(float(np.linalg.norm(way)), 1e-9)


def _tuple(vector: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in vector)
    return x, y, z
