"""A method of some 130 lines gets a command, a desk and a panel by keeping to the protocol."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import yaml
from starlette.testclient import TestClient

from motionloom.assembly import load_result, prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.errors import BadInput
from motionloom.formats import read
from motionloom.methods import METHODS, PIECES, known_methods, load
from motionloom.studio.desks import open_desk, warmed_desks
from motionloom.studio.server.app import create_app
from motionloom.studio.server.settings import Settings
from motionloom.tasks import Task

TAKES = ("walk/stop_and_go", "run/run_1", "wave/walk_and_wave_1", "run/walk_run_walk_1")
REQUEST = {"takes": ["walk/*", "run/*"], "each": "1s"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("medley") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture
def motionloom(with_medley):
    def run(*arguments):
        command = [sys.executable, "-m", "motionloom", *map(str, arguments)]
        return subprocess.run(command, env=with_medley, capture_output=True, text=True, timeout=300)

    return run


@pytest.fixture
def request_file(tmp_path):
    path = tmp_path / "request.yaml"
    path.write_text(yaml.safe_dump(REQUEST))
    return path


def test_the_command_writes_motion_report_and_picture_and_keeps_a_take(motionloom, folder, request_file, tmp_path):
    out, report, picture = (tmp_path / name for name in ("out.bvh", "report.json", "picture.png"))
    options = ("--report", report, "--picture", picture, "--save-as", "made/medley", "--seed", 3)
    ran = motionloom("medley", folder, request_file, "-o", out, *options)
    assert ran.returncode in (0, 1), ran.stderr
    assert "first: cost" in ran.stderr and "3.00 s, 180 frames" in ran.stdout
    assert read(out).motion.n_frames == 180 and picture.read_bytes()[:4] == b"\x89PNG"
    written = json.loads(report.read_text())
    assert written["asked"] == REQUEST and written["parts"][0]["name"] == "longest join"
    assert ran.returncode == (0 if written["met"] else 1)
    with Corpus.open(folder, write=True) as corpus:
        assert load_result(corpus, "made/medley").motion.n_frames == 180
        corpus.remove("made/medley")


def test_its_help_its_schema_and_wrong_use_are_as_those_of_every_method(motionloom, folder, tmp_path):
    assert "Play takes one after another" in motionloom("--help").stdout
    schema = json.loads(motionloom("medley", "--schema").stdout)
    assert set(schema["properties"]) == {"takes", "each"}
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("each: 1s\nspeed: 2\n")
    ran = motionloom("medley", folder, wrong, "-o", tmp_path / "out.bvh")
    assert (ran.returncode, ran.stdout) == (2, "") and len(ran.stderr.splitlines()) == 1
    assert "line 2" in ran.stderr and "speed" in ran.stderr


def test_the_library_runs_it_as_the_command_does(with_medley, folder):
    method = load("medley")
    request = method.Request.from_data(REQUEST)
    with Corpus.open(folder) as corpus:
        model = prepare_for(method, corpus, request)
        better = []
        answer, *others = solve(method, model, request, on_better=better.append)
        result = realize(method, answer, model)
    assert not others and answer.is_settled
    costs = [answer.cost for answer in better]
    assert (np.diff(costs) < 0).all() and answer.cost == costs[-1]
    assert result.motion.n_frames == 180 and {piece.name for piece in result.character.plan.pieces} == set(
        model.view.names
    )


@pytest.mark.parametrize("piece", PIECES)
def test_a_method_that_lacks_a_piece_is_refused_with_its_name(with_medley, monkeypatch, piece):
    whole = load("medley")
    partial = ModuleType("partial_medley")
    partial.__dict__.update({name: getattr(whole, name) for name in PIECES if name != piece})
    monkeypatch.setitem(sys.modules, "partial_medley", partial)
    monkeypatch.setenv("MOTIONLOOM_METHODS", "partial=partial_medley")
    with pytest.raises(BadInput, match=f"it lacks {piece}; see docs/adding_a_method.md"):
        load("partial")


def test_a_model_that_the_studio_could_not_compare_is_refused(with_medley, monkeypatch):
    partial = ModuleType("partial_medley")
    partial.__dict__.update({name: getattr(load("medley"), name) for name in PIECES})
    partial.Model = type("Model", (), {"save": None, "load": None})
    monkeypatch.setitem(sys.modules, "partial_medley", partial)
    monkeypatch.setenv("MOTIONLOOM_METHODS", "partial=partial_medley")
    with pytest.raises(BadInput, match=r"it lacks Model\.is_same; see docs/adding_a_method.md"):
        load("partial")


def test_the_studio_warms_up_methods_that_have_requests_for_it(with_medley, folder, monkeypatch):
    desks = warmed_desks()
    assert "method medley" in desks and "method timeline" in desks and "method snap" not in desks
    desk, searched = open_desk("method medley", folder, False), []
    monkeypatch.setattr(desk, "search", lambda task, request, others: searched.append((request, others)))
    desk.warm_up(Task(lambda *_: None, lambda: False))
    assert searched == [({}, 0)]


def test_methods_of_the_environment_are_named_with_their_package(monkeypatch):
    monkeypatch.setenv("MOTIONLOOM_METHODS", "medley")
    with pytest.raises(BadInput, match="write name=package"):
        load("medley")


def test_the_studio_lists_searches_keeps_and_exports_it(with_medley, folder):
    settings = Settings(home=folder.parent, corpus=folder, is_warmed=False)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        described = {method["name"]: method for method in client.get("/api/methods").json()}["medley"]
        assert described["title"] == "Medley" and set(described["request_schema"]["properties"]) == {"takes", "each"}
        with client.websocket_connect("/api/socket") as socket:
            job = client.post("/api/methods/medley/search", json={"tag": "one", "request": REQUEST}).json()
            answers = []
            while not (answers and answers[-1]["is_whole"]):
                message = socket.receive_json()
                if message["type"] == "job" and message["job"]["id"] == job["id"]:
                    assert message["job"]["state"] != "failed", message["job"]["error"]
                if message["type"] == "answer":
                    answers.append(message["answer"])
        costs = [answer["cost"] for answer in answers]
        assert costs == sorted(costs, reverse=True) and answers[0]["kind"] == "first"
        best = answers[-1]
        assert (best["frames"], best["parts"][0]["name"]) == (180, "longest join") and best["quality"]
        wrong = client.post("/api/methods/medley/search", json={"tag": "two", "request": {"speed": 2}})
        assert wrong.status_code == 400 and "speed" in wrong.text
        exported = client.get("/api/answers/export", params={"answer": best["id"], "extension": "bvh"})
        assert exported.content.startswith(b"HIERARCHY")
        saved = client.post("/api/answers/save", json={"answer": best["id"], "name": "made/by_studio"}).json()
        assert "made/by_studio" in json.dumps(saved)
    with Corpus.open(folder, write=True) as corpus:
        assert load_result(corpus, "made/by_studio").motion.n_frames == 180
        corpus.remove("made/by_studio")


def run_with(added, *arguments, folder=None):
    """Run a command in an environment that adds methods; packages may be in a folder."""
    environment = {**os.environ, "MOTIONLOOM_METHODS": added, "PYTHONPATH": str(folder or Path(__file__).parent)}
    command = [sys.executable, "-m", "motionloom", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("added", "sentence"),
    [
        ("medley", "write name=package"),
        ("label=medley", "'label' is a command of motionloom already; choose another name"),
        ("timeline=medley", "'timeline' is a method of motionloom already; choose another name"),
        ("one=medley,one=medley", "'one' is there twice; choose another name"),
    ],
)
def test_a_wrong_environment_is_refused_in_one_sentence(added, sentence):
    ran = run_with(added, "version")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert sentence in ran.stderr and len(ran.stderr.splitlines()) == 1


BROKEN = {
    "no_such_package": (
        None,
        r"cannot import no_such_package \(No module named 'no_such_package'\); is it on PYTHONPATH\?",
    ),
    "unfinished": ("def search(:\n", r"cannot import unfinished \(SyntaxError: invalid syntax.*unfinished.*line 1"),
    "stumbling": ("1 / 0\n", r"cannot import stumbling \(ZeroDivisionError: division by zero\)"),
    "lacking": ("import no_such_thing\n", r"cannot import lacking \(No module named 'no_such_thing'\)"),
}


@pytest.fixture(params=BROKEN)
def broken(request, tmp_path):
    """The name of a package that cannot be imported, and what is said of it."""
    source, sentence = BROKEN[request.param]
    if source is not None:
        (tmp_path / f"{request.param}.py").write_text(source)
    return request.param, sentence


def test_a_package_that_cannot_be_imported_is_refused_where_it_is_used_and_nowhere_else(broken, tmp_path, folder):
    package, sentence = broken
    for arguments in (["--schema"], [folder, tmp_path / "request.yaml", "-o", tmp_path / "out.bvh"]):
        used = run_with(f"mine={package}", "mine", *arguments, folder=tmp_path)
        assert (used.returncode, used.stdout) == (2, "")
        assert re.search(sentence, used.stderr) and len(used.stderr.splitlines()) == 1
    assert run_with(f"mine={package}", "version", folder=tmp_path).returncode == 0


def test_a_package_that_cannot_be_imported_is_listed_with_the_reason(broken, tmp_path, monkeypatch):
    package, sentence = broken
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MOTIONLOOM_METHODS", f"mine={package}")
    assert re.search(sentence, known_methods()["mine"].summary) and "\n" not in known_methods()["mine"].summary
    with pytest.raises(BadInput, match=sentence):
        load("mine")


def test_the_studio_offers_the_other_methods_where_one_cannot_be_used(monkeypatch, caplog, tmp_path):
    (tmp_path / "half_a_method.py").write_text("Request = None\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MOTIONLOOM_METHODS", "half=half_a_method,mine=no_such_package")
    with TestClient(create_app(Settings(home=tmp_path, is_warmed=False)), base_url="http://127.0.0.1") as client:
        assert {method["name"] for method in client.get("/api/methods").json()} == set(METHODS)
    assert "half_a_method is not a method: it lacks" in caplog.text and "cannot import no_such_package" in caplog.text
