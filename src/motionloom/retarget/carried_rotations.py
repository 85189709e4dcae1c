"""Carried rotations: a motion on another skeleton, before feet are planted and hands placed."""

import numpy as np

from motionloom.features.floor import estimate_floor
from motionloom.motion import Motion, kinematics
from motionloom.retarget.joint_map import RetargetMap
from motionloom.retarget.sizes import resized_motion


def carry_motion(motion: Motion, plan: RetargetMap, floor_height: float, scale: float) -> Motion:
    """The motion on the target skeleton: bones point where the source's do, and feet rest at the same height.

    Args:
        motion: of the plan's source skeleton, float64.
        plan: of both skeletons.
        floor_height: metres, world; it stays where it is.
        scale: of places over the ground; heights above the floor scale with the length of legs.
    """
    positions, world = kinematics.world(motion)
    local, middles = carry_rotations(plan, positions, world)
    hips = positions[:, plan.ends[0, :2]].mean(axis=1)  # (F, 3)
    places = (hips - _at(floor_height)) * np.array([scale, plan.ratio, scale]) + _at(floor_height)
    carried = Motion(plan.target, places - middles, local, motion.fps)
    lift = settle_height(motion, carried, floor_height, plan.ratio)
    return Motion(plan.target, carried.root_positions + _at(lift), local, motion.fps)


def carry_rotations(plan: RetargetMap, positions: np.ndarray, world: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotations of the target's joints, and where the middle of its hip joints is.

    Args:
        plan: of both skeletons.
        positions: (F, S, 3) metres, world: joints of the source.
        world: (F, S, 4) joint to world.

    Returns:
        (F, J, 4) joint to parent, and (F, 3) metres, world axes, from the root to the middle of the hip joints.
    """
    from motionloom.retarget._kernels import carry_rotations as fill

    local, middles = np.empty((len(positions), plan.target.n_joints, 4)), np.empty((len(positions), 3))
    fill(
        positions,
        world,
        plan.target.parents,
        plan.target.offsets,
        plan.kinds,
        plan.firsts,
        plan.seconds,
        plan.weights,
        plan.first_turns,
        plan.second_turns,
        plan.trunk,
        plan.neck,
        plan.ends,
        plan.spine_base,
        plan.chest,
        plan.hips,
        plan.from_neutral,
        plan.neutral,
        local,
        middles,
    )
    return local, middles


def settle_height(motion: Motion, carried: Motion, floor_height: float, ratio: float) -> float:
    """Metres to raise a carried motion by so that its feet rest as high above the floor as the source's, in its size.

    The floor under the carried motion is looked for in the size of the source, because speeds decide what rests.
    """
    shrunk = resized_motion(carried, carried.skeleton.scaled(1 / ratio), 1 / ratio, floor_height)
    return ratio * (estimate_floor(motion) - estimate_floor(shrunk))


def _at(height: float) -> np.ndarray:
    return np.array([0.0, height, 0.0])
