"""Time warps, beside a plain search that remembers every way."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.similarity import warp_time
from motionloom.similarity.time_warps import _lengths_within


def plain_cost(costs, max_slope):
    """The cheapest way, by asking from every cell what the cheapest rest is; infinite where there is none."""
    n, m = costs.shape

    @cache
    def rest(i, j, kind, run):
        if (i, j) == (n - 1, m - 1):
            return 0.0 if kind in ("start", "both") else np.inf
        ways = []
        if i + 1 < n and j + 1 < m:
            ways.append(2 * costs[i + 1, j + 1] + rest(i + 1, j + 1, "both", 0))
        for step, (k, h) in {"output": (i + 1, j), "source": (i, j + 1)}.items():
            allowed = run + 1 < max_slope if kind == step else kind == "both" and max_slope > 1
            if k < n and h < m and allowed:
                ways.append(costs[k, h] + rest(k, h, step, run + 1 if kind == step else 1))
        return min(ways, default=np.inf)

    return 2 * costs[0, 0] + rest(0, 0, "start", 0)


def check_path(warp, costs, max_slope):
    path, n, m = warp.path, *costs.shape
    steps = np.diff(path, axis=0)
    assert path[0].tolist() == [0, 0] and path[-1].tolist() == [n - 1, m - 1]
    assert set(map(tuple, steps.tolist())) <= {(1, 1), (1, 0), (0, 1)}
    weights = np.concatenate([[2], steps.sum(axis=1)])
    np.testing.assert_allclose((weights * costs[tuple(path.T)]).sum() / (n + m), warp.cost)
    for axis in (0, 1):
        stays = np.split(path[:, axis], np.flatnonzero(np.diff(path[:, axis])) + 1)
        assert max(len(stay) for stay in stays) <= max_slope


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 9), m=st.integers(1, 9), max_slope=st.integers(1, 4), seed=st.integers(0, 999))
def test_a_warp_is_the_cheapest_of_all(n, m, max_slope, seed):
    costs = np.random.default_rng(seed).random((n, m))
    expected = plain_cost(costs, max_slope)
    if np.isinf(expected):
        with pytest.raises(Unsatisfiable, match=f"slope of at most {max_slope}"):
            warp_time(costs, max_slope=max_slope)
        return
    warp = warp_time(costs, max_slope=max_slope)
    np.testing.assert_allclose(warp.cost, expected / (n + m))
    check_path(warp, costs, max_slope)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 40), m=st.integers(2, 40), seed=st.integers(0, 999))
def test_the_map_rises_within_the_limits(n, m, seed):
    costs = np.random.default_rng(seed).random((n, m))
    try:
        warp = warp_time(costs, max_slope=3)
    except Unsatisfiable:
        assert max(n, m) - 1 > 3 * (min(n, m) - 1) - 2
        return
    assert warp.source_frames.shape == (n,)
    assert warp.source_frames[0] == 0 and warp.source_frames[-1] == m - 1
    steps = np.diff(warp.source_frames)
    assert (steps > 0).all() and steps.min() >= 1 / 3 - 1e-9 and steps.max() <= 3 + 1e-9


def test_a_known_change_of_speed_is_found_again():
    times = np.linspace(0, 1, 120)
    warped = times + 0.12 * np.sin(2 * np.pi * times) / 2
    signal = lambda t: np.stack([np.sin(9 * t), np.cos(5 * t), t], axis=-1)  # noqa: E731
    costs = np.linalg.norm(signal(warped)[:, None] - signal(times)[None], axis=-1)
    warp = warp_time(costs)
    np.testing.assert_allclose(warp.source_frames, warped * 119, atol=1.0)


def test_the_same_motion_is_not_warped():
    frames = np.random.default_rng(1).normal(size=(50, 4)).cumsum(axis=0)
    warp = warp_time(np.linalg.norm(frames[:, None] - frames[None], axis=-1))
    np.testing.assert_array_equal(warp.source_frames, np.arange(50))
    assert warp.cost == 0


def test_lengths_that_differ_by_more_than_the_slope_are_refused():
    with pytest.raises(
        Unsatisfiable, match=r"50 source frames .* 10 output frames with a slope of at most 3: expected 5 to 26"
    ):
        warp_time(np.ones((10, 50)))
    assert len(warp_time(np.ones((10, 50)), max_slope=6).source_frames) == 10
    with pytest.raises(Unsatisfiable):
        warp_time(np.ones((10, 11)), max_slope=1)


@pytest.mark.parametrize("max_slope", [1, 2, 3, 7])
@pytest.mark.parametrize("n_output", [1, 2, 3, 10])
def test_just_the_lengths_that_the_message_names_are_possible(n_output, max_slope):
    fewest, most = _lengths_within(n_output, max_slope)
    for n_source in (fewest, most):
        frames = warp_time(np.ones((n_output, n_source)), max_slope=max_slope).source_frames
        assert frames[0] == 0 and frames[-1] == n_source - 1
    for n_source in {fewest - 1, most + 1} - {0}:
        with pytest.raises(Unsatisfiable, match=f"expected {fewest} to {most}"):
            warp_time(np.ones((n_output, n_source)), max_slope=max_slope)


def test_one_frame_is_warped_onto_one_frame_only():
    assert warp_time(np.ones((1, 1))).source_frames.tolist() == [0]
    for shape in ((3, 1), (1, 3)):
        with pytest.raises(Unsatisfiable):
            warp_time(np.ones(shape))


@pytest.mark.parametrize(
    ("costs", "max_slope", "message"),
    [
        (np.ones((0, 4)), 3, "at least one frame"),
        (np.ones(4), 3, "at least one frame"),
        (np.array([[0.0, np.inf], [1.0, 0.0]]), 3, "output frame 0 and source frame 1 is not finite"),
        (np.array([[0.0, 1.0], [np.nan, 0.0]]), 3, "output frame 1 and source frame 0 is not finite"),
        (np.ones((4, 4)), 0, "from 1 to 100"),
        (np.ones((4, 4)), 2.5, "from 1 to 100"),
        (np.ones((4, 4)), np.nan, "from 1 to 100"),
    ],
)
def test_costs_that_make_no_sense_are_refused(costs, max_slope, message):
    with pytest.raises(BadInput, match=message):
        warp_time(costs, max_slope=max_slope)
