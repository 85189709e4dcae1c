"""Stopping long work when its caller asks for it."""

from collections.abc import Callable

from motionloom.errors import MotionloomError

Stop = Callable[[], bool]  # asked now and then while work goes on: whether to stop it


class Stopped(MotionloomError):
    """The work was stopped because its caller asked for it."""

    def __init__(self, message: str = "stopped") -> None:
        super().__init__(message)


def check_stop(stop: Stop | None) -> None:
    """Raise `Stopped` if the caller asks to stop; None never does."""
    if stop is not None and stop():
        raise Stopped
