"""Every example runs, from its own file, as its first lines say."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import Corpus, Source, Take
from motionloom.performer import Writer, perform

pytestmark = pytest.mark.long

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def recordings(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("recordings")
    for i in range(2):
        formats.write(folder / f"take_{i}.bvh", make.motion(80, seed=i))
    return folder


@pytest.fixture(scope="module")
def walk():
    return perform(Writer("walk").then("walk", 10).done(), np.random.default_rng(1)).motion


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


def test_cleaning_and_bending(walk, tmp_path):
    formats.write(tmp_path / "walk.bvh", walk)
    out = run("04_clean_and_bend.py", tmp_path / "walk.bvh", tmp_path / "out")
    assert "planted feet stay" in out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"clean.bvh", "bent.bvh"}


def test_retargeting(walk, make, tmp_path):
    formats.write(tmp_path / "walk.bvh", walk)
    formats.write(tmp_path / "other.npz", make.motion(3))
    out = run("08_retarget.py", tmp_path / "walk.bvh", tmp_path / "other.npz", tmp_path / "out")
    assert "footplants kept" in out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"retargeted.bvh", "both.png"}


def test_building_up(walk, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("walk", walk, Source("demo", "performer", "0", walk.fps, 1.0)), floor_height=0.0)
    out = run("09_build_up.py", tmp_path / "corpus", tmp_path / "new.glb", "walk")
    assert "pose groups" in out and "planted feet stay" in out
    assert (tmp_path / "new.glb").stat().st_size > 1000


def test_directing(make, tmp_path):
    make.demo_corpus(tmp_path / "corpus", ["walk/normal_1", "walk/normal_2"]).close()
    out = run("10_direct.py", tmp_path / "corpus", tmp_path / "out", "walk/normal_2", "walk/normal_1")
    assert "dimensions hold" in out and "dynamics: " in out and "linear: " in out
    assert "MISSED" not in out
    assert "hand: off by" in out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "dynamics.glb", "linear.glb", "both.png", "edited.glb",
    }  # fmt: skip


def test_walking_a_graph(walk, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("walk", walk, Source("demo", "performer", "0", walk.fps, 1.0)), floor_height=0.0)
    out = run("05_walk_a_graph.py", tmp_path / "corpus", tmp_path / "new.glb", "walk")
    assert "frame 100 is frame" in out
    assert (tmp_path / "new.glb").stat().st_size > 1000


def test_labelling_a_corpus(tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed, action in enumerate(("walk", "run", "walk", "run")):
            made = perform(
                Writer(f"{action}_{seed}").then("stand", 1).then(action, 2).done(), np.random.default_rng(seed)
            )
            source = Source("demo", "performer", str(seed), made.motion.fps, 1.0)
            corpus.add(Take(f"{action}_{seed}", made.motion, source), floor_height=0.0)
            corpus.add_labels(replace(label, take=f"{action}_{seed}") for label in made.labels)
    out = run("06_label_a_corpus.py", tmp_path / "corpus", 2)
    assert out.count(": unsure ") == 2
    assert "proposals right" in out
    assert float(out.split("% right of what is not verified")[0].split()[-1]) > 60
    with Corpus.open(tmp_path / "corpus") as corpus:
        assert len({range_.take for range_ in corpus.verified()}) == 2


def test_driving_a_hub_graph(walk, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("walk", walk, Source("demo", "performer", "0", walk.fps, 1.0)), floor_height=0.0)
    out = run("07_drive_a_hub_graph.py", tmp_path / "corpus", tmp_path / "new.bvh", "walk")
    assert "1 hub," in out
    assert out.count(" s  walk [") >= 5
    assert formats.read(tmp_path / "new.bvh").motion.n_frames == 720


def test_every_example_is_short_and_tested():
    here = Path(__file__).read_text()
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text().splitlines()) < 60
        assert path.name in here
