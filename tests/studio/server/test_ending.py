"""Ctrl-C and SIGTERM end the studio, also while a request is stuck in a long computation."""

import os
import signal
import socket
import subprocess
import sys

import pytest

from motionloom.corpus import Corpus

pytestmark = pytest.mark.long
TOKEN = "a-token-that-the-test-knows"
SECONDS = 120  # for anything on a busy machine; nothing here waits so long unless it hangs

PROGRAM = """
import sys, threading, time
from pathlib import Path
from motionloom.studio.server import run
from motionloom.studio.server.settings import Settings

make, limit, where = run.create_app, float(sys.argv[2]), sys.argv[3]
run.SECONDS_TO_LEAVE = limit

def create(settings):
    app = make(settings)
    studio = app.state.studio

    def stuck():
        with studio.corpus() if where == "corpus" else open(__file__):
            print("stuck", flush=True)
            time.sleep(100_000)

    async def stuck_elsewhere():
        import asyncio
        await asyncio.to_thread(stuck)

    app.router.routes.clear()
    app.add_api_route("/stuck", stuck if where != "executor" else stuck_elsewhere)
    dismiss = studio.dismiss
    studio.dismiss = lambda: (print("ending", flush=True), dismiss())
    return app

run.create_app = create
run.serve(Settings(home=Path(sys.argv[1]).parent, corpus=Path(sys.argv[1]), is_warmed=False, port=int(sys.argv[4]),
                   token=sys.argv[5]),
          lambda *address: print("ready", flush=True))
print("served", flush=True)
"""


@pytest.fixture
def start(tmp_path):
    """Start a server with a request that never ends, and send that request."""
    started = []
    Corpus.create(tmp_path / "mine").close()
    (tmp_path / "program.py").write_text(PROGRAM)

    def start_stuck(where, limit):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        words = [sys.executable, tmp_path / "program.py", tmp_path / "mine", limit, where, port, TOKEN]
        process = subprocess.Popen(
            [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        if where != "nowhere":
            client = socket.create_connection(("127.0.0.1", port))
            head = f"GET /stuck HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
            client.sendall(head.encode())
            started.append(client)
            assert process.stdout.readline() == "stuck\n"
        return process

    yield start_stuck
    for thing in started:
        if isinstance(thing, subprocess.Popen):
            thing.kill()
            thing.communicate()
        else:
            thing.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("where", ["thread", "corpus", "executor"])
def test_a_stuck_request_does_not_keep_the_studio_alive(start, tmp_path, how, where):
    process = start(where, limit=1)
    process.send_signal(how)
    _, printed = process.communicate(timeout=SECONDS)
    assert process.returncode != 0 and "Traceback" not in printed
    Corpus.open(tmp_path / "mine", write=True).close()  # the lock was let go, and nothing is damaged


@pytest.mark.parametrize("where", ["thread", "corpus", "executor"])
def test_a_second_ctrl_c_ends_it_at_once(start, tmp_path, where):
    process = start(where, limit=100_000)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "ending\n"
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=SECONDS)
    assert process.returncode != 0 and "Traceback" not in printed
    Corpus.open(tmp_path / "mine", write=True).close()


def test_a_server_that_is_idle_ends_in_order(start):
    process = start("nowhere", limit=100_000)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0 and printed.endswith("served\n") and not errors
    process = start("nowhere", limit=100_000)
    process.send_signal(signal.SIGTERM)
    assert process.wait(SECONDS) == -signal.SIGTERM
