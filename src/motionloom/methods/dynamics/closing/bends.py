"""Bends: knees and elbows bent so far, exactly."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.methods.dynamics.demands.demand import BendTarget
from motionloom.motion import Motion, kinematics, rotations, two_bone_ik
from motionloom.motion.hinges import bone_length, limb_bones, limb_joints

FADE = 0.4  # seconds over which the change of a bend fades out


def meet_bends(motion: Motion, targets: Sequence[BendTarget]) -> Motion:
    """Bend limbs, hands and feet moved along the line from shoulder or hip; the change fades out around."""
    for limb in dict.fromkeys(target.limb for target in targets):
        motion = _bend(motion, limb, [target for target in targets if target.limb == limb])
    return motion


def _bend(motion: Motion, limb: str, targets: Sequence[BendTarget]) -> Motion:
    skeleton, local = motion.skeleton, np.asarray(motion.local_rotations, float)
    upper, _, end = limb_joints(skeleton, limb)
    joints = [joint for joint in skeleton.chain(end) if upper in skeleton.chain(joint)]
    positions, _ = kinematics.world(motion)
    line = positions[:, end] - positions[:, upper]
    length = np.linalg.norm(line, axis=-1)
    a, b = (np.broadcast_to(bone_length(bone), length.shape) for bone in limb_bones(skeleton, local, limb))
    wanted = length.copy()
    for target in targets:
        rows = np.asarray(target.frames)
        wanted[rows] = np.sqrt(a[rows] ** 2 + b[rows] ** 2 + 2 * a[rows] * b[rows] * np.cos(target.radians))
    places = positions[:, end] + line * ((wanted - length) / np.maximum(length, 1e-9))[:, None]
    bent, _ = two_bone_ik.reach(skeleton, motion.root_positions, local, limb, places)
    frames = np.unique(np.concatenate([target.frames for target in targets]))
    turns = rotations.log(rotations.multiply(rotations.inverse(local[frames]), bent[frames]))[:, joints]
    change = spread_change(turns, frames, motion.n_frames, FADE * motion.fps)
    result = local.copy()
    result[:, joints] = rotations.multiply(local[:, joints], rotations.exp(change))
    result[frames] = bent[frames]
    return replace(motion, local_rotations=result)
