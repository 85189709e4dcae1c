"""The paper's search as a whole: streams, stops, forced frames, any length, places."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.assembly import solve
from motionloom.errors import BadInput
from motionloom.methods import timeline
from motionloom.methods.timeline import Request, Settings
from motionloom.methods.timeline.objective.costs import cost_of, path_of, place_misses
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.report.reasons import explain
from motionloom.methods.timeline.request import BlockSettings
from motionloom.methods.timeline.solvers import block_search

SMALL = Settings(by_blocks=BlockSettings(sizes=(8, 4, 2), top_clusters=4, blocks_per_cluster=6))
WALK_THEN_RUN = {"length": "5.2s", "labels": [{"label": "walk", "to": "2.5s"}, {"label": "run", "from": "2.5s"}]}


def find(model, data, *, seed=0, **how):
    problem = pose_problem(model, Request.from_data(data))
    return problem, [*block_search.search(model, problem, np.random.default_rng(seed), **how)]


def test_answers_get_cheaper_and_say_which_restart_found_them(model):
    problem, answers = find(model, WALK_THEN_RUN, iterations=12)
    costs = [answer.cost for answer in answers]
    numbers = [int(answer.kind.removeprefix("restart ")) for answer in answers]
    assert len(answers) > 1
    assert (np.diff(costs) < 0).all()
    assert (np.diff(numbers) > 0).all()
    assert all(1 <= number <= 12 for number in numbers)
    for answer in answers:
        assert len(answer.frames) == problem.n_frames
        assert answer.cost == pytest.approx(cost_of(model, problem, answer.frames).total)


def test_more_restarts_begin_as_fewer_do(model):
    few, many = (find(model, WALK_THEN_RUN, iterations=n)[1] for n in (4, 12))
    for one, other in zip(few, many):
        np.testing.assert_array_equal(one.frames, other.frames)
    assert len(many) >= len(few)


def test_the_same_seed_gives_the_same_answers_and_another_seed_others(model):
    first, again, other = (find(model, WALK_THEN_RUN, seed=seed, iterations=3)[1] for seed in (5, 5, 6))
    assert len(first) == len(again)
    for one, two in zip(first, again):
        np.testing.assert_array_equal(one.frames, two.frames)
    assert any(not np.array_equal(one.frames, two.frames) for one, two in zip(first, other))


def test_labels_that_the_corpus_has_in_a_row_are_met(model):
    problem, answers = find(model, WALK_THEN_RUN, iterations=30)
    assert answers[-1].costs.labels < 0.05 * problem.n_frames


def test_a_search_that_is_stopped_at_once_still_has_an_answer(tiny, model):
    for each in (model, replace(model, _blocks={}), tiny((20, 20), {"walk": np.ones(40), "run": -np.ones(40)})):
        problem, answers = find(each, WALK_THEN_RUN, stop=lambda: True)
        assert len(answers) == 1
        assert len(answers[0].frames) == problem.n_frames


@pytest.mark.parametrize("asked", [1, 5, 30, 60])
def test_a_search_is_stopped_wherever_it_is(model, asked):
    find(model, WALK_THEN_RUN, iterations=1)  # the clusters are there
    calls = []

    def stop():
        calls.append(1)
        return len(calls) >= asked

    problem, answers = find(model, WALK_THEN_RUN, stop=stop)
    assert len(calls) <= asked + 2
    assert answers
    assert all(len(answer.frames) == problem.n_frames for answer in answers)


def test_without_a_number_the_usual_restarts_are_made_and_without_a_limit_somebody_has_to_stop(tiny):
    model = tiny((40, 30), {"go": np.resize([1, -1], 70)}, settings=SMALL)
    usual = find(model, {"length": "33f"})[1]
    fifty = find(model, {"length": "33f"}, iterations=50, stop=lambda: False)[1]
    assert [answer.kind for answer in usual] == [answer.kind for answer in fifty]
    np.testing.assert_array_equal(usual[-1].frames, fifty[-1].frames)
    with pytest.raises(BadInput, match="never end"):
        find(model, {"length": "33f"}, iterations=None)


def test_reasons_end_although_the_search_had_no_limit_but_its_time(tiny):
    by_blocks = replace(SMALL.by_blocks, restarts=None)
    labels = {"go": np.repeat([1, -1], 35)}
    model = tiny((40, 30), labels, settings=replace(SMALL, solver="blocks", by_blocks=by_blocks))
    problem = pose_problem(model, Request.from_data({"length": "30f", "labels": [{"label": "go"}]}))
    frames = np.arange(40, 70)  # nothing of it goes
    assert explain(model, problem, frames, stop=lambda: False)


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), n_frames=st.integers(3, 70))
def test_any_length_is_met_with_forced_frames_at_their_time(tiny, seed, n_frames):
    rng = np.random.default_rng(seed)
    model = tiny((26, 9, 31), {"go": rng.choice([-1, 1], 66)}, seed=seed % 20, settings=SMALL)
    at, length = int(rng.integers(0, n_frames - 2)), int(rng.integers(1, 3))
    data = {
        "length": f"{n_frames}f",
        "labels": [{"label": "go"}],
        "frames": [
            {"at": f"{at}f", "take": "take_1", "start": 4, "stop": 4 + length},
            {"at": f"{n_frames - 1}f", "take": "take_2", "frame": 30},
        ],
        "places": [{"at": f"{n_frames // 2}f", "position": [0.3, 0.4]}] if seed % 2 else [],
    }
    problem, answers = find(model, data, seed=seed, iterations=2)
    assert problem.forced[-1].at == n_frames - 1
    for answer in answers:
        assert len(answer.frames) == n_frames
        assert (model.motion_of[answer.frames] >= 0).all()
        for clip in problem.forced:
            np.testing.assert_array_equal(answer.frames[clip.at : clip.stop], clip.first + np.arange(clip.n_frames))


def test_motions_shorter_than_every_block_can_be_chosen_from(tiny):
    model = tiny((3, 1, 2), {"go": np.array([1, 1, 1, -1, 1, 1])}, settings=SMALL)
    _, answers = find(model, {"length": "10f", "labels": [{"label": "go"}]}, iterations=3)
    assert len(answers[-1].frames) == 10
    assert answers[-1].costs.labels == 0


def test_a_pool_leads_nearer_to_a_place_than_restarts_alone(model):
    missed = {}
    for kept in (0, 20):
        chosen = replace(model.settings, by_blocks=replace(model.settings.by_blocks, pool=kept))
        misses = []
        for x, z in ((3, 2), (-3, 2), (0, -3)):
            data = {**WALK_THEN_RUN, "places": [{"position": [x, z]}]}
            problem, answers = find(replace(model, settings=chosen), data, iterations=10)
            misses.append(place_misses(problem, path_of(model, problem, answers[-1].frames))[0, 0])
            assert (np.diff([answer.cost for answer in answers]) < 0).all()
        missed[kept] = np.mean(misses)
    assert missed[20] < missed[0]


def test_solving_tells_how_far_the_clusters_are(model):
    reported = []
    settings = replace(model.settings, solver="blocks", by_blocks=BlockSettings(sizes=(12, 6), restarts=2))
    once = replace(model, settings=settings, _blocks={})
    request = Request.from_data(WALK_THEN_RUN)
    plan = solve(timeline, once, request, progress=lambda *done: reported.append(done))[0].plan
    assert {size for size, _ in once._blocks} == {12, 6}
    assert reported
    assert all(0 < done <= total for done, total in reported)
    assert (np.diff([done for done, _ in reported]) > 0).all()
    assert plan.n_frames == 312
