"""What a page hears when it opens: the corpus, the document, the jobs."""

import contextlib
import shutil
from concurrent.futures import Future
from types import SimpleNamespace

import yaml
from starlette.testclient import TestClient

from motionloom.corpus import Corpus
from motionloom.errors import BadInput
from motionloom.methods.timeline import Request
from motionloom.studio import document, document_files
from motionloom.studio.server.app import create_app
from motionloom.studio.server.jobs import Jobs, RunningJob
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.settings import Settings
from motionloom.studio.server.studio import Studio


def save(client, **changes):
    state = client.get("/api/document").json()
    wanted = {key: state[key] for key in ("name", "revision", "content", "past", "future")} | changes
    return client.put("/api/document", json=wanted)


def test_the_session_says_which_corpus_is_open(client):
    reply = client.get("/api/session").json()
    assert reply["corpus"]["takes"] == 3
    assert reply["corpus"]["can_write"] is True
    assert reply["can_choose"] is False
    assert ".bvh" in reply["endings"]


def test_a_corpus_that_another_program_writes_to_is_open_for_reading_only(corpus_folder, tmp_path):
    with (
        Corpus.open(corpus_folder, write=True),
        TestClient(create_app(Settings(tmp_path, corpus_folder, is_warmed=False))) as page,
    ):
        reply = page.get("/api/session").json()["corpus"]
        assert (reply["can_write"], "writing to this corpus" in reply["reason"]) == (False, True)
        answer = save(page)
        assert answer.status_code == 400
        assert "reading only" in answer.json()["error"]


def test_the_lock_is_free_again_when_the_server_has_ended(corpus_folder, tmp_path):
    with TestClient(create_app(Settings(tmp_path, corpus_folder, is_warmed=False))) as page:
        assert page.get("/api/session").status_code == 200
    Corpus.open(corpus_folder, write=True).close()


def test_desks_get_ready_in_turn_and_none_waits_for_the_one_that_measures(corpus_folder, tmp_path, monkeypatch):
    begun = []

    def start(jobs, desk, method, arguments, *, title, **options):
        begun.append(title)
        job = RunningJob(Job(id=1, kind="warm-up", title=title, state="waiting"), None)
        job.future.set_result(None)
        return job

    monkeypatch.setattr(Jobs, "start", start)
    studio = Studio(Settings(tmp_path, corpus_folder))
    studio.shut()
    desks = ("display", "annotate", "timeline", "snap", "hubs", "buildup", "direct", "library")
    assert begun == [f"getting {name} ready" for name in desks]


def test_a_saved_document_comes_back_and_is_readable(client, corpus_folder):
    content = client.get("/api/document").json()["content"]
    content["timeline"]["request"] |= {
        "length": "4s",
        "labels": [{"label": "walk", "from": "0s", "to": "2s", "value": "must"}],
    }
    content["timeline"]["tracks"] = ["walk"]
    step = {"kind": "paint", "title": "paint walk", "args": {"x": 1}, "memory": None}
    assert save(client, content=content, past=[step]).status_code == 200
    back = client.get("/api/document").json()
    assert back["content"]["timeline"]["request"]["labels"] == content["timeline"]["request"]["labels"]
    assert back["past"] == [step]
    written = yaml.safe_load((corpus_folder / "studio" / "untitled.yaml").read_text())
    assert written["timeline"] == {"tracks": ["walk"]}
    assert Request.read(corpus_folder / "studio" / "untitled.request.yaml").labels[0].label == "walk"


def test_what_is_asked_of_methods_is_saved_as_it_was_typed_also_of_one_that_is_gone(client, corpus_folder):
    content = client.get("/api/document").json()["content"]
    content |= {"workspace": "method:gone", "methods": {"gone": {"request": {"each": "soon", "takes": None, "n": [1]}}}}
    assert save(client, content=content).status_code == 200
    client.post("/api/document/new", json={"name": "other"})
    back = client.post("/api/document/open", json={"name": "untitled"}).json()
    assert (back["problem"], back["content"]) == ("", content)
    refused = save(client, content=content | {"workspace": "method:"})
    assert (refused.status_code, "is no workspace" in refused.json()["error"]) == (400, True)


