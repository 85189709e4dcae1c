"""Edits whose root is asked to turn farther than half a turn: it turns on, and does not flip to the other side."""

import numpy as np
import pytest

from motionloom.methods.dynamics.body_optimization import Anchors, turns_of
from motionloom.motion import kinematics
from motionloom.motion.angles import wrap_angles

EDIT = {"start_from": "walk/normal_1", "length": "8s"}


def round_and_round(step):
    return [{"at": f"{second}s", "heading": float(step * second), "hard": True} for second in range(1, 8)]


@pytest.mark.parametrize("step", [45, -45])
def test_a_walk_that_is_turned_all_round_has_no_jolt(desk, step):
    source = desk.model(EDIT).view.motion("walk/normal_1")
    done = desk.make({**EDIT, "root": round_and_round(step)})
    hardest = [
        np.linalg.norm(np.diff(kinematics.world_positions(each)[:480], n=2, axis=0), axis=-1).max()
        for each in (source, done.motion)
    ]
    assert hardest[1] < 1.5 * hardest[0]
    headings = np.unwrap(done.finished.headings)
    assert np.degrees(headings[420] - headings[60]) == pytest.approx(6 * step, abs=0.2)
    assert not [name for name in done.missed if "heading" in name]


def test_turns_go_on_from_frame_to_frame():
    headings = {frame: float(wrap_angles(np.radians(3.0 * frame))) for frame in range(0, 101, 10)}
    turns = turns_of(Anchors({}, headings, {}), np.zeros(101))
    np.testing.assert_allclose(np.degrees(turns), 3.0 * np.arange(101), atol=1e-9)


@pytest.mark.parametrize("heading", [-170.0, 20.0, 179.0])
def test_less_than_half_a_turn_starts_as_it_was(heading):
    anchors = Anchors({}, {10: float(np.radians(heading)), 90: 0.0}, {})
    assert not turns_of(anchors, np.zeros(101)).any()
