"""Methods that the server knows nothing about are listed, searched, shown, kept and exported like all others."""

import io
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from motionloom.assembly import load_result
from motionloom.methods import MORE
from motionloom.motion import PointMotion
from motionloom.studio.server.app import create_app
from motionloom.studio.server.packing import unpack
from motionloom.studio.server.settings import Settings

HERE = Path(__file__).parent
TAKES = ("walk/normal_1", "run/run_1")
REQUEST = {"take": "walk/normal_1", "marks": [{"name": "begin"}]}


@pytest.fixture(scope="module")
def client(make, tmp_path_factory):
    """A server that was started with the method `duet`, of a body and points, in its environment."""
    folder = tmp_path_factory.mktemp("methods") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        patch.setenv(MORE, "duet=duet")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])))
        settings = Settings(home=folder.parent, corpus=folder, is_warmed=False)
        with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
            yield client


@pytest.fixture(scope="module")
def answer(client):
    """The answer to a request, with its whole report."""
    with client.websocket_connect("/api/socket") as socket:
        asked = client.post("/api/methods/duet/search", json={"tag": "one", "request": REQUEST})
        assert asked.status_code == 200, asked.text
        while True:
            message = socket.receive_json()
            if message["type"] == "job" and message["job"]["id"] == asked.json()["id"]:
                assert message["job"]["state"] != "failed", message["job"]["error"]
            if message["type"] == "answer" and message["answer"]["is_whole"]:
                return message["answer"]


def frames_of(client, motion):
    with client.websocket_connect("/api/socket") as socket:
        socket.send_text(json.dumps({"type": "frames", "motion": motion, "start": 0, "stop": 32}))
        message = socket.receive()
        while message.get("bytes") is None:
            message = socket.receive()
        return unpack(message["bytes"])[1]


def test_methods_come_with_the_schema_of_what_can_be_asked_and_something_to_begin_with(client):
    methods = {method["name"]: method for method in client.get("/api/methods").json()}
    assert list(methods) == ["timeline", "snap", "buildup", "dynamics", "duet"]
    duet = methods["duet"]
    assert (duet["title"], duet["summary"].startswith("Play a take as two")) == ("Duet", True)
    assert duet["request_schema"]["properties"]["rounds"]["maximum"] == 3
    assert duet["example"]["take"] == "walk/normal_1"
    assert duet["example"]["beside"] == {"position": [1.0, 0.0], "heading": None}, "with all defaults"
    assert methods["timeline"]["example"]["length"] == "10s"


def test_every_character_of_an_answer_can_be_played(client, answer):
    assert answer["method"] == "duet" and answer["is_met"]
    assert answer["parts"][0]["name"] == "mark begin"
    assert [(character["name"], character["kind"]) for character in answer["characters"]] == [
        ("body", "body"),
        ("points", "points"),
    ]
    body, points = (character["motion"] for character in answer["characters"])
    assert body == answer["id"]
    described = {motion: client.get("/api/motion", params={"id": motion}).json() for motion in (body, points)}
    assert described[body]["skeleton"] and described[body]["points"] is None
    assert described[points]["kind"] == "points" and "Head" in described[points]["points"]
    assert described[body]["frames"] == described[points]["frames"] == answer["frames"]
    shown = frames_of(client, points)["points"]
    assert shown.shape == (32, len(described[points]["points"]), 3)
    hips = frames_of(client, body)["roots"]
    np.testing.assert_allclose(shown[:, 0] - hips, np.broadcast_to([1.0, 0.0, 0.0], hips.shape), atol=1e-4)
    assert client.get("/api/steps", params={"id": body}).json()["footprints"]
    nothing = {"footprints": [], "contacts": {}, "supports": [], "terrain": None}
    assert client.get("/api/steps", params={"id": points}).json() == nothing
    for wrong in (f"{body}/3", f"{body}/0", f"{body}/x", "answer:999"):
        assert client.get("/api/motion", params={"id": wrong}).status_code == 400, wrong


def test_a_request_that_is_wrong_is_refused_with_the_sentence_of_its_method(client):
    for request, sentence in (
        ({"take": "walk/normal_1", "rounds": 9}, "rounds: it should be less than or equal to 3 (found 9)"),
        ({}, "'take' is missing"),
        ({"take": "a", "speed": 1}, "unknown 'speed'; there can be take, lead"),
    ):
        for what, extra in (("search", {"tag": "x"}), ("text", {})):
            refused = client.post(f"/api/methods/duet/{what}", json={"request": request, **extra})
            assert refused.status_code == 400 and sentence in refused.json()["error"], refused.text


def test_a_method_that_nobody_knows_is_refused_with_those_that_are_known(client):
    for what in ("search", "text", "parse"):
        body = {"tag": "x", "request": {}} if what == "search" else {"request": {}} if what == "text" else {"text": ""}
        refused = client.post(f"/api/methods/solo/{what}", json=body)
        assert refused.status_code == 400
        assert refused.json()["error"] == "no method 'solo'; there are timeline, snap, buildup, dynamics, duet"


def test_requests_travel_as_the_files_of_the_command_line(client):
    text = client.post("/api/methods/duet/text", json={"request": {**REQUEST, "lead": "body"}}).json()["text"]
    assert "take: walk/normal_1" in text and "lead" not in text, "defaults are left out"
    back = client.post("/api/methods/duet/parse", json={"text": text}).json()
    assert back["lead"] == "body" and back["marks"] == [{"name": "begin", "at": "start", "weight": 1.0}]
    wrong = client.post("/api/methods/duet/parse", json={"text": "take: a\nrounds: 0\n", "name": "mine.yaml"})
    assert (wrong.status_code, "mine.yaml line 2" in wrong.json()["error"]) == (400, True)


def test_several_characters_are_kept_as_takes_below_one_name(client, answer):
    saved = client.post("/api/answers/save", json={"answer": answer["id"], "name": "made/duet"})
    assert saved.json()["takes"] == ["made/duet/body", "made/duet/points"], saved.text
    with client.app.state.studio.corpus() as corpus:
        assert load_result(corpus, "made/duet/body").motion.n_frames == answer["frames"]
        assert isinstance(corpus.take("made/duet/points").motion, PointMotion)
    again = client.post("/api/answers/save", json={"answer": answer["id"], "name": "made/duet"})
    assert (again.status_code, "already" in again.json()["error"]) == (400, True)
    twice = client.post("/api/answers/save", json={"answer": answer["id"], "name": "made/twice"})
    assert (twice.status_code, "same frames" in twice.json()["error"]) == (400, True)
    assert client.post("/api/takes/remove", json={"takes": saved.json()["takes"]}).status_code == 200


def test_several_characters_are_exported_as_an_archive_and_the_report_and_picture_as_one_file(client, answer):
    def export(extension):
        return client.get("/api/answers/export", params={"answer": answer["id"], "extension": extension})

    archive = export("npz")
    assert archive.headers["content-type"] == "application/zip"
    assert "duet.zip" in archive.headers["content-disposition"]
    names = zipfile.ZipFile(io.BytesIO(archive.content)).namelist()
    assert names == ["duet_body.npz", "duet_points.npz"]
    assert json.loads(export("json").content)["met"]
    assert export("png").content.startswith(b"\x89PNG")
    for extension in ("bvh", "zip", "exe"):  # points have no bones
        assert export(extension).status_code == 400, extension
