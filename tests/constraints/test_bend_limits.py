"""Bending stops where nobody could move so, and the places beyond are missed."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints.bend_limits import BendLimits
from motionloom.constraints.path_editing import GroundTarget, PathSettings, bend_path
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, kinematics, resample, rotations

LIMITED = PathSettings(limits=BendLimits())
TOLERANCE = 1.02  # of what is measured over the limit


def straight(make, speed=1.4, seconds=4.0, fps=60.0, scale=1.0, turning=0.0) -> Motion:
    """A body that glides at a constant speed, and turns."""
    skeleton = make.skeleton()
    skeleton = replace(skeleton, offsets=scale * skeleton.offsets)
    times = np.arange(round(seconds * fps)) / fps
    headings = turning * times
    steps = speed / fps * np.stack([np.sin(headings), 0 * times, np.cos(headings)], axis=-1)
    root = np.cumsum(steps, axis=0) + [0, 0.9 * scale, 0]
    local = rotations.identity((len(times), skeleton.n_joints))
    local[:, 0] = rotations.about_y(headings)
    return Motion(skeleton, root, local, fps)


def facing(motion):
    return find_facing(motion.skeleton, kinematics.world_positions(motion))


def speeds_of(motion):
    half = round(motion.fps / 2)
    _, ground = facing(motion)
    return np.linalg.norm(ground[half:] - ground[:-half], axis=1) / half * motion.fps


@pytest.mark.parametrize("far", [12.0, 30.0, 300.0])
def test_a_place_that_takes_steps_beyond_the_limit_is_missed_and_says_so(make, far):
    motion = straight(make)
    _, ground = facing(motion)
    bent = bend_path(motion, [GroundTarget(-1, ground[0] + [0.0, far])], settings=LIMITED)
    (outcome,) = bent.report.outcomes
    assert not outcome.is_met and "% longer; limit 40 %" in outcome.why_not
    gone = np.linalg.norm(facing(bent.motion)[1][-1] - ground[0])
    own = np.linalg.norm(ground[-1] - ground[0])
    assert 1.2 * own < gone <= 1.41 * own
    assert outcome.position_miss == pytest.approx(far - gone, abs=0.2)
    assert speeds_of(bent.motion).max() <= 1.4 * 1.4 * TOLERANCE


def test_what_a_person_could_do_is_met_as_it_was_before(make):
    motion = straight(make)
    headings, ground = facing(motion)
    targets = [
        GroundTarget(120, ground[120] + [0.3, 0.2]),
        GroundTarget(-1, ground[-1] + [-0.4, 0.8], headings[-1] + 0.6),
    ]
    free, limited = bend_path(motion, targets), bend_path(motion, targets, settings=LIMITED)
    assert free.report.all_met and limited.report.all_met
    np.testing.assert_array_equal(free.motion.root_positions, limited.motion.root_positions)
    np.testing.assert_array_equal(free.motion.local_rotations, limited.motion.local_rotations)


def test_a_place_out_of_reach_takes_nothing_from_those_before_it(make):
    motion = straight(make)
    _, ground = facing(motion)
    targets = [GroundTarget(-1, (0.0, 40.0)), GroundTarget(120, ground[120] + [0.2, 0.1])]
    far, near = bend_path(motion, targets, settings=LIMITED).report.outcomes
    assert near.is_met and not far.is_met and far.position_miss > 10


@pytest.mark.parametrize("speed", [0.0, 0.02])
def test_who_stands_is_not_pushed_across_the_room(make, speed):
    motion = straight(make, speed=speed)
    _, ground = facing(motion)
    bent = bend_path(motion, [GroundTarget(-1, ground[-1] + [0.0, 3.0])], settings=LIMITED)
    assert bent.report.outcomes[0].position_miss > 2.0
    beside = bend_path(motion, [GroundTarget(-1, ground[-1] + [0.0, 0.1])], settings=LIMITED)
    assert beside.report.all_met


def test_a_sprint_gets_no_faster_than_people_sprint(make):
    motion = straight(make, speed=6.5)
    bent = bend_path(motion, [GroundTarget(-1, (0.0, 60.0))], settings=LIMITED)
    assert not bent.report.all_met and speeds_of(bent.motion).max() > 6.5
    assert speeds_of(bent.motion).max() < 2.4 * np.sqrt(9.81 * motion.skeleton.leg_length) * TOLERANCE


def test_nobody_is_spun_round(make):
    motion = straight(make, seconds=1.0)
    headings, _ = facing(motion)
    bent = bend_path(motion, [GroundTarget(-1, None, headings[0] + 3.1)], settings=LIMITED)
    rates = np.degrees(np.abs(np.gradient(facing(bent.motion)[0]) * motion.fps))
    assert not bent.report.all_met and np.median(rates) <= 180 * TOLERANCE


@pytest.mark.parametrize("fps", [24.0, 120.0, 300.0])
def test_limits_are_the_same_at_every_rate(make, fps):
    motion = straight(make)
    target = GroundTarget(-1, (0.0, 30.0))
    usual, other = (
        bend_path(each, [target], settings=LIMITED).report.outcomes[0].position_miss
        for each in (motion, resample(motion, fps))
    )
    assert other == pytest.approx(usual, abs=0.25)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_children_and_giants_have_limits_of_their_size(make, scale):
    motion = straight(make, speed=1.4 * np.sqrt(scale), scale=scale)
    bent = bend_path(motion, [GroundTarget(-1, (0.0, 60.0))], settings=LIMITED)
    assert speeds_of(bent.motion).max() == pytest.approx(1.4 * 1.4 * np.sqrt(scale), rel=0.05)


@pytest.mark.parametrize("seed", range(8))
def test_no_bent_path_is_beyond_its_limits(make, seed):
    rng = np.random.default_rng(seed)
    motion = straight(make, float(rng.uniform(0, 4)), float(rng.uniform(0.5, 5)), turning=float(rng.uniform(-1, 1)))
    frames = sorted(rng.choice(np.arange(1, motion.n_frames), 3, replace=False).tolist())
    targets = [GroundTarget(frame, rng.normal(scale=8, size=2), float(rng.uniform(-3, 3))) for frame in frames]
    report = bend_path(motion, targets, settings=LIMITED).report
    assert report.distortion.load <= 1 + 1e-9
    assert all(outcome.is_met or outcome.why_not for outcome in report.outcomes)
