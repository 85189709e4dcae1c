"""Edits: nothing asked changes nothing; what is asked is met, and the rest stays as it was."""

import numpy as np
import pytest

from motionloom.features.feet import columns_of
from motionloom.methods.dynamics.demands.demand import Finished
from motionloom.motion import Placement, cut, kinematics, place, rotations

EDIT = {"start_from": "walk/normal_1", "length": "4s"}
AT = 150  # a frame in which both feet are on the way


@pytest.fixture(scope="module")
def source(desk):
    """The edited frames, with their joints in the world."""
    view = desk.model(EDIT).view
    motion = view.motion("walk/normal_1")
    positions, _ = kinematics.world(motion)
    contacts = np.asarray(view.layer("walk/normal_1", "contacts"), bool)
    return motion, positions[:240], contacts[:240]


def hand(at="2.5s", **asked):
    return {"joint": "right_hand", "at": at, "hard": True, **asked}


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"length": "1s"},
        {"knots": 4},
        {"method": "trajectory"},
        {"method": "linear"},
        {"feet": "free"},
        {"feet": "given"},
    ],
)
def test_an_empty_edit_changes_nothing_bit_for_bit(desk, source, asked):
    motion, _, _ = source
    done = desk.make({**EDIT, **asked})
    n = done.motion.n_frames
    assert n == (60 if asked.get("length") else 240)
    np.testing.assert_array_equal(done.motion.root_positions, motion.root_positions[:n])
    np.testing.assert_array_equal(done.motion.local_rotations, motion.local_rotations[:n])
    assert not done.missed


def test_an_empty_edit_of_a_whole_take_changes_nothing(desk, source):
    motion, _, _ = source
    done = desk.make({"start_from": "walk/normal_1"})
    np.testing.assert_array_equal(done.motion.local_rotations, motion.local_rotations)


@pytest.mark.parametrize("moved", [(0, 0.2, 0), (0, -0.2, 0), (0.2, 0, 0), (0, 0, 0.2)])
@pytest.mark.parametrize("at", ["start", "2.5s", "end"])
def test_a_hand_moved_is_where_it_was_moved_to_with_feet_that_rest_as_they_did(desk, source, moved, at):
    _, before, _ = source
    done = desk.make({**EDIT, "points": [hand(at, moved_by=moved)]})
    assert not done.missed
    frame = {"start": 0, "2.5s": AT, "end": 239}[at]
    joint = done.motion.skeleton.index("right_hand")
    assert np.linalg.norm(done.finished.positions[frame, joint] - before[frame, joint] - moved) < 1e-3
    far = np.abs(np.arange(240) - frame) > 120
    assert np.linalg.norm(done.finished.positions[far] - before[far], axis=-1).max() < 0.02


def test_resting_feet_move_as_little_as_in_the_motion_that_is_edited(desk, source):
    _, before, contacts = source
    done = desk.make({**EDIT, "points": [hand(moved_by=(0, -0.25, 0.1))]})
    for side in ("left", "right"):
        ankle = done.motion.skeleton.index(f"{side}_foot")
        resting = contacts[:, columns_of(side)].all(axis=1)
        both = resting[1:] & resting[:-1]
        steps = np.diff(done.finished.positions[:, ankle] - before[:, ankle], axis=0)[both]
        assert np.linalg.norm(steps, axis=1).max() < 1e-3


def test_a_foot_that_is_pulled_takes_its_whole_step_along(desk, source):
    """At 2.2 s the left foot rests: it rests at the new place then."""
    _, before, contacts = source
    frames = np.flatnonzero(contacts[:, columns_of("left")].all(axis=1))
    frame = int(frames[(frames > 60) & (frames < 200)][4])
    asked = {"joint": "left_foot", "at": f"{frame}f", "moved_by": (0.08, 0, 0), "hard": True}
    done = desk.make({**EDIT, "points": [asked]})
    assert not done.missed
    ankle = done.motion.skeleton.index("left_foot")
    assert abs(done.finished.positions[frame, ankle, 0] - before[frame, ankle, 0] - 0.08) < 1e-3


def test_the_root_can_be_asked_to_be_lower_and_feet_stay(desk, source):
    _, before, _ = source
    done = desk.make({**EDIT, "points": [{"joint": "hips", "at": "2.5s", "moved_by": (0, -0.1, 0), "hard": True}]})
    assert not done.missed
    assert abs(done.finished.positions[AT, 0, 1] - before[AT, 0, 1] + 0.1) < 1e-3


def test_steps_go_along_where_the_root_is_asked_to_be_elsewhere(desk, source):
    motion, _, _ = source
    place = (motion.root_positions[AT, [0, 2]] + [0.5, 0.0]).tolist()
    done = desk.make({**EDIT, "root": [{"at": "2.5s", "position": place}]})
    assert not done.missed
    assert np.abs(done.motion.root_positions[AT, [0, 2]] - place).max() < 0.02


@pytest.mark.parametrize("asked", [{"heading": 25.0, "hard": True}, {"heading": -20.0}])
def test_feet_roll_over_where_they_rest_as_they_did_where_the_body_is_turned(desk, source, asked):
    """Ankles go over resting balls of feet: turned on the spot alone, feet would slide."""
    _, _, contacts = source
    done = desk.make({**EDIT, "root": [{"at": "2.5s", **asked}]})
    assert not done.missed
    for side, columns in (("left", (0, 1)), ("right", (2, 3))):
        for end, column in zip(("heel", "ball"), columns):
            spot = done.answer.state.optimization.setting.spot(f"{side}_{end}", "here")
            own, was = (each.at(spot, np.arange(240)) for each in (done.finished, source_finished(source)))
            both = contacts[1:, column] & contacts[:-1, column]
            steps, usual = (np.linalg.norm(np.diff(points, axis=0)[both], axis=1) for points in (own, was))
            assert (steps - usual).max() < 1e-3


