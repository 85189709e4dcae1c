"""Similarity on real takes: what blocks say is what pairs say, and walking repeats itself stride by stride."""

import numpy as np
import pytest

from motionloom import formats
from motionloom.similarity import Stack, default_threshold, find_minima, measure_angles, measure_points, stack
from motionloom.similarity.tiles import Scratch

pytestmark = pytest.mark.real
HEADSTANDS = ("85_05", "85_06", "85_07", "85_10")  # takes whose pelvis goes over 170 degrees


@pytest.fixture(scope="module")
def walks(data) -> Stack:
    return stack(
        [formats.read(data / "cmu" / "walking" / f"{name}.bvh").motion for name in ("69_01", "69_03", "69_12")]
    )


def test_zero_length_bones_count_once(walks):
    assert len(measure_points(walks.positions, walks.starts).joints) == 21  # of 31


def test_blocks_stay_within_their_slack(walks):
    for measure in (
        measure_points(walks.positions, walks.starts),
        measure_angles(walks.local_rotations, walks.starts),
    ):
        block = measure.squared_block(slice(100, 700), slice(400, 900), Scratch()).astype(float)
        exact = measure.pairs(np.arange(100, 700)[:, None], np.arange(400, 900))
        there = np.isfinite(exact)
        slack = measure.slack[100:700, None] + measure.slack[None, 400:900]
        assert (np.abs(block[there] - exact[there] ** 2) <= slack[there]).all()


def test_frames_that_follow_each_other_are_near_even_upside_down(data):
    takes = [formats.read(data / "cmu" / "breakdance" / f"{name}.bvh").motion for name in HEADSTANDS]
    for motion in takes:
        angles = measure_angles(motion.local_rotations, [0, motion.n_frames], np.eye(motion.skeleton.n_joints)[0])
        frames = np.arange(motion.n_frames - 1)
        assert angles.pairs(frames, frames + 1).max() < 0.35  # radians: no root turns by more in a sixtieth of a second


def test_walking_meets_itself_a_stride_later(walks):
    clouds = measure_points(walks.positions, walks.starts)
    threshold = default_threshold(clouds)
    assert 0.02 < threshold < 0.07
    frames = find_minima(clouds, threshold).frames
    apart = np.diff(frames[clouds.ranges[frames[:, 0], 0] == clouds.ranges[frames[:, 1], 0]], axis=1)
    assert len(apart) > 100
    # strides take 1.15 to 1.5 s; half a stride later the other foot is in front, which is no likeness
    assert apart.min() > 60 and not ((apart > 92) & (apart < 125)).any()
