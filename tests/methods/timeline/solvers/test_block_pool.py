"""Pools of motions: what one cut between two of them costs, and where it leads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.methods.timeline import Request, Settings
from motionloom.methods.timeline.objective.costs import cost_of, path_of
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.request import BlockSettings
from motionloom.methods.timeline.solvers.block_levels import make_levels
from motionloom.methods.timeline.solvers.block_pool import Pool, best_combination, cut_costs, describe

SMALL = Settings(by_blocks=BlockSettings(sizes=(8, 4), top_clusters=4, blocks_per_cluster=6))
PLACES = (
    {"at": "0f", "position": [1.0, -2.0], "heading": 50},
    {"at": "13f", "position": [1.5, 0.5], "weight": 2.0},
    {"at": "24f", "heading": -170},
    {"at": "end", "position": [-3.0, 1.0], "heading": 100, "weight": 0.5},
)


@pytest.fixture(scope="module")
def case(tiny):
    """A model with places in the middle and at the end, its top level, and a maker of random motions."""
    rng = np.random.default_rng(4)
    model = tiny((40, 25, 33), {"go": rng.choice([-1, 0, 1], 98)}, seed=8, settings=SMALL)
    data = {"length": "45f", "labels": [{"label": "go", "from": "5f"}], "places": PLACES, "alpha": 0.2}
    data["frames"] = [{"at": "18f", "take": "take_1", "start": 3, "stop": 6}]
    problem = pose_problem(model, Request.from_data(data))
    level = make_levels(model, problem)[0]

    def draw(rng):
        chain = np.array([rng.choice(blocks) for blocks in level.draw(rng)])
        return describe(model, problem, level.slots, chain)

    return model, problem, level, draw


@given(seed=st.integers(0, 10**6))
def test_a_motion_knows_its_cost_and_where_it_is_at_its_places(case, seed):
    model, problem, level, draw = case
    motion = draw(np.random.default_rng(seed))
    frames = level.frames(motion.chain)
    path = path_of(model, problem, frames)
    assert motion.cost == pytest.approx(cost_of(model, problem, frames).total)
    np.testing.assert_allclose(motion.arrivals, path[level.slots.borders[:-1]], atol=1e-9)
    np.testing.assert_allclose(motion.at_places, path[[place.frame for place in problem.places]], atol=1e-9)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_a_cut_between_two_motions_costs_what_the_combined_motion_costs(case, seed):
    model, problem, level, draw = case
    rng = np.random.default_rng(seed)
    first, second = draw(rng), draw(rng)
    costs = cut_costs(model, problem, level.slots, first, second)
    combined = [np.concatenate([first.chain[:k], second.chain[k:]]) for k in range(1, level.slots.n_slots)]
    plain = [cost_of(model, problem, level.frames(chain)).total for chain in combined]
    np.testing.assert_allclose(costs, plain, atol=1e-8)


def test_a_cut_to_the_frame_that_comes_anyway_is_none(case):
    model, problem, level, draw = case
    motion = draw(np.random.default_rng(0))
    np.testing.assert_allclose(cut_costs(model, problem, level.slots, motion, motion), motion.cost)


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_the_best_combination_is_the_cheapest_of_all_pairs_and_borders_both_ways(case, seed):
    model, problem, level, draw = case
    rng = np.random.default_rng(seed)
    new, pool = draw(rng), Pool(5, [])
    for _ in range(5):
        pool.add(draw(rng))
    cost, chain = best_combination(model, problem, level.slots, new, pool)
    plain = [
        cost_of(model, problem, level.frames(np.concatenate([a.chain[:k], b.chain[k:]]))).total
        for other in pool.motions
        for a, b in ((new, other), (other, new))
        for k in range(1, level.slots.n_slots)
    ]
    assert cost == pytest.approx(min(plain))
    assert cost_of(model, problem, level.frames(chain)).total == pytest.approx(cost)


def test_an_empty_pool_combines_with_nothing(case):
    model, problem, level, draw = case
    assert best_combination(model, problem, level.slots, draw(np.random.default_rng(0)), Pool(20, [])) is None


def test_a_pool_keeps_the_twenty_best_and_none_twice(case):
    *_, draw = case
    pool = Pool(20, [])
    motions = [draw(np.random.default_rng(seed)) for seed in range(50)]
    for motion in [*motions, *motions[:10]]:
        pool.add(motion)
    kept = [motion.cost for motion in pool.motions]
    assert kept == sorted({motion.chain.tobytes(): motion.cost for motion in motions}.values())[:20]
