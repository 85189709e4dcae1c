"""The files of a document: what a person writes there is never lost, and is noticed while the studio is open."""

import json
import os

import pytest
import yaml
from starlette.testclient import TestClient

from motionloom.corpus import Corpus
from motionloom.studio import document_files
from motionloom.studio.server.app import create_app
from motionloom.studio.server.settings import Settings

BROKEN = {
    ".request.yaml": ("length: 8s\nlabels:\n  - {label: walk, from: 0s, to: 2s, value: mst}\n", "line 3"),
    ".graph.yaml": ("takes: []\nhubs: [{nonsense: 1}]\n", "line 2"),
    ".yaml": ("workspace: timeline\nannotate: {vocabulary: walk}\n", "line 2"),
    ".history.json": ('{"past": [\n}', "line 2"),
}


def put(client, state, change=None, **options):
    """Save the document as a page has it, with some of its content changed."""
    content = json.loads(json.dumps(state["content"]))
    if change is not None:
        change(content)
    wanted = {"name": state["name"], "revision": state["revision"], "content": content, **options}
    return client.put("/api/document", json=wanted)


def get(client):
    return client.get("/api/document").json()


def length(seconds):
    return lambda content: content["timeline"]["request"].update(length=seconds)


def words(*names):
    return lambda content: content["annotate"].update(vocabulary=list(names))


@pytest.fixture
def folder(client, corpus_folder):
    """The folder with a document of which every file has been saved."""
    step = {"kind": "k", "title": "first", "args": None, "memory": None}
    assert put(client, get(client), length("7s"), past=[step]).status_code == 200
    return corpus_folder / "studio"


def serve(corpus_folder):
    return TestClient(
        create_app(Settings(home=corpus_folder.parent, corpus=corpus_folder, is_warmed=False)),
        base_url="http://127.0.0.1",
    )


@pytest.fixture
def written(client, folder, corpus_folder):
    """The same folder, after the studio was closed."""
    client.app.state.studio.close()
    return folder


@pytest.mark.parametrize("extension", BROKEN)
def test_a_file_that_cannot_be_read_is_kept_aside_and_never_overwritten(written, corpus_folder, extension):
    broken, line = BROKEN[extension]
    (written / f"untitled{extension}").write_text(broken)
    for number, text in ((1, broken), (2, broken + "# another try\n")):
        (written / f"untitled{extension}").write_text(text)
        with serve(corpus_folder) as page:
            state = get(page)
            kept = f"untitled{extension}.unreadable-{number}"
            assert f"untitled{extension} {line}:" in state["problem"]
            assert f"kept as studio/{kept})" in state["problem"]
            assert str(corpus_folder) not in state["problem"]
            assert put(page, state, length("9s")).is_success
            assert put(page, get(page), lambda content: content["graph"]["request"].update(takes=["a"])).is_success
            assert put(page, get(page), words("walk")).is_success
        assert (written / kept).read_text() == text
    assert (written / f"untitled{extension}.unreadable-1").read_text() == broken


def test_the_same_file_is_kept_once(written, corpus_folder):
    (written / "untitled.yaml").write_text("workspace: nowhere\n")
    for _ in range(3):
        with serve(corpus_folder) as page:
            assert "untitled.yaml.unreadable-1" in get(page)["problem"]
    assert [path.name for path in written.iterdir() if "unreadable" in path.name] == ["untitled.yaml.unreadable-1"]


def test_a_request_that_cannot_be_read_stays_in_place_until_another_one_is_made(written, corpus_folder):
    (written / "untitled.request.yaml").write_text("length: ten\n")
    with serve(corpus_folder) as page:
        assert put(page, get(page), words("walk")).is_success
        assert (written / "untitled.request.yaml").read_text() == "length: ten\n"
        assert "untitled.request.yaml line 1" in get(page)["problem"]
        (written / "untitled.request.yaml").write_text("length: 10s\nactions: []\n"[:12])
        repaired = get(page)
        assert (repaired["content"]["timeline"]["request"]["length"], repaired["problem"]) == ("10s", "")
        assert repaired["content"]["annotate"]["vocabulary"] == ["walk"]


