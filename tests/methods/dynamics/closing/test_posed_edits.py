"""Whole poses put into a motion: the body gets there and back without a jolt, and the rest stays as it was."""

import numpy as np
import pytest

from motionloom.features.feet import columns_of
from motionloom.motion import kinematics, rotations

EDIT = {"start_from": "walk/normal_1", "length": "8s"}
AROUND = 30  # frames before and after a pose that the body has to get there
JOLT = 1.6  # times the highest acceleration of what is edited


@pytest.fixture(scope="module")
def source(desk):
    """The edited motion, and when its heels and balls rest."""
    view = desk.model(EDIT).view
    motion = view.motion("walk/normal_1")
    return motion, np.asarray(view.layer("walk/normal_1", "contacts"), bool)[:480]


def highest_acceleration(motion):
    moved = np.diff(kinematics.world_positions(motion)[:480], n=2, axis=0) * motion.fps**2
    return np.linalg.norm(moved, axis=-1).max()


def angles_beside(done, source):
    """(F, J) degrees."""
    return np.degrees(rotations.angle_between(done.motion.local_rotations, source[0].local_rotations[:480]))


def posed(at, frame, **how):
    return {**EDIT, "poses": [{"at": f"{at}f", "pose": {"take": "walk/stop_and_go", "frame": frame}, **how}]}


@pytest.mark.parametrize("at", [240, 255, 270, 285, 300])
@pytest.mark.parametrize("frame", [180, 200])
def test_a_hard_pose_in_any_part_of_a_step_is_no_jolt(desk, source, at, frame):
    done = desk.make(posed(at, frame, hard=True))
    assert not done.missed
    assert highest_acceleration(done.motion) < JOLT * highest_acceleration(source[0])
    assert np.linalg.norm(done.motion.root_positions - source[0].root_positions[:480], axis=1).max() < 0.1


@pytest.mark.parametrize("at", [240, 255, 270, 285, 300])
def test_a_weighted_pose_is_met_as_nearly_as_it_says(desk, at):
    done = desk.make(posed(at, 180))
    assert done.parts["pose 1: off by"].value < 1.0
    assert not done.missed


def test_the_motion_before_and_after_stays_as_it_was(desk, source):
    done = desk.make(posed(270, 180, hard=True))
    far = np.abs(np.arange(480) - 270) > 1.5 * AROUND
    turned = angles_beside(done, source)
    assert turned[270].max() > 10
    assert turned[far].max() < 1.5
    assert turned[far].mean() < 0.1


def test_a_foot_of_which_a_pose_says_otherwise_does_not_rest_around_it(desk, source):
    _, contacts = source
    at = int(
        np.flatnonzero(contacts[200:, columns_of("left")].any(axis=1) & ~contacts[200:, columns_of("right")].any(1))[0]
    )
    at += 200 + 8  # on the left foot alone
    mirrored = next(
        frame
        for frame in range(at, 480)
        if contacts[frame, columns_of("right")].any() and not contacts[frame, :2].any()
    )
    asked = {"at": f"{at}f", "pose": {"take": "walk/normal_1", "frame": mirrored + 8}, "hard": True}
    found = desk.set_up({**EDIT, "poses": [asked]}).demands.contacts.flags
    assert not found[at].any()
    np.testing.assert_array_equal(found[: at - AROUND], contacts[: at - AROUND])
    np.testing.assert_array_equal(found[at + AROUND :], contacts[at + AROUND :])


@pytest.mark.parametrize("how", [{"hard": True}, {}, {"hard": True, "as_recorded": True}])
def test_a_pose_that_the_motion_has_anyway_changes_nothing_of_its_steps(desk, source, how):
    asked = {"at": "270f", "pose": {"take": "walk/normal_1", "frame": 270}, **how}
    done = desk.make({**EDIT, "poses": [asked]})
    np.testing.assert_array_equal(desk.set_up({**EDIT, "poses": [asked]}).demands.contacts.flags, source[1])
    assert angles_beside(done, source).max() < 0.5
    assert not done.missed
