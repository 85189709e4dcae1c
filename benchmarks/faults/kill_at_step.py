"""Kill an action right before any one of its file-system steps, or let that step fail.

An action runs in a forked child. Every step that changes a folder is counted: opening a file for writing ("open"
before it, "write" after it, when the file is empty), fsync, rename, unlink, making and removing folders, and statements
of SQLite that write. `run(action, folder)` lists the steps; `run(action, folder, kill_at=k)` kills the child by
SIGKILL right before step k, and `fail_at=k` raises `error` there instead, as a full disk does (not in SQLite).

    steps = run(action, folder).steps
    for k in range(len(steps)):
        outcome = run(action, folder, kill_at=k)
        assert outcome.was_killed

The action is called with `acknowledge`, a function of one text: what it was called with before the kill is in
`outcome.acknowledged`. `run_and_kill(action, seconds)` kills it at any moment instead.
"""

import builtins
import contextlib
import errno
import io
import os
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

Acknowledge = Callable[[str], None]
Action = Callable[[Acknowledge], object]

FULL_DISK = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
WRITING = os.O_WRONLY | os.O_RDWR
READING_STATEMENTS = ("select", "pragma", "explain", "--")


@dataclass(frozen=True)
class Outcome:
    """What became of an action."""

    steps: tuple[str, ...]  # that were begun, such as "replace a.yaml"; the last one was not done if it was killed
    acknowledged: tuple[str, ...]
    was_killed: bool
    error: str  # the traceback of what the action raised, "" if it ended well


def run(
    action: Action,
    folder: Path,
    *,
    kill_at: int | None = None,
    fail_at: int | None = None,
    error: OSError = FULL_DISK,
) -> Outcome:
    """Run an action in a child process; its steps in a folder are counted from 0."""
    steps = _Steps(Path(folder), kill_at, fail_at, error)
    child, lines = _start(action, steps)
    return _end(child, lines.readlines())


def run_at_every_step(action: Action, folder: Path, restore: Callable[[], object]) -> Iterator[tuple[int, Outcome]]:
    """Kill an action before each of its steps in turn; `restore` makes the folder as it was before every try."""
    restore()
    steps = run(action, folder).steps
    for number in range(len(steps)):
        restore()
        yield number, run(action, folder, kill_at=number)


def run_and_kill(action: Action, seconds: float, *, at_once: bool = False) -> Outcome:
    """Kill an action some time after it has acknowledged something for the first time; steps are not counted.

    Args:
        action: called with `acknowledge`.
        seconds: to wait.
        at_once: count them from the start of the process.
    """
    child, lines = _start(action, None)
    first = "" if at_once else lines.readline()
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    return _end(child, [first, *lines.readlines()])


