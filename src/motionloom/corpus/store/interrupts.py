"""Deferring SIGINT (Ctrl-C) and SIGTERM until a change of several steps is complete."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer SIGINT and SIGTERM to the end of the block, so that array files and the catalogue stay consistent.

    Python runs signal handlers in its main thread only, so in other threads there is nothing to defer; nor is there
    if the handler is not a Python function.
    """
    handlers = {number: handler for number in SIGNALS if callable(handler := signal.getsignal(number))}
    if threading.current_thread() is not threading.main_thread() or not handlers:
        yield
        return
    received: list[tuple[int, FrameType | None]] = []
    for number in handlers:
        signal.signal(number, lambda number, frame: received.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if received:
            first: Any = handlers[signal.Signals(received[0][0])]
            first(*received[0])
