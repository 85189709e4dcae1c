"""`motionloom studio` in a process of its own, as people start it."""

import contextlib
import http.client
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

START = 60.0  # seconds that a server may take to start on a busy machine
PORTS = range(20_000, 32_000)  # below those that systems give to whoever asks for any: nobody sits on one in between


class Server:
    """`motionloom studio` as people start it; the same port every time, as a restarted one has."""

    def __init__(self, folder: Path, corpus: Path | None, static: Path) -> None:
        self.corpus = corpus
        self.folder = folder  # where it is started
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.arguments: list[str] = []  # more of them
        self.entry = ""  # the address with the token, as it is printed
        places = {"MOTIONLOOM_STUDIO_STATIC": str(static), "XDG_STATE_HOME": str(folder / "state")}
        self._environment = {**os.environ, **places, "PYTHONUNBUFFERED": "1"}
        self._process: subprocess.Popen | None = None

    def start(self) -> str:
        """Start it and wait until it answers; the address that it prints."""
        corpus = [str(self.corpus)] if self.corpus else []
        arguments = [*corpus, "--port", str(self.port), "--no-open", *self.arguments]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "motionloom", "studio", *arguments],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "server.log").open("ab"),
            start_new_session=True,
        )
        assert self._process.stdout is not None
        readable, _, _ = select.select([self._process.stdout], [], [], START)
        line = self._process.stdout.readline().decode().strip() if readable else ""
        assert line.startswith(self.address), f"the server did not start: {line!r} {self.log()}"
        self.entry = line
        return line

    def kill(self) -> None:
        """End it without a warning, as a crash or an empty battery does."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End it as Ctrl-C does; its exit code."""
        return self._end(signal.SIGINT)

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    def log(self) -> str:
        """What it wrote for the person who started it."""
        path = self.folder / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def token(self) -> str:
        """What the printed address lets in with."""
        return self.entry.partition("?token=")[2]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def get(self, path: str) -> object:
        """Ask it for a JSON value, without the page."""
        status, body = self.ask("GET", path)
        assert status == 200, body
        return json.loads(body)

    def send(self, path: str, value: object) -> tuple[int, str]:
        """Send it a JSON value, without the page."""
        return self.ask("POST", path, json.dumps(value), Content_Type="application/json")

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        """Send one request with the headers given, `_` for `-`; the status and the body of the answer.

        It carries the token, unless another Authorization is given; "" for none.
        """
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        named = {name.replace("_", "-"): value for name, value in headers.items() if value}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START)
        with contextlib.closing(connection):
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            return process.wait(START / 4)
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def _free_port() -> int:
    while True:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", random.choice(PORTS))) as probe:
            return probe.getsockname()[1]
