"""Hub poses: averages that move, smooth match frames, and feet that stand in all three frames."""

import numpy as np
import pytest

from motionloom.features.feet import foot_points
from motionloom.methods.snap.builder.hub_poses import (
    Feet,
    Passage,
    average_trios,
    ground_of,
    learn_feet,
    read_stance,
    read_trio,
    smooth_trios,
    stand,
)
from motionloom.motion import Placement, cut, invert, kinematics, place, rotations
from motionloom.performer import demo_scores, perform


@pytest.fixture(scope="module")
def take():
    """Somebody who shifts from foot to foot."""
    score = next(score for score in demo_scores() if score.name == "idle/weight_shifts")
    return perform(score, np.random.default_rng(1)).motion


@pytest.fixture(scope="module")
def feet(take) -> Feet:
    return learn_feet(take, np.ones((take.n_frames, 4), bool))


def passages(take, frames, headings=(0.0, 1.0, -2.0)) -> list[tuple]:
    """The same moment in copies of a take that lie elsewhere; each hub is laid where its copy lies."""
    found = []
    for frame, heading in zip(frames, headings):
        moved = place(take, Placement(heading, np.array([heading, 3.0])))
        found.append((moved, Passage(0, frame, ground_of(moved, frame))))
    return found


def test_the_average_of_copies_is_the_copy_with_its_velocity_and_its_bend(take):
    trios = [read_trio(moved, passage) for moved, passage in passages(take, [200, 200, 200])]
    three = average_trios(trios, take)
    wanted = place(cut(take, 199, 202), invert(ground_of(take, 200)))
    np.testing.assert_allclose(kinematics.world_positions(three), kinematics.world_positions(wanted), atol=2e-4)


def test_the_average_does_not_depend_on_the_order_or_on_where_copies_lie(take):
    there = passages(take, [200, 230, 260])
    trios = [read_trio(moved, passage) for moved, passage in there]
    one, other = average_trios(trios, take), average_trios(trios[::-1], take)
    np.testing.assert_allclose(one.root_positions, other.root_positions, atol=1e-12)
    elsewhere = passages(take, [200, 230, 260], headings=(2.0, 0.3, 1.1))
    third = average_trios([read_trio(moved, passage) for moved, passage in elsewhere], take)
    np.testing.assert_allclose(kinematics.world_positions(one), kinematics.world_positions(third), atol=1e-9)


def test_smoothing_takes_noise_out_of_three_frames_and_leaves_the_rest(take):
    rng = np.random.default_rng(2)
    noise = rotations.exp(rng.normal(scale=0.01, size=(take.n_frames, take.skeleton.n_joints, 3)))
    noisy = type(take)(take.skeleton, take.root_positions, rotations.multiply(take.local_rotations, noise), take.fps)
    smooth = smooth_trios(noisy, [200])
    own = kinematics.world_positions(take)
    before = np.linalg.norm(kinematics.world_positions(noisy) - own, axis=-1)[199:202].mean()
    after = np.linalg.norm(kinematics.world_positions(smooth) - own, axis=-1)[199:202].mean()
    assert after < 0.8 * before
    untouched = [*range(199), *range(202, take.n_frames)]
    np.testing.assert_array_equal(smooth.local_rotations[untouched], noisy.local_rotations[untouched])


@pytest.mark.parametrize(
    "planted",
    [(1, 1, 1, 1), (1, 1, 0, 0), (1, 0, 0, 1), (0, 1, 0, 0), (0, 0, 0, 0)],
)
def test_planted_points_stand_in_one_place_at_their_height_in_all_three_frames(take, feet, planted):
    flags = np.array(planted, bool)
    three = place(cut(take, 199, 202), invert(ground_of(take, 200)))
    lifted = type(three)(three.skeleton, three.root_positions + [0, 0.02, 0], three.local_rotations, three.fps)
    standing = stand(lifted, flags, read_stance(lifted, flags, feet), feet)
    points = foot_points(standing, 0.0, heels=feet.heels)
    for point in np.flatnonzero(flags):
        np.testing.assert_allclose(points[:, point], np.broadcast_to(points[1, point], (3, 3)), atol=1e-9)
        np.testing.assert_allclose(points[:, point, 1], feet.heights[point], atol=1e-9)
    if not flags.any():
        np.testing.assert_array_equal(standing.local_rotations, lifted.local_rotations)


def test_a_foot_on_one_point_lies_flat_where_its_class_wants_it(take, feet):
    flags = np.array([False, True, False, True])
    three = place(cut(take, 199, 202), invert(ground_of(take, 200)))
    stance = read_stance(three, flags, feet, flat=(True, True))
    points = stance.ankles[:, None] + rotations.rotate(stance.turned[:, None], feet.arms)
    np.testing.assert_allclose(points[..., 1].ravel(), feet.heights, atol=1e-9)


def test_where_a_leg_is_too_short_the_root_comes_down(take, feet):
    flags = np.ones(4, bool)
    three = place(cut(take, 199, 202), invert(ground_of(take, 200)))
    high = type(three)(three.skeleton, three.root_positions + [0, 0.1, 0], three.local_rotations, three.fps)
    standing = stand(high, flags, read_stance(high, flags, feet), feet)
    assert (standing.root_positions[:, 1] < high.root_positions[:, 1] - 0.03).all()
    np.testing.assert_allclose(
        foot_points(standing, 0.0, heels=feet.heels)[..., 1].max(axis=0), feet.heights, atol=1e-6
    )
