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

    def start_command(*arguments, opens=False, **environment):
        words = ["studio", *([] if opens else ["--no-open"]), *(str(argument) for argument in arguments)]
        places = {"MOTIONLOOM_STUDIO_STATIC": str(page), "XDG_STATE_HOME": str(tmp_path / "state")}
        process = subprocess.Popen(
            [sys.executable, "-m", "motionloom", *words],
            env={**os.environ, **places, **environment},
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


def token_of(address):
    return urlsplit(address).query.removeprefix("token=")


def known(address):
    """The header of a program that knows the token."""
    return {"Authorization": f"Bearer {token_of(address)}"}


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
    assert address.startswith("http://127.0.0.1:")
    answer, body = get(address, **known(address))
    assert answer.status == 200 and "the page" in body
    assert answer.getheader("content-security-policy")
    assert '"name":"mine"' in get(address, "/api/session", **known(address))[1]
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert "everything is saved" in printed and "Traceback" not in printed
    Corpus.open(corpus, write=True).close()  # the lock was let go


def test_without_a_corpus_it_offers_those_of_the_folder(start, corpus):
    _, address = start("--port", 0)
    assert '"name":"mine"' in get(address, "/api/corpora", **known(address))[1]


def test_other_users_of_the_computer_are_not_let_in(start, corpus):
    _, address = start(corpus)
    assert len(token_of(address)) >= 32
    for path in ("/", "/index.html", "/api/session", "/api/takes", "/nothing"):
        answer, body = get(address, path)
        assert answer.status == 401 and "a token is needed" in body and "the page" not in body
    handshake = dict(
        Connection="Upgrade",
        Upgrade="websocket",
        Sec_WebSocket_Version="13",
        Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
    )
    assert get(address, "/api/socket", **handshake)[0].status == 401
    assert get(address, "/api/session", Authorization="Bearer " + "x" * 32)[0].status == 401


def test_the_printed_address_lets_a_browser_in_for_as_long_as_it_keeps_the_cookie(start, corpus):
    process, address = start(corpus, "--port", 0)
    answer, _ = get(address, f"/?token={token_of(address)}")
    cookie = answer.getheader("set-cookie").partition(";")[0]
    assert answer.status == 303 and answer.getheader("location") == "/"
    assert "the page" in get(address, Cookie=cookie)[1]
    process.kill()
    process.wait()
    _, again = start(corpus, "--port", urlsplit(address).port)
    assert again == address and get(address, Cookie=cookie)[0].status == 200  # a page that is open goes on


def test_two_studios_have_cookies_of_their_own(start, corpus):
    addresses = [start()[1], start()[1]]
    cookies = [get(address, f"/?token={token_of(address)}")[0].getheader("set-cookie") for address in addresses]
    assert cookies[0].partition("=")[0] != cookies[1].partition("=")[0]


def test_the_browser_is_opened_by_an_address_that_is_good_for_once(start, corpus, tmp_path):
    browser, pipe = tmp_path / "browser", tmp_path / "pipe"
    os.mkfifo(pipe)
    browser.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {pipe}\n')
    browser.chmod(0o755)
    with open(os.open(pipe, os.O_RDWR), "rb", buffering=0) as written:
        _, address = start(corpus, opens=True, BROWSER=f"{browser} %s")
        where = written.read(1000).decode()
    assert where.partition("?")[0] == address.partition("?")[0] and token_of(address) not in where
    path = "/?" + urlsplit(where).query
    answer, _ = get(address, path)
    assert answer.status == 303 and token_of(address) in answer.getheader("set-cookie")
    answer, body = get(address, path)
    assert answer.status == 401 and "used already" in body


def test_a_host_means_a_token_of_its_own_that_is_in_the_address(start, corpus):
    _, own = start()
    _, address = start(corpus, "--host", "127.0.0.1")
    token = token_of(address)
    assert len(token) >= 32 and token != token_of(own)
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
