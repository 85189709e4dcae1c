"""Stopping long work: the question that it is asked by, and the one exception that ends it."""

from collections.abc import Callable

from motionloom.errors import MotionloomError

Stop = Callable[[], bool]  # whether to stop now


class Cancelled(MotionloomError):
    """The work was stopped because nobody wants it any more."""

    def __init__(self, message: str = "stopped") -> None:
        super().__init__(message)


def check_stop(stop: Stop | None) -> None:
    """Raise `Cancelled` if the caller wants the work to stop."""
    if stop is not None and stop():
        raise Cancelled
