"""Where a body faces."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, Placement, kinematics, place, rotations

angles = st.floats(-20.0, 20.0)


def body(make, root_rotations):
    """The rest pose under (F, 4) root rotations."""
    skeleton, n_frames = make.skeleton(), len(root_rotations)
    local = rotations.identity((n_frames, skeleton.n_joints))
    local[:, 0] = root_rotations
    return Motion(skeleton, np.tile([0.0, 1.0, 0.0], (n_frames, 1)), local, 60.0)


def headings_of(motion):
    return find_facing(motion.skeleton, kinematics.world_positions(motion))[0]


def wrapped(angle):
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


@given(angles)
def test_a_body_that_is_turned_faces_where_it_was_turned_to(make, angle):
    headings = headings_of(body(make, rotations.about_y(np.array([angle]))))
    np.testing.assert_allclose(wrapped(headings - angle), 0.0, atol=1e-6)


@given(angles, st.floats(-5, 5), st.floats(-5, 5))
def test_placing_a_motion_moves_its_facing_along(make, angle, x, z):
    motion = make.motion(n_frames=20, wildness=0.3)
    placed = place(motion, Placement(angle, np.array([x, z])))
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    new_headings, new_ground = find_facing(placed.skeleton, kinematics.world_positions(placed))
    np.testing.assert_allclose(wrapped(new_headings - headings - angle), 0.0, atol=1e-6)
    np.testing.assert_allclose(new_ground, placed.root_positions[:, [0, 2]], atol=1e-9)
    np.testing.assert_allclose(ground, motion.root_positions[:, [0, 2]], atol=1e-9)


@given(st.floats(-np.pi, np.pi), st.floats(-1.6, 1.6), st.floats(0, 2 * np.pi))
def test_bending_and_leaning_do_not_change_the_heading(make, heading, tilt, towards):
    axis = np.array([np.cos(towards), 0.0, np.sin(towards)])
    turn = rotations.multiply(rotations.about_y(heading), rotations.about_axis(axis, tilt))
    np.testing.assert_allclose(wrapped(headings_of(body(make, turn[None])) - heading), 0.0, atol=1e-6)


def test_headings_go_on_beyond_a_full_turn(make):
    turned = np.linspace(0, 6 * np.pi, 200)
    headings = headings_of(body(make, rotations.about_y(turned)))
    np.testing.assert_allclose(headings - headings[0], turned, atol=1e-6)


@pytest.mark.parametrize("axis", [[1.0, 0, 0], [0, 0, 1.0], [0.6, 0, 0.8]])
def test_a_somersault_or_cartwheel_keeps_its_heading_all_the_way_round(make, axis):
    roll = np.linspace(0, 2 * np.pi, 90)
    turn = rotations.multiply(rotations.about_y(0.7), rotations.about_axis(np.array(axis), roll))
    np.testing.assert_allclose(headings_of(body(make, turn)), 0.7, atol=1e-6)


def test_a_headspin_counts_its_turns(make):
    tilt = np.concatenate([np.linspace(0, np.pi, 40), np.full(120, np.pi), np.linspace(np.pi, 0, 40)])
    spin = np.concatenate([np.zeros(40), np.linspace(0, 4 * np.pi, 120), np.full(40, 4 * np.pi)])
    turn = rotations.multiply(rotations.about_y(spin), rotations.about_axis(np.array([1.0, 0, 0]), tilt))
    headings = headings_of(body(make, turn))
    np.testing.assert_allclose(headings, spin, atol=0.05)


def test_headings_never_jump_however_a_body_tumbles(make):
    rng = np.random.default_rng(3)
    steps = rotations.exp(np.cumsum(rng.normal(scale=0.02, size=(600, 3)), axis=0) * 0.1)
    turn = [rotations.IDENTITY]
    for step in steps:
        turn.append(rotations.multiply(turn[-1], step))
    headings = headings_of(body(make, rotations.normalize(np.array(turn))))
    assert np.abs(np.diff(headings)).max() < 0.25


def test_a_body_that_is_upside_down_throughout_still_has_a_heading(make):
    turn = rotations.about_axis(np.array([1.0, 0, 0]), np.full(5, np.pi))
    assert np.isfinite(headings_of(body(make, turn))).all()


def test_hips_alone_are_enough_and_without_sides_the_message_says_what_is_missing(make):
    motion = body(make, rotations.about_y(np.array([0.3])))
    skeleton = motion.skeleton
    positions = kinematics.world_positions(motion)
    hips_only = replace(
        skeleton,
        names=tuple(n if "Leg" in n or n in ("Hips", "Head") else f"x{n[0]}{i}" for i, n in enumerate(skeleton.names)),
        roles={},
    )
    assert not hips_only.has("left_shoulder")
    np.testing.assert_allclose(find_facing(hips_only, positions)[0], 0.3, atol=1e-6)
    nobody = replace(skeleton, names=tuple(f"j{i}" for i in range(21)), roles={})
    with pytest.raises(BadInput, match="has no left and right hips or shoulders"):
        find_facing(nobody, positions)
