"""Joints of an edit beside the subspace: a smooth process of their own, for which the gait does not pay."""

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.free_layer import with_free_layer
from motionloom.motion import rotations

LEGS = [f"{side}_{joint}" for side in ("left", "right") for joint in ("hip", "knee", "foot")]
COLUMNS = (10, 11, 12)


def test_nothing_free_is_the_prior_itself(model):
    assert with_free_layer(model.prior, (), np.zeros(0)) is model.prior


def test_motions_of_the_subspace_cost_what_they_did(model):
    rng, prior = np.random.default_rng(0), model.prior
    layered = with_free_layer(prior, COLUMNS, np.full(3, 0.5))
    inside = rng.normal(size=(12, prior.size))
    still = np.hstack([inside, np.zeros((12, len(COLUMNS)))])
    assert layered.energy(still, True) == pytest.approx(prior.energy(inside, True))
    moved = np.hstack([inside, rng.normal(size=(12, len(COLUMNS)))])
    assert layered.energy(moved, True) > layered.energy(still, True)
    vectors = layered.subspace.to_vectors(moved) - prior.subspace.to_vectors(inside)
    np.testing.assert_allclose(vectors[:, COLUMNS], moved[:, prior.size :])
    assert not np.delete(vectors, COLUMNS, axis=1).any()


def test_the_process_is_as_wide_in_every_frame(model):
    """The frames at the start are distributed as those that the recursion leads to."""
    layered, size = with_free_layer(model.prior, COLUMNS[:1], np.array([0.4])), model.prior.size
    order = layered.order
    lags = layered.transitions[:, size, size]
    start = layered.start_precision.reshape(order, size + 1, order, size + 1)[:, size, :, size]
    covariance = np.linalg.inv(start)  # the oldest frame first
    step = np.vstack([np.eye(order)[1:], lags[::-1]])
    driven = np.zeros((order, order))
    driven[-1, -1] = layered.noise.covariances[0, size, size]
    np.testing.assert_allclose(step @ covariance @ step.T + driven, covariance, rtol=1e-6)
    np.testing.assert_allclose(np.sqrt(np.diagonal(covariance)), 0.4)


@pytest.mark.parametrize("moved", [(0.0, 0.2, 0.0), (0.0, -0.1, 0.0), (0.15, 0.0, 0.1)])
def test_a_hand_moves_and_the_legs_do_not_pay(desk, moved):
    source = desk.model({"start_from": "walk/normal_1"}).view.motion("walk/normal_1")
    middle = source.n_frames // 2
    point = {"at": f"{middle}f", "joint": "right_hand", "moved_by": moved, "hard": True}
    done = desk.make({"start_from": "walk/normal_1", "points": [point]})
    assert not done.missed
    joints = [source.skeleton.index(joint) for joint in LEGS]
    turned = rotations.angle_between(done.motion.local_rotations[:, joints], source.local_rotations[:, joints])
    assert np.degrees(turned).mean() < 0.7
    assert np.abs(done.motion.root_positions - source.root_positions).max() < 0.01


def test_a_drag_goes_on_when_another_limb_is_freed(desk):
    """What the first limb did stays while the second is pulled."""
    hand = {"at": "1s", "joint": "right_hand", "moved_by": [0, 0.1, 0]}
    other = {"at": "1s", "joint": "left_hand", "moved_by": [0, 0.1, 0]}
    first = desk.solve({"start_from": "walk/normal_1", "points": [hand]})
    both = {"start_from": "walk/normal_1", "points": [other, hand]}
    cold = desk.solve(both)
    warm = desk.solve(both, previous=first)
    assert warm.cost == pytest.approx(cold.cost, rel=1e-4)
