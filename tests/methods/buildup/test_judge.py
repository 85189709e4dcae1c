"""Judging: reports on what was built say something of every step and edit."""

import pytest

from motionloom.assembly import Answer, Report, solve
from motionloom.methods import buildup
from motionloom.methods.buildup import Edit, Pose, Request
from motionloom.methods.buildup.request import Step
from motionloom.methods.buildup.search import State

WALK = Pose("walk/stop_and_go", 50)
STEPS = (
    Step(Pose("wave/walk_and_wave_1", 150)),
    Step(Pose("walk/stop_and_go", 200), place=(1.0, 2.0)),
    Step(Pose("run/walk_run_walk_1", 100), lasting="4s"),
)
PUT_IN = Edit("insert", "4s", pose=WALK)


def answered(model, *edits: Edit) -> Answer[State]:
    return solve(buildup, model, Request(steps=STEPS, edits=edits, groups=12))[0]


def reported(model, answer: Answer[State]) -> Report:
    return buildup.judge(buildup.perform(answer, model, quick=True), model, quick=True).report


def around(seconds: float) -> Edit:
    """A change of what is shown around a time."""
    return Edit("replace", f"{seconds - 0.2:.2f}s", f"{seconds + 0.4:.2f}s", WALK)


@pytest.fixture(scope="module")
def ends(model) -> list[float]:
    """Seconds at which steps end."""
    (character,) = answered(model).state.characters
    return [character.sequence.end_of_step(number) / model.fps for number in range(len(STEPS))]


def test_a_step_whose_end_an_edit_took_out_is_said_in_a_note(model, ends):
    answer = answered(model, around(ends[1]))
    (character,) = answer.state.characters
    assert character.edits[0].bridge is not None and not character.sequence.has_end_of(1)
    report = reported(model, answer)
    step, edit = f"step 2 {STEPS[1].describe()}", character.edits[0].describe(0)
    assert f"{edit} took out the end of {step}, so nothing is said of it" in report.notes
    assert not [part for part in report.parts if part.name.startswith("step 2")]
    assert [part.name for part in report.parts if part.name.startswith(("step 1", "step 3"))]


def test_a_pose_that_a_later_edit_took_out_is_said_in_a_note(model):
    passed = answered(model, PUT_IN).state.characters[0].edits[0].passed
    answer = answered(model, PUT_IN, around(passed / model.fps))
    (character,) = answer.state.characters
    assert character.edits[1].bridge is not None
    first, second = (made.describe(number) for number, made in enumerate(character.edits))
    assert f"{second} took out the pose of {first}, so nothing is said of it" in reported(model, answer).notes


def test_nothing_is_said_of_edits_that_took_out_no_end(model):
    assert not [note for note in reported(model, answered(model, PUT_IN)).notes if "took out" in note]


def test_a_place_beyond_all_numbers_is_reported_and_the_sequence_stays(model):
    answer = solve(buildup, model, Request(steps=(Step(place=(1e300, -1e300)),), groups=12))[0]
    (missed,) = (part for part in reported(model, answer).parts if not part.met)
    assert missed.name.endswith("distance") and missed.value > 1e300
    assert missed.why_not.startswith("out of reach: ") and missed.why_not.count(";") == 1
    assert answer.plan.n_frames > 1
