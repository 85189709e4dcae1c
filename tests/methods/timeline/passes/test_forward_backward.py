"""Forward and backward passes beside plain loops, and what must hold of their costs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.graphs.search import cheapest_chain
from motionloom.methods.timeline.objective.costs import cost_of
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.slots import all_slot_costs, chain_frames, make_slots, slot_costs
from motionloom.methods.timeline.passes import _kernels, forward_backward
from motionloom.methods.timeline.passes.dense import best_blocks, dense_chain
from motionloom.methods.timeline.passes.exact import solve_exactly
from motionloom.methods.timeline.passes.trellis import Trellis, make_trellis
from motionloom.methods.timeline.request import ForcedFrames, GlobalSettings, Paint, Request, Settings

NOTHING = np.empty(0, np.float32)
LENGTHS = (25, 9, 31, 14, 5)  # frames; the last is shorter than a block


@pytest.fixture
def model(tiny):
    """84 random frames with two labels of which some is unknown."""
    rng = np.random.default_rng(5)
    tracks = {name: rng.choice([-1, 0, 1], sum(LENGTHS), p=[0.5, 0.1, 0.4]) for name in ("walk", "wave")}
    return tiny(LENGTHS, tracks, neighbours=5, settings=Settings(by_all=GlobalSettings(neighbours=5, dense=10)))


@pytest.fixture
def problem(model):
    labels = (Paint("walk", "3f", "30f"), Paint("wave", "21f", "end", "must_not"))
    frames = (ForcedFrames("19f", "take_2", start=11, stop=16),)
    return pose_problem(model, Request("53f", labels, frames))


def step_costs(model, problem, last, first):
    """(A, B) what it costs to play each frame of `first` (B,) after each of `last` (A,)."""
    following = model.following[last]
    jumps = np.linalg.norm(model.coordinates[following][:, None] - model.coordinates[first], axis=2)
    return np.where(following[:, None] == first, 0, problem.cut_weight * (problem.fee + jumps))


def plain_relax(values, neighbours, distances, points, weights, rows):
    """What `relax` and `relax_from_ends` do, one pair at a time: (R,) least values."""
    weight, fee = weights
    least = []
    for x in rows:
        ways = [values[x]] if x < len(values) else []
        for j, distance in zip(neighbours[x], distances[x]):
            if 0 <= j < len(values):
                ways.append(values[j] + weight * (fee + distance))
        if len(values) == len(neighbours):  # of frames that would have come: the made-up ones have lists of their own
            ways += [
                values[end] + weight * (fee + distances[end, k])
                for end in range(rows.stop, len(values))
                for k in np.flatnonzero(neighbours[end] == x)
            ]
        cheapest = values.argmin()
        ways.append(values[cheapest] + weight * (fee + np.linalg.norm(points[x] - points[cheapest])))
        least.append(min(ways))
    return np.array(least)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.5, 3.0]))
def test_a_step_finds_the_least_of_all_listed_ways(tiny, seed, fee):
    model = tiny((12, 3, 9), {}, seed=seed, neighbours=4)
    rng = np.random.default_rng(seed)
    lists = (model.neighbours, model.distances)
    for n_values, n_rows in ((24, 27), (27, 24)):  # back, on
        values = rng.uniform(0, 8, n_values).astype(np.float32)
        values[rng.random(n_values) < 0.3] = np.inf
        out, choice = np.empty(n_rows, np.float32), np.empty(n_rows, np.int32)
        _kernels.relax(values, *lists, model.bulk, int(values.argmin()), (1.5, fee), NOTHING, np.inf, 0, out, choice)
        if n_values > n_rows:
            _kernels.relax_from_ends(values, *lists, 24, (1.5, fee), 0, out, choice)
        plain = plain_relax(values, *lists, model.coordinates, (1.5, fee), range(n_rows))
        np.testing.assert_allclose(out, plain, rtol=1e-5)
        stays = choice == np.arange(n_rows)
        jumps = np.linalg.norm(model.coordinates[:n_rows] - model.coordinates[choice], axis=1)
        np.testing.assert_allclose(out, values[choice] + np.where(stays, 0, 1.5 * (fee + jumps)), rtol=1e-5)


def test_no_cuts_are_made_where_they_would_come_to_the_limit(model):
    problem = pose_problem(model, Request("20f"))
    rng = np.random.default_rng(0)
    paid, to_pay = (rng.uniform(0, 20, model.n_frames).astype(np.float32) for _ in range(2))
    paid[np.arange(model.n_frames) + 8 > model.stops] = np.inf  # blocks that do not fit
    trellis = make_trellis(model, problem)
    free, befores = forward_backward.forward_step(trellis, 0, paid)
    held, held_befores = forward_backward.forward_step(trellis, 0, paid, to_pay, 12.0)
    is_hopeless = paid.min() + problem.cut_weight * problem.fee + to_pay >= 12
    assert 0.1 < is_hopeless.mean() < 0.9
    np.testing.assert_array_equal(held[~is_hopeless], free[~is_hopeless])
    np.testing.assert_array_equal(held_befores[~is_hopeless], befores[~is_hopeless])
    into = is_hopeless & np.isfinite(held) & ~np.isin(held_befores, model.starts - 8)  # but from ends of takes
    np.testing.assert_array_equal(held_befores[into], np.flatnonzero(into) - 8)
    assert (befores[into] != held_befores[into]).any()


def test_a_step_from_nothing_leads_nowhere(tiny):
    model = tiny((12, 9), {}, neighbours=4)
    nothing = np.full(21, np.inf, np.float32)
    problem = pose_problem(model, Request("20f"))
    trellis = make_trellis(model, problem)
    after, nexts = forward_backward.backward_step(trellis, 0, nothing)
    assert np.isinf(after).all()
    assert (nexts == -1).all()
    spent, before = forward_backward.forward_step(trellis, 0, nothing)
    assert np.isinf(spent).all()
    assert (before == -1).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.5]))
def test_the_cheapest_cuts_are_the_cheapest_of_all(seed, weight):
    rng = np.random.default_rng(seed)
    values, entries, ends = np.sort(rng.integers(0, 5, 12)) * 1.0, rng.normal(size=(12, 6)), rng.normal(size=(7, 6))
    least, choice = rng.integers(0, 8, 7) * 1.0, np.full(7, -1)
    costs = values + weight * (0.5 + np.linalg.norm(ends[:, None] - entries, axis=2))
    expected = np.minimum(least, costs.min(axis=1))
    chosen = np.where(costs.min(axis=1) < least, costs.argmin(axis=1), -1)
    _kernels.cheapest_cuts(values, entries, ends, (weight, 0.5), least, choice)
    np.testing.assert_allclose(least, expected)
    np.testing.assert_array_equal(choice, chosen)


def test_all_slots_cost_what_each_costs_alone(model, problem):
    slots = make_slots(problem, 8)
    together = all_slot_costs(model, problem, slots)
    for slot in range(slots.n_slots):
        np.testing.assert_array_equal(together[slot], slot_costs(model, problem, slots, slot))


def test_slots_cost_nothing_where_nothing_is_painted(model):
    problem = pose_problem(model, Request("16f"))
    costs = all_slot_costs(model, problem, make_slots(problem, 8))
    assert costs[0] is costs[1]
    assert set(costs[0]) == {0.0, np.inf}


def test_passes_find_what_their_chains_cost(model, problem, both_passes):
    passes = both_passes(model, problem)
    for slot in range(passes.trellis.n_slots):
        through = passes.through(slot)
        for block in np.flatnonzero(np.isfinite(through))[::7]:
            before = passes.trace_back(slot, int(block))
            after = passes.endings.trace(slot, int(block))
            assert before[-1] == after[0] == block
            frames = chain_frames(passes.trellis.slots, np.concatenate([before[:-1], after]))
            assert cost_of(model, problem, frames).total == pytest.approx(through[block], rel=1e-5)


def test_every_block_that_fits_can_be_reached_and_left(model, problem, both_passes):
    passes = both_passes(model, problem)
    for slot in range(passes.trellis.n_slots):
        np.testing.assert_array_equal(np.isfinite(passes.through(slot)), np.isfinite(passes.trellis.costs[slot]))


def test_steps_tell_where_they_lead(model, problem, both_passes):
    passes = both_passes(model, problem)
    trellis, lengths = passes.trellis, passes.trellis.slots.lengths
    for slot in range(trellis.n_slots - 1):
        after, nexts = forward_backward.backward_step(trellis, slot, passes.cost_to_go[slot + 1])
        paid = passes.cost_so_far[slot] + trellis.costs[slot]
        spent, befores = forward_backward.forward_step(trellis, slot, paid)
        for block in np.flatnonzero(np.isfinite(trellis.costs[slot])):
            step = step_costs(model, problem, np.array([block + lengths[slot] - 1]), nexts[block : block + 1])
            assert after[block] == pytest.approx(passes.cost_to_go[slot + 1][nexts[block]] + step[0, 0], rel=1e-4)
        for block in np.flatnonzero(np.isfinite(spent)):
            step = step_costs(model, problem, befores[[block]] + lengths[slot] - 1, np.array([block]))
            assert spent[block] == pytest.approx(paid[befores[block]] + step[0, 0], rel=1e-4)


def test_a_forward_pass_can_begin_with_one_block(model, both_passes):
    problem = pose_problem(model, Request("24f", (Paint("walk"),)))
    alone = np.full(model.n_frames, np.inf, np.float32)
    alone[40] = 0
    passes = both_passes(model, problem, alone)
    last = int((passes.cost_so_far[-1] + passes.trellis.costs[-1]).argmin())
    assert passes.trace_back(2, last)[0] == 40


@pytest.mark.parametrize(
    "changed",
    [
        Request("53f", (Paint("walk", "3f", "30f"), Paint("wave", "30f", "end", "must_not"))),
        Request("53f", (Paint("walk", "3f", "33f"), Paint("wave", "21f", "end", "must_not"))),
        Request("53f", (Paint("wave", "21f", "end", "must_not"), Paint("walk", "3f", "30f", "must_not"))),
        Request("61f", (Paint("walk", "3f", "30f"), Paint("wave", "21f", "53f", "must_not"))),
        Request("20f", (Paint("walk", "3f", "end"),)),
        Request("53f", (Paint("walk", "3f", "30f"),), alpha=0.5),
        Request("53f", (Paint("walk", "3f", "30f"),), (ForcedFrames("30f", "take_0", frame=7),)),
        Request("53f", (Paint("walk", "3f", "30f"), Paint("wave", "21f", "end", "must_not"))),
    ],
)
def test_a_backward_pass_that_starts_from_an_earlier_one_equals_a_fresh_one(model, changed):
    before = Request("53f", (Paint("walk", "3f", "30f"), Paint("wave", "21f", "end", "must_not")))
    recall = forward_backward.Recall()
    forward_backward.run_backward(make_trellis(model, pose_problem(model, before)), recall)
    trellis = make_trellis(model, pose_problem(model, changed))
    ours, theirs = (forward_backward.run_backward(trellis, known).whole for known in (recall, None))
    assert len(ours) == len(theirs) == trellis.n_slots
    for one, other in zip(ours, theirs):
        np.testing.assert_array_equal(one, other)


def test_what_lies_after_a_change_is_not_computed_again(model):
    before = Request("80f", (Paint("walk"),))
    after = Request("80f", (Paint("walk"), Paint("wave", "34f", "38f")))
    recall = forward_backward.Recall()
    old = forward_backward.run_backward(make_trellis(model, pose_problem(model, before)), recall)
    new = forward_backward.run_backward(make_trellis(model, pose_problem(model, after)), recall)
    assert [a is b for a, b in zip(new.whole, old.whole)] == [False] * 5 + [True] * 5


def plain_exact(model, problem, block):
    """The cheapest chain of blocks by the kit's own search, every pair of blocks written out."""
    slots = make_slots(problem, block)
    costs = np.array([slot_costs(model, problem, slots, slot) for slot in range(slots.n_slots)])
    steps = np.full((slots.n_slots - 1, model.n_frames, model.n_frames), np.inf)
    for slot in range(slots.n_slots - 1):
        for a in np.flatnonzero(np.isfinite(costs[slot])):
            for b in np.flatnonzero(np.isfinite(costs[slot + 1])):
                after = model.following[a + slots.lengths[slot] - 1]
                jump = np.linalg.norm(model.coordinates[after] - model.coordinates[b])
                steps[slot, a, b] = 0 if after == b else problem.cut_weight * (problem.fee + jump)
    return chain_frames(slots, cheapest_chain(costs, steps))


