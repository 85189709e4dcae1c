"""Neutral poses of recorded people: learnt from some takes, faces and soles are looked at in others."""

import csv
from pathlib import Path

import numpy as np
import pytest

from motionloom import body, formats
from motionloom.features.facing import find_facing
from motionloom.features.neutral_pose import REST, NeutralPose, learn_neutral_pose, sample_ends
from motionloom.motion import Motion, kinematics, rest_pose, rotations

WALKERS = ("16", "49", "69", "86", "144")  # subjects whose rest pose bows the head, and who look ahead
LOOKERS = (
    "36",
    "40",
    "64",
    "77",
)  # and those who look at the ground: on rough terrain, ladders, playing golf, sneaking
SUBJECTS = (*WALKERS, *LOOKERS)
FORWARD, UP = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])


@pytest.fixture(scope="module")
def motions(data: Path) -> dict[str, list[Motion]]:
    """Motions by subject, in the order of the index."""
    by_subject: dict[str, list[Motion]] = {}
    with (data / "cmu" / "INDEX.csv").open() as file:
        for row in csv.DictReader(file):
            known = by_subject.setdefault(row["subject"], [])
            if row["subject"] in SUBJECTS:
                motion = formats.read(data / "cmu" / row["file"]).motion
                assert isinstance(motion, Motion)
                known.append(motion)
    return {subject: found for subject, found in by_subject.items() if found}


def face_pitches(motion: Motion, neutral: NeutralPose) -> np.ndarray:
    """(N,) degrees that the mannequin's face looks up in frames that stand or walk, as its mesh has it."""
    skin = body.build(motion.skeleton, neutral)
    head = motion.skeleton.index("head")
    turns = sample_ends(motion)["head"].turns  # joint to world, facing +z
    faces = rotations.rotate(rotations.multiply(turns, rotations.inverse(skin.bind_rotations[head])), FORWARD)
    return np.degrees(np.arcsin(np.clip(faces[:, 1], -1.0, 1.0)))


def median_pitch(motions: list[Motion], neutral: NeutralPose) -> float:
    return float(np.median(np.concatenate([face_pitches(motion, neutral) for motion in motions])))


@pytest.mark.parametrize("subject", WALKERS)
def test_faces_look_ahead_in_takes_that_nothing_was_learnt_from(motions, subject):
    neutral, others = learn_neutral_pose(motions[subject][::2]), motions[subject][1::2]
    before, after = median_pitch(others, REST), median_pitch(others, neutral)
    assert before < -10.0
    assert abs(after) < 10.0


@pytest.mark.parametrize("subject", LOOKERS)
def test_faces_that_look_at_the_ground_are_lifted_in_part(motions, subject):
    """They look down: taking that for ahead would tilt their heads back when they do look ahead."""
    own = motions[subject]
    before, after = median_pitch(own, REST), median_pitch(own, learn_neutral_pose(own))
    assert before < -30.0
    assert before - 0.1 <= after < -5.0


def test_the_nose_is_where_the_face_looks(motions):
    """The mesh itself: its foremost point, seen from the middle of the head, is ahead while a person walks."""
    motion = max(motions["16"], key=lambda motion: len(sample_ends(motion)["head"].turns))
    skin = body.build(motion.skeleton, learn_neutral_pose([motion]))
    of_head = ((skin.joints == motion.skeleton.index("head")) & (skin.weights > 0.5)).any(axis=1)
    positions, turned = kinematics.world(motion)
    headings = find_facing(motion.skeleton, positions)[0]
    middle = slice(motion.n_frames // 3, 2 * motion.n_frames // 3, 5)
    vertices = body.skin(skin, positions[middle], turned[middle])[:, of_head]
    ahead = np.stack([np.sin(headings[middle]), np.zeros(len(vertices)), np.cos(headings[middle])], axis=-1)
    nose = skin.vertices[of_head][:, 2].argmax()
    reach = ((vertices - vertices.mean(axis=1, keepdims=True)) * ahead[:, None]).sum(-1)
    assert np.median(reach[:, nose] / reach.max(axis=1)) > 0.9


@pytest.mark.parametrize("subject", WALKERS)
def test_one_half_of_the_takes_teaches_what_the_other_does(motions, subject):
    own = motions[subject]
    rest = rest_pose.t_pose(own[0].skeleton)[own[0].skeleton.index("head")]
    heads = [learn_neutral_pose(part).rotations.get("head", rest) for part in (own[::2], own[1::2])]
    assert rotations.angle_between(*heads) < np.radians(15.0)


def test_swimmers_and_sleepers_keep_the_rest_pose(data):
    for name in ("126_02", "126_10"):
        motion = formats.read(data / "odd" / f"{name}.bvh").motion
        assert isinstance(motion, Motion)
        assert learn_neutral_pose([motion]) == REST
