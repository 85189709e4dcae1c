"""`motionloom clean`: feet that slide stand still afterwards, and the report says so."""

import json
from dataclasses import replace

import numpy as np
import pytest

from motionloom import formats
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.motion import Motion
from motionloom.performer import Writer, perform


@pytest.fixture(scope="module")
def sliding(tmp_path_factory):
    """A file with a walk whose feet slide, because its root drifts sideways by 8 cm a second and sinks a little."""
    motion = perform(Writer("walk").then("stand", 0.5).then("walk", 2.5).done(), np.random.default_rng(5)).motion
    drift = np.arange(motion.n_frames)[:, None] / motion.fps * np.array([0.08, 0.0, 0.0])
    path = tmp_path_factory.mktemp("clean") / "sliding.bvh"
    formats.write(path, Motion(motion.skeleton, motion.root_positions + drift, motion.local_rotations, motion.fps))
    return path


def slide_of(path, like, floor=0.0) -> float:
    """The farthest that a point moves between frames in which the source has it in contact, metres."""
    source, motion = formats.read(like).motion, formats.read(path).motion
    contacts = detect_contacts(source, floor)
    moved = np.linalg.norm(np.diff(foot_points(motion, floor, like=source), axis=0), axis=-1)
    return float(moved[contacts[1:] & contacts[:-1]].max())


def test_cleaned_feet_stand_still_in_the_file_that_is_written(motionloom, sliding, tmp_path):
    out = tmp_path / "clean.bvh"
    ran = motionloom("clean", sliding, "-o", out, "--floor", "0")
    assert ran.code == 0, ran.err
    assert slide_of(sliding, sliding) > 0.002
    assert slide_of(out, sliding) < 0.0005
    assert "planted feet stay" in ran.out
    assert "before" in ran.out


def test_the_report_goes_to_a_file_and_to_programs(motionloom, sliding, tmp_path):
    report = tmp_path / "new" / "report.json"
    ran = motionloom("clean", sliding, "-o", tmp_path / "clean.npz", "--report", report, "--json")
    told, written = json.loads(ran.out), json.loads(report.read_text())
    assert told == written
    skate = next(one for one in told["quality"] if one["name"] == "foot skate")
    assert skate["value"] < 0.1 * skate["before"]
    assert all(part["met"] for part in told["parts"])


def test_the_picture_of_the_feet_is_drawn(motionloom, sliding, tmp_path):
    from PIL import Image

    picture = tmp_path / "feet.png"
    assert motionloom("clean", sliding, "-o", tmp_path / "clean.glb", "--picture", picture).code == 0
    assert Image.open(picture).size[0] == 1600
    assert (tmp_path / "clean.glb").stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.bvh", "-o", "out.bvh"], "missing.bvh"),
        (["SLIDING", "-o", "out.fbx"], "cannot write '.fbx'"),
        (["SLIDING", "-o", "out.bvh", "--picture", "feet.jpg"], "ends in .png"),
        (["SLIDING", "-o", "out.bvh", "--floor", "nan"], "floor"),
        (["SLIDING"], "Missing option"),
    ],
)
def test_what_cannot_be_cleaned_is_refused_in_a_sentence_and_nothing_is_written(
    motionloom, sliding, tmp_path, monkeypatch, arguments, sentence
):
    monkeypatch.chdir(tmp_path)
    ran = motionloom("clean", *[sliding if one == "SLIDING" else one for one in arguments])
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_body_without_legs_is_refused_with_what_to_do(motionloom, tmp_path, make):
    motion = make.motion(20)
    names = tuple(f"joint{i}" for i in range(motion.skeleton.n_joints))
    strange = replace(motion, skeleton=replace(motion.skeleton, names=names, roles={}))
    formats.write(tmp_path / "strange.bvh", strange)
    ran = motionloom("clean", tmp_path / "strange.bvh", "-o", tmp_path / "out.bvh")
    assert ran.code == 2
    assert "no leg" in ran.err
    assert not (tmp_path / "out.bvh").exists()


def test_a_motion_whose_feet_never_rest_stays_as_it_is(motionloom, tmp_path, sliding):
    motion = formats.read(sliding).motion
    rising = np.arange(motion.n_frames)[:, None] / motion.fps * np.array([0.0, 4.0, 0.0])
    flying = Motion(motion.skeleton, motion.root_positions + rising, motion.local_rotations, motion.fps)
    formats.write(tmp_path / "flying.npz", flying)
    ran = motionloom("clean", tmp_path / "flying.npz", "-o", tmp_path / "out.npz", "--floor", "0")
    assert ran.code == 0
    assert "nothing was planted" in ran.out
    np.testing.assert_array_equal(formats.read(tmp_path / "out.npz").motion.local_rotations, flying.local_rotations)
