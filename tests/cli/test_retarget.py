"""`motionloom retarget`: files onto the skeleton of another file."""

import json

import numpy as np
import pytest
from benchmarks.retarget.rigs import RIGS

from motionloom import formats
from motionloom.motion import Motion, PointMotion, kinematics, rotations


@pytest.fixture(scope="module")
def files(tmp_path_factory, make):
    """A walk, a motion of another body, and a skeleton to retarget to, as files."""
    folder = tmp_path_factory.mktemp("retarget")
    walk = make.demo_take("walk/normal_1").motion
    formats.write(folder / "walk.bvh", walk)
    other = make.motion(60, hinged=True)
    taller = Motion(other.skeleton.scaled(1.15), 1.15 * other.root_positions, other.local_rotations, other.fps)
    formats.write(folder / "other.npz", taller)
    rig = RIGS["child"]()
    standing = Motion(rig, np.array([[0.0, 0.55, 0.0]] * 2), rotations.identity((2, rig.n_joints)), 30.0)
    formats.write(folder / "child.npz", standing)
    points = PointMotion(("a", "b"), np.zeros((3, 2, 3)), 30.0)
    formats.write(folder / "points.npz", points)
    return folder


def test_a_walk_goes_onto_the_skeleton_of_another_file(motionloom, files, tmp_path):
    out, report = tmp_path / "small.npz", tmp_path / "report.json"
    ran = motionloom("retarget", files / "walk.bvh", "--to", files / "child.npz", "-o", out, "--report", report)
    assert ran.code == 0, ran.err
    motion = formats.read(out).motion
    assert motion.skeleton == RIGS["child"]()
    assert motion.n_frames == formats.read(files / "walk.bvh").motion.n_frames
    written = json.loads(report.read_text())["retargeted"]
    assert written[0]["footplants"] > 0
    assert written[0]["missed_footplants"] == 0
    assert written[0]["leg_ratio"] == pytest.approx(written[0]["scale"])


def test_files_of_one_call_share_one_scale(motionloom, files, tmp_path):
    recorded = files / "walk.bvh", files / "other.npz"
    pattern = tmp_path / "{take}.npz"
    ran = motionloom("retarget", *recorded, "--to", files / "child.npz", "-o", pattern, "--json", "--no-plant")
    assert ran.code == 0, ran.err
    written = json.loads(ran.out)["retargeted"]
    assert [each["take"] for each in written] == ["walk", "other"]
    assert written[0]["scale"] == written[1]["scale"]
    assert written[0]["leg_ratio"] != written[1]["leg_ratio"]
    assert (tmp_path / "walk.npz").exists()
    assert (tmp_path / "other.npz").exists()


def test_the_own_skeleton_gives_the_same_file(motionloom, files, tmp_path):
    out = tmp_path / "same.npz"
    assert motionloom("retarget", files / "other.npz", "--to", files / "other.npz", "-o", out).code == 0
    places = [kinematics.world_positions(formats.read(path).motion) for path in (files / "other.npz", out)]
    np.testing.assert_allclose(places[1], places[0], atol=1e-6)


def test_the_unit_of_the_skeleton_is_told_where_it_is_guessed_and_can_be_given(motionloom, files, tmp_path):
    rig = RIGS["a_pose"]().scaled(2.0)
    giant = Motion(rig, np.array([[0.0, 1.9, 0.0]] * 2), rotations.identity((2, rig.n_joints)), 30.0)
    formats.write(tmp_path / "giant.bvh", giant)
    arguments = ["retarget", files / "walk.bvh", "--to", tmp_path / "giant.bvh", "-o", tmp_path / "out.npz"]
    ran = motionloom(*arguments)
    assert ran.code == 0 and "giant.bvh: units are" in ran.err and "give --to-scale METRES" in ran.err
    ran = motionloom(*arguments, "--to-scale", "0.005")
    assert ran.code == 0 and "units are" not in ran.err
    assert formats.read(tmp_path / "out.npz").motion.skeleton.leg_length == pytest.approx(rig.leg_length / 2, rel=1e-4)


def test_the_picture_shows_both_bodies(motionloom, files, tmp_path):
    picture = tmp_path / "both.png"
    out = tmp_path / "small.glb"
    ran = motionloom("retarget", files / "other.npz", "--to", files / "child.npz", "-o", out, "--picture", picture)
    assert ran.code in (0, 1), ran.err
    assert picture.stat().st_size > 10_000
    assert out.stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["points.npz", "--to", "child.npz", "-o", "out.bvh"], "points without a skeleton cannot be retargeted"),
        (["walk.bvh", "--to", "points.npz", "-o", "out.bvh"], "points without a skeleton cannot be retargeted"),
        (["missing.bvh", "--to", "child.npz", "-o", "out.bvh"], "missing.bvh"),
        (["walk.bvh", "--to", "missing.asf", "-o", "out.bvh"], "missing.asf"),
        (["walk.bvh", "--to", "child.npz", "-o", "out.txt"], "cannot write '.txt'"),
        (["walk.bvh", "other.npz", "--to", "child.npz", "-o", "out.bvh"], "write {take} where the name goes"),
        (["walk.bvh", "--to", "child.npz", "-o", "out.bvh", "--hands", "table"], "no place 'table' for hands"),
        (["walk.bvh", "--to", "child.npz", "-o", "out.bvh", "--picture", "p.jpg"], "must have the extension .png"),
        (["walk.bvh", "points.npz", "--to", "child.npz", "-o", "{take}.bvh"], "points without a skeleton"),
    ],
)
def test_bad_input_is_refused_in_one_sentence_and_nothing_is_written(
    motionloom, files, tmp_path, monkeypatch, arguments, sentence
):
    monkeypatch.chdir(tmp_path)
    inputs = {path.name for path in files.iterdir()} | {"missing.bvh", "missing.asf"}
    ran = motionloom("retarget", *(files / word if word in inputs else word for word in arguments))
    assert ran.code == 2
    assert sentence in ran.err
    assert "Traceback" not in ran.err
    assert not list(tmp_path.iterdir())


