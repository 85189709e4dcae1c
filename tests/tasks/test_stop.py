"""Stopping work when its caller asks for it."""

import pytest

from motionloom.errors import MotionloomError
from motionloom.tasks import Stopped, check_stop


def test_work_goes_on_until_its_caller_asks_to_stop():
    check_stop(None)
    check_stop(lambda: False)
    with pytest.raises(Stopped, match="stopped"):
        check_stop(lambda: True)


def test_being_stopped_is_one_of_the_errors_that_callers_may_catch():
    assert issubclass(Stopped, MotionloomError)
