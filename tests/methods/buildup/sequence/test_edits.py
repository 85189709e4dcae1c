"""Edits in the middle: bridges play nothing that was taken out, and leave all before and behind as it is."""

import re
from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Part, play, realize, solve, usual_joins
from motionloom.features.facing import find_facing
from motionloom.features.feet import foot_points
from motionloom.methods import buildup
from motionloom.methods.buildup import Edit, Pose, Request
from motionloom.methods.buildup.request import Built, Step
from motionloom.methods.buildup.sequence import bridge as bridges
from motionloom.methods.buildup.sequence.bridge import MOST_CHANGED, holds
from motionloom.methods.buildup.sequence.edits import make_edit, make_edits, path_of, shown_by
from motionloom.methods.buildup.sequence.outcome import WINDOW
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, Stretch
from motionloom.methods.buildup.sequence.splice import heels_of, placement_onto, splice
from motionloom.methods.buildup.sequence.steps import HEADING_WITHIN, begin, take_step
from motionloom.motion import Placement, kinematics, place
from motionloom.motion.angles import wrap_angle

WAVE, WALK = Pose("wave/walk_and_wave_1", 150), Pose("walk/stop_and_go", 50)
STEPS = (
    Step(WAVE),
    Step(Pose("walk/stop_and_go", 200), place=(1.0, 2.0)),
    Step(Pose("run/walk_run_walk_1", 100), lasting="4s"),
)
EDITS = {
    "insert": Edit("insert", "2s", pose=WALK),
    "replace": Edit("replace", "3s", "4s", WALK),
    "delete": Edit("delete", "3s", "3.8s"),
}


@pytest.fixture(scope="module")
def sequence(model) -> BuiltSequence:
    built = begin(model, Built())
    for number, step in enumerate(STEPS):
        stretch = take_step(model, built, step, number).stretch
        assert stretch is not None
        built = built.extended(stretch)
    return built


@pytest.fixture(scope="module")
def made(model, sequence):
    return {kind: make_edit(model, sequence, edit) for kind, edit in EDITS.items()}


@pytest.fixture(scope="module")
def finished(model, sequence):
    return play(usual_joins(sequence.plan(model)), model.view, targets=sequence.targets(model))


@pytest.fixture(scope="module")
def spliced(model, finished, made):
    return {kind: splice(model, finished, each, 0, quick=True) for kind, each in made.items()}


@pytest.mark.parametrize("kind", EDITS)
def test_a_bridge_is_found_and_replaces_the_frames(model, sequence, made, kind):
    edit = made[kind]
    assert edit.why_not == ""
    assert edit.bridge.changed <= MOST_CHANGED
    assert edit.sequence.n_frames == sequence.n_frames - (edit.stop - edit.start) + edit.bridge.n_frames
    before, after = shown_by(model, sequence), shown_by(model, edit.sequence)
    assert np.array_equal(after[: edit.start], before[: edit.start])
    assert np.array_equal(after[edit.start + edit.n_bridged :], before[edit.stop :])
    bridge = after[edit.start : edit.start + edit.n_bridged]
    assert not np.isin(bridge, before[edit.start : edit.stop]).any()
    if kind != "delete":
        frame = model.frame_of(WALK.take, WALK.frame)
        assert (model.groups.of_frame[bridge] == model.groups.of_frame[frame]).any()


@pytest.mark.parametrize("kind", EDITS)
def test_transitions_of_a_bridge_are_apart_also_where_it_meets_the_rest(model, made, kind):
    lengths = [clip.stop - clip.start for clip in made[kind].bridge.clips]
    distances = made[kind].bridge.distances
    goes_on = distances[0] == 0
    ends = made[kind].bridge.last_distance == 0
    inner = lengths[1 if goes_on else 0 : -1 if ends else None]
    assert min(inner, default=1000) >= round(model.settings.growth.apart * model.fps)


@pytest.mark.parametrize("kind", EDITS)
def test_the_plan_has_all_behind_where_it_was_but_for_what_bending_spreads(model, sequence, made, kind):
    edit = made[kind]
    before, after = path_of(model, sequence), path_of(model, edit.sequence)
    behind = after[edit.start + edit.n_bridged :]
    assert behind[:, :2] == pytest.approx(before[edit.stop :, :2], abs=0.02)
    assert np.cos(behind[:, 2] - before[edit.stop :, 2]) == pytest.approx(1.0, abs=1e-3)
    assert behind[-1, :2] == pytest.approx(before[-1, :2], abs=1e-6)


