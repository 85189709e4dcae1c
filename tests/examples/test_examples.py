"""Every example runs, from its own file, as its first lines say."""

import subprocess
import sys
from pathlib import Path

import pytest

from motionloom import formats

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def recordings(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("recordings")
    for i in range(2):
        formats.write(folder / f"take_{i}.bvh", make.motion(80, seed=i))
    return folder


def run(name, *arguments):
    command = [sys.executable, EXAMPLES / name, *arguments]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_reading_and_playing(recordings, tmp_path):
    out = run("01_read_and_play.py", recordings / "take_0.bvh", tmp_path)
    assert "80 frames at 60 per second" in out
    assert {path.name for path in tmp_path.iterdir()} == {"mirrored.glb", "first_half.bvh", "sheet.png"}


def test_making_a_corpus_and_viewing_it(recordings, tmp_path):
    out = run("02_make_a_corpus.py", recordings, tmp_path / "corpus")
    assert "2 takes imported, 0 refused" in out
    assert "20 frames of its beginning" in out
    out = run("03_one_view_of_many_takes.py", tmp_path / "corpus")
    assert "4 motions" in out
    assert "fastest:" in out


def test_every_example_is_short_and_tested():
    here = Path(__file__).read_text()
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text().splitlines()) < 60
        assert path.name in here
