"""Principal components: directions of most variance."""

import numpy as np
import pytest

from motionloom.features.principal_components import count_components, principal_components


def test_components_are_at_right_angles_and_give_the_covariance_back():
    numbers = np.random.default_rng(0).normal(size=(200, 5)) @ np.diag([3.0, 0.1, 1.0, 2.0, 0.5])
    covariance = np.cov(numbers, rowvar=False)
    variances, directions = principal_components(covariance)
    assert (np.diff(variances) <= 0).all()
    np.testing.assert_allclose(directions.T @ directions, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(directions @ np.diag(variances) @ directions.T, covariance, atol=1e-12)
    np.testing.assert_allclose(np.var(numbers @ directions, axis=0, ddof=1), variances)


@pytest.mark.parametrize(("share", "count"), [(0.0, 1), (0.5, 1), (0.6, 2), (0.89, 2), (0.91, 3), (1.0, 3), (2.0, 4)])
def test_as_many_components_are_counted_as_have_the_share(share, count):
    assert count_components(np.array([5.0, 4.0, 1.0, 0.0]) / 10, share) == count


def test_of_numbers_that_do_not_vary_one_is_enough():
    assert 1 <= count_components(np.zeros(3), 0.9) <= 3
