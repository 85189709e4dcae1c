"""Bodies from markers: those of a recorded set, and markers put on recordings, spoilt and fitted."""

import json

import numpy as np
import pytest
from benchmarks.faces.fitting import SIX, joint_errors, lying, measure, read
from benchmarks.faces.spoiling import spoil
from benchmarks.faces.upper_body import PLACES, upper_body_markers

from motionloom import formats
from motionloom.cli.main import run
from motionloom.markers import fit_markers, full_body_markers, put_on
from motionloom.motion import cut, kinematics


@pytest.mark.parametrize("take", ["16_21", "14_02"])
def test_joints_of_spoilt_markers_are_within_eight_millimetres(data, take):
    assert measure(data, (take,)).errors.mean() < 0.008


def test_lying_bodies_are_found_too(data):
    assert measure(data, ("16_21",), change=lying).errors.mean() < 0.008


def test_bodies_that_roll_over_the_floor_are_followed(data):
    motion = formats.read(data / "odd" / "90_18.bvh").motion
    motion = cut(motion, 1, min(motion.n_frames, 900))
    markers = full_body_markers(motion.skeleton)
    fitted = fit_markers(motion.skeleton, spoil(put_on(motion, markers), np.random.default_rng(0)), markers)
    errors = joint_errors(fitted, motion)
    assert errors.mean() < 0.008
    assert np.percentile(errors, 99) < 0.06


def test_six_markers_are_met_though_they_do_not_tell_the_body(data):
    motion = read(data, "16_21")
    markers = full_body_markers(motion.skeleton).only(SIX)
    fitted = fit_markers(motion.skeleton, put_on(motion, markers), markers)
    assert fitted.report.mean < 0.01
    assert joint_errors(fitted, motion).mean() < 0.1


def test_an_incomplete_set_tells_what_it_carries_and_the_rest_is_named(data):
    motion = read(data, "14_02")
    motion = cut(motion, 0, 600)
    markers = upper_body_markers(motion.skeleton)
    fitted = fit_markers(motion.skeleton, spoil(put_on(motion, markers), np.random.default_rng(0)), markers)
    assert joint_errors(fitted, motion).mean() < 0.008
    assert {"LeftLeg", "RightLeg", "Head", "LeftForeArm"} <= set(fitted.report.held)
    assert not {"Hips", "RightArm", "RightForeArm"} & set(fitted.report.held)


def test_the_command_fits_the_recorded_incomplete_set(data, tmp_path):
    """Hips, trunk and right arm of a person who lifts a box; where markers are is learnt, and so is the size."""
    out, report = tmp_path / "box.npz", tmp_path / "box.json"
    body = next((data / "cmu").glob("*/13_17.bvh"))
    learning = ["--markers", PLACES, "--learn-offsets", "--learn-size", "--report", report]
    arguments = ["fit", data / "c3d" / "upper_body_box.c3d", "--skeleton", body, "-o", out, *learning]
    assert run([str(argument) for argument in arguments]) == 0
    written = json.loads(report.read_text())
    assert len(written["markers"]) == 39 and "Daphnee:SCAP_RS" in written["not_in_the_set"]
    assert written["mean_mm"] < 6.0
    assert {"LeftLeg", "Head", "LeftForeArm"} <= set(written["joints_held"])
    motion, points = formats.read(out).motion, formats.read(data / "c3d" / "upper_body_box.c3d").motion
    assert (motion.n_frames, motion.fps) == (580, 100.0)
    wrist = points.positions[:, points.names.index("Daphnee:WRIST")]
    hand = kinematics.world_positions(motion)[:, motion.skeleton.index("right_hand")]
    assert np.nanmax(np.linalg.norm(hand - wrist, axis=-1)) < 0.06
    assert np.ptp(hand[:, 1]) == pytest.approx(np.nanmax(wrist[:, 1]) - np.nanmin(wrist[:, 1]), abs=0.05)


def test_the_command_returns_a_recording_from_markers_on_it(data, tmp_path):
    path = next((data / "cmu").glob("*/16_31.bvh"))
    motion = formats.read(path).motion
    points = spoil(put_on(motion, full_body_markers(motion.skeleton)), np.random.default_rng(0))
    formats.write(tmp_path / "walk.c3d", points)
    arguments = ["fit", tmp_path / "walk.c3d", "--skeleton", path, "-o", tmp_path / "fitted.bvh"]
    assert run([str(argument) for argument in arguments]) == 0
    fitted = formats.read(tmp_path / "fitted.bvh").motion
    assert fitted.fps == motion.fps
    own, truth = kinematics.world_positions(fitted), kinematics.world_positions(motion)
    assert np.linalg.norm(own - truth, axis=-1).mean() < 0.008
