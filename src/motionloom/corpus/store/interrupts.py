"""Ctrl-C waits until a change that takes several steps is complete."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C take effect at the end of the block; arrays and the catalogue never part because of it.

    Python hands signals to its main thread alone, so elsewhere there is nothing to hold back; nor is there where
    somebody else than Python answers Ctrl-C.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            usual(*came[0])
