"""The library over the wire: the list, what is done to takes, files that come and go."""

import io
import time
import zipfile

import pytest
from starlette.testclient import TestClient

from motionloom import formats
from motionloom.corpus import Corpus
from motionloom.studio.server.app import create_app
from motionloom.studio.server.messages.library import TakeList
from motionloom.studio.server.packing import unpack
from motionloom.studio.server.settings import Settings
from motionloom.studio.server.studio import Studio
from motionloom.studio.server.workspaces import uploads
from motionloom.tasks import Assistant

pytestmark = pytest.mark.long

BATCH = "batch0001"
TAKE = "walk/normal_1"


def names(client):
    return [take["name"] for take in client.get("/api/takes").json()["takes"]]


def finish(client, job):
    """Wait for a job that makes takes; what it made."""
    for _ in range(600):
        reply = client.get("/api/takes/made", params={"job": job["id"]}).json()
        if reply["state"] != "running":
            return reply
        time.sleep(0.05)
    raise AssertionError("the job does not end")


def send(client, file, content, batch=BATCH):
    headers = {"Content-Type": "application/octet-stream"}
    return client.put("/api/upload", params={"batch": batch, "file": file}, content=content, headers=headers)


def bvh(make, tmp_path, seed):
    path = tmp_path / f"{seed}.bvh"
    formats.write(path, make.motion(n_frames=20, seed=seed))
    return path.read_bytes()


def import_batch(client, batch=BATCH):
    assert client.post("/api/import", json={"batch": batch}).status_code == 200
    for _ in range(600):
        reply = client.get("/api/import", params={"batch": batch}).json()
        if reply["state"] != "running":
            return reply
        time.sleep(0.05)
    raise AssertionError("the import does not end")


class StuckDesk:
    """Works on one thing until it is not wanted any more."""

    def export(self, task, **_):
        while not task.stop():
            time.sleep(0.005)

    plots = export


@pytest.fixture
def stuck(corpus_folder):
    """A page of a server whose desks never come to an end, and which has little patience with them."""
    settings = Settings(corpus_folder.parent, corpus_folder, is_warmed=False, answer_limit=0.05)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        client.app.state.studio.desks |= {"display": Assistant(StuckDesk), "library": Assistant(StuckDesk)}
        yield client


def test_the_list_says_what_is_known_about_every_take(client):
    reply = client.get("/api/takes")
    listed = TakeList.model_validate_json(reply.content)
    assert [take.name for take in listed.takes] == ["run/run_1", "walk/normal_1", "walk/stop_and_go"]
    walk = listed.takes[1]
    assert (walk.kind, walk.fps, walk.made, walk.measured) == ("body", 60.0, True, False)
    assert walk.labels["walk"] > 5
    assert "walk" in listed.labels
    assert sum(skeleton.takes for skeleton in listed.skeletons) == 3
    assert listed.skeletons[0].digest == walk.skeleton
    assert set(listed.limits) == {"skate", "floor", "spikes"}


