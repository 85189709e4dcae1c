"""Fixtures that every test may ask for."""

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import shutil
import signal
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import settings

from motionloom.motion import Motion, Skeleton, cut, rotations

if TYPE_CHECKING:
    from motionloom.corpus import Corpus
    from motionloom.performer import Performance
    from motionloom.performer.face_performance import FacePerformance

REPOSITORY = Path(__file__).resolve().parents[1]
PERFORMED = REPOSITORY / ".cache" / "performed"  # takes of the demo corpus, by the digest of what makes them

# The same examples in every run, however slow the machine; MOTIONLOOM_EXPLORE=1 looks for new ones.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("explore" if os.environ.get("MOTIONLOOM_EXPLORE") else "steady")

LIMIT = 600.0  # seconds that setting up a test, running it or clearing up after it may take: none waits for ever

NAMES = (
    "Hips LeftUpLeg LeftLeg LeftFoot LeftToeBase RightUpLeg RightLeg RightFoot RightToeBase "
    "Spine Spine1 Neck Head LeftShoulder LeftArm LeftForeArm LeftHand RightShoulder RightArm RightForeArm RightHand"
).split()
PARENTS = [-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 10, 13, 14, 15, 10, 17, 18, 19]
OFFSETS = [
    (0, 0, 0), (0.09, -0.05, 0), (0, -0.42, 0), (0, -0.41, 0), (0, -0.06, 0.13), (-0.09, -0.05, 0), (0, -0.42, 0),
    (0, -0.41, 0), (0, -0.06, 0.13), (0, 0.12, 0), (0, 0.15, 0), (0, 0.22, 0), (0, 0.1, 0.02), (0.04, 0.16, 0),
    (0.13, 0, 0), (0.28, 0, 0), (0.26, 0, 0), (-0.04, 0.16, 0), (-0.13, 0, 0), (-0.28, 0, 0), (-0.26, 0, 0),
]  # fmt: skip


TWISTED = ("knee", "foot", "elbow", "hand")  # the joints below bones that may have twist joints


