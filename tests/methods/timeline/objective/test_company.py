"""Who paints `walk` gets somebody who walks and does nothing else, where that costs no more."""

import numpy as np
import pytest

from motionloom.methods.timeline import Request, Settings
from motionloom.methods.timeline.objective.company import BESIDES, IN_THE_AIR
from motionloom.methods.timeline.objective.costs import cost_of
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.slots import all_slot_costs, chain_frames, make_slots, slot_costs
from motionloom.methods.timeline.solvers.solver import solve_problem


def pose(model, length=60, **asked):
    labels = [{"label": label, **more} for label, more in asked.pop("labels").items()]
    return pose_problem(model, Request.from_data({"length": f"{length}f", "labels": labels, **asked}))


def in_takes(*values, n_frames=120):
    """+1 or -1 in each of some takes."""
    return np.repeat(values, n_frames)


@pytest.fixture
def walks(tiny):
    """Three takes alike: one walks and carries, one walks, one stands."""
    tracks = {"walk": in_takes(1, 1, -1), "carry": in_takes(1, -1, 1), "stand": in_takes(-1, -1, 1)}
    return tiny((120, 120, 120), tracks, coordinates=np.zeros((360, 2)))


@pytest.mark.parametrize("solver", ["global", "blocks"])
def test_where_only_walk_is_painted_nobody_carries(walks, solver):
    from dataclasses import replace

    model = replace(walks, settings=Settings(solver=solver))
    answer = list(solve_problem(model, pose(model, labels={"walk": {}}), ends=True))[-1]
    assert set(model.motion_of[answer.frames]) == {1}
    assert (answer.costs.labels, answer.costs.besides) == (0, 0)


def test_what_is_painted_too_is_nothing_besides(walks):
    answer = list(solve_problem(walks, pose(walks, labels={"walk": {}, "carry": {}})))[-1]
    assert set(walks.motion_of[answer.frames]) == {0} and answer.costs.total == 0
    assert not pose(walks, labels={}).company.does_more.any()
    assert not pose(walks, labels={"walk": {"value": "must_not"}}).company.does_more.any()


def test_labels_that_most_walking_has_are_part_of_it(tiny):
    tracks = {"walk": in_takes(1, 1, 1), "forwards": in_takes(1, 1, -1)}
    model = tiny((120, 120, 120), tracks)
    assert not pose(model, labels={"walk": {}}).company.does_more.any()


def test_it_decides_only_between_motions_that_are_nearly_as_good(tiny):
    """The one who does nothing else is a usual cut away from where the motion begins."""
    points = np.column_stack([np.repeat([0.0, 1.0], 300), np.zeros(600)])
    tracks = {"walk": np.ones(600), "carry": in_takes(1, -1, n_frames=300), "begin": np.full(600, -1)}
    tracks["begin"][:10] = 1
    model = tiny((300, 300), tracks, coordinates=points, neighbours=40)
    problem = pose(model, length=240, labels={"walk": {"from": "10f"}, "begin": {"to": "10f"}})
    answer = list(solve_problem(model, problem))[-1]
    assert set(model.motion_of[answer.frames]) == {0} and answer.costs.cuts == 0
    assert answer.costs.besides == pytest.approx(230 * BESIDES)


@pytest.mark.parametrize("seed", range(6))
def test_slots_count_it_as_the_objective_does(tiny, seed):
    rng = np.random.default_rng(seed)
    model = tiny((90, 60), {label: np.repeat(rng.choice([-1, 0, 1], 30), 5) for label in "abcd"}, seed=seed)
    labels = {"a": {"from": "3f", "to": "33f"}, "b": {"from": "20f", "to": "47f"}, "c": {"value": "must_not"}}
    problem = pose(model, length=50, labels=labels)
    slots = make_slots(problem, 8)
    together = all_slot_costs(model, problem, slots)
    alone = [slot_costs(model, problem, slots, slot) for slot in range(slots.n_slots)]
    np.testing.assert_array_equal(together, alone)
    chain = np.array([rng.choice(np.flatnonzero(np.isfinite(costs))) for costs in alone])
    costs = cost_of(model, problem, chain_frames(slots, chain))
    assert sum(of[block] for of, block in zip(alone, chain)) == costs.labels + costs.besides


@pytest.mark.parametrize("solver", ["global", "blocks"])
def test_nobody_stands_in_the_air_where_others_stand_on_something(walks, solver):
    """The only one who walks and does nothing else does so on something that is not there."""
    from dataclasses import replace

    in_the_air = in_takes(0, 1, 0).astype(bool)
    model = replace(walks, settings=Settings(solver=solver), hovering=in_the_air)
    answer = list(solve_problem(model, pose(model, labels={"walk": {}}), ends=True))[-1]
    assert set(model.motion_of[answer.frames]) == {0}
    assert answer.costs.besides == pytest.approx(60 * BESIDES)


def test_who_asks_for_what_is_only_done_in_the_air_gets_it(walks):
    from dataclasses import replace

    model = replace(walks, hovering=in_takes(0, 0, 1).astype(bool))
    answer = list(solve_problem(model, pose(model, labels={"stand": {}})))[-1]
    assert set(model.motion_of[answer.frames]) == {2}
    assert answer.costs.besides == pytest.approx(60 * IN_THE_AIR)


@pytest.mark.parametrize("seed", range(5))
def test_running_costs_are_those_of_frames(tiny, seed):
    rng = np.random.default_rng(seed)
    from dataclasses import replace

    tracks = {"walk": rng.choice([1, -1], 200), "carry": rng.choice([1, -1], 200)}
    model = replace(tiny((90, 110), tracks), hovering=rng.random(200) < 0.3)
    problem = pose(model, length=40, labels={"walk": {"to": "20f"}})
    slots = make_slots(problem, 8)
    costs = all_slot_costs(model, problem, slots)
    for slot in range(len(costs)):
        np.testing.assert_allclose(costs[slot], slot_costs(model, problem, slots, slot), atol=1e-4)
    frames = np.arange(10, 50)
    assert cost_of(model, problem, frames).besides == pytest.approx(problem.company.of_frames(frames).sum())
