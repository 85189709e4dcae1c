"""Errors as pages show them, one sentence; everything else goes to the terminal."""

import logging

from motionloom.errors import MotionloomError

BUG = "something went wrong in the studio itself; what was done before is safe"
log = logging.getLogger("motionloom.studio")


def as_sentence(error: BaseException) -> str:
    """An error as a sentence for people, without its internals."""
    if isinstance(error, MotionloomError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"this computer could not do it ({error.strerror}); is the disk full, and is the corpus still there?"
    return BUG


def log_unexpected(error: BaseException) -> None:
    """Log an error that is not one of ours, with its traceback."""
    if not isinstance(error, MotionloomError):
        log.error("unexpected", exc_info=error)
