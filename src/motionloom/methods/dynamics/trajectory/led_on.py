"""Led on: a motion that goes on for a few frames, to where the last frame of a model is."""

from dataclasses import replace

import numpy as np

from motionloom.motion import Motion, rotations


def led_on(motion: Motion, n_frames: int) -> Motion:
    """A motion that goes on as it did in its last two frames, for so many frames in all."""
    ahead = np.arange(1.0, n_frames - motion.n_frames + 1)[:, None]
    root, local = motion.root_positions, motion.local_rotations
    speed = root[-1] - root[-2]
    turn = rotations.log(rotations.multiply(rotations.inverse(local[-2]), local[-1]))  # (J, 3)
    turned = rotations.multiply(local[-1], rotations.exp(ahead[..., None] * turn))
    return replace(
        motion,
        root_positions=np.concatenate([root, root[-1] + ahead * speed]),
        local_rotations=np.concatenate([local, turned]),
    )
