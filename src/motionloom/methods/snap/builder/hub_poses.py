"""Hub poses: the common pose of a match set with the frames before and after it, and its planted feet.

Gleicher et al. 2003, section 4.2. A hub is three frames: before, at and after the common pose. All bent takes contain
the same three, so velocities are equal where clips meet, and any four consecutive frames across a join are frames of
one bent take: a join is as smooth as the takes are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.blending import average_poses, place_pose, read_pose
from motionloom.blending.moving_pose import MovingPose
from motionloom.constraints.footplants import LEG_ROLES
from motionloom.constraints.overstretch import correct_overstretch
from motionloom.features.feet import SIDES, foot_points, heel_offsets
from motionloom.motion import Motion, Placement, compose, hinges, invert, kinematics, rotations, two_bone_ik
from motionloom.motion.motion import cut
from motionloom.motion.placement import heading_of
from motionloom.similarity.alignment import AlignedSet

CLEARANCE = 0.002  # metres: minimum height of planted heels and balls above the floor
STRAIGHTEST = 0.998  # of a leg's length: maximum distance between hip and ankle
LOWERING_STEPS = 60  # maximum number of steps by which the root is lowered until the legs reach
LOWERING = 0.005  # metres per step
FOOT_AHEAD = 0.15  # metres from the heel to the assumed ball of a foot without one
SMOOTH_HALF = 4  # frames on each side of a match frame to which the smoothing polynomial is fitted
FLOOR = np.zeros(4)  # metres: the heights of what heels and balls stand on
SMOOTH_DEGREE = 3  # of that polynomial; a parabola would flatten punches


@dataclass(frozen=True, eq=False)
class Passage:
    """A match frame of a take, with the placement of its hub there."""

    hub: int
    frame: int  # of the take
    placement: Placement  # from hub to take


@dataclass(frozen=True, eq=False)
class HubPose:
    """A common pose with the frames before and after it, above the origin and facing +z."""

    frames: Motion  # three: before, at, after
    planted: np.ndarray  # (4,) bool: planted points of the feet, in the order of features.feet.POINTS


@dataclass(frozen=True, eq=False)
class Feet:
    """The feet of a view: offsets of heels and balls from the ankles, and their heights when planted."""

    arms: np.ndarray  # (2, 2, 3) metres, ankle coordinates: heel and ball, of the left and the right foot
    heights: np.ndarray  # (4,) metres above the floor
    can_stand: np.ndarray  # (4,) bool: points that the skeleton has, on legs with joints for inverse kinematics

    @property
    def heels(self) -> np.ndarray:
        """(2, 3) metres, ankle coordinates."""
        return self.arms[:, 0]


@dataclass(frozen=True, eq=False)
class Stance:
    """Positions of the ankles and orientations of the feet in a common pose, left and right."""

    ankles: np.ndarray  # (2, 3) metres
    turned: np.ndarray  # (2, 4) rotations, foot to world


def learn_feet(whole: Motion, contacts: np.ndarray, levels: np.ndarray | None = None) -> Feet:
    """Estimate heel offsets and planted heights from all takes together, so that they are the same in each take.

    Feet that the skeleton does not have cannot stand.

    Args:
        whole: all N frames of a view.
        contacts: (N, 4) bool.
        levels: (N, 4) metres: heights of what points in contact stand on; None for the floor.
    """
    skeleton, heels = whole.skeleton, heel_offsets(whole, 0.0)
    points = foot_points(whole, 0.0, heels=heels)
    positions, turned = kinematics.world(cut(whole, 0, 1))
    arms, can_stand = np.zeros((2, 2, 3)), np.isfinite(points[0]).all(axis=-1)
    for number, side in enumerate(SIDES):
        own = slice(2 * number, 2 * number + 2)
        can_stand[own] &= skeleton.has(*(f"{side}_{role}" for role in LEG_ROLES))
        if not skeleton.has(f"{side}_foot"):
            continue
        ankle = skeleton.index(f"{side}_foot")
        arms[number] = rotations.rotate(rotations.inverse(turned[0, ankle]), points[0, own] - positions[0, ankle])
        if np.isnan(arms[number, 1]).any():
            arms[number, 1] = arms[number, 0] + _ahead(arms[number, 0])
    stands = np.asarray(contacts, bool) & can_stand
    above = points[..., 1] if levels is None else points[..., 1] - levels
    heights = [np.percentile(above[flags, c], 25) if flags.any() else 0.0 for c, flags in enumerate(stands.T)]
    return Feet(arms, np.maximum(heights, CLEARANCE), can_stand)


def hub_placements(aligned: AlignedSet, base: Motion, frame: int) -> list[Placement]:
    """The placements from hub coordinates to every match frame of its set."""
    at_base = ground_of(base, frame)
    return [compose(invert(to_base), at_base) for to_base in aligned.to_base]


def ground_of(motion: Motion, frame: int) -> Placement:
    """The placement of the root on the ground in a frame: its position and heading."""
    facing = rotations.rotate(motion.local_rotations[frame, 0], np.array([0.0, 0.0, 1.0]))
    return Placement(float(heading_of(facing[[0, 2]])), motion.root_positions[frame, [0, 2]].copy())


def smooth_trios(take: Motion, frames: Sequence[int]) -> Motion:
    """Smooth match frames and the frames beside them with a local polynomial (Savitzky-Golay).

    These frames are replaced anyway, and the pose and velocity measured there determine the displacement maps of whole
    stretches, so noise in them has to be removed.

    Args:
        take: F frames.
        frames: match frames, farther than `SMOOTH_HALF` from the ends.
    """
    root, local = take.root_positions.copy(), take.local_rotations.copy()
    away = np.arange(-SMOOTH_HALF, SMOOTH_HALF + 1)
    weights = np.cos(np.pi * away / (2 * SMOOTH_HALF + 2))
    powers = away[:, None] ** np.arange(SMOOTH_DEGREE + 1.0)
    fit = np.linalg.pinv(weights[:, None] * powers) * weights  # (4, W): from values to coefficients
    three = np.array([-1.0, 0.0, 1.0])[:, None] ** np.arange(SMOOTH_DEGREE + 1) @ fit  # (3, W)
    for frame in frames:
        if not SMOOTH_HALF <= frame < take.n_frames - SMOOTH_HALF:
            continue
        around = frame + away
        middle = take.local_rotations[frame]
        offsets = rotations.log(rotations.multiply(take.local_rotations[around], rotations.inverse(middle)))
        beside = slice(frame - 1, frame + 2)
        root[beside] = three @ take.root_positions[around]
        local[beside] = rotations.multiply(rotations.exp(np.einsum("kw,wjc->kjc", three, offsets)), middle)
    return replace(take, root_positions=root, local_rotations=local)


def read_trio(motion: Motion, passage: Passage) -> tuple[MovingPose, MovingPose, MovingPose]:
    """The poses before, at and after a match frame in hub coordinates; only the middle pose has its velocity."""
    back, frame = invert(passage.placement), passage.frame
    start = max(frame - 2 * SMOOTH_HALF, 0)
    at = read_pose(cut(motion, start, min(frame + 2 * SMOOTH_HALF + 1, motion.n_frames)), frame - start)
    still = np.zeros(3), np.zeros((motion.skeleton.n_joints, 3))
    before, after = (
        MovingPose(motion.root_positions[beside], motion.local_rotations[beside], *still)
        for beside in (frame - 1, frame + 1)
    )
    return place_pose(before, back), place_pose(at, back), place_pose(after, back)


def average_trios(trios: Sequence[Sequence[MovingPose]], like: Motion) -> Motion:
    """The three frames of a hub: the average pose with the average velocity and acceleration, no limb overstretched.

    Args:
        trios: poses before, at and after each match frame, in hub coordinates.
        like: a motion with the same skeleton and frame rate.
    """
    before, at, after = (average_poses(poses) for poses in zip(*trios))
    step = 1 / like.fps
    slide = at.root_velocity * step
    bend = (before.root_position - 2 * at.root_position + after.root_position) / 2
    back = rotations.inverse(at.local_rotations)
    turn = at.angular_velocities * step
    outward = [rotations.log(rotations.multiply(back, pose.local_rotations)) for pose in (before, after)]
    bow = (outward[0] + outward[1]) / 2
    trio = Motion(
        like.skeleton,
        at.root_position + np.stack([bend - slide, np.zeros(3), bend + slide]),
        rotations.multiply(at.local_rotations, rotations.exp(np.stack([bow - turn, np.zeros_like(turn), bow + turn]))),
        like.fps,
    )
    return correct_overstretch(trio).motion


def read_stance(
    frames: Motion, planted: np.ndarray, feet: Feet, flat: Sequence[bool] = (False, False), levels: np.ndarray = FLOOR
) -> Stance:
    """The stance of a common pose, with planted points at their planted heights.

    Args:
        frames: the three frames of a hub.
        planted: (4,) bool.
        feet: of the view.
        flat: sides whose foot is made flat though only one of its points is planted (the paper's Appendix).
        levels: (4,) metres: heights of what planted points stand on.
    """
    heights = feet.heights + levels
    positions, turned = kinematics.world(frames)
    ankles, feet_turned = np.zeros((2, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    for number, side in enumerate(SIDES):
        if not frames.skeleton.has(f"{side}_foot"):
            continue
        ankle = frames.skeleton.index(f"{side}_foot")
        ankles[number], feet_turned[number] = positions[1, ankle], turned[1, ankle]
    points = stance_points(Stance(ankles, feet_turned), feet.arms)
    for number in range(len(SIDES)):
        heel, ball = 2 * number, 2 * number + 1
        if not planted[heel] and not planted[ball]:
            continue
        pivot = heel if planted[heel] else ball
        turn = np.array([1.0, 0.0, 0.0, 0.0])
        if (planted[heel] and planted[ball]) or flat[number]:
            turn = _flatten(points[heel], points[ball], feet.heights[ball] - feet.heights[heel])
        foot = points[pivot].copy()
        foot[1] = heights[pivot]
        ankles[number] = foot + rotations.rotate(turn, ankles[number] - points[pivot])
        feet_turned[number] = rotations.multiply(turn, feet_turned[number])
    return Stance(ankles, feet_turned)


def stance_points(stance: Stance, arms: np.ndarray) -> np.ndarray:
    """(4, 3) metres: heels and balls of a stance, in the order of features.feet.POINTS."""
    return (stance.ankles[:, None] + rotations.rotate(stance.turned[:, None], arms)).reshape(4, 3)


def stand(frames: Motion, planted: np.ndarray, stance: Stance, feet: Feet) -> Motion:
    """Solve inverse kinematics of the legs so that planted points are where the stance has them, in all three frames.

    A foot with both points planted is identical in all three frames; one with a single planted point keeps its rotation
    about it. The root is lowered where a leg would be too short.
    """
    targets = _targets(frames, planted, stance, feet)
    lengths = {side: _leg_length(frames, side) for side in targets}
    for _ in range(LOWERING_STEPS):
        positions = kinematics.world_positions(frames)
        reaches = [
            np.linalg.norm(positions[:, frames.skeleton.index(f"{side}_hip")] - ankles, axis=-1).max() / lengths[side]
            for side, (ankles, _) in targets.items()
        ]
        if not reaches or max(reaches) <= STRAIGHTEST:
            break
        frames = replace(frames, root_positions=frames.root_positions - np.array([0.0, LOWERING, 0.0]))
    local = frames.local_rotations
    for side, (ankles, turned) in targets.items():
        local, _ = two_bone_ik.reach(
            frames.skeleton, frames.root_positions, local, f"{side}_leg", ankles, end_rotations=turned
        )
    return replace(frames, local_rotations=local)


def _targets(
    frames: Motion, planted: np.ndarray, stance: Stance, feet: Feet
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For each side with a planted point: (3, 3) positions of its ankle and (3, 4) rotations of its foot."""
    _, turned = kinematics.world(frames)
    targets = {}
    for number, side in enumerate(SIDES):
        heel, ball = planted[2 * number : 2 * number + 2]
        if not heel and not ball:
            continue
        ankle = frames.skeleton.index(f"{side}_foot")
        if heel and ball:
            own = np.repeat(stance.turned[number][None], 3, axis=0)
            targets[side] = np.repeat(stance.ankles[number][None], 3, axis=0), own
            continue
        correction = rotations.multiply(stance.turned[number], rotations.inverse(turned[1, ankle]))
        own = rotations.multiply(correction, turned[:, ankle])
        arm = feet.arms[number, 0 if heel else 1]
        pivot = stance.ankles[number] + rotations.rotate(stance.turned[number], arm)
        targets[side] = pivot - rotations.rotate(own, np.broadcast_to(arm, (3, 3))), own
    return targets


def _ahead(heel: np.ndarray) -> np.ndarray:
    """(3,) metres, from the heel to an assumed ball: any direction perpendicular to that from ankle to heel."""
    down = heel / max(float(np.linalg.norm(heel)), 1e-9)
    axis = np.eye(3)[int(np.abs(down).argmin())]
    level = axis - down * (axis @ down)
    return FOOT_AHEAD * level / np.linalg.norm(level)


def _flatten(heel: np.ndarray, ball: np.ndarray, rise: float) -> np.ndarray:
    """(4,) the smallest rotation after which the ball is higher than the heel by a rise in metres."""
    sole = ball - heel
    along = np.sqrt(max(float(sole @ sole) - rise**2, 1e-12))
    level = max(float(np.hypot(sole[0], sole[2])), 1e-12)
    return rotations.between_vectors(sole, np.array([sole[0] * along / level, rise, sole[2] * along / level]))


def _leg_length(frames: Motion, side: str) -> float:
    return sum(hinges.rest_lengths(frames.skeleton, f"{side}_leg"))
