"""What every method promises, tried on each of the table of methods."""

from importlib import import_module

import numpy as np
import pytest

from motionloom.methods import METHODS

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
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    return make.demo_corpus(tmp_path_factory.mktemp("contract") / "corpus", TAKES)


@pytest.fixture(scope="module", params=METHODS)
def prepared(request, corpus):
    """A method, its model of the corpus, and a request."""
    method = import_module(METHODS[request.param])
    return method, method.prepare(corpus, method.Settings()), method.Request.from_data(REQUESTS[request.param])


@pytest.fixture(scope="module")
def result(prepared):
    method, model, request = prepared
    return method.realize(method.solve(model, request), model)


def test_the_same_request_and_seed_give_the_same_plan_and_frames(prepared, result):
    method, model, request = prepared
    plan, again = method.solve(model, request, seed=3), method.solve(model, request, seed=3)
    assert plan.describe() == again.describe()
    twice = method.realize(method.solve(model, request), model)
    np.testing.assert_array_equal(twice.motion.local_rotations, result.motion.local_rotations)
    np.testing.assert_array_equal(twice.motion.root_positions, result.motion.root_positions)


def test_a_model_that_is_saved_and_loaded_gives_the_same_plan(prepared, tmp_path):
    method, model, request = prepared
    model.save(tmp_path / "model.npz")
    again = method.Model.load(tmp_path / "model.npz", model.view)
    assert method.solve(again, request).describe() == method.solve(model, request).describe()


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
    skate = next(one for one in result.report.quality if one.name == "foot skate")
    assert skate.usual is not None
    assert skate.value <= skate.usual + 0.1
