"""Neutral poses: learnt from standing and walking, whatever the rest pose is; none where there is nothing to learn."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import body
from motionloom.features.neutral_pose import DEFAULT, ENDS, REST, learn_neutral_pose
from motionloom.motion import Motion, Placement, cut, kinematics, place, rest_pose, rotations

WALKS = ("walk/slow", "idle/weight_shifts")


@pytest.fixture(scope="module")
def walk(make) -> Motion:
    return make.demo_take("walk/slow").motion


def large_turns(seed: int, n: int) -> np.ndarray:
    """(n, 4) random rotations of 60 to 170 degrees."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(n, 3))
    return rotations.about_axis(axes / np.linalg.norm(axes, axis=-1, keepdims=True), rng.uniform(1.05, 2.97, n))


def with_odd_rest_pose(motion: Motion, turns: dict[str, np.ndarray]) -> Motion:
    """The same motion, joint for joint in the world, of a skeleton whose ends and what is below them rest turned."""
    skeleton = motion.skeleton
    rest = rotations.identity((skeleton.n_joints,))
    for joint in range(skeleton.n_joints):
        if skeleton.parents[joint] >= 0:
            rest[joint] = rest[skeleton.parents[joint]]
        for role, turn in turns.items():
            if joint == skeleton.index(role):
                rest[joint] = turn
    return rest_pose.rebase(motion, rest)


def all_ends_turned(motion: Motion, seed: int) -> Motion:
    ends = ("head", "left_foot", "right_foot", "left_hand", "right_hand")
    return with_odd_rest_pose(motion, dict(zip(ends, large_turns(seed, len(ends)))))


def skinned(motion: Motion, neutral=None) -> np.ndarray:
    frames = cut(motion, 100, 160)
    skin = body.build(motion.skeleton, learn_neutral_pose([motion]) if neutral is None else neutral)
    return body.skin(skin, *kinematics.world(frames))


def test_the_rest_pose_of_head_feet_and_hands_does_not_change_the_mesh_in_the_world(walk):
    first, second = skinned(all_ends_turned(walk, 1)), skinned(all_ends_turned(walk, 2))
    assert first.shape == second.shape
    np.testing.assert_allclose(first, second, atol=2e-5)


def test_a_body_with_an_odd_rest_pose_looks_like_the_one_with_a_neutral_one(walk):
    """To a few degrees, which are below what counts for the neutral one."""
    odd, plain = skinned(all_ends_turned(walk, 3)), skinned(walk, REST)
    for frame in (0, 30):
        gaps = np.linalg.norm(odd[frame, :, None] - plain[frame, None], axis=-1)
        assert gaps.min(axis=0).max() < 0.025
        assert gaps.min(axis=1).max() < 0.025


def test_without_learning_an_odd_rest_pose_distorts_the_mesh(walk):
    odd, plain = skinned(all_ends_turned(walk, 3), REST), skinned(walk, REST)
    gaps = np.linalg.norm(odd[0, :, None] - plain[0, None], axis=-1)
    assert gaps.min(axis=0).max() > 0.05


def test_a_bowed_head_of_the_rest_pose_is_lifted(walk):
    bow = rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.radians(-40.0))
    neutral = learn_neutral_pose([with_odd_rest_pose(walk, {"head": bow})])
    assert set(neutral.rotations) == {"head"}
    face = rotations.rotate(rotations.multiply(neutral.rotations["head"], bow), np.array([0.0, 0.0, 1.0]))
    assert np.degrees(np.arccos(face[2])) < 8.0


@pytest.mark.parametrize("name", WALKS)
def test_a_neutral_rest_pose_is_kept_exactly(make, name):
    assert learn_neutral_pose([make.demo_take(name).motion]) == REST


def test_where_a_body_walks_and_which_way_does_not_matter(walk):
    odd = all_ends_turned(walk, 4)
    there = place(odd, Placement(2.1, (3.0, -7.0)))
    here, moved = learn_neutral_pose([odd]).rotations, learn_neutral_pose([there]).rotations
    assert set(here) == set(moved)
    for role in here:
        assert rotations.angle_between(here[role], moved[role]) < 1e-6


def test_size_and_rate_do_not_matter(walk):
    odd = all_ends_turned(walk, 5)
    child = replace(odd, skeleton=odd.skeleton.scaled(0.6), root_positions=0.6 * odd.root_positions)
    big, small = learn_neutral_pose([odd]).rotations, learn_neutral_pose([child]).rotations
    assert set(big) == set(small)
    for role in big:
        assert rotations.angle_between(big[role], small[role]) < np.radians(5.0)


