"""Random starts: where they begin, and which of them are motions of their own."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from motionloom.assembly import OTHER, prepare_for, solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics.random_starts import RandomStart, descend_from_random, share_elsewhere
from motionloom.motion import kinematics

REQUEST = {
    "length": "1s",
    "poses": [
        {"at": "0s", "pose": {"take": "walk/normal_1", "frame": 40}, "as_recorded": True},
        {"at": "end", "pose": {"take": "walk/normal_1", "frame": 99}, "as_recorded": True},
    ],
    "prior": {"dimensions": 12},
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory, make):
    corpus = make.demo_corpus(tmp_path_factory.mktemp("starts") / "corpus", ("walk/normal_1",))
    request = dynamics.Request.from_data(REQUEST)
    return prepare_for(dynamics, corpus, request), request


def test_starts_are_drawn_from_0_to_1_and_end_where_the_usual_one_does(prepared):
    model, request = prepared
    (answer,) = solve(dynamics, model, request)
    optimization = answer.state.optimization
    starts = list(descend_from_random(optimization, 3, seed=5, most=60, settled=1e-6))
    first = [optimization.problem.objective(drawn(optimization, 5, number)) for number in range(3)]
    np.testing.assert_allclose([start.course[0] for start in starts], first, rtol=1e-9)
    for start in starts:
        assert start.descent.objective == pytest.approx(answer.cost, rel=1e-3)
        assert share_elsewhere(optimization.motion(start.descent.knots), optimization.motion(answer.state.knots)) == 0


def drawn(optimization, seed, number):
    knots = optimization.start.copy()
    size = optimization.problem.prior.size
    knots[:, :size] = np.random.default_rng((seed, number)).random((len(knots), size))
    return knots


def test_the_same_seed_gives_the_same_courses_and_another_one_others(prepared):
    model, request = prepared
    one, same, other = (solve(dynamics, model, request, others=2, seed=seed)[0].state.starts for seed in (1, 1, 2))
    assert len(one) == 2 and one == same and one[0] != other[0]


def test_only_motions_that_no_other_start_ended_in_are_answers(prepared, monkeypatch):
    model, request = prepared
    (usual,) = solve(dynamics, model, request)
    moved = usual.state.knots.copy()
    moved[:, -3] += 0.05  # metres
    ends = [
        RandomStart(replace(usual.state.descent, knots=knots), (3.0, 2.0))
        for knots in (usual.state.knots, moved, moved)
    ]
    search = import_module("motionloom.methods.dynamics.search")
    monkeypatch.setattr(search, "descend_from_random", lambda *_, **__: ends)
    best, *others = solve(dynamics, model, request, others=3)
    assert [answer.kind for answer in others] == [OTHER]
    assert others[0].differs == 1.0
    assert best.cost == usual.cost and best.state.starts == ((3.0, 2.0),) * 3


def test_a_stopped_search_leaves_out_starts_that_are_not_done(prepared):
    model, request = prepared
    (answer,) = solve(dynamics, model, request)
    asked = iter([False] * 4 + [True] * 100)
    assert (
        list(descend_from_random(answer.state.optimization, 3, seed=0, most=60, settled=0.0, stop=lambda: next(asked)))
        == []
    )


def test_frames_are_elsewhere_from_a_centimetre_on(make):
    motion = make.motion(10)
    moved = motion.root_positions.copy()
    moved[:5, 0] += 0.011
    moved[5:, 0] += 0.009
    other = replace(motion, root_positions=moved)
    assert np.isfinite(kinematics.world_positions(other)).all()
    assert share_elsewhere(motion, other) == 0.5
