"""A few performed takes, made ready for searching once for all tests of the timeline."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from motionloom.corpus import Corpus
from motionloom.methods.timeline import Model, Settings, prepare
from motionloom.methods.timeline.model import make_model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.passes.forward_backward import Endings, backward_pass, forward_step
from motionloom.methods.timeline.passes.trellis import Trellis, make_trellis

TAKES = ("run/walk_run_walk_1", "wave/walk_and_wave_1", "walk/stop_and_go", "jump/run_and_jump_1")


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory, make) -> Corpus:
    """Four performed takes with their labels: walk, run, wave, stand, jump."""
    return make.demo_corpus(tmp_path_factory.mktemp("timeline") / "corpus", TAKES)


@pytest.fixture(scope="session")
def model(small_corpus) -> Model:
    """The four takes, ready for searching."""
    return prepare(small_corpus)


@dataclass(frozen=True)
class Recorded:
    """What a model reads of a view, without a corpus behind it."""

    starts: np.ndarray
    names: tuple[str, ...]
    source_frames: np.ndarray
    fps: float = 60.0
    key: str = "tiny"

    def range_of(self, name: str) -> tuple[int, int]:
        number = self.names.index(name)
        return int(self.starts[number]), int(self.starts[number + 1])

    @property
    def corpus(self) -> "Recorded":
        return self  # it is its own corpus

    def info(self, name: str) -> SimpleNamespace:
        start, stop = self.range_of(name)
        return SimpleNamespace(n_frames=stop - start)

    def model(self, kind, settings, *args) -> dict[str, np.ndarray]:
        return kind(*args)  # nothing is kept


@pytest.fixture(scope="session")
def tiny():
    """Make models of a few random motions that no corpus is behind, small enough for trying everything."""

    def make_tiny(lengths, tracks, *, seed=0, neighbours=6, settings=None, coordinates=None) -> Model:
        """`tracks`: by label, (N,) +1, -1 or 0."""
        rng = np.random.default_rng(seed)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        parts = [np.cumsum(rng.normal(scale=0.6, size=(n, 3)), axis=0) + rng.normal(scale=2, size=3) for n in lengths]
        points = np.concatenate(parts) if coordinates is None else np.asarray(coordinates, float)
        turns = [np.cumsum(rng.normal(scale=0.08, size=n)) + rng.uniform(-3, 3) for n in lengths]
        ways = [np.cumsum(0.03 * np.column_stack([np.sin(turn), np.cos(turn)]), axis=0) for turn in turns]
        facings = np.concatenate([np.column_stack(pair) for pair in zip(ways, turns)])
        last, before = starts[1:] - 1, np.maximum(starts[1:] - 2, starts[:-1])
        points, facings = (np.concatenate([rows, 2 * rows[last] - rows[before]]) for rows in (points, facings))
        near, far = _list_neighbours(points, starts, neighbours)
        recorded = np.concatenate([np.arange(n, dtype=float) for n in lengths])
        view = Recorded(starts, tuple(f"take_{i}" for i in range(len(lengths))), recorded)
        arrays = {"coordinates": points, "facings": facings, "neighbours": near, "distances": far}
        values = np.column_stack([*tracks.values()]).astype(np.int8) if tracks else np.zeros((starts[-1], 0), np.int8)
        return make_model(view, settings or Settings(), arrays, tuple(tracks), values)

    return make_tiny


def _list_neighbours(points: np.ndarray, starts: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The nearest frames of every frame, more than 2 frames away from it in its own motion."""
    n_frames = starts[-1]
    away = np.linalg.norm(points[:, None] - points[None, :n_frames], axis=2)
    for i in range(n_frames):
        motion = np.searchsorted(starts, i, side="right") - 1
        away[i, max(starts[motion], i - 2) : min(starts[motion + 1], i + 3)] = np.inf
    near = np.argsort(away, axis=1, kind="stable")[:, :count]
    far = np.take_along_axis(away, near, axis=1)
    return np.where(np.isfinite(far), near, -1).astype(np.int32), far.astype(np.float32)


@dataclass(frozen=True, eq=False)
class BothPasses:
    """A forward and a backward pass over the trellis of a problem, one slot after another."""

    trellis: Trellis
    cost_so_far: list[np.ndarray]
    before: list[np.ndarray]  # of each slot from the second on: (N,) the block of the slot before
    cost_to_go: tuple[np.ndarray, ...]

    @property
    def endings(self) -> Endings:
        return Endings(self.trellis, self.cost_to_go)

    def through(self, slot: int) -> np.ndarray:
        """(N,) least cost of a chain that has each block in a slot."""
        return self.cost_so_far[slot] + self.cost_to_go[slot]

    def trace_back(self, slot: int, block: int) -> np.ndarray:
        """(slot + 1,) the blocks of the cheapest beginning that ends with a block of a slot."""
        chain = [block]
        for before in self.before[:slot][::-1]:
            chain.append(int(before[chain[-1]]))
        return np.array(chain[::-1])


def run_both(model: Model, problem: Problem, first: np.ndarray | None = None) -> BothPasses:
    """Run both passes; `first` (N,) is the cost so far of the blocks of the first slot, nothing if it is not given."""
    trellis = make_trellis(model, problem)
    cost_so_far, before = [np.zeros(model.n_frames, np.float32) if first is None else first], []
    for slot in range(trellis.n_slots - 1):
        reached, origins = forward_step(trellis, slot, cost_so_far[slot] + trellis.costs[slot])
        cost_so_far.append(reached)
        before.append(origins)
    return BothPasses(trellis, cost_so_far, before, backward_pass(trellis))


@pytest.fixture(scope="session")
def both_passes():
    return run_both
