"""An assistant: one worker process that keeps what it has learnt and does one thing after another for its parent.

It runs the methods of one object, made once in the process. While a method runs it reports progress, sends parts of
its answer and can be asked to stop. It ends with its parent, however that ends.
"""

import itertools
import pickle
import threading
from collections.abc import Callable, Mapping
from typing import Any

from motionloom.tasks.channel import Call, Channel, Listener
from motionloom.tasks.child import find_paths
from motionloom.tasks.stop import Stop, Stopped, check_stop

JOIN_LIMIT = 5.0  # seconds to wait until those have been answered who waited for a process that was ended
_CLOSING = "the work was given up: what it was for is being closed"


class Task:
    """What a method of the object gets to report to its parent process while it runs."""

    def __init__(self, report: Callable[[str, Any], None], stop: Stop) -> None:
        self._report = report
        self._stop = stop

    def progress(self, done: float, total: float, note: str = "") -> None:
        """Report how much is done; raises `Stopped` once the work is not wanted any more."""
        self.check()
        self._report("progress", (float(done), float(total), note))

    def send(self, part: Any) -> None:
        """Send a part of the answer ahead."""
        self._report("part", part)

    def stop(self) -> bool:
        """Whether the work is not wanted any more."""
        return self._stop()

    def check(self) -> None:
        """Raise `Stopped` once the work is not wanted any more."""
        check_stop(self._stop)


class Assistant:
    """A worker process with one object; use `call`, and `close` it in the end.

    Args:
        make: makes the object in the process; importable by its name.
        arguments: that `make` gets.
    """

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        self._setup = pickle.dumps((find_paths(), pickle.dumps((make, arguments))))
        self._numbers = itertools.count()
        self._guard = threading.Lock()
        self._channel: Channel | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Of the process; None while there is none."""
        channel = self._channel
        return channel.pid if channel is not None else None

    def call(self, method: str, arguments: Mapping[str, Any] | None = None, listener: Listener | None = None) -> Call:
        """Run a method of the object; the process is started, or started anew, where there is none.

        This never waits: the process is started and written to by threads of its own.

        Args:
            method: its name; it gets a `Task` first.
            arguments: by name; picklable.
            listener: gets progress and parts, in a thread of its own.
        """
        packed = pickle.dumps(dict(arguments or {}), protocol=5)
        with self._guard:
            if self._is_closed:
                raise Stopped(_CLOSING)
            number = next(self._numbers)
            if self._channel is not None:
                call = Call(number, self._channel, listener)
                if self._channel.take(call, method, packed):
                    return call
            channel = Channel(self._setup, before=self._channel)
            call = Call(number, channel, listener)
            channel.take(call, method, packed)
            channel.start()
            self._channel = channel
            return call

    def close(self) -> None:
        """End the process for good; what it was doing fails, soon and in a thread."""
        with self._guard:
            self._is_closed = True
            channel = self._channel
        if channel is not None:
            channel.end(lambda: Stopped(_CLOSING))

    def join(self, limit: float = JOIN_LIMIT) -> None:
        """Wait, at most so many seconds, until all who waited for a process that was ended have been answered."""
        channel = self._channel
        if channel is not None:
            channel.join(limit)
