"""A corpus that is opened twice in one process: the catalogue's locks must outlive the second connection."""

import os
import signal
import subprocess
import sys

from motionloom.corpus import Corpus, Label, check

LENT = """
import sys
from motionloom.corpus import Corpus, Label
with Corpus.open(sys.argv[1], write=True, lent=True) as corpus:
    corpus.add_labels([Label("a", "of the desk", 0, 5)])
"""


def write_beside_a_desk(folder) -> None:
    """The holder of the write lock reads the corpus a second time, and one of its workers comes and goes."""
    corpus = Corpus.open(folder, write=True)
    corpus.add_labels([Label("a", "before", 0, 5)])
    Corpus.open(folder).close()
    subprocess.run([sys.executable, "-c", LENT, str(folder)], check=True)
    corpus.add_labels([Label("a", "after", 0, 5)])
    os.kill(os.getpid(), signal.SIGKILL)


def test_labels_survive_a_kill_after_the_corpus_was_opened_twice(corpus, takes):
    corpus.add(takes.body("a"))
    corpus.close()
    child = os.fork()
    if child == 0:
        try:
            write_beside_a_desk(corpus.folder)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    with Corpus.open(corpus.folder) as reader:
        assert reader.label_names() == ["after", "before", "of the desk"]
    assert check(corpus.folder).problems == ()