def test_files_that_are_read_are_not_replaced_by_results_of_others(motionloom, files, tmp_path):
    walk, child = tmp_path / "walk.bvh", tmp_path / "child.npz"
    walk.write_bytes((files / "walk.bvh").read_bytes())
    child.write_bytes((files / "child.npz").read_bytes())
    before = walk.read_bytes(), child.read_bytes()
    onto_itself = motionloom("retarget", walk, "--to", child, "-o", child)
    onto_another = motionloom("retarget", files / "walk.bvh", walk, "--to", child, "-o", tmp_path / "{take}.bvh")
    for ran in (onto_itself, onto_another):
        assert ran.code == 2
        assert "which is read as well; give another file" in ran.err
    assert (walk.read_bytes(), child.read_bytes()) == before
    assert len(list(tmp_path.iterdir())) == 2


def test_a_skeleton_without_legs_is_refused_with_both_files(motionloom, files, tmp_path, make):
    body = make.motion(10)
    kept = [joint for joint, name in enumerate(body.skeleton.names) if "Leg" not in name and "Foot" not in name]
    kept = [joint for joint in kept if "Toe" not in body.skeleton.names[joint]]
    places = kinematics.world_positions(body)[:, kept]
    assert places.shape[1] < body.skeleton.n_joints
    from motionloom.motion import Skeleton

    order = {old: new for new, old in enumerate(kept)}
    parents = [-1 if body.skeleton.parents[j] < 0 else order[int(body.skeleton.parents[j])] for j in kept]
    names = tuple(body.skeleton.names[j] for j in kept)
    torso = Skeleton(names, np.array(parents), body.skeleton.offsets[kept])
    formats.write(tmp_path / "torso.npz", Motion(torso, body.root_positions, body.local_rotations[:, kept], 60.0))
    ran = motionloom("retarget", files / "walk.bvh", "--to", tmp_path / "torso.npz", "-o", tmp_path / "out.bvh")
    assert ran.code == 2
    assert "has no legs" in ran.err
    assert not (tmp_path / "out.bvh").exists()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("retarget_prior") / "corpus"
    make.demo_corpus(folder, ("walk/stop_and_go", "wave/standing")).close()
    return folder


def test_a_prior_brings_feet_to_their_scaled_places(motionloom, files, corpus, tmp_path):
    out, report = tmp_path / "small.npz", tmp_path / "report.json"
    given = ("--prior", corpus, "--prior-takes", "walk/*", "--report", report)
    ran = motionloom("retarget", files / "walk.bvh", "--to", files / "child.npz", "-o", out, *given)
    assert ran.code == 0, ran.err
    assert "feet from their scaled places" in ran.out
    (written,) = json.loads(report.read_text())["retargeted"]
    assert written["prior"]["kept"] is False and written["prior"]["weight"] > 0
    feet = written["prior"]["yardsticks"][0]
    assert feet["prior"] < 1.0 < feet["kit"]
    plain = tmp_path / "plain.npz"
    assert motionloom("retarget", files / "walk.bvh", "--to", files / "child.npz", "-o", plain).code == 0
    one, other = (kinematics.world_positions(formats.read(path).motion) for path in (out, plain))
    assert one.shape == other.shape
    assert 0.001 < np.abs(one - other).max() < 0.3


def test_the_same_body_stays_where_it_is_with_a_prior(motionloom, files, corpus, tmp_path):
    out = tmp_path / "same.npz"
    ran = motionloom("retarget", files / "walk.bvh", "--to", files / "walk.bvh", "-o", out, "--prior", corpus, "--json")
    assert ran.code == 0, ran.err
    (written,) = json.loads(ran.out)["retargeted"]
    assert not any(each["worse"] for each in written["prior"]["yardsticks"]) or written["prior"]["kept"]
    one, other = (formats.read(path).motion for path in (files / "walk.bvh", out))
    assert np.degrees(rotations.angle_between(one.local_rotations, other.local_rotations)).mean() < 1.0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--prior-takes", "walk/*"), "--prior-takes are of a corpus"),
        (("--prior", "CORPUS", "--no-plant"), "--prior brings feet to their places"),
        (("--prior", "nowhere"), "nowhere"),
        (("--prior", "CORPUS", "--prior-takes", "swim/*"), "swim/*"),
    ],
)
def test_a_prior_that_cannot_be_is_refused_before_anything_is_written(
    motionloom, files, corpus, tmp_path, options, sentence
):
    given = [corpus if option == "CORPUS" else option for option in options]
    ran = motionloom("retarget", files / "walk.bvh", "--to", files / "child.npz", "-o", tmp_path / "x.npz", *given)
    assert ran.code == 2
    assert sentence in ran.err
    assert not list(tmp_path.iterdir())
