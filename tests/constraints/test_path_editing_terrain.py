"""Bending paths over a ground that stays in the world: feet stand on it at their new places."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.constraints import GroundTarget, bend_path
from motionloom.constraints.ground_following import SMOOTH
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_footing
from motionloom.motion import Box, Footing, Ground, Terrain, kinematics

WITHIN = 0.002  # metres


def wide_hill(walk, tilt=0.3):
    """The hill of a walk, as wide as a field, and higher on one side than on the other."""

    def heights(places):
        along = walk.ground.heights(np.stack([np.zeros(len(places)), places[:, 1]], axis=-1))
        return along * (1 - tilt * np.clip(places[:, 0], -2, 2))

    return Ground.sample(heights, (-4.0, -2.0), (4.0, 10.0), 0.04)


def stretch_of(motion):
    """The largest distance from a hip to its ankle, in lengths of the leg."""
    skeleton, positions = motion.skeleton, kinematics.world_positions(motion)
    legs = (
        positions[:, skeleton.index(f"{s}_hip")] - positions[:, skeleton.index(f"{s}_foot")] for s in ("left", "right")
    )
    return max(np.linalg.norm(leg, axis=-1).max() for leg in legs) / skeleton.leg_length


@pytest.mark.parametrize(
    ("seed", "fps", "size", "shift"),
    [
        (110, 60, 1.0, (1.0, -0.5)),
        (111, 37, 1.2, (-0.8, 0.4)),
        (112, 60, 0.8, (0.6, 0.6)),
        (113, 120, 1.0, (0.0, -1.0)),
    ],
)
def test_feet_stand_on_the_hill_at_their_new_places(seed, fps, size, shift):
    walk = perform_supports("hills", seed, fps, size)
    ground = wide_hill(walk)
    contacts, footing = detect_footing(walk.motion, 0.0, ground=ground)
    end = walk.motion.root_positions[-1, [0, 2]] + shift
    bent = bend_path(walk.motion, [GroundTarget(-1, end)], contacts, footing=footing)
    assert bent.report.all_met and bent.footing == footing
    points = foot_points(bent.motion, 0.0, like=walk.motion, ground=ground)
    heights = points[..., 1] - ground.supports_at(points)
    assert max(np.ptp(heights[contacts[:, k], k]) for k in range(4)) < WITHIN
    assert max(np.median(heights[contacts[:, k], k]) for k in range(4)) < 0.012 * size
    moved = foot_points(walk.motion, 0.0, ground=ground)
    assert np.abs(ground.supports_at(points) - ground.supports_at(moved))[contacts].max() > 0.03  # it is another place
    assert bent.report.planting.deepest_after_mm < 1.0 and not bent.report.planting.missed
    assert stretch_of(bent.motion) <= max(stretch_of(walk.motion), 0.998) + 1e-6
    bumps = [np.abs(np.diff(motion.root_positions[:, 1], 2)).max() * fps**2 for motion in (walk.motion, bent.motion)]
    assert bumps[1] < 1.2 * bumps[0] + 0.5  # metres per second squared


def test_without_contacts_the_body_follows_what_is_under_it():
    walk = perform_supports("hills", 114)
    ground = wide_hill(walk)
    end = walk.motion.root_positions[-1, [0, 2]] + [1.0, 0.0]
    _, footing = detect_footing(walk.motion, 0.0, ground=ground)
    flat = bend_path(walk.motion, [GroundTarget(-1, end)])
    bent = bend_path(walk.motion, [GroundTarget(-1, end)], footing=footing)
    np.testing.assert_array_equal(bent.motion.local_rotations, flat.motion.local_rotations)
    rise = ground.heights(bent.motion.root_positions[:, [0, 2]]) - ground.heights(walk.motion.root_positions[:, [0, 2]])
    raised = (bent.motion.root_positions - flat.motion.root_positions)[:, 1]
    assert np.abs(rise).max() > 0.02
    assert np.abs(raised - rise).max() < 0.2 * SMOOTH * np.abs(np.diff(rise)).max() * walk.motion.fps + 1e-3


def test_level_terrain_bends_as_the_floor_does():
    motion = perform_supports("stairs", 116).motion
    level = Ground(0.0, (Box((50, 50), (1, 1), 0.0, 0.1, 0.0),), Terrain((-40, -40), 80.0, np.zeros((2, 2))))
    end = motion.root_positions[-1, [0, 2]] + [0.3, 0.3]
    one, other = (bend_path(motion, [GroundTarget(-1, end)], footing=footing) for footing in (None, Footing(level)))
    np.testing.assert_allclose(one.motion.root_positions, other.motion.root_positions, atol=1e-9)


def test_a_path_that_is_bent_onto_a_platform_goes_up_to_it():
    """Where the walk is bent to there is a platform, with an edge that feet stand on."""
    walk = perform_supports("hills", 117)
    contacts, footing = detect_footing(walk.motion, 0.0, ground=walk.ground)
    length = walk.motion.root_positions[-1, 2]
    ground = Ground(0.0, (Box((2.0, length), (1.2, 1.0), 0.0, 0.12, 0.0),), walk.ground.terrain)
    target = GroundTarget(-1, np.array([1.8, length]))
    bent = bend_path(walk.motion, [target], contacts, footing=replace(footing, ground=ground))
    assert bent.report.all_met
    points = foot_points(bent.motion, 0.0, like=walk.motion, ground=ground)
    heights = points[-1, :, 1][contacts[-1]]
    assert len(heights) and heights.min() > 0.11 and heights.max() < 0.12 + 0.03
    assert stretch_of(bent.motion) <= 0.9981


@pytest.mark.parametrize("seed", [118, 119])
def test_stones_that_were_found_go_with_their_frames_on_a_ground_too(seed):
    """Supports go along as high as they are, although the ground beside them is a slope."""
    walk = perform_supports("stones", seed)
    contacts, footing = detect_footing(walk.motion, 0.0)
    slope = Ground.sample(lambda places: 0.05 * np.clip(places[:, 0] - 0.3, 0, 3), (-4.0, -2.0), (4.0, 9.0), 0.1)
    end = walk.motion.root_positions[-1, [0, 2]] + [0.5, 0.0]
    on_slope = replace(footing, ground=slope)
    bent = bend_path(walk.motion, [GroundTarget(-1, end)], contacts, footing=on_slope)
    tops = [[support.box.top for support in own.supports] for own in (bent.footing, footing)]
    assert tops[0] == tops[1] and bent.footing.ground == slope
    points = foot_points(bent.motion, 0.0, like=walk.motion, ground=slope)
    off = np.abs(points[..., 1] - bent.footing.under(points, contacts))[contacts]
    assert np.percentile(off, 95) < 0.03
