"""Edits that ask the root to be higher or lower: bodies crouch for a while, on feet that stay, and the rest stays."""

import numpy as np
import pytest

from motionloom.features.feet import columns_of
from motionloom.motion import kinematics, rotations

EDIT = {"start_from": "walk/normal_1", "length": "4s"}
TIMES = {"one": {"at": "2.5s"}, "several": {"at": ["2.2s", "2.5s"]}, "range": {"from": "2.3s", "to": "2.7s"}}
FRAMES = {"one": [150], "several": [132, 150], "range": list(range(138, 163))}
BEYOND = 30  # frames before and after, beyond which nothing has changed by more than a centimetre


@pytest.fixture(scope="module")
def source(desk):
    """The edited frames, their joints in the world, and when their feet rest."""
    view = desk.model(EDIT).view
    motion = view.motion("walk/normal_1")
    positions, _ = kinematics.world(motion)
    return motion, positions[:240], np.asarray(view.layer("walk/normal_1", "contacts"), bool)[:240]


def lowered(source, time, by=0.12):
    """A request that asks the root to be so much lower than it is on average."""
    height = float(np.mean(source[1][FRAMES[time], 0, 1])) - by
    return {"height": height, **TIMES[time]}


@pytest.mark.parametrize("how_hard", [True, False])
@pytest.mark.parametrize("time", TIMES)
def test_a_body_that_is_asked_to_be_lower_crouches_and_comes_up_again(desk, source, time, how_hard):
    _, before, contacts = source
    asked = lowered(source, time)
    done = desk.make({**EDIT, "root": [{**asked, "hard": how_hard}]})
    assert not done.missed
    root = done.motion.root_positions
    assert np.abs(root[FRAMES[time], 1] - asked["height"]).max() < (1e-3 if how_hard else 5e-3)
    away = np.linalg.norm(root - before[:, 0], axis=1)
    assert away[: FRAMES[time][0] - BEYOND].max() < 0.01 and away[FRAMES[time][-1] + BEYOND :].max() < 0.01
    assert np.abs(root[:, [0, 2]] - before[:, 0][:, [0, 2]]).max() < 0.005
    accelerations = [np.linalg.norm(np.diff(each, n=2, axis=0), axis=1).max() * 3600 for each in (root, before[:, 0])]
    assert accelerations[0] < accelerations[1] + 8.0
    for side in ("left", "right"):
        ankle = done.motion.skeleton.index(f"{side}_foot")
        off = np.linalg.norm(done.finished.positions[:, ankle] - before[:, ankle], axis=1)
        assert off[contacts[:, columns_of(side)].any(axis=1)].max() < 1e-3  # planted
        assert off.max() < 0.01  # and on their way as before: none through the floor


def test_all_but_the_legs_of_a_body_that_crouches_is_as_it_was(desk, source):
    motion, _, _ = source
    done = desk.make({**EDIT, "root": [lowered(source, "one")]})
    skeleton = motion.skeleton
    hips = {skeleton.index(f"{side}_hip") for side in ("left", "right")}
    others = [joint for joint in range(skeleton.n_joints) if not hips & set(skeleton.chain(joint))]
    turned = rotations.angle_between(done.motion.local_rotations[:, others], motion.local_rotations[:240, others])
    assert np.degrees(turned).max() < 0.2


@pytest.mark.parametrize("how_hard", [True, False])
def test_hips_that_are_dragged_down_crouch_like_a_root_of_that_height(desk, source, how_hard):
    asked = {"joint": "hips", "at": "2.5s", "moved_by": (0, -0.12, 0), "hard": how_hard}
    dragged = desk.make({**EDIT, "points": [asked]})
    lower = desk.make({**EDIT, "root": [{**lowered(source, "one"), "hard": how_hard}]})
    assert not dragged.missed
    assert np.abs(dragged.finished.positions - lower.finished.positions).max() < 2e-3


def test_a_hand_beside_a_crouch_is_met_and_the_crouch_stays(desk, source):
    hand = {"joint": "right_hand", "at": "2.5s", "moved_by": (0, 0.05, 0.1), "hard": True}
    alone = desk.make({**EDIT, "root": [lowered(source, "one")]})
    both = desk.make({**EDIT, "root": [lowered(source, "one")], "points": [hand]})
    assert not both.missed
    assert np.linalg.norm(both.motion.root_positions - alone.motion.root_positions, axis=1).max() < 0.02


def test_legs_that_are_too_short_for_a_height_are_said_with_the_foot_and_the_distance(desk, source):
    asked = lowered(source, "one", by=-0.2)
    done = desk.make({**EDIT, "root": [asked]})
    (part,) = [part for part in done.parts.values() if part.name.startswith("root 1")]
    assert not part.met and part.value > 0.1
    assert "foot rests at 2.5" in part.why_not and "too short" in part.why_not and f"{part.value:.2f} m" in part.why_not
    assert done.motion.root_positions[:, 1].max() < source[1][:, 0, 1].max() + 0.1  # on its feet


def test_a_body_with_free_feet_is_raised_as_it_is(desk, source):
    motion, _, _ = source
    done = desk.make({**EDIT, "root": [lowered(source, "one", by=-0.2)], "feet": "free"})
    assert not done.missed
    assert np.abs(done.motion.local_rotations[150] - motion.local_rotations[150]).max() < 0.01


def test_a_drag_goes_on_from_a_crouch(desk, source):
    """Knots that were found before are of the motion that comes down: they go along with it."""
    first, second = (desk.request({**EDIT, "root": [lowered(source, "one", by)]}) for by in (0.05, 0.12))
    from motionloom.methods.dynamics.dragging import drag

    model = desk.model(EDIT)
    after = drag(model, second, drag(model, first).state)
    assert after.motion.root_positions[150, 1] == pytest.approx(second.root[0].height, abs=0.005)
    fresh = drag(model, second)
    assert np.abs(after.motion.root_positions - fresh.motion.root_positions).max() < 0.003
