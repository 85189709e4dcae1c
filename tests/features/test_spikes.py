"""Spikes are found where they were put, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly.derived.spike_repair import repair_spikes
from motionloom.features.spikes import ROOT, cubic_between, find_spikes
from motionloom.motion import rotations


def turned(motion, joint, frames, radians):
    """The motion with a joint turned away in some frames."""
    local = np.array(motion.local_rotations)
    number = motion.skeleton.names.index(joint)
    away = rotations.exp(np.array([radians, 0.0, 0.0]))
    local[frames, number] = rotations.multiply(local[frames, number], away)
    return replace(motion, local_rotations=local)


@pytest.fixture
def walk(make):
    """A smooth motion without spikes."""
    return make.motion(n_frames=120, seed=3, wildness=0.3)


def test_a_smooth_motion_has_no_spikes(walk):
    assert find_spikes(walk) == ()


@pytest.mark.parametrize("n_frames", [1, 2])
def test_a_joint_that_jumps_away_and_back_is_found(walk, n_frames):
    spoilt = turned(walk, "LeftLeg", slice(50, 50 + n_frames), 1.0)
    found = [spike for spike in find_spikes(spoilt) if walk.skeleton.names[spike.joint] == "LeftLeg"]
    assert len(found) == 1
    assert found[0].start <= 50
    assert found[0].stop >= 50 + n_frames
    assert found[0].metres == pytest.approx(2 * 0.41 * np.sin(0.5), abs=0.08)


def test_a_root_that_jumps_is_found(walk):
    roots = np.array(walk.root_positions)
    roots[70] += [0.0, 0.0, 0.5]
    assert [spike.joint for spike in find_spikes(replace(walk, root_positions=roots))] == [ROOT]


def test_a_step_that_stays_is_no_spike_but_a_movement(walk):
    assert find_spikes(turned(walk, "LeftLeg", slice(50, None), 0.6)) == ()


def test_what_lasts_longer_than_a_thirtieth_of_a_second_is_a_movement(walk):
    assert find_spikes(turned(walk, "RightArm", slice(40, 52), 0.8)) == ()


def test_turns_of_bones_that_nobody_sees_do_not_count(walk):
    skeleton = walk.skeleton
    offsets = np.array(skeleton.offsets)
    hand = skeleton.names.index("LeftHand")
    ends = skeleton.end_offsets * (skeleton.end_parents != hand)[:, None]
    small = replace(walk, skeleton=replace(skeleton, offsets=offsets, end_offsets=ends))
    assert find_spikes(turned(small, "LeftHand", slice(30, 31), 2.0)) == ()


def test_a_motion_of_a_few_frames_has_none(make):
    assert find_spikes(make.motion(n_frames=4)) == ()


def test_mending_takes_spikes_away_and_touches_nothing_else(walk):
    spoilt = turned(turned(walk, "LeftLeg", slice(50, 52), 1.0), "RightLeg", slice(90, 91), -1.0)
    repaired = repair_spikes(spoilt)
    assert len(repaired.spikes) >= 2
    assert find_spikes(repaired.motion) == ()
    angles = rotations.angle_between(repaired.motion.local_rotations, walk.local_rotations)
    assert np.degrees(angles).max() < 2.0
    far = np.r_[0:45, 58:85, 97:120]
    np.testing.assert_allclose(angles[far], 0.0, atol=1e-6)
    np.testing.assert_array_equal(repaired.motion.root_positions, walk.root_positions)


def test_a_cubic_goes_on_exactly_between_frames_of_a_cubic():
    times = np.arange(20.0)
    values = np.stack([times**3 - 5 * times, 2 - times**2], axis=1)
    np.testing.assert_allclose(cubic_between(values, 7, 10), values[7:10], rtol=1e-9)
