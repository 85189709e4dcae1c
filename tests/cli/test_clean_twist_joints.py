"""`motionloom clean` of bodies with joints inside their bones: the same as of those without."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import formats
from motionloom.constraints import foot_targets, root_reach
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.motion import hinges, kinematics, rotations
from motionloom.performer import Writer, perform

LEGS = ("left_leg", "right_leg")


@pytest.fixture(scope="module")
def sliding():
    """A walk with knees beyond straight by up to 18 degrees and feet that slide."""
    motion = perform(Writer("walk").then("stand", 0.5).then("walk", 2.0).done(), np.random.default_rng(6)).motion
    skeleton, local = motion.skeleton, motion.local_rotations.copy()
    for limb in LEGS:
        axis = hinges.hinge_axis(skeleton, local, limb)
        bends = hinges.flexion(skeleton, local, limb, axis)
        fade = np.clip(1 - (bends - bends.min()) / np.radians(30), 0, 1)[:, None]
        too_far = rotations.exp(-(bends.min() + np.radians(18)) * fade * axis)
        knee = skeleton.index(hinges.LIMBS[limb][1])
        local[:, knee] = rotations.multiply(too_far, local[:, knee])
    drift = np.arange(motion.n_frames)[:, None] / motion.fps * np.array([0.08, 0.0, 0.0])
    return replace(motion, root_positions=motion.root_positions + drift, local_rotations=local)


def worst_bend(motion, like):
    """The farthest that a knee is beyond straight, degrees."""
    axes = {limb: hinges.hinge_axis(like.skeleton, like.local_rotations, limb) for limb in LEGS}
    bends = [hinges.flexion(motion.skeleton, motion.local_rotations, limb, axis) for limb, axis in axes.items()]
    return -np.degrees(np.min(bends))


def places(motion):
    positions = kinematics.world_positions(motion)
    return np.stack([positions[:, motion.skeleton.index(role)] for limb in LEGS for role in hinges.LIMBS[limb]])


@pytest.mark.parametrize(("n", "twist"), [(1, 0.0), (3, 0.0), (1, 0.5), (2, 0.5)])
def test_knees_bend_the_right_way_and_feet_stay(motionloom, make, sliding, tmp_path, n, twist):
    source, out = tmp_path / "twist.bvh", tmp_path / "clean.bvh"
    formats.write(source, make.with_twist_joints(sliding, n, twist))
    ran = motionloom("clean", source, "-o", out, "--floor", "0")
    assert ran.code == 0, ran.err
    before, after = formats.read(source).motion, formats.read(out).motion
    assert worst_bend(before, before) > 12
    assert worst_bend(after, before) < 0.2
    contacts = detect_contacts(before, 0.0)
    moved = np.linalg.norm(np.diff(foot_points(after, 0.0, like=before), axis=0), axis=-1)
    assert moved[contacts[1:] & contacts[:-1]].max() < 0.0005


@pytest.mark.parametrize("n", [1, 2, 3])
def test_what_comes_out_is_what_comes_of_the_body_without_them(motionloom, make, sliding, tmp_path, monkeypatch, n):
    for solver in (foot_targets, root_reach):
        monkeypatch.setattr(solver, "SETTLED", 1e-9)  # to the end, where rounding does not decide
    monkeypatch.setattr(foot_targets, "PATIENT", foot_targets.MAX_ITERATIONS)
    cleaned = []
    for name, motion in (("plain", sliding), ("twist", make.with_twist_joints(sliding, n))):
        formats.write(tmp_path / f"{name}.npz", motion)
        assert motionloom("clean", tmp_path / f"{name}.npz", "-o", tmp_path / f"{name}_clean.npz").code == 0
        cleaned.append(formats.read(tmp_path / f"{name}_clean.npz").motion)
    # moving the plain body by 1e-10 m changes what the solver of the feet finds by 4e-6 m
    np.testing.assert_allclose(places(cleaned[1]), places(cleaned[0]), atol=1e-5)
