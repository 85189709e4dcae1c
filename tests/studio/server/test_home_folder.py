"""The list of corpora in the home folder, where some may not be read."""

import os
import shutil
import tempfile
from pathlib import Path

from motionloom.corpus import Corpus
from motionloom.studio.server.settings import Settings
from motionloom.studio.server.studio import Studio

NOBODY = 65534


def test_corpora_that_may_not_be_read_do_not_hide_the_others():
    home = Path(tempfile.mkdtemp())
    home.chmod(0o755)
    for name in ("first", "private", "second"):
        Corpus.create(home / name).close()
    assert [entry.name for entry in Studio(Settings(home=home)).entries()] == ["first", "private", "second"]
    (home / "private").chmod(0o700)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([]), os.setgid(NOBODY), os.setuid(NOBODY)
            names = [entry.name for entry in Studio(Settings(home=home)).entries()]
            os.write(write, " ".join(names).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    with open(read) as pipe:
        assert pipe.read() == "first second"
    shutil.rmtree(home)
