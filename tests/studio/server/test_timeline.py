"""Timelines over the wire: paint in, motions out, kept and exported."""

import json

import numpy as np
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from motionloom.assembly import load_result, read_result
from motionloom.methods.timeline import Request
from motionloom.studio.server.app import create_app
from motionloom.studio.server.messages.timeline import TimelineDetails
from motionloom.studio.server.packing import unpack
from motionloom.studio.server.settings import Settings

TAKES = ("run/walk_run_walk_1", "run/run_1")
REQUEST = {"length": "3s", "labels": [{"label": "walk", "to": "1.5s"}, {"label": "run", "from": "2s"}]}


@pytest.fixture(scope="module")
def corpus_folder(make, tmp_path_factory):
    folder = tmp_path_factory.mktemp("timeline") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture(scope="module")
def client(corpus_folder):
    """One server for all tests here: comparing all frames of a corpus takes a while."""
    settings = Settings(home=corpus_folder.parent, corpus=corpus_folder, is_warmed=False)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        yield client


def hear(socket, job, wanted):
    """All answers up to the first that is wanted."""
    heard = []
    while True:
        message = socket.receive_json()
        if message["type"] == "job" and message["job"]["id"] == job:
            assert message["job"]["state"] != "failed", message["job"]["error"]
        if message["type"] == "answer":
            heard.append(message["answer"])
            if wanted(message["answer"]):
                return heard


def search(client, socket, request=REQUEST, tag="one", others=0):
    job = client.post("/api/methods/timeline/search", json={"tag": tag, "request": request, "others": others})
    assert job.status_code == 200, job.text
    return hear(socket, job.json()["id"], lambda answer: answer["tag"] == tag and answer["is_whole"])


def frames_of(socket, answer):
    socket.send_text(json.dumps({"type": "frames", "motion": answer["id"], "start": 0, "stop": 256}))
    message = socket.receive()
    while message.get("bytes") is None:
        message = socket.receive()
    return unpack(message["bytes"])[1]


def test_a_painted_request_becomes_a_motion_with_its_report(client):
    with client.websocket_connect("/api/socket") as socket:
        answers = search(client, socket)
        arrays = frames_of(socket, answers[-1])
    assert answers[0]["kind"] == "first" and answers[-1]["kind"] == "best"
    best = answers[-1]
    assert arrays["roots"].shape == (180, 3)
    details = TimelineDetails.model_validate(best["details"])
    assert [stretch.label for stretch in details.labels] == ["walk", "run"]
    assert sum(piece.stop - piece.start for piece in details.pieces) == 180
    assert best["quality"] and best["parts"] and 0 <= best["verdict"]["percent"] <= 100
    assert best["cost"] == pytest.approx(sum(best["costs"].values()))
    steps = client.get("/api/steps", params={"id": best["id"]}).json()
    assert steps["footprints"]
    assert client.get("/api/motion", params={"id": best["id"]}).json()["frames"] == 180


def test_what_cannot_be_met_is_reported_with_a_reason(client):
    paint = [{"label": "walk"}, {"label": "run"}]
    with client.websocket_connect("/api/socket") as socket:
        *before, best = search(client, socket, {"length": "2s", "labels": paint})
    details = TimelineDetails.model_validate(best["details"])
    assert not best["is_met"] and best["verdict"]["percent"] < 100
    assert before and all(not answer["is_whole"] and not answer["details"]["reasons"] for answer in before)
    assert details.reasons[0].kind == "combination" and details.reasons[0].advice
    assert any(word == "wrong" for stretch in details.labels for *_, word in stretch.runs)
    assert [stretch.met for stretch in details.labels].count(False) >= 1


