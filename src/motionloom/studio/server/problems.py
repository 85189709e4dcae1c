"""What people are told when something goes wrong: a sentence; all else stays in the terminal."""

import logging

from motionloom.errors import MotionloomError

BUG = "something went wrong in the studio itself; what was done before is safe"
log = logging.getLogger("motionloom.studio")


def tell(error: BaseException) -> str:
    """An error as a sentence for people; never its insides."""
    if isinstance(error, MotionloomError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"this computer could not do it ({error.strerror}); is the disk full, and is the corpus still there?"
    return BUG


def note(error: BaseException) -> None:
    """Write down what nobody expected, for whoever looks into the terminal."""
    if not isinstance(error, MotionloomError):
        log.error("unexpected", exc_info=error)
