"""An assistant: one worker process that keeps what it has learnt and does one thing after another for its boss.

It runs the methods of one object, made once in the process. While a method runs it tells how far it is, sends parts of
its answer and can be asked to stop. It ends with its boss, however that ends.
"""

import contextlib
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.tasks.crew import find_paths
from motionloom.tasks.stopping import Cancelled

_WORKER = Path(__file__).with_name("assistant_process.py")
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
_CLOSING = "the work was given up: what it was for is being closed"

Listener = Callable[[str, Any], None]  # ("progress", (done, total, note)) or ("part", what was sent)


class AssistantDied(MotionloomError):
    """The process ended in the middle of its work."""

    def __init__(self, message: str = "the process that did this ended in the middle of it; is there enough memory?"):
        super().__init__(message)


class Task:
    """What a method of the object gets to tell its boss while it runs."""

    def __init__(self, tell: Callable[[str, Any], None], is_cancelled: Callable[[], bool]) -> None:
        self._tell = tell
        self._is_cancelled = is_cancelled

    def progress(self, done: float, total: float, note: str = "") -> None:
        """Say how far the work is; raises `Cancelled` once it is not wanted any more."""
        self.check()
        self._tell("progress", (float(done), float(total), note))

    def send(self, part: Any) -> None:
        """Send a part of the answer ahead."""
        self._tell("part", part)

    def stop(self) -> bool:
        """Whether the work is not wanted any more."""
        return self._is_cancelled()

    def check(self) -> None:
        """Raise `Cancelled` once the work is not wanted any more."""
        if self._is_cancelled():
            raise Cancelled


class Call:
    """A method that runs, or waits for its turn, in an assistant."""

    def __init__(self, number: int, assistant: "Assistant", listener: Listener | None) -> None:
        self.future: Future = Future()
        self._number = number
        self._assistant = assistant
        self._listener = listener

    def cancel(self) -> None:
        """Ask the method to stop; it ends with `Cancelled` as soon as it looks."""
        self._assistant._send(("cancel", self._number))

    def hear(self, kind: str, data: Any) -> None:
        """Pass on what the process tells."""
        if self._listener is not None:
            self._listener(kind, data)


class Assistant:
    """A worker process with one object; use `call`, and `close` it in the end.

    Args:
        make: makes the object in the process; importable by its name.
        arguments: that `make` gets.
    """

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        self._errand = pickle.dumps((find_paths(), pickle.dumps((make, arguments))))
        self._numbers = itertools.count()
        self._calls: dict[int, Call] = {}
        self._guard = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._connection: Connection | None = None
        self._lifeline = -1
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Of the process; None while there is none."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def call(self, method: str, arguments: Mapping[str, Any] | None = None, listener: Listener | None = None) -> Call:
        """Run a method of the object; the process is started, or started anew, where there is none.

        Args:
            method: its name; it gets a `Task` first.
            arguments: by name; picklable.
            listener: hears of progress and parts, in a thread of its own.
        """
        with self._guard:
            if self._is_closed:
                raise Cancelled(_CLOSING)
            if self.pid is None:
                self._end()  # of one that died a moment ago
                self._start()
            call = Call(next(self._numbers), self, listener)
            self._calls[call._number] = call
        self._send(("call", (call._number, method, dict(arguments or {}))))
        return call

    def restart(self) -> None:
        """End the process at once; what it was doing fails. The next call starts it anew."""
        with self._guard:
            self._end()

    def close(self) -> None:
        """End the process for good."""
        with self._guard:
            self._is_closed = True
            self._end()

    def _start(self) -> None:
        mine, theirs = Pipe()
        lifeline, self._lifeline = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER), str(lifeline), str(theirs.fileno())],
            pass_fds=[lifeline, theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env={**os.environ, **_ONE_THREAD},
            start_new_session=True,  # Ctrl-C reaches the boss alone
        )
        os.close(lifeline)
        theirs.close()
        mine.send_bytes(self._errand)
        self._connection, self._calls = mine, {}
        threading.Thread(target=self._listen, args=(mine, self._calls), daemon=True).start()

    def _end(self) -> None:
        process, connection = self._process, self._connection
        self._process, self._connection = None, None
        if process is not None:
            os.close(self._lifeline)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.close()

    def _send(self, message: Any) -> None:
        connection = self._connection
        if connection is not None:
            with contextlib.suppress(OSError), self._guard:  # the listener tells the callers that it died
                connection.send_bytes(pickle.dumps(message, protocol=5))

    def _listen(self, connection: Connection, calls: dict[int, Call]) -> None:
        while True:
            try:
                number, kind, data = pickle.loads(connection.recv_bytes())
            except (EOFError, OSError, TypeError):  # closed here or there; recv on a closed handle is a TypeError
                break
            call = calls.get(number)
            if call is None:
                continue  # it failed here, and the process has not noticed yet
            if kind == "done":
                del calls[number]
                call.future.set_result(data)
            elif kind == "failed":
                del calls[number]
                call.future.set_exception(data)
            else:
                try:
                    call.hear(kind, data)
                except Exception as error:  # a listener that stumbles fails its own work and nothing else
                    del calls[number]
                    call.cancel()
                    call.future.set_exception(error)
        with self._guard:  # nobody adds a call any more
            abandoned = list(calls.values())
            if self._connection is connection:
                self._end()
        for call in abandoned:
            call.future.set_exception(Cancelled(_CLOSING) if self._is_closed else AssistantDied())
