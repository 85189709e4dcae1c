"""Where the floor is."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.features.floor import estimate_floor
from motionloom.motion import Placement, place

BALL_HEIGHT = 0.01  # metres of the ball's joint above the floor in the test walk


@pytest.mark.parametrize("floor_height", [0.0, -0.4, 1.3])
@pytest.mark.parametrize("speed", [0.5, 1.15])
def test_the_floor_of_a_walk_is_where_its_balls_rest(make_walk, floor_height, speed):
    walk = make_walk(speed, floor_height=floor_height)
    assert estimate_floor(walk.motion) == pytest.approx(floor_height + BALL_HEIGHT, abs=0.003)


def test_a_foot_that_sinks_for_a_few_frames_does_not_lower_the_floor(make_walk):
    motion = make_walk().motion
    sunk = motion.root_positions.copy()
    sunk[100:104, 1] -= 0.14
    assert estimate_floor(replace(motion, root_positions=sunk)) == pytest.approx(BALL_HEIGHT, abs=0.005)


def test_moving_over_the_ground_does_not_move_the_floor(make_walk):
    motion = make_walk().motion
    moved = place(motion, Placement(1.0, np.array([5.0, 3.0])))
    assert estimate_floor(moved) == pytest.approx(estimate_floor(motion), abs=1e-9)


def test_a_single_frame_and_a_body_without_feet_have_a_floor_too(make, make_walk):
    motion = make_walk().motion
    one = replace(motion, root_positions=motion.root_positions[:1], local_rotations=motion.local_rotations[:1])
    assert np.isfinite(estimate_floor(one))
    nobody = replace(motion.skeleton, names=tuple(f"j{i}" for i in range(21)), roles={})
    assert np.isfinite(estimate_floor(replace(motion, skeleton=nobody)))
