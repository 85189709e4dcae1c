"""Bodies in the air: standing on nothing is found, jumping and lying is not."""

import numpy as np
import pytest

from motionloom.motion import Box, Footing, Support, place, rotations
from motionloom.motion.placement import Placement
from motionloom.quality import measure_air, measure_penetration, measure_quality


def raised(make_standing, heights, fps=60.0):
    moves = np.zeros((len(heights), 3))
    moves[:, 1] = heights
    return make_standing(moves, fps)


def on_a_step(n_frames=120, start=30, stop=90, height=0.4):
    heights = np.zeros(n_frames)
    heights[start:stop] = height
    return heights


def test_somebody_who_stands_on_nothing_is_in_the_air(make_standing):
    found = measure_air(raised(make_standing, on_a_step()))
    (hover,) = found.hovers
    assert (hover.start, hover.stop) == (30, 90)
    assert hover.height == pytest.approx(0.4, abs=0.05)
    assert found.longest_seconds == pytest.approx(1.0)
    assert "frames 30 to 89" in found.describe() and "0.4" in found.describe()


def test_with_the_step_under_the_feet_nobody_is_in_the_air(make_standing):
    footing = Footing(supports=(Support(Box((0.0, 0.0), (0.5, 0.5), 0.0, 0.4, 0.0), 30, 90),))
    motion = raised(make_standing, on_a_step())
    assert not measure_air(motion, footing=footing).hovers
    assert measure_air(place(motion, Placement(0.0, np.array([3.0, 0.0]))), footing=footing).hovers
    quality = measure_quality(motion, None, footing=footing)
    assert quality.in_the_air.longest_seconds == 0
    assert quality.penetration.deepest_mm == 0
    assert measure_quality(motion, None).numbers()["longest time in the air without support"] == (1.0, "seconds")


def test_feet_in_a_step_are_below_its_top(make_standing):
    footing = Footing(supports=(Support(Box((0.0, 0.0), (0.5, 0.5), 0.0, 0.45, 0.0), 30, 90),))
    motion, rests = raised(make_standing, on_a_step()), np.ones((120, 4), bool)
    found = measure_penetration(motion, footing=footing, contacts=rests)
    assert found.deepest_mm == pytest.approx(40, abs=15) and found.share_of_frames == pytest.approx(0.5)


@pytest.mark.parametrize("fps", [24.0, 60.0, 300.0])
def test_a_jump_is_no_hovering(make_standing, fps):
    time = np.arange(round(0.9 * fps)) / fps
    jump = np.maximum(4.0 * time - 0.5 * 9.81 * time**2, 0)
    heights = np.concatenate([np.zeros(20), jump, np.zeros(20)])
    assert not measure_air(raised(make_standing, heights, fps)).hovers


def test_short_ranges_do_not_count(make_standing):
    assert not measure_air(raised(make_standing, on_a_step(stop=30 + 18))).hovers
    assert measure_air(raised(make_standing, on_a_step(stop=30 + 20))).hovers


def test_somebody_who_lies_on_the_floor_is_not_in_the_air(make, make_standing):
    motion = make_standing(np.full((60, 3), [0.0, -0.8, 0.0]))
    turned = motion.local_rotations.copy()
    turned[:, 0] = rotations.about_axis(np.array([1.0, 0.0, 0.0]), -np.pi / 2)  # on the back
    lying = type(motion)(motion.skeleton, motion.root_positions, turned, motion.fps)
    assert not measure_air(lying).hovers
