"""Where the floor is."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.features.floor import estimate_floor, floats_above, rests_on
from motionloom.motion import Placement, Skeleton, place

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


def sunk(motion, start, stop, depth):
    """The motion with the whole body lower in the frames [start, stop), as overstretched legs sink when they land."""
    roots = motion.root_positions.copy()
    roots[start:stop, 1] -= depth
    return replace(motion, root_positions=roots)


@pytest.mark.parametrize("depth", [0.1, 0.15, 0.2, 0.4])
@pytest.mark.parametrize("share", [0.03, 0.05, 0.07])
def test_feet_that_sink_and_rest_there_for_a_short_part_of_the_take_do_not_lower_the_floor(make, depth, share):
    motion = make.demo_take("stand/weight_shifts_1").motion
    before = estimate_floor(motion)
    n = int(share * motion.n_frames)
    assert estimate_floor(sunk(motion, 300, 300 + n, depth)) == pytest.approx(before, abs=0.02)


@pytest.mark.parametrize("share", [0.15, 0.3, 0.5])
def test_a_floor_on_which_feet_rest_for_a_fair_part_of_the_take_is_the_lowest(make, share):
    """Someone who climbs steps or a stool stands below for a part of the time only."""
    motion = make.demo_take("stand/weight_shifts_1").motion
    before = estimate_floor(motion)
    n = int(share * motion.n_frames)
    assert estimate_floor(sunk(motion, 300, 300 + n, 0.4)) == pytest.approx(before - 0.4, abs=0.02)


def test_feet_rest_on_the_floor_and_nowhere_else(make_walk):
    motion = make_walk().motion
    assert rests_on(motion, estimate_floor(motion))
    assert not rests_on(motion, estimate_floor(motion) - 0.2)
    assert not rests_on(motion, estimate_floor(motion) + 0.4)
    nobody = replace(motion.skeleton, names=tuple(f"j{i}" for i in range(21)), roles={})
    assert not rests_on(replace(motion, skeleton=nobody), estimate_floor(motion))


def test_feet_that_never_rest_are_on_no_floor(make_walk):
    motion = make_walk().motion
    roots = motion.root_positions + np.arange(motion.n_frames)[:, None] / motion.fps * np.array([0.0, 3.0, 0.0])
    assert not rests_on(replace(motion, root_positions=roots), estimate_floor(motion))


def without_toes(motion, end=None):
    """The motion of a body whose feet are ankles, each with an end at an offset in metres, or without one."""
    skeleton = motion.skeleton
    kept = [joint for joint in range(skeleton.n_joints) if not skeleton.names[joint].endswith("ToeBase")]
    new = {joint: number for number, joint in enumerate(kept)}
    parents = [new.get(int(skeleton.parents[joint]), -1) for joint in kept]
    names = tuple(skeleton.names[joint] for joint in kept)
    ends = [] if end is None else [names.index("LeftFoot"), names.index("RightFoot")]
    bare = Skeleton(
        names,
        np.array(parents),
        skeleton.offsets[kept],
        np.array(ends, int),
        np.array([end] * len(ends), float).reshape(-1, 3),
    )
    assert not bare.has("left_ball")
    return replace(motion, skeleton=bare, local_rotations=motion.local_rotations[:, kept])


def scaled(motion, size):
    return replace(motion, skeleton=motion.skeleton.scaled(size), root_positions=motion.root_positions * size)


@pytest.mark.parametrize("size", [0.5, 1.0, 1.3])
@pytest.mark.parametrize("floor_height", [0.0, -0.4])
def test_feet_without_toes_rest_below_their_ankles(make_walk, size, floor_height):
    motion = scaled(without_toes(make_walk(floor_height=floor_height).motion), size)
    expected = size * (floor_height + BALL_HEIGHT)
    found = estimate_floor(motion)
    assert found == pytest.approx(expected, abs=0.02 * size)
    assert rests_on(motion, found) and not rests_on(motion, found - 0.3)
    assert not floats_above(motion, found)


def test_feet_without_toes_rest_on_their_ends(make_walk):
    walk = make_walk().motion
    motion = without_toes(walk, end=(0.0, -0.06, 0.13))
    assert estimate_floor(motion) == pytest.approx(estimate_floor(walk), abs=1e-9)
    at_the_ankle = without_toes(walk, end=(0.0, -0.001, 0.0))
    assert estimate_floor(at_the_ankle) == estimate_floor(without_toes(walk))


def test_feet_without_knees_and_toes_have_a_floor_too(make_walk):
    motion = without_toes(make_walk().motion)
    kneeless = motion.skeleton.with_roles({"left_knee": None, "right_knee": None})
    assert estimate_floor(replace(motion, skeleton=kneeless)) == pytest.approx(BALL_HEIGHT, abs=0.02)
