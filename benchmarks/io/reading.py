"""How fast a BVH file becomes a take, beside the peer that reads angles only."""

import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import best_of, figure
from motionloom import formats
from motionloom.formats import text
from motionloom.motion import Motion, Skeleton, rotations

TAKES = ("original/01_01.bvh", "boxing/14_02.bvh", "walking/144_03.bvh", "breakdance/85_12.bvh", "everyday/86_01.bvh")
MEGABYTE = 1e6


def reading_figures(data: Path | None) -> list[dict]:
    """Megabytes of text per second of whole imports (checked, converted, recognised), best of five per file."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [data / "cmu" / take for take in TAKES] if data is not None else [_invent_take(Path(folder))]
        formats.read(paths[0])  # compile
        size = sum(path.stat().st_size for path in paths) / MEGABYTE
        ours = sum(best_of(lambda path=path: formats.read(path)) for path in paths)
        peer = sum(best_of(lambda path=path: _peer_read(path)) for path in paths)
        contents = [path.read_bytes() for path in paths]
        parse = sum(best_of(lambda content=content: _parse(content)) for content in contents)
    return [
        figure("BVH import; speed", size / ours, "MB/s", "higher", peer=size / peer),
        figure("BVH import; ratio to upc-pymotion", peer / ours, "x", "higher"),
        figure("numbers in BVH text; speed", size / parse, "MB/s", "higher"),
    ]


def _peer_read(path: Path) -> None:
    from pymotion.io.bvh import BVH

    BVH().load(str(path))


def _parse(content: bytes) -> None:
    start = content.index(b"Frame Time")
    start = content.index(b"\n", start) + 1
    text.parse_numbers("benchmark", content, start, len(content), 96)


def _invent_take(folder: Path) -> Path:
    """A file like the real ones, where none are at hand."""
    rng = np.random.default_rng(0)
    skeleton = Skeleton(tuple(f"j{i}" for i in range(31)), np.arange(31) - 1, rng.normal(scale=0.2, size=(31, 3)))
    turns = rng.normal(scale=0.01, size=(2000, 31, 3)).cumsum(axis=0)
    motion = Motion(skeleton, rng.normal(scale=0.01, size=(2000, 3)).cumsum(axis=0), rotations.exp(turns), 60)
    formats.write(folder / "invented.bvh", motion)
    return folder / "invented.bvh"
