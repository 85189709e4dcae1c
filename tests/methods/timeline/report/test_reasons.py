"""Why an answer misses what was painted: every kind of reason, for corpora that are made to have it."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly.results.spelling import times_apart
from motionloom.methods.timeline import Request, Settings
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.report.demands import KINDS
from motionloom.methods.timeline.report.measures import judge_labels
from motionloom.methods.timeline.report.reasons import explain, find_misses
from motionloom.methods.timeline.solvers.solver import solve_problem
from motionloom.tasks import Stopped


def hold(*stretches, n_frames=120):
    """+1 in some half-open stretches, -1 elsewhere."""
    track = np.full(n_frames, -1)
    for start, stop in stretches:
        track[start:stop] = 1
    return track


def apart(*groups):
    """(N, 2) coordinates: groups of frames that move a little, far from each other."""
    parts = [np.column_stack([np.full(n, 1.0 * place), 0.1 * np.arange(n)]) for n, place in groups]
    return np.concatenate(parts)


def ask(model, labels, length=60, **more):
    painted = [dict(zip(("label", "from", "to", "value"), (*paint, "must")[:4])) for paint in labels]
    return pose_problem(model, Request.from_data({"length": f"{length}f", "labels": painted, **more}))


def reasons_of(model, problem, frames=None):
    if frames is None:
        frames = list(solve_problem(model, problem))[-1].frames
    return explain(model, problem, frames)


def test_an_answer_that_has_all_needs_no_reasons(tiny):
    model = tiny((120,), {"a": hold((0, 120))})
    assert reasons_of(model, ask(model, [("a", "0f", "60f")])) == ()


def test_a_label_that_is_absent_from_the_takes(tiny):
    model = tiny((120,), {"a": hold((0, 120)), "b": hold()})
    (reason,) = reasons_of(model, ask(model, [("b", "10f", "40f")]))
    assert (reason.kind, reason.labels, reason.start, reason.stop) == ("absent", ("b",), 10, 40)
    assert "b is absent" in reason.sentence and "record b" in reason.advice
    (reason,) = reasons_of(model, ask(model, [("a", "10f", "40f", "must_not")]))
    assert reason.kind == "absent" and "every frame" in reason.sentence


def test_a_label_that_nobody_has_spoken_of(tiny):
    model = tiny((60, 60), {"a": np.concatenate([np.zeros(60), np.full(60, -1)])})
    problem = ask(model, [("a", "0f", "50f")])
    (reason,) = reasons_of(model, problem, np.arange(60))
    assert reason.kind == "unknown" and "label a" in reason.advice


def test_a_combination_that_was_never_seen_names_the_smallest_one_with_seconds(tiny):
    model = tiny((120,), {"a": hold((0, 60)), "b": hold((60, 120)), "c": hold((0, 120))})
    painted = [("c", "0f", "60f"), ("a", "0f", "60f"), ("b", "30f", "60f")]
    reasons = reasons_of(model, ask(model, painted))
    assert {reason.kind for reason in reasons} == {"combination"}
    assert set(reasons[0].labels) == {"a", "b"}
    assert "a 1.0 s" in reasons[0].sentence and "b 1.0 s" in reasons[0].sentence
    assert "at the same time" in reasons[0].advice


def test_forced_frames_that_are_something_else_are_named(tiny):
    model = tiny((60, 60), {"a": hold((0, 60))})
    forced = [{"at": "10f", "take": "take_1", "start": 0, "stop": 40}]
    reasons = reasons_of(model, ask(model, [("a", "0f", "60f")], frames=forced))
    assert "forced" in {reason.kind for reason in reasons}
    assert any("take_1 is forced" in reason.sentence for reason in reasons)


def test_a_very_hard_cut_to_forced_frames_is_put_down_to_them(tiny):
    model = tiny((120, 60), {"a": np.ones(180)}, coordinates=apart((120, 0), (60, 50)))
    forced = [{"at": "60f", "take": "take_1", "start": 20, "stop": 40}]
    frames = np.concatenate([np.arange(60), np.arange(140, 160), np.arange(60, 80)])
    reasons = reasons_of(model, ask(model, [("a", "0f", "100f")], length=100, frames=forced), frames)
    assert [(reason.kind, reason.start) for reason in reasons] == [("forced", 59), ("forced", 79)]
    assert "to take_1, forced at 1.0 s, takes a cut of" in reasons[0].sentence
    assert "from take_1" in reasons[1].sentence and "change between it and a" in reasons[1].advice


def test_what_was_given_up_for_a_place_is_reported(tiny):
    model = tiny((200, 200), {"a": hold((0, 200), n_frames=400)}, settings=Settings(place_miss=1e5))
    facings = model.facings.copy()
    facings[:200] = 0  # nobody who is `a` moves
    model = replace(model, facings=facings)
    problem = ask(model, [("a", "0f", "60f")], places=[{"position": [0.0, 1.0]}], alpha=0.9)
    answer = list(solve_problem(model, problem))[-1]
    assert answer.costs.labels > 10
    kinds = {reason.kind for reason in reasons_of(model, problem, answer.frames)}
    assert "place" in kinds


def test_a_stretch_that_was_only_recorded_shorter_is_reported_with_its_length(tiny):
    points = apart((90, 0), (30, 50), (90, 0))  # the frames that are `a` are far from all others, and from each other
    points[90:120, 1] *= 100
    model = tiny((90, 30, 90), {"a": hold((90, 120), n_frames=210)}, coordinates=points)
    problem = ask(model, [("a", "0f", "60f")], alpha=0.02)
    reasons = reasons_of(model, problem, np.concatenate([np.arange(90, 120), np.arange(30)]))
    (reason,) = [reason for reason in reasons if reason.start == 30]
    assert reason.kind == "short"
    assert "0.5 s at most" in reason.sentence and "1.0 s" in reason.advice


def test_labels_that_are_never_within_reach_of_each_other_are_reported_with_the_distance(tiny):
    points = apart((100, 0), (100, 50))
    tracks = {"a": hold((0, 100), n_frames=200), "b": hold((100, 200), n_frames=200)}
    model = tiny((100, 100), tracks, coordinates=points)
    problem = ask(model, [("a", "0f", "30f"), ("b", "30f", "60f")], alpha=0.02)
    (reason,) = reasons_of(model, problem)
    assert reason.kind == "reach"
    assert "from a to b" in reason.sentence and "5" in reason.sentence and "no time is left" in reason.sentence
    assert "record a change from a to b" in reason.advice
    bold = ask(model, [("a", "0f", "30f"), ("b", "30f", "60f")], alpha=0.9)
    (reason,) = reasons_of(model, bold)  # everything is met, by a cut that shows
    assert reason.kind == "reach" and "usual distances" in reason.sentence


@pytest.mark.parametrize("painted", [[("a", "0f", "60f")], [("a", "0f", "30f"), ("b", "30f", "60f")]])
def test_a_very_hard_cut_that_labels_do_not_need_is_put_down_to_alpha(tiny, painted):
    points = apart((100, 0), (100, 50))
    tracks = {"a": hold((0, 80), (100, 130), n_frames=200), "b": hold((80, 100), (130, 200), n_frames=200)}
    model = tiny((100, 100), tracks, coordinates=points)
    problem = ask(model, painted, alpha=0.9)
    second = np.arange(100, 130) if len(painted) == 1 else np.arange(130, 160)
    (reason,) = reasons_of(model, problem, np.concatenate([np.arange(30), second]))
    assert reason.at_cut and reason.kind == "continuity" and "lower alpha" in reason.advice
    assert "though" in reason.sentence


def test_labels_that_continuity_outweighs_are_reported_with_their_cost(tiny):
    points = apart((100, 0), (100, 1.5))
    tracks = {"a": hold((0, 100), n_frames=200), "b": hold((100, 200), n_frames=200)}
    model = tiny((100, 100), tracks, coordinates=points, neighbours=100)
    problem = ask(model, [("a", "0f", "40f"), ("b", "50f", "60f")], alpha=0.03)
    (reason,) = reasons_of(model, problem, np.arange(60))
    assert reason.kind == "continuity" and "wrong frames more" in reason.sentence and "alpha" in reason.advice


def test_an_answer_that_is_dearer_than_one_with_the_label_is_put_down_to_the_search(tiny):
    model = tiny((120, 120), {"a": hold((120, 240), n_frames=240)}, coordinates=apart((120, 0), (120, 0.5)))
    problem = ask(model, [("a", "0f", "50f")])
    (reason,) = reasons_of(model, problem, np.arange(60))
    assert reason.kind == "search"
    assert "costs 55.0 wrong frames less" in reason.sentence  # 50 that are painted, and 10 at the soft edge


def test_a_fair_cut_that_leads_straight_on_takes_no_time_that_is_named(tiny):
    tracks = {"a": hold((0, 100), n_frames=300), "b": hold((100, 200), (250, 300), n_frames=300)}
    model = tiny((100, 100, 100), tracks, coordinates=apart((100, 0), (100, 0.2), (100, 50)), neighbours=40)
    problem = ask(model, [("a", "0f", "30f"), ("b", "30f", "60f")], alpha=0.9)
    (reason,) = reasons_of(model, problem, np.concatenate([np.arange(30), np.arange(250, 280)]))
    assert reason.at_cut and "0.0 s" not in reason.sentence
    assert "though a fair cut leads straight from one to the other" in reason.sentence


def test_times_that_differ_are_not_written_alike():
    assert times_apart(0.53, 0.51) == ("0.53", "0.51")
    assert times_apart(0.5, 1.04) == ("0.5", "1.0")
    assert times_apart(0.04, 0.0) == ("0.04", "0.00")
    assert times_apart(0.03) == ("0.03",)


def test_a_stretch_that_is_missed_by_many_short_misses_has_a_reason(tiny):
    gaps = [(start, start + 8) for start in range(0, 120, 12)]
    model = tiny((120,), {"a": hold(*gaps)})
    problem = ask(model, [("a", "0f", "60f"), ("a", "70f", "80f")], length=80)
    misses = find_misses(problem, np.arange(80), model.fps)
    assert len(misses) == 2  # one of each stretch: a third and a fifth of them are wrong
    assert [reason.labels for reason in reasons_of(model, problem, np.arange(80))] == [("a",), ("a",)]


def test_what_joining_plays_instead_is_put_down_to_the_join(tiny):
    model = tiny((120, 60), {"a": hold((0, 120), n_frames=180)}, coordinates=apart((120, 0), (60, 0.2)))
    problem = ask(model, [("a", "0f", "40f")])
    planned = np.arange(60)
    played = planned.copy()
    played[28:40] = np.arange(120, 132)
    (reason,) = explain(model, problem, planned, played=played)
    assert (reason.kind, reason.start, reason.stop) == ("continuity", 28, 40)
    assert "join" in reason.sentence


def test_short_misses_are_passed_over_where_the_stretch_is_met(tiny):
    model = tiny((120,), {"a": hold((0, 30), (33, 120))})
    problem = ask(model, [("a", "0f", "60f")])  # 5 % is wrong, as much as may be
    assert find_misses(problem, np.arange(60), model.fps) == []
    assert find_misses(problem, np.arange(60), 20.0) == [(0, 30, 33)]


@pytest.mark.parametrize("n_frames", [20, 40, 80, 100, 140, 180, 200])
def test_as_much_as_may_be_wrong_is_met_and_a_frame_more_has_a_reason(tiny, n_frames):
    for n_wrong, is_met in ((n_frames // 20, True), (n_frames // 20 + 1, False)):
        model = tiny((200,), {"a": hold((0, 5), (5 + n_wrong, 200), n_frames=200)})
        problem, frames = ask(model, [("a", "0f", f"{n_frames}f")], length=n_frames), np.arange(n_frames)
        (stretch,) = judge_labels(problem, frames, model.fps)
        assert stretch.is_met is is_met
        assert bool(find_misses(problem, frames, 1000.0)) is not is_met


@pytest.mark.parametrize("seed", range(3))
def test_every_miss_gets_a_reason_whatever_is_asked(tiny, seed):
    rng = np.random.default_rng(seed)
    tracks = {label: np.repeat(rng.choice([-1, 0, 1], 20), 9) for label in "abc"}
    model = tiny((100, 80), tracks, seed=seed)
    values = rng.choice(["must", "must_not"], 3)
    painted = [(label, f"{at}f", f"{at + 20}f", str(value)) for label, at, value in zip("abc", (0, 15, 35), values)]
    problem = ask(model, painted, places=[{"position": [0.5, 0.5]}], alpha=float(rng.uniform(0.02, 0.9)))
    frames = list(solve_problem(model, problem))[-1].frames
    reasons = explain(model, problem, frames)
    assert {reason.kind for reason in reasons} <= set(KINDS)
    explained = {(reason.labels[0], reason.start, reason.stop) for reason in reasons}
    misses = {(problem.labels[label], start, stop) for label, start, stop in find_misses(problem, frames, model.fps)}
    assert misses <= explained
    assert [reason.start for reason in reasons] == sorted(reason.start for reason in reasons)
    assert all(reason.sentence and reason.advice for reason in reasons)


def test_explaining_ends_as_soon_as_it_is_stopped(tiny):
    model = tiny((120,), {"a": hold((0, 120)), "b": hold()})
    problem = ask(model, [("b", "10f", "40f")])
    with pytest.raises(Stopped):
        explain(model, problem, np.arange(60), stop=lambda: True)


def test_what_is_searched_for_an_explanation_is_given_up_when_it_is_stopped(tiny):
    points = apart((100, 0), (100, 1.5))
    tracks = {"a": hold((0, 100), n_frames=200), "b": hold((100, 200), n_frames=200)}
    model = tiny((100, 100), tracks, coordinates=points, neighbours=100)
    problem = ask(model, [("a", "0f", "40f"), ("b", "50f", "60f")], alpha=0.03)
    asked = []
    with pytest.raises(Stopped):
        explain(model, problem, np.arange(60), stop=lambda: asked.append(0) or len(asked) > 3)
    assert len(asked) == 5
