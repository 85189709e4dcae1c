"""A user who may read the folder of a corpus but not write to it, while its owner writes."""

import os
import shutil
import struct
import tempfile
import traceback
from pathlib import Path

import pytest

from motionloom.corpus import Corpus, Label, check
from motionloom.errors import CorpusError

NOBODY = 65534
ROUNDS = 60
WRITING = "the owner is writing"


@pytest.fixture(params=["log left behind", "no log"])
def shared(request, takes):
    """A corpus with one take in a folder that everybody may read and only its owner may write to."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    with Corpus.create(place / "corpus") as corpus:
        corpus.add(takes.body("a", n_frames=2000))
    check(corpus.folder)  # loads what the child needs: it may not be allowed to read the sources
    if request.param == "no log":  # readers of the owner leave an empty one behind
        for file in ("catalogue.sqlite-wal", "catalogue.sqlite-shm"):
            (corpus.folder / file).unlink()
    yield corpus.folder
    shutil.rmtree(place)


class Child:
    """A process of another user that runs a function, which it gives a pipe to read from; it fails if that raises."""

    def __init__(self, function, *arguments) -> None:
        answer, self._answer = os.pipe()
        asked, question = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(question), os.close(answer)
            os.setgroups([]), os.setgid(NOBODY), os.setuid(NOBODY)
            code = 1
            try:
                function(asked, self._answer, *arguments)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(asked), os.close(self._answer)
        self._question, self._read = question, answer

    def send(self, number: int) -> None:
        os.write(self._question, struct.pack("i", number))

    def receive(self) -> int:
        answer = os.read(self._read, 4)
        assert answer, "the child has ended"
        return struct.unpack("i", answer)[0]

    def join(self) -> None:
        os.close(self._question)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self._read)
        assert code == 0, "the child failed"


def receive(pipe) -> int:
    """The newest number in a pipe; -1 at its end."""
    content = os.read(pipe, 4096)
    return struct.unpack("i", content[-4:])[0] if content else -1


def open_again_and_again(numbers, answers, folder) -> None:
    """Open the corpus for every number that comes in: the labels 0 to that number are acknowledged."""
    while (acknowledged := receive(numbers)) >= 0:
        try:
            with Corpus.open(folder) as corpus:
                found = {label.start for label in corpus.labels("a")}
        except CorpusError as error:
            assert WRITING in str(error), error
        else:
            missing = set(range(acknowledged + 1)) - found
            assert not missing, f"labels {sorted(missing)} of {acknowledged + 1} are not seen"
    os.write(answers, struct.pack("i", 1))


def check_again_and_again(numbers, answers, folder) -> None:
    while receive(numbers) >= 0:
        try:
            assert [str(problem) for problem in check(folder).problems] == []
        except CorpusError as error:
            assert WRITING in str(error), error


def keep_open(numbers, answers, folder) -> None:
    """Open the corpus once; every acknowledged label must be seen as soon as it is asked for."""
    receive(numbers)
    with Corpus.open(folder) as corpus:
        corpus.names()
        os.write(answers, struct.pack("i", 0))
        while (acknowledged := receive(numbers)) >= 0:
            assert {label.start for label in corpus.labels("a")} >= set(range(acknowledged + 1))
            assert corpus.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            os.write(answers, struct.pack("i", acknowledged))


@pytest.mark.parametrize("reader", [open_again_and_again, check_again_and_again])
def test_beside_an_owner_who_keeps_writing_every_acknowledged_label_is_seen(shared, reader):
    child = Child(reader, shared)
    with Corpus.open(shared, write=True) as corpus:
        for number in range(5 * ROUNDS):
            corpus.add_labels([Label("a", "walk", number, number + 1)])
            child.send(number)
    child.join()


@pytest.mark.parametrize("reader", [open_again_and_again, check_again_and_again])
def test_beside_an_owner_who_comes_and_goes_every_acknowledged_label_is_seen(shared, reader):
    child = Child(reader, shared)
    for number in range(ROUNDS):
        with Corpus.open(shared, write=True) as corpus:
            corpus.add_labels([Label("a", "walk", number, number + 1)])
        child.send(number)
    child.join()


def test_a_corpus_that_stays_open_follows_an_owner_who_begins_to_write_later(shared):
    child = Child(keep_open, shared)
    child.send(0)
    assert child.receive() == 0
    for number in range(0, ROUNDS, 3):
        with Corpus.open(shared, write=True) as corpus:
            for frame in range(number, number + 3):
                corpus.add_labels([Label("a", "walk", frame, frame + 1)])
                child.send(frame)
                assert child.receive() == frame
    child.join()


def test_a_single_change_of_an_owner_who_stays_is_seen(shared):
    child = Child(keep_open, shared)
    with Corpus.open(shared, write=True) as corpus:
        corpus.add_labels([Label("a", "walk", 0, 1)])
        for _ in range(2):
            child.send(0)
            assert child.receive() == 0
    child.join()


def test_a_log_that_a_killed_owner_left_behind_is_read(shared):
    killed = os.fork()
    if killed == 0:
        try:
            corpus = Corpus.open(shared, write=True)
            corpus.add_labels([Label("a", "walk", number, number + 1) for number in range(3)])
        finally:
            os._exit(9)
    os.waitpid(killed, 0)
    (shared / "catalogue.sqlite-shm").unlink()  # as in a copy
    child = Child(keep_open, shared)
    child.send(0)
    assert child.receive() == 0
    child.send(2)
    assert child.receive() == 2
    child.join()


def test_a_reader_leaves_no_files_behind(shared):
    before = sorted(path.name for path in shared.iterdir())
    child = Child(open_again_and_again, shared)
    child.join()
    assert sorted(path.name for path in shared.iterdir()) == before
