"""What is painted begins a little before its time and ends a little after it, where nothing else is painted."""

import numpy as np
import pytest

from motionloom.methods.timeline import Request
from motionloom.methods.timeline.objective.costs import cost_of, find_cuts
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.slots import all_slot_costs, chain_frames, make_slots, slot_costs
from motionloom.methods.timeline.objective.soft_edges import LACKS, find_soft_edges
from motionloom.methods.timeline.solvers.solver import solve_problem


def paint(n_frames, *stretches):
    """(F, L) from (label, start, stop, value)."""
    track = np.zeros((n_frames, 1 + max(label for label, *_ in stretches)), np.int8)
    for label, start, stop, value in stretches:
        track[start:stop, label] = value
    return track


def runs(edges):
    return [np.flatnonzero(column).tolist() for column in edges.T]


def pose(model, length, *stretches):
    labels = [{"label": label, "from": f"{a}f", "to": f"{b}f"} for label, a, b in stretches]
    return pose_problem(model, Request.from_data({"length": f"{length}f", "labels": labels}))


@pytest.fixture
def walk_and_stand(tiny):
    """One take walks, one stands, and a cut costs the same anywhere."""
    tracks = {"walk": np.repeat([1, -1], 120), "stand": np.repeat([-1, 1], 120)}
    return tiny((120, 120), tracks, coordinates=np.zeros((240, 2)), neighbours=240)


def test_edges_reach_half_a_second_and_share_what_is_between():
    assert runs(find_soft_edges(paint(100, (0, 40, 60, 1)), 20)) == [[*range(30, 40), *range(60, 70)]]
    shared = find_soft_edges(paint(100, (0, 0, 40, 1), (1, 48, 100, 1)), 20)
    assert runs(shared) == [[40, 41, 42, 43], [44, 45, 46, 47]]


def test_edges_end_where_the_motion_does():
    assert runs(find_soft_edges(paint(24, (0, 5, 18, 1)), 60)) == [[0, 1, 2, 3, 4, 18, 19, 20, 21, 22, 23]]


def test_only_what_must_hold_has_edges_and_only_where_nothing_is_painted():
    assert not find_soft_edges(paint(50, (0, 10, 40, -1)), 60).any()
    side_by_side = paint(50, (0, 0, 25, 1), (1, 25, 50, 1))
    assert not find_soft_edges(side_by_side, 60).any()
    assert not find_soft_edges(np.zeros((50, 0), np.int8), 60).any()
    assert not find_soft_edges(np.zeros((50, 2), np.int8), 60).any()


@pytest.mark.parametrize("seed", range(5))
def test_no_painted_frame_is_in_an_edge_and_every_edge_touches_its_stretch(seed):
    rng = np.random.default_rng(seed)
    painted = np.repeat(rng.choice([-1, 0, 0, 0, 1], (12, 3)), 9, axis=0).astype(np.int8)
    edges = find_soft_edges(painted, 60)
    assert edges.any() and not edges[(painted != 0).any(axis=1)].any()
    holds = edges | (painted > 0)
    for column in range(3):
        for first in np.flatnonzero(edges[:, column]):
            around = np.flatnonzero(painted[:, column] > 0)
            nearest = around[np.abs(around - first).argmin()]
            assert holds[min(first, nearest) : max(first, nearest) + 1, column].all()


def test_a_cut_falls_into_the_middle_of_the_gap(walk_and_stand):
    problem = pose(walk_and_stand, 80, ("walk", 0, 30), ("stand", 50, 80))
    answer = list(solve_problem(walk_and_stand, problem))[-1]
    assert find_cuts(walk_and_stand, answer.frames).tolist() == [40]
    assert (answer.costs.labels, answer.costs.besides) == (0, 0)


def test_frames_that_lack_a_label_at_its_edge_cost_half(walk_and_stand):
    problem = pose(walk_and_stand, 80, ("walk", 0, 30), ("stand", 50, 80))
    early = np.concatenate(
        [np.arange(32), 120 + np.arange(32, 80)]
    )  # stands from frame 32 on, where walk runs on to 40
    assert cost_of(walk_and_stand, problem, early).besides == 8 * LACKS


def test_contacts_have_no_edges(tiny):
    model = tiny((120,), {"contacts.left": np.repeat([1, -1], 60)})
    problem = pose(model, 60, ("contacts.left", 20, 40))
    assert not problem.company.lacking.any()


@pytest.mark.parametrize("seed", range(4))
def test_slots_count_edges_as_the_objective_does(tiny, seed):
    rng = np.random.default_rng(seed)
    model = tiny((90, 60), {label: np.repeat(rng.choice([-1, 0, 1], 30), 5) for label in "abc"}, seed=seed)
    problem = pose(model, 70, ("a", 3, 21), ("b", 30, 44), ("c", 38, 52))
    slots = make_slots(problem, 8)
    alone = [slot_costs(model, problem, slots, slot) for slot in range(slots.n_slots)]
    np.testing.assert_array_equal(all_slot_costs(model, problem, slots), alone)
    chain = np.array([rng.choice(np.flatnonzero(np.isfinite(costs))) for costs in alone])
    costs = cost_of(model, problem, chain_frames(slots, chain))
    assert costs.besides > 0
    assert sum(of[block] for of, block in zip(alone, chain)) == costs.labels + costs.besides
