"""Takes and corpora for the tests of this room."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import Corpus
from motionloom.formats.take import Finding, Source, Take
from motionloom.motion import PointMotion

SOURCE = Source("walks/a.bvh", "bvh", "0123", 120.0, 0.0564, rotation_orders=("ZYX", "ZYX"), rest_frame_dropped=True)


@dataclass(frozen=True)
class Takes:
    """Makes takes; the same seed gives the same content."""

    make: object

    def body(self, name: str, seed: int = 0, n_frames: int = 12, fps: float = 60.0) -> Take:
        motion = self.make.motion(n_frames=n_frames, seed=seed, fps=fps)
        return Take(name, motion, SOURCE, (Finding("unit", "1 unit is 5.6 cm"), Finding("rate", "looks fast", True)))

    def points(self, name: str, seed: int = 0, n_frames: int = 9) -> Take:
        positions = np.random.default_rng(seed).normal(size=(n_frames, 3, 3))
        positions[2, 1] = np.nan  # a marker that was not seen
        return Take(name, PointMotion(("brow", "chin", "nose tip"), positions, 100.0), SOURCE)

    def write_files(self, folder: Path, n_files: int, n_frames: int = 12) -> list[Path]:
        """BVH files walks/00.bvh, walks/01.bvh, ..."""
        (folder / "walks").mkdir(parents=True, exist_ok=True)
        paths = [folder / "walks" / f"{i:02d}.bvh" for i in range(n_files)]
        for i, path in enumerate(paths):
            formats.write(path, self.make.motion(n_frames=n_frames, seed=i))
        return paths


@pytest.fixture(scope="session")
def takes(make) -> Takes:
    return Takes(make)


@pytest.fixture
def corpus(tmp_path):
    """An empty corpus, open for writing."""
    with Corpus.create(tmp_path / "corpus") as corpus:
        yield corpus
