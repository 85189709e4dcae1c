"""Ground penetration against motions whose depth is known."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, foot_points
from motionloom.quality import measure_penetration


def test_the_deepest_point_is_found_with_its_frame(make_standing):
    moves = np.zeros((50, 3))
    moves[20:30, 1] = -0.014  # the balls rest 1 cm high, so 4 mm below the floor
    moves[25, 1] = -0.018
    points = foot_points(make_standing(moves), 0.0)
    points[25, 3, 1] -= 0.001  # the right foot a little deeper
    found = measure_penetration(make_standing(moves), points=points)
    deepest = points[25, :, 1].argmin()
    assert found.deepest_mm == pytest.approx(-1000 * points[25, deepest, 1])
    assert (found.frame, found.point) == (25, POINTS[deepest])


def test_balls_eight_mm_below_the_floor_are_eight_mm_below_it(make_standing):
    moves = np.full((40, 3), [0, -0.018, 0])
    points = foot_points(make_standing(moves), 0.0)
    points[:, [0, 2], 1] = 0.0  # heels left out of this: on the floor
    found = measure_penetration(make_standing(moves), points=points)
    assert found.deepest_mm == pytest.approx(8.0)
    assert found.share_of_frames == 1


@pytest.mark.parametrize("depth, share", [(0.0049, 0.0), (0.0051, 0.25)])
def test_frames_count_when_a_point_is_deeper_than_five_mm(make_standing, depth, share):
    motion = make_standing(np.zeros((40, 3)))
    points = np.zeros((40, 4, 3))
    points[10:20, 1, 1] = -depth
    assert measure_penetration(motion, points=points).share_of_frames == share
    assert measure_penetration(motion, points=points, tolerance_mm=4.0).share_of_frames == 0.25


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(-1, 1))
def test_the_measure_is_what_a_plain_loop_finds(make, seed, floor):
    motion = make.motion(15, seed=seed)
    points = foot_points(motion, floor)
    depths = [(1000 * (floor - points[f, k, 1]), f, POINTS[k]) for f in range(15) for k in range(4)]
    deepest = max(depths, key=lambda found: found[0])
    found = measure_penetration(motion, floor)
    assert found.deepest_mm == pytest.approx(max(deepest[0], 0.0))
    assert (found.frame, found.point) == (deepest[1:] if deepest[0] > 0 else (None, None))
    deep_frames = {f for depth, f, _ in depths if depth > 5}
    assert found.share_of_frames == pytest.approx(len(deep_frames) / 15)


def test_feet_in_the_air_are_not_below_the_floor(make_standing):
    found = measure_penetration(make_standing(np.full((10, 3), 1.0)))
    assert (found.deepest_mm, found.frame, found.share_of_frames) == (0, None, 0)
    assert "no foot point is below" in found.describe()


def test_ends_of_toes_may_sink(make_standing):
    motion = make_standing(np.zeros((10, 3)))
    sunk = np.array(motion.skeleton.end_offsets)
    sunk[:2, 1] = -0.3
    motion = replace(motion, skeleton=replace(motion.skeleton, end_offsets=sunk))
    assert measure_penetration(motion).deepest_mm == pytest.approx(0.0, abs=1e-6)


def test_one_frame_and_one_foot_can_be_measured(make):
    motion = make.motion(1)
    motion = replace(motion, skeleton=motion.skeleton.with_roles({"right_foot": None, "right_ball": None}))
    assert measure_penetration(motion, 5.0).point in ("left_heel", "left_ball")


def test_bad_input_is_refused_in_one_sentence(make, with_nan, footless):
    with pytest.raises(BadInput, match="has no feet to measure"):
        measure_penetration(footless)
    with pytest.raises(BadInput, match="frame 3 of the motion has values"):
        measure_penetration(with_nan(make.motion(10), 3))
    with pytest.raises(BadInput, match="floor height must be finite, got inf"):
        measure_penetration(make.motion(10), np.inf)
    with pytest.raises(BadInput, match="tolerance_mm must be 0 or more, got -1"):
        measure_penetration(make.motion(10), tolerance_mm=-1)
    with pytest.raises(BadInput, match=r"points have shape \(3, 4, 3\), expected \(10, 4, 3\)"):
        measure_penetration(make.motion(10), points=np.zeros((3, 4, 3)))