@dataclass(frozen=True)
class Maker:
    """Makes skeletons and motions for tests; the same seed gives the same motion."""

    def skeleton(self, seed: int | None = None) -> Skeleton:
        """A person of 21 joints; with a seed, one with odd bone lengths and an uneven left and right."""
        offsets = np.array(OFFSETS, float)
        if seed is not None:
            offsets = offsets + np.random.default_rng(seed).normal(scale=0.03, size=offsets.shape)
        ends = [4, 8, 12, 16, 20]
        end_offsets = np.array([(0, 0, 0.07), (0, 0, 0.07), (0, 0.18, 0), (0.15, 0, 0), (-0.15, 0, 0)])
        return Skeleton(tuple(NAMES), np.array(PARENTS), offsets, np.array(ends), end_offsets, name="test person")

    def motion(
        self, n_frames: int = 40, seed: int = 0, fps: float = 60.0, wildness: float = 0.5, hinged: bool = False
    ) -> Motion:
        """A smooth motion about a standing pose; wildness is the spread of joint angles in radians.

        Every joint turns about any axis; if hinged, knees and elbows bend as those of a body do.
        """
        rng = np.random.default_rng(seed)
        skeleton = self.skeleton()
        keys = rng.normal(scale=wildness, size=(4, skeleton.n_joints, 3))
        turns = _smooth(keys, n_frames)
        turns = _hinge(skeleton, turns) if hinged else turns
        root = _smooth(rng.normal(scale=0.3, size=(4, 3)), n_frames) + np.array([0, 0.94, 0])
        return Motion(skeleton, root, rotations.exp(turns), fps)

    def with_twist_joints(self, motion: Motion, n: int, twist: float = 0.0, seed: int = 0) -> Motion:
        """The same motion on a skeleton with n more joints inside each thigh, shin, upper arm and forearm.

        They are turned about their bone by up to `twist` radians, and what is below them back again: every joint of the
        first skeleton is where it was.
        """
        rng, old = np.random.default_rng(seed), motion.skeleton
        lower = {old.index(f"{side}_{joint}") for side in ("left", "right") for joint in TWISTED}
        names, parents, offsets, turns, new = [], [], [], [], {-1: -1}
        for joint, name in enumerate(old.names):
            parent, offset, local = new[int(old.parents[joint])], old.offsets[joint], motion.local_rotations[:, joint]
            cuts = np.diff([0, *np.sort(rng.uniform(0.1, 0.9, n)), 1]) if joint in lower else np.ones(1)
            for number, share in enumerate(cuts[:-1]):
                names.append(f"{old.names[old.parents[joint]]}Twist{number or ''}")
                parents.append(parent)
                offsets.append(share * offset)
                parent = len(names) - 1
                angles = twist * _smooth(rng.uniform(-0.5, 0.5, (4, 1)), motion.n_frames)
                turns.append(rotations.exp(angles * offset / np.linalg.norm(offset)))
                local = rotations.multiply(rotations.inverse(turns[-1]), local)
            names.append(name)
            parents.append(parent)
            offsets.append(cuts[-1] * offset)
            turns.append(local)
            new[joint] = len(names) - 1
        ends = [new[int(joint)] for joint in old.end_parents]
        skeleton = Skeleton(tuple(names), np.array(parents), np.array(offsets), np.array(ends, int), old.end_offsets)
        return replace(motion, skeleton=skeleton, local_rotations=np.stack(turns, axis=1))

    def demo_take(self, name: str) -> "Performance":
        """A take of the demo corpus, seed 1; performed once for all workers, and anew when the package has changed."""
        from motionloom.performer import demo_scores, perform

        path = _find_store() / f"{name}.pickle"
        with contextlib.suppress(FileNotFoundError):
            made = pickle.loads(path.read_bytes())
            skeleton = replace(made.motion.skeleton)  # made anew: pickling forgets that arrays are read-only
            return replace(made, motion=replace(made.motion, skeleton=skeleton))
        score = next(score for score in demo_scores() if score.name == name)
        made = perform(score, np.random.default_rng([1, zlib.crc32(name.encode())]))
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_bytes(pickle.dumps(made))
        partial.replace(path)
        return made

    def demo_corpus(self, folder: Path, takes: Collection[str]) -> "Corpus":
        """A corpus, open for writing, of some takes of the demo corpus, with their labels."""
        from motionloom.corpus import Corpus, Source, Take
        from motionloom.performer import demo_scores

        corpus = Corpus.create(folder)
        for name in [score.name for score in demo_scores() if score.name in takes]:
            made = self.demo_take(name)
            corpus.add(Take(name, made.motion, Source(name, "performer", name, made.motion.fps, 1.0)), floor_height=0.0)
            corpus.add_labels(made.labels)
        assert corpus.names() == sorted(takes)
        return corpus

    def face_take(self, name: str) -> "FacePerformance":
        """A face of the demo corpus, seed 1."""
        from motionloom.performer.face_performance import perform_face
        from motionloom.performer.scores.demo_face_scores import demo_face_scores

        score = next(score for score in demo_face_scores() if score.name == name)
        return perform_face(score, np.random.default_rng([1, zlib.crc32(name.encode())]))

    def face_corpus(self, folder: Path, takes: Collection[str]) -> "Corpus":
        """A corpus, open for writing, of some faces of the demo corpus, with their labels."""
        from motionloom.corpus import Corpus

        corpus = Corpus.create(folder)
        self.add_faces(corpus, takes)
        return corpus

    def add_faces(self, corpus: "Corpus", takes: Collection[str]) -> None:
        """Put some faces of the demo corpus into a corpus that is open for writing, with their labels."""
        from motionloom.corpus import Source, Take

        for name in takes:
            made = self.face_take(name)
            corpus.add(Take(name, made.motion, Source(name, "performer", name, made.motion.fps, 1.0)), floor_height=0.0)
            corpus.add_labels(made.labels)


