"""Processes that may open few files get a sentence, and lose nothing."""

import os
import resource
import sys
import traceback

import pytest

from motionloom.cli.main import run
from motionloom.corpus import Corpus, Label, check


@pytest.fixture
def stored(corpus, takes):
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.add_labels([Label("a", "walk", 0, 5)])
    corpus.close()
    check(corpus.folder)  # loads what the children need
    return corpus.folder


def run_with_few_descriptors(limit: int, arguments: list[str], output) -> int:
    child = os.fork()
    if child == 0:
        code = 99
        try:
            file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
                stream.flush()
                os.dup2(file, number)
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
            os.closerange(3, 200)
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            code = run(arguments)
            sys.stdout.flush(), sys.stderr.flush()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "CORPUS"],
        ["info", "CORPUS", "a"],
        ["check", "CORPUS"],
        ["check", "CORPUS", "--repair"],
        ["backup", "CORPUS", "COPY"],
        ["rename", "CORPUS", "a", "a"],
        ["remove", "CORPUS", "--purge"],
        ["new", "NEW"],
    ],
    ids=" ".join,
)
def test_a_command_with_few_descriptors_answers_in_a_sentence(stored, tmp_path, arguments):
    names = {"CORPUS": str(stored), "COPY": str(tmp_path / "copy"), "NEW": str(tmp_path / "new")}
    codes = set()
    for limit in range(3, 16):
        code = run_with_few_descriptors(limit, [names.get(word, word) for word in arguments], tmp_path / "output")
        words = (tmp_path / "output").read_text()
        assert code in (0, 1, 2), words
        assert "bug" not in words and "Traceback" not in words, words
        assert "restore it" not in words and "is damaged" not in words, words
        codes.add(code)
        for name in ("copy", "new"):
            if (tmp_path / name).exists():
                os.rename(tmp_path / name, tmp_path / f"{name} {limit}")
    assert {0, 2} <= codes
    assert check(stored).problems == ()
    with Corpus.open(stored) as corpus:
        assert corpus.labels() == [Label("a", "walk", 0, 5)]