@pytest.mark.parametrize("kind", EDITS)
def test_finished_frames_outside_the_windows_have_the_same_bits(model, finished, made, spliced, kind):
    edit, old, new = made[kind], finished.motion, spliced[kind].motion
    window = round(WINDOW * model.fps)
    first, stop, shift = edit.start - window, edit.stop + window, new.n_frames - old.n_frames
    assert shift == edit.n_bridged - (edit.stop - edit.start)
    for part in ("root_positions", "local_rotations"):
        assert np.array_equal(getattr(new, part)[:first], getattr(old, part)[:first])
        assert np.array_equal(getattr(new, part)[stop + shift :], getattr(old, part)[stop:])
    assert np.array_equal(spliced[kind].contacts[stop + shift :], finished.contacts[stop:])


@pytest.mark.parametrize("kind", EDITS)
def test_the_body_never_jumps_and_the_report_says_how_the_gap_was_closed(finished, spliced, kind):
    played = spliced[kind]
    paths = [
        find_facing(each.skeleton, kinematics.world_positions(each))[1] for each in (finished.motion, played.motion)
    ]
    fastest = [np.linalg.norm(np.diff(path, axis=0), axis=1).max() for path in paths]
    assert fastest[1] <= fastest[0] + 0.02
    values = {part.name.split(": ")[-1]: part for part in played.parts}
    assert values["gap"].value <= 0.001
    assert values["heading gap"].value <= 0.1
    assert all(isinstance(part, Part) and part.met for part in played.parts)
    assert played.plan.n_frames == played.motion.n_frames == len(played.contacts) == played.provenance.n_frames
    assert played.before.n_frames == played.motion.n_frames


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (Edit("delete", "3s", "100s"), "something must stay before and behind; take back steps"),
        (Edit("insert", "100s", pose=WAVE), "nothing can be changed at 100s: the motion lasts "),
        (Edit("delete", "0s", "1s"), "something must stay before and behind"),
        (Edit("replace", "4s", "3s", WAVE), "nothing lies between 4s and 3s; let it end after it begins"),
        (Edit("replace", "3s", "4s", WAVE, place=(50.0, 0.0)), "out of reach: the pose comes no nearer than 4"),
    ],
)
def test_what_cannot_be_done_leaves_the_sequence_as_it_is(model, sequence, edit, why):
    made = make_edit(model, sequence, edit)
    assert made.sequence is sequence
    assert made.bridge is None
    assert why in made.why_not
    assert made.why_not.count(";") == 1, "one sentence, with a way out"
    assert made.frame_after(100) == 100


@pytest.mark.parametrize("kind", EDITS)
def test_a_bridge_that_is_made_holds_when_its_clips_are_joined(model, made, kind):
    assert holds(model, made[kind].gap, made[kind].bridge)


def test_a_bridge_that_does_not_hold_when_it_is_joined_gives_way_to_the_next(model, sequence, made, monkeypatch):
    asked = []

    def all_but_the_first(_model, _gap, bridge) -> bool:
        asked.append(bridge)
        return len(asked) > 1

    monkeypatch.setattr(bridges, "holds", all_but_the_first)
    after = make_edit(replace(model), sequence, EDITS["replace"])
    assert asked[0].missed == made["replace"].bridge.missed
    assert after.bridge is asked[1]


def test_the_sequence_stays_where_no_bridge_holds(model, sequence, monkeypatch):
    monkeypatch.setattr(bridges, "holds", lambda *_: False)
    after = make_edit(replace(model), sequence, EDITS["replace"])
    assert after.sequence is sequence
    assert "joining its clips changes its steps" in after.why_not


def test_the_reason_names_the_limit_that_bridges_are_held_to(model, sequence, monkeypatch):
    monkeypatch.setattr(bridges, "MOST_CHANGED", 0.004)
    refused = make_edit(replace(model), sequence, EDITS["replace"])
    assert refused.bridge is None
    found = re.search(r"its steps would change by ([0-9.]+) %; limit 0.4 %, with what joins", refused.why_not)
    assert found is not None and float(found[1]) > 0.4 * bridges.ALLOWED


@pytest.mark.parametrize("kind", EDITS)
def test_heels_are_planted_around_a_bridge_as_in_the_rest(finished, spliced, kind):
    played, heels = spliced[kind], heels_of(finished)
    rests = played.contacts[1:] & played.contacts[:-1]
    moved = np.linalg.norm(np.diff(foot_points(played.motion, 0.0, heels=heels), axis=0), axis=-1)[rests]
    assert moved.max() < 2e-4


def test_edits_are_made_one_after_another(model, sequence):
    first, second = make_edits(model, sequence, [EDITS["replace"], EDITS["insert"]])
    assert second.bridge is not None
    assert second.given is first.sequence
    assert second.sequence.n_frames == first.sequence.n_frames + second.n_bridged