def _start(action: Action, steps: "_Steps | None") -> tuple[int, TextIO]:
    """Run an action in a child; its process number, and what it sends."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _run_child(action, steps, writer)
    os.close(writer)
    return child, open(reader, encoding="utf-8", errors="replace")


def _end(child: int, lines: list[str]) -> Outcome:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 1, -signal.SIGKILL), f"the child ended with {code}"
    sent = [line.removesuffix("\n").partition(" ") for line in lines if line.endswith("\n")]
    texts = {
        wanted: tuple(text.replace("\\n", "\n") for kind, _, text in sent if kind == wanted)
        for wanted in ("step", "ack", "error")
    }
    return Outcome(texts["step"], texts["ack"], code == -signal.SIGKILL, "".join(texts["error"]))


class _Steps:
    """Counts the steps of this process and ends it, or lets it fail, at one of them."""

    def __init__(self, folder: Path, kill_at: int | None, fail_at: int | None, error: OSError) -> None:
        self.folder = os.path.realpath(folder)
        self.kill_at, self.fail_at, self.error = kill_at, fail_at, error
        self.pipe, self.process = -1, 0  # of the child, when it runs
        self.count = 0
        self.guard = threading.Lock()

    def step(self, what: str, name: str) -> None:
        """Before something is done."""
        if os.getpid() != self.process:
            return  # a worker of the child: its steps are its own
        with self.guard:
            number = self.count
            self.count += 1
            _send(self.pipe, "step", f"{what} {name}".rstrip())
            if number == self.kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
                signal.pause()
        if number == self.fail_at:
            raise OSError(self.error.errno, self.error.strerror, name)

    def step_on(self, what: str, thing: Any) -> None:
        """Before something is done to a path, or to an open file, in the folder."""
        path = _path_of(thing)
        if path == self.folder or path.startswith(self.folder + os.sep):
            self.step(what, os.path.relpath(path, self.folder))


def _run_child(action: Action, steps: _Steps | None, pipe: int) -> None:
    code = 1
    try:
        if steps is not None:
            steps.pipe, steps.process = pipe, os.getpid()
            _watch(steps)
        action(lambda text: _send(pipe, "ack", text))
        code = 0
    except BaseException:
        with contextlib.suppress(BaseException):
            _send(pipe, "error", traceback.format_exc())
    finally:
        os._exit(code)


def _send(pipe: int, kind: str, text: str) -> None:
    line = text.replace("\n", "\\n")
    os.write(pipe, f"{kind} {line}\n".encode(errors="replace"))


def _watch(steps: _Steps) -> None:
    for name in ("replace", "rename", "unlink", "remove", "rmdir", "mkdir", "link", "truncate", "ftruncate"):
        _wrap(os, name, name, steps)
    for name in ("fsync", "fdatasync"):
        _wrap(os, name, "fsync", steps)
    _wrap_os_open(steps)
    _wrap_open(steps)
    _wrap_database(steps)


def _wrap(module: Any, name: str, what: str, steps: _Steps) -> None:
    real = getattr(module, name)

    def stepping(*arguments: Any, **options: Any) -> Any:
        steps.step_on(what, arguments[1] if what in ("replace", "rename", "link") else arguments[0])
        return real(*arguments, **options)

    setattr(module, name, stepping)


def _wrap_os_open(steps: _Steps) -> None:
    real = os.open

    def opening(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        is_writing = bool(flags & WRITING)
        if is_writing:
            steps.step_on("open", path)
        opened = real(path, flags, *arguments, **options)
        if is_writing:
            _step_or_close(steps, path, lambda: os.close(opened))
        return opened

    os.open = opening  # type: ignore[assignment]


def _wrap_open(steps: _Steps) -> None:
    real = io.open

    def opening(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        is_writing = isinstance(file, str | bytes | os.PathLike) and any(letter in mode for letter in "wxa+")
        if is_writing:
            steps.step_on("open", file)
        opened = real(file, mode, *arguments, **options)
        if is_writing:
            _step_or_close(steps, file, opened.close)
        return opened

    io.open = builtins.open = opening  # type: ignore[assignment]


def _step_or_close(steps: _Steps, path: Any, close: Callable[[], None]) -> None:
    """The step after a file was opened: what is written there may fail."""
    try:
        steps.step_on("write", path)
    except OSError:
        close()
        raise


def _wrap_database(steps: _Steps) -> None:
    real = sqlite3.connect

    def watch(statement: str) -> None:
        if not statement.lstrip().lower().startswith(READING_STATEMENTS):
            steps.step("sqlite", statement.split()[0].lower())

    def connecting(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = real(*arguments, **options)
        connection.set_trace_callback(watch)
        return connection

    sqlite3.connect = sqlite3.dbapi2.connect = connecting  # type: ignore[attr-defined]


def _path_of(thing: Any) -> str:
    if isinstance(thing, int):
        with contextlib.suppress(OSError):
            return os.readlink(f"/proc/self/fd/{thing}")
        return ""
    path = os.path.abspath(os.fsdecode(thing))
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
