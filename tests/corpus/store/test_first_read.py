"""Arrays are verified against their checksums when a process first reads them, not only by a check."""

import os
import shutil

import numpy as np
import pytest

from motionloom.corpus import Corpus, check
from motionloom.corpus.models import find_model, keep_model
from motionloom.corpus.store import array_files
from motionloom.errors import CorpusError


def files(corpus, query: str) -> list:
    return [corpus.arrays / file for (file,) in corpus.connection.execute(query)]


def flip(path, place: int, to: bytes | None = None) -> None:
    """Change a byte of a file as a bad disk does: under a name that was not read before in this process."""
    content = bytearray(path.read_bytes())
    content[place] = to[0] if to else content[place] ^ 0x10
    path.unlink()
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("place", [-7, 200, 500])
def test_a_take_with_a_changed_byte_is_refused_with_its_name_and_what_to_do(corpus, takes, place):
    corpus.add(takes.body("walks/a", n_frames=40))
    corpus.add(takes.body("walks/b", seed=1))
    flip(files(corpus, "SELECT file FROM takes WHERE name = 'walks/a'")[0], place)
    for read in (corpus.take, corpus.frames):
        with pytest.raises(CorpusError, match=r"take 'walks/a': .* has changed since it was written") as error:
            read("walks/a")
        assert f"`motionloom check {corpus.folder} --repair`" in str(error.value)
    assert corpus.take("walks/b").motion.n_frames == 12


def test_a_changed_header_is_noticed_too(corpus, takes):
    corpus.add(takes.body("a"))
    path = files(corpus, "SELECT file FROM takes")[0]
    flip(path, path.read_bytes().index(b"<f4") + 1, b"i")  # the same bytes would be read as whole numbers
    with pytest.raises(CorpusError, match=r"take .a.: .* has changed since it was written"):
        corpus.take("a")
    assert "has changed" in str(check(corpus.folder).problems[0])


def test_a_damaged_layer_is_computed_again(corpus, takes):
    corpus.add(takes.body("a"))
    good = np.array(corpus.layer("a", "velocities"))
    flip(files(corpus, "SELECT file FROM layers")[0], -3)
    np.testing.assert_array_equal(corpus.layer("a", "velocities"), good)
    assert check(corpus.folder).problems == ()  # and written again


def test_a_damaged_model_is_not_used(corpus):
    keep_model(corpus, "kind", "key", {"a": np.arange(30.0)}, settings={}, takes=[], code_version=None)
    assert find_model(corpus, "kind", "key") is not None
    flip(files(corpus, "SELECT file FROM model_arrays")[0], -3)
    assert find_model(corpus, "kind", "key") is None


def test_an_array_is_verified_once_per_process_and_again_when_its_file_is_another(corpus, takes, monkeypatch):
    corpus.add(takes.body("a"))
    verified = []
    real = array_files.find_damage
    monkeypatch.setattr(array_files, "find_damage", lambda *given: verified.append(given[1].file) or real(*given))
    for _ in range(3):
        corpus.take("a")
    assert len(verified) == 1
    path = files(corpus, "SELECT file FROM takes")[0]
    shutil.copy(path, path.with_name("copy"))
    os.replace(path.with_name("copy"), path)
    corpus.take("a")
    assert len(verified) == 2


def test_a_check_does_not_trust_an_earlier_read(corpus, takes):
    corpus.add(takes.body("a"))
    corpus.take("a")
    path = files(corpus, "SELECT file FROM takes")[0]
    status = path.stat()
    with open(path, "rb+") as file:
        file.seek(-7, os.SEEK_END)
        file.write(b"\x55")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    corpus.close()
    with Corpus.open(corpus.folder) as reader:
        reader.take("a")  # this process has verified it
    assert "its checksum differs" in str(check(corpus.folder).problems[0])


def test_what_is_known_to_be_verified_takes_little_memory(corpus):
    for number in range(array_files.VERIFIED_AT_MOST + 10):
        array_files._verified.put((f"{number}", 0, 0, 0, 0), True)
    assert len(array_files._verified) == array_files.VERIFIED_AT_MOST
