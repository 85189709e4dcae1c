"""A floor far from that of the body's other takes: `info` says so, and `floor --body` corrects it."""

from dataclasses import replace

import pytest

from motionloom import formats
from motionloom.corpus import Corpus, import_files
from motionloom.motion import Motion, cut

NAMES = ("walk/normal_1", "walk/slow", "stand/weight_shifts_2")


@pytest.fixture(scope="module")
def motions(make):
    return {name.replace("/", "_"): cut(make.demo_take(name).motion, 60, 400) for name in NAMES}


@pytest.fixture(scope="module")
def standing(make):
    return make.demo_take("stand/weight_shifts_1").motion


def moved(motion: Motion, metres: float, frames: slice = slice(None)) -> Motion:
    roots = motion.root_positions.copy()
    roots[frames, 1] += metres
    return replace(motion, root_positions=roots)


def sinking(motion: Motion) -> Motion:
    """Stands on the floor, and 40 cm below it for a sixth of the time: alone that is the floor."""
    return moved(motion, -0.4, slice(200, 200 + motion.n_frames // 6))


def write(folder, motions, **more):
    folder.mkdir(exist_ok=True)
    for name, motion in {**motions, **more}.items():
        formats.write(folder / f"{name}.bvh", motion)
    return folder


def test_takes_that_are_there_already_stay_and_info_says_so(motionloom, tmp_path, motions, standing):
    with Corpus.create(tmp_path / "corpus") as corpus:
        import_files(corpus, [write(tmp_path / "first", {}, odd=sinking(standing))])
        before = corpus.info("odd")
        import_files(corpus, [write(tmp_path / "later", motions)])
        assert corpus.info("odd") == before and before.floor_height < -0.3
    listed = motionloom("info", tmp_path / "corpus")
    assert "far from that of the 4 takes" in listed.out
    shown = motionloom("info", tmp_path / "corpus", "odd")
    assert "look at: the floor is at -3" in shown.out and "motionloom floor --body" in shown.out
    ran = motionloom("floor", tmp_path / "corpus", "odd", "--body")
    assert ran.code == 0 and "(given)" in ran.out
    with Corpus.open(tmp_path / "corpus") as corpus:
        assert abs(corpus.info("odd").floor_height) < 0.03
    assert "far from" not in motionloom("info", tmp_path / "corpus").out


def test_a_body_of_two_takes_has_no_floor_to_be_judged_by(motionloom, tmp_path, motions, standing):
    with Corpus.create(tmp_path / "corpus") as corpus:
        files = write(tmp_path / "data", {"walk": motions["walk_slow"]}, odd=sinking(standing))
        import_files(corpus, [files])
        assert corpus.info("odd").floor_height < -0.3
        assert "the other take of this body" in corpus.info("odd").flags[-1].message
    ran = motionloom("floor", tmp_path / "corpus", "odd", "--body")
    assert ran.code == 2 and "needs three takes of the same body" in ran.err
