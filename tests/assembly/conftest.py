"""A corpus of a few short takes, and plans over it."""

from dataclasses import dataclass

import numpy as np
import pytest

from motionloom.assembly import Generated, Join, Piece, Plan, Recorded
from motionloom.conform import View, make_view
from motionloom.corpus import Corpus
from motionloom.formats.take import Source, Take
from motionloom.motion import Placement


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    """Three takes 'a', 'b', 'c' of 80 frames at 60 frames per second, the last recorded at 120."""
    with Corpus.create(tmp_path_factory.mktemp("assembly") / "corpus") as corpus:
        for seed, name in enumerate("abc"):
            fps, n_frames = (120.0, 159) if name == "c" else (60.0, 80)
            motion = make.motion(n_frames=n_frames, seed=seed, fps=fps, wildness=0.2, hinged=True)
            corpus.add(Take(name, motion, Source("x", "npz", "", fps, 1.0)), floor_height=0.0)
        yield corpus


@pytest.fixture(scope="module")
def view(corpus) -> View:
    return make_view(corpus)


@dataclass(frozen=True)
class PlanMaker:
    """Makes plans over the view."""

    view: View
    make: object

    def recorded(self, *clips, kind: str = "crossfade", seconds: float | None = None, **more) -> Plan:
        """A plan of clips (name, start, stop), each a step farther and turned a little."""
        pieces = [
            Piece(Recorded(name), start, stop, Placement(0.3 * i, np.array([i, -0.5 * i])))
            for i, (name, start, stop) in enumerate(clips)
        ]
        return self.of(pieces, kind, seconds, **more)

    def of(self, pieces, kind: str = "crossfade", seconds: float | None = None, **more) -> Plan:
        join = Join.usual(kind) if seconds is None else Join(kind, seconds)
        settings = {"fps": self.view.fps, "skeleton": self.view.skeleton.digest, "view": self.view.key} | more
        return Plan(tuple(pieces), (join,) * (len(pieces) - 1), **settings)

    def generated(self, n_frames: int = 50, seed: int = 9, **more) -> Generated:
        motion = self.make.motion(n_frames=n_frames, seed=seed, wildness=0.2, hinged=True)
        return Generated(motion, "wiggle", {"seed": seed}, **more)


@pytest.fixture(scope="module")
def plans(view, make) -> PlanMaker:
    return PlanMaker(view, make)


@pytest.fixture(scope="session")
def damage():
    """Writes a copy of a file beside it with one byte changed, and says where."""

    def change(path, place: int, byte: int):
        content = bytearray(path.read_bytes())
        content[place % len(content)] = byte
        damaged = path.with_name(f"damaged{path.suffix}")
        damaged.write_bytes(content)
        return damaged

    return change
