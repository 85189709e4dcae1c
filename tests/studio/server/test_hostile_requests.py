"""Requests that no page sends: every one gets a sentence, none a traceback, and the server goes on."""

import json
import logging
import os

import pytest
from starlette.testclient import TestClient

from motionloom.corpus import Corpus
from motionloom.studio.server.app import create_app
from motionloom.studio.server.settings import Settings

pytestmark = pytest.mark.long
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n" for before, after in zip("abcd", "bcde")
)
LONE = "\\ud800"
STEP = '{"name": "untitled", "revision": 0, "content": {}, "past": [{"kind": "", "title": "", "args": %s}]}'


@pytest.fixture(autouse=True)
def quiet(caplog):
    """Nothing of what is asked here is an error of the studio's own."""
    with caplog.at_level(logging.ERROR):
        yield
    assert not caplog.records


@pytest.fixture
def client(corpus_folder):
    """A page to which a server bug is an answer with status 500, as it is to a browser."""
    settings = Settings(home=corpus_folder.parent, corpus=corpus_folder, is_warmed=False)
    with TestClient(create_app(settings), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


def sentence(answer):
    """The sentence that a request was refused with."""
    assert answer.status_code in (400, 409, 413, 422), answer.text
    told = answer.json()
    assert list(told) == ["error"] and "\n" not in told["error"] and len(told["error"]) <= 600
    return told["error"]


def send(client, path, body, method="POST"):
    """Send a body as it is, JSON or not."""
    content = body if isinstance(body, bytes) else body.encode()
    return client.request(method, path, content=content, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOMB, "write the value out"),
        ("length: !!python/object/apply:os.system [true]\n", "tags"),
        ("length: !!set {a}\n", "tags"),
        ("length: !!binary aGk=\n", "tags"),
        ("length: !!timestamp 2020-01-01\n", "tags"),
        ("takes: !!omap [a: 1]\n", "tags"),
        ("length: !foo 1\n", "tags"),
        ("? [a, b]\n: 1\n", "key"),
        ("1: 2\n", "key"),
        ("<<: {length: 10s}\n", "<<"),
        ('length: "\\ud800"\n', "request.yaml line 1"),
        ('takes: ["a\\0b"]\n', "U+0000"),
        (f"length: {'1' * 5000}\n", "at most 100"),
        ("takes: " + "[" * 5000 + "]" * 5000, "deep"),
        ("length: .nan\n", "finite"),
    ],
)
@pytest.mark.parametrize("method", ["timeline", "snap"])
def test_a_file_that_no_person_wrote_is_refused_in_a_sentence(client, method, text, words):
    assert words in sentence(client.post(f"/api/methods/{method}/parse", json={"text": text}))


def test_a_text_that_is_too_long_is_refused(client):
    answer = client.post("/api/methods/timeline/parse", json={"text": "#" * 1_000_001})
    assert "at most 1000000 characters" in sentence(answer)


NAMES = [
    ("POST", "/api/methods/timeline/text", '{"request": {"length": "10s", "takes": ["%s"]}}'),
    ("POST", "/api/methods/timeline/text", '{"request": {"%s": "10s"}}'),
    ("POST", "/api/methods/timeline/search", '{"tag": "%s", "request": {"length": "10s"}}'),
    ("POST", "/api/methods/timeline/parse", '{"text": "length: 10s", "name": "%s"}'),
    ("POST", "/api/methods/timeline/parse", '{"text": "length: %s"}'),
    ("POST", "/api/methods/timeline/parse", '{"%s": 1}'),
    ("POST", "/api/takes/rename", '{"take": "walk/normal_1", "name": "%s"}'),
    ("POST", "/api/takes/rename", '{"take": "%s", "name": "x"}'),
    ("POST", "/api/takes/remove", '{"takes": ["%s"]}'),
    ("POST", "/api/takes/mirror", '{"takes": ["%s"]}'),
    ("POST", "/api/annotate/rename", '{"old": "walk", "new": "%s"}'),
    ("POST", "/api/annotate/learn", '{"vocabulary": ["%s"]}'),
    (
        "POST",
        "/api/annotate/accept",
        '{"take": "walk/normal_1", "labels": ["%s"], "start": 0, "stop": 9, "ranges": {"%s": [[0, 9]]}}',
    ),
    ("POST", "/api/document/new", '{"name": "%s"}'),
    ("POST", "/api/document/rename", '{"name": "%s"}'),
    ("PUT", "/api/document", '{"name": "%s", "revision": 0, "content": {}}'),
    (
        "PUT",
        "/api/document",
        '{"name": "untitled", "revision": 0, "content": {}, "past": [{"kind": "a", "title": "b", "args": ["%s"]}]}',
    ),
    (
        "PUT",
        "/api/document",
        '{"name": "untitled", "revision": 0, "content": {"methods": {"x": {"request": {"%s": 1}}}}}',
    ),
    ("POST", "/api/exports", '{"takes": ["%s"], "extension": ".bvh"}'),
    ("POST", "/api/answers/save", '{"answer": "%s", "name": "x"}'),
    ("POST", "/api/timeline/labels", '{"takes": ["%s"]}'),
]


