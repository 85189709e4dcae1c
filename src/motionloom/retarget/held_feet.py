"""Held feet: planted points stay where they are while the limbs and the root around them are smoothed.

A foot that stands on heel and ball keeps its place and its direction. One that stands on one of them may turn about
it, and one in the air may move. Legs follow by two-bone IK; where a knee is what jolts, the root gives way.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from motionloom.features.feet import columns_of
from motionloom.motion import Motion, hinges, kinematics, rotations, two_bone_ik
from motionloom.motion.roles import SIDES


@dataclass(frozen=True, eq=False)
class HeldFeet:
    """The feet of a motion, and which of their points are planted."""

    contacts: np.ndarray  # (F, 4) bool: heels and balls that rest
    points: np.ndarray  # (F, 4, 3) metres, world: where they are; NaN for those that do not exist
    hinge_axes: dict[str, np.ndarray | None]  # of the knees of all frames, by limb

    @classmethod
    def of(cls, motion: Motion, contacts: np.ndarray, points: np.ndarray) -> "HeldFeet":
        """The feet of a motion with (F, 4) contacts of (F, 4, 3) points."""
        limbs = [f"{side}_leg" for side in SIDES if f"{side}_leg" in hinges.hinged_limbs(motion.skeleton)]
        axes = {limb: hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb) for limb in limbs}
        return cls(contacts & ~np.isnan(points[..., 0]), points, axes)

    def cut(self, start: int, stop: int) -> "HeldFeet":
        """Those of some frames."""
        return replace(self, contacts=self.contacts[start:stop], points=self.points[start:stop])

    def standing(self) -> tuple[str, ...]:
        """The sides whose foot is planted in some frame."""
        return tuple(
            side for side in SIDES if f"{side}_leg" in self.hinge_axes and self.contacts[:, columns_of(side)].any()
        )


def hold_feet(
    smoothed: Motion, before: Motion, feet: HeldFeet, weights: np.ndarray, jolting: Collection[str]
) -> Motion:
    """Bring planted feet back to where they were before a motion was smoothed.

    Args:
        smoothed: F frames.
        before: the same frames, whose planted points are kept.
        feet: of these frames.
        weights: (F, J) of smoothing, with which feet in the air, or turning about a planted point, are smoothed too.
        jolting: roles that jolt, whose leg the root moves along with.
    """
    sides = feet.standing()
    positions, turned = kinematics.world(before)
    knees = [side for side in sides if f"{side}_knee" in jolting]
    ankles = {side: before.skeleton.index(f"{side}_foot") for side in sides}
    if knees:
        after = kinematics.world_positions(smoothed)
        slips = np.mean([after[:, ankles[side]] - positions[:, ankles[side]] for side in knees], axis=0)
        smoothed = replace(smoothed, root_positions=smoothed.root_positions - slips)
    local = smoothed.local_rotations
    for side in sides:
        knee, ankle = before.skeleton.index(f"{side}_knee"), ankles[side]
        shares = weights[:, [knee, ankle]].max(axis=1), weights[:, ankle]
        places, turns = _smooth_foot(positions[:, ankle], turned[:, ankle], feet, side, shares)
        local, _ = two_bone_ik.reach(
            smoothed.skeleton,
            smoothed.root_positions,
            local,
            f"{side}_leg",
            places,
            end_rotations=turns,
            axis=feet.hinge_axes[f"{side}_leg"],
        )
    return replace(smoothed, local_rotations=local)


def _smooth_foot(
    ankles: np.ndarray, turned: np.ndarray, feet: HeldFeet, side: str, weights: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Where a foot comes to be: (F, 3) metres, world, of its ankle, and (F, 4) foot to world.

    Args:
        ankles: (F, 3) metres, world: before.
        turned: (F, 4) foot to world: before.
        feet: of these frames.
        side: of the foot.
        weights: (F,) of smoothing its place, and its direction.
    """
    columns = columns_of(side)
    held = feet.contacts[:, columns]  # (F, 2)
    moving, turning = (np.where(held.all(axis=1), 0.0, each)[:, None] for each in weights)
    turns = rotations.normalize(rotations.multiply(turned, rotations.exp(turning * turn_to_neighbours(turned))))
    places = ankles + moving * step_to_neighbours(ankles)
    for number, column in enumerate(columns):
        alone = held[:, number] & ~held[:, 1 - number]
        arms = rotations.rotate(rotations.inverse(turned), ankles - feet.points[:, column])
        places = np.where(alone[:, None], feet.points[:, column] + rotations.rotate(turns, arms), places)
    return places, turns


def step_to_neighbours(values: np.ndarray) -> np.ndarray:
    """(F, ...) half of the way from values to the mean of the frames beside; at the ends, to where they lead on."""
    return _half_way(np.diff(values, axis=0))


def turn_to_neighbours(turned: np.ndarray) -> np.ndarray:
    """(F, ..., 3) rotation vectors in the local frame: the same for (F, ..., 4) rotations."""
    return _half_way(rotations.log(rotations.multiply(rotations.inverse(turned[:-1]), turned[1:])))


def _half_way(steps: np.ndarray) -> np.ndarray:
    """(F, ...) a quarter of the changes of (F - 1, ...) steps from frame to frame; a rotation vector is the same in
    the frames on both sides of it."""
    middle = 0.25 * np.diff(steps, axis=0)
    return np.concatenate([-middle[:1], middle, -middle[-1:]])
