"""Points that go along with others that are moved: the nearer the more, as recorded, and none beyond a reach."""

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.neighbours import REACH, as_recorded, by_distance, columns_of, nearness


@pytest.fixture(scope="module")
def model(faces):
    return faces.model({"start_from": "face/happiness"})


def moved(model, points, change, how):
    """(M, 3) metres that all points move when some do."""
    codec = model.prior.point_vectors
    numbers = [codec.names.index(name) for name in points]
    directions = as_recorded(codec, model.prior.subspace, numbers) if how == "edit" else by_distance(codec, numbers)
    assert directions.shape == (codec.size, 3 * len(points))
    return (directions @ np.ravel(change)).reshape(-1, 3)


@pytest.mark.parametrize("how", ["edit", "new"])
def test_points_that_are_moved_are_where_they_were_moved_to(model, how):
    change = np.random.default_rng(1).normal(size=(3, 3))
    points = ["left_mouth_corner", "upper_lip", "left_outer_brow"]
    found = moved(model, points, change, how)
    numbers = [model.names.index(name) for name in points]
    np.testing.assert_allclose(found[numbers], change, atol=1e-12)


@pytest.mark.parametrize("how", ["edit", "new"])
def test_what_is_beside_a_corner_of_the_mouth_goes_along_and_brows_stay(model, how):
    found = np.linalg.norm(moved(model, ["left_mouth_corner"], [0, 0.005, 0], how), axis=1)
    along = dict(zip(model.names, found))
    assert along["left_mouth_corner"] == pytest.approx(0.005)
    assert 0.001 < along["left_side_lower_lip"] < 0.006
    far = [name for name in model.names if "brow" in name or "forehead" in name or name.startswith("right_eye")]
    assert max(along[name] for name in far) < 5e-5
    codec = model.prior.point_vectors
    apart = np.linalg.norm(codec.means - codec.means[codec.names.index("left_mouth_corner")], axis=1)
    if how == "edit":
        assert found[apart > REACH * codec.extent].max() == 0.0


def test_lids_of_an_eye_that_is_closed_by_one_of_them_go_as_recorded(model):
    """A lid that comes down takes no brow along, though it is as near as a cheek is to the mouth."""
    along = dict(zip(model.names, moved(model, ["left_upper_lid"], [0, -0.006, 0], "edit")[:, 1]))
    assert abs(along["left_middle_brow"]) < 0.003


def test_weights_of_distances_are_positive_definite():
    rng = np.random.default_rng(2)
    places = rng.normal(size=(60, 3))
    apart = np.linalg.norm(places[:, None] - places, axis=-1)
    for reach in (0.5, 1.0, 3.0):
        assert np.linalg.eigvalsh(nearness(apart / reach)).min() > -1e-12
    assert nearness(np.array([0.0, 1.0, 2.0])).tolist() == [1.0, 0.0, 0.0]


def test_columns_are_three_of_each_point():
    assert columns_of([2, 0]).tolist() == [6, 7, 8, 0, 1, 2]
