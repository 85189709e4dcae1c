"""Where things lie on the computer of the server is nobody's business: answers name files as people see them."""

import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from motionloom.corpus import Corpus
from motionloom.errors import CorpusError
from motionloom.studio.server import problems
from motionloom.studio.server.app import create_app
from motionloom.studio.server.settings import Settings


@pytest.fixture
def check(corpus_folder):
    """Fails where a text names the folder in which the corpus is, or one above it."""

    def check_text(text):
        for folder in (corpus_folder, *corpus_folder.parents[:-1]):
            assert str(folder) not in text, text[:300]
        return text

    return check_text


def receive_refusal(socket):
    """The next refusal; what else the server sends is passed over."""
    return next(message for message in iter(socket.receive_json, None) if message["type"] == "refused")


def test_errors_of_routes_and_sockets_name_no_folder(client, check):
    for ask in (
        lambda: client.get("/api/motion", params={"id": "take:nothing"}),
        lambda: client.get("/api/takes/labels", params={"take": "nothing"}),
        lambda: client.get("/api/takes/plots", params={"take": "nothing"}),
        lambda: client.post("/api/takes/remove", json={"takes": ["nothing"]}),
        lambda: client.post("/api/takes/mirror", json={"takes": ["nothing"]}),
        lambda: client.post("/api/exports", json={"takes": ["nothing"], "extension": ".bvh"}),
        lambda: client.get("/api/annotate/tracks", params={"take": "nothing"}),
    ):
        answer = ask()
        assert answer.status_code == 400 and "nothing" in check(answer.text)
    with client.websocket_connect("/api/socket") as socket:
        socket.send_json({"type": "frames", "motion": "take:nothing", "start": 0, "stop": 9})
        refused = receive_refusal(socket)
    assert "no take 'nothing' in corpus" in check(refused["error"])


def test_damaged_arrays_are_named_by_their_place_in_the_corpus(client, corpus_folder, check):
    for path in (corpus_folder / "arrays").iterdir():
        path.unlink()
    with client.websocket_connect("/api/socket") as socket:
        socket.send_json({"type": "frames", "motion": "take:walk/normal_1", "start": 0, "stop": 9})
        refused = receive_refusal(socket)
    assert "missing" in check(refused["error"])
    job = client.post("/api/takes/mirror", json={"takes": ["walk/normal_1"]}).json()
    client.app.state.studio.jobs._jobs[job["id"]].future.exception(60)
    check(client.get("/api/takes/made", params={"job": job["id"]}).text)
    check(client.get("/api/jobs").text)
    assert client.post("/api/exports", json={"takes": ["walk/normal_1"], "extension": ".bvh"}).status_code == 400


def test_takes_of_which_none_could_be_made_are_explained_without_folders(client, corpus_folder, check):
    with client.app.state.studio.corpus() as corpus:
        Path(corpus.frames("walk/normal_1").filename).unlink()
    job = client.post("/api/takes/mirror", json={"takes": ["walk/normal_1", "run/run_1"]}).json()
    client.app.state.studio.jobs._jobs[job["id"]].future.result(60)
    made = client.get("/api/takes/made", params={"job": job["id"]}).json()["made"]
    assert made[1]["made"] and "missing" in check(made[0]["error"])


def test_an_archive_says_what_it_lacks_without_naming_folders(client, corpus_folder, check):
    for path in (corpus_folder / "arrays").iterdir():
        path.unlink()
    wanted = {"takes": ["walk/normal_1", "run/run_1"], "extension": ".bvh"}
    content = client.get(client.post("/api/exports", json=wanted).json()["address"]).content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "walk/normal_1" in check(archive.read("not exported.txt").decode())


def test_why_nothing_can_be_changed_names_no_folder(corpus_folder, check):
    with Corpus.open(corpus_folder, write=True):  # as another program does
        settings = Settings(home=corpus_folder.parent, corpus=corpus_folder, is_warmed=False)
        with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
            told = check(client.get("/api/session").text)
            assert "is writing to this corpus" in told
            check(client.post("/api/takes/remove", json={"takes": ["run/run_1"]}).text)


def test_sources_of_takes_are_named_from_the_folder_of_the_corpora_on(client, corpus_folder):
    files = {"near": corpus_folder.parent / "recordings" / "near.bvh", "far": Path("/far/away/far.bvh")}
    studio = client.app.state.studio
    with studio.corpus(write=True) as corpus:
        for name, path in files.items():
            take = corpus.take("walk/normal_1")
            motion = replace(take.motion, root_positions=take.motion.root_positions + len(name))
            corpus.add(replace(take, name=name, motion=motion, source=replace(take.source, path=str(path))))
    rows = {row["name"]: row["source"] for row in client.get("/api/takes").json()["takes"]}
    assert rows["near"] == "recordings/near.bvh" and rows["far"] == "far.bvh"


def test_nothing_else_in_a_sentence_is_changed(tmp_path):
    error = CorpusError(f"{tmp_path}/x.npy and 'walk/tmp/1' and 'a{tmp_path}' and 3/4 in {tmp_path}: no")
    assert problems.as_sentence(error, [tmp_path]) == (
        f"x.npy and 'walk/tmp/1' and 'a{tmp_path}' and 3/4 in {tmp_path.name}: no"
    )
    assert re.fullmatch(r"x{597}\.\.\.", problems.as_sentence(CorpusError("x" * 5000), []))
