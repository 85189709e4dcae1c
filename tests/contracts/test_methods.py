"""What every method promises, tried on each of the table of methods, run as commands and the studio run it."""

from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly import (
    OTHER,
    Character,
    Material,
    assemble,
    keep_characters,
    load_result,
    prepare_for,
    read_result,
    realize,
    solve,
    write_result,
)
from motionloom.corpus import Corpus
from motionloom.methods import METHODS, MORE, known_methods, load
from motionloom.motion import Motion
from motionloom.tasks import Stopped

TAKES = ("run/walk_run_walk_1", "wave/walk_and_wave_1", "walk/stop_and_go")
REQUESTS = {  # something that each method can do with the takes
    "timeline": {
        "length": "4s",
        "labels": [{"label": "walk", "to": "2s"}, {"label": "wave", "from": "2.5s"}],
        "places": [{"position": [0.5, 3.0]}],
    },
    "snap": {
        "start": {"position": [0.5, -1.0], "heading": 30},
        "steps": [
            {"label": "walk", "times": 2},
            {"place": [1.5, 3.0], "within": 1.0},
            {"control": {"speed": 1.3}, "for": "2s"},
        ],
        "length": "8s",
    },
    "buildup": {
        "start": {"position": [0.5, -1.0], "heading": 30},
        "steps": [
            {"pose": {"label": "wave"}, "place": [0.5, 2.0], "within": 3.0},
            {"place": [1.0, 3.0], "within": 2.0, "exact": True},
        ],
        "groups": 12,
    },
    "dynamics": {
        "length": "2s",
        "poses": [
            {"at": "0s", "pose": {"take": "walk/stop_and_go", "frame": 40}, "as_recorded": True},
            {"at": "end", "pose": {"take": "walk/stop_and_go", "frame": 159}, "as_recorded": True},
        ],
        "points": [{"joint": "right_hand", "at": "1s", "position": [None, 1.3, None], "hard": True}],
        "contacts_like": {"take": "walk/stop_and_go", "frame": 40},
        "prior": {"takes": ["walk/*", "run/*"]},
    },
    "medley": {"each": "1s"},  # the example of docs/adding_a_method.md
}
EXAMPLE = Path(__file__).parents[1] / "example_method"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    return make.demo_corpus(tmp_path_factory.mktemp("contract") / "corpus", TAKES)


@pytest.fixture(scope="module")
def with_example():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLE)
        patch.setenv(MORE, "medley=medley")
        yield


@pytest.fixture(scope="module", params=REQUESTS)
def prepared(request, corpus, with_example):
    """A method, its model of the corpus, and a request."""
    method = load(request.param)
    asked = method.Request.from_data(REQUESTS[request.param])
    return method, prepare_for(method, corpus, asked), asked


@pytest.fixture(scope="module")
def answer(prepared):
    method, model, request = prepared
    return solve(method, model, request)[0]


@pytest.fixture(scope="module")
def result(prepared, answer):
    method, model, _ = prepared
    return realize(method, answer, model)


def test_every_method_of_the_table_is_tried(with_example):
    assert set(REQUESTS) == set(known_methods()) > set(METHODS)


def test_the_material_of_a_request_names_takes_and_a_rate(prepared, corpus):
    method, model, request = prepared
    material = method.material_of(corpus, request)
    assert {field.name for field in fields(Material)} <= {field.name for field in fields(material)}
    assert hash(material) == hash(method.material_of(corpus, request))  # models are kept by it
    assert material.fps == model.view.fps


def test_the_same_request_and_seed_give_the_same_plan_and_frames(prepared, result):
    method, model, request = prepared
    one, other = (solve(method, model, request, seed=3)[0].plan for _ in range(2))
    assert one.describe() == other.describe()
    twice = realize(method, solve(method, model, request)[0], model)
    np.testing.assert_array_equal(twice.motion.local_rotations, result.motion.local_rotations)
    np.testing.assert_array_equal(twice.motion.root_positions, result.motion.root_positions)


@pytest.mark.parametrize("is_warm", [False, True])
def test_answers_get_better_until_one_is_settled_and_others_come_after_it(prepared, answer, is_warm):
    method, model, request = prepared
    answers = list(method.search(model, request, previous=answer if is_warm else None, others=2))
    settled = [answer.is_settled for answer in answers].index(True)
    better, others = answers[: settled + 1], answers[settled + 1 :]
    assert all(after.cost <= before.cost for before, after in pairwise(better))
    assert all(before.seconds <= after.seconds for before, after in pairwise(answers))
    assert {answer.kind for answer in others} <= {OTHER} and OTHER not in {answer.kind for answer in better}
    assert len(others) <= 2 and not any(answer.is_settled for answer in others)
    for answer in answers:
        assert sum(answer.costs.values()) == pytest.approx(answer.cost)
    for answer in better:  # a motion that is as good in another way may last longer
        assert {plan.n_frames for plan in answer.plans} == {answers[0].plans[0].n_frames}


