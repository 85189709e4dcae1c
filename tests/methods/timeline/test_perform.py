"""Performing and judging: exactly the frames asked for, at their places and times, smooth, and honest about it."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Answer, ChosenJoins, assemble, realize
from motionloom.features.facing import find_facing
from motionloom.methods import timeline
from motionloom.methods.timeline import ForcedFrames, Model, Paint, Place, Request, judge, perform
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.solution import make_solution
from motionloom.methods.timeline.passes.forward_backward import Recall
from motionloom.methods.timeline.perform import ground_targets
from motionloom.methods.timeline.search import State, make_answer
from motionloom.motion import kinematics
from motionloom.tasks import Stopped

WALK, RUN = "walk/stop_and_go", "run/walk_run_walk_1"


def answer_of(model: Model, request: Request, played: np.ndarray) -> Answer[State]:
    """The answer that plays given frames, without a search."""
    problem = pose_problem(model, request)
    return make_answer(model, request, State(problem, make_solution(model, problem, played, "test"), Recall()))


@pytest.fixture(scope="module")
def realized(model):
    """Play given frames for a request and realize that, without a search."""

    def run(played, **asked):
        request = Request(length=f"{len(played)}f", **asked)
        return realize(timeline, answer_of(model, request, played), model)

    return run


def clip(model: Model, name: str, start: int, n_frames: int) -> np.ndarray:
    return model.view.range_of(name)[0] + np.arange(start, start + n_frames)


def nearest_run(model: Model, frame: int, n_frames: int) -> np.ndarray:
    """Frames that a motion may go on with after a frame: the nearest that are followed by enough others."""
    for other in model.neighbours[model.following[frame]]:
        if other >= 0 and model.stops[other] - other >= n_frames:
            return other + np.arange(n_frames)
    raise AssertionError("no neighbour goes on for so long")


@pytest.fixture(scope="module")
def frames(model) -> np.ndarray:
    """A walk of 90 frames that is cut to what is most like it, for 110 frames."""
    first = clip(model, WALK, 40, 90)
    return np.concatenate([first, nearest_run(model, first[-1], 110)])


def test_a_motion_has_exactly_the_frames_asked_for(realized, frames):
    result = realized(frames)
    assert result.motion.n_frames == result.contacts.shape[0] == result.provenance.n_frames == 200
    assert np.isfinite(result.motion.root_positions).all() and np.isfinite(result.motion.local_rotations).all()


def test_places_at_the_end_and_on_the_way_are_met(realized, frames):
    free = realized(frames)
    headings, ground = find_facing(free.motion.skeleton, kinematics.world_positions(free.motion))
    middle, end = ground[120] + [0.15, 0.1], ground[-1] + [-0.2, 0.2]
    turned = float(np.degrees(headings[-1])) + 15
    result = realized(
        frames,
        places=(
            Place(at="120f", position=tuple(middle.tolist())),
            Place(at="end", position=tuple(end.tolist()), heading=turned),
        ),
    )
    headings, ground = find_facing(result.motion.skeleton, kinematics.world_positions(result.motion))
    np.testing.assert_allclose(ground[120], middle, atol=0.01)
    np.testing.assert_allclose(ground[-1], end, atol=0.01)
    assert np.degrees(headings[-1]) == pytest.approx(turned, abs=1)
    assert all(part.met for part in result.report.parts)
    first, last = result.report.details["places"]
    assert first["position_miss_before"] > 0.1 and first["position_miss"] < 0.01 and first["heading"] is None
    assert last["heading_miss_before"] > 0.2 and last["heading_miss"] < 0.02


def test_a_place_that_nobody_could_reach_is_missed_by_metres(realized, frames):
    report = realized(frames, places=(Place(at="end", position=(0.0, 30.0)),)).report
    part = next(part for part in report.parts if part.name.startswith("position"))
    assert not part.met and part.value > 10 and "limit 40 %" in part.why_not
    (place,) = report.details["places"]
    assert not place["met"] and place["position_miss"] == pytest.approx(part.value, abs=0.01)
    (note,) = [note for note in report.notes if "path bent to its places by up to" in note]
    assert "(limit 40 %)" in note


def test_the_start_is_where_it_was_asked_for(realized, frames):
    result = realized(frames, places=(Place(at="start", position=(2.0, -1.0), heading=90.0),))
    headings, ground = find_facing(result.motion.skeleton, kinematics.world_positions(result.motion))
    np.testing.assert_allclose(ground[0], [2.0, -1.0], atol=0.02)
    assert np.degrees(headings[0]) == pytest.approx(90.0, abs=2)


def test_a_forced_frame_is_itself_at_its_time(realized, model, frames):
    forced = int(frames[90] - model.view.range_of(model.view.names[model.motion_of[frames[90]]])[0])
    name = model.view.names[model.motion_of[frames[90]]]
    result = realized(frames, frames=(ForcedFrames(at="90f", take=name, frame=forced),))
    ((source, frame, weight),) = result.provenance.of_frame(90)
    assert (source.name, frame, weight) == (name, forced, 1.0)
    (reported,) = result.report.details["forced"]
    assert reported["in_time"] and reported["weight"] == 1.0 and reported["error"] < 1e-6
    assert result.report.parts[0].met and "pose off by" in result.report.parts[0].name


def test_joins_do_not_reach_into_forced_clips(realized, model, frames):
    name = model.view.names[model.motion_of[frames[90]]]
    start = int(frames[90] - model.view.range_of(name)[0])
    after = nearest_run(model, int(frames[129]), 70)
    result = realized(
        np.concatenate([frames[:130], after]), frames=(ForcedFrames(at="90f", take=name, start=start, stop=start + 40),)
    )
    (reported,) = result.report.details["forced"]
    assert (reported["start"], reported["stop"], reported["in_time"], reported["weight"]) == (90, 130, True, 1.0)
    assert (reported["take_start"], reported["take_stop"]) == (start, start + 40)  # as it was asked, half-open
    assert reported["error"] < 0.001
    assert [join["kind"] for join in result.report.details["joins"]] == ["arrive", "inertialize"]


def test_a_forced_frame_that_brings_little_of_its_recording_is_warned_about(realized, model, frames):
    start, stop = model.view.range_of(RUN)
    played = np.concatenate([[stop - 1], nearest_run(model, stop - 1, 89)])
    result = realized(played, frames=(ForcedFrames(at="0f", take=RUN, frame=stop - start - 1),))
    (reported,) = result.report.details["forced"]
    assert reported["own_frames"] == 1
    assert reported["why_fewer"] == f"the motion begins and {RUN} ends"
    warning = f"warning: {RUN} at 0.00 s brings 1 frame of its own recording, not 32: the motion begins and {RUN} ends"
    assert warning in result.report.notes
    name = model.view.names[model.motion_of[frames[90]]]
    first = int(frames[90] - model.view.range_of(name)[0])
    calm = realized(frames, frames=(ForcedFrames(at="110f", take=name, frame=first + 20),)).report
    assert calm.details["forced"][0]["own_frames"] >= 32 and not any("warning" in note for note in calm.notes)


def test_frames_that_are_forced_but_not_played_are_reported_missing(realized, frames):
    result = realized(frames, frames=(ForcedFrames(at="10f", take=RUN, frame=200),))
    part = next(part for part in result.report.parts if "pose off by" in part.name)
    assert not part.met and part.why_not == "other frames are played there"


def test_two_clips_forced_one_after_the_other_are_both_in_time(realized, model):
    played = np.concatenate([clip(model, WALK, 50, 50), clip(model, RUN, 300, 50)])
    forced = (
        ForcedFrames(at="start", take=WALK, start=50, stop=100),
        ForcedFrames(at="50f", take=RUN, start=300, stop=350),
    )
    reported = realized(played, frames=forced).report.details["forced"]
    assert [clip["in_time"] for clip in reported] == [True, True]
    assert reported[1]["weight"] == pytest.approx(0.5)


def test_a_very_hard_cut_is_reported_though_nothing_is_missed(realized, model):
    played = np.concatenate([clip(model, WALK, 100, 40), clip(model, "jump/run_and_jump_1", 60, 40)])
    tracks = {label: model.tracks[played, model.labels.index(label)] for label in model.labels}
    (before,) = [label for label in ("walk", "stand", "run") if (tracks[label][:40] == 1).all()]
    (after,) = [label for label in ("walk", "stand", "run") if (tracks[label][40:] == 1).all()]
    report = realized(played, labels=(Paint(label=before, stop="40f"), Paint(label=after, start="40f"))).report
    assert all(part.met for part in report.parts if part.name.startswith("must"))
    assert report.details["joins"][0]["distance"] > 4
    (reason,) = report.details["reasons"]
    assert reason["at_cut"] and f"very hard cut at {reason['sentence']}" in report.notes


def test_hard_cuts_are_no_reasons_why_a_label_is_missed(realized, model):
    played = np.concatenate([clip(model, RUN, start, 8) for start in range(20, 420, 50)])
    report = realized(played, labels=(Paint(label="jump"),)).report
    (part,) = [part for part in report.parts if part.name.startswith("must")]
    cuts = [reason["sentence"] for reason in report.details["reasons"] if reason["at_cut"]]
    assert len(cuts) > 4 and not any(sentence in part.why_not for sentence in cuts)
    assert sum(note.startswith("very hard cut at") for note in report.notes) == 4
    assert f"{len(cuts) - 4} more very hard cuts" in report.notes


def test_the_report_says_which_painted_frames_are_right(realized, model, frames):
    result = realized(frames, labels=(Paint(label="walk"), Paint(label="run", start="100f", value="must_not")))
    tracks = {label: model.tracks[frames, model.labels.index(label)] for label in ("walk", "run")}
    reported = {stretch["label"]: stretch for stretch in result.report.details["labels"]}
    assert reported["walk"]["right"] == pytest.approx((tracks["walk"] == 1).mean(), abs=0.02)
    assert reported["run"]["right"] == pytest.approx((tracks["run"][100:] == -1).mean(), abs=0.02)
    assert reported["run"]["runs"][0][0] == 100 and reported["run"]["runs"][-1][1] == 200


def test_a_label_that_is_not_there_is_reported_with_its_times(realized, model, frames):
    result = realized(frames, labels=(Paint(label="jump", start="60f", stop="120f"),))
    part = result.report.parts[0]
    assert not part.met and part.value == pytest.approx(100.0)
    assert "1.00 to 2.00 s" in part.name and "1.00 to 2.00 s (wrong)" in part.why_not
    assert not result.report.is_met
    (reason,) = result.report.details["reasons"]
    assert reason["labels"][0] == "jump" and reason["sentence"] in part.why_not
    assert f"to help: {reason['advice']}" in result.report.notes


def test_what_is_met_needs_no_reasons(realized, frames):
    assert realized(frames, labels=(Paint(label="walk"),)).report.details["reasons"] == []


def test_joins_are_reported_beside_what_is_usual(realized, model, frames):
    result = realized(frames)
    (join,) = result.report.details["joins"]
    assert abs(join["frame"] - 90) <= 8
    assert 0 < join["peak"] < 1.5 and 0 <= join["share_calmer"] <= 1 and join["distance"] < 10
    (line,) = [line for line in result.report.quality if line.name.startswith("join at")]
    assert line.value == pytest.approx(join["peak"]) and "usual distances" in line.note


def test_pieces_are_reported_as_frames_of_their_takes(realized, model, frames):
    result = realized(frames)
    first, second = result.report.details["pieces"]
    assert (first["start"], first["take"], first["take_start"]) == (0, WALK, 40.0)
    assert first["stop"] == second["start"] and second["stop"] == 200
    for piece in (first, second):  # both ranges are half-open, of the answer and of the take
        assert piece["take_stop"] - piece["take_start"] == piece["stop"] - piece["start"]
    assert any(f"are {WALK}, frames 40 to" in note for note in result.report.notes)


def test_the_same_plan_gives_the_same_motion(realized, frames):
    one, other = realized(frames), realized(frames)
    np.testing.assert_array_equal(one.motion.local_rotations, other.motion.local_rotations)
    np.testing.assert_array_equal(one.motion.root_positions, other.motion.root_positions)


def test_feet_stay_where_they_stand(realized, frames):
    parts = {part.name: part for part in realized(frames).report.parts}
    assert parts["planted feet stay"].met


@pytest.fixture(scope="module")
def answer(model, frames):
    """The walk with one cut, bent to a place, with one label that is missed."""
    asked = Request(
        length="200f", labels=(Paint("walk"), Paint("jump", "20f", "80f")), places=(Place(position=(0.5, 2.0)),)
    )
    return answer_of(model, asked, frames)


def test_a_performed_motion_is_the_realized_one_bit_for_bit(model, answer):
    whole, known = realize(timeline, answer, model), ChosenJoins()
    for _ in range(2):  # once found out, once known
        (played,) = perform(answer, replace(model, chosen_joins=known)).played
        quick = played.unmeasured
        np.testing.assert_array_equal(quick.motion.root_positions, whole.motion.root_positions)
        np.testing.assert_array_equal(quick.motion.local_rotations, whole.motion.local_rotations)
        np.testing.assert_array_equal(quick.contacts, whole.contacts)
        assert len(known) == 1


def test_a_quick_report_says_what_the_whole_one_says_without_quality_and_reasons(model, answer):
    performed = perform(answer, model)
    quick, whole = judge(performed, model, quick=True).report, judge(performed, model).report
    for part in ("labels", "joins", "pieces", "forced", "places"):
        assert quick.details[part] == whole.details[part], part
    assert (quick.details["reasons"], bool(whole.details["reasons"])) == ([], True)
    assert [part.met for part in quick.parts] == [part.met for part in whole.parts]
    assert "measuring" not in [timing.step for timing in quick.timings]
    assert len(whole.quality) > len(quick.quality)


def test_realizing_can_be_stopped_before_it_explains(model, answer):
    with pytest.raises(Stopped):
        realize(timeline, answer, model, stop=lambda: True)


@pytest.mark.parametrize("lengths", [(90, 110), (90, 50, 60)])
def test_a_quick_performance_of_many_cuts_plays_the_same_frames_with_usual_joins(model, frames, lengths):
    played = frames[: lengths[0]]
    for n_frames in lengths[1:]:
        played = np.concatenate([played, nearest_run(model, int(played[-1]), n_frames)])
    request = Request(length="200f", places=(Place(position=(0.5, 2.0)),))
    answer, known = answer_of(model, request, played), ChosenJoins()
    rough = perform(answer, replace(model, chosen_joins=known), quick=True)
    (motion,) = [played.motion for played in rough.played]
    assert motion.n_frames == 200 and rough.plans[0].pieces == answer.plan.pieces
    _, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    np.testing.assert_allclose(ground[-1], [0.5, 2.0], atol=0.01)
    is_many = len(lengths) > 2
    assert (rough.is_quick, len(known)) == (is_many, 0 if is_many else 1)
    if is_many:
        assert [join.kind for join in rough.plans[0].joins] == ["inertialize"] * 2


def test_the_plan_of_a_result_is_what_plays(model, answer):
    result = realize(timeline, answer, model)
    again = assemble(result.character.plan, model.view, targets=ground_targets(answer.state.problem))
    np.testing.assert_array_equal(again.motion.local_rotations, result.motion.local_rotations)
    reported = [(join["kind"], join["seconds"]) for join in result.report.details["joins"]]
    assert reported == [(join.kind, join.seconds) for join in result.character.plan.joins]
