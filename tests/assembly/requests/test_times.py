"""Times in requests: seconds, frames, and the two ends."""

import pytest

from motionloom.assembly.requests.times import check_time, frames_of
from motionloom.errors import BadInput


def test_times_are_seconds_or_frames():
    assert [frames_of(time, 60.0, 600) for time in ("2.5s", "150f", "start", "end")] == [150, 150, 0, 600]
    assert frames_of("0.5s", 25.0) == 13  # half a frame is rounded up
    with pytest.raises(BadInput, match="'end' is not a valid length"):
        frames_of("end", 60.0)


@pytest.mark.parametrize("text", ["2.5s", "0s", "150f", "start", "end"])
def test_times_stay_as_they_are_written(text):
    assert check_time(text) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("soon", "'soon' is not a valid time; expected seconds like 2.5s, frames like 150f, start or end"),
        ("10", "'10' is not a valid time"),
        (10, "'10' is not a valid time"),
        ("-1s", "is not a valid time"),
        (f"{'9' * 400}s", "is not a valid time"),
        ("1.5f", "'1.5f' is not an integer number of frames; expected 150f, or seconds like 2.5s"),
    ],
)
def test_what_is_not_a_time_is_refused_with_what_is_expected(text, message):
    with pytest.raises(ValueError, match=message):
        check_time(text)
