"""`motionloom clean`: feet that slide stand still afterwards, and the report says so."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.motion import Motion, Skeleton, cut, kinematics, rotations
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
    printed, written = json.loads(ran.out), json.loads(report.read_text())
    assert printed == written
    skate = next(line for line in printed["quality"] if line["name"] == "foot skate")
    assert skate["value"] < 0.1 * skate["before"]
    assert all(part["met"] for part in printed["parts"])


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
        (["SLIDING", "-o", "out.bvh", "--picture", "feet.jpg"], "must have the extension .png"),
        (["SLIDING", "-o", "out.bvh", "--floor", "nan"], "floor"),
        (["SLIDING", "-o", "out.bvh", "--floor", "inf"], "floor"),
        (["SLIDING"], "Missing option"),
    ],
)
def test_what_cannot_be_cleaned_is_refused_in_a_sentence_and_nothing_is_written(
    motionloom, sliding, tmp_path, monkeypatch, arguments, sentence
):
    monkeypatch.chdir(tmp_path)
    ran = motionloom("clean", *[sliding if argument == "SLIDING" else argument for argument in arguments])
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.fixture
def desk(tmp_path, sliding, monkeypatch):
    """Where someone works: a recording, a file, a folder called like a file; gives what is there, with its content."""
    (tmp_path / "recording.bvh").write_bytes(sliding.read_bytes())
    (tmp_path / "file.txt").write_text("mine")
    for name in ("folder.bvh", "folder.png", "folder.json"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    return lambda: {path: path.read_bytes() if path.is_file() else None for path in sorted(tmp_path.rglob("*"))}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-o", "folder.bvh"], "folder.bvh is a folder"),
        (["-o", "new/out.bvh", "--report", "folder.json"], "folder.json is a folder"),
        (["-o", "new/out.bvh", "--picture", "folder.png"], "folder.png is a folder"),
        (["-o", "file.txt/out.bvh"], "file.txt is not a folder"),
        (["-o", "new/out.bvh", "--report", "file.txt/deep/report.json"], "file.txt is not a folder"),
        (["-o", "new/out.bvh", "--picture", "file.txt/feet.png"], "file.txt is not a folder"),
        (["-o", "out.bvh", "--report", "./out.bvh"], "--out and --report are both"),
        (["-o", "out.bvh", "--report", "new/../feet.png", "--picture", "feet.png"], "--report and --picture are both"),
        (["-o", "out.bvh", "--report", "recording.bvh"], "--report is the file that is read"),
    ],
)
def test_nothing_is_written_where_one_of_the_files_cannot_be(motionloom, desk, arguments, sentence):
    before = desk()
    ran = motionloom("clean", "recording.bvh", *arguments)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert sentence in ran.err
    assert desk() == before


def test_a_folder_that_may_not_be_written_to_is_named_before_anything_is_made(motionloom, desk, monkeypatch):
    # whoever runs this as root may write anywhere
    monkeypatch.setattr("os.access", lambda path, mode: "folder.bvh" not in str(path))
    before = desk()
    ran = motionloom("clean", "recording.bvh", "-o", "out.bvh", "--report", "folder.bvh/deep/report.json")
    assert ran.code == 2
    assert "you may not write to" in ran.err and "folder.bvh" in ran.err
    assert desk() == before


def test_a_picture_that_breaks_off_leaves_the_old_one_and_no_half_of_a_new_one(motionloom, desk, monkeypatch, tmp_path):
    from PIL import Image

    def break_off(image, path, **options):
        Path(path).write_bytes(b"half a pic")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", break_off)
    (tmp_path / "feet.png").write_bytes(b"an old picture")
    before = desk()
    ran = motionloom("clean", "recording.bvh", "-o", "out.bvh", "--picture", "feet.png")
    assert ran.code == 2
    assert "feet.png" in ran.err and "No space left" in ran.err
    assert desk() == before


def test_a_recording_can_be_cleaned_in_place(motionloom, sliding, tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_bytes(sliding.read_bytes())
    assert motionloom("clean", path, "-o", path, "--floor", "0").code == 0
    assert slide_of(path, sliding) < 0.0005


@pytest.mark.parametrize("n_frames", [1, 2, 3])
@pytest.mark.parametrize("extension", ["bvh", "npz"])
def test_a_few_frames_are_cleaned_too(motionloom, sliding, tmp_path, n_frames, extension):
    path, out = tmp_path / f"few.{extension}", tmp_path / "out.npz"
    formats.write(path, cut(formats.read(sliding).motion, 0, n_frames))
    ran = motionloom("clean", path, "-o", out, "--picture", tmp_path / "feet.png", "--json", "--rest-frame", "keep")
    assert ran.code == 0, ran.err
    assert formats.read(out).motion.n_frames == n_frames


@pytest.mark.parametrize("floor", ["-3", "3"])
def test_a_floor_far_from_the_feet_is_refused_with_the_height_that_they_rest_at(motionloom, sliding, tmp_path, floor):
    ran = motionloom("clean", sliding, "-o", tmp_path / "out.npz", "--floor", floor)
    assert ran.code == 2
    assert "no foot comes near a floor at" in ran.err
    assert f"{estimate_floor(formats.read(sliding).motion):.2f} m" in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong_by", [-0.15, 0.15])
def test_a_floor_a_hand_off_still_gives_planted_feet(motionloom, sliding, tmp_path, wrong_by):
    floor = estimate_floor(formats.read(sliding).motion) + wrong_by
    ran = motionloom("clean", sliding, "-o", tmp_path / "out.npz", "--floor", floor, "--json")
    assert ran.code in (0, 1), ran.err  # legs bend a lot for a floor that is too high
    assert json.loads(ran.out)["asked"]["footplants"] >= 10


def test_a_clean_up_that_misses_something_is_written_but_done_in_part(motionloom, sliding, tmp_path):
    ran = motionloom("clean", sliding, "-o", tmp_path / "out.npz", "--floor", "0.22")
    assert ran.code == 1, ran.err
    assert "MISSED  joints stay where they were" in ran.out
    assert (tmp_path / "out.npz").exists()


def test_a_rate_that_cannot_be_true_is_pointed_out(motionloom, sliding, tmp_path):
    motion = formats.read(sliding).motion
    formats.write(tmp_path / "hasty.bvh", replace(motion, fps=4 * motion.fps))
    ran = motionloom("clean", tmp_path / "hasty.bvh", "-o", tmp_path / "out.bvh")
    assert ran.code in (0, 1)
    assert ran.err.startswith(f"look at {tmp_path / 'hasty.bvh'}: the file states 240 frames per second")


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


@pytest.mark.parametrize(
    "way",
    [
        lambda t: np.stack([0 * t, 40 - 4.905 * t**2, 0 * t], axis=-1),  # falls
        lambda t: np.stack([3 * t, 5 + 0.8 * t, 0 * t], axis=-1),  # flies
        lambda t: np.stack([2 * np.sin(3 * t), 2 + 2 * np.cos(3 * t), 0 * t], axis=-1),  # swings
    ],
)
def test_a_body_that_never_touches_the_ground_is_not_said_to_be_below_it(motionloom, tmp_path, sliding, way):
    motion = formats.read(sliding).motion
    moved = motion.root_positions + way(np.arange(motion.n_frames) / motion.fps)
    formats.write(tmp_path / "never.npz", replace(motion, root_positions=moved))
    ran = motionloom("clean", tmp_path / "never.npz", "-o", tmp_path / "out.npz")
    assert "nothing was planted" in ran.out
    assert "MISSED" not in ran.out and ran.code == 0, ran.out
    np.testing.assert_allclose(formats.read(tmp_path / "out.npz").motion.root_positions, moved)


@pytest.fixture(scope="module")
def flipping(tmp_path_factory):
    """A file with a walk in which the left shin turns over for six frames, and an arm for good."""
    motion = perform(Writer("walk").then("stand", 0.5).then("walk", 2.5).done(), np.random.default_rng(5)).motion
    local = motion.local_rotations.copy()
    knee, shoulder = motion.skeleton.index("left_knee"), motion.skeleton.index("right_shoulder")
    for joint, frames in ((knee, slice(60, 66)), (shoulder, slice(100, None))):
        away = rotations.about_axis(np.array([0.3, 0.0, 1.0]) / np.hypot(0.3, 1.0), np.radians(150))
        local[frames, joint] = rotations.multiply(local[frames, joint], away)
    path = tmp_path_factory.mktemp("flips") / "flipping.bvh"
    formats.write(path, replace(motion, local_rotations=local))
    return path


def fastest_knee(path) -> float:
    """Metres per second of the left ankle around the frames in which the shin turns over, seen from the hip."""
    motion = formats.read(path).motion
    positions = kinematics.world_positions(motion)
    seen = positions[:, motion.skeleton.index("left_foot")] - positions[:, motion.skeleton.index("left_hip")]
    return float(np.linalg.norm(np.diff(seen[50:76], axis=0), axis=-1).max() * motion.fps)


def test_short_flips_are_mended_if_asked_for_and_reported(motionloom, flipping, tmp_path):
    ran = motionloom("clean", flipping, "-o", tmp_path / "a.bvh", "--spikes")
    assert ran.code in (0, 1), ran.err
    assert fastest_knee(flipping) > 20 and fastest_knee(tmp_path / "a.bvh") < 6
    joint = formats.read(flipping).motion.skeleton.roles["left_knee"]
    assert f"mended: {joint} in frames 60 to 65" in ran.out
    assert "RightUpperArm turns over" in ran.err and "after frame 99" in ran.err  # it stays


def test_flips_are_named_and_mending_is_offered_if_not_asked_for(motionloom, flipping, tmp_path):
    ran = motionloom("clean", flipping, "-o", tmp_path / "a.bvh")
    assert "turns over" in ran.err and "--spikes" in ran.err
    assert "mended" not in ran.out
    assert fastest_knee(tmp_path / "a.bvh") > 10


def test_what_was_mended_is_in_the_report_for_programs(motionloom, flipping, sliding, tmp_path):
    ran = motionloom("clean", flipping, "-o", tmp_path / "a.bvh", "--spikes", "--json")
    assert any(line.startswith("mended: ") for line in json.loads(ran.out)["notes"])
    ran = motionloom("clean", sliding, "-o", tmp_path / "b.bvh", "--spikes", "--json")
    assert "no spikes and no short flips to mend" in json.loads(ran.out)["notes"]


def test_a_skeleton_without_knees_is_refused_in_a_sentence(motionloom, tmp_path):
    names = ("Hips", "LeftUpLeg", "LeftFoot", "LeftToeBase", "RightUpLeg", "RightFoot", "RightToeBase", "Spine", "Head")
    offsets = [(0, 0, 0), (0.1, 0, 0), (0, -0.8, 0), (0, -0.06, 0.13), (-0.1, 0, 0), (0, -0.8, 0), (0, -0.06, 0.13)]
    offsets += [(0, 0.3, 0), (0, 0.3, 0)]
    skeleton = Skeleton(names, np.array([-1, 0, 1, 2, 0, 4, 5, 0, 7]), np.array(offsets, float))
    time = np.arange(120) / 60
    turns = np.zeros((120, 9, 3))
    turns[:, 1, 0], turns[:, 4, 0] = 0.3 * np.sin(4 * time), -0.3 * np.sin(4 * time)
    root = np.stack([0 * time, 0.86 + 0 * time, 0.8 * time], axis=-1)
    path, out = tmp_path / "kneeless.bvh", tmp_path / "clean.bvh"
    formats.write(path, Motion(skeleton, root, rotations.exp(turns), 60.0))
    ran = motionloom("clean", path, "-o", out)
    assert ran.code == 2 and not out.exists()
    assert "has no leg to plant a foot with" in ran.err and "left_knee" in ran.err
    assert "Traceback" not in ran.err
