"""Pose groups: the laws of k-means with a member as centre, beside plain sums of the paper's equations."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.buildup.poses.pose_groups import (
    assign,
    first_centres,
    group_poses,
    squared_to,
    sum_squares,
    total_error,
)
from motionloom.motion import rotations
from motionloom.similarity import JointAngles, measure_angles

SEEDS = range(4)


def some_poses(seed: int = 0, n_frames: int = 420, n_joints: int = 5, spread: float = 0.5) -> JointAngles:
    """Poses that move smoothly from one place to another, and stay there for a while."""
    rng = np.random.default_rng(seed)
    keys = rng.normal(scale=spread, size=(n_frames // 30 + 2, n_joints, 3))
    times = np.linspace(0, len(keys) - 1.001, n_frames)
    low, share = times.astype(int), np.minimum(2 * (times % 1.0), 1.0)[:, None, None]
    return measure_angles(rotations.exp((1 - share) * keys[low] + share * keys[low + 1]), [0, n_frames])


def plain_error(measure, centres, groups):
    """Equation 2, which adds up equation 1: the squares of the distances of the measure."""
    return sum(float(measure.pairs(int(centres[group]), frame)) ** 2 for frame, group in enumerate(groups))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_groups", [1, 2, 9])
def test_every_frame_is_in_the_group_of_the_nearest_centre(seed, n_groups):
    measure = some_poses(seed)
    found = group_poses(measure, n_groups, np.random.default_rng(seed))
    distances = measure.pairs(found.centres[:, None], np.arange(measure.n_frames)[None])
    own = distances[found.of_frame, np.arange(measure.n_frames)]
    assert found.is_settled
    np.testing.assert_allclose(own, distances.min(axis=0), atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_groups", [1, 2, 9])
def test_every_centre_is_the_best_member_of_its_group(seed, n_groups):
    measure = some_poses(seed)
    found = group_poses(measure, n_groups, np.random.default_rng(seed))
    for group, centre in enumerate(found.centres):
        members = np.flatnonzero(found.of_frame == group)
        assert centre in members
        sums = (measure.pairs(members[:, None], members[None]) ** 2).sum(axis=1)
        assert sums[np.searchsorted(members, centre)] <= sums.min() + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_equation_2_never_rises_and_is_what_is_reported(seed):
    measure = some_poses(seed)
    found = group_poses(measure, 7, np.random.default_rng(seed))
    assert len(found.errors) > 1
    assert (np.diff(found.errors) <= 1e-12).all()
    np.testing.assert_allclose(found.errors[-1], plain_error(measure, found.centres, found.of_frame))
    np.testing.assert_allclose(total_error(measure, found.centres, found.of_frame), found.errors[-1])


@pytest.mark.parametrize("n_groups", [1, 3, 40, 60])
def test_no_group_is_empty(n_groups):
    measure = some_poses(1, n_frames=60)
    found = group_poses(measure, n_groups, np.random.default_rng(0))
    assert found.n_groups == n_groups
    assert (found.sizes > 0).all()
    assert found.sizes.sum() == 60
    np.testing.assert_array_equal(found.of_frame[found.centres], np.arange(n_groups))
    assert (np.diff(found.centres) > 0).all()


def test_poses_that_are_all_the_same_make_as_many_groups_as_are_asked_for():
    measure = measure_angles(np.tile([1.0, 0, 0, 0], (150, 4, 1)), [0, 150])
    found = group_poses(measure, 6, np.random.default_rng(2))
    assert found.is_settled
    assert (found.sizes > 0).all()
    assert found.errors[-1] == 0.0


def test_poses_that_are_there_many_times_are_grouped_too():
    """More frames than are added up exactly are the same pose: the centre is still the best there is."""
    rng = np.random.default_rng(3)
    poses = rotations.exp(rng.normal(scale=0.4, size=(5, 4, 3)))
    measure = measure_angles(poses[rng.integers(0, 5, 700)], [0, 700])
    found = group_poses(measure, 5, np.random.default_rng(0))
    assert found.is_settled
    np.testing.assert_allclose(found.errors[-1], 0.0, atol=1e-12)


def test_the_same_seed_gives_the_same_groups():
    one, other = (group_poses(some_poses(), 8, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one.of_frame, other.of_frame)
    np.testing.assert_array_equal(one.centres, other.centres)
    assert one.errors.tobytes() == other.errors.tobytes()


@pytest.mark.parametrize("n_groups", [0, 61])
def test_more_groups_than_frames_are_refused(n_groups):
    with pytest.raises(BadInput, match="of 60 frames; give 1 to 60"):
        group_poses(some_poses(n_frames=60), n_groups, np.random.default_rng(0))


def test_frames_that_are_as_near_to_their_centre_stay_in_their_group():
    measure = measure_angles(np.tile([1.0, 0, 0, 0], (9, 2, 1)), [0, 9])
    before = np.array([0, 1, 2] * 3)
    np.testing.assert_array_equal(assign(measure, np.array([0, 1, 2]), before), before)
    np.testing.assert_array_equal(assign(measure, np.array([0, 1, 2])), [0, 1, 2, *[0] * 6])


def test_first_centres_are_different_frames_and_each_brings_the_rest_nearer():
    measure = some_poses(2)
    centres, errors = first_centres(measure, 30, np.random.default_rng(1))
    assert len(set(centres)) == 30
    assert (np.diff(errors) <= 0).all()
    nearest = (measure.pairs(centres[:, None], np.arange(measure.n_frames)[None]) ** 2).min(axis=0)
    np.testing.assert_allclose(errors[-1], nearest.sum(), rtol=1e-3)


def test_sums_in_blocks_are_those_of_pairs():
    measure = some_poses(4, n_frames=900)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(900)[:530], rng.permutation(900)[:700]
    squares = measure.pairs(rows[:, None], columns[None]) ** 2
    allowed = 2 * measure.slack[0]
    np.testing.assert_allclose(sum_squares(measure, rows, columns), squares.sum(axis=1), atol=700 * allowed)
    np.testing.assert_allclose(squared_to(measure, rows[:40]), measure.pairs(rows[:40, None], np.arange(900)) ** 2,
                               atol=allowed)  # fmt: skip


def test_groups_follow_what_a_body_does(model):
    """Of performed takes: half of the frames that wave are in groups that hardly do anything else."""
    waves = model.tracks[:, model.labels.index("wave")] > 0
    share = np.bincount(model.groups.of_frame[waves], minlength=12) / model.groups.sizes
    assert waves[share[model.groups.of_frame] > 0.8].mean() > 0.8
    assert share.max() > 0.8
