"""Bodies whose limbs end at the ankle or the elbow: retargeted with what they have."""

import numpy as np
import pytest

from motionloom.corpus import compute_layers
from motionloom.features.feet import POINTS, foot_points, has_points
from motionloom.motion import Skeleton, kinematics
from motionloom.retarget import retarget_motion


def without(skeleton: Skeleton, *parts: str) -> Skeleton:
    """The skeleton without joints whose names hold one of some parts, and what is below them."""
    gone = [
        any(part in skeleton.names[above] for above in skeleton.chain(joint) for part in parts)
        for joint in range(skeleton.n_joints)
    ]
    kept = [joint for joint in range(skeleton.n_joints) if not gone[joint]]
    parents = [-1 if skeleton.parents[joint] < 0 else kept.index(skeleton.parents[joint]) for joint in kept]
    ends = [row for row, joint in enumerate(skeleton.end_parents) if not gone[joint]]
    end_parents = np.array([kept.index(skeleton.end_parents[row]) for row in ends], int)
    names = tuple(skeleton.names[joint] for joint in kept)
    return Skeleton(names, np.array(parents), skeleton.offsets[kept], end_parents, skeleton.end_offsets[ends])


@pytest.fixture(scope="module")
def take(make):
    return make.demo_take("walk/normal_1")


@pytest.mark.parametrize("parts", [("Toes",), ("Hand",), ("Toes", "Hand")])
def test_a_walk_comes_onto_a_body_without_toes_or_hands(take, parts):
    target = without(take.motion.skeleton, *parts)
    contacts = compute_layers(take.motion, 0.0, ["contacts"])["contacts"]
    made = retarget_motion(take.motion, target, contacts=contacts)
    assert np.isfinite(made.motion.local_rotations).all()


def test_balls_that_a_body_lacks_do_not_rest(take):
    target = without(take.motion.skeleton, "Toes")
    assert has_points(target).tolist() == [point.endswith("heel") for point in POINTS]
    contacts = np.zeros((take.motion.n_frames, 4), bool)
    contacts[100:120, :2] = True
    made = retarget_motion(take.motion, target, contacts=contacts)
    assert made.contacts is not None and made.contacts[100:120, 0].all() and not made.contacts[:, 1].any()
    heel = foot_points(made.motion, 0.0)[100:120, 0]
    assert np.linalg.norm(np.diff(heel, axis=0), axis=1).max() < 1e-3


def test_elbows_are_the_ends_of_arms_without_hands(take):
    target = without(take.motion.skeleton, "Hand")
    made = retarget_motion(take.motion, target)
    mine, its = kinematics.world_positions(made.motion), kinematics.world_positions(take.motion)
    for joint in ("left_elbow", "right_elbow", "left_foot"):
        away = mine[:, target.index(joint)] - its[:, take.motion.skeleton.index(joint)]
        assert np.linalg.norm(away, axis=1).max() < 0.02