@pytest.mark.parametrize("block", [8, 3])
def test_the_exact_program_costs_what_the_plain_one_costs(model, problem, block):
    exact, plain = solve_exactly(model, problem, block), plain_exact(model, problem, block)
    assert cost_of(model, problem, exact).total == pytest.approx(cost_of(model, problem, plain).total)


def test_single_frames_cost_at_most_what_blocks_cost(model, problem):
    costs = [cost_of(model, problem, solve_exactly(model, problem, block)).total for block in (1, 2, 4, 8)]
    assert costs == sorted(costs)
    assert costs[0] < costs[-1]


def test_the_dense_program_is_the_cheapest_chain_of_the_kit(model, problem):
    slots = make_slots(problem, 8)
    rng = np.random.default_rng(1)
    costs = all_slot_costs(model, problem, slots)
    finite = [np.flatnonzero(np.isfinite(of_slot)) for of_slot in costs]
    blocks = [np.sort(rng.choice(some, min(len(some), 9), replace=False)) for some in finite]
    chain, cost = dense_chain(Trellis(model, problem, slots, tuple(costs)), blocks)
    padded = np.full((slots.n_slots, 9), np.inf)
    steps = np.full((slots.n_slots - 1, 9, 9), np.inf)
    for slot, some in enumerate(blocks):
        padded[slot, : len(some)] = costs[slot][some]
        if slot:
            last = blocks[slot - 1] + slots.lengths[slot - 1] - 1
            steps[slot - 1, : len(last), : len(some)] = step_costs(model, problem, last, some)
    expected = [some[place] for some, place in zip(blocks, cheapest_chain(padded, steps))]
    np.testing.assert_array_equal(chain, expected)
    assert cost_of(model, problem, chain_frames(slots, chain)).total == pytest.approx(cost)


def test_the_best_blocks_are_the_cheapest_that_are_possible():
    through = np.array([5.0, np.inf, 1.0, 3.0, np.inf, 2.0], np.float32)
    np.testing.assert_array_equal(best_blocks(through, 3), [2, 3, 5])
    np.testing.assert_array_equal(best_blocks(through, 5), [0, 2, 3, 5])
    np.testing.assert_array_equal(best_blocks(through, 50), [0, 2, 3, 5])


def test_problems_with_other_weights_share_nothing(model, problem):
    recall = forward_backward.Recall()
    old = forward_backward.run_backward(make_trellis(model, problem), recall)
    dearer = make_trellis(model, replace(problem, fee=problem.fee + 3))
    new = forward_backward.run_backward(dearer, recall)
    assert not any(a is b for a, b in zip(old.whole[:-1], new.whole[:-1]))
