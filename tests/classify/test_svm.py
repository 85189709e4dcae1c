"""Support vector machines and tracks: the compiled loops beside plain ones, and the laws that they keep."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.classify.gram import compare, empty_gram, extend
from motionloom.classify.settings import PAPER, USUAL, Settings
from motionloom.classify.svm import BOTH, MIRRORED, RECORDED, kernel_between, train
from motionloom.classify.viterbi import decide_track, entropy


def random_windows(n, seed, dims=4):
    """(2, n, dims) coordinates; the mirror changes the sign of the first number."""
    here = np.random.default_rng(seed).normal(size=(n, dims)).astype(np.float32)
    return np.stack([here, here * np.array([-1, 1, 1, 1], np.float32)[:dims]])


def gram_of(coordinates, settings=USUAL):
    return extend(empty_gram(), np.arange(coordinates.shape[1]), coordinates, settings)


def objective(machine, kernel):
    signed = machine.coefficients
    return 0.5 * signed @ kernel @ signed - machine.weights.sum()


def train_recorded(coordinates, is_positive, settings, before=None, n=None):
    n = coordinates.shape[1] if n is None else n
    side = np.full(n, RECORDED, np.int8)
    return train(gram_of(coordinates, settings), np.arange(n), side, is_positive[:n], settings, before)


@pytest.mark.parametrize("kernel", ["laplace", "gauss", "both"])
def test_the_kernel_is_what_the_plain_formula_says(kernel):
    coordinates = random_windows(9, 1)
    settings = Settings(kernel=kernel, gamma=0.8)
    got = compare(coordinates, np.arange(4), np.arange(2, 9), settings)
    for side, a, b in itertools.product((0, 1), range(4), range(7)):
        d = np.linalg.norm(coordinates[0, a].astype(float) - coordinates[side, b + 2]) / 0.8
        plain = {"laplace": np.exp(-d), "gauss": np.exp(-(d**2)), "both": (np.exp(-d) + np.exp(-(d**2))) / 2}[kernel]
        assert got[side, a, b] == pytest.approx(plain, abs=2e-3 if d < 1e-2 else 2e-5)


def test_a_gram_matrix_that_grew_is_the_one_made_at_once():
    coordinates = random_windows(30, 2)
    grown = empty_gram()
    for part in (np.arange(3), np.arange(3, 20), np.arange(20, 30)):
        grown = extend(grown, part, coordinates, USUAL)
    np.testing.assert_allclose(grown.used, gram_of(coordinates).used, atol=1e-6)
    np.testing.assert_array_equal(grown.rows, np.arange(30))


@pytest.mark.parametrize("seed", range(3))
def test_a_machine_is_as_good_as_that_of_a_library(seed):
    from sklearn.svm import SVC

    coordinates = random_windows(80, seed)
    rng = np.random.default_rng(seed)
    is_positive = (coordinates[0, :, 0] + 0.7 * rng.normal(size=80)) > 0.2
    machine = train_recorded(coordinates, is_positive, Settings(gamma=1.0, out_of_margin_cost=5.0))
    kernel = gram_of(coordinates, Settings(gamma=1.0)).used[0].astype(float)
    peer = SVC(C=5.0, kernel="precomputed", tol=1e-4).fit(kernel, is_positive)
    says = kernel @ machine.coefficients + machine.bias
    np.testing.assert_allclose(says, peer.decision_function(kernel), atol=0.05)


def test_weights_are_feasible_and_balanced():
    coordinates = random_windows(60, 4)
    is_positive = np.random.default_rng(4).random(60) < 0.3
    machine = train_recorded(coordinates, is_positive, Settings(out_of_margin_cost=2.0))
    assert (machine.weights >= 0).all() and (machine.weights <= 2.0).all()
    assert machine.coefficients.sum() == pytest.approx(0.0, abs=1e-9)


def test_slopes_that_are_carried_along_are_those_of_the_weights():
    coordinates = random_windows(60, 5)
    is_positive = coordinates[0, :, 1] > 0.3
    machine = train_recorded(coordinates, is_positive, USUAL)
    kernel = gram_of(coordinates).used[0].astype(float)
    signs = np.where(is_positive, 1.0, -1.0)
    np.testing.assert_allclose(machine.slopes, signs * (kernel @ machine.coefficients) - 1.0, atol=1e-3)


def test_going_on_from_an_earlier_machine_ends_where_a_new_start_does():
    coordinates = random_windows(120, 6)
    is_positive = (coordinates[0] ** 2).sum(axis=1) > 3.0
    before = train_recorded(coordinates, is_positive, USUAL, n=70)
    on = train_recorded(coordinates, is_positive, USUAL, before)
    fresh = train_recorded(coordinates, is_positive, USUAL)
    kernel = gram_of(coordinates).used[0].astype(float)
    assert objective(on, kernel) == pytest.approx(objective(fresh, kernel), rel=1e-3)
    np.testing.assert_allclose(kernel @ on.coefficients + on.bias, kernel @ fresh.coefficients + fresh.bias, atol=0.06)


def test_an_answer_that_was_taken_back_does_not_stay_in_the_weights():
    coordinates = random_windows(50, 7)
    is_positive = coordinates[0, :, 0] > 0
    before = train_recorded(coordinates, is_positive, USUAL)
    changed = is_positive.copy()
    changed[:5] = ~changed[:5]
    on, fresh = (train_recorded(coordinates, changed, USUAL, start) for start in (before, None))
    np.testing.assert_array_equal(on.weights, fresh.weights)


def test_a_label_without_side_is_learnt_as_from_twice_the_windows():
    coordinates = random_windows(40, 8)
    is_positive = coordinates[0, :, 1] > 0
    gram = gram_of(coordinates)
    rows = np.arange(40)
    half = train(gram, rows, np.full(40, BOTH, np.int8), is_positive, USUAL)
    sides = np.repeat(np.array([RECORDED, MIRRORED], np.int8), 40)
    double = train(gram, np.tile(rows, 2), sides, np.tile(is_positive, 2), USUAL)
    values = compare(coordinates, rows, rows, USUAL).astype(float)
    by_half = (values[0] + values[1]) @ half.coefficients + half.bias
    by_double = values[0] @ double.coefficients[:40] + values[1] @ double.coefficients[40:] + double.bias
    np.testing.assert_allclose(by_half, by_double, atol=0.06)


def test_sides_decide_which_kernel_counts():
    values = np.stack([np.ones((2, 2)), np.zeros((2, 2))])
    sides = np.array([RECORDED, MIRRORED])
    np.testing.assert_array_equal(kernel_between(values, sides, sides), np.eye(2))
    both = np.full(2, BOTH)
    np.testing.assert_array_equal(kernel_between(values, both, both), np.ones((2, 2)))


def test_without_counterexamples_only_what_looks_alike_is_accepted():
    coordinates = random_windows(30, 9) * 0.1
    machine = train_recorded(coordinates, np.ones(30, bool), PAPER)
    kernel = gram_of(coordinates, PAPER).used[0]
    assert (kernel @ machine.coefficients + machine.bias >= -1e-6).mean() >= 0.85
    far = np.exp(-np.linalg.norm(coordinates[0] - 9.0, axis=1) / 4.0)
    assert far @ machine.coefficients + machine.bias < 0


def test_without_examples_nothing_is_accepted():
    coordinates = random_windows(5, 10)
    machine = train_recorded(coordinates, np.zeros(5, bool), USUAL)
    assert machine.bias == -1.0 and not machine.weights.any()


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=9), st.floats(0, 4))
def test_smoothed_tracks_cost_no_more_than_any_other(decisions, smoothing):
    settings = Settings(smoothing=smoothing)
    found, sure = decide_track(np.array(decisions), settings)
    lift = settings.slope * np.array(decisions)

    def cost(track):
        single = sum(np.log1p(np.exp(-value if on else value)) for value, on in zip(lift, track))
        return single + smoothing * sum(a != b for a, b in zip(track, track[1:]))

    every = itertools.product((False, True), repeat=len(decisions))
    assert cost(found.tolist()) <= min(cost(track) for track in every) + 1e-9
    assert ((sure >= 0) & (sure <= 1)).all()


def test_entropy_is_largest_on_the_border_and_the_same_on_both_sides():
    values = entropy(np.array([-2.0, -0.5, 0.0, 0.5, 2.0]), USUAL)
    assert values[2] == pytest.approx(1.0)
    np.testing.assert_allclose(values, values[::-1])
    assert (np.diff(values[:3]) > 0).all()
