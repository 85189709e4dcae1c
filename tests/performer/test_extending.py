"""What later actions need is there: kicks, raised heels, stepping stones and uneven ground."""

import numpy as np
import pytest

from motionloom.motion import kinematics
from motionloom.performer import Writer, actions, perform
from motionloom.performer.actions.walk import walking_gait
from motionloom.performer.body.skeleton import LEG, build_skeleton
from motionloom.performer.stage import Footholds, FootTask


def kick(stage, cue, height=0.1):
    middle = (cue.start + cue.stop) / 2
    foot = np.array([[-0.1, height - 0.3, 0.25], [-0.1, height, 0.72]])
    stage.requests.append(FootTask("right", cue.start, cue.stop, (middle - 0.15, middle), foot, pitch=0.3))
    stage.label("kick_right", cue.start, cue.stop)


def tiptoe(stage, cue):
    for side in ("left", "right"):
        stage.add(f"{side}_heel_up", 0.6, cue.start, cue.stop)
    stage.add("crouch", -0.06, cue.start, cue.stop)


def stones(stage, cue, height=0.1):
    stage.set_gait(cue.start, walking_gait(0.7))
    places = [[0.1 * (-1) ** k, height * (k % 3), 0.45 + 0.42 * k] for k in range(6)]
    stage.requests.append(Footholds(cue.start, np.array(places)))


def hill(stage, cue):
    stage.ground = lambda xz: 0.06 * (1 - np.cos(xz[:, 1]))
    stage.set_gait(cue.start, walking_gait(1.0))


@pytest.fixture(autouse=True)
def new_actions(monkeypatch):
    for name, action in {"kick": kick, "tiptoe": tiptoe, "stones": stones, "hill": hill}.items():
        monkeypatch.setitem(actions.ACTIONS, name, action)


def joint(performance, role):
    return kinematics.world_positions(performance.motion)[:, performance.motion.skeleton.index(role)]


def slide(performance):
    """The largest move of a point in contact from frame to frame, metres."""
    skeleton = build_skeleton()
    positions, turned = kinematics.world(performance.motion)
    worst = 0.0
    for contact in performance.contacts:
        side, point = contact.point.split("_")
        at = np.array([skeleton.index(f"{side}_{'foot' if point == 'heel' else 'ball'}")])
        offset = skeleton.heel_offset(side) if point == "heel" else np.zeros(3)
        track = kinematics.attached_positions(positions, turned, at, offset[None])[contact.start : contact.stop, 0]
        worst = max(worst, np.linalg.norm(np.diff(track, axis=0), axis=-1).max(initial=0.0))
    return worst


def test_a_kick_lifts_the_foot_to_its_point_and_brings_it_back():
    performance = perform(Writer("kick").then("stand", 4).meanwhile("kick", 1.2, 1.2).done(), np.random.default_rng(0))
    foot, hips = joint(performance, "right_foot"), joint(performance, "hips")
    assert foot[108, 1] > hips[108, 1] - 0.05
    assert np.linalg.norm(foot[200] - foot[10]) < 0.01
    assert slide(performance) < 0.0005
    assert np.linalg.norm(foot - joint(performance, "right_hip"), axis=-1).max() < LEG


def test_heels_can_be_raised_while_standing():
    performance = perform(Writer("tip").then("stand", 4).meanwhile("tiptoe", 1, 2).done(), np.random.default_rng(0))
    ankle = joint(performance, "left_foot")[:, 1]
    assert ankle[120] > ankle[10] + 0.04
    heels = [(contact.start, contact.stop) for contact in performance.contacts if contact.point == "left_heel"]
    assert len(heels) == 2 and heels[0][1] <= 62 and heels[1][0] >= 178
    assert slide(performance) < 0.0005


def test_steps_use_the_stones_that_they_are_given():
    performance = perform(
        Writer("stones").then("stand", 1).then("stones", 4.2).then("stand", 2).done(), np.random.default_rng(0)
    )
    steps = [event.data for event in performance.events if event.kind == "step"][:6]
    assert [step["place"][1] for step in steps] == pytest.approx([0.45 + 0.42 * k for k in range(6)])
    assert [step.get("height", 0.0) for step in steps] == pytest.approx([0.0, 0.1, 0.2, 0.0, 0.1, 0.2])
    assert slide(performance) < 0.0005


def test_the_ground_may_be_uneven():
    performance = perform(
        Writer("hill").then("stand", 1).then("hill", 6).then("stand", 1.5).done(), np.random.default_rng(0)
    )
    hips = joint(performance, "hips")
    assert np.ptp(hips[:, 1]) > 0.08
    assert slide(performance) < 0.0005
    for event in performance.events:
        if event.kind == "step":
            assert event.data.get("height", 0.0) == pytest.approx(0.06 * (1 - np.cos(event.data["place"][1])), abs=1e-3)