def test_two_windows_do_not_overwrite_each_other(client):
    first = client.get("/api/document").json()
    assert save(client).status_code == 200
    late = client.put("/api/document", json={key: first[key] for key in ("name", "revision", "content")})
    assert late.status_code == 409
    assert "another window" in late.json()["error"]


def test_a_page_goes_on_saving_when_the_server_was_started_again(corpus_folder, tmp_path):
    settings = Settings(tmp_path, corpus_folder, is_warmed=False)
    with TestClient(create_app(settings)) as page:
        new = page.get("/api/document").json()
    with TestClient(create_app(settings)) as page:  # nothing had been saved before
        assert page.put("/api/document", json={key: new[key] for key in ("name", "revision", "content")}).is_success
        known = page.get("/api/document").json()
    with TestClient(create_app(settings)) as page:
        assert page.put("/api/document", json={key: known[key] for key in ("name", "revision", "content")}).is_success
        late = page.put("/api/document", json={key: known[key] for key in ("name", "revision", "content")})
        assert late.status_code == 409


def test_documents_are_made_opened_and_renamed(client):
    save(client)
    made = client.post("/api/document/new", json={"name": "second try"}).json()
    assert made["name"] == "second try"
    assert set(made["names"]) == {"second try", "untitled"}
    assert client.post("/api/document/rename", json={"name": "third"}).json()["names"][0] == "third"
    assert client.post("/api/document/open", json={"name": "untitled"}).json()["name"] == "untitled"
    assert client.post("/api/document/open", json={"name": "nowhere"}).status_code == 400


def test_a_renamed_document_is_whole_wherever_it_is_cut_off(client, corpus_folder, monkeypatch):
    content = client.get("/api/document").json()["content"]
    content["timeline"]["request"]["length"] = "7s"
    save(client, content=content)
    for broken in ("replace_file", "unlink"):
        with monkeypatch.context() as patch:
            if broken == "unlink":
                patch.setattr(document_files.Path, "unlink", cut_off)
            else:
                patch.setattr(document_files, "replace_file", cut_off)
            with contextlib.suppress(KeyboardInterrupt):
                document.rename(corpus_folder, "untitled", "better")
        (name,) = document.names(corpus_folder)
        assert document.load(corpus_folder, name).content.timeline.request.length == "7s"


def cut_off(*_, **__):
    raise KeyboardInterrupt


def test_files_that_are_no_documents_are_not_taken_for_one(corpus_folder, client):
    save(client)
    for name in ("untitled (copy)", ".untitled", "untitled.request"):
        shutil.copy(corpus_folder / "studio" / "untitled.yaml", corpus_folder / "studio" / f"{name}.yaml")
    assert document.names(corpus_folder) == ["untitled"]


def test_a_corpus_that_is_gone_is_reported_in_a_sentence(client, corpus_folder):
    shutil.rmtree(corpus_folder)
    answer = save(client)
    assert (answer.status_code, "is the corpus still there" in answer.json()["error"]) == (500, True)


def test_names_that_lead_out_of_the_corpus_are_no_names_of_documents(client, corpus_folder):
    for name in ("../outside", "/etc/passwd", "a/b", "..", "a\0b", ".hidden", "x.request"):
        for what in ("new", "open", "rename"):
            answer = client.post(f"/api/document/{what}", json={"name": name})
            assert answer.status_code == 400, (what, name)
    assert not list(corpus_folder.parent.glob("outside*"))


