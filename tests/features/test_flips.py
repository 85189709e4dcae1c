"""Flips are found where they were put, with frame and joint; fast but real movements are none."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly.derived.spike_repair import repair_spikes
from motionloom.features.flips import describe_flips, find_flips
from motionloom.motion import Motion, kinematics, rotations

X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def turned(motion: Motion, joint: str, frames: slice, radians: float, axis: np.ndarray = X) -> Motion:
    """The motion with a joint turned over in some frames."""
    local = np.array(motion.local_rotations)
    number = motion.skeleton.index(joint)
    local[frames, number] = rotations.multiply(local[frames, number], rotations.about_axis(axis, radians))
    return replace(motion, local_rotations=local)


def flipped(motion: Motion) -> list[tuple[str, int]]:
    return [(motion.skeleton.names[flip.joint], flip.frame) for flip in find_flips(motion)]


@pytest.mark.parametrize("fps", [24.0, 60.0, 120.0, 300.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_joint_that_turns_over_and_stays_is_found_at_every_rate(make, fps, seed):
    rng = np.random.default_rng(seed)
    motion = make.motion(n_frames=int(2 * fps), seed=seed, fps=fps, wildness=0.3)
    frame = int(rng.integers(10, motion.n_frames - 10))
    joint = ["LeftLeg", "RightForeArm", "LeftUpLeg", "RightArm", "RightUpLeg"][seed]
    spoilt = turned(motion, joint, slice(frame, None), np.radians(170), Z if "Arm" in joint else X)
    assert find_flips(motion) == ()
    assert flipped(spoilt) == [(joint, frame - 1)]
    (flip,) = find_flips(spoilt)
    assert not flip.is_short and flip.radians == pytest.approx(np.radians(170), abs=0.2)


@pytest.mark.parametrize("n_frames", [1, 2, 4, 9, 12])
def test_a_joint_that_is_soon_back_is_one_short_flip_and_mended(make, n_frames):
    motion = make.motion(n_frames=120, seed=2, wildness=0.3)
    spoilt = turned(motion, "LeftLeg", slice(50, 50 + n_frames), np.radians(160))
    (flip,) = find_flips(spoilt)
    assert (flip.frame, flip.start, flip.stop, flip.is_short) == (49, 50, 50 + n_frames, True)
    repaired = repair_spikes(spoilt)
    assert find_flips(repaired.motion) == ()
    angles = np.degrees(rotations.angle_between(repaired.motion.local_rotations, motion.local_rotations))
    assert angles.max() < 8.0
    np.testing.assert_allclose(np.delete(angles, np.s_[48 : 53 + n_frames], axis=0), 0.0, atol=1e-5)
    assert repaired.describe()[0].startswith("mended: LeftLeg in frame")


def test_angles_that_run_through_a_singularity_are_one_flip(make):
    """A joint that turns evenly for a few frames, turns over in one and turns on, as interpolated Euler angles do."""
    motion = make.motion(n_frames=120, seed=4, wildness=0.1)
    angles = np.zeros(120)
    angles[40:45] = np.radians([15, 30, 45, 60, 75])
    angles[45:] = np.radians(75 + 150)
    local = np.array(motion.local_rotations)
    number = motion.skeleton.index("RightFoot")
    local[:, number] = rotations.multiply(local[:, number], rotations.about_axis(X, angles))
    assert flipped(replace(motion, local_rotations=local)) == [("RightFoot", 44)]


@pytest.mark.parametrize("fps", [24.0, 60.0, 120.0, 300.0])
@pytest.mark.parametrize("seed", range(6))
def test_a_kick_is_no_flip_however_fast(make, fps, seed):
    """A knee that is flung straight at up to 2000 degrees a second and stopped within 30 ms."""
    rng = np.random.default_rng(seed)
    motion = make.motion(n_frames=int(2 * fps), seed=seed, fps=fps, wildness=0.2)
    t = np.arange(motion.n_frames) / fps - rng.uniform(0.8, 1.2)
    sharp = rng.uniform(0.03, 0.06)
    bend = np.radians(100) / (1 + np.exp(t / (sharp / 2)))
    local = np.array(motion.local_rotations)
    number = motion.skeleton.index("RightLeg")
    local[:, number] = rotations.multiply(local[:, number], rotations.about_axis(X, bend))
    assert find_flips(replace(motion, local_rotations=local)) == ()


def test_a_body_that_turns_over_as_a_whole_is_found(make):
    motion = make.motion(n_frames=90, seed=1, wildness=0.2)
    assert flipped(turned(motion, "Hips", slice(40, None), np.pi)) == [("Hips", 39)]


def test_the_words_name_joint_frame_and_speed(make):
    motion = turned(make.motion(n_frames=90, seed=1, wildness=0.2), "LeftArm", slice(40, None), np.radians(150), Z)
    words = describe_flips(motion, find_flips(motion))
    assert "LeftArm turns over by 1" in words and "after frame 39" in words and "m/s" in words


@pytest.mark.parametrize("n_frames", [1, 2, 3, 5])
def test_a_motion_of_a_few_frames_is_no_problem(make, n_frames):
    assert find_flips(make.motion(n_frames=n_frames, wildness=0.1)) == ()


def fastest(motion: Motion) -> np.ndarray:
    return np.linalg.norm(np.diff(kinematics.world_positions(motion), axis=0), axis=-1).max(axis=0) * motion.fps


@pytest.mark.parametrize("n_frames", [2, 6, 10])
@pytest.mark.parametrize("seed", range(4))
def test_joints_that_make_up_for_each_other_are_mended_together_or_not_at_all(make, n_frames, seed):
    """A thigh that twists and a shin that twists back: nothing is seen, until one of them is mended alone."""
    motion = make.motion(n_frames=90, seed=seed, wildness=0.3)
    frames, twist = slice(40, 40 + n_frames), rotations.about_axis(np.array([0.0, 1.0, 0.0]), np.radians(170))
    local = np.array(motion.local_rotations)
    thigh, shin = motion.skeleton.index("left_hip"), motion.skeleton.index("left_knee")
    local[frames, thigh] = rotations.multiply(local[frames, thigh], twist)
    local[frames, shin] = rotations.multiply(rotations.inverse(twist), local[frames, shin])
    spoilt = replace(motion, local_rotations=local)
    assert (fastest(repair_spikes(spoilt).motion) <= fastest(spoilt) + 1.5).all()


def test_the_speed_of_a_flip_is_what_is_seen_of_it(make):
    motion = make.motion(n_frames=90, seed=1, wildness=0.3)
    local = np.array(motion.local_rotations)
    twist = rotations.about_axis(np.array([0.0, 1.0, 0.0]), np.radians(170))
    thigh, shin = motion.skeleton.index("left_hip"), motion.skeleton.index("left_knee")
    local[40:, shin] = rotations.multiply(local[40:, shin], rotations.about_axis(X, np.radians(60)))  # a bent knee
    local[50:, thigh] = rotations.multiply(local[50:, thigh], twist)
    alone = next(f for f in find_flips(replace(motion, local_rotations=local)) if f.frame == 49)
    local[50:, shin] = rotations.multiply(rotations.inverse(twist), local[50:, shin])
    made_up = next(f for f in find_flips(replace(motion, local_rotations=local)) if f.frame == 49)
    assert alone.speed > 20 and made_up.speed < 5
