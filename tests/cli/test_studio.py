"""`motionloom studio` starts at the given address, prints it, and ends when it is asked to."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from motionloom.cli.commands import studio
from motionloom.cli.tour import tour
from motionloom.corpus import Corpus
from motionloom.studio import front_end
from motionloom.studio.front_end import CannotBuild
from motionloom.studio.server import run

SECONDS = 60  # a start on a busy machine


@pytest.fixture
def start(tmp_path):
    """Start the command with a page that needs no building; it ends with the test."""
    started = []
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html><title>the page</title>")

    def start_command(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "motionloom", "studio", "--no-open", *(str(argument) for argument in arguments)],
            env={**os.environ, "MOTIONLOOM_STUDIO_STATIC": str(page)},
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process, process.stdout.readline().strip()

    yield start_command
    for process in started:
        process.kill()
        process.communicate()


def get(address, path="/", **headers):
    there = urlsplit(address)
    connection = http.client.HTTPConnection(there.hostname, there.port, timeout=SECONDS)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


@pytest.fixture
def corpus(tmp_path):
    Corpus.create(tmp_path / "mine").close()
    return tmp_path / "mine"


def test_the_studio_prints_its_address_answers_there_and_ends_cleanly(start, corpus):
    process, address = start(corpus)
    assert address.startswith("http://127.0.0.1:") and "token" not in address
    answer, body = get(address)
    assert answer.status == 200 and "the page" in body
    assert answer.getheader("content-security-policy")
    assert '"name":"mine"' in get(address, "/api/session")[1]
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert "everything is saved" in printed and "Traceback" not in printed
    Corpus.open(corpus, write=True).close()  # the lock was let go


def test_without_a_corpus_it_offers_those_of_the_folder(start, corpus):
    _, address = start("--port", 0)
    assert '"name":"mine"' in get(address, "/api/corpora")[1]


def test_a_host_means_a_token_that_is_in_the_address(start, corpus):
    _, address = start(corpus, "--host", "127.0.0.1")
    token = urlsplit(address).query.removeprefix("token=")
    assert len(token) >= 32
    assert get(address)[0].status == 401
    assert get(address, f"/?token={token}")[0].status == 303
    assert get(address, Authorization=f"Bearer {token}")[0].status == 200


def test_a_port_in_use_is_reported_in_one_sentence(motionloom, corpus, monkeypatch):
    monkeypatch.setattr(studio, "_ensure_built", lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = motionloom("studio", corpus, "--port", port, "--no-open")
    assert ran.code == 2
    assert f"port {port} is in use" in ran.err and ran.err.count("\n") == 1


def test_what_is_no_corpus_is_reported_in_one_sentence(motionloom, tmp_path, monkeypatch):
    monkeypatch.setattr(studio, "_ensure_built", lambda: None)
    for folder in (tmp_path / "missing", tmp_path):
        ran = motionloom("studio", folder, "--no-open")
        assert ran.code == 2 and ran.err.count("\n") == 1 and str(folder) in ran.err


def test_an_address_of_another_computer_is_refused(motionloom, corpus, monkeypatch):
    monkeypatch.setattr(studio, "_ensure_built", lambda: None)
    ran = motionloom("studio", corpus, "--host", "192.0.2.77", "--no-open")
    assert ran.code == 2 and "cannot listen at 192.0.2.77" in ran.err


def test_a_front_end_that_cannot_be_built_is_reported_in_one_sentence(motionloom, corpus, monkeypatch):
    def fail(**_):
        raise CannotBuild("there is no Node.js: install it")

    monkeypatch.delenv("MOTIONLOOM_STUDIO_STATIC", raising=False)
    monkeypatch.setattr(front_end, "ensure_built", fail)
    ran = motionloom("studio", corpus, "--no-open")
    assert ran.code == 2 and ran.err == "motionloom: the studio cannot start: there is no Node.js: install it\n"


def test_the_usual_port_is_taken_where_it_is_free_and_else_another():
    with run.listen("127.0.0.1", 0) as first, run.listen("127.0.0.1", 0) as second:
        ports = first.getsockname()[1], second.getsockname()[1]
        assert run.USUAL_PORT not in ports[1:] and 0 not in ports and ports[0] != ports[1]


def test_names_of_a_server_are_its_own():
    assert run.name_hosts("127.0.0.1", 80).allow("localhost")
    assert not run.name_hosts("127.0.0.1", 80).allow("192.168.1.5")
    assert run.name_hosts("192.168.1.5", 80).allow("192.168.1.5")
    assert not run.name_hosts("192.168.1.5", 80).allow("192.168.1.6")
    assert run.name_hosts("fe80::5", 80).allow("[fe80::5]:80")
    for everywhere in ("0.0.0.0", "::"):
        assert run.name_hosts(everywhere, 80).allow("192.168.1.6")
        assert run.name_hosts(everywhere, 80).allow(socket.gethostname())
        assert not run.name_hosts(everywhere, 80).allow("evil.example")


def test_the_tour_names_the_program_as_it_can_be_typed(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "motionloom"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert tour.shown_program(str(program)) == "motionloom"
    monkeypatch.setenv("PATH", "/nowhere")
    assert tour.shown_program(str(program)) == str(program)
    assert tour.shown_program("/somewhere/__main__.py") == "motionloom"