def test_where_nothing_may_be_written_nothing_is_moved(written, corpus_folder):
    for extension, (broken, _) in BROKEN.items():
        (written / f"untitled{extension}").write_text(broken)
    before = {path.name: path.read_bytes() for path in written.iterdir()}
    with Corpus.open(corpus_folder, write=True), serve(corpus_folder) as page:
        state = get(page)
        for extension in BROKEN:
            assert f"untitled{extension} line" in state["problem"]
        assert "nothing of it was changed" in state["problem"]
        assert "kept as" not in state["problem"]
    assert {path.name: path.read_bytes() for path in written.iterdir()} == before


def test_a_file_that_may_not_be_read_is_moved_aside(written, corpus_folder):
    (written / "untitled.request.yaml").unlink()
    (written / "untitled.request.yaml").mkdir()  # nobody can read it as a file, root neither
    with serve(corpus_folder) as page:
        assert "untitled.request.yaml: cannot be read" in get(page)["problem"]
        assert put(page, get(page), length("9s")).is_success
    assert (written / "untitled.request.yaml.unreadable-1").is_dir()
    assert yaml.safe_load((written / "untitled.request.yaml").read_text())["length"] == "9s"


def test_what_is_edited_while_the_studio_is_open_comes_in(client, folder):
    before = get(client)
    (folder / "untitled.request.yaml").write_text("length: 12s\n")
    after = get(client)
    assert after["content"]["timeline"]["request"]["length"] == "12s"
    assert after["revision"] > before["revision"]
    assert after["changed"] == "another program has changed untitled.request.yaml on disk"
    assert after["past"] == before["past"]
    assert put(client, after, words("walk")).is_success
    assert yaml.safe_load((folder / "untitled.request.yaml").read_text())["length"] == "12s"
    assert get(client)["changed"] == ""


