"""What runs in the process of an assistant: make the object, then run its methods one by one until the parent hangs up.

This file is run by its path and imports Python's own modules only, before the parent's search path is taken over.
"""

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from multiprocessing.connection import Connection
from typing import Any


class _Inbox:
    """What the parent has asked for, read in a thread of its own so that a running method can be stopped."""

    def __init__(self, connection: Connection) -> None:
        self.calls: queue.Queue = queue.Queue()
        self.cancelled: set[int] = set()
        threading.Thread(target=self._read, args=(connection,), daemon=True).start()

    def _read(self, connection: Connection) -> None:
        while True:
            try:
                kind, data = pickle.loads(connection.recv_bytes())
            except (EOFError, OSError):
                os._exit(0)
            except BaseException:  # no call would ever come in again
                traceback.print_exc()
                os._exit(1)
            if kind == "cancel":
                self.cancelled.add(data)
            else:
                self.calls.put(data)


def main() -> None:
    """Serve until the parent lets go."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    lifeline, number = (int(argument) for argument in sys.argv[1:])
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    connection = Connection(number)
    paths, setup = connection.recv()
    sys.path[:] = paths
    desk, problem = _make(setup)
    inbox = _Inbox(connection)
    lock = threading.Lock()
    while True:
        call, method, arguments = inbox.calls.get()

        def report(kind: str, data: Any, call: int = call) -> None:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError), lock:
                connection.send_bytes(_packed(call, kind, data))

        if problem is not None:
            report("failed", problem)
            continue
        report(*_run(desk, method, arguments, report, lambda call=call: call in inbox.cancelled))
        inbox.cancelled.discard(call)


def _make(setup: bytes) -> tuple[Any, Exception | None]:
    try:
        make, arguments = pickle.loads(setup)
        return make(*arguments), None
    except Exception as error:
        from motionloom.errors import MotionloomError

        if not isinstance(error, MotionloomError):
            traceback.print_exc()
        return None, error


def _run(desk: Any, method: str, arguments: bytes, report: Any, stop: Any) -> tuple[str, Any]:
    from motionloom.errors import MotionloomError
    from motionloom.tasks.assistant import Task

    try:
        task = Task(report, stop)
        task.check()
        return "done", getattr(desk, method)(task, **pickle.loads(arguments))
    except MotionloomError as error:
        return "failed", error
    except Exception as error:
        traceback.print_exc()  # the way home leads only the error itself
        return "failed", error


def _packed(call: int, kind: str, data: Any) -> bytes:
    """A message that survives the way home; an error that cannot be pickled goes as its words."""
    try:
        packed = pickle.dumps((call, kind, data), protocol=5)
        if kind == "failed":
            pickle.loads(packed)
        return packed
    except Exception as error:
        wrong = data if isinstance(data, Exception) else error
        return pickle.dumps((call, "failed", RuntimeError(f"{type(wrong).__name__}: {wrong}")))


def _end_with_parent(lifeline: int) -> None:
    os.read(lifeline, 1)  # ends when the parent closes it, or dies in any way
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(0, signal.SIGKILL)  # the workers of this process, too
    os._exit(0)


if __name__ == "__main__":
    main()
