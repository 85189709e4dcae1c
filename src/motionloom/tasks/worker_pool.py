"""Worker processes that live as long as their parent needs them, and never longer.

A pool is one child process that imports what the work needs and then forks the workers, so that they share its
memory; it does not import the parent's main script, so scripts need no main guard. Everything dies with the parent,
however it ends: the child ends the workers when the parent's end of a pipe closes.
"""

import contextlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.tasks.child import Child, find_paths

_SCRIPT = Path(__file__).with_name("worker_pool_process.py")
GREETING_LIMIT = 600.0  # seconds in which workers must have begun: importing and compiling take far less
AHEAD = 2  # items per worker that may be finished before their turn: bounds the memory of waiting results

_DIED = "a worker process ended in the middle of its work; is there enough memory?"


class WorkerDied(RuntimeError):
    """A worker process ended in the middle of an item."""


class WorkersFailed(MotionloomError):
    """The worker processes could not begin at all."""


class WorkerPool:
    """Processes that run one function; use it as a context manager."""

    def __init__(
        self, function: Callable[[Any], Any], n_workers: int, prepare: Callable[[], None] | None = None
    ) -> None:
        setup = pickle.dumps((find_paths(), pickle.dumps((function, prepare))))  # first: it may not be picklable
        self._has_greeted = False
        self._child = Child(_SCRIPT, n_workers)
        self._connections = self._child.connections
        try:
            for connection in self._connections:
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the missing greeting tells
                    connection.send_bytes(setup)
        except BaseException:  # nobody gets the pool, so nobody else could end it
            self._end()
            raise

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        self._child.end()
        for connection in self._connections:
            connection.close()

    def work(self, items: Sequence[Any]) -> Iterator[tuple[Any, Exception | None]]:
        """Give (result, error) for each item, in order; raises `WorkersFailed` where no worker begins.

        It may be called again when all results of the call before were taken.
        """
        if not self._has_greeted:
            self._await_greeting()
        idle, busy = list(self._connections), {}  # busy: connection -> index of its item
        finished: dict[int, tuple[Any, Exception | None]] = {}
        next_item = next_out = 0
        while next_out < len(items):
            while idle and next_item < len(items) and next_item - next_out < AHEAD * len(self._connections):
                connection = idle.pop()
                error = _send(connection, items[next_item])
                if error is None:
                    busy[connection] = next_item
                else:
                    finished[next_item] = (None, error)
                    if not isinstance(error, WorkerDied):
                        idle.append(connection)
                next_item += 1
            if next_out in finished:
                yield finished.pop(next_out)
                next_out += 1
                continue
            for connection in self._ready(busy):
                index = busy.pop(connection)
                finished[index], alive = _receive(connection)
                if alive:
                    idle.append(connection)
            if not busy and not idle:
                yield from self._give_up(finished, next_out, len(items))
                return

    def _await_greeting(self) -> None:
        self._has_greeted = True
        problem = "ended before they began"
        try:
            if not self._connections[0].poll(GREETING_LIMIT):
                problem = f"did not begin within {GREETING_LIMIT:g} seconds"
            elif reason := self._connections[0].recv():
                problem += f" ({reason})"
            else:
                return
        except (EOFError, ConnectionResetError):
            problem += f" (exit code {self._child.wait()})"
        raise WorkersFailed(f"the worker processes {problem}; workers=1 does the work without them")

    def _ready(self, busy: dict[Connection, int]) -> list[Connection]:
        """Those who have an answer, or have died; without limit, because an item may take as long as it likes."""
        return [connection for connection in busy if connection in set(wait(list(busy)))] if busy else []

    @staticmethod
    def _give_up(finished: dict, start: int, stop: int) -> Iterator[tuple[Any, Exception | None]]:
        for index in range(start, stop):
            yield finished.pop(index, (None, WorkerDied(_DIED)))


def _send(connection: Connection, item: Any) -> Exception | None:
    """Hand an item to a worker; what stands in the way is the item's error."""
    try:
        packed = pickle.dumps(item, protocol=5)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        return error
    try:
        connection.send_bytes(packed)
    except (BrokenPipeError, ConnectionResetError):
        return WorkerDied(_DIED)
    return None


def _receive(connection: Connection) -> tuple[tuple[Any, Exception | None], bool]:
    """One (result, error), and whether the worker lives."""
    try:
        return pickle.loads(connection.recv_bytes()), True
    except (EOFError, ConnectionResetError):
        return (None, WorkerDied(_DIED)), False