def test_a_search_that_is_stopped_at_once_has_an_answer(prepared):
    method, model, request = prepared
    answers = list(method.search(model, request, stop=lambda: True, others=3))
    assert answers and OTHER not in {answer.kind for answer in answers}
    assert method.perform(answers[0], model).played


def test_an_answer_to_start_from_does_not_change_what_is_found(prepared, answer):
    method, model, request = prepared
    again = solve(method, model, request, previous=answer)[0]
    assert again.plan.describe() == answer.plan.describe() and again.is_settled


def test_performing_and_judging_can_be_stopped(prepared, answer):
    method, model, _ = prepared
    with pytest.raises(Stopped):
        method.perform(answer, model, stop=lambda: True)
    with pytest.raises(Stopped):
        method.judge(method.perform(answer, model), model, stop=lambda: True)


def test_a_quick_performance_has_as_many_frames_and_a_quick_report_as_many_parts(prepared, answer, result):
    method, model, _ = prepared
    quick = method.judge(method.perform(answer, model, quick=True), model, quick=True)
    assert quick.motion.n_frames == result.motion.n_frames
    assert [part.name for part in quick.report.parts][:2] == [part.name for part in result.report.parts][:2]


def test_the_plan_of_a_result_has_the_joins_that_were_made(prepared, answer, result):
    method, model, _ = prepared
    plan = result.character.plan
    assert plan.n_frames == result.motion.n_frames
    assert [piece.describe() for piece in plan.pieces] == [piece.describe() for piece in answer.plan.pieces]
    (played,) = method.perform(answer, model).played
    assert played.plan.joins == plan.joins
    joined = assemble(plan, model.view, footplants=None)  # as far as the plan goes: neither bent to places nor planted
    assert_same_frames(joined.motion, played.before)
    np.testing.assert_array_equal(joined.contacts, result.contacts)
    assert assemble(plan, model.view).motion.n_frames == result.motion.n_frames


def test_a_model_that_is_saved_and_loaded_gives_the_same_plan(prepared, answer, tmp_path):
    method, model, request = prepared
    model.save(tmp_path / "model.npz")
    again = method.Model.load(tmp_path / "model.npz", model.view)
    assert again.is_same(model)
    assert solve(method, again, request)[0].plan.describe() == answer.plan.describe()


def test_a_request_that_is_written_and_read_is_the_same(prepared, tmp_path):
    method, _, request = prepared
    request.write(tmp_path / "request.yaml")
    assert method.Request.read(tmp_path / "request.yaml") == request


def test_every_frame_comes_from_somewhere(result, corpus):
    for frame in range(result.motion.n_frames):
        entries = result.provenance.of_frame(frame)
        assert sum(weight for _, _, weight in entries) == pytest.approx(1)
        for source, at, weight in entries:
            if source.kind == "recorded" and weight:
                assert 0 <= at < corpus.info(source.name).n_frames


def test_the_report_says_what_was_asked_and_how_well_each_part_is_met(prepared, result):
    _, _, request = prepared
    assert dict(result.report.asked) == request.to_data()
    assert result.report.parts
    assert all(part.met or part.why_not for part in result.report.parts)
    assert {measured.name for measured in result.report.quality} >= {"foot skate"}
    assert result.report.seconds > 0


def test_feet_stand_still(result):
    skate = next(line for line in result.report.quality if line.name == "foot skate")
    assert skate.usual is not None
    assert skate.value <= skate.usual + 0.1


def test_a_result_is_kept_as_a_take_with_its_labels(result, tmp_path):
    with Corpus.create(tmp_path / "kept") as corpus:
        kept = keep_characters(corpus, "new/motion", result, method="contract")
        assert [added.name for added in kept.takes] == ["new/motion"] and not kept.duplicates
        assert kept.n_labels == len(corpus.labels("new/motion")) == len(result.character.labels)
        again = load_result(corpus, "new/motion")
        np.testing.assert_array_equal(again.contacts, result.contacts)
        assert_same_character(again.character, result.character)


def test_a_result_that_is_written_is_read_with_its_plan_and_labels(result, tmp_path):
    write_result(tmp_path / "result.npz", result)
    again = read_result(tmp_path / "result.npz")
    assert_same_character(again.character, result.character)
    assert_same_frames(again.motion, result.motion)


def assert_same_character(one: Character, other: Character) -> None:
    """But for the motion, which a take rounds."""
    assert (one.name, one.labels) == (other.name, other.labels)
    assert (one.plan.content_key, one.plan.request) == (other.plan.content_key, other.plan.request)


def assert_same_frames(one: Motion, other: Motion) -> None:
    np.testing.assert_array_equal(one.root_positions, other.root_positions)
    np.testing.assert_array_equal(one.local_rotations, other.local_rotations)
