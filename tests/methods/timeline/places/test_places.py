"""Searching with places: what is carried is where motions are, and joining finds the best of all joins."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.methods.timeline import Request, Settings
from motionloom.methods.timeline.objective.costs import cost_of, path_of, place_misses
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.slots import chain_frames
from motionloom.methods.timeline.objective.solution import make_solution
from motionloom.methods.timeline.passes.forward_backward import Endings, backward_pass, forward_step
from motionloom.methods.timeline.passes.trellis import make_trellis
from motionloom.methods.timeline.places.ground import find_block_moves, find_legs, place_slots
from motionloom.methods.timeline.places.local_search import tune
from motionloom.methods.timeline.places.place_joins import join
from motionloom.methods.timeline.places.place_search import search_places
from motionloom.methods.timeline.solvers.solver import solve_problem

LENGTHS = (60, 45, 80)
N = sum(LENGTHS)
SETTINGS = Settings(place_miss=20.0)


def random_model(tiny, seed, lengths=LENGTHS):
    rng = np.random.default_rng(seed)
    track = np.repeat(rng.choice([-1, 1], N), rng.integers(4, 20, N))[: sum(lengths)]
    return tiny(lengths, {"a": track}, seed=seed, neighbours=8, settings=SETTINGS)


def problem_of(model, places, n_frames=60, **more):
    asked = {"length": f"{n_frames}f", "labels": [{"label": "a", "to": "30f"}], "places": places, "alpha": 0.3}
    return pose_problem(model, Request.from_data({**asked, **more}))


def joined(model, problem, share, limit=np.inf):
    """The trellis of a problem, and what joining finds there."""
    trellis = make_trellis(model, problem)
    endings, moves = Endings(trellis, backward_pass(trellis)), find_block_moves(model, trellis.slots)
    return trellis, join(endings, find_legs(endings, moves), moves, share, limit)


PLACES = [
    [{"position": [0.8, 1.0]}],
    [{"position": [-0.5, 0.7], "heading": 90}],
    [{"heading": -60}, {"at": "20f", "position": [0.3, 0.2]}],
    [
        {"at": "17f", "position": [0.3, 0.2]},
        {"at": "19f", "heading": 10, "weight": 2},
        {"at": "44f", "position": [1, 1]},
    ],
    [{"at": "3f", "position": [0.1, 0.1]}],
    [{"at": "3f", "position": [0.1, 0.1]}, {"at": "end", "position": [1.0, 0.1]}],
    [{"at": "start", "position": [2, 3], "heading": 45}, {"position": [3, 3.5]}],
]


@settings(max_examples=4)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.4, 1.0]))
@pytest.mark.parametrize("places", PLACES)
def test_what_joining_says_a_motion_costs_is_what_it_costs(tiny, places, seed, share):
    model = random_model(tiny, seed)
    problem = problem_of(model, places)
    trellis, (cost, chain) = joined(model, problem, share)
    assert cost == pytest.approx(cost_of(model, problem, chain_frames(trellis.slots, chain)).total, rel=1e-4, abs=1e-3)


@settings(max_examples=3)
@given(st.integers(0, 10_000))
def test_without_looking_ahead_the_best_of_all_single_joins_is_found(tiny, both_passes, seed):
    model = random_model(tiny, seed, (30, 20, 25))
    problem = problem_of(model, [{"position": [0.3, 0.5], "heading": 30}], n_frames=32)
    trellis, (cost, _) = joined(model, problem, 0.0)
    passes, best = both_passes(model, problem), np.inf
    for slot in range(trellis.n_slots - 1):
        length = trellis.length(slot)
        for block in np.flatnonzero(np.isfinite(passes.cost_so_far[slot] + trellis.costs[slot])):
            beginning = passes.trace_back(slot, int(block))
            frame = model.following[block + length - 1]
            for entry in {int(frame), *model.neighbours[frame].tolist()}:
                if 0 <= entry < model.n_frames and np.isfinite(passes.cost_to_go[slot + 1][entry]):
                    chain = np.concatenate([beginning, passes.endings.trace(slot + 1, entry)])
                    best = min(best, cost_of(model, problem, chain_frames(trellis.slots, chain)).total)
    assert cost == pytest.approx(best, rel=1e-4, abs=1e-3)


@settings(max_examples=6)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.5]))
def test_a_limit_hides_nothing_that_is_below_it(tiny, seed, share):
    model = random_model(tiny, seed)
    problem = problem_of(model, [{"position": [0.8, 1.0]}])
    cost, _ = joined(model, problem, share)[1]
    limited = joined(model, problem, share, cost + 1e-3)[1]
    assert limited is not None and limited[0] <= cost + 1e-4
    assert joined(model, problem, 0.0, 0.0)[1] is None


@settings(max_examples=6)
@given(st.integers(0, 10_000))
def test_where_blocks_lead_is_where_their_endings_are(tiny, seed):
    model = random_model(tiny, seed)
    problem = problem_of(model, [{"at": "21f", "position": [0, 1]}, {"position": [1, 1]}])
    trellis = make_trellis(model, problem)
    endings = Endings(trellis, backward_pass(trellis))
    legs = find_legs(endings, find_block_moves(model, trellis.slots))
    for leg, place in zip(legs, problem.places):
        for slot in (leg.first, leg.last):
            block = int(np.flatnonzero(np.isfinite(endings.cost_to_go[slot]))[seed % 5])
            frames = np.concatenate(
                [b + np.arange(n) for b, n in zip(endings.trace(slot, block), trellis.slots.lengths[slot:])]
            )
            at_origin = replace(problem, n_frames=len(frames), places=())
            path = path_of(model, at_origin, frames)[place.frame - trellis.slots.borders[slot]]
            ahead = leg.ahead[slot - leg.first][block, 0]
            np.testing.assert_allclose(ahead, path, atol=1e-4)


def test_places_are_gathered_by_slot(tiny):
    model = random_model(tiny, 0)
    problem = problem_of(model, PLACES[3])
    assert place_slots(problem, make_trellis(model, problem).slots) == [(2, [0, 1]), (5, [2])]


@settings(max_examples=6)
@given(st.integers(0, 10_000), st.sampled_from(PLACES))
def test_the_search_never_does_worse_than_ignoring_places_and_gets_cheaper(tiny, seed, places):
    model = random_model(tiny, seed)
    problem = problem_of(model, places)
    costs = [answer.cost for answer in solve_problem(model, problem)]
    ignoring = list(solve_problem(model, replace(problem, places=())))[-1]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] <= cost_of(model, problem, ignoring.frames).total + 1e-6


@settings(max_examples=6)
@given(st.integers(0, 10_000))
def test_forced_frames_stay_at_their_time_with_places(tiny, seed):
    model = random_model(tiny, seed)
    forced = [{"at": "21f", "take": "take_1", "start": 10, "stop": 25}]
    problem = problem_of(model, PLACES[2], frames=forced)
    answer = list(solve_problem(model, problem))[-1]
    first, _ = model.view.range_of("take_1")
    np.testing.assert_array_equal(answer.frames[21:36], first + np.arange(10, 25))
    assert len(answer.frames) == 60


@settings(max_examples=6)
@given(st.integers(0, 10_000))
def test_tuning_never_makes_a_motion_dearer_and_keeps_it_playable(tiny, seed):
    model = random_model(tiny, seed)
    forced = [{"at": "21f", "take": "take_1", "start": 10, "stop": 25}]
    problem = problem_of(model, [{"position": [0.8, 1.0]}], frames=forced)
    first = next(iter(solve_problem(model, problem)))
    tuned = tune(model, problem, first.frames)
    assert cost_of(model, problem, tuned).total <= first.cost + 1e-9
    assert tuned.min() >= 0 and tuned.max() < N
    start, _ = model.view.range_of("take_1")
    np.testing.assert_array_equal(tuned[21:36], start + np.arange(10, 25))


def test_a_place_out_of_reach_still_gets_a_motion_that_goes_towards_it(tiny):
    model = random_model(tiny, 3)
    problem = problem_of(model, [{"position": [0.0, -500.0]}])
    ignoring = next(iter(solve_problem(model, replace(problem, places=()))))
    answer = list(solve_problem(model, problem))[-1]
    misses, before = (
        place_misses(problem, path_of(model, problem, solution.frames)) for solution in (answer, ignoring)
    )
    assert misses[0, 0] < before[0, 0] - 0.5


def test_performed_takes_are_led_to_places_in_the_middle_and_at_the_end(model):
    asked = {
        "length": "6s",
        "labels": [{"label": "walk"}],
        "places": [{"at": "3s", "position": [0.0, 2.0]}, {"position": [0.5, 5.0], "heading": 20}],
    }
    problem = pose_problem(model, Request.from_data(asked))
    ignoring = next(iter(solve_problem(model, replace(problem, places=()))))
    answer = list(solve_problem(model, problem))[-1]
    misses, before = (
        place_misses(problem, path_of(model, problem, solution.frames)) for solution in (answer, ignoring)
    )
    assert misses[:, 0].max() < 0.4 < before[:, 0].max()
    assert answer.costs.labels < 30


def test_a_motion_too_large_to_keep_is_tuned_only(tiny, monkeypatch):
    monkeypatch.setattr("motionloom.methods.timeline.places.place_search.MOST_KEPT", 0)
    model = random_model(tiny, 1)
    problem = problem_of(model, [{"position": [0.5, 0.5]}])
    trellis = make_trellis(model, problem)
    chain = Endings(trellis, backward_pass(trellis)).trace(0, 0)
    known = make_solution(model, problem, chain_frames(trellis.slots, chain), "first")
    for answer in search_places(trellis, known):
        assert answer.cost < known.cost


def test_the_forward_pass_carries_where_it_arrives(tiny):
    from motionloom.methods.timeline.places._kernels import carry_on

    model = random_model(tiny, 5)
    problem = problem_of(model, [{"position": [0.5, 0.5]}])
    trellis = make_trellis(model, problem)
    moves, length = find_block_moves(model, trellis.slots), trellis.length(0)
    before = forward_step(trellis, 0, trellis.costs[0])[1]
    arrivals = carry_on(np.zeros((N, 3), np.float32), before, moves[length].moves)
    for block in np.flatnonzero(before >= 0)[::17]:
        frames = np.concatenate([before[block] + np.arange(length), [block]])
        alone = replace(problem, n_frames=len(frames), places=())
        np.testing.assert_allclose(arrivals[block], path_of(model, alone, frames)[-1], atol=1e-4)
