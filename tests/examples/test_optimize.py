"""Every request of examples/optimize/performed gives a motion that meets it; all others can be read."""

import re
from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly import prepare_for, realize, solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Request
from motionloom.motion import kinematics

pytestmark = pytest.mark.long
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "optimize"
REQUESTS = sorted((EXAMPLES / "performed").glob("*.yaml"))
OTHERS = sorted(path for path in EXAMPLES.rglob("*.yaml") if path.parent.name != "performed")
TAKES = (
    "walk/normal_1 walk/normal_2 walk/normal_3 walk/brisk walk/stop_and_go walk/about_face_1 walk/about_face_2 "
    "run/run_1 run/run_2 run/jog run/fast jump/up jump/forward jump/turning jump/walk_and_jump jump/run_and_jump_1 "
    "jump/run_and_jump_2 sit/walk_sit_walk sit/chair_1 sit/chair_2 sit/chair_3 pick_up/pick_and_place_1 "
    "pick_up/pick_and_place_2 pick_up/pick_and_place_3 pick_up/one_hand"
).split()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    """A part of the demo corpus."""
    return make.demo_corpus(tmp_path_factory.mktemp("optimize") / "corpus", TAKES)


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_request_is_met(corpus, path):
    request = Request.read(path)
    model = prepare_for(dynamics, corpus, request)
    result = realize(dynamics, solve(dynamics, model, request)[0], model)
    assert not [f"{part.name}: {part.value}, {part.why_not}" for part in result.report.parts if not part.met]
    speeds = np.diff(kinematics.world_positions(result.motion), axis=0) * result.motion.fps
    bends = np.linalg.norm(np.diff(speeds[:, 0], axis=0), axis=-1) * result.motion.fps
    assert bends.max() < 60.0  # metres per second squared of the hips: those of performed jumps have 40


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_request_on_recordings_can_be_read(path):
    request = Request.read(path)
    files = [pose.file for pose in request.poses if pose.file is not None]
    assert all(Path(file).is_file() for file in files)
    assert request.prior.takes


def test_pose_files_are_those_that_their_angles_make(tmp_path):
    import runpy

    runpy.run_path(str(EXAMPLES / "poses" / "write_poses.py"))["main"](str(tmp_path))
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_text() for path in (EXAMPLES / "poses").glob("*.bvh")}


def test_the_requests_of_the_page_give_what_they_ask_for(corpus):
    page = (EXAMPLES.parents[1] / "docs" / "dynamics.md").read_text()
    keys, prior, edit, _ = re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)  # the last one is of a face
    assert Request.parse(f"{prior}length: 1s").prior.takes == ("walk/*",)
    for text in (keys, f"{edit}prior: {{takes: ['walk/normal_[13]']}}"):
        request = Request.parse(text)
        model = prepare_for(dynamics, corpus, request)
        report = realize(dynamics, solve(dynamics, model, request)[0], model).report
        assert not [part.name for part in report.parts if not part.met]
