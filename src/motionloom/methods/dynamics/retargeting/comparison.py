"""Comparison: two ways to retarget a motion beside each other, by yardsticks that the better one has to meet."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import foot_points
from motionloom.methods.dynamics.retargeting.scaled_steps import Step, farthest_away
from motionloom.motion import Motion, kinematics
from motionloom.quality import measure_hinges
from motionloom.retarget import RetargetMap
from motionloom.retarget.calmed_spikes import WATCHED
from motionloom.retarget.hand_places import touching_hands

SIDES = ("left", "right")
BONES = (("shoulder", "elbow"), ("elbow", "hand"), ("hip", "knee"), ("knee", "foot"))
MM = 1.0  # of feet from their places, and of planted points from frame to frame
DEGREES = 3.0  # of bones beside the source, on average
ROUGHER = 1.2  # times the highest acceleration of the source
SAME = 1e-6  # share by which a number may be worse for want of digits


@dataclass(frozen=True)
class Yardstick:
    """One number of the kit's own motion and of another; less is better."""

    name: str
    kit: float
    prior: float
    unit: str
    bar: float  # up to which it may be worse than the kit's

    @property
    def is_worse(self) -> bool:
        """Whether the other motion is worse than the kit's, and than the bar."""
        return self.prior > max(self.kit, self.bar) * (1 + SAME) + 1e-9

    def describe(self) -> str:
        """'feet from their places 0.2 mm (kit 27.1 mm)'."""
        return f"{self.name} {self.prior:.3g} {self.unit} (the kit's {self.kit:.3g})"

    def to_data(self) -> dict[str, float | str | bool]:
        """As plain data."""
        return {
            "name": self.name,
            "unit": self.unit,
            "kit": self.kit,
            "prior": self.prior,
            "bar": self.bar,
            "worse": self.is_worse,
        }


@dataclass(frozen=True, eq=False)
class Measures:
    """What yardsticks are made of, for one motion."""

    feet_mm: float
    farthest_mm: float
    degrees: float
    touches_lost: float
    roughness: float
    flips: float


def compare(
    source: Motion,
    kit: Motion,
    other: Motion,
    *,
    steps: Sequence[Step],
    contacts: np.ndarray,
    plan: RetargetMap,
    heels: np.ndarray,
    floor_height: float,
    touch: float,
) -> tuple[Yardstick, ...]:
    """The yardsticks of a motion beside the kit's own.

    Args:
        source: F frames.
        kit: the same frames as the kit retargets them.
        other: the same frames in another way.
        steps: of the source, with their places.
        contacts: (F, 4) bool: heels and balls that rest.
        plan: of both skeletons.
        heels: (2, 3) metres in the frames of the ankles of the target.
        floor_height: metres, world.
        touch: metres of the source: hands nearer than this to something touch it.
    """

    def measure(motion: Motion) -> Measures:
        points = foot_points(motion, floor_height, heels=heels)
        return Measures(
            1000 * farthest_away(steps, points),
            1000 * farthest_step(points, contacts),
            bone_errors(source, motion),
            lost_touches(source, motion, plan, touch),
            highest_acceleration(motion) / max(highest_acceleration(source), 1e-9),
            _flips(motion, kit),
        )

    one, two = measure(kit), measure(other)
    return (
        Yardstick("feet from their scaled places", one.feet_mm, two.feet_mm, "mm", MM),
        Yardstick("farthest step of a planted point", one.farthest_mm, two.farthest_mm, "mm per frame", MM),
        Yardstick("bones beside the source", one.degrees, two.degrees, "degrees", DEGREES),
        Yardstick("touches of hands lost", one.touches_lost, two.touches_lost, "%", 0.0),
        Yardstick("highest acceleration", one.roughness, two.roughness, "times the source's", ROUGHER),
        Yardstick("knees and elbows that turn over", one.flips, two.flips, "times", 0.0),
    )


def bone_errors(source: Motion, result: Motion) -> float:
    """Mean degrees between the bones of two bodies: upper arms, forearms, thighs, shanks, trunk and neck."""
    before, after = bone_directions(source), bone_directions(result)
    both = [name for name in before if name in after]
    angles = [
        np.arctan2(
            np.linalg.norm(np.cross(before[name], after[name]), axis=-1), (before[name] * after[name]).sum(axis=-1)
        )
        for name in both
    ]
    return float(np.degrees(np.mean(angles))) if angles else 0.0


def bone_directions(motion: Motion) -> dict[str, np.ndarray]:
    """(F, 3) unit directions of the bones that a skeleton has, by name."""
    positions, skeleton = kinematics.world_positions(motion), motion.skeleton

    def at(*roles: str) -> np.ndarray:
        return np.asarray(np.mean([positions[:, skeleton.index(role)] for role in roles], axis=0))

    ends: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    ends = {f"{side} {a}": ((f"{side}_{a}",), (f"{side}_{b}",)) for side in SIDES for a, b in BONES}
    ends["trunk"] = ("left_hip", "right_hip"), ("left_shoulder", "right_shoulder")
    ends["neck"] = ("neck",), ("head",)
    bones = {name: at(*lower) - at(*upper) for name, (upper, lower) in ends.items() if skeleton.has(*upper, *lower)}
    return {
        name: bone / np.maximum(np.linalg.norm(bone, axis=-1, keepdims=True), 1e-12) for name, bone in bones.items()
    }


def farthest_step(points: np.ndarray, contacts: np.ndarray) -> float:
    """Metres that a planted point moves from one frame to the next at most, by (F, 4, 3) points."""
    both = contacts[1:] & contacts[:-1] & np.isfinite(points[1:, :, 0])
    return float(np.linalg.norm(np.diff(points, axis=0)[both], axis=-1).max(initial=0.0))


def lost_touches(source: Motion, result: Motion, plan: RetargetMap, touch: float) -> float:
    """Percent of the touches of hands, frame by frame, that are not in the result."""
    if not all(skeleton.has(*(f"{side}_hand" for side in SIDES), "head") for skeleton in (plan.source, plan.target)):
        return 0.0
    near = touching_hands(source, plan.source_neutral, touch)
    kept = near & touching_hands(result, plan.neutral, touch * plan.ratio)
    return 100.0 * (1.0 - float(kept.sum()) / float(near.sum())) if near.any() else 0.0


def highest_acceleration(motion: Motion) -> float:
    """Leg lengths per second squared: the highest of any joint with a role."""
    joints = [motion.skeleton.index(role) for role in WATCHED if motion.skeleton.has(role)]
    bends = np.linalg.norm(np.diff(kinematics.world_positions(motion)[:, joints], 2, axis=0), axis=-1)
    return float(bends.max(initial=0.0)) * motion.fps**2 / motion.skeleton.leg_length


def _flips(motion: Motion, like: Motion) -> float:
    found = measure_hinges(motion, like)
    return 0.0 if found is None else float(found.flips)
