"""People whose faults are known exactly."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import Motion, rotations


@pytest.fixture(scope="session")
def make_standing(make):
    """Someone who stands like a statue and is moved along (F, 3) metres from a place where the balls are 1 cm high."""

    def make_one(moves: np.ndarray, fps: float = 60.0) -> Motion:
        skeleton = make.skeleton()
        standing = np.array([0.0, 0.05 + 0.42 + 0.41 + 0.06 + 0.01, 0.0])
        return Motion(skeleton, standing + moves, rotations.identity((len(moves), skeleton.n_joints)), fps)

    return make_one


@pytest.fixture(scope="session")
def with_nan():
    def spoil(motion: Motion, frame: int) -> Motion:
        root = np.array(motion.root_positions)
        root[frame, 1] = np.nan
        return replace(motion, root_positions=root)

    return spoil


@pytest.fixture(scope="session")
def footless(make):
    """A motion whose skeleton has no feet."""
    motion = make.motion(10)
    roles = {
        f"{side}_{part}": None
        for side in ("left", "right")
        for part in ("foot", "ball")
        if motion.skeleton.has(f"{side}_{part}")
    }
    return replace(motion, skeleton=motion.skeleton.with_roles(roles))
