"""Finished edits: bridges hold in the finished motion, or others take their place."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Answer, Part, Performed, play, solve, usual_joins
from motionloom.methods import buildup
from motionloom.methods.buildup import Edit, Pose, Request
from motionloom.methods.buildup.request import Step
from motionloom.methods.buildup.search import State
from motionloom.methods.buildup.sequence import splice as splices

STEPS = (
    Step(Pose("wave/walk_and_wave_1", 150)),
    Step(Pose("walk/stop_and_go", 200), place=(1.0, 2.0)),
    Step(Pose("run/walk_run_walk_1", 100), lasting="4s"),
)
EDITS = (Edit("insert", "4s", pose=Pose("walk/stop_and_go", 50)), Edit("delete", "3s", "3.8s"))


@pytest.fixture(scope="module")
def answer(model) -> Answer[State]:
    return solve(buildup, model, Request(steps=STEPS, edits=EDITS, groups=12))[0]


@pytest.fixture(scope="module")
def performed(model, answer) -> Performed[State]:
    return buildup.perform(answer, model, quick=True)


def changed(performed: Performed[State], number: int) -> float:
    """The share by which the bridge of an edit changes steps in the finished motion."""
    name = f"edit {number + 1} "
    parts = [part for part in performed.played[0].parts if part.name.startswith(name)]
    return next(part.value / 100 for part in parts if part.name.endswith("steps changed"))


def test_bridges_that_hold_stay_as_they_were_found(answer, performed):
    assert performed.answer is answer
    assert all(made.bridge is not None for made in answer.state.characters[0].edits)


@pytest.mark.parametrize("quick", [True, False])
def test_a_bridge_that_does_not_hold_once_finished_gives_way_to_the_next(model, answer, monkeypatch, quick):
    before = buildup.perform(answer, model, quick=quick)
    monkeypatch.setattr(splices, "MOST_CHANGED", changed(before, 0) - 1e-6)
    after = buildup.perform(answer, replace(model), quick=quick)  # a model that kept no performance
    (was,), (now,) = answer.state.characters, after.answer.state.characters
    first, second = now.edits
    assert first.bridge is not None and first.bridge is not was.edits[0].bridge
    assert changed(after, 0) < changed(before, 0)
    assert second.given is first.sequence, "times of the next are those of the motion that it leaves"
    assert now.sequence is second.sequence
    (played,) = after.played
    assert after.answer.plan.n_frames == played.plan.n_frames == played.motion.n_frames == now.sequence.n_frames
    assert after.answer.plan.request == answer.plan.request
    assert not [part for part in missed(model, after) if "steps changed" in part.name]


def test_the_sequence_stays_with_the_reason_where_no_finished_bridge_holds(model, answer, monkeypatch):
    monkeypatch.setattr(splices, "MOST_CHANGED", -1.0)
    after = buildup.perform(answer, replace(model), quick=True)
    (character,) = after.answer.state.characters
    assert [made.bridge for made in character.edits] == [None, None]
    assert all("between finished frames its steps change too much" in made.why_not for made in character.edits)
    assert character.sequence is character.unedited
    assert after.answer.costs["edits not made"] == 20.0
    unedited = play(usual_joins(character.unedited.plan(model)), model.view)
    assert np.array_equal(after.played[0].motion.local_rotations, unedited.motion.local_rotations)
    parts = missed(model, after)
    assert [part.name.split(": ")[-1] for part in parts] == ["made", "made"]
    assert all(part.why_not for part in parts)


def missed(model, performed: Performed[State]) -> list[Part]:
    """What the report says is not met."""
    return [part for part in buildup.judge(performed, model, quick=True).report.parts if not part.met]
