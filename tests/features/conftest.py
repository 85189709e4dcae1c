"""A walk whose footsteps are known exactly."""

from dataclasses import dataclass

import numpy as np
import pytest

from motionloom.motion import Motion, rotations, two_bone_ik

ANKLE_HEIGHT = 0.07  # metres when the foot is flat: the ball is 6 cm lower and 1 cm thick
STANCE, SWING = 0.62, 0.48  # seconds


@dataclass(frozen=True)
class Walk:
    """A flat-footed walk straight along +z: while a foot stands, neither its heel nor its ball moves."""

    motion: Motion
    standing: np.ndarray  # (F, 2) bool: the left and the right foot
    floor_height: float


@pytest.fixture(scope="session")
def make_walk(make):
    def make_one(speed: float = 1.0, seconds: float = 5.0, fps: float = 60.0, floor_height: float = 0.0) -> Walk:
        skeleton = make.skeleton()
        times = np.arange(int(seconds * fps)) / fps
        cycle = STANCE + SWING
        root = np.stack([0.01 * np.sin(2 * np.pi * times / cycle), np.full_like(times, 0.86), speed * times], axis=-1)
        root[:, 1] += floor_height
        local = rotations.identity((len(times), skeleton.n_joints))
        standing = np.zeros((len(times), 2), bool)
        for number, side in enumerate(("left", "right")):
            ankles, standing[:, number] = _ankles(times + number * cycle / 2, times, speed, 0.09 - 0.18 * number)
            ankles[:, 1] += floor_height
            local, _ = two_bone_ik.reach(
                skeleton, root, local, f"{side}_leg", ankles, end_rotations=rotations.identity((len(times),))
            )
        return Walk(Motion(skeleton, root, local, fps), standing, floor_height)

    return make_one


def _ankles(phase_times, times, speed, x):
    """Where an ankle is, (F, 3), and when its foot stands, (F,)."""
    cycle = STANCE + SWING
    step, within = np.divmod(phase_times, cycle)
    standing = within < STANCE
    shift = phase_times[0] - times[0]
    plant = speed * (step * cycle - shift + STANCE / 2)  # under the hips in the middle of the stance
    u = np.clip((within - STANCE) / SWING, 0, 1)
    go = u - np.sin(2 * np.pi * u) / (2 * np.pi)  # starts and ends at rest
    lift = 0.12 * np.sin(np.pi * u) ** 2
    ankles = np.stack([np.full_like(times, x), ANKLE_HEIGHT + lift, plant + go * speed * cycle], axis=-1)
    return ankles, standing
