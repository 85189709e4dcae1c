"""The closing race: a worker process is killed or replaced in the middle of a long answer, while the machine is busy.

The next process opens its pipes at once. Were a reader of the old pipe still at work on a number that was closed, it
would swallow what the new process answers, and the new call would wait for ever.
"""

import concurrent.futures
import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from multiprocessing import Process

from benchmarks.faults.tries import Tries
from motionloom.tasks import Assistant, AssistantDied, Call, Stopped

PATIENCE = 60.0  # seconds after which a call counts as one that hangs
LONG = 1 << 22  # bytes of an answer: many times what a pipe holds
WAYS = ("kill", "close", "cancel and kill", "replace")


class Desk:
    """What the worker process can do."""

    def long_answer(self, task: object) -> bytes:
        """Bytes, very many."""
        return bytes(LONG)

    def add(self, task: object, number: int) -> int:
        """A number that only this call can be answered with."""
        return number + 1


def race_often(rounds: int, seed: int, *, busy: int = 2) -> Tries:
    """Race many times.

    Args:
        rounds: how many.
        seed: chooses moments and ways.
        busy: processes that keep the machine busy meanwhile.
    """
    chance = random.Random(seed)
    tries = Tries("closing race", seed)
    with _load(busy):
        assistant = Assistant(Desk)
        for number in range(rounds):
            findings, assistant = _race(assistant, number, chance)
            tries.add(f"round {number}: {finding}" for finding in findings)
        assistant.close()
    return tries


def _race(assistant: Assistant, number: int, chance: random.Random) -> tuple[list[str], Assistant]:
    way = chance.choice(WAYS)
    first = assistant.call("long_answer")
    time.sleep(chance.choice((0.0, chance.uniform(0.0, 0.003), chance.uniform(0.0, 0.03))))
    pid = assistant.pid
    if way == "cancel and kill":
        first.cancel()
    if way in ("kill", "cancel and kill") and pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    other = assistant
    if way in ("close", "replace"):
        closing = threading.Thread(target=assistant.close)
        closing.start()
        other = Assistant(Desk)
        if way == "close":
            closing.join(PATIENCE)
    return [*_ask(other, way, number), *_await(first, way)], other


def _ask(assistant: Assistant, way: str, number: int) -> list[str]:
    """The call after: it is answered, with its own answer."""
    for _ in range(2):
        try:
            answer = assistant.call("add", {"number": number}).future.result(PATIENCE)
        except AssistantDied:  # the kill came late and met this call: the next one is answered
            continue
        except concurrent.futures.TimeoutError:
            return [f"{way}: the call after it was never answered"]
        except Exception as error:
            return [f"{way}: the call after it failed with {error!r}"]
        return [] if answer == number + 1 else [f"{way}: the call after it was answered with {answer!r}"]
    return [f"{way}: two calls after it died"]


def _await(call: Call, way: str) -> list[str]:
    """The call that was cut off: it ends, with its answer or with a reason."""
    try:
        call.future.result(PATIENCE)
    except (AssistantDied, Stopped):
        return []
    except concurrent.futures.TimeoutError:
        return [f"{way}: the call that was cut off never ended"]
    except Exception as error:
        return [f"{way}: the call that was cut off failed with {error!r}"]
    return []


@contextlib.contextmanager
def _load(count: int) -> Iterator[None]:
    """Processes that compute until the end of the block."""
    workers = [Process(target=_compute, daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _compute() -> None:
    while True:
        sum(range(10_000))