def test_a_save_does_not_overwrite_what_was_edited_meanwhile(client, folder):
    state = get(client)
    edited = folder / "untitled.request.yaml"
    stamp = edited.stat()
    edited.write_text("length: 4s\n" + " " * (stamp.st_size - 11))  # of the same size and time
    os.utime(edited, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    text = edited.read_text()
    refused = put(client, state, length("9s"))
    assert refused.status_code == 412
    assert refused.json()["error"] == "another program has changed untitled.request.yaml on disk"
    assert edited.read_text() == text
    saved = put(client, state, length("9s"), over=True)
    assert saved.json()["kept"] == ["studio/untitled.request.yaml.edited-1"]
    assert (folder / "untitled.request.yaml.edited-1").read_text() == text
    assert yaml.safe_load(edited.read_text())["length"] == "9s"
    assert put(client, get(client), length("10s")).json()["kept"] == []


def test_an_edit_with_a_typo_does_not_replace_what_the_studio_has(client, folder):
    (folder / "untitled.request.yaml").write_text("length: ten\n")
    state = get(client)
    assert state["content"]["timeline"]["request"]["length"] == "7s"
    assert "untitled.request.yaml line 1" in state["problem"]
    assert "kept as studio/untitled.request.yaml.unreadable-1" in state["problem"]
    assert "the studio goes on with what it had" in state["problem"]
    assert put(client, state, words("walk")).is_success
    assert yaml.safe_load((folder / "untitled.request.yaml").read_text())["length"] == "7s"
    assert (folder / "untitled.request.yaml.unreadable-1").read_text() == "length: ten\n"
    assert get(client)["problem"] == ""


def test_a_document_that_is_deleted_while_it_is_open_is_not_lost(client, folder):
    for path in folder.iterdir():
        path.unlink()
    state = get(client)
    assert state["is_gone"]
    assert state["content"]["timeline"]["request"]["length"] == "7s"
    refused = put(client, state, words("walk"))
    assert (refused.status_code, "deleted or renamed" in refused.json()["error"]) == (410, True)
    assert put(client, state, words("walk"), over=True).is_success
    assert not get(client)["is_gone"]
    assert yaml.safe_load((folder / "untitled.request.yaml").read_text())["length"] == "7s"


def test_a_document_that_is_renamed_on_disk_can_be_opened_under_its_new_name(client, folder):
    for path in list(folder.iterdir()):
        path.rename(folder / path.name.replace("untitled", "better"))
    state = get(client)
    assert (state["is_gone"], state["names"]) == (True, ["untitled", "better"])
    assert client.post("/api/document/rename", json={"name": "third"}).status_code == 410
    opened = client.post("/api/document/open", json={"name": "better"}).json()
    assert (opened["is_gone"], opened["names"]) == (False, ["better"])
    assert opened["content"]["timeline"]["request"]["length"] == "7s"


def test_what_lies_beyond_the_end_of_a_timeline_is_kept_but_not_asked_for(client, folder, corpus_folder):
    beyond = {
        "labels": [{"label": "walk", "from": "7s", "to": "10s", "value": "must"}],
        "frames": [{"at": "8s", "take": "walk/normal_1", "frame": 3, "start": None, "stop": None}],
        "places": [{"at": "9s", "position": [1.0, 2.0], "heading": None, "weight": 1.0}],
    }
    assert "beyond" not in (folder / "untitled.yaml").read_text()  # nothing to say
    assert put(client, get(client), lambda content: content["timeline"].update(beyond=beyond)).status_code == 200
    request = (folder / "untitled.request.yaml").read_text()
    assert "walk" not in request
    assert yaml.safe_load((folder / "untitled.yaml").read_text())["timeline"]["beyond"]["labels"] == beyond["labels"]
    client.app.state.studio.close()
    with serve(corpus_folder) as again:
        assert get(again)["content"]["timeline"]["beyond"] == beyond
        assert get(again)["problem"] == ""
        (folder / "untitled.request.yaml").write_text(request.replace("7s", "6s"))  # by hand
        assert get(again)["content"]["timeline"]["beyond"] == beyond


def test_one_file_that_is_deleted_is_written_again(client, folder):
    (folder / "untitled.request.yaml").unlink()
    state = get(client)
    assert state["content"]["timeline"]["request"]["length"] == "7s"
    assert "untitled.request.yaml is not on disk any more" in state["problem"]
    assert put(client, state, words("walk")).is_success
    assert yaml.safe_load((folder / "untitled.request.yaml").read_text())["length"] == "7s"


def test_a_file_that_is_written_in_another_way_is_no_change(client, folder):
    before = get(client)
    (folder / "untitled.request.yaml").write_text("# the same\nlength: '7s'\n")
    assert get(client) == before
    assert put(client, before, words("walk")).is_success


def test_a_reader_sees_what_the_writer_saves(client, folder, corpus_folder):
    with serve(corpus_folder) as reader:
        assert get(reader)["content"]["timeline"]["request"]["length"] == "7s"
        assert put(client, get(client), length("8s")).is_success
        assert get(reader)["content"]["timeline"]["request"]["length"] == "8s"


def test_a_document_is_not_renamed_over_files_of_another(client, folder):
    (folder / "other.request.yaml").write_text("length: 3s\n")
    refused = client.post("/api/document/rename", json={"name": "other"})
    assert (refused.status_code, "other.request.yaml" in refused.json()["error"]) == (400, True)
    assert (folder / "other.request.yaml").read_text() == "length: 3s\n"
    assert (folder / "untitled.request.yaml").exists()


def test_a_journal_that_cannot_be_read_is_kept_aside(written, corpus_folder):
    (written / document_files.JOURNAL).write_text('{"changes": [{"file": "../outside.yaml", "after": "x"}]}')
    with serve(corpus_folder) as page:
        assert put(page, get(page), length("9s")).is_success
    assert (written / f"{document_files.JOURNAL}.unreadable-1").exists()
    assert not (written / document_files.JOURNAL).exists()


def test_a_journal_changes_nothing_but_files_of_documents(written, corpus_folder):
    journal = {
        "motionloom": document_files.KIND,
        "changes": [{"file": "../outside.yaml", "before": "", "after": "x"}],
    }
    (written / document_files.JOURNAL).write_text(json.dumps(journal))
    with serve(corpus_folder) as page:
        assert get(page)["content"]["timeline"]["request"]["length"] == "7s"
    assert not (corpus_folder / "outside.yaml").exists()


def test_temporary_files_of_a_killed_studio_are_removed(written, corpus_folder):
    (written / ".untitled.request.0123456789ab.part.yaml").write_text("half")
    (written / ".mine.part").write_text("not ours")
    with serve(corpus_folder) as page:
        get(page)
    assert {path.name for path in written.iterdir() if ".part" in path.name} == {".mine.part"}