def test_lying_frames_teach_nothing(walk):
    source, down = all_ends_turned(walk, 6), rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.pi / 2)
    local = source.local_rotations.copy()
    local[:, 0] = rotations.multiply(down, local[:, 0])
    lying = replace(source, local_rotations=local, root_positions=rotations.rotate(down, source.root_positions))
    assert learn_neutral_pose([lying]) == REST


@pytest.mark.parametrize("n_frames", [1, 2, 10])
def test_few_frames_teach_nothing(walk, n_frames):
    assert learn_neutral_pose([cut(all_ends_turned(walk, 7), 0, n_frames)]) == REST


def test_no_motion_and_no_legs_teach_nothing(make, walk):
    assert learn_neutral_pose([]) == REST
    skeleton = walk.skeleton.with_roles({"left_knee": None, "right_knee": None})
    assert learn_neutral_pose([replace(walk, skeleton=skeleton)]) == REST


def test_frames_that_are_not_finite_are_left_out(walk):
    odd = all_ends_turned(walk, 8)
    root = odd.root_positions.copy()
    root[50:60] = np.nan
    whole, holed = (
        learn_neutral_pose([odd]).rotations,
        learn_neutral_pose([replace(odd, root_positions=root)]).rotations,
    )
    assert set(whole) == set(holed)
    assert all(rotations.angle_between(whole[role], holed[role]) < np.radians(2.0) for role in whole)


def test_motions_after_enough_standing_and_walking_change_nothing(walk):
    odd, other = all_ends_turned(walk, 9), all_ends_turned(walk, 9)
    turned = replace(other, local_rotations=other.local_rotations[::-1])
    little = replace(DEFAULT, enough_seconds=8.0)
    assert learn_neutral_pose([odd, odd], little) == learn_neutral_pose([odd, odd, turned], little)


def nodding(motion: Motion, angles: np.ndarray) -> Motion:
    """The motion with its head turned up (negative) or down by (F,) radians."""
    head, local = motion.skeleton.index("head"), motion.local_rotations.copy()
    local[:, head] = rotations.multiply(local[:, head], rotations.about_axis(np.array([1.0, 0.0, 0.0]), angles))
    return replace(motion, local_rotations=local)


def test_one_long_motion_does_not_outweigh_many_short_ones(walk):
    bowed = with_odd_rest_pose(walk, {"head": rotations.about_axis(np.array([1.0, 0.0, 0.0]), -1.2)})
    up = nodding(bowed, np.full(bowed.n_frames, -0.5))
    short = [cut(bowed, start, start + 250) for start in (0, 180, 360, 540)]
    usual, learnt = learn_neutral_pose(short).rotations["head"], learn_neutral_pose([up, *short]).rotations["head"]
    assert rotations.angle_between(usual, learnt) < np.radians(6.0)


def test_looking_down_now_and_then_does_not_tell_where_ahead_is(walk):
    """Half of the time the head is bowed by 35 degrees, as of somebody who looks at the ground."""
    bows = np.where(np.arange(walk.n_frames) // 60 % 2 == 0, 0.0, 0.6)
    assert learn_neutral_pose([nodding(walk, bows)]) == REST


def test_a_head_that_is_always_bowed_and_moves_is_lifted_in_part(walk):
    bows = 0.75 + 0.2 * np.sin(np.arange(walk.n_frames) / 20)
    neutral = learn_neutral_pose([nodding(walk, bows)])
    rest = rest_pose.t_pose(walk.skeleton)[walk.skeleton.index("head")]
    lifted = rotations.angle_between(neutral.rotations["head"], rest)
    assert lifted == pytest.approx(DEFAULT.bowed, abs=1e-6)


def test_walking_sideways_teaches_nothing_about_the_face(walk):
    """The same steps under a body that is turned to the side, with a face that looks where it goes."""
    aside = rotations.about_axis(np.array([0.0, 1.0, 0.0]), 1.4)
    local, head = walk.local_rotations.copy(), walk.skeleton.index("head")
    parents = walk.skeleton.chain(head)[:-1]
    turned = kinematics.world(walk)[1]
    local[:, 0] = rotations.multiply(aside, local[:, 0])
    back = rotations.multiply(rotations.inverse(aside), turned[:, head])  # the head's turn in the world is kept
    local[:, head] = rotations.multiply(rotations.inverse(turned[:, parents[-1]]), back)
    assert "head" not in learn_neutral_pose([cut(replace(walk, local_rotations=local), 240, 600)]).rotations


def test_neutral_poses_are_equal_by_their_rotations(walk):
    first, again = (learn_neutral_pose([all_ends_turned(walk, 10)]) for _ in range(2))
    assert first == again
    assert hash(first) == hash(again)
    assert first != REST
    assert set(first.rotations) == set(ENDS)
    assert body.build(all_ends_turned(walk, 10).skeleton, first) is body.build(
        all_ends_turned(walk, 10).skeleton, again
    )
