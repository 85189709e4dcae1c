"""Feature space: what is learnt, that it can be kept, and that distances in it are plain ones."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.features import facing, velocities
from motionloom.motion import Placement, concatenate, cut, place
from motionloom.similarity import (
    FeatureSettings,
    FeatureSpace,
    in_nearest_distances,
    learn_features,
    measure_features,
    natural_step,
    nearest_distance,
    project,
    raw_features,
    stack,
)
from motionloom.similarity.tiles import Scratch


@pytest.fixture(scope="module")
def space(some) -> FeatureSpace:
    return learn_features(some.skeleton, some.positions, some.starts, some.fps)


def coordinates_in(space, stacked):
    return project(space, raw_features(stacked.skeleton, stacked.positions, stacked.starts, stacked.fps, space.joints))


def test_raw_features_are_what_someone_sees_who_stands_at_the_facing(some):
    joints = np.array([2, 7])
    raw = raw_features(some.skeleton, some.positions, some.starts, some.fps, joints)
    take = some.positions[90:151]
    headings, ground = facing.find_facing(some.skeleton, take)
    for frame, joint in ((4, 0), (30, 1)):
        c, s = np.cos(headings[frame]), np.sin(headings[frame])
        to_body = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
        origin = np.array([ground[frame, 0], 0, ground[frame, 1]])
        moves = velocities.velocities(take, some.fps), velocities.accelerations(take, some.fps)
        expected = [take[frame, joints[joint]] - origin, *[move[frame, joints[joint]] for move in moves]]
        found = raw[90 + frame].reshape(3, 2, 3)[:, joint] * some.skeleton.leg_length
        np.testing.assert_allclose(found, np.array(expected) @ to_body.T, atol=1e-9)


def test_groups_have_variances_as_the_squares_of_their_weights(some, space):
    raw = raw_features(some.skeleton, some.positions, some.starts, some.fps, space.joints)
    scaled = (raw - space.mean) * space.scales
    np.testing.assert_allclose(scaled.var(axis=0).reshape(3, -1).sum(axis=1), [1, 1, 0.25])
    np.testing.assert_allclose(space.variances.sum(), 2.25)


def test_components_are_orthonormal_and_in_order(some, space):
    assert space.components.shape == (20, 9 * len(space.joints))
    np.testing.assert_allclose(space.components @ space.components.T, np.eye(20), atol=1e-9)
    found = coordinates_in(space, some)
    np.testing.assert_allclose(found.var(axis=0), space.variances[:-1], atol=1e-9)
    assert (np.diff(space.variances[:-1]) <= 1e-12).all()


def test_all_components_keep_every_distance(some):
    raw = raw_features(some.skeleton, some.positions, some.starts, some.fps, np.array([0, 3, 12]))
    settings = FeatureSettings(joints=(0, 3, 12), n_components=1000)
    space = learn_features(some.skeleton, some.positions, some.starts, some.fps, settings)
    scaled, found = raw * space.scales, project(space, raw)
    np.testing.assert_allclose(
        np.linalg.norm(found[:50] - found[50:100], axis=1), np.linalg.norm(scaled[:50] - scaled[50:100], axis=1)
    )


def test_the_same_motions_give_the_same_space(some, space):
    again = learn_features(some.skeleton, some.positions, some.starts, some.fps)
    for name, array in space.to_arrays().items():
        assert (again.to_arrays()[name] == array).all()


def test_a_space_can_be_kept_as_arrays(some, space):
    back = FeatureSpace.from_arrays(replace(space, unit_distance=np.array(0.3)).to_arrays())
    np.testing.assert_allclose(coordinates_in(back, some) * 0.3, coordinates_in(space, some), atol=1e-12)
    with pytest.raises(BadInput, match="without components"):
        FeatureSpace.from_arrays({k: v for k, v in space.to_arrays().items() if k != "components"})


def test_new_frames_are_projected_as_the_old_ones(some, space, make):
    take = stack([make.motion(90, seed=1, wildness=0.4)])  # the first of the takes
    np.testing.assert_allclose(coordinates_in(space, take), coordinates_in(space, some)[:90], atol=1e-9)


def test_where_a_motion_is_and_faces_does_not_matter(space, make):
    motion = make.motion(40, seed=7)
    one, other = stack([motion]), stack([place(motion, Placement(1.9, np.array([-3.0, 8.0])))])
    np.testing.assert_allclose(coordinates_in(space, one), coordinates_in(space, other), atol=1e-9)


def test_a_body_of_another_size_that_moves_alike_is_in_the_same_place(space, make):
    motion = make.motion(40, seed=7)
    bigger = replace(motion, skeleton=motion.skeleton.scaled(1.3), root_positions=motion.root_positions * 1.3)
    np.testing.assert_allclose(
        coordinates_in(space, stack([motion])), coordinates_in(space, stack([bigger])), atol=1e-9
    )


def test_distances_are_plain_ones_within_their_slack(some, space):
    coordinates = coordinates_in(space, some)
    measure = measure_features(coordinates + 40.0, some.starts)  # far from the origin it is as good
    exact = np.linalg.norm(coordinates[:, None] - coordinates[None], axis=-1)
    rows, columns = slice(10, 120), slice(3, 191)
    found = measure.pairs(np.arange(10, 120)[:, None], np.arange(3, 191))
    np.testing.assert_allclose(found, exact[rows, columns], atol=1e-12)
    block = measure.squared_block(rows, columns, Scratch()).astype(float)
    slack = measure.slack[rows, None] + measure.slack[None, columns]
    assert (np.abs(block - exact[rows, columns] ** 2) <= slack).all()


def test_distances_can_be_counted_in_usual_nearest_ones(some, space):
    scaled = in_nearest_distances(space, coordinates_in(space, some), some.starts)
    measure = measure_features(coordinates_in(scaled, some), some.starts)
    np.testing.assert_allclose(nearest_distance(measure), 1.0)
    np.testing.assert_allclose(coordinates_in(scaled, some) * scaled.unit_distance, coordinates_in(space, some))


@pytest.mark.parametrize("motions", ["twice", "still"])
def test_distances_have_a_unit_when_the_nearest_frame_is_the_same(make, motions):
    motion = make.motion(60, seed=2)
    frames = motion if motions == "twice" else concatenate([cut(motion, 0, 1)] * 60)
    both = stack([frames, frames])
    space = learn_features(both.skeleton, both.positions, both.starts, both.fps)
    scaled = in_nearest_distances(space, coordinates_in(space, both), both.starts)
    step = natural_step(measure_features(coordinates_in(scaled, both), both.starts))
    assert step == pytest.approx(10.0 if motions == "twice" else 0.0)


def test_a_motion_of_one_frame_has_features_of_standing_still(space, make):
    one = coordinates_in(space, stack([make.motion(1, seed=1)]))
    assert one.shape == (1, 20) and np.isfinite(one).all()


def test_what_has_no_features_is_refused(some, space, make):
    nameless = replace(some.skeleton, names=tuple(f"bone {i}" for i in range(21)), roles={})
    with pytest.raises(BadInput, match="assign the roles"):
        learn_features(nameless, some.positions, some.starts, some.fps)
    with pytest.raises(BadInput, match="at least 2 frames"):
        learn_features(some.skeleton, some.positions[:1], [0, 1], some.fps)
    with pytest.raises(BadInput, match="three weights"):
        learn_features(
            some.skeleton, some.positions, some.starts, some.fps, FeatureSettings(group_weights=(0.0, 0.0, 0.0))
        )
    for weights in ((np.inf, 1.0, 1.0), (np.nan, 1.0, 1.0), (1.0, 1.0)):
        with pytest.raises(BadInput, match="three weights"):
            learn_features(some.skeleton, some.positions, some.starts, some.fps, FeatureSettings(group_weights=weights))
    for joints in ((), (0, 99), (-1,)):
        with pytest.raises(BadInput, match="expected at least one from 0 to 20"):
            learn_features(some.skeleton, some.positions, some.starts, some.fps, FeatureSettings(joints=joints))
    with pytest.raises(BadInput, match=r"expected \(F, 21, 3\)"):
        learn_features(some.skeleton, some.positions[:, :5], some.starts, some.fps)
    with pytest.raises(BadInput, match=r"features have shape \(10,\), expected"):
        measure_features(np.zeros(10), [0, 10])
    with pytest.raises(BadInput, match="compute them with its joints"):
        project(space, np.zeros((4, 9)))


@pytest.mark.parametrize("n_axes", [1, 7, 8, 21, 40])
def test_pairs_are_norms_of_differences(n_axes):
    rng = np.random.default_rng(n_axes)
    places = rng.normal(size=(50, n_axes))
    measure = measure_features(places, [0, 20, 50])
    first, second = rng.integers(0, 50, (2, 300))
    expected = np.linalg.norm(places[first] - places[second], axis=1)
    np.testing.assert_allclose(measure.pairs(first, second), expected, rtol=1e-14)
