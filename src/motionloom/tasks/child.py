"""A Python process that belongs to this one: started with pipes to it, ended together with all that it has started.

It never outlives this process: it holds one end of a pipe, the lifeline, and kills its process group when the other end
closes, however that comes about.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

END_LIMIT = 10.0  # seconds to wait for a process that was killed
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class Child:
    """A process that runs a script; its arguments are the numbers of the lifeline and of its ends of the pipes.

    Each descriptor has one owner. The user of the `connections` closes them, after `end`, when no thread uses
    them any more: a number that is closed under a reader may be reused for another pipe.

    Args:
        script: run by its path, in a session of its own.
        n_pipes: between the process and this one.
    """

    def __init__(self, script: Path, n_pipes: int = 1) -> None:
        self._guard = threading.Lock()
        self._has_ended = False
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            pairs = [socket.socketpair() for _ in range(n_pipes)]
            self._lines = [ours.enter_context(line) for line, _ in pairs]  # kept to hang up with
            numbers = [theirs.enter_context(line).fileno() for _, line in pairs]
            self.connections = [Connection(os.dup(line.fileno())) for line in self._lines]
            for connection in self.connections:
                ours.callback(connection.close)
            lifeline, self._lifeline = os.pipe()
            ours.callback(os.close, self._lifeline)
            theirs.callback(os.close, lifeline)
            self._process = subprocess.Popen(
                # -P: neither the current folder nor the script's may stand in for modules of Python
                [sys.executable, "-P", str(script), str(lifeline), *map(str, numbers)],
                pass_fds=[lifeline, *numbers],
                stdin=subprocess.DEVNULL,
                env={**os.environ, **_ONE_THREAD},
                start_new_session=True,  # Ctrl-C reaches this process alone, and all of them can be ended as one group
            )
            ours.pop_all()  # it has started: they stay open

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether the process runs. It is not reaped by looking, so nobody else can get its number before `end`."""
        return self._look() == "running"

    def wait(self, limit: float = END_LIMIT) -> int | None:
        """The exit code, once the process has ended by itself; None if it does not in time (seconds)."""
        try:
            return self._process.wait(limit)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Kill the process with all that it has started; readers of its pipes get end-of-file at once."""
        with self._guard:
            if self._has_ended:
                return
            self._has_ended = True
            os.close(self._lifeline)
            if self._look() != "reaped":  # else its number may be a stranger's by now
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            for line in self._lines:
                with contextlib.suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
                line.close()
            self.wait()

    def _look(self) -> Literal["running", "ended", "reaped"]:
        if self._process.returncode is not None:
            return "reaped"
        try:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # reaped elsewhere
            return "reaped"
        return "running" if ended is None else "ended"


def find_paths() -> list[str]:
    """Where this process finds modules; the current folder comes last, so that it never hides others."""
    return [path for path in sys.path if path] + ([os.getcwd()] if "" in sys.path else [])
