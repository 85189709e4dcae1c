"""Folders and files that may not be read: a sentence that names them, from every function and command."""

import os
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

import pytest

from motionloom.cli.main import run
from motionloom.corpus import Corpus, back_up, check, import_files
from motionloom.errors import MotionloomError

NOBODY = 65534


@pytest.fixture
def place(takes):
    """Folders of root: a private corpus, one with a private catalogue, one with a private array, an open one."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    for name in ("private", "catalogue", "array", "arrays", "open"):
        with Corpus.create(folder / name) as corpus:
            corpus.add(takes.body("a"))
    check(folder / "open")
    (folder / "private").chmod(0o700)
    (folder / "catalogue" / "catalogue.sqlite").chmod(0o600)
    next((folder / "array" / "arrays").iterdir()).chmod(0o600)
    (folder / "arrays" / "arrays").chmod(0o700)
    (folder / "recordings").mkdir(mode=0o700)
    (folder / "mine").mkdir()
    os.chown(folder / "mine", NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


def as_nobody(function, *arguments) -> str:
    """Run a function as another user; returns what it raised, or printed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            os.setgroups([]), os.setgid(NOBODY), os.setuid(NOBODY)
            os.dup2(write, 1), os.dup2(write, 2)
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
            try:
                print(function(*arguments))
            except MotionloomError as error:
                print(f"sentence: {error}")
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)
    os.close(write)
    with open(read) as pipe:
        words = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, words
    return words


@pytest.mark.parametrize("name", ["private", "catalogue"])
@pytest.mark.parametrize("function", [Corpus.open, check, lambda path: Corpus.open(path, write=True)])
def test_a_corpus_that_may_not_be_read_is_refused_by_name(place, function, name):
    words = as_nobody(function, place / name)
    assert words.startswith(f"sentence: {place / name}")
    assert "Permission denied" in words


def test_other_functions_name_what_they_may_not_read(place):
    def import_recordings():
        with Corpus.create(place / "mine" / "corpus") as corpus:
            return import_files(corpus, [place / "recordings"]).refused

    def read_take():
        with Corpus.open(place / "array") as corpus:
            return corpus.take("a")

    assert str(place / "recordings") in as_nobody(import_recordings)
    assert as_nobody(read_take).startswith("sentence: take 'a': ")
    for target in ("private/new", "recordings/deep/new", "open/new"):
        words = as_nobody(Corpus.create, place / target)
        assert words.startswith(f"sentence: {place / target}")
        assert "Permission denied" in words
    for source, target in (("private", "mine/copy"), ("open", "private/copy"), ("open", "copy")):
        assert as_nobody(back_up, place / source, place / target).startswith("sentence: ")
    assert "not in the backup" in as_nobody(back_up, place / "array", place / "mine" / "copy")


@pytest.mark.parametrize("name", ["private", "catalogue", "array", "arrays"])
@pytest.mark.parametrize("command", ["info", "check", "import", "new", "remove", "backup"])
def test_commands_answer_in_a_sentence(place, command, name):
    folder = str(place / name)
    more = {
        "import": [str(place / "recordings")],
        "remove": ["a"],
        "backup": [str(place / "mine" / "copy")],
    }.get(command, [])
    words = as_nobody(run, [command, folder, *more])
    assert "Traceback" not in words and "a bug" not in words, words
    lines = [line for line in words.splitlines() if line.startswith("motionloom: ")]
    assert all(len(line) > 40 for line in lines), words
