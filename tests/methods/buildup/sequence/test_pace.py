"""Pace: stretches that last a little longer or shorter, without a jolt and never too fast."""

import numpy as np
import pytest

from motionloom.methods.buildup.sequence.pace import ALWAYS, LEAST, MOST, fewest_and_most, paced_times


@pytest.mark.parametrize("n_recorded", [8, 13, 40, 200])
def test_a_stretch_ends_when_it_should_and_shows_its_last_frame_last(n_recorded):
    for n_played in range(*fewest_and_most(n_recorded)):
        times = paced_times(n_recorded, n_played)
        assert len(times) == n_played
        assert times[-1] == n_recorded - 1
        np.testing.assert_allclose(times[0], 0.0, atol=MOST)


@pytest.mark.parametrize("n_recorded", [8, 13, 40, 200])
def test_time_is_never_warped_too_much(n_recorded):
    fewest, most = fewest_and_most(n_recorded)
    assert fewest <= n_recorded <= most
    for n_played in (fewest, most):
        steps = np.diff(paced_times(n_recorded, n_played), prepend=-1.0)
        assert (steps > 0).all()
        assert steps.max() <= (1 + MOST) * (1 + 1e-9)
        assert steps.min() >= (1 - 1e-9) / (1 + MOST)


def test_as_long_as_recorded_is_as_recorded():
    np.testing.assert_array_equal(paced_times(20, 20), np.arange(20))


def test_long_stretches_can_change_by_a_good_share():
    fewest, most = fewest_and_most(300)
    assert fewest < 0.92 * 300 and most > 1.1 * 300


def test_any_stretch_can_last_as_long_as_is_promised():
    for n_recorded in range(1, 600):
        fewest, most = fewest_and_most(n_recorded)
        promised = range(int(np.ceil(n_recorded / (1 + ALWAYS))), int(n_recorded / (1 - ALWAYS)) + 1)
        assert fewest <= promised.start and promised.stop - 1 <= most


def test_very_short_stretches_stay_as_they_are():
    assert fewest_and_most(LEAST - 1) == (LEAST - 1, LEAST - 1)
