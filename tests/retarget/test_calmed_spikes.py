"""Jolts are calmed around them alone, and what is planted stays where it is."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.rigs import RIGS
from tests.retarget.bodies import BARE, at

from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points, heel_offsets
from motionloom.motion import Motion, kinematics, rotations, two_bone_ik
from motionloom.quality import measure_hinges
from motionloom.retarget import retarget_motion
from motionloom.retarget.calmed_spikes import ENOUGH, calm_spikes
from motionloom.retarget.held_feet import HeldFeet


@pytest.fixture(scope="module")
def walk(make) -> Motion:
    return make.demo_take("walk/normal_1").motion


def roughness(motion: Motion) -> float:
    """Leg lengths per frame squared: the highest acceleration of a joint with a role."""
    joints = [motion.skeleton.names.index(name) for name in motion.skeleton.roles.values()]
    places = kinematics.world_positions(motion)[:, joints]
    return float(np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max() / motion.skeleton.leg_length)


def test_a_twitch_of_a_foot_is_no_jolt_of_a_longer_one(walk):
    local = np.array(walk.local_rotations)
    ankle = walk.skeleton.index("left_foot")
    local[40, ankle] = local[36, ankle]
    twitching = replace(walk, local_rotations=local)
    target = RIGS["child"]()
    carried = retarget_motion(twitching, target, settings=BARE).motion
    calmed = calm_spikes(twitching, carried)

    def jolt(motion: Motion) -> float:
        bends = np.linalg.norm(np.diff(at(motion, "left_ball"), 2, axis=0), axis=-1)
        return float(bends.max() / motion.skeleton.leg_length)

    assert jolt(calmed) <= max(1.2 * jolt(twitching), jolt(walk) * 1.2)
    far = np.r_[0:25, 60 : walk.n_frames]
    if jolt(carried) > jolt(calmed):
        assert np.array_equal(calmed.local_rotations[far], carried.local_rotations[far])


def test_a_motion_without_jolts_is_not_smoothed(walk):
    carried = retarget_motion(walk, walk.skeleton.scaled(1.3), settings=BARE).motion
    assert calm_spikes(walk, carried) is carried


@pytest.mark.parametrize("seed", range(6))
def test_calming_makes_no_jolt_larger_and_moves_no_joint_far(make, seed):
    source = make.motion(80, seed=seed, wildness=0.6, hinged=True)
    rng = np.random.default_rng(seed)
    local = np.array(source.local_rotations)
    for frame in rng.integers(5, 75, 4):
        joint = source.skeleton.index(str(rng.choice(["left_foot", "right_knee", "left_elbow", "right_shoulder"])))
        local[frame, joint] = rotations.multiply(local[frame, joint], rotations.exp(rng.normal(scale=0.2, size=3)))
    source = replace(source, local_rotations=local)
    carried = retarget_motion(source, RIGS["child"](), settings=BARE).motion
    calmed = calm_spikes(source, carried)
    before, after = (kinematics.world_positions(motion) for motion in (carried, calmed))
    jolts = [np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max() for places in (before, after)]
    assert jolts[1] <= jolts[0] + 1e-9
    assert np.linalg.norm(after - before, axis=-1).max() < 0.1


def jolted(motion: Motion, frame: int, role: str, turn: tuple[float, float, float], lower: float) -> Motion:
    """The motion with one joint turned (radians), and the root lowered (metres), in one frame; feet stay."""
    local, root = np.array(motion.local_rotations), np.array(motion.root_positions)
    joint = motion.skeleton.index(role)
    local[frame, joint] = rotations.multiply(local[frame, joint], rotations.exp(np.array(turn)))
    root[frame, 1] -= lower
    positions, turned = kinematics.world(motion)
    for side in ("left", "right"):
        ankle = motion.skeleton.index(f"{side}_foot")
        local, _ = two_bone_ik.reach(
            motion.skeleton, root, local, f"{side}_leg", positions[:, ankle], end_rotations=turned[:, ankle]
        )
    return replace(motion, local_rotations=local, root_positions=root)


def held(motion: Motion, contacts: np.ndarray) -> tuple[HeldFeet, np.ndarray]:
    heels = heel_offsets(motion, 0.0)
    return HeldFeet.of(motion, contacts, foot_points(motion, 0.0, heels=heels)), heels


@pytest.mark.parametrize("role", ["hips", "left_hip", "left_elbow", "left_shoulder", "head"])
@pytest.mark.parametrize("place", ["first", "middle", "last"])
@pytest.mark.parametrize("rig", ["twist", "child"])
def test_planted_points_stay_while_a_jolt_beside_them_is_calmed(walk, rig, place, role):
    contacts = detect_contacts(walk, 0.0)
    planted = retarget_motion(walk, RIGS[rig](), contacts=contacts).motion
    frame = {"first": 0, "middle": walk.n_frames // 2, "last": walk.n_frames - 1}[place]
    rough = jolted(planted, frame, role, (0.4, 0.1, -0.3), 0.04 * planted.skeleton.leg_length)
    limit = ENOUGH * roughness(walk)
    assert roughness(rough) > limit
    feet, heels = held(rough, contacts)
    calmed = calm_spikes(walk, rough, feet)
    assert roughness(calmed) < max(limit, 0.6 * roughness(rough)) * (1 + 1e-6)
    points = foot_points(calmed, 0.0, heels=heels)
    assert np.linalg.norm(points - feet.points, axis=-1)[contacts].max() < 1e-6
    far = np.abs(np.arange(walk.n_frames) - frame) > 2 * 0.2 * walk.fps + 8
    assert np.array_equal(calmed.local_rotations[far], rough.local_rotations[far])
    assert np.array_equal(calmed.root_positions[far], rough.root_positions[far])


def test_a_foot_that_rolls_over_its_heel_turns_about_it(walk):
    contacts = detect_contacts(walk, 0.0)
    contacts[:, 1::2] = False  # heels alone
    frame, ankle = int(np.flatnonzero(contacts[:, 0])[20]), walk.skeleton.index("left_foot")
    positions, turned = kinematics.world(walk)
    ankles, turns, heel = positions[:, ankle].copy(), turned[:, ankle].copy(), foot_points(walk, 0.0)[frame, 0]
    lift = rotations.about_axis(np.array([1.0, 0.0, 0.0]), -0.3)
    ankles[frame] = heel + rotations.rotate(lift, ankles[frame] - heel)
    turns[frame] = rotations.multiply(lift, turns[frame])
    local, _ = two_bone_ik.reach(
        walk.skeleton, walk.root_positions, walk.local_rotations, "left_leg", ankles, end_rotations=turns
    )
    rough = replace(walk, local_rotations=local)
    feet, heels = held(rough, contacts)
    calmed = calm_spikes(walk, rough, feet)
    points = foot_points(calmed, 0.0, heels=heels)
    assert roughness(calmed) < 0.6 * roughness(rough)
    assert np.linalg.norm(points - feet.points, axis=-1)[contacts].max() < 1e-6
    assert np.linalg.norm(points[:, 1] - feet.points[:, 1], axis=-1).max() > 0.01


def test_a_knee_that_the_source_has_on_the_wrong_side_for_some_frames_is_not_drawn_through_straight(make):
    skeleton = make.skeleton()
    offsets = np.array(skeleton.offsets)
    for side in ("left", "right"):  # long thighs: what is a jolt of the knee there is a larger one here
        offsets[skeleton.index(f"{side}_knee")] *= 1.25
        offsets[skeleton.index(f"{side}_foot")] *= 0.75
    thigh, shank = (np.linalg.norm(offsets[skeleton.index(f"left_{role}")]) for role in ("knee", "foot"))
    bend = np.where(np.isin(np.arange(90), (40, 41, 42)), -1.0, 1.0)  # radians; the knee turns over twice
    turns = np.zeros((90, skeleton.n_joints, 3))
    turns[:, skeleton.index("left_hip"), 0] = -np.arctan2(shank * np.sin(bend), thigh + shank * np.cos(bend))
    turns[:, skeleton.index("left_knee"), 0] = bend
    source = Motion(skeleton, np.zeros((90, 3)), rotations.exp(turns), 60.0)
    result = retarget_motion(source, replace(skeleton, offsets=offsets)).motion
    hinges = measure_hinges(result)
    assert hinges is not None
    assert hinges.flips == 0
    steps = np.linalg.norm(np.diff(at(result, "left_knee") - at(result, "left_hip"), axis=0), axis=-1)
    assert steps.max() < 0.1 * result.skeleton.leg_length