def _hinge(skeleton: Skeleton, turns: np.ndarray) -> np.ndarray:
    """(F, J, 3) rotation vectors with knees and elbows that only bend, to the side of a body."""
    for role, axis in (("knee", (1.0, 0, 0)), ("elbow", (0, -1.0, 0))):
        for side, sign in (("left", 1.0), ("right", 1.0 if role == "knee" else -1.0)):
            joint = skeleton.index(f"{side}_{role}")
            turns[:, joint] = np.linalg.norm(turns[:, joint], axis=-1, keepdims=True) * sign * np.array(axis)
    return turns


def _smooth(keys: np.ndarray, n_frames: int) -> np.ndarray:
    """(n_frames, ...) sines that pass near the (4, ...) keys."""
    phase = np.linspace(0, 1, n_frames)
    waves = np.stack([np.cos(np.pi * k * phase) for k in range(len(keys))])  # (4, F)
    return np.einsum("kf,k...->f...", waves, keys / np.arange(1, len(keys) + 1).reshape(-1, *[1] * (keys.ndim - 1)))


@functools.cache
def _find_store() -> Path:
    """Where performed takes are kept, by what makes them: the package and what computes for it; older ones go."""
    makers = [platform.python_version(), platform.machine(), *(version(name) for name in ("numpy", "scipy", "numba"))]
    digest = hashlib.sha256(" ".join(makers).encode())
    for path in sorted((REPOSITORY / "src" / "motionloom").rglob("*.py")):
        digest.update(b"%s\0%s\0" % (str(path.relative_to(REPOSITORY)).encode(), path.read_bytes()))
    store = PERFORMED / digest.hexdigest()
    for old in PERFORMED.glob("*"):
        if old != store:
            shutil.rmtree(old, ignore_errors=True)
    return store


@pytest.fixture(scope="session")
def make() -> Maker:
    return Maker()


@dataclass(frozen=True)
class FloorTakes:
    """Takes of one body that stand on one floor, and such as do not."""

    motions: dict[str, Motion]
    standing: Motion

    def moved(self, motion: Motion, metres: float, frames: slice = slice(None)) -> Motion:
        """A motion that is higher by some metres."""
        roots = motion.root_positions.copy()
        roots[frames, 1] += metres
        return replace(motion, root_positions=roots)

    def sinking(self) -> Motion:
        """Stands on the floor, and 40 cm below it for a sixth of the time: alone that is the floor."""
        return self.moved(self.standing, -0.4, slice(200, 200 + self.standing.n_frames // 6))

    def write(self, folder: Path, motions: dict[str, Motion], **more: Motion) -> Path:
        """Write motions to a folder as BVH files."""
        from motionloom import formats

        folder.mkdir(exist_ok=True)
        for name, motion in {**motions, **more}.items():
            formats.write(folder / f"{name}.bvh", motion)
        return folder


@pytest.fixture(scope="session")
def floors(make: Maker) -> FloorTakes:
    names = ("walk/normal_1", "walk/slow", "stand/weight_shifts_2")
    motions = {name.replace("/", "_"): cut(make.demo_take(name).motion, 60, 400) for name in names}
    return FloorTakes(motions, make.demo_take("stand/weight_shifts_1").motion)


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> None:
    """Ctrl-C reaches the tests and what they start, also where a shell put them in the background, which ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def _limited(what: str) -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError(f"{what} takes longer than {LIMIT:g} s; see the stacks that were printed before")

    usual = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, LIMIT, 10.0)  # and again: the first may come just before a call that waits
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, usual)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _limited(f"setting up {item.name}"):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _limited(item.name):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with _limited(f"clearing up after {item.name}"):
        return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with a test that takes long first: at the end there is nothing left to do beside it."""
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in long)
