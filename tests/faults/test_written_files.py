"""Every kind of file that people are given is written whole: synced, then renamed, and the old one stays till then."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.faults.kill_at_step import run

from motionloom import formats, render
from motionloom.assembly.results.result import Report
from motionloom.cli.tour.gallery import write_gallery
from motionloom.corpus.labels.label_files import _write as write_table
from motionloom.methods.snap.graph.hubs_file import write_hubs
from motionloom.methods.snap.model import Model as SnapModel
from motionloom.methods.timeline.model import INDEX
from motionloom.methods.timeline.model import Model as TimelineModel
from motionloom.methods.timeline.request import Request
from motionloom.motion import PointMotion
from motionloom.render.drawing import save_page


def write_hub_graph(path: Path, _) -> None:
    from motionloom.methods.snap.graph.hubs_file import read_hubs

    fixture = Path(__file__).parents[2] / "src/motionloom/studio/web/src/player/player.fixture.hubs"
    write_hubs(path, read_hubs(fixture))


def save_timeline_model(path: Path, _) -> None:
    arrays = {name: np.arange(3) for name in INDEX}
    model = SimpleNamespace(
        view=SimpleNamespace(key="view"), labels=("walk",), tracks=np.zeros(3), space="space", **arrays
    )
    TimelineModel.save(model, path)


def save_snap_model(path: Path, _) -> None:
    plain = SimpleNamespace(to_data=dict, to_arrays=lambda: {"frames": np.zeros(3)})
    view = SimpleNamespace(key="view", names=("walk",))
    SnapModel.save(SimpleNamespace(view=view, material=plain, report=plain, graph=plain), path)


POINTS = PointMotion(("nose", "chin"), np.ones((3, 2, 3)), 60)
WRITERS = {
    "a.bvh": formats.write,
    "a.npz": formats.write,
    "a.glb": formats.write,
    "a.csv": lambda path, _: formats.write(path, POINTS),
    "a.c3d": lambda path, _: formats.write(path, POINTS),
    "a.hubs": write_hub_graph,
    "labels.csv": lambda path, _: write_table(path, ("take",), [("walk",)]),
    "request.yaml": lambda path, _: Request(length="4s").write(path),
    "report.json": lambda path, _: Report().write(path),
    "sheet.png": lambda path, _: save_page(path, np.zeros((8, 8, 3), np.uint8)),
    "clip.mp4": lambda path, motion: render.write_video(path, motion, size=(32, 32)),
    "index.html": lambda path, _: write_gallery(path, [], "facts"),
    "timeline.model": save_timeline_model,
    "snap.model": save_snap_model,
}


def write(name: str, folder: Path, motion):
    return lambda _: WRITERS[name](folder / name, motion)


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_synced_and_then_gets_its_name(name, make, tmp_path):
    write(name, tmp_path, make.motion(4))(None)
    (tmp_path / name).unlink()
    steps = run(write(name, tmp_path, make.motion(4)), tmp_path).steps
    assert (tmp_path / name).stat().st_size > 0
    assert f"open {name}" not in steps, "half of it would have the name of the whole"
    *_, synced, replaced, folder_synced = steps
    assert (synced.startswith("fsync ."), replaced, folder_synced) == (True, f"replace {name}", "fsync .")
    assert synced.removeprefix("fsync ") != "."


@pytest.mark.parametrize("name", WRITERS)
def test_an_old_file_stays_where_a_new_one_cannot_be_written(name, make, tmp_path):
    write(name, tmp_path, make.motion(4))(None)  # here too: children inherit what was compiled
    steps = run(write(name, tmp_path, make.motion(4)), tmp_path).steps
    (tmp_path / name).write_bytes(b"before")
    for number in range(len(steps) - 1):  # after the last one, of the folder, the new one is there
        outcome = run(write(name, tmp_path, make.motion(4)), tmp_path, fail_at=number)
        assert "BadInput" in outcome.error
        assert (tmp_path / name).read_bytes() == b"before", steps[number]
        assert [path.name for path in tmp_path.iterdir()] == [name], steps[number]
