"""The subspace: principal components of pose vectors."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.dynamics.prior.subspace import learn_subspace


def vectors(count=200, size=9, seed=0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, size)) * np.geomspace(2, 0.01, size) @ np.linalg.qr(rng.normal(size=(size, size)))[0]


def test_what_is_left_out_is_the_least_that_so_many_directions_leave():
    rows = vectors()
    centred = rows - rows.mean(axis=0)
    spectrum = np.linalg.svd(centred, compute_uv=False) ** 2
    for count in range(1, 10):
        subspace = learn_subspace(rows, count)
        assert subspace.size == count
        np.testing.assert_allclose((subspace.rest(rows) ** 2).sum(), spectrum[count:].sum(), rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(subspace.directions.T @ subspace.directions, np.eye(count), atol=1e-10)
        np.testing.assert_allclose(subspace.share, spectrum[:count].sum() / spectrum.sum())


def test_coordinates_there_and_back():
    rows = vectors()
    subspace = learn_subspace(rows, 9)
    np.testing.assert_allclose(subspace.to_vectors(subspace.to_coordinates(rows)), rows, atol=1e-10)
    some = learn_subspace(rows, 4)
    coordinates = some.to_coordinates(rows)
    np.testing.assert_allclose(some.to_coordinates(some.to_vectors(coordinates)), coordinates, atol=1e-10)
    np.testing.assert_allclose(some.to_vectors(coordinates) + some.rest(rows), rows, atol=1e-10)


def test_dimensions_that_are_not_given_hold_their_share_and_no_more_than_need_be():
    rows = vectors()
    subspace = learn_subspace(rows, share=0.97)
    assert subspace.share >= 0.97 > learn_subspace(rows, subspace.size - 1).share
    assert learn_subspace(rows, share=1.0, most=3).size == 3


def test_impossible_dimensions_are_refused_in_one_sentence():
    with pytest.raises(BadInput, match="10 dimensions for poses of 9 numbers; give 1 to 9"):
        learn_subspace(vectors(), 10)
    with pytest.raises(BadInput, match="0 dimensions for poses"):
        learn_subspace(vectors(), 0)
    with pytest.raises(BadInput, match="6 dimensions from 4 frames; give more frames or fewer dimensions"):
        learn_subspace(vectors(4), 6)
