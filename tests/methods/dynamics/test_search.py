"""Searching: anytime answers, cancelling, warm starts, same bits, and answers that move with what is asked."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods import dynamics
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.search import WARM_STEPS, fits, warm_steps
from motionloom.motion import Placement, kinematics, place, rotations
from motionloom.motion.placement import direction_of
from motionloom.tasks import Stopped

HAND = {"joint": "right_hand", "at": "0.5s", "position": (0.0, 1.3, 2.0)}


@pytest.fixture(scope="module")
def asked(desk):
    return {
        "length": "1s",
        "poses": desk.ends,
        "points": [HAND],
        "contacts": [{"joint": "right_foot", "from": "0.2s", "to": "0.5s"}],
    }


def assert_same_bits(one, other):
    np.testing.assert_array_equal(one.root_positions, other.root_positions)
    np.testing.assert_array_equal(one.local_rotations, other.local_rotations)


def test_the_same_request_gives_the_same_bits(desk, asked):
    assert_same_bits(desk.make(asked).motion, desk.make(asked).motion)
    assert_same_bits(desk.make(asked, seed=4).motion, desk.make(asked).motion)


@pytest.mark.parametrize("mixtures", [1, 2])
def test_later_answers_are_never_worse(desk, asked, mixtures):
    data = {**asked, "prior": {"takes": ["walk/*"], "mixtures": mixtures, "controls": 4}}
    answers = list(dynamics.search(desk.model(data), desk.request(data)))
    costs = [answer.cost for answer in answers]
    assert len(costs) > 2 and (np.diff(costs) <= 1e-9 * np.abs(costs[:-1])).all()
    assert answers[-1].is_settled and not any(answer.is_settled for answer in answers[:-1])
    course = answers[-1].state.course
    assert (np.diff(course) <= 0).all() and course[-1] == pytest.approx(costs[-1])


def test_every_answer_can_be_performed(desk, asked):
    model = desk.model(asked)
    for answer in dynamics.search(model, desk.request(asked)):
        done = desk.finish(answer, model)
        assert done.motion.n_frames == 60 and np.isfinite(done.motion.root_positions).all()


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_search_that_is_stopped_still_answers(desk, asked, after):
    calls = []

    def stop():
        calls.append(None)
        return len(calls) > after

    answers = list(dynamics.search(desk.model(asked), desk.request(asked), stop=stop))
    assert answers and answers[-1].state.descent.iterations <= after
    assert desk.finish(answers[-1], desk.model(asked)).motion.n_frames == 60


def test_performing_and_judging_can_be_cancelled(desk, asked):
    model = desk.model(asked)
    answer = desk.solve(asked)
    with pytest.raises(Stopped):
        dynamics.perform(answer, model, stop=lambda: True)
    performed = dynamics.perform(answer, model)
    with pytest.raises(Stopped):
        dynamics.judge(performed, model, stop=lambda: True)


def test_an_iteration_is_a_step_of_progress(desk, asked):
    seen = []
    desk.solve(asked, progress=lambda done, most: seen.append((done, most)))
    assert [done for done, _ in seen] == list(range(len(seen))) and {most for _, most in seen} == {60}


def test_no_more_iterations_are_made_than_were_asked_for(desk, asked):
    answer = desk.solve({**asked, "iterations": 2})
    assert answer.state.descent.iterations <= 2 and answer.is_settled


@pytest.mark.parametrize("moved", [0.005, 0.05, 0.2])
def test_a_warm_start_meets_the_cold_solution(desk, asked, moved):
    """A drag: what was found before leads to the same place, and much nearer to it from the first steps on."""
    before = desk.solve(asked)
    dragged = {**asked, "points": [{**HAND, "position": (0.0, 1.3 - moved, 2.0)}]}
    cold = desk.solve(dragged)
    model, request = desk.model(dragged), desk.request(dragged)
    settled = desk.solve(dragged, previous=before)
    assert settled.cost <= cold.cost * (1 + 1e-9)
    np.testing.assert_allclose(
        settled.state.knots, cold.state.knots, atol=1e-9
    )  # the same request, whatever came before
    optimization = set_up(model, request)
    assert fits(before.state, optimization)
    *_, warm = warm_steps(optimization, before.state)
    assert warm.iterations <= WARM_STEPS
    motions = [optimization.motion(knots) for knots in (warm.knots, cold.state.knots)]
    one, other = (kinematics.world_positions(motion) for motion in motions)
    assert np.linalg.norm(one - other, axis=-1).max() < (2e-3 if moved < 0.01 else 0.02)


def test_a_warm_start_goes_on_although_the_search_before_was_exhausted(desk, asked):
    """Damping that had grown until no step was better any more is forgotten."""
    before = desk.solve(asked)
    stuck = replace(before.state, descent=replace(before.state.descent, damping=1e9, warm_damping=1e9))
    dragged = {**asked, "points": [{**HAND, "position": (0.0, 1.1, 2.0)}]}
    optimization = set_up(desk.model(dragged), desk.request(dragged))
    steps = list(warm_steps(optimization, stuck))
    assert len(steps) >= 2
    assert steps[-1].objective < 0.5 * optimization.problem.objective(before.state.knots)


def test_the_same_request_again_is_answered_by_the_answer_itself(desk, asked):
    before = desk.solve(asked)
    (again,) = dynamics.search(desk.model(asked), desk.request(asked), previous=before)
    assert again is before


def test_an_answer_to_something_else_is_no_hindrance(desk, asked):
    other = desk.solve({"length": "2s", "poses": desk.ends})
    answer = desk.solve(asked, previous=other)
    np.testing.assert_array_equal(answer.state.knots, desk.solve(asked).state.knots)


@pytest.mark.parametrize(
    ("degrees", "slide", "method"),
    [
        (0.0, (30.0, -20.0), "dynamics"),
        (90.0, (0.0, 0.0), "dynamics"),
        (200.0, (-3.0, 7.0), "dynamics"),
        (120.0, (2.0, 1.0), "subspace"),
        (120.0, (2.0, 1.0), "linear"),
    ],
)
def test_moving_and_turning_all_that_is_asked_does_so_to_the_answer(desk, degrees, slide, method):
    """Demands of every kind with a place, and the path that they start from."""
    turn = np.radians(degrees)
    ahead, aside = direction_of(np.array(turn)), direction_of(np.array(turn) + np.pi / 2)

    def ground(x, z):
        return (x * aside + z * ahead + np.array(slide)).tolist()

    def space(x, y, z):
        x, z = ground(x, z)
        return (x, y, z)

    def request(ground, space, degrees):
        pose = {"take": "walk/normal_1"}
        foot = ground(-0.06, 0.3)
        return {
            "length": "1s",
            "method": method,
            "iterations": 400,
            "poses": [
                {"at": "0s", "pose": {**pose, "frame": 200}, "place": ground(0, 0), "heading": degrees},
                {"at": "1s", "pose": {**pose, "frame": 260}, "place": ground(0, 1.3), "heading": degrees},
            ],
            "points": [{"joint": "right_hand", "at": "0.5s", "position": space(-0.2, 1.2, 0.8), "hard": True}],
            "orientations": [{"joint": "head", "at": "0.5s", "turns": (0, degrees + 20, 0)}],
            "distances": [{"joint": "left_hand", "point": space(0.3, 1.0, 0.5), "at": "0.3s", "metres": 0.3}],
            "cameras": {"a": {"position": space(3, 1.2, 0.6), "look_at": space(0, 1, 0.6)}},
            "projections": [{"joint": "head", "camera": "a", "at": "0.7s", "pixel": (960, 100)}],
            "contacts": [{"joint": "right_foot", "from": "0.2s", "to": "0.5s", "place": foot}],
            "root": [{"at": "0.4s", "heading": degrees}],
        }

    plain = request(lambda x, z: [x, z], lambda x, y, z: (x, y, z), 0.0)
    one, other = desk.make(plain), desk.make(request(ground, space, degrees))
    np.testing.assert_allclose(other.answer.cost, one.answer.cost, rtol=1e-3)
    moved = place(one.motion, Placement(turn, np.array(slide)))
    apart = kinematics.world_positions(moved) - kinematics.world_positions(other.motion)
    assert np.linalg.norm(apart, axis=-1).max() < 2e-3
    assert np.degrees(rotations.angle_between(moved.local_rotations, other.motion.local_rotations).max()) < 0.5


@pytest.mark.parametrize(("degrees", "slide"), [(0.0, (30.0, -20.0)), (90.0, (0.0, 0.0)), (200.0, (-3.0, 7.0))])
def test_moving_and_turning_what_must_hold_of_the_root_and_pictures_does_so_to_the_answer(desk, degrees, slide):
    turn = np.radians(degrees)
    ahead, aside = direction_of(np.array(turn)), direction_of(np.array(turn) + np.pi / 2)

    def ground(x, z, moved):
        return (x * aside + z * ahead + np.array(slide)).tolist() if moved else [x, z]

    def request(moved):
        pose, own = {"take": "walk/normal_1"}, degrees if moved else 0.0

        def space(x, y, z):
            return (ground(x, z, moved)[0], y, ground(x, z, moved)[1])

        return {
            "length": "1s",
            "iterations": 400,
            "feet": "free",
            "poses": [
                {"at": "0s", "pose": {**pose, "frame": 200}, "place": ground(0, 0, moved), "heading": own},
                {"at": "1s", "pose": {**pose, "frame": 260}, "place": ground(0, 1.3, moved), "heading": own},
            ],
            "root": [{"at": "0.6s", "position": ground(0.02, 0.75, moved), "heading": own - 5, "hard": True}],
            "cameras": {"a": {"position": space(3, 1.2, 0.6), "look_at": space(0, 1, 0.6)}},
            "projections": [{"joint": "left_hand", "camera": "a", "at": "0.8s", "pixel": (960, 700), "hard": True}],
        }

    one, other = desk.make(request(False)), desk.make(request(True))
    moved = place(one.motion, Placement(turn, np.array(slide)))
    apart = kinematics.world_positions(moved) - kinematics.world_positions(other.motion)
    assert np.linalg.norm(apart, axis=-1).max() < 2e-3
    assert np.degrees(rotations.angle_between(moved.local_rotations, other.motion.local_rotations).max()) < 0.5
    assert not [name for name in one.missed if "root" in name or "projection" in name]


def test_b_splines_come_close_to_knots_in_every_frame(desk, asked):
    asked = {**asked, "length": "61f"}  # ends with a frame of the model
    plain = desk.solve(asked)
    costs = [desk.solve({**asked, "knots": spacing}).cost for spacing in (1, 2, 4)]
    np.testing.assert_allclose(costs[0], plain.cost, rtol=1e-3)
    assert costs[0] < costs[1] < costs[2]  # fewer knots can show less
    easy = {**asked, "points": []}  # without a hand that is pulled beyond its reach
    every, splined = (desk.make({**easy, "knots": spacing}) for spacing in (0, 2))
    apart = kinematics.world_positions(every.motion) - kinematics.world_positions(splined.motion)
    assert np.linalg.norm(apart, axis=-1).mean() < 0.03


def test_the_cost_is_the_sum_of_its_parts(desk, asked):
    answer = desk.solve(asked)
    assert set(answer.costs) >= {"prior", "ground", "demands"}
    assert answer.cost == pytest.approx(sum(answer.costs.values()))
