"""Neutral poses in a corpus: one for all takes of a skeleton, learnt once, and again where nothing was known."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.corpus import Corpus, Source, Take, neutral_poses, read_neutral_pose
from motionloom.features.neutral_pose import REST
from motionloom.motion import Motion, cut, rest_pose, rotations


@pytest.fixture(scope="module")
def bowed(make) -> Motion:
    """A walk of a body whose head is bowed in the rest pose."""
    motion = make.demo_take("walk/slow").motion
    rest = rotations.identity((motion.skeleton.n_joints,))
    rest[motion.skeleton.index("head")] = rotations.about_axis(np.array([1.0, 0.0, 0.0]), 0.7)
    return rest_pose.rebase(motion, rest)


def take_of(name: str, motion: Motion) -> Take:
    return Take(name, motion, Source(name, "test", name, motion.fps, 1.0))


@pytest.fixture
def corpus(tmp_path, bowed):
    with Corpus.create(tmp_path / "corpus") as corpus:
        for start in (0, 200, 400):
            corpus.add(take_of(f"walk/{start}", cut(bowed, start, start + 200)), floor_height=0.0)
        yield corpus


def test_all_takes_of_a_skeleton_show_one_body(corpus):
    skeletons = [corpus.take(name).motion.skeleton for name in corpus.names()]
    poses = [read_neutral_pose(corpus, skeleton) for skeleton in skeletons]
    assert set(poses[0].rotations) == {"head"}
    assert all(pose == poses[0] for pose in poses)


def test_it_is_learnt_once_and_kept(corpus, bowed, monkeypatch):
    first = read_neutral_pose(corpus, bowed.skeleton)
    monkeypatch.setattr(neutral_poses, "learn_neutral_pose", None)
    assert read_neutral_pose(corpus, bowed.skeleton) == first
    with Corpus.open(corpus.folder) as other:
        assert read_neutral_pose(other, bowed.skeleton) == first


def test_a_corpus_that_may_only_be_read_learns_the_same(corpus, bowed):
    with Corpus.open(corpus.folder) as reader:
        before = read_neutral_pose(reader, bowed.skeleton)
    assert before == read_neutral_pose(corpus, bowed.skeleton)


def test_takes_that_are_added_after_enough_are_known_change_nothing(corpus, bowed, monkeypatch):
    monkeypatch.setattr(neutral_poses, "MOST_TAKES", 3)
    before = read_neutral_pose(corpus, bowed.skeleton)
    upright = replace(bowed, local_rotations=bowed.local_rotations[::-1])
    corpus.add(take_of("another", cut(upright, 0, 300)), floor_height=0.0)
    assert read_neutral_pose(corpus, bowed.skeleton) == before


def test_a_take_that_walks_teaches_what_takes_before_it_could_not(tmp_path, bowed):
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(take_of("a glimpse", cut(bowed, 0, 8)), floor_height=0.0)
        assert read_neutral_pose(corpus, bowed.skeleton) == REST
        corpus.add(take_of("a walk", bowed), floor_height=0.0)
        assert set(read_neutral_pose(corpus, bowed.skeleton).rotations) == {"head"}


def test_a_damaged_take_keeps_nobody_from_learning(corpus, bowed):
    (file,) = corpus.connection.execute("SELECT file FROM takes WHERE name = 'walk/0'").fetchone()
    damaged = corpus.arrays / file
    damaged.chmod(0o644)
    damaged.write_bytes(damaged.read_bytes()[:200])
    assert set(read_neutral_pose(corpus, bowed.skeleton).rotations) == {"head"}


def test_a_skeleton_without_takes_has_none(corpus, bowed):
    assert read_neutral_pose(corpus, bowed.skeleton.scaled(1.5)) is None