def test_the_verdict_of_every_answer_is_that_of_the_lines_of_its_report(client):
    """Whether its report is whole or not; where nothing is painted there is no share."""
    contradiction = {"length": "2s", "labels": [{"label": "walk"}, {"label": "run"}]}
    nothing_painted = {"length": "2s", "places": [{"at": "end", "position": [0.0, 1.0]}]}
    with client.websocket_connect("/api/socket") as socket:
        answers = [
            answer
            for tag, request in enumerate((REQUEST, contradiction, nothing_painted))
            for answer in search(client, socket, request, tag=f"verdict {tag}")
        ]
    for answer in answers:
        verdict, painted = answer["verdict"], answer["details"]["labels"]
        others = [part for part in answer["parts"] if not part["name"].endswith(": frames that miss it")]
        lines = [stretch["met"] for stretch in painted] + [part["met"] for part in others]
        assert (verdict["missed"], verdict["of"]) == (lines.count(False), len(lines))
        right = [word for stretch in painted for start, stop, word in stretch["runs"] for _ in range(start, stop)]
        assert verdict["percent"] == (100 * right.count("right") // len(right) if right else None)
        assert all(stretch["percent"] <= 100 * stretch["right"] + 1e-6 for stretch in painted)


def test_a_newer_search_replaces_the_one_that_runs(client):
    with client.websocket_connect("/api/socket") as socket:
        first = client.post("/api/methods/timeline/search", json={"tag": "old", "request": REQUEST, "others": 8}).json()
        search(client, socket, tag="new")
        states = {job["id"]: job["state"] for job in client.get("/api/jobs").json()}
    assert states[first["id"]] == "cancelled"


def test_newer_searches_do_not_stop_the_comparison_that_they_wait_for(client):
    chosen = {**REQUEST, "takes": ["run/run_1"], "labels": [{"label": "run"}]}  # frames that nobody has compared yet
    for number in range(3):
        asked = {**chosen, "length": f"{number + 1}s"}
        client.post("/api/methods/timeline/search", json={"tag": f"{number}", "request": asked})
    jobs = client.app.state.studio.jobs
    *_, ready = [job for job in jobs.all() if job.kind == "warm-up"]
    assert len([job for job in jobs.all() if job.id > ready.id]) == 3  # all wait for the one comparison
    jobs._jobs[ready.id].future.result(60)
    assert jobs._jobs[ready.id].status.state == "done"


def test_a_request_that_makes_no_sense_fails_with_a_sentence(client):
    asked = {"tag": "x", "request": {"length": "2s", "labels": [{"label": "fly"}]}}
    job = client.post("/api/methods/timeline/search", json=asked).json()
    with pytest.raises(Exception, match="nothing is labelled 'fly'"):
        client.app.state.studio.jobs._jobs[job["id"]].future.result(60)
    reply = next(status for status in client.get("/api/jobs").json() if status["id"] == job["id"])
    assert (reply["state"], "nothing is labelled 'fly'" in reply["error"]) == ("failed", True)
    wrong = client.post("/api/methods/timeline/search", json={"tag": "x", "request": {"length": "soon"}})
    assert (wrong.status_code, "is not a valid time" in wrong.json()["error"]) == (400, True)


def test_labels_come_with_how_much_there_is_of_them(client):
    labels = {label["label"]: label for label in client.post("/api/timeline/labels", json={}).json()}
    assert labels["walk"]["seconds"] > 1 and labels["walk"]["longest"] > 1
    assert labels["contacts.left_heel"]["seconds"] is None
    some = client.post("/api/timeline/labels", json={"takes": ["run/run_1"]}).json()
    assert next(label for label in some if label["label"] == "run")["takes"] == 1


def test_a_request_travels_as_the_file_of_the_command_line(client):
    text = client.post("/api/methods/timeline/text", json={"request": REQUEST}).json()["text"]
    assert Request.parse(text) == Request.from_data(REQUEST)
    back = client.post("/api/methods/timeline/parse", json={"text": text}).json()
    assert [label["label"] for label in back["labels"]] == ["walk", "run"]
    wrong = client.post("/api/methods/timeline/parse", json={"text": "length: 3s\nlabels: walk\n", "name": "mine.yaml"})
    assert wrong.status_code == 400
    assert "mine.yaml line 2" in wrong.json()["error"]


def test_an_answer_is_kept_as_a_take_and_taken_back(client, corpus_folder):
    with client.websocket_connect("/api/socket") as socket:
        best = search(client, socket)[-1]
    saved = client.post("/api/answers/save", json={"answer": best["id"], "name": "new/mine"})
    assert saved.status_code == 200, saved.text
    studio = client.app.state.studio
    with studio.corpus() as corpus:
        kept = load_result(corpus, "new/mine")
        assert {"walk", "run"} <= {label.label for label in corpus.labels("new/mine")}
        assert kept.report.quality and kept.motion.n_frames == 180
    again = client.post("/api/answers/save", json={"answer": best["id"], "name": "new/mine"})
    assert (again.status_code, "already" in again.json()["error"]) == (400, True)
    assert client.post("/api/takes/remove", json={"takes": ["new/mine"]}).status_code == 200
    with studio.corpus() as corpus:
        assert "new/mine" not in corpus.names()
    for name in ("../out", "/etc/x", ""):
        refused = client.post("/api/answers/save", json={"answer": best["id"], "name": name})
        assert refused.status_code == 400, name


def test_an_answer_is_exported_in_every_format(client, tmp_path):
    with client.websocket_connect("/api/socket") as socket:
        best = search(client, socket, {"length": "1s"})[-1]
    begins = {"bvh": b"HIERARCHY", "glb": b"glTF", "npz": b"PK", "png": b"\x89PNG", "json": b"{"}
    for extension, first in begins.items():
        got = client.get("/api/answers/export", params={"answer": best["id"], "extension": extension})
        assert got.content.startswith(first), (extension, got.text[:200])
        assert f".{extension}" in got.headers["content-disposition"]
        (tmp_path / f"out.{extension}").write_bytes(got.content)
    assert read_result(tmp_path / "out.npz").motion.n_frames == 60
    assert json.loads((tmp_path / "out.json").read_text())["details"]["pieces"]
    for wrong in ({"answer": best["id"], "extension": "exe"}, {"answer": "answer:999", "extension": "bvh"}):
        assert client.get("/api/answers/export", params=wrong).status_code == 400


def test_the_command_line_makes_the_motion_that_the_studio_shows(client, corpus_folder, tmp_path):
    from motionloom.cli.main import app

    content = client.get("/api/document").json()["content"]
    content["timeline"]["request"] |= REQUEST
    state = client.get("/api/document").json()
    wanted = {key: state[key] for key in ("name", "revision")} | {"content": content}
    assert client.put("/api/document", json=wanted).status_code == 200
    with client.websocket_connect("/api/socket") as socket:
        best = search(client, socket, client.get("/api/document").json()["content"]["timeline"]["request"])[-1]
    shown = client.get("/api/answers/export", params={"answer": best["id"], "extension": "npz"}).content
    (tmp_path / "shown.npz").write_bytes(shown)
    request = corpus_folder / "studio" / "untitled.request.yaml"
    done = CliRunner().invoke(app, ["timeline", str(corpus_folder), str(request), "-o", str(tmp_path / "out.npz")])
    assert done.exit_code in (0, 1), done.output
    ours, theirs = read_result(tmp_path / "shown.npz"), read_result(tmp_path / "out.npz")
    np.testing.assert_array_equal(ours.motion.root_positions, theirs.motion.root_positions)
    np.testing.assert_array_equal(ours.motion.local_rotations, theirs.motion.local_rotations)