@pytest.mark.parametrize("escaped", [LONE, "\\udfff", "x\\u0000y", "\\u0007"])
@pytest.mark.parametrize(("method", "path", "body"), NAMES)
def test_text_with_characters_that_cannot_be_kept_is_refused_everywhere(client, method, path, body, escaped):
    before = client.get("/api/document").text, client.get("/api/takes").text
    sentence(send(client, path, body.replace("%s", escaped), method))
    assert (client.get("/api/document").text, client.get("/api/takes").text) == before


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 5000, "-" + "1" * 200])
def test_numbers_that_cannot_be_kept_are_refused(client, value):
    sentence(send(client, "/api/document", STEP.replace("%s", value), "PUT"))
    sentence(send(client, "/api/methods/timeline/text", f'{{"request": {{"length": {value}}}}}'))
    sentence(send(client, "/api/annotate/learn", f'{{"vocabulary": [], "gamma": {value}}}'))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nothing",
        b"\xff\xfe",
        b"[]",
        b'"text"',
        b"5",
        b"null",
        b"[" * 100_000,
        b'{"request":' * 50_000,
        b"\x00",
    ],
)
@pytest.mark.parametrize("path", ["/api/methods/timeline/text", "/api/takes/remove", "/api/corpora/open"])
def test_bodies_that_are_no_message_are_refused(client, path, body):
    sentence(send(client, path, body))


def test_deep_values_are_refused_where_anything_may_be_kept(client):
    deep = "[" * 900 + "]" * 900
    assert "deep" in sentence(send(client, "/api/document", STEP.replace("%s", deep), "PUT"))


def test_what_a_refused_request_holds_does_not_come_back_whole(client):
    told = sentence(client.post("/api/methods/timeline/text", json={"request": {"length": "x" * 100_000}}))
    assert len(told) <= 600
    sentence(client.post("/api/methods/timeline/text", json={"request": {"y" * 100_000: 1}}))
    sentence(client.post("/api/takes/remove", json={"takes": ["z" * 100_000]}))
    sentence(client.post("/api/methods/" + "m" * 5000 + "/text", json={"request": {}}))


def test_a_corpus_whose_folder_has_a_name_that_is_no_text_can_be_worked_with(tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    Corpus.create(folder).close()
    with TestClient(create_app(Settings(home=tmp_path, corpus=folder, is_warmed=False))) as client:
        assert client.get("/api/session").json()["corpus"]["name"] == "caf\N{REPLACEMENT CHARACTER}"
    with TestClient(create_app(Settings(home=tmp_path, is_warmed=False))) as client:
        assert client.get("/api/corpora").status_code == 200


def test_json_with_every_kind_of_value_still_comes_through(client):
    args = {"text": "caf\u00e9 \U0001f57a\t\n", "numbers": [1, -2.5, 1e10, 2**63], "none": None, "is": [True, False]}
    content = client.get("/api/document").json()
    body = {"name": content["name"], "revision": content["revision"], "content": {}, "past": [
        {"kind": "a", "title": "b", "args": args}]}  # fmt: skip
    answer = send(client, "/api/document", json.dumps(body), "PUT")
    assert answer.status_code == 200
    assert client.get("/api/document").json()["past"][0]["args"] == args