def test_badges_come_by_themselves_and_are_there_at_once_the_next_time(corpus_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(Studio, "warm_up", lambda studio: None)  # the other desks have nothing to do here
    settings = Settings(tmp_path, corpus_folder)
    with TestClient(create_app(settings)) as page:
        assert not any(take["measured"] for take in page.get("/api/takes").json()["takes"])
        for _ in range(600):
            reply = page.get("/api/takes/badges", params={"since": 0}).json()
            if reply["next"] == 3:
                break
            time.sleep(0.05)
        assert set(reply["badges"]) == {"run/run_1", "walk/normal_1", "walk/stop_and_go"}
        assert page.get("/api/takes/badges", params={"since": 3}).json() == {"badges": {}, "next": 3}
        for _ in range(600):
            if all(job["state"] == "done" for job in page.get("/api/jobs").json() if job["kind"] == "measure"):
                break
            time.sleep(0.05)
    with TestClient(create_app(Settings(tmp_path, corpus_folder, is_warmed=False))) as page:
        assert all(take["measured"] for take in page.get("/api/takes").json()["takes"])


def test_takes_go_and_come_back_and_get_other_names(client):
    removed = client.post("/api/takes/remove", json={"takes": [TAKE, "run/run_1"]}).json()
    assert names(client) == ["walk/stop_and_go"]
    assert client.post("/api/takes/restore", json={"takes": [TAKE, "run/run_1"]} | removed).status_code == 200
    assert client.post("/api/takes/rename", json={"take": TAKE, "name": "walk/first"}).status_code == 200
    assert names(client) == ["run/run_1", "walk/first", "walk/stop_and_go"]
    refused = client.post("/api/takes/rename", json={"take": "walk/first", "name": "run/run_1"})
    assert (refused.status_code, "a take 'run/run_1' with other content exists already" in refused.json()["error"]) == (
        400,
        True,
    )
    assert client.post("/api/takes/remove", json={"takes": ["nobody"]}).status_code == 400
    assert client.post("/api/takes/remove", json={"takes": []}).status_code == 400


def test_pages_hear_that_takes_have_changed(client):
    with client.websocket_connect("/api/socket") as socket:
        client.post("/api/takes/remove", json={"takes": [TAKE]})
        assert socket.receive_json()["what"] == "takes"


def test_takes_are_mirrored_trimmed_and_cleaned_into_new_ones(client):
    made = finish(client, client.post("/api/takes/mirror", json={"takes": [TAKE]}).json())
    assert (made["state"], made["made"][0]["made"]) == ("done", f"{TAKE} mirrored")
    trim = {"take": TAKE, "start": 5, "stop": 65}
    short = finish(client, client.post("/api/takes/trim", json=trim).json())["made"][0]["made"]
    clean = {"takes": [short], "feet": True, "spikes": True}
    cleaned = finish(client, client.post("/api/takes/clean", json=clean).json())["made"][0]
    assert cleaned["made"] == f"{short} clean"
    assert cleaned["before"].keys() == cleaned["after"].keys() == {"skate", "floor", "spikes"}
    assert {f"{TAKE} mirrored", short, cleaned["made"]} <= set(names(client))
    failed = finish(client, client.post("/api/takes/trim", json=trim | {"stop": 10**6}).json())
    assert (failed["state"], "out of range: the take has" in failed["error"]) == ("failed", True)


def test_curves_and_labels_of_a_take_come_for_the_timeline(client):
    header, arrays = unpack(client.get("/api/takes/plots", params={"take": TAKE}).content)
    assert header["frames"] == len(arrays["speed"]) == len(arrays["left_heel"])
    assert set(arrays) == {"speed", "heading", "left_heel", "left_ball", "right_heel", "right_ball"}
    labels = client.get("/api/takes/labels", params={"take": TAKE}).json()
    assert {label["label"] for label in labels} >= {"walk"}
    assert client.get("/api/takes/plots", params={"take": "nobody"}).status_code == 400


def test_files_are_sent_imported_and_reported_one_by_one(client, corpus_folder, make, tmp_path):
    good = bvh(make, tmp_path, 1)
    assert send(client, "monday/a.bvh", good).json() == {"size": len(good)}
    assert send(client, "monday/again.bvh", good).status_code == 200
    assert send(client, "bad.bvh", b"nonsense").status_code == 200
    reply = import_batch(client)
    outcomes = {outcome["file"]: outcome for outcome in reply["files"]}
    assert (reply["state"], outcomes["monday/a.bvh"]["take"]) == ("done", "monday/a")
    assert outcomes["monday/again.bvh"]["duplicate_of"] == "monday/a"
    assert outcomes["bad.bvh"]["status"] == "refused"
    assert outcomes["bad.bvh"]["message"]
    assert "monday/a" in names(client)
    assert not (corpus_folder / "studio" / "uploads" / BATCH).exists()


def test_names_that_lead_out_of_the_folder_are_refused(client, corpus_folder):
    for file in ("../x.bvh", "/etc/x.bvh", "a/../../x.bvh", "x\\..\\y.bvh", "x.bvh\0", "..", "con.bvh"):
        assert send(client, file, b"x").status_code == 400, file
    for batch in ("../../../up", "SHOUTING1", "short", "a" * 41, "batch/../x"):
        assert send(client, "x.bvh", b"x", batch).status_code == 400, batch
        assert client.post("/api/import", json={"batch": batch}).status_code == 400
    assert list(corpus_folder.parent.rglob("*x.bvh")) == []


def test_files_that_are_no_recordings_are_refused(client):
    for file in ("virus.exe", "notes.txt", "noextension"):
        answer = send(client, file, b"x")
        assert (answer.status_code, "bring" in answer.json()["error"]) == (400, True), file


def test_a_batch_that_grows_too_large_leaves_nothing_behind(client, corpus_folder, monkeypatch):
    monkeypatch.setattr(uploads, "BATCH_LIMIT", 1000)
    assert send(client, "a.bvh", b"x" * 900).status_code == 200
    answer = send(client, "b.bvh", b"x" * 200)
    assert (answer.status_code, "smaller batches" in answer.json()["error"]) == (400, True)
    folder = corpus_folder / "studio" / "uploads" / BATCH
    assert [path.name for path in folder.iterdir()] == ["a.bvh"]
    assert client.post("/api/upload/drop", json={"batch": BATCH}).status_code == 200
    assert not folder.exists()
    assert "nothing was uploaded" in client.post("/api/import", json={"batch": BATCH}).json()["error"]


def test_a_file_where_a_folder_is_and_a_folder_where_a_file_is_are_refused_in_a_sentence(client):
    for first, second in (("a.bvh", "a.bvh/b.bvh"), ("c.bvh/d.bvh", "c.bvh")):
        assert send(client, first, b"x").status_code == 200
        answer = send(client, second, b"x")
        assert (answer.status_code, "could not be kept" in answer.json()["error"]) == (400, True)


def test_a_folder_that_leads_out_of_the_corpus_takes_no_files(client, corpus_folder, tmp_path):
    (tmp_path / "outside").mkdir()
    (corpus_folder / "studio").symlink_to(tmp_path / "outside")
    answer = send(client, "a.bvh", b"x")
    assert (answer.status_code, "leads out" in answer.json()["error"]) == (400, True)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_corpus_that_can_only_be_read_takes_no_files_and_makes_no_takes(corpus_folder, tmp_path):
    with (
        Corpus.open(corpus_folder, write=True),
        TestClient(create_app(Settings(tmp_path, corpus_folder, is_warmed=False))) as page,
    ):
        assert len(names(page)) == 3
        asked = [
            send(page, "a.bvh", b"x"),
            page.post("/api/takes/remove", json={"takes": [TAKE]}),
            page.post("/api/takes/mirror", json={"takes": [TAKE]}),
            page.post("/api/import", json={"batch": BATCH}),
        ]
        assert [answer.status_code for answer in asked] == [400] * 4
        assert all("cannot be changed now" in answer.json()["error"] for answer in asked)


def test_one_take_is_exported_as_a_file_and_only_once(client, tmp_path):
    reply = client.post("/api/exports", json={"takes": [TAKE], "extension": ".bvh"}).json()
    assert reply["file"] == "normal_1.bvh"
    answer = client.get(reply["address"])
    assert "normal_1.bvh" in answer.headers["content-disposition"]
    path = tmp_path / "back.bvh"
    path.write_bytes(answer.content)
    assert formats.read(path).motion.n_frames > 100
    assert client.get(reply["address"]).status_code == 400


def test_many_takes_are_exported_as_an_archive(client):
    reply = client.post("/api/exports", json={"takes": [TAKE, "run/run_1"], "extension": ".npz"}).json()
    assert reply["file"] == "corpus.zip"
    with zipfile.ZipFile(io.BytesIO(client.get(reply["address"]).content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["walk/normal_1.npz", "run/run_1.npz"]


def test_names_in_an_archive_lead_nowhere_else_on_any_system(client):
    client.post("/api/takes/rename", json={"take": TAKE, "name": "..\\..\\C:walk"})
    reply = client.post("/api/exports", json={"takes": ["..\\..\\C:walk", "run/run_1"], "extension": ".npz"}).json()
    with zipfile.ZipFile(io.BytesIO(client.get(reply["address"]).content)) as archive:
        assert archive.namelist() == [".._.._C_walk.npz", "run/run_1.npz"]


@pytest.mark.parametrize(
    ("first", "second", "file"),
    [
        ("Jump", "jump", "jump (2)"),
        ("a:b", "a?b", "a_b (2)"),
        ("caf\u00e9", "cafe\u0301", "cafe\u0301 (2)"),
        ("a.npz/b", "A", "A (2)"),
    ],
)
def test_takes_that_fold_to_the_same_file_are_all_in_the_archive(client, first, second, file):
    client.post("/api/takes/rename", json={"take": TAKE, "name": first})
    client.post("/api/takes/rename", json={"take": "run/run_1", "name": second})
    reply = client.post("/api/exports", json={"takes": [first, second], "extension": ".npz"}).json()
    with zipfile.ZipFile(io.BytesIO(client.get(reply["address"]).content)) as archive:
        assert archive.namelist() == [first.replace(":", "_") + ".npz", f"{file}.npz"]
        assert len({archive.read(name) for name in archive.namelist()}) == 2


def test_what_cannot_be_exported_is_reported(client, corpus_folder):
    assert client.post("/api/exports", json={"takes": ["nobody"], "extension": ".bvh"}).status_code == 400
    assert client.post("/api/exports", json={"takes": [TAKE], "extension": ".exe"}).status_code == 400
    reply = client.post("/api/exports", json={"takes": [TAKE, "run/run_1"], "extension": ".bvh"}).json()
    client.post("/api/takes/remove", json={"takes": ["run/run_1"]})
    with zipfile.ZipFile(io.BytesIO(client.get(reply["address"]).content)) as archive:
        assert archive.namelist() == ["walk/normal_1.bvh", "not exported.txt"]
        assert b"run/run_1" in archive.read("not exported.txt")


@pytest.mark.parametrize("address", ["/api/takes", "/api/takes/badges?since=0"])
def test_without_a_corpus_there_is_no_library(home_client, address):
    answer = home_client.get(address)
    assert (answer.status_code, "no corpus is open" in answer.json()["error"]) == (409, True)


def test_a_call_to_a_desk_that_does_not_answer_fails_after_a_while(stuck):
    answer = stuck.get("/api/takes/plots", params={"take": TAKE})
    assert answer.status_code == 503
    assert answer.json()["error"].startswith("asking the display desk: no answer in 0.05 s")


def test_an_export_that_the_desk_does_not_write_is_given_up_after_a_while(stuck):
    answer = stuck.post("/api/exports", json={"takes": [TAKE], "extension": ".bvh"})
    assert answer.status_code == 503
    assert answer.json()["error"].startswith(f"writing {TAKE}: no answer in 0.05 s")
    assert [job["state"] for job in stuck.get("/api/jobs").json()] == ["cancelled"]


def test_an_archive_says_what_the_desk_did_not_write_and_tries_no_further(stuck):
    address = stuck.post("/api/exports", json={"takes": [TAKE, "run/run_1"], "extension": ".bvh"}).json()["address"]
    with zipfile.ZipFile(io.BytesIO(stuck.get(address).content)) as archive:
        assert archive.namelist() == ["not exported.txt"]
        assert archive.read("not exported.txt").decode().startswith(f"{TAKE} and what would come after it: writing")
    assert len(stuck.get("/api/jobs").json()) == 1


def test_a_label_has_the_same_colour_in_every_answer_and_after_a_restart(client, corpus_folder):
    known = client.get("/api/labels/colours").json()["numbers"]
    assert set(client.get("/api/takes").json()["labels"]) <= set(known)
    assert len(set(known.values())) == len(known)
    more = client.post("/api/labels/colours", json={"labels": ["zigzag", "about_face", "walk"]}).json()["numbers"]
    assert known.items() <= more.items()
    assert {"zigzag", "about_face"} <= set(more)
    client.app.state.studio.close()
    settings = Settings(corpus_folder.parent, corpus_folder, is_warmed=False)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as again:
        assert again.get("/api/labels/colours").json()["numbers"] == more


def test_a_corpus_for_reading_only_has_the_same_colours_and_stores_none(corpus_folder):
    with Corpus.open(corpus_folder, write=True):
        settings = Settings(corpus_folder.parent, corpus_folder, is_warmed=False)
        with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
            known = client.get("/api/labels/colours").json()["numbers"]
            asked = [client.post("/api/labels/colours", json={"labels": ["zigzag"]}).json()["numbers"] for _ in "ab"]
            assert asked[0] == asked[1] == known | {"zigzag": asked[0]["zigzag"]}
            assert client.get("/api/labels/colours").json()["numbers"] == known
    with Corpus.open(corpus_folder) as corpus:
        assert corpus.remembered("label colours") is None