def test_the_pose_that_is_put_in_is_passed_near_its_place(model, sequence, made):
    """Never farther than where it is passed without a place; these few takes have it hardly anywhere else."""
    here = np.array(made["insert"].bridge.through.place[:2])
    group = model.groups.of_frame[model.frame_of(WALK.take, WALK.frame)]
    nearer = []
    for angle in np.arange(0, 2 * np.pi, np.pi / 3):
        place = here + 0.7 * np.array([np.cos(angle), np.sin(angle)])
        moved = make_edit(model, sequence, replace(EDITS["insert"], place=(float(place[0]), float(place[1]))))
        if moved.bridge is None:
            continue
        path, shown = path_of(model, moved.sequence), shown_by(model, moved.sequence)
        assert model.groups.of_frame[shown[moved.passed]] == group
        assert moved.bridge.through.away <= model.radius
        assert moved.bridge.through.away == pytest.approx(np.linalg.norm(moved.bridge.through.place[:2] - place))
        away = float(np.linalg.norm(path[moved.passed, :2] - place))
        assert away == pytest.approx(moved.bridge.through.away, abs=0.3), "but for what bending moves"
        nearer.append(0.7 - away)
    assert len(nearer) >= 3
    assert max(nearer) > 0.02 and np.mean(nearer) > 0


def test_the_pose_that_is_put_in_looks_where_it_is_asked_to(model, sequence):
    for degrees in (0.0, 120.0, -120.0):
        made = make_edit(model, sequence, replace(EDITS["insert"], heading=degrees))
        assert made.bridge is None or abs(wrap_angle(made.bridge.through.place[2] - np.radians(degrees))) <= np.radians(
            HEADING_WITHIN
        )
        assert made.bridge is not None or made.why_not


def test_a_pose_that_cannot_be_where_it_is_asked_for_is_said_with_what_can_be_had(model, sequence):
    far = make_edit(model, sequence, replace(EDITS["insert"], place=(40.0, 0.0)))
    assert far.bridge is None and far.sequence is sequence
    assert far.why_not.startswith("out of reach: the pose comes no nearer than 3")


def test_the_same_gap_is_searched_once(model, sequence, monkeypatch):
    first = make_edit(model, sequence, EDITS["replace"])
    monkeypatch.setattr(bridges, "grow_tree", None)
    assert make_edit(model, sequence, EDITS["replace"]).bridge is first.bridge


def test_the_report_says_how_far_the_pose_is_from_its_place(model, sequence, made):
    x, z, heading = made["insert"].bridge.through.place
    edit = replace(EDITS["insert"], place=(round(x + 0.2, 3), round(z, 3)), heading=round(float(np.degrees(heading))))
    (answer,) = solve(buildup, model, Request(steps=STEPS, edits=(edit,), groups=12))[:1]
    (character,) = answer.state.characters
    report = realize(buildup, answer, model).report
    parts = {part.name.split(": ")[-1]: part for part in report.parts if part.name.startswith("edit 1")}
    assert parts["distance"].met and parts["heading off by"].met
    assert parts["distance"].frame == character.edits[0].passed


def test_an_edited_request_is_answered_and_judged(model):
    request = Request(steps=STEPS, edits=(EDITS["replace"], Edit("delete", "1s", "100s")), groups=12, takes=None)
    (answer,) = solve(buildup, model, request)[:1]
    (character,) = answer.state.characters
    assert [each.bridge is not None for each in character.edits] == [True, False]
    result = realize(buildup, answer, model)
    assert result.motion.n_frames == character.sequence.n_frames
    missed = [part for part in result.report.parts if not part.met]
    assert [part.name for part in missed] == ["edit 2 delete from 1s to 100s: made"]


def test_parts_of_a_stretch_show_its_frames(sequence):
    (stretch, *_) = [each for each in sequence.stretches if each.n_recorded > 60]
    for paced in (stretch, replace(stretch, n_frames=stretch.n_recorded - 3)):
        whole = shown_in(paced)
        halves = [paced.part(0, 25), paced.part(25, paced.n_played)]
        assert [half.n_played for half in halves] == [25, paced.n_played - 25]
        assert [row for half in halves for row in shown_in(half)] == whole


def shown_in(stretch: Stretch) -> list[tuple[str, float]]:
    """The recording and the frame that each frame of a stretch shows."""
    return [(clip.name, float(clip.start + time)) for clip, times in stretch.timed() for time in times]


def test_a_pose_is_laid_onto_where_it_is(model):
    pose, where = model.view.pose(700), Placement(2.5, np.array([1.0, -3.0]))
    found = placement_onto(place(pose, where), 0, pose)
    assert found.heading == pytest.approx(where.heading, abs=1e-6)
    assert found.slide == pytest.approx(where.slide, abs=1e-6)
