"""Bodies without knees, takes that never touch the ground and rest poses that lie: imported, shown and cleaned."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.unseen.conventions import rewrite

from motionloom import formats
from motionloom.corpus import Corpus
from motionloom.motion import Motion, Skeleton, cut, kinematics, rotations


def without_knees(motion: Motion) -> Motion:
    """The motion on a skeleton whose thighs reach the ankles: a leg is one bone."""
    skeleton = motion.skeleton
    knees = {skeleton.index(f"{side}_knee") for side in ("left", "right")}
    kept = [joint for joint in range(skeleton.n_joints) if joint not in knees]
    above = {j: int(skeleton.parents[j]) for j in kept}
    parents = [int(skeleton.parents[above[j]]) if above[j] in knees else above[j] for j in kept]
    offsets = [skeleton.offsets[j] + (skeleton.offsets[above[j]] if above[j] in knees else 0.0) for j in kept]
    made = Skeleton(
        tuple(skeleton.names[j] for j in kept),
        np.array([kept.index(p) if p >= 0 else -1 for p in parents]),
        np.array(offsets),
        np.array([kept.index(p) for p in skeleton.end_parents.tolist()]),
        skeleton.end_offsets,
    )
    return Motion(made, motion.root_positions, motion.local_rotations[:, kept], motion.fps)


@pytest.fixture(scope="module")
def walk(make):
    return cut(make.demo_take("walk/normal_1").motion, 60, 300)


def in_the_air(make) -> Motion:
    """A flight without its take-off and landing."""
    motion = make.demo_take("jump/up").motion
    top = int(motion.root_positions[:, 1].argmax())
    return cut(motion, top - 8, top + 9)


@pytest.fixture(scope="module")
def files(make, walk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    formats.write(folder / "kneeless.bvh", without_knees(walk))
    formats.write(folder / "air.bvh", in_the_air(make))
    rewrite(folder / "side.bvh", walk, "y", "centimetres", "side")
    rewrite(folder / "back.bvh", walk, "z", "inches", "back")
    return folder


def test_odd_bodies_are_imported_with_the_right_axis_and_unit(motionloom, files, walk, tmp_path):
    motionloom("new", tmp_path / "c")
    ran = motionloom("import", tmp_path / "c", files)
    assert ran.code == 0, ran.err
    with Corpus.open(tmp_path / "c") as corpus:
        found = {info.name: (info.source.up, info.source.metres_per_unit) for info in corpus.infos()}
        assert found == {"air": ("y", 0.01), "back": ("z", 0.0254), "kneeless": ("y", 0.01), "side": ("y", 0.01)}
        assert not [flag for info in corpus.infos() for flag in info.flags if flag.kind in ("rate", "unit")]
        for name in ("side", "back"):
            motion = corpus.take(name).motion
            order = [walk.skeleton.names.index(joint) for joint in motion.skeleton.names]
            there = kinematics.world_positions(walk)[:, order]
            np.testing.assert_allclose(kinematics.world_positions(motion), there, atol=2e-3)
    for name in ("air", "back", "kneeless", "side"):
        shown = motionloom("info", tmp_path / "c", name)
        assert shown.code == 0 and "floor at" in shown.out


@pytest.mark.parametrize("name", ["air", "back", "kneeless", "side"])
def test_odd_bodies_are_cleaned_or_refused_in_a_sentence(motionloom, files, tmp_path, name):
    ran = motionloom("clean", files / f"{name}.bvh", "-o", tmp_path / "a.bvh", "--spikes")
    assert ran.code in (0, 1, 2) and "Traceback" not in ran.err
    if ran.code == 2:
        assert ran.err.startswith(("motionloom: ", "look at")) and not (tmp_path / "a.bvh").exists()
    else:
        again = formats.read(tmp_path / "a.bvh").motion
        assert np.isfinite(kinematics.world_positions(again)).all()


def test_a_body_that_floats_without_ever_resting_has_a_floor_and_no_alarm(motionloom, walk, tmp_path):
    drift = np.arange(walk.n_frames)[:, None] / walk.fps * np.array([0.0, 1.5, 0.0])
    formats.write(tmp_path / "rising.bvh", replace(walk, root_positions=walk.root_positions + drift))
    motionloom("new", tmp_path / "c")
    ran = motionloom("import", tmp_path / "c", tmp_path / "rising.bvh")
    assert ran.code == 0 and "frames per second" not in ran.err
    with Corpus.open(tmp_path / "c") as corpus:
        assert np.isfinite(corpus.info("rising").floor_height) and corpus.info("rising").source.up == "y"


def test_a_body_that_is_turned_upside_down_as_a_whole_is_read_by_its_rest_pose(motionloom, walk, tmp_path):
    """Somebody who walks on his hands: the rest pose stands, and hands that rest carry the body."""
    local = walk.local_rotations.copy()
    local[:, 0] = rotations.multiply(rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.pi), local[:, 0])
    formats.write(tmp_path / "hands.bvh", replace(walk, local_rotations=local))
    assert formats.read(tmp_path / "hands.bvh").source.up == "y"
