"""Clients that are slow, greedy or many: everybody else is answered, and what they can pile up is bounded."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace

import psutil
import pytest
from websockets.sync.client import connect

from motionloom.studio.server import studio as studio_module
from motionloom.studio.server.jobs import KEPT, MOST_UNDER_WAY, MOST_WAITING

pytestmark = pytest.mark.long
MANY = 50
TAKE = "walk/normal_1"
PATIENCE = 60.0
MB = 1 << 20

PROGRAM = """
import sys
from pathlib import Path
from motionloom.studio.server import connections, run
from motionloom.studio.server.settings import Settings

connections.SECONDS_FOR_HEAD = float(sys.argv[2])
run.serve(Settings(home=Path(sys.argv[1]).parent, corpus=Path(sys.argv[1]), is_warmed=False, token="t" * 32),
          lambda address, opened: print(address, flush=True))
"""


class Server:
    """A server in a process of its own."""

    def __init__(self, process):
        self.process = process
        address = process.stdout.readline()
        self.port = int(address.partition("127.0.0.1:")[2].partition("/")[0])
        self.head = f"Host: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {'t' * 32}\r\n\r\n"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={"Authorization": f"Bearer {'t' * 32}"})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def memory(self):
        return psutil.Process(self.process.pid).memory_info().rss


@pytest.fixture
def start(corpus_folder, tmp_path):
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("the page")
    (page / "large.bin").write_bytes(bytes(20 * MB))
    (tmp_path / "program.py").write_text(PROGRAM)
    started = []

    def start_server(seconds_for_head=1000.0):
        process = subprocess.Popen(
            [sys.executable, tmp_path / "program.py", corpus_folder, str(seconds_for_head)],
            env={**os.environ, "MOTIONLOOM_STUDIO_STATIC": str(page)},
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return Server(process)

    yield start_server
    for process in started:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        process.stdout.close()


@pytest.fixture
def clients():
    """Open connections, closed in the end."""
    with contextlib.ExitStack() as opened:
        yield opened


@pytest.mark.parametrize("sent", ["", "GET / HTTP/1.1\r\nHost: 127", "GET / HTTP/1.1\r\n" + "A: b\r\n" * 50])
def test_clients_that_never_finish_their_request_are_let_go(start, clients, sent):
    server = start(seconds_for_head=0.5)
    slow = [clients.enter_context(server.connect()) for _ in range(MANY)]
    for line in slow:
        line.sendall(sent.encode())
    assert server.get("/api/session")[0] == 200
    assert [line.recv(100) for line in slow] == [b""] * MANY  # each is closed; nothing else would end this
    assert server.get("/api/session")[0] == 200


def test_a_second_request_on_a_connection_has_to_be_finished_too(start, clients):
    server = start(seconds_for_head=0.5)
    line = clients.enter_context(server.connect())
    line.sendall(f"GET / HTTP/1.1\r\n{server.head}GET / HT".encode())
    answer = b""
    while part := line.recv(1000):
        answer += part
    assert answer.count(b"HTTP/1.1 200") == 1 and answer.endswith(b"the page")


def test_a_socket_and_a_long_answer_stay_open_for_longer_than_a_request_may_take(start, clients):
    server = start(seconds_for_head=0.5)
    headers = {"Authorization": f"Bearer {'t' * 32}"}
    page = clients.enter_context(connect(f"ws://127.0.0.1:{server.port}/api/socket", additional_headers=headers))
    reader = clients.enter_context(server.connect())
    reader.sendall(f"GET /large.bin HTTP/1.1\r\n{server.head}".encode())
    slow = clients.enter_context(server.connect())
    assert slow.recv(100) == b""  # so long it takes
    page.send('{"type": "ping"}')
    assert json.loads(page.recv(PATIENCE)) == {"type": "pong"}
    received = 0
    while received < 20 * MB:
        part = reader.recv(MB)
        assert part
        received += len(part)


def test_clients_that_do_not_read_their_answers_keep_nothing_in_memory(start, clients):
    server = start()
    before = server.memory()
    for _ in range(MANY):
        line = clients.enter_context(server.connect())
        line.sendall(f"GET /large.bin HTTP/1.1\r\n{server.head}".encode())
        assert line.recv(10)
    assert server.get("/api/session")[0] == 200
    assert server.memory() - before < 200 * MB  # of a gigabyte that was asked for


def test_heads_and_bodies_without_end_are_cut_off(start, clients):
    server = start()
    line = clients.enter_context(server.connect())
    with contextlib.suppress(ConnectionError):
        line.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(200):
            line.sendall(b"A: " + b"b" * 10_000 + b"\r\n")
    with contextlib.suppress(ConnectionError):
        assert b" 400 " in line.recv(100)
    assert server.get("/api/session")[0] == 200
    assert server.get("/" + "x" * 50_000)[0] in (400, 404, 414)
    assert server.get("/api/session")[0] == 200


def test_thousands_of_socket_messages_are_all_answered(start, clients):
    server = start()
    headers = {"Authorization": f"Bearer {'t' * 32}"}
    page = clients.enter_context(
        connect(f"ws://127.0.0.1:{server.port}/api/socket", additional_headers=headers, max_queue=None)
    )
    count = 3000

    def send():
        for number in range(count):
            page.send('{"type": "ping"}' if number % 2 else "garbage")

    sender = threading.Thread(target=send)
    sender.start()
    heard = [json.loads(page.recv(PATIENCE))["type"] for _ in range(count)]
    sender.join()
    assert heard.count("pong") == count // 2 and heard.count("refused") == count // 2


class Desk:
    """A desk that does nothing until it is let."""

    def __init__(self):
        self.calls = []
        self._guard = threading.Lock()

    def call(self, method, arguments=None, listener=None):
        future = Future()
        with self._guard:
            self.calls.append(future)
        return SimpleNamespace(future=future, cancel=lambda: None)

    def let_go(self, result):
        for future in self.calls:
            future.set_result(result)

    def close(self):
        pass

    def join(self):
        pass


def test_of_three_hundred_jobs_as_many_are_taken_as_may_wait(client):
    desk = client.app.state.studio.desks["library"] = Desk()
    answers = [client.post("/api/takes/mirror", json={"takes": [TAKE]}) for _ in range(300)]
    taken = [answer.json()["id"] for answer in answers if answer.status_code == 200]
    refused = [answer for answer in answers if answer.status_code == 503]
    assert (len(taken), len(refused)) == (MOST_UNDER_WAY, 300 - MOST_UNDER_WAY)
    assert "wait until" in refused[0].json()["error"]
    assert client.get("/api/session").status_code == 200
    assert len(client.get("/api/jobs").json()) == MOST_UNDER_WAY
    desk.let_go([{"take": TAKE, "made": "m"}])
    assert client.get("/api/takes/made", params={"job": taken[-1]}).json()["state"] == "done"
    assert client.post("/api/takes/mirror", json={"takes": [TAKE]}).status_code == 200
    assert len(client.get("/api/jobs").json()) <= KEPT + 1


def test_what_is_remembered_of_finished_jobs_is_bounded(client):
    studio = client.app.state.studio
    desk = studio.desks["library"] = Desk()
    for _ in range(5):
        for _ in range(MOST_UNDER_WAY):
            assert client.post("/api/takes/mirror", json={"takes": [TAKE]}).status_code == 200
        desk.let_go([])
        desk.calls.clear()
    assert len(studio.jobs._jobs) <= MOST_UNDER_WAY + KEPT
    assert len(studio.kept["library"]._made) <= 2 * MOST_UNDER_WAY


def test_a_busy_desk_does_not_take_all_threads_from_other_requests(client):
    desk = client.app.state.studio.desks["display"] = Desk()
    with ThreadPoolExecutor(MANY) as threads:
        asked = [threads.submit(client.get, "/api/steps", params={"id": f"take:{TAKE}"}) for _ in range(MANY)]
        refused = []
        while len(refused) < MANY - MOST_WAITING:  # the others wait for the desk
            refused = [answer.result() for answer in asked if answer.done()]
        assert client.get("/api/session").status_code == 200
        desk.let_go({"footprints": [], "contacts": {}})
        answers = [answer.result() for answer in asked]
    assert sorted(answer.status_code for answer in answers) == [200] * MOST_WAITING + [503] * (MANY - MOST_WAITING)
    assert "busy" in refused[0].json()["error"]


def test_more_pages_than_anybody_has_open_are_turned_away(client, monkeypatch):
    monkeypatch.setattr(studio_module, "MOST_PAGES", 5)
    with contextlib.ExitStack() as pages:
        for _ in range(5):
            pages.enter_context(client.websocket_connect("/api/socket"))
        with pytest.raises(Exception), client.websocket_connect("/api/socket"):  # noqa: B017 (closed, or refused)
            pass
    with client.websocket_connect("/api/socket") as socket:
        socket.send_json({"type": "ping"})
        assert socket.receive_json() == {"type": "pong"}
