"""Bases: every frame a knot, or cubic B-splines beside those of scipy."""

import numpy as np
import pytest
from scipy.interpolate import BSpline

from motionloom.errors import BadInput
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.problem import curve_values, usual_times

SPACINGS = [0.0, 1.0, 2.0, 2.5, 3.0, 7.0, 60.0]


def value_at(basis, knots, times):
    return curve_values(basis.rows(np.asarray(times, float)), knots)


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("n_frames", [2, 3, 4, 5, 17, 40])
def test_constants_and_lines_are_shown_exactly(n_frames, spacing):
    basis = Basis(n_frames, spacing)
    line = np.stack([np.full(n_frames, 3.0), 0.5 * np.arange(n_frames) - 1], axis=1)
    knots = basis.fit(line)
    times = np.linspace(0, n_frames - 1, 57)
    np.testing.assert_allclose(
        value_at(basis, knots, times), np.stack([np.full(57, 3.0), 0.5 * times - 1], 1), atol=1e-6
    )


@pytest.mark.parametrize("spacing", SPACINGS[1:])
def test_splines_are_those_of_scipy(spacing):
    basis = Basis(30, spacing)
    knots = np.random.default_rng(0).normal(size=(basis.n_knots, 2))
    steps = spacing * (np.arange(basis.n_knots + 4) - 3)
    times = np.linspace(0, 29, 200)
    np.testing.assert_allclose(value_at(basis, knots, times), BSpline(steps, knots, 3)(times), atol=1e-10)


def test_every_frame_is_a_knot_where_no_spacing_is_given():
    values = np.random.default_rng(1).normal(size=(12, 3))
    basis = Basis(12)
    np.testing.assert_array_equal(basis.fit(values), values)
    np.testing.assert_allclose(value_at(basis, values, np.arange(12)), values, atol=1e-12)


def test_between_frames_the_curve_is_smooth():
    """Values and velocities go on from one frame to the next, as those of Catmull-Rom curves do."""
    values = np.random.default_rng(2).normal(size=(12, 1))
    basis, e = Basis(12), 1e-6
    for frame in range(1, 11):
        before, here, after = value_at(basis, values, [frame - e, frame, frame + e])[:, 0]
        np.testing.assert_allclose((here - before) / e, (after - here) / e, atol=1e-4)
        np.testing.assert_allclose(
            (after - before) / (2 * e), (values[frame + 1, 0] - values[frame - 1, 0]) / 2, atol=1e-4
        )


def test_splines_with_a_knot_in_every_frame_show_any_motion():
    values = np.random.default_rng(3).normal(size=(20, 4))
    basis = Basis(20, 1.0)
    np.testing.assert_allclose(value_at(basis, basis.fit(values), np.arange(20)), values, atol=1e-4)


def test_the_nearest_curve_is_found():
    values = np.random.default_rng(4).normal(size=(30, 2))
    basis = Basis(30, 4.0)
    knots = basis.fit(values)
    left = value_at(basis, knots, np.arange(30)) - values
    for step in np.eye(basis.n_knots)[:, :, None] * [[[0.01, -0.01]]]:
        other = value_at(basis, knots + step, np.arange(30)) - values
        assert (other**2).sum() > (left**2).sum() - 1e-7  # knots at the ends matter little


def test_times_beyond_the_ends_are_those_of_the_ends():
    for spacing in (0.0, 3.0):
        basis = Basis(10, spacing)
        knots = np.random.default_rng(5).normal(size=(basis.n_knots, 1))
        np.testing.assert_array_equal(value_at(basis, knots, [-2, 0, 9, 11]), value_at(basis, knots, [0, 0, 9, 9]))


def test_samples_are_all_frames_and_then_other_times_once_each():
    np.testing.assert_array_equal(usual_times(4, [1.5, 2.0, 1.5, 0.25, 3.0000000001]), [0, 1, 2, 3, 0.25, 1.5])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((1,), "a motion of 1 frames of the model; give a longer one"),
        ((10, 0.5), "knots every 0.5 frames; give 1 or more, or 0 for every frame"),
        ((10, np.inf), "knots every inf frames"),
        ((10, np.nan), "knots every nan frames"),
        ((10, -3.0), "knots every -3 frames"),
    ],
)
def test_impossible_bases_are_refused(arguments, sentence):
    with pytest.raises(BadInput) as raised:
        Basis(*arguments)
    assert str(raised.value).startswith(sentence)
