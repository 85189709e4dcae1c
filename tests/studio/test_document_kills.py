"""A document is saved and renamed as one step: whenever the process is killed, it is the old or the new one, whole."""

import os
import random
import shutil

import pytest
from benchmarks.faults.kill_at_step import run, run_and_kill, run_at_every_step

from motionloom.errors import BadInput
from motionloom.studio import document, document_files
from motionloom.studio.document import CommandRecord, Document, History


def make(letter: str, revision: int = 1) -> tuple[Document, History]:
    """A document with the letter in all of its files."""
    content = Document.model_validate(
        {
            "annotate": {"vocabulary": [letter]},
            "timeline": {"tracks": [letter], "request": {"length": f"{ord(letter)}s"}},
            "graph": {"request": {"takes": [letter], "hubs": []}},
        }
    )
    return content, History(revision=revision, past=[CommandRecord(kind="k", title=letter)])


def letters(corpus, name="d"):
    """The letters in the parts of a document: one if it is whole."""
    loaded = document.load(corpus, name)
    assert not loaded.problems
    content = loaded.content
    return {
        *content.annotate.vocabulary,
        *content.timeline.tracks,
        chr(int(content.timeline.request.length.removesuffix("s"))),
        *content.graph.request.takes,
        *(step.title for step in loaded.history.past),
    }


def letters_in_files(corpus, name="d"):
    """As `letters`, after what was cut off is finished."""
    document_files.recover(corpus / document.FOLDER)
    assert not (corpus / document.FOLDER / document_files.JOURNAL).exists()
    return letters(corpus, name)


@pytest.fixture
def corpus(tmp_path):
    document.save(tmp_path, "d", *make("A"))
    return tmp_path


@pytest.fixture
def restore(corpus, tmp_path_factory):
    stored = shutil.copytree(corpus / document.FOLDER, tmp_path_factory.mktemp("stored") / "studio")

    def again():
        shutil.rmtree(corpus / document.FOLDER)
        shutil.copytree(stored, corpus / document.FOLDER)

    return again


def test_a_save_that_is_killed_at_any_step_leaves_the_old_document_or_the_new_one(corpus, restore):
    def save(acknowledge):
        document.save(corpus, "d", *make("B"))
        acknowledge("B")

    found = []
    for _, outcome in run_at_every_step(save, corpus, restore):
        assert outcome.was_killed
        read = letters(corpus)  # by a reader, who may not finish it
        assert letters_in_files(corpus) == read
        found.append("".join(sorted(read)))
    assert set(found) == {"A", "B"}
    assert found == sorted(found), "done is done"
    assert len(found) > 15


def test_a_rename_that_is_killed_at_any_step_leaves_one_document_under_one_name(corpus, restore):
    found = []
    for _, outcome in run_at_every_step(lambda _: document.rename(corpus, "d", "e"), corpus, restore):
        assert outcome.was_killed
        (name,) = document.names(corpus)
        assert letters(corpus, name) == {"A"}
        assert letters_in_files(corpus, name) == {"A"}
        assert document.names(corpus) == [name]
        assert {path.name[0] for path in (corpus / document.FOLDER).iterdir()} <= {name, "."}
        found.append(name)
    assert found == sorted(found)
    assert set(found) == {"d", "e"}


def test_recovering_that_is_killed_at_any_step_is_done_by_the_next(corpus, restore):
    steps = run(lambda _: document.save(corpus, "d", *make("B")), corpus).steps
    committed = next(k for k, step in enumerate(steps) if step == f"replace studio/{document_files.JOURNAL}") + 1

    def cut_off():
        restore()
        assert run(lambda _: document.save(corpus, "d", *make("B")), corpus, kill_at=committed).was_killed

    tries = 0
    for _, outcome in run_at_every_step(lambda _: document_files.recover(corpus / "studio"), corpus, cut_off):
        assert outcome.was_killed
        assert letters_in_files(corpus) == {"B"}
        tries += 1
    assert tries > 10


