"""Joins of real takes."""

import numpy as np
import pytest

from motionloom import blending, formats
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, Placement, compose, cut, invert, kinematics, rotations
from motionloom.quality import learn_bars, measure_joins

KINDS = [blending.crossfade, blending.inertialize, blending.displace_join, blending.spread_offset]


@pytest.fixture(scope="module")
def takes(data) -> list[Motion]:
    return [formats.read(data / "cmu" / "football_like" / f"143_{number}.bvh").motion for number in ("02", "03")]


def facing(motion: Motion, frame: int) -> Placement:
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(cut(motion, frame, frame + 1)))
    return Placement(float(headings[0]), ground[0])


@pytest.mark.parametrize("join", KINDS)
def test_a_recording_that_is_cut_and_joined_again_is_the_recording(takes, join):
    motion = takes[0]
    for frame in range(0, motion.n_frames, 23):
        joined = join(motion, motion, leave=frame, enter=frame).motion
        assert np.abs(joined.root_positions - motion.root_positions).max() < 1e-9
        assert rotations.angle_between(joined.local_rotations, motion.local_rotations).max() < 1e-9


@pytest.mark.parametrize("join", KINDS[:3])  # spread offsets leave the velocities as they are
def test_a_cut_from_one_run_to_another_is_softened_to_what_recordings_have(takes, join):
    first, second = takes
    bars = learn_bars(takes)
    spots = np.arange(30, second.n_frames - 30)
    for leave in (40, 50, 60):  # running
        apart = sum(  # a tenth of a second before and after count too, so that both are on the same way
            rotations.angle_between(first.local_rotations[leave + k, 1:], second.local_rotations[spots + k, 1:])
            for k in (-6, 0, 6)
        ).mean(axis=1)
        enter = int(spots[apart.argmin()])
        where = compose(facing(first, leave), invert(facing(second, enter)))
        plain = join(first, second, leave=leave, enter=enter, placement=where, seconds=0.0).motion
        joined = join(first, second, leave=leave, enter=enter, placement=where).motion
        hard, soft = (measure_joins(motion, [leave], bars)[0].acceleration for motion in (plain, joined))
        natural = max(
            measure_joins(motion, [frame], bars)[0].acceleration for motion, frame in ((first, leave), (second, enter))
        )
        assert soft < max(hard, natural)
        assert soft < 1.5 * max(natural, 1.0)
