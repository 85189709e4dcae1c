"""Bends: knees and elbows bent so far, exactly."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.methods.dynamics.demands.demand import BendTarget
from motionloom.motion import Motion, kinematics, rotations, two_bone_ik
from motionloom.motion.hinges import bone_length, hinge_axis, limb_bones, limb_joints, rest_axis

FADE = 0.4  # seconds over which the change of a bend fades out
STRAIGHT = 1e-3  # radians, about: limbs that are straighter bend about their hinge


def meet_bends(motion: Motion, targets: Sequence[BendTarget]) -> Motion:
    """Bend limbs: hands and feet move along the line from shoulder or hip, and the change fades out around."""
    for limb in dict.fromkeys(target.limb for target in targets):
        motion = _bend(motion, limb, [target for target in targets if target.limb == limb])
    return motion


def _bend(motion: Motion, limb: str, targets: Sequence[BendTarget]) -> Motion:
    skeleton, local = motion.skeleton, np.asarray(motion.local_rotations, float)
    upper, _, end = limb_joints(skeleton, limb)
    positions, _ = kinematics.world(motion)
    line = positions[:, end] - positions[:, upper]
    length = np.linalg.norm(line, axis=-1)
    a, b = (np.broadcast_to(bone_length(bone), length.shape) for bone in limb_bones(skeleton, local, limb))
    longer = np.zeros_like(length)
    for target in targets:
        rows = np.asarray(target.frames)
        wanted = np.sqrt(a[rows] ** 2 + b[rows] ** 2 + 2 * a[rows] * b[rows] * np.cos(target.radians))
        longer[rows] = wanted - length[rows]
    frames = np.unique(np.concatenate([target.frames for target in targets]))
    longer = spread_change(longer[frames], frames, motion.n_frames, FADE * motion.fps)
    longer = np.minimum(longer, np.maximum(a + b - length, 0.0))  # beside a straight limb none is straighter
    places = positions[:, end] + line * (longer / np.maximum(length, 1e-9))[:, None]
    bent, _ = two_bone_ik.reach(skeleton, motion.root_positions, local, limb, places)
    bent = np.where((longer == 0)[:, None, None], local, bent)
    for target in targets:  # near a straight limb distances say little about angles
        rows = np.asarray(target.frames)
        bent[rows] = _turned(replace(motion, local_rotations=bent), limb, target, rows)
    return replace(motion, local_rotations=bent)


def _turned(motion: Motion, limb: str, target: BendTarget, rows: np.ndarray) -> np.ndarray:
    """(n, J, 4) rotations with the lower bone turned about the hinge of the limb to the angle that is asked."""
    skeleton, local = motion.skeleton, motion.local_rotations
    upper, middle, end = limb_joints(skeleton, limb)
    axis = hinge_axis(skeleton, local, limb)
    positions, turned = (each[rows] for each in kinematics.world(motion))
    above, below = positions[:, middle] - positions[:, upper], positions[:, end] - positions[:, middle]
    across = np.cross(above, below)
    size = np.linalg.norm(across, axis=-1, keepdims=True)
    parent = turned[:, skeleton.parents[middle]]
    usual = rotations.rotate(parent, np.tile(rest_axis(skeleton, limb) if axis is None else axis, (len(rows), 1)))
    usual -= above * ((usual * above).sum(-1) / (above * above).sum(-1))[:, None]
    usual /= np.linalg.norm(usual, axis=-1, keepdims=True)
    is_straight = size < STRAIGHT * np.linalg.norm(above, axis=-1, keepdims=True) ** 2
    about = np.where(is_straight, usual, across / np.maximum(size, 1e-12))
    bend = np.arctan2((np.cross(above, below) * about).sum(-1), (above * below).sum(-1))
    turn = rotations.exp((target.radians - bend)[:, None] * about)
    result = local[rows].copy()
    result[:, middle] = rotations.multiply(rotations.inverse(parent), rotations.multiply(turn, turned[:, middle]))
    return result
