"""Curves beside a motion: times, sampling, cutting and mirroring."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Curves


def ramp(n=31, start=0.0, missing=()):
    """Two curves that rise by 1 a second, at 30 rows a second, over midnight."""
    of_day = 86_399.5 + np.arange(n) / 30.0
    seconds = np.floor(of_day + 1e-9)
    values = np.stack([np.arange(n) / 30.0, 2 * np.arange(n) / 30.0], axis=-1)
    values[list(missing)] = np.nan
    frames = (of_day - seconds) * 60.0
    return Curves(("JawLeft", "JawRight"), values, seconds % 86_400, frames, 60.0, 30.0, start)


def test_times_run_on_over_midnight():
    curves = ramp()
    np.testing.assert_allclose(curves.times, np.arange(31) / 30.0, atol=1e-9)
    assert curves.duration == pytest.approx(31 / 30)


def test_values_are_sampled_at_the_seconds_of_the_motion():
    curves = ramp(start=0.5)
    found = curves.at(np.array([0.4, 0.5, 0.75, 1.5, 1.7]))
    np.testing.assert_allclose(found[1:4, 0], [0.0, 0.25, 1.0], atol=1e-9)
    assert np.isnan(found[[0, 4]]).all()
    sampled = ramp(missing=(10,)).at(np.arange(0, 1.0, 1 / 120))
    assert np.isnan(sampled).any(axis=1).nonzero()[0].tolist() == list(range(37, 44))


def test_a_cut_keeps_the_rows_inside_and_where_they_begin():
    curves = ramp(start=0.5)
    part = curves.cut(0.8, 1.2)
    assert part.n_rows == 12 and part.start == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(part.at(np.array([0.1])), curves.at(np.array([0.9])), atol=1e-9)
    assert curves.cut(0.0, 0.8).start == pytest.approx(0.5)
    assert curves.cut(10.0, 12.0) is None


def test_mirrored_curves_change_sides_and_turn_the_other_way():
    names = ("MouthLeft", "MouthRight", "HeadYaw", "HeadPitch", "LeftEyeRoll", "RightEyeRoll", "JawOpen")
    values = np.arange(1.0, 8.0)[None]
    curves = Curves(names, values, np.zeros(1), np.zeros(1), 60.0, 30.0)
    assert curves.mirrored().values.tolist() == [[2.0, 1.0, -3.0, 4.0, -6.0, -5.0, 7.0]]
    np.testing.assert_array_equal(curves.mirrored().mirrored().values, values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ("a", "a")}, "unique"),
        ({"values": np.zeros((2, 2))}, "expected the same rows"),
        ({"values": np.full((3, 2), np.inf)}, "finite"),
        ({"frames": np.array([0.0, 2.0, 1.0])}, "row 3 is before"),
        ({"seconds": np.array([0.0, np.nan, 0.0])}, "finite"),
        ({"fps": 0.0}, "frame rate"),
        ({"start": np.nan}, "finite"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    given = {
        "names": ("a", "b"),
        "values": np.zeros((3, 2)),
        "seconds": np.zeros(3),
        "frames": np.arange(3.0),
        "timecode_fps": 60.0,
        "fps": 60.0,
    }
    with pytest.raises(BadInput, match=message):
        Curves(**{**given, **change})
