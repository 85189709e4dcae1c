"""Clusters of blocks, active sets, and the program that chooses one block of each."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from motionloom.assembly import Material
from motionloom.errors import BadInput
from motionloom.methods.timeline import Request, Settings, prepare
from motionloom.methods.timeline.objective.costs import cost_of
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.passes._kernels import enter_blocks
from motionloom.methods.timeline.request import BlockSettings
from motionloom.methods.timeline.solvers.block_clusters import (
    LEAST_GAIN,
    N_ROUNDS,
    Stopped,
    cluster_blocks,
    find_clusters,
    fitting_blocks,
    group,
)
from motionloom.methods.timeline.solvers.block_levels import best_chain, cluster_levels, make_labelling, make_levels

TAKES = ("run/walk_run_walk_1", "wave/walk_and_wave_1", "walk/stop_and_go", "jump/run_and_jump_1")
SMALL = Settings(by_blocks=BlockSettings(sizes=(8, 4, 2), top_clusters=4, blocks_per_cluster=6))


def tiny_model(tiny, seed=0, lengths=(30, 17, 23), chosen=SMALL):
    rng = np.random.default_rng(seed)
    n_frames = sum(lengths)
    return tiny(
        lengths, {name: rng.choice([-1, 0, 1], n_frames) for name in ("go", "stay")}, seed=seed, settings=chosen
    )


def posed(model, n_frames=21, forced=()):
    data = {
        "length": f"{n_frames}f",
        "labels": [{"label": "go", "to": "9f"}, {"label": "stay", "from": "6f", "value": "must_not"}],
        "frames": [*forced],
        "alpha": 0.3,
    }
    return pose_problem(model, Request.from_data(data))


def test_every_block_that_fits_is_in_one_cluster_and_no_other_is(tiny):
    model = tiny_model(tiny)
    clusters = find_clusters(model, 8, 5)
    fitting = [b for b in range(70) for stop in (30, 47, 70) if stop - 8 >= b >= {30: 0, 47: 30, 70: 47}[stop]]
    np.testing.assert_array_equal(np.sort(clusters.blocks), fitting)
    np.testing.assert_array_equal(fitting_blocks(model, 8), fitting)
    assert len(clusters.starts) - 1 == 5
    assert (np.diff(clusters.starts) > 0).all()
    for block in fitting:
        assert block in clusters.around(block)
        assert {int(clusters.cluster_of[other]) for other in clusters.around(block)} == {
            int(clusters.cluster_of[block])
        }


def test_there_are_no_more_clusters_than_blocks(tiny):
    clusters = find_clusters(tiny_model(tiny), 29, 100)
    assert len(clusters.starts) - 1 == 2  # the longest motion has 30 frames


def test_a_draw_has_one_block_of_every_cluster_and_all_get_their_turn(tiny):
    clusters = find_clusters(tiny_model(tiny), 8, 5)
    drawn = clusters.draw(400, np.random.default_rng(0))
    assert (clusters.cluster_of[drawn] == np.arange(5)).all()
    np.testing.assert_array_equal(np.unique(drawn), np.sort(clusters.blocks))


def test_groups_that_lie_apart_are_found():
    rng = np.random.default_rng(3)
    truth = np.repeat([0, 1], 150)
    points = (100 * rng.normal(size=(2, 4))[truth] + rng.normal(size=(300, 4))).astype(np.float32)
    found = group(points, 2, np.random.default_rng(0))
    assert np.array_equal(found, truth) or np.array_equal(found, 1 - truth)


@given(seed=st.integers(0, 10**6), n_points=st.integers(1, 40), n_kinds=st.integers(1, 5))
def test_groups_are_never_empty_even_if_points_are_the_same(seed, n_points, n_kinds):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n_kinds, 3))[rng.integers(0, n_kinds, n_points)].astype(np.float32)
    n_groups = int(rng.integers(1, n_points + 1))
    assert np.unique(group(points, n_groups, rng)).tolist() == [*range(n_groups)]


@given(seed=st.integers(0, 10**6))
def test_groups_are_those_of_plain_rounds_until_a_round_gains_little(seed):
    points = np.random.default_rng(seed).normal(size=(400, 5)).astype(np.float32)
    middles = points[np.random.default_rng(seed).choice(400, 9, replace=False)]
    spreads = [np.inf]
    for _ in range(N_ROUNDS):
        away = np.linalg.norm(points[:, None] - middles, axis=2)
        nearest = away.argmin(axis=1)
        spreads.append((away.min(axis=1) ** 2).sum())
        if spreads[-1] >= (1 - LEAST_GAIN) * spreads[-2]:
            break
        middles = np.array([points[nearest == cluster].mean(axis=0) for cluster in range(9)])
    assert len(spreads) > 3
    assert np.mean(group(points, 9, np.random.default_rng(seed)) == nearest) > 0.98  # but for ties and rounding


def test_blocks_of_a_take_are_in_the_same_cluster_whichever_others_are_chosen(model, small_corpus):
    """Clusters are numbered anew without those that are empty, so what is together stays together."""
    whole = find_clusters(model, 32, 20)
    few = prepare(small_corpus, Material(TAKES[1:3]))
    part = find_clusters(few, 32, 20)
    numbers = np.concatenate([whole.cluster_of[slice(*model.view.range_of(name))] for name in few.view.names])
    np.testing.assert_array_equal(part.cluster_of < 0, numbers < 0)
    together = np.unique(np.column_stack([numbers, part.cluster_of])[numbers >= 0], axis=0)
    assert len(together) == len(np.unique(together[:, 0])) == len(np.unique(together[:, 1])) == part.n_clusters


def test_blocks_are_in_the_cluster_whose_centre_is_nearest(model):
    """Plain twin, by the arrays that were learnt; and hardly any block is nearer to those of another cluster."""
    clusters = find_clusters(model, 32, 20)
    learnt = model.view.statistics["block clusters"].arrays
    blocks = np.sort(clusters.blocks)[::17]
    rows = model.coordinates[blocks[:, None] + np.arange(32)] - learnt["mean"]
    points = rows.reshape(len(blocks), -1) @ learnt["directions"]
    away = np.linalg.norm(points[:, None] - learnt["centres"], axis=2)
    nearest = np.unique(np.column_stack([away.argmin(axis=1), clusters.cluster_of[blocks]]), axis=0)
    assert len(nearest) <= 20 + 0.02 * len(blocks)  # but for ties and rounding


def test_a_model_that_is_in_no_space_of_its_corpus_is_clustered_by_itself(model):
    alone = find_clusters(replace(model, space="", _blocks={}), 32, 20)
    old = find_clusters(replace(model, space="of another day", _blocks={}), 32, 20)
    np.testing.assert_array_equal(alone.cluster_of, old.cluster_of)
    assert alone.n_clusters == 20


def test_more_clusters_of_the_corpus_are_looked_at_where_a_choice_of_takes_has_few(model, small_corpus):
    few = prepare(small_corpus, Material(TAKES[2:3]), Settings(by_blocks=BlockSettings(sizes=(32,), top_clusters=24)))
    (top,) = cluster_levels(few)
    assert top.n_clusters >= 12


def test_clusters_are_kept_with_the_view_and_found_again(model):
    made = find_clusters(model, 32, 20)
    again = find_clusters(replace(model, _blocks={}), 32, 20, stop=lambda: True)  # nothing is left to do, so no stop
    np.testing.assert_array_equal(made.cluster_of, again.cluster_of)


def test_clusters_are_made_on_one_thread_so_that_they_are_rounded_alike_everywhere(model):
    def look(*_):
        seen.append([pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"])

    seen, made = [], []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            made.append(cluster_blocks(model, 32, 100, progress=look))
    assert {count for counts in seen for count in counts} == {1}
    np.testing.assert_array_equal(*made)


def test_making_clusters_can_be_stopped_and_tells_how_far_it_is(tiny):
    with pytest.raises(Stopped):
        find_clusters(tiny_model(tiny), 8, 5, stop=lambda: True)
    reported = []
    find_clusters(tiny_model(tiny), 8, 5, progress=lambda done, total: reported.append((done, total)))
    assert [done for done, _ in reported] == [*range(1, len(reported) + 1)]
    assert all(done <= total for done, total in reported)


@given(seed=st.integers(0, 10**6), n_before=st.integers(1, 60), n_blocks=st.integers(1, 60))
def test_blocks_are_entered_from_where_it_costs_least(seed, n_before, n_blocks):
    rng = np.random.default_rng(seed)
    exits, entries = rng.normal(size=(n_before, 5)), rng.normal(size=(n_blocks, 5))
    after, blocks = rng.permutation(80)[:n_before], rng.permutation(80)[:n_blocks]  # some go on without a cut
    paid, weight, fee = rng.uniform(0, 10, n_before), rng.uniform(0, 4), rng.choice([0.0, 0.5])
    best, come_from = np.empty(n_blocks), np.zeros(n_blocks, np.int64)
    order, room = np.argsort(paid), np.empty(n_blocks)
    enter_blocks(exits, after, paid, order, np.ascontiguousarray(entries.T), blocks, weight, fee, room, best, come_from)
    distances = np.linalg.norm(exits[:, None] - entries, axis=2)
    costs = paid[:, None] + np.where(after[:, None] == blocks, 0.0, weight * (fee + distances))
    np.testing.assert_allclose(best, costs.min(axis=0))
    np.testing.assert_allclose(costs[come_from, np.arange(n_blocks)], best)


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_the_program_finds_the_cheapest_of_all_chains(tiny, seed):
    model = tiny_model(tiny, seed % 50)
    problem = posed(model, 21, [{"at": "10f", "take": "take_1", "start": 3, "stop": 6}] if seed % 2 else [])
    rng = np.random.default_rng(seed)
    level = make_levels(model, problem)[0]
    active = [rng.choice(blocks, min(5, len(blocks)), replace=False) for blocks in level.draw(rng)]
    if seed % 3 == 0:  # going on without a cut is among the ways
        active[1] = np.unique(np.append(active[1], model.following[active[0][0] + level.slots.lengths[0] - 1] % 47))
        active[1] = active[1][active[1] + level.slots.lengths[1] <= model.stops[active[1]]]
    if level.slots.forced[1] >= 0:
        active[1] = level.slots.forced[1:2]
    chain = best_chain(model, problem, level, active, make_labelling(problem))
    costs = [cost_of(model, problem, level.frames(np.array(chain))).total for chain in itertools.product(*active)]
    assert cost_of(model, problem, level.frames(chain)).total == pytest.approx(min(costs), abs=1e-9)


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), n_frames=st.integers(1, 60))
def test_no_level_makes_a_motion_cost_more(tiny, seed, n_frames):
    model = tiny_model(tiny, seed % 50)
    forced = [{"at": f"{n_frames // 2}f", "take": "take_2", "frame": 20}] if seed % 2 else []
    problem = posed_any(model, n_frames, forced)
    labelling = make_labelling(problem)
    frames, cost = None, np.inf
    for level in make_levels(model, problem):
        active = level.draw(np.random.default_rng(seed)) if frames is None else level.around(frames)
        if frames is not None:
            parents = frames[level.slots.borders[:-1]]
            assert all(parent in blocks for parent, blocks in zip(parents, active))
        frames = level.frames(best_chain(model, problem, level, active, labelling))
        now = cost_of(model, problem, frames).total
        assert now <= cost + 1e-9
        cost = now
        for clip in problem.forced:
            np.testing.assert_array_equal(frames[clip.at : clip.stop], clip.first + np.arange(clip.n_frames))


def posed_any(model, n_frames, forced=()):
    labels = [{"label": "go", "to": f"{max(n_frames // 3, 1)}f"}]
    return pose_problem(
        model, Request.from_data({"length": f"{n_frames}f", "labels": labels, "frames": [*forced], "alpha": 0.3})
    )


def test_borders_of_a_level_are_borders_of_the_levels_below(tiny):
    model = tiny_model(tiny)
    problem = posed(model, 57, [{"at": "11f", "take": "take_0", "start": 4, "stop": 17}])
    levels = make_levels(model, problem)
    for coarse, fine in itertools.pairwise(levels):
        assert set(coarse.slots.borders) <= set(fine.slots.borders)
    assert [level.slots.lengths.max() for level in levels] == [8, 4, 2]


def test_blocks_longer_than_every_motion_are_left_out(tiny):
    model = tiny_model(tiny, lengths=(5, 3))
    problem = posed(model)
    assert [level.clusters.size for level in make_levels(model, problem)] == [4, 2]
    short = tiny_model(tiny, lengths=(1, 1))
    assert [level.clusters.size for level in make_levels(short, posed(short))] == [1]


@pytest.mark.parametrize("sizes", [(), (8, 3), (4, 8), (8, 8), (8, 0)])
def test_block_sizes_that_do_not_divide_are_refused(tiny, sizes):
    model = tiny_model(tiny, chosen=Settings(by_blocks=BlockSettings(sizes=sizes)))
    with pytest.raises(BadInput, match="each must be a multiple of the next"):
        make_levels(model, posed(model))