def test_what_is_edited_between_a_kill_and_the_next_start_is_kept(corpus, restore):
    steps = run(lambda _: document.save(corpus, "d", *make("B")), corpus).steps
    committed = next(k for k, step in enumerate(steps) if step == f"replace studio/{document_files.JOURNAL}") + 1
    for number in range(committed, len(steps)):
        restore()
        run(lambda _: document.save(corpus, "d", *make("B")), corpus, kill_at=number)
        was_finished = not (corpus / "studio" / document_files.JOURNAL).exists()
        (corpus / "studio" / "d.request.yaml").write_text("length: 3s  # by hand\n")
        kept = document_files.recover(corpus / "studio")
        if was_finished:
            assert (kept, document.load(corpus, "d").content.timeline.request.length) == ([], "3s")
        else:
            assert kept == ["d.request.yaml.edited-1"]
            assert (corpus / "studio" / kept[0]).read_text() == "length: 3s  # by hand\n"
            assert letters(corpus) == {"B"}


def test_a_save_that_fails_at_any_step_leaves_a_whole_document_and_no_temporary_file(corpus, restore):
    restore()
    steps = run(lambda _: document.save(corpus, "d", *make("B")), corpus).steps
    for number in range(len(steps)):
        restore()

        def save(acknowledge):
            document.save(corpus, "d", *make("B"))
            acknowledge("B")

        outcome = run(save, corpus, fail_at=number)
        assert not outcome.error or "BadInput" in outcome.error, outcome.error
        assert bool(outcome.acknowledged) != bool(outcome.error)
        found = letters(corpus)
        assert found == {"B"} if outcome.acknowledged else len(found) == 1, steps[number]
        assert letters_in_files(corpus) == found
        assert not [path for path in (corpus / "studio").iterdir() if ".part" in path.name], steps[number]
        document.save(corpus, "d", *make("C"))
        assert letters_in_files(corpus) == {"C"}


def test_killed_at_random_moments_a_document_is_whole_and_at_least_the_last_one_that_was_acknowledged(corpus):
    def save(acknowledge):
        for revision in range(100_000):
            document.save(corpus, "d", *make("AB"[revision % 2], revision))
            acknowledge(str(revision))

    chance = random.Random(14)
    for _ in range(40):
        outcome = run_and_kill(save, chance.uniform(0.0, 0.1))
        assert outcome.was_killed
        found, revision = letters(corpus), document.load(corpus, "d").history.revision
        assert found == {"AB"[revision % 2]}
        assert 0 <= revision - int(outcome.acknowledged[-1]) <= 1
        assert letters_in_files(corpus) == found


def test_only_what_has_changed_is_written(corpus):
    content, history = make("A")
    assert run(lambda _: document.save(corpus, "d", content, history), corpus).steps == ()
    changed = history.model_copy(update={"revision": 2})
    steps = run(lambda _: document.save(corpus, "d", content, changed), corpus).steps
    assert [step for step in steps if step.startswith("replace")][-1] == "replace studio/d.history.json"
    assert not any("request" in step for step in steps)


def test_documents_are_listed_by_when_they_were_saved_also_where_little_has_changed(corpus):
    document.save(corpus, "e", *make("B"))
    for path in (corpus / "studio").iterdir():
        os.utime(path, ns=(0, 10**9 if path.name.startswith("e") else 0))
    content, history = make("A")
    document.save(corpus, "d", content, history.model_copy(update={"revision": 2}))
    assert document.names(corpus) == ["d", "e"]


def test_text_that_no_file_can_hold_is_refused_before_anything_is_written(corpus):
    content, _ = make("B")
    content.annotate.vocabulary.append("\ud800")
    with pytest.raises(BadInput, match="no file can hold"):
        document.save(corpus, "d", content, History(past=[CommandRecord(kind="k", title="\ud800")]))
    assert letters(corpus) == {"A"}