def test_a_request_that_was_broken_by_hand_is_reported_and_the_rest_comes_back(client, corpus_folder):
    save(client, content=client.get("/api/document").json()["content"] | {"workspace": "timeline"})
    (corpus_folder / "studio" / "untitled.request.yaml").write_text("length: ten\n")
    client.post("/api/document/new", json={"name": "other"})
    state = client.post("/api/document/open", json={"name": "untitled"}).json()
    assert "untitled.request.yaml" in state["problem"]
    assert "line 1" in state["problem"]
    assert state["content"]["workspace"] == "timeline"


def test_what_is_no_document_is_refused_in_a_sentence(client):
    answer = save(client, content={"workspace": "nowhere"})
    assert answer.status_code == 400
    assert "workspace" in answer.json()["error"]


def test_without_a_corpus_everything_says_so_and_one_can_be_made(home_client):
    assert home_client.get("/api/session").json()["corpus"] is None
    refused = home_client.get("/api/document")
    assert (refused.status_code, "no corpus is open" in refused.json()["error"]) == (409, True)
    assert home_client.post("/api/corpora/new", json={"name": "mine"}).status_code == 200
    assert home_client.get("/api/session").json()["corpus"]["name"] == "mine"
    assert [corpus["name"] for corpus in home_client.get("/api/corpora").json()] == ["mine"]
    assert home_client.post("/api/corpora/open", json={"name": "mine"}).status_code == 200
    assert home_client.get("/api/session").json()["corpus"]["can_write"], "it was open already, and still is"


def test_the_demo_corpus_gets_another_name_where_there_is_something_else(home_client, tmp_path, monkeypatch):
    (tmp_path / "home" / "demo" / "corpus").mkdir(parents=True)  # as `make demo` leaves it
    asked = []

    def call(*words):
        asked.append(words)
        raise BadInput("not now")

    monkeypatch.setattr(home_client.app.state.studio.demo_desk, "call", call)
    home_client.post("/api/corpora/demo")
    Corpus.create(tmp_path / "home" / "demo-2").close()
    assert [words[1] for words in asked] == [{"name": "demo-2"}]
    assert home_client.post("/api/corpora/demo").json()["state"] == "done"
    assert home_client.get("/api/session").json()["corpus"]["name"] == "demo-2"


def test_a_demo_corpus_that_was_made_is_done_and_open(home_client, tmp_path, monkeypatch):
    made: Future = Future()

    def call(method, arguments, listener):
        return SimpleNamespace(future=made, cancel=lambda: None)

    monkeypatch.setattr(home_client.app.state.studio.demo_desk, "call", call)
    job = home_client.post("/api/corpora/demo").json()
    Corpus.create(tmp_path / "home" / "demo").close()
    made.set_result("demo")
    assert [(each["id"], each["state"]) for each in home_client.get("/api/jobs").json()] == [(job["id"], "done")]
    assert home_client.get("/api/session").json()["corpus"]["name"] == "demo"


def test_corpora_are_opened_by_name_alone(home_client, tmp_path):
    Corpus.create(tmp_path / "outside").close()
    (tmp_path / "home" / "link").symlink_to(tmp_path / "outside")
    for name in ("../outside", "..", ".", "/tmp", "a/b", "a\\b", "x\0", "x\ny", "link"):
        for what in ("open", "new"):
            assert home_client.post(f"/api/corpora/{what}", json={"name": name}).status_code == 400, (what, name)


def test_a_studio_with_one_corpus_opens_no_other(client, tmp_path):
    Corpus.create(tmp_path / "outside").close()
    answer = client.post("/api/corpora/open", json={"name": "outside"})
    assert (answer.status_code, "one corpus" in answer.json()["error"]) == (400, True)
    assert client.get("/api/corpora").json() == []


def test_what_is_not_there_is_reported_in_a_sentence(client):
    assert client.get("/api/nothing").json()["error"]
    assert "no take" in client.get("/api/motion", params={"id": "take:nobody"}).json()["error"]
    assert "no motion" in client.get("/api/motion", params={"id": "../../etc/passwd"}).json()["error"]
    assert client.get("/api/skeletons/none").status_code == 400
