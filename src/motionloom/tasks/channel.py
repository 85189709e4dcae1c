"""The channel to one worker process, from its start to its end: calls go out, answers come in.

Nobody who makes a call ever waits for the process: one thread starts it and reads what it sends, another one writes.
"""

import logging
import pickle
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.tasks.child import Child

_SCRIPT = Path(__file__).with_name("assistant_process.py")
_UNREADABLE = "what the process sent could not be read; it is started anew when it is needed"
log = logging.getLogger("motionloom.tasks")

Listener = Callable[[str, Any], None]  # ("progress", (done, total, note)) or ("part", what was sent)


class AssistantDied(MotionloomError):
    """The process ended in the middle of its work."""

    def __init__(self, message: str = "the process that did this ended in the middle of it; is there enough memory?"):
        super().__init__(message)


class Call:
    """A method that runs, or waits for its turn, in a worker process."""

    def __init__(self, number: int, channel: "Channel", listener: Listener | None) -> None:
        self.number = number
        self.future: Future = Future()
        self.future.set_running_or_notify_cancel()  # to be ended by the channel alone
        self._channel = channel
        self._listener = listener

    def cancel(self) -> None:
        """Ask the method to stop; it ends with `Stopped` as soon as it looks."""
        self._channel.send(("cancel", self.number))

    def report(self, kind: str, data: Any) -> None:
        """Pass on progress, or a part of the answer."""
        if self._listener is not None:
            self._listener(kind, data)


class Channel:
    """A process, the calls that it has not answered yet, and the threads that write and read.

    The thread that reads is the only one that closes the connection, when it has come to its end.

    Args:
        setup: what the process makes its object from, pickled.
        before: the channel that this one replaces; ended before the process is started.
    """

    def __init__(self, setup: bytes, before: "Channel | None" = None) -> None:
        self._setup = setup
        self._before = before
        self._guard = threading.Lock()
        self._child: Child | None = None
        self._calls: dict[int, Call] = {}
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._is_over = False  # takes no calls any more
        self._why: Callable[[], Exception] = AssistantDied  # what calls fail with that are left in the end
        self._thread = threading.Thread(target=self._run, daemon=True, name="assistant")

    @property
    def pid(self) -> int | None:
        """Of the process; None while there is none."""
        child = self._child
        return child.pid if child is not None and child.is_alive() else None

    def start(self) -> None:
        """Start the process, in a thread."""
        self._thread.start()

    def take(self, call: Call, method: str, arguments: bytes) -> bool:
        """Let the process run a method; False where it has ended, or is about to."""
        with self._guard:
            if self._is_over or (self._child is not None and not self._child.is_alive()):
                return False
            self._calls[call.number] = call
            self._outbox.put(pickle.dumps(("call", (call.number, method, arguments)), protocol=5))
            return True

    def send(self, message: tuple[str, Any]) -> None:
        """Send something else than a call; nothing happens where the process has ended."""
        if not self._is_over:
            self._outbox.put(pickle.dumps(message))

    def end(self, why: Callable[[], Exception] = AssistantDied) -> None:
        """Kill the process; what it has not answered fails, soon and in a thread.

        Args:
            why: makes the error.
        """
        with self._guard:
            if not self._is_over:
                self._is_over, self._why = True, why
            child = self._child
        if child is not None:
            child.end()

    def join(self, limit: float) -> None:
        """Wait until everybody has been answered, but not longer than so many seconds; not in a listener."""
        if self._thread is not threading.current_thread():
            self._thread.join(limit)

    def _run(self) -> None:
        try:
            if self._before is not None:
                self._before.end()
                self._before = None
            self._converse(self._start())
        except Exception as error:  # a bug, or no room on this computer: waiting callers must get an error
            self._give_up(error)
        finally:
            self._fail_the_rest()

    def _give_up(self, error: Exception) -> None:
        log.error("a worker process is given up", exc_info=error)
        reason = error if isinstance(error, OSError) else AssistantDied(_UNREADABLE)
        self.end(lambda: reason)

    def _start(self) -> Child:
        child = Child(_SCRIPT)
        with self._guard:
            self._child, is_wanted = child, not self._is_over
        if not is_wanted:
            child.end()
        return child

    def _converse(self, child: Child) -> None:
        (connection,) = child.connections
        writer = threading.Thread(target=self._write, args=(connection,), daemon=True, name="assistant's writer")
        try:
            writer.start()
            self._read(connection)
        except Exception as error:
            self._give_up(error)  # before the process ends: the next channel would end this one without a reason
        finally:
            child.end()  # the writer cannot be held up any more
            self._outbox.put(None)
            if writer.ident is not None:
                writer.join()
            connection.close()

    def _write(self, connection: Connection) -> None:
        try:
            connection.send_bytes(self._setup)
            while (message := self._outbox.get()) is not None:
                connection.send_bytes(message)
        except OSError:  # the process has ended; who reads will notice
            pass
        except Exception as error:
            log.error("a worker process is given up", exc_info=error)
            self.end()

    def _read(self, connection: Connection) -> None:
        while True:
            try:
                packed = connection.recv_bytes()
            except (EOFError, OSError):
                return
            number, kind, data = pickle.loads(packed)
            call = self._calls.get(number)
            if call is not None:  # else it failed here, and the process has not noticed yet
                self._deliver(call, kind, data)

    def _deliver(self, call: Call, kind: str, data: Any) -> None:
        if kind == "done":
            del self._calls[call.number]
            call.future.set_result(data)
        elif kind == "failed":
            del self._calls[call.number]
            call.future.set_exception(data)
        else:
            try:
                call.report(kind, data)
            except Exception as error:  # a listener that stumbles fails its own work and nothing else
                del self._calls[call.number]
                call.cancel()
                call.future.set_exception(error)

    def _fail_the_rest(self) -> None:
        with self._guard:  # nobody adds a call any more
            self._is_over = True
            abandoned, why = list(self._calls.values()), self._why
            self._calls.clear()
        for call in abandoned:
            call.future.set_exception(why())
