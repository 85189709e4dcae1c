"""Deferring SIGINT (Ctrl-C) until a change of several steps is complete."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer SIGINT to the end of the block, so that array files and the catalogue stay consistent.

    Python runs signal handlers in its main thread only, so in other threads there is nothing to defer; nor is there
    if the handler is not a Python function.
    """
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous):
        yield
        return
    received: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: received.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if received:
            previous(*received[0])
