"""A law: whatever is added, either it is refused in one sentence, or the check of the corpus finds nothing wrong."""

import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from motionloom.corpus import Corpus, Source, Take, check
from motionloom.errors import BadInput, MotionloomError
from motionloom.formats import limits
from motionloom.motion import Motion, PointMotion, Skeleton, rotations

ODD_NUMBERS = (
    0.0,
    -0.0,
    1.0,
    1e-320,
    99_999.0,
    100_000.1,
    1e19,
    3e38,
    -3e38,
    1e39,
    1e300,
    float("inf"),
    float("-inf"),
    float("nan"),
)
numbers = st.one_of(st.floats(-10, 10), st.sampled_from(ODD_NUMBERS))
rates = st.one_of(st.floats(1, 500), st.sampled_from([1e-300, 1e-3, 0.1, 0.0999, 10_000.0, 10_001.0, 1e38, 1e300]))
names = st.one_of(st.sampled_from(["walk", "a/b", "a\ufffd", "\ud800", "a\0", "x" * 1001, "é"]), st.text(max_size=8))
lengths = st.one_of(st.just(1.0), st.sampled_from([0.0, 0.999, 1.001, 1.00100005, 0.9989999, 0.5, 2.0, 1e-30, 1e200]))


@st.composite
def sources(draw: st.DrawFn) -> Source:
    return Source(
        draw(names),
        "bvh",
        draw(names),
        draw(rates),
        draw(st.one_of(st.just(0.01), numbers)),
        up=draw(st.sampled_from(limits.UP_AXES) | names),
        rotation_orders=tuple(draw(st.lists(names, max_size=3))),
    )


@st.composite
def takes(draw: st.DrawFn) -> Take:
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    n_frames, n_joints = draw(st.integers(1, 4)), draw(st.integers(0, 4))
    positions = rng.normal(size=(n_frames, max(n_joints, 1), 3))
    positions[draw(st.integers(0, n_frames - 1)), 0, draw(st.integers(0, 2))] = draw(numbers)
    labels = tuple(draw(st.lists(names, min_size=n_joints, max_size=n_joints)))
    motion: Motion | PointMotion
    if draw(st.booleans()):
        motion = PointMotion(labels, positions[:, :n_joints], draw(rates))
    else:
        offsets = rng.normal(size=(n_joints, 3))
        offsets[-1:] = draw(numbers)
        turns = rotations.exp(rng.normal(size=(n_frames, n_joints, 3)))
        turns[draw(st.integers(0, n_frames - 1)), -1:] *= draw(lengths)
        ends = np.array(draw(st.lists(st.integers(-1, 5), max_size=2)), int)
        skeleton = Skeleton(
            labels, np.arange(-1, n_joints - 1), offsets, ends, rng.normal(size=(len(ends), 3)), name=draw(names)
        )
        motion = Motion(skeleton, positions[:, 0], turns, draw(rates))
    return Take(draw(names), motion, draw(sources()))


@st.composite
def odd_takes(draw: st.DrawFn) -> Take | str:
    """A take, or the sentence with which one of its parts was refused."""
    try:
        return draw(takes())
    except BadInput as refusal:
        return str(refusal)


def plain_take(**changes: object) -> Take:
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.ones((2, 3)))
    values = {"root_positions": np.zeros((3, 3)), "local_rotations": rotations.identity((3, 2)), "fps": 60.0, **changes}
    return Take("walk", Motion(skeleton, **values), Source("walk.bvh", "bvh", "0123", 60.0, 0.01))


@settings(max_examples=250, deadline=None)
@given(odd_takes(), st.one_of(st.none(), numbers))
@example(plain_take(), None)
def test_a_take_is_refused_in_a_sentence_or_the_check_is_clean(take: Take | str, floor: float | None) -> None:
    if isinstance(take, str):
        return
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        with Corpus.create(Path(folder) / "corpus") as corpus:
            try:
                corpus.add(take, floor_height=floor)
            except MotionloomError as refusal:
                assert str(refusal) and "\n" not in str(refusal)
                assert corpus.names() == []
                return
            corpus.take(take.name)
        found = check(Path(folder) / "corpus")
        assert found.problems == (), found.problems


TOO_MUCH = {
    "a rotation that is none": (
        {"local_rotations": rotations.identity((3, 2)) * [[[1.0], [1.0]], [[1.0], [1.7]], [[1.0], [1.0]]]},
        "walk: frame 1: the rotation of 'b' has length 1.7, expected 1",
    ),
    "a rate too high": ({"fps": 1e5}, "walk: 100000 frames per second; it must be 0.1 to 10000"),
    "a rate too low": ({"fps": 0.01}, "walk: 0.01 frames per second; it must be 0.1 to 10000"),
    "a root too far away": (
        {"root_positions": np.array([[0, 0, 0], [0, 1e38, 0], [0, 0, 0.0]])},
        "walk: frame 1: the root is farther than 100000 m from the origin (is the unit right?)",
    ),
}


@pytest.mark.parametrize(("changes", "sentence"), TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_what_is_beyond_a_limit_is_refused_with_the_limit(changes: dict, sentence: str, tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "corpus") as corpus, pytest.raises(BadInput) as refusal:
        corpus.add(plain_take(**changes))
    assert str(refusal.value) == sentence


def test_bodies_of_giants_are_refused(tmp_path: Path) -> None:
    take = plain_take()
    giant = Take("walk", Motion(take.motion.skeleton.scaled(1e38), *plain_arrays(take)), take.source)
    with (
        Corpus.create(tmp_path / "corpus") as corpus,
        pytest.raises(BadInput, match=r"walk: a bone is longer than 100000 m \(is the unit right\?\)"),
    ):
        corpus.add(giant)


def plain_arrays(take: Take) -> tuple[np.ndarray, np.ndarray, float]:
    assert isinstance(take.motion, Motion)
    return take.motion.root_positions, take.motion.local_rotations, take.motion.fps


def test_what_is_just_within_the_limits_is_added_and_clean(tmp_path: Path) -> None:
    turns = rotations.identity((3, 2)) * (1 + limits.UNIT_TOLERANCE)
    roots = np.full((3, 3), limits.MOST_METRES)
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(plain_take(local_rotations=turns, root_positions=roots, fps=limits.MOST_FPS))
    assert check(tmp_path / "corpus").problems == ()


def test_missing_points_are_added_and_clean(tmp_path: Path) -> None:
    positions = np.zeros((4, 2, 3))
    positions[1:3, 1] = np.nan
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("face", PointMotion(("nose", "chin"), positions, 60.0), plain_take().source))
        assert np.isnan(corpus.take("face").motion.positions[1, 1]).all()
    assert check(tmp_path / "corpus").problems == ()
