"""Planting feet on uneven terrain: heels and balls rest on its surface where they are planted."""

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.constraints import plant_feet
from motionloom.constraints.footplant_demands import PlantRules, demand_plants
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_footing
from motionloom.motion import Footing, Ground, Terrain, find_runs
from motionloom.quality import measure_air, measure_penetration

WITHIN = 0.002  # metres
RULES = PlantRules(clearance=0.002, other_support=0.03, short_swing=0.15, lock_fade=0.1, spread=0.15)


def above_ground(motion, like, ground):
    """(F, 4) metres of heels and balls above the surface under them."""
    points = foot_points(motion, ground.floor, like=like, ground=ground)
    return points[..., 1] - ground.supports_at(points)


def worst_rest(heights, contacts):
    """Metres: how far resting points are from where each of them usually rests."""
    return max(np.ptp(heights[contacts[:, k], k]) for k in range(4) if contacts[:, k].any())


@pytest.mark.parametrize(("seed", "fps", "size"), [(60, 60, 1.0), (61, 37, 1.0), (62, 120, 1.3), (63, 60, 0.8)])
def test_feet_rest_on_a_hill_wherever_they_are_planted(seed, fps, size):
    walk = perform_supports("hills", seed, fps, size)
    contacts, footing = detect_footing(walk.motion, 0.0, ground=walk.ground)
    planted = plant_feet(walk.motion, contacts, 0.0, footing=footing)
    before, after = (above_ground(motion, walk.motion, walk.ground) for motion in (walk.motion, planted.motion))
    assert worst_rest(before, contacts) > 0.01
    assert worst_rest(after, contacts) < WITHIN
    usual = np.array([0.0, 0.01 * size] * 2)  # a heel touches the ground, a ball is as high as the sole is thick
    assert all(abs(after[contacts[:, k], k] - usual[k]).max() < 2 * WITHIN for k in range(4))
    assert planted.report.deepest_after_mm < 1.0 < planted.report.deepest_before_mm
    assert planted.report.farthest_after_mm < 0.5 and not planted.report.missed
    assert measure_penetration(planted.motion, footing=footing, contacts=contacts).deepest_mm < 1.0
    assert not measure_air(planted.motion, footing=footing).hovers


def test_terrain_as_level_as_the_floor_plants_as_the_floor_does():
    walk = perform_supports("stairs", 64)
    contacts = walk.contacts & (walk.heights == 0)
    level = Footing(Ground(0.0, (), Terrain((-5, -5), 20.0, np.zeros((2, 2)))))
    one, other = (plant_feet(walk.motion, contacts, footing=footing) for footing in (None, level))
    np.testing.assert_allclose(one.motion.root_positions, other.motion.root_positions, atol=1e-3)


def test_a_heel_that_is_held_up_on_a_hill_stays_up():
    walk = perform_supports("hills", 65)
    contacts, footing = detect_footing(walk.motion, 0.0, ground=walk.ground)
    planted = plant_feet(walk.motion, contacts, footing=footing).motion
    points = foot_points(planted, 0.0, like=walk.motion, ground=walk.ground)
    under = walk.ground.supports_at(points)
    start, stop = find_runs(contacts[:, 0])[2]  # on its way up
    points[start:stop, 0, 1] += 0.08
    none = np.array([], int)
    demands = demand_plants(points, contacts, none, walk.motion.fps, under, RULES, under)
    assert demands.elsewhere[start:stop, 0].all() and demands.elsewhere.sum() == stop - start
    np.testing.assert_allclose(demands.heights[start:stop, 0], points[start:stop, 0, 1], atol=1e-3)
