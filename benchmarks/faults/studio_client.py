"""A studio under attack: `motionloom studio` in a process of its own, asked by plain sockets instead of a page."""

import http.client
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from websockets.sync.client import ClientConnection, connect

from benchmarks.faults.kill_scenarios import begin
from benchmarks.studio.browser import Studio, serve

PATIENCE = 120.0  # seconds until a request counts as one that hangs


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: bytes
    seconds: float


@dataclass(frozen=True)
class Client:
    """Somebody who knows the address of a studio."""

    studio: Studio
    home: Path

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        parts = urlsplit(self.studio.address)
        return parts.hostname or "", parts.port or 80

    @property
    def headers(self) -> dict[str, str]:
        """The token that the address carries."""
        token = parse_qs(urlsplit(self.studio.address).query).get("token", [""])[0]
        return {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> Answer:
        """One request."""
        began = time.monotonic()
        connection = http.client.HTTPConnection(*self.place, timeout=PATIENCE)
        with closing(connection):
            headers = {**self.headers, **({"Content-Type": kind} if body is not None else {})}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        return Answer(answer.status, content, time.monotonic() - began)

    def socket(self) -> ClientConnection:
        """A websocket, as a page opens one."""
        host, port = self.place
        return connect(
            f"ws://{host}:{port}/api/socket", additional_headers=self.headers, open_timeout=PATIENCE, max_size=None
        )


@contextmanager
def attacked_studio(room: Path) -> Iterator[Client]:
    """A studio on a small corpus of four takes, in a folder that has another corpus too."""
    home = room / "home of the studio"
    home.mkdir()
    begin(home / "small")
    shutil.copytree(home / "small", home / "other")
    with serve(home / "small", home) as studio:
        yield Client(studio, home)