def test_feet_of_a_motion_that_is_turned_as_a_whole_rest_as_they_did(desk, source):
    motion, _, _ = source
    turned = Finished.of(place(cut(motion, 0, 240), Placement(1.2, np.array([3.0, -2.0]))))
    parts = desk.set_up({**EDIT, "root": [{"at": "2.5s", "heading": 3}]}).demands.parts
    resting = [part for part in parts if part.is_rest]
    assert resting and max(part.measure(turned).max() for part in resting) < 1e-5


@pytest.mark.parametrize("frame", [215, 300])
def test_feet_go_on_from_where_a_pose_held_them_for_a_while(desk, frame):
    """A foot that rolls on after a pose was held does not leap to where it had gone to meanwhile."""
    pose = {"take": "walk/normal_1", "frame": frame}
    asked = {"from": "2.3s", "to": "2.6s", "pose": pose, "hard": True}
    done = desk.make({**EDIT, "start_from": "wave/walk_and_wave_1", "poses": [asked]})
    assert done.parts["pose 1: off by"].met
    speeds = [np.linalg.norm(np.diff(done.at(f"{side}_foot"), axis=0), axis=1) for side in ("left", "right")]
    assert max(speed.max() for speed in speeds) < 0.12  # metres a frame; a stride has 0.06


def source_finished(source):
    motion, _, _ = source
    return Finished.of(cut(motion, 0, 240))


def test_a_pose_put_into_a_motion_holds_exactly(desk):
    pose = {"take": "wave/walk_and_wave_1", "frame": 220}
    done = desk.make({**EDIT, "poses": [{"at": "2.5s", "pose": pose, "hard": True}]})
    assert done.parts["pose 1: off by"].value < 0.1


def test_an_elbow_bent_leaves_the_legs(desk, source):
    motion, _, _ = source
    done = desk.make({**EDIT, "angles": [{"joint": "left_elbow", "at": "2.5s", "bend": 80, "hard": True}]})
    assert not done.missed
    names = [name for name in motion.skeleton.names if any(part in name for part in ("Thigh", "Shin", "Foot"))]
    legs = [motion.skeleton.index(name) for name in names]
    turned = rotations.angle_between(
        done.motion.local_rotations[:, legs], np.asarray(motion.local_rotations[:240, legs])
    )
    assert np.degrees(turned).mean() < 3


def test_joints_that_are_named_free_change_and_others_are_held(desk, source):
    _, before, _ = source
    asked = {**EDIT, "points": [hand(moved_by=(0, 0.1, 0))]}
    held = desk.make(
        {**asked, "hold": {"degrees": 0.05, "root": 0.0005, "free": ["right_shoulder", "right_elbow", "right_hand"]}}
    )
    assert not held.missed
    head = held.motion.skeleton.index("head")
    assert np.linalg.norm(held.finished.positions[:, head] - before[:, head], axis=1).max() < 0.03


def test_a_hand_out_of_reach_comes_as_near_as_it_can_and_the_distance_is_told(desk):
    done = desk.make({**EDIT, "points": [hand(moved_by=(0, 3.0, 0))]})
    (part,) = [part for part in done.parts.values() if part.name.startswith("point 1")]
    assert not part.met and 0.5 < part.value < 3.0
    assert "out of reach from where the body is; move the root too, or ask for a nearer place" in part.why_not
    up = done.at("right_hand")[AT] - done.at("right_shoulder")[AT]
    assert up[1] > 0.9 * np.linalg.norm(up)  # stretched towards it


@pytest.mark.parametrize("how_hard", [True, False])
@pytest.mark.parametrize("joint", ["hips", "spine", "left_hip"])
@pytest.mark.parametrize("height", [3.5, 4.0])
def test_a_body_does_not_fly_to_a_point_that_is_too_high(desk, source, joint, height, how_hard):
    _, before, _ = source
    asked = {"joint": joint, "at": "2.5s", "position": (None, height, None), "hard": how_hard}
    done = desk.make({**EDIT, "points": [asked]})
    (part,) = [part for part in done.parts.values() if part.name.startswith("point 1")]
    assert not part.met and abs(part.value - (height - done.at(joint)[AT, 1])) < 1e-5
    assert done.motion.root_positions[:, 1].max() < before[:, 0, 1].max() + 0.35  # no more than a leap
    assert "it is out of reach: with all limbs stretched it gets no higher than " in part.why_not
    assert "ask for a lower place, or for a `height` of the root" in part.why_not and "\n" not in part.why_not


def test_a_root_that_is_asked_to_be_high_takes_its_points_along(desk):
    """A height of the root says that the body is up there: on something that the motion does not show."""
    point = {"joint": "spine", "at": "2.5s", "position": (None, 3.1, None), "hard": True}
    root = {"at": "2.5s", "height": 3.0}
    done = desk.make({**EDIT, "points": [point], "root": [root], "feet": "free"})
    assert done.parts["point 1, spine: off by"].met


def test_an_edit_says_which_take_its_frames_are_of(desk):
    done = desk.make({**EDIT, "points": [hand(moved_by=(0, 0.1, 0))]})
    assert done.answer.plan.describe().count("walk/normal_1") >= 1
