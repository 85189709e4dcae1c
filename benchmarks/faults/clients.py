"""Many clients at once: slow ones, silent ones, ones that start jobs without end; and what the server holds after."""

import base64
import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults.studio_client import Client, attacked_studio
from benchmarks.faults.tries import Tries

REQUESTS = ("/api/session", "/api/takes", "/api/document", "/api/jobs", "/api/takes/labels?take=take%200")
WARM = ("/api/motion?id=take:take%200", "/api/takes/plots?take=take%201", "/api/annotate/state", "/api/methods")
SETTLED = 20.0  # seconds after which desks have warmed up and measured what they measure


@dataclass(frozen=True)
class Memory:
    """Bytes that the server and its desks hold."""

    before: int
    after: int

    @property
    def growth(self) -> float:
        """In percent."""
        return 100 * (self.after / self.before - 1)


def besiege(n_clients: int, n_requests: int, n_jobs: int, room: Path) -> tuple[Tries, Memory]:
    """Ask while slow clients hang on and jobs are started; memory before and after, with the same number of requests.

    Args:
        n_clients: that send a request byte by byte, or listen to a websocket without reading.
        n_requests: of somebody who works.
        n_jobs: that are started, most of them to be cancelled.
        room: an empty folder.
    """
    tries = Tries(f"requests beside {n_clients} slow clients and {n_jobs} jobs", 0)
    with attacked_studio(room) as client:
        _ask_all(client, n_requests, Tries("", 0))
        _wait(client)
        before = client.studio.memory()
        with _slow_clients(client, n_clients):
            started = Tries("jobs", 0)
            jobs = threading.Thread(target=_start_jobs, args=(client, n_jobs, started))
            jobs.start()
            _ask_all(client, n_requests, tries)
            jobs.join()
            if started.count != n_jobs:
                started.findings.append(f"{started.count} of {n_jobs} jobs were started")
            tries.findings += started.findings
        _wait(client)
        _ask_all(client, n_requests, tries)
        after = client.studio.memory()
    return tries, Memory(before, after)


def _ask_all(client: Client, count: int, tries: Tries) -> None:
    for number in range(count):
        path = (REQUESTS + WARM)[number % len(REQUESTS + WARM)]
        try:
            answer = client.ask("GET", path)
        except OSError as error:
            tries.add([f"{path}: {error!r}"])
            continue
        tries.add([] if answer.status == 200 else [f"{path}: answered {answer.status} {answer.body[:200]!r}"])


def _start_jobs(client: Client, count: int, tries: Tries) -> None:
    """Jobs of the library, two of three cancelled at once, as by somebody who clicks wildly; some find no room."""
    for number in range(count):
        body = json.dumps({"takes": [f"take {number % 4}"], "feet": True, "spikes": True}).encode()
        answer = client.ask("POST", "/api/takes/clean", body)
        tries.add([] if answer.status in (200, 503) else [f"job {number}: answered {answer.status} {answer.body!r}"])
        if answer.status == 200 and number % 3:
            client.ask("POST", f"/api/jobs/{json.loads(answer.body)['id']}/cancel")


def _wait(client: Client) -> None:
    """Until no job runs, and desks have come to rest."""
    stop = time.monotonic() + 10 * SETTLED
    while time.monotonic() < stop:
        jobs = json.loads(client.ask("GET", "/api/jobs").body)
        if not any(job["state"] in ("running", "waiting") for job in jobs):
            break
        time.sleep(0.2)
    time.sleep(2.0)


@contextlib.contextmanager
def _slow_clients(client: Client, count: int) -> Iterator[None]:
    """Half of them send a request byte by byte, half open a websocket and never read."""
    stop = threading.Event()
    lines = [socket.create_connection(client.place, timeout=30) for _ in range(count)]
    for line in lines[1::2]:
        line.sendall(_upgrade(client))
    drip = threading.Thread(target=_drip, args=(lines[::2], stop))
    drip.start()
    try:
        yield
    finally:
        stop.set()
        drip.join()
        for line in lines:
            line.close()


def _upgrade(client: Client) -> bytes:
    """What opens a websocket."""
    host, port = client.place
    headers = {
        "Host": f"{host}:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(bytes(16)).decode(),
        **client.headers,
    }
    lines = ["GET /api/socket HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def _drip(lines: list[socket.socket], stop: threading.Event) -> None:
    text = b"GET /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"a" * 5000
    for number in range(len(text)):
        for line in lines:
            with contextlib.suppress(OSError):
                line.send(text[number : number + 1])
        if stop.wait(0.2):
            return
