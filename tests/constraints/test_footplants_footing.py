"""Planting feet on steps, stones and hills instead of the level floor."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import GroundTarget, bend_path, plant_feet
from motionloom.features.feet import foot_points, heel_offsets
from motionloom.motion import Box, Footing, Ground, Motion, Support, rotations

HEIGHT = 0.37


def stroll(make, seed=0, n_frames=160):
    """A walk on the spot of the test person whose planted feet skate a little, and its contacts."""
    rng = np.random.default_rng(seed)
    skeleton, time = make.skeleton(), np.arange(n_frames) / 60.0
    turns, contacts = np.zeros((n_frames, skeleton.n_joints, 3)), np.zeros((n_frames, 4), bool)
    for column, side in enumerate(("left", "right")):
        phase = 2 * np.pi * (np.arange(n_frames) / 80 + column / 2)
        lift = np.clip(np.sin(phase), 0, None) ** 2
        hip, knee, foot = (skeleton.index(f"{side}_{role}") for role in ("hip", "knee", "foot"))
        wave = 0.05 * np.sin(2 * np.pi * time * rng.uniform(0.2, 0.5))
        turns[:, hip, 0] = -0.25 - 0.7 * lift + wave
        turns[:, knee, 0] = 0.5 + 1.4 * lift
        turns[:, foot, 0] = -0.25 - 0.3 * lift
        contacts[:, 2 * column : 2 * column + 2] = (np.sin(phase) < 0.1)[:, None]
    root = np.stack([0.05 * np.sin(time), 0.90 + 0.005 * np.sin(5 * time), 0.1 * time], axis=-1)
    return Motion(skeleton, root, rotations.exp(turns), 60.0), contacts


def moves_of(points, contacts):
    """(N,) metres that planted points move from frame to frame."""
    return np.linalg.norm(np.diff(points, axis=0), axis=-1)[contacts[1:] & contacts[:-1]]


def floor_under(motion):
    return float(np.percentile(foot_points(motion, 0.0)[..., 1], 10))


def on_the_floor(make, seed=0):
    """A stroll whose floor is at y = 0, its contacts and heel offsets."""
    motion, contacts = stroll(make, seed=seed)
    floor = floor_under(motion)
    motion = raised(motion, -floor)
    return motion, contacts, heel_offsets(motion, 0.0)


def raised(motion, metres):
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, metres, 0.0]))


def everywhere(height, n_frames) -> Footing:
    return Footing(supports=(Support(Box((0.0, 0.0), (9.0, 9.0), 0.0, height, 0.0), 0, n_frames),))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planting_on_a_wide_step_is_planting_on_the_floor_higher_up(make, seed):
    motion, contacts, heels = on_the_floor(make, seed)
    flat = plant_feet(motion, contacts, heels=heels)
    footing = everywhere(HEIGHT, motion.n_frames)
    high = plant_feet(raised(motion, HEIGHT), contacts, footing=footing, heels=heels)
    assert np.allclose(high.motion.root_positions - [0, HEIGHT, 0], flat.motion.root_positions, atol=1e-5)
    assert np.allclose(high.motion.local_rotations, flat.motion.local_rotations, atol=1e-4)
    assert high.report.deepest_before_mm == pytest.approx(flat.report.deepest_before_mm, abs=1e-6)
    assert high.report.deepest_after_mm == pytest.approx(flat.report.deepest_after_mm, abs=1e-3)


def test_a_footing_of_the_floor_alone_changes_no_bit(make):
    motion, contacts = stroll(make)
    floor = floor_under(motion)
    plain = plant_feet(motion, contacts, floor).motion
    flat = plant_feet(motion, contacts, floor, footing=Footing(Ground(floor))).motion
    assert np.array_equal(plain.root_positions, flat.root_positions)
    assert np.array_equal(plain.local_rotations, flat.local_rotations)


def test_feet_that_sink_into_a_step_are_lifted_onto_it_and_stay(make):
    motion, contacts, heels = on_the_floor(make)
    footing = everywhere(0.04, motion.n_frames)  # the feet are 4 cm deep in it
    points = foot_points(motion, 0.0, heels=heels)
    planted = plant_feet(motion, contacts, footing=footing, heels=heels)
    after = foot_points(planted.motion, 0.0, heels=heels)
    assert points[..., 1][contacts].min() < 0.02
    assert after[..., 1].min() > 0.04
    assert moves_of(after, contacts).max() < 1e-3


def test_on_a_slope_each_foot_stands_at_the_height_of_its_place(make):
    motion, contacts, heels = on_the_floor(make)
    slope = Ground.sample(lambda places: 0.05 + 0.08 * places[:, 1], (-3.0, -3.0), (3.0, 3.0))
    root = motion.root_positions.copy()
    root[:, 1] += slope.heights(root[:, [0, 2]])
    motion = replace(motion, root_positions=root)
    after = foot_points(plant_feet(motion, contacts, footing=Footing(slope), heels=heels).motion, 0.0, heels=heels)
    above = after[..., 1] - slope.heights(after[..., [0, 2]])
    assert above.min() > -0.005
    assert moves_of(after, contacts).max() < 1e-3
    assert np.ptp(np.percentile(above[contacts], [5, 95])) < 0.05


def test_bending_the_path_takes_supports_along_and_plants_on_them(make):
    motion, contacts, heels = on_the_floor(make)
    lifted = raised(motion, HEIGHT)
    n = motion.n_frames
    narrow = Box((0.0, 0.2), (0.6, 0.6), 0.0, HEIGHT, 0.0)
    footing = Footing(supports=(Support(narrow, 0, n),))
    bent = bend_path(lifted, [GroundTarget(-1, position=(4.0, 1.0))], contacts, footing=footing)
    (support,) = bent.footing.supports
    assert np.linalg.norm(np.subtract(support.box.centre, narrow.centre)) > 0.5
    points = foot_points(bent.motion, 0.0, heels=heels)
    assert (bent.footing.under(points)[contacts] == HEIGHT).mean() > 0.7
    assert bent.report.all_met
