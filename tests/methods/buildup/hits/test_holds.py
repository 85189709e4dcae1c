"""Holds: joints are where they are wanted, by the arms alone or with the hips, and feet stay where they stand."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Timing, solve
from motionloom.features.feet import foot_points
from motionloom.methods import buildup
from motionloom.methods.buildup import Hit, Request, Settings
from motionloom.methods.buildup.hits.body_points import arm_length, points_named
from motionloom.methods.buildup.hits.holds import CLOSER, WITHIN, Held, hold
from motionloom.methods.buildup.tree.search_tree import GrowthSettings

pytestmark = pytest.mark.long
FRAME = 90


@pytest.fixture(scope="module")
def played(model):
    """A few seconds with planted feet."""
    small = replace(model, settings=Settings(growth=GrowthSettings(seconds=6.0, nodes=40_000)))
    (answer,) = solve(buildup, small, Request.from_data({"steps": [{"for": "4s"}]}))
    performed = buildup.perform(answer, small, quick=True)
    assert isinstance(performed.timings[0], Timing)
    return performed.played[0]


def wanted(played, joint, by):
    (point,) = points_named(played.motion.skeleton, joint)
    goal = point.of(played.motion)[FRAME] + by
    return Held(0, Hit(joint, point=tuple(goal), at=f"{FRAME}f"), FRAME, point, goal, float(np.linalg.norm(by)))


def farthest_step(motion, contacts):
    """Metres that a planted point moves between two frames, at most."""
    both = contacts[1:] & contacts[:-1]
    return np.linalg.norm(np.diff(foot_points(motion, 0.0), axis=0), axis=-1)[both].max()


@pytest.mark.parametrize(
    ("joint", "by", "planted_again"),
    [("right_hand", [0.1, 0.05, 0.1], 0), ("chest", [0.02, -0.02, 0.01], 0), ("hips", [0.03, -0.04, 0.02], 2e-3)],
)
def test_a_joint_is_where_it_is_wanted_over_feet_that_stay(played, joint, by, planted_again):
    held = wanted(played, joint, np.array(by))
    found = hold(played, [held]).motion
    assert np.linalg.norm(held.point.of(found)[FRAME] - held.goal) <= WITHIN
    assert farthest_step(found, played.contacts) < 1e-3
    far = np.abs(np.arange(found.n_frames) - FRAME) > 40
    hands = [points_named(found.skeleton, f"{side}_hand")[0] for side in ("left", "right")]
    for hand in hands:
        np.testing.assert_allclose(hand.of(found)[far], hand.of(played.motion)[far], atol=1e-6 + planted_again)


@pytest.mark.parametrize("seed", range(6))
def test_hips_help_before_a_joint_is_pulled_beyond_its_limits(model, played, seed):
    aside, limits = np.random.default_rng(seed).normal(size=3), model.yardsticks.limits
    joint = ("left_hand", "right_hand", "right_fist")[seed % 3]
    held = wanted(played, joint, 0.12 * aside / np.linalg.norm(aside))
    found = hold(played, [held], limits).motion
    assert np.linalg.norm(held.point.of(found)[FRAME] - held.goal) <= WITHIN
    beyond = limits.excess(found.local_rotations) - limits.excess(played.motion.local_rotations)
    arms = [found.skeleton.index(f"{side}_{part}") for side in ("left", "right") for part in ("shoulder", "elbow")]
    assert beyond[:, arms].max() < np.radians(0.1)
    assert beyond.max() < np.radians(4)  # planting again turns feet and knees a little
    assert farthest_step(found, played.contacts) < 1e-3


def test_two_joints_are_held_in_one_frame(played):
    both = [wanted(played, f"{side}_hand", np.array([0.05, 0.05, 0.02])) for side in ("left", "right")]
    found = hold(played, both).motion
    assert all(np.linalg.norm(each.point.of(found)[FRAME] - each.goal) <= WITHIN for each in both)


def test_what_is_too_far_or_need_not_be_exact_stays_as_it_is(played):
    far = wanted(played, "right_hand", np.array([0, 0, 1.1 * CLOSER * arm_length(played.motion.skeleton)]))
    assert hold(played, [far]).motion is played.motion
    near = wanted(played, "right_hand", np.array([0.02, 0, 0]))
    assert hold(played, [replace(near, hit=replace(near.hit, exact=False))]).motion is played.motion
    both = hold(played, [far, near]).motion
    assert np.linalg.norm(near.point.of(both)[FRAME] - near.goal) <= WITHIN
