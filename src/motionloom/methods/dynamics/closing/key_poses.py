"""Key poses met exactly: their change fades out between them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.methods.dynamics.demands.demand import PoseKey
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT_AT, find_places
from motionloom.motion import Motion, rotations

FADE = 0.5  # seconds over which the change of a key fades out


def meet_keys(motion: Motion, keys: Sequence[PoseKey]) -> Motion:
    """Turn joints so that keys are met in their frames, and move the root where they say."""
    root, local = np.array(motion.root_positions, float), np.array(motion.local_rotations, float)
    places = find_places(motion)
    wanted_root, wanted = root.copy(), local.copy()
    for key in keys:
        frame, pose = key.frame, key.pose
        joints = list(range(motion.skeleton.n_joints) if key.joints is None else key.joints)
        heading = places[frame, 2] if np.isnan(key.place[2]) else key.place[2]
        wanted[frame, joints] = pose.local_rotations[0, joints]
        if 0 in joints:
            wanted[frame, 0] = rotations.multiply(rotations.about_y(heading), pose.local_rotations[0, 0])
            if np.isfinite(key.vector[HEIGHT_AT]):
                wanted_root[frame, 1] = pose.root_positions[0, 1]
        given = np.isfinite(key.place[:2])
        wanted_root[frame, [0, 2]] = np.where(given, key.place[:2], wanted_root[frame, [0, 2]])
    frames = np.unique([key.frame for key in keys])
    turns = rotations.log(rotations.multiply(rotations.inverse(local[frames]), wanted[frames]))
    known = np.concatenate([(wanted_root - root)[frames][:, None], turns], axis=1)
    change = spread_change(known, frames, motion.n_frames, FADE * motion.fps)
    met = rotations.multiply(local, rotations.exp(change[:, 1:]))
    met[frames] = wanted[frames]
    return replace(motion, root_positions=root + change[:, 0], local_rotations=met)
