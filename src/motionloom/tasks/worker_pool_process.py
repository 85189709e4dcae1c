"""What runs in the child process of a worker pool: import once, fork the workers, and work until the parent hangs up.

This file is run by its path and imports Python's own modules only, before the parent's search path is taken over.
"""

import contextlib
import os
import pickle
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any


def main() -> None:
    """Fork one worker per pipe given on the command line, and end them all when the parent lets go of the lifeline."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    lifeline, *numbers = [int(argument) for argument in sys.argv[1:]]
    for number in (lifeline, *numbers):
        os.set_inheritable(number, False)  # what a worker starts may outlive it: it must not hold up its pipe
    connections = [Connection(number) for number in numbers]
    try:
        setups = [_unpack(connection) for connection in connections]  # imports what is needed, before forking
    except EOFError:
        return
    except Exception as error:
        connections[0].send(f"{type(error).__name__}: {error}")
        return
    _, prepare = setups[0]
    if prepare is not None:
        with contextlib.suppress(Exception):  # it only saves time and memory; the work itself tells what is wrong
            prepare()
    connections[0].send("")  # the work begins
    for mine, (function, _) in zip(connections, setups):
        if os.fork() == 0:
            for other in connections:
                if other is not mine:
                    other.close()
            _work(mine, function)
            os._exit(0)
    for connection in connections:
        connection.close()
    os.read(lifeline, 1)  # ends when the parent closes it, or dies in any way
    os.killpg(0, signal.SIGKILL)  # this process, too


def _unpack(connection: Connection) -> tuple[Any, Any]:
    """The function and its preparation, found where the parent found them."""
    paths, setup = connection.recv()
    sys.path[:] = paths
    function, prepare = pickle.loads(setup)
    return function, prepare


def _work(connection: Connection, function: Any) -> None:
    while True:
        try:
            item = connection.recv()
        except (EOFError, OSError):
            return
        try:
            connection.send_bytes(_answer(function, item))
        except (BrokenPipeError, ConnectionResetError):
            return


def _answer(function: Any, item: Any) -> bytes:
    try:
        return pickle.dumps((function(item), None), protocol=5)
    except Exception as error:
        return _packed_error(error)


def _packed_error(error: Exception) -> bytes:
    """An error that survives the way home; one that cannot be pickled goes as its words."""
    try:
        packed = pickle.dumps((None, error))
        pickle.loads(packed)
    except Exception:
        packed = pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))
    return packed


if __name__ == "__main__":
    main()
