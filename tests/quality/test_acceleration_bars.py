"""Bars of acceleration and jerk against motions whose derivatives are known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.velocities import accelerations, jerks
from motionloom.motion import Motion, Skeleton, kinematics, rotations
from motionloom.quality import BarSettings, learn_bars

SIZE, CYCLES = 0.2, 1.3  # metres and cycles per second of a swing


def swing(fps, seconds=40.0):
    """(F, 3) metres to and fro along x."""
    times = np.arange(round(seconds * fps)) / fps
    return np.stack([SIZE * np.sin(2 * np.pi * CYCLES * times), 0 * times, 0 * times], axis=-1)


@pytest.mark.parametrize("fps", [60.0, 120.0])
@pytest.mark.parametrize("percentile", [50.0, 80.0, 99.0])
def test_a_swing_has_the_bars_of_a_sine(make_standing, fps, percentile):
    bars = learn_bars([make_standing(swing(fps), fps)], BarSettings(percentile=percentile))
    pace = 2 * np.pi * CYCLES
    share = np.sin(np.pi / 2 * percentile / 100)  # below which a sine stays for that share of the time
    np.testing.assert_allclose(bars.accelerations, SIZE * pace**2 * share, rtol=0.015)  # differences over 1/15 s
    np.testing.assert_allclose(bars.jerks, SIZE * pace**3 * share, rtol=0.025)


def test_constant_acceleration_is_its_own_bar(make_standing):
    times = np.arange(100) / 60
    falling = np.stack([0 * times, -9.81 / 2 * times**2, 0 * times], axis=-1)
    bars = learn_bars([make_standing(falling)])
    np.testing.assert_allclose(bars.accelerations, 9.81, rtol=0.002)
    np.testing.assert_array_equal(bars.jerks, 1.0)  # none, so the least that a bar can be


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([50.0, 90.0, 99.0, 99.9]))
def test_bars_are_percentiles_of_all_frames_within_a_bin(make, seed, percentile):
    motions = [make.motion(n, seed=seed + n) for n in (30, 55, 170)]
    own_accelerations, own_jerks = [], []
    for motion in motions:
        positions = kinematics.world_positions(motion)
        own_accelerations.append(np.linalg.norm(accelerations(positions, 60.0), axis=-1)[2:-2])
        own_jerks.append(np.linalg.norm(jerks(positions, 60.0), axis=-1)[3:-3])
    bars = learn_bars(iter(motions), BarSettings(percentile=percentile, least_acceleration=0, least_jerk=0))
    for found, sizes in ((bars.accelerations, own_accelerations), (bars.jerks, own_jerks)):
        exact = np.percentile(np.concatenate(sizes), percentile, axis=0, method="inverted_cdf")
        np.testing.assert_allclose(found, exact, rtol=0.002)
    assert bars.n_frames == sum(motion.n_frames - 4 for motion in motions)


def test_the_order_of_motions_does_not_matter(make):
    motions = [make.motion(n, seed=n) for n in (20, 30, 40)]
    first, second = learn_bars(motions), learn_bars(motions[::-1])
    np.testing.assert_array_equal(first.accelerations, second.accelerations)
    np.testing.assert_array_equal(first.jerks, second.jerks)


def test_repeated_frames_at_the_ends_are_not_counted(make):
    motion = make.motion(8)  # two frames have a jerk of their own
    assert learn_bars([motion]).n_frames == 4


def test_motions_too_short_for_a_jerk_add_nothing(make):
    long = make.motion(50)
    np.testing.assert_array_equal(learn_bars([make.motion(1), long]).jerks, learn_bars([long]).jerks)
    with pytest.raises(BadInput, match="no motion is long enough to compute jerk"):
        learn_bars([make.motion(6)])
    with pytest.raises(BadInput, match="no motion is long enough"):
        learn_bars([])


def test_a_still_corpus_has_the_least_bars(make_standing):
    bars = learn_bars([make_standing(np.zeros((30, 3)))])
    assert (bars.accelerations == 0.1).all() and (bars.jerks == 1.0).all()


def test_bad_input_is_refused_in_one_sentence(make, with_nan):
    other = Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3)), name="stick")
    stick = Motion(other, np.zeros((30, 3)), rotations.identity((30, 2)), 60.0)
    with pytest.raises(SkeletonMismatch, match=r"joints of skeleton 'stick' .* differ from the expected 21"):
        learn_bars([make.motion(30), stick])
    with pytest.raises(BadInput, match="frame 4 of the motion has values"):
        learn_bars([with_nan(make.motion(30), 4)])
    for percentile in (0, np.nan):
        with pytest.raises(BadInput, match="percentile must be between 0 and 100"):
            learn_bars([make.motion(30)], BarSettings(percentile=percentile))
    with pytest.raises(BadInput, match="between 0 and 100, got 100"):
        learn_bars([make.motion(30)], BarSettings(percentile=100))
