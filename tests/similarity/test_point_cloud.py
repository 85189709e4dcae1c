"""Point clouds: the best turn and slide, window by window, beside a plain version for one pair."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.motion import Placement, place, place_points
from motionloom.similarity import PointSettings, distinct_joints, measure_points, stack
from motionloom.similarity.point_cloud import weigh_window
from motionloom.similarity.tiles import Scratch


def plain_distance(positions, i, j, joints, joint_weights, window_weights):
    """Equations 1-4 of the paper, for one pair of frames, point by point."""
    half = len(window_weights) // 2
    points, others, weights = [], [], []
    for o in range(-half, half + 1):
        for joint, weight in zip(joints, joint_weights):
            points.append(positions[i + o, joint])
            others.append(positions[j + o, joint])
            weights.append(weight * window_weights[o + half])
    x, y, z = np.array(points).T
    u, v, w = np.array(others).T
    weights = np.array(weights)
    mean = lambda values: (weights * values).sum()  # noqa: E731
    theta = np.arctan2(
        mean(x * w - u * z) - (mean(x) * mean(w) - mean(u) * mean(z)),
        mean(x * u + z * w) - (mean(x) * mean(u) + mean(z) * mean(w)),
    )
    x0 = mean(x) - mean(u) * np.cos(theta) - mean(w) * np.sin(theta)
    z0 = mean(z) + mean(u) * np.sin(theta) - mean(w) * np.cos(theta)
    moved_x, moved_z = u * np.cos(theta) + w * np.sin(theta) + x0, -u * np.sin(theta) + w * np.cos(theta) + z0
    return np.sqrt(mean((x - moved_x) ** 2 + (y - v) ** 2 + (z - moved_z) ** 2))


def whole_matrix(clouds):
    frames = np.arange(clouds.n_frames)
    return clouds.pairs(frames[:, None], frames[None, :])


@pytest.mark.parametrize("window", [1, 3, 5, 9])
def test_pairs_are_those_of_the_plain_version(some, window):
    weights = np.random.default_rng(5).random(4)
    clouds = measure_points(some.positions, some.starts, PointSettings(window, (0, 3, 12, 20), tuple(weights)))
    rng = np.random.default_rng(window)
    inside = np.flatnonzero(clouds.comparable)
    for i, j in rng.choice(inside, size=(30, 2)):
        expected = plain_distance(some.positions, i, j, (0, 3, 12, 20), weights / weights.sum(), clouds.window_weights)
        np.testing.assert_allclose(clouds.pairs(i, j), expected, atol=1e-9)


@pytest.mark.parametrize("window", [1, 3, 5, 9])
def test_blocks_agree_with_pairs_within_their_slack(some, window):
    clouds = measure_points(some.positions, some.starts, PointSettings(window))
    exact = whole_matrix(clouds)
    rows, columns = slice(7, 70), slice(33, clouds.n_frames)
    block = clouds.squared_block(rows, columns, Scratch()).astype(float)
    finite = np.isfinite(exact[rows, columns])
    assert (np.isinf(block) == ~finite).all()
    error = np.abs(block[finite] - exact[rows, columns][finite] ** 2)
    assert (error <= (clouds.slack[rows, None] + clouds.slack[None, columns])[finite]).all()
    assert clouds.slack.max() < 1e-6  # a square millimetre: an equal frame is never shown 1.5 mm away


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_the_slack_holds_for_bodies_of_any_size(size):
    rng = np.random.default_rng(6)
    positions = size * rng.normal(size=(120, 9, 3)) * rng.uniform(0.01, 3, size=(120, 1, 1))
    clouds = measure_points(positions, [0, 120])
    inside = np.arange(2, 118)
    block = clouds.squared_block(slice(2, 118), slice(2, 118), Scratch()).astype(float)
    error = np.abs(block - clouds.pairs(inside[:, None], inside) ** 2)
    assert (error <= clouds.slack[inside][:, None] + clouds.slack[inside]).all()


@pytest.mark.parametrize(("n_joints", "window"), [(1, 1), (31, 61), (31, 301), (2, 601), (200, 1)])
def test_the_slack_holds_for_any_window_and_number_of_joints(n_joints, window):
    rng = np.random.default_rng(7)
    alike = np.abs(rng.normal(size=(1, n_joints, 3))) + 0.01 * rng.normal(size=(900, n_joints, 3))
    travelling = alike + np.array([0.3, 0.0, 0.1]) * np.arange(900)[:, None, None]
    for positions in (alike, travelling):
        clouds = measure_points(positions, [0, 900], PointSettings(window))
        inside = np.flatnonzero(clouds.comparable)[::9]
        block = clouds.squared_block(slice(0, 900), slice(0, 900), Scratch()).astype(float)[np.ix_(inside, inside)]
        error = np.abs(block - clouds.pairs(inside[:, None], inside) ** 2)
        assert (error <= clouds.slack[inside][:, None] + clouds.slack[inside]).all()


def test_far_from_the_origin_blocks_are_as_good(some):
    far = measure_points(some.positions + np.array([500.0, 30.0, -800.0]), some.starts)
    near = measure_points(some.positions, some.starts)
    everywhere = slice(0, near.n_frames)
    np.testing.assert_allclose(far.distances(everywhere, everywhere), near.distances(everywhere, everywhere), atol=1e-3)


def test_distances_do_not_depend_on_the_tiles(some):
    from motionloom.similarity import TileSettings

    clouds = measure_points(some.positions, some.starts)
    exact = whole_matrix(clouds)
    for tiles in (TileSettings(1, 50), TileSettings(17, 30), TileSettings(1000, 1000, threads=1)):
        found = clouds.distances(slice(5, 150), slice(0, 191), tiles=tiles)
        assert found.shape == (145, 191)
        np.testing.assert_allclose(found, exact[5:150], atol=1e-3)


def test_no_other_turn_and_slide_is_better(some):
    clouds = measure_points(some.positions, some.starts)
    rng = np.random.default_rng(3)
    for i, j in rng.choice(np.flatnonzero(clouds.comparable), size=(10, 2)):
        one, other = clouds.windows([i, j])
        best = clouds.pairs(i, j)
        for heading in np.linspace(0, 2 * np.pi, 40):
            turned = place_points(other, Placement(heading, np.zeros(2)))
            slide = clouds.weights @ (one - turned)[:, [0, 2]]
            for nudge in (np.zeros(2), rng.normal(scale=0.05, size=2)):
                moved = place_points(turned, Placement(0.0, slide + nudge))
                assert np.sqrt(clouds.weights @ ((one - moved) ** 2).sum(axis=1)) >= best - 1e-12


@settings(max_examples=30, deadline=None)
@given(
    heading=st.floats(-np.pi, np.pi),
    slide=st.tuples(st.floats(-20, 20), st.floats(-20, 20)),
)
def test_where_a_motion_is_and_faces_does_not_matter(make, heading, slide):
    motion = make.motion(9, seed=4)
    moved = place(motion, Placement(heading, np.array(slide)))
    both = stack([motion, moved])
    clouds = measure_points(both.positions, both.starts)
    assert clouds.pairs(4, 9 + 4) < 1e-7


def test_distances_are_those_of_a_distance(some):
    clouds = measure_points(some.positions, some.starts)
    matrix = whole_matrix(clouds)
    inside = clouds.comparable
    assert (matrix[np.ix_(inside, inside)] >= 0).all()
    np.testing.assert_allclose(np.diag(matrix)[inside], 0, atol=1e-12)
    np.testing.assert_allclose(matrix[np.ix_(inside, inside)], matrix[np.ix_(inside, inside)].T, atol=1e-9)
    np.testing.assert_allclose(clouds.pairs(np.arange(22, 50), np.arange(153, 181)), 0, atol=1e-7)  # the take again


def test_a_higher_body_is_as_much_farther_away(make):
    motion = make.motion(9)
    both = stack([motion, motion])
    positions = both.positions.copy()
    positions[9:, :, 1] += 0.25
    clouds = measure_points(positions, both.starts)
    np.testing.assert_allclose(clouds.pairs(4, 13), 0.25)


def test_frames_whose_window_leaves_their_motion_are_not_comparable(some):
    clouds = measure_points(some.positions, some.starts, PointSettings(window=5))
    expected = np.zeros(clouds.n_frames, bool)
    expected[2:88] = expected[92:149] = expected[153:186] = True  # the last take is too short for any
    assert (clouds.comparable == expected).all()
    assert np.isinf(clouds.pairs(89, 40)) and np.isinf(clouds.distances(slice(188, 189), slice(0, 191))).all()
    with pytest.raises(BadInput, match="too near an end of its motion for a window of 5 frames"):
        clouds.windows([89])


def test_weights_sum_to_one_and_favour_the_middle():
    for window in (1, 3, 5, 11):
        weights = weigh_window(window)
        np.testing.assert_allclose(weights.sum(), 1)
        assert len(weights) == window and (np.diff(weights[: window // 2 + 1]) > 0).all()
        np.testing.assert_allclose(weights, weights[::-1])


def test_joints_in_the_same_place_count_once(make):
    positions = stack([make.motion(20)]).positions
    doubled = np.concatenate([positions[:, [0]], positions, positions[:, [5]]], axis=1)
    assert distinct_joints(doubled).tolist() == [0, *range(2, 22)]
    plain, other = measure_points(positions, [0, 20]), measure_points(doubled, [0, 20])
    np.testing.assert_allclose(other.pairs(3, np.arange(2, 18)), plain.pairs(3, np.arange(2, 18)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(window=4), "odd number"),
        (dict(window=0), "odd number"),
        (dict(window=91), "window of 91 frames is longer than the longest motion, which has 90"),
        (dict(joints=(0, 99)), "expected at least one from 0 to 20"),
        (dict(joints=()), "at least one"),
        (dict(joints=(-1,)), "expected at least one from 0 to 20"),
        (dict(joints=(0.5, 1)), "expected at least one from 0 to 20"),
        (dict(window=2.5), "odd number"),
        (dict(joints=(0, 1), joint_weights=(np.nan, 1.0)), "not negative"),
        (dict(joints=(0, 1), joint_weights=(np.inf, 1.0)), "finite"),
        (dict(joints=(0, 1), joint_weights=(1.0,)), "1 weights for 2 joints"),
        (dict(joints=(0, 1), joint_weights=(1.0, -1.0)), "not negative"),
        (dict(joints=(0, 1), joint_weights=(0.0, 0.0)), "not all zero"),
    ],
)
def test_settings_that_make_no_sense_are_refused(some, change, message):
    with pytest.raises(BadInput, match=message):
        measure_points(some.positions, some.starts, PointSettings(**change))


def test_a_missing_number_is_named_by_its_motion_and_frame(some):
    positions = some.positions.copy()
    positions[100, 3, 1] = np.nan
    with pytest.raises(BadInput, match="motion 1, frame 10, are not finite"):
        measure_points(positions, some.starts)


def test_positions_of_another_shape_are_refused():
    with pytest.raises(BadInput, match=r"positions have shape \(10, 3\), expected \(F, J, 3\)"):
        measure_points(np.zeros((10, 3)), [0, 10])


@pytest.mark.parametrize("starts", [[0, 95.5, 191], [0, 50], [1, 191], [0, 90, 90, 191], [0, 120, 90, 191], [191]])
def test_starts_that_do_not_fit_the_frames_are_refused(some, starts):
    with pytest.raises(BadInput, match="start"):
        measure_points(some.positions, starts)


def test_frames_that_are_not_there_are_refused(some):
    clouds = measure_points(some.positions, some.starts)
    with pytest.raises(BadInput, match="frame 191 is out of range: the measure has 191 frames"):
        clouds.pairs(3, 191)
    with pytest.raises(BadInput, match="must be integers"):
        clouds.pairs(3, 2.5)
    with pytest.raises(BadInput, match="must have step 1"):
        clouds.distances(slice(0, 10, 2), slice(0, 5))


def test_a_motion_of_one_frame_can_be_compared_pose_by_pose(make):
    one = stack([make.motion(1, seed=1), make.motion(1, seed=2)])
    assert measure_points(one.positions, one.starts, PointSettings(window=1)).pairs(0, 1) > 0.01
    with pytest.raises(BadInput, match="the longest motion, which has 1"):
        measure_points(one.positions, one.starts)
