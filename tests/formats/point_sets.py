"""Points for tests of readers and writers."""

from pathlib import Path

import numpy as np

from motionloom import formats
from motionloom.formats import ReadOptions, Take
from motionloom.motion import PointMotion

BODY = ("LFHD", "C7", "CLAV", "LANK", "RANK", "LTOE")
HEIGHTS = (1.7, 1.5, 1.4, 0.1, 0.1, 0.05)  # metres
FACE = ("ForeHead_M", "Leyebrow_M", "Nose_Tip", "Cheek_L", "Lip_Up", "Jaw_M")
FACE_HEIGHTS = (0.19, 0.16, 0.1, 0.09, 0.06, 0.0)


def body_points(n_frames: int = 40, fps: float = 100.0, seed: int = 0) -> PointMotion:
    """Six points of a person who stands, in metres with y up, each with a path of its own."""
    return _points(BODY, HEIGHTS, 0.3, n_frames, fps, seed)


def face_points(n_frames: int = 40, fps: float = 60.0, seed: int = 0) -> PointMotion:
    """Six points of a face of 19 cm."""
    return _points(FACE, FACE_HEIGHTS, 0.01, n_frames, fps, seed)


def with_gaps(motion: PointMotion, *gaps: tuple[int, int, int]) -> PointMotion:
    """The motion with points missing: point, first frame, frame after it."""
    positions = motion.positions.copy()
    for point, start, stop in gaps:
        positions[start:stop, point] = np.nan
    return PointMotion(motion.names, positions, motion.fps)


def read_table(folder: Path, text: str, name: str = "a.csv", **options: object) -> Take:
    """Read a text as a file."""
    (folder / name).write_bytes(text.encode())
    return formats.read(folder / name, ReadOptions(**options))  # type: ignore[arg-type]


def points_of(take: Take) -> PointMotion:
    assert isinstance(take.motion, PointMotion)
    return take.motion


def messages(take: Take, kind: str) -> list[str]:
    return [finding.message for finding in take.findings if finding.kind == kind]


def _points(
    names: tuple[str, ...], heights: tuple[float, ...], width: float, n_frames: int, fps: float, seed: int
) -> PointMotion:
    rng = np.random.default_rng(seed)
    t = np.arange(n_frames)[:, None, None] / fps
    sides = rng.normal(scale=width, size=(len(names), 3)) * [1, 0, 1]
    waves = 0.05 * width * np.sin(2 * np.pi * (t * rng.uniform(0.5, 2, (len(names), 3)) + rng.random((len(names), 3))))
    return PointMotion(names, sides + np.outer(heights, [0, 1, 0]) + waves, fps)
