"""The linear system: laws of controls, least squares that stay inside takes, and what A is pulled to."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.dynamics.prior.linear_system import RIDGE, learn_linear_system


def one_step_errors(system, takes) -> float:
    return float(sum(((system.one_step(take) - take[system.order :]) ** 2).sum() for take in takes))


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_as_many_controls_as_dimensions_leave_no_error(randomly, order):
    takes = randomly.takes()
    system = learn_linear_system(takes, order, controls=5)
    for take in [*takes, *randomly.takes(seed=9)]:  # of motions that nothing was learnt from too
        np.testing.assert_allclose(system.one_step(take), take[order:], atol=1e-10)


def test_no_controls_are_the_plain_linear_dynamic_system_of_soatto(randomly):
    takes = randomly.takes()
    system = learn_linear_system(takes, 2, controls=0)
    assert system.drives.shape == (5, 0) and system.controls(takes[0]).shape == (58, 0)
    first, second = system.transitions
    plain = [first @ takes[0][t - 1] + second @ takes[0][t - 2] for t in range(2, 60)]
    np.testing.assert_allclose(system.one_step(takes[0]), plain, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_errors_of_one_step_never_rise_with_the_number_of_controls(randomly, seed):
    takes = randomly.takes(seed=seed, size=6)
    others = randomly.takes(seed=seed + 50, size=6)
    systems = [learn_linear_system(takes, 3, controls=count) for count in range(7)]
    for shown in (takes, others):
        errors = [one_step_errors(system, shown) for system in systems]
        assert (np.diff(errors) <= 1e-12).all()
        assert errors[-1] < 1e-15 < errors[-2]


@pytest.mark.parametrize("towards", ["zero", "persistence"])
def test_least_squares_never_reach_across_the_borders_of_takes(randomly, towards):
    order, takes = 3, randomly.takes((40, 3, 25, 4))  # one is too short to teach anything
    system = learn_linear_system(takes, order, towards=towards)
    pasts, nows = [], []
    for take in takes:
        for t in range(order, len(take)):
            pasts.append(np.concatenate([take[t - lag] for lag in range(1, order + 1)]))
            nows.append(take[t])
    past, now = np.array(pasts), np.array(nows)
    start = np.zeros((15, 5))
    if towards == "persistence":
        start[:5] = np.eye(5)
    ridge = RIDGE * len(now) * (now**2).mean()
    rows = np.vstack([past, np.sqrt(ridge) * np.eye(15)])  # the pull as more rows of one least squares
    wanted = np.linalg.lstsq(rows, np.vstack([now, np.sqrt(ridge) * start]))[0]
    found = np.concatenate([part.T for part in system.transitions])
    np.testing.assert_allclose(found, wanted, atol=1e-8)
    errors = now - past @ wanted
    np.testing.assert_allclose(system.covariance, errors.T @ errors / len(errors), atol=1e-10)


def test_the_order_of_takes_does_not_matter_but_joining_them_does(randomly):
    takes = randomly.takes((30, 40))
    one, other = (learn_linear_system(each, 2) for each in (takes, takes[::-1]))
    np.testing.assert_allclose(one.transitions, other.transitions, atol=1e-10)
    joined = learn_linear_system([np.concatenate(takes)], 2)
    assert np.abs(joined.transitions - one.transitions).max() > 1e-3


def test_controls_are_as_many_as_frames_that_have_enough_before_them(randomly):
    (take,) = randomly.takes((30,))
    system = learn_linear_system([take], 3, controls=2)
    assert system.controls(take).shape == (27, 2)  # the N - m columns of U
    np.testing.assert_allclose(system.drives.T @ system.drives, np.eye(2), atol=1e-12)


def test_drives_are_the_directions_in_which_predictions_err_most(randomly):
    takes = randomly.takes()
    system = learn_linear_system(takes, 2, controls=2)
    errors = np.concatenate([system.errors(take) for take in takes])
    singular = np.linalg.svd(errors, full_matrices=False)
    overlap = np.linalg.norm(singular[2][:2] @ system.drives)
    np.testing.assert_allclose(overlap, np.sqrt(2), atol=1e-8)
    np.testing.assert_allclose(system.variances, singular[1] ** 2 / len(errors), rtol=1e-8)


def test_controls_that_are_not_given_hold_their_share_of_the_errors(randomly):
    system = learn_linear_system(randomly.takes(), 2, share=0.9)
    held = np.cumsum(system.variances) / system.variances.sum()
    assert held[system.n_controls - 1] >= 0.9
    assert system.n_controls == 1 or held[system.n_controls - 2] < 0.9


def test_little_data_pull_the_next_pose_to_the_last_one():
    rng = np.random.default_rng(3)
    take = 1e-6 * rng.normal(size=(8, 4)) + np.array([1.0, -2.0, 0.5, 0.0])  # nearly still: says little
    still = learn_linear_system([take], 1, towards="persistence", ridge=1.0)
    np.testing.assert_allclose(still.transitions[0], np.eye(4), atol=1e-4)
    gone = learn_linear_system([take], 1, towards="zero", ridge=1.0)
    assert np.linalg.norm(gone.transitions[0]) < 1.0
    np.testing.assert_allclose(still.predict(take), take[:-1], atol=1e-4)


def test_much_data_say_the_same_whatever_it_is_pulled_to(randomly):
    takes = randomly.takes((3000,), size=3)
    one, other = (learn_linear_system(takes, 1, towards=towards, ridge=1e-9) for towards in ("zero", "persistence"))
    np.testing.assert_allclose(one.transitions, other.transitions, atol=1e-6)


@pytest.mark.parametrize(
    ("order", "options", "sentence"),
    [
        (3, {}, "a model of order 3 needs at least 6 frames that have 3 before them in their take; there are 4"),
        (1, {"controls": 6}, "6 controls for 5 dimensions; give 0 to 5"),
        (1, {"controls": -1}, "-1 controls for 5 dimensions; give 0 to 5"),
        (1, {"towards": "nowhere"}, "A cannot be pulled towards 'nowhere'; give zero or persistence"),
    ],
)
def test_what_cannot_be_learnt_is_refused_in_one_sentence(randomly, order, options, sentence):
    with pytest.raises(BadInput) as raised:
        learn_linear_system(randomly.takes((5, 5)), order, **options)
    assert str(raised.value).startswith(sentence)
