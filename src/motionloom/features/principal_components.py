"""Principal components: the directions in which numbers vary most."""

import numpy as np


def principal_components(covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The principal components of numbers with a (D, D) covariance, or with products about their mean.

    Returns:
        (D,) variances along them, the largest first, and (D, D) their directions, one a column.
    """
    variances, directions = np.linalg.eigh(covariance)
    return variances[::-1], directions[:, ::-1]


def count_components(variances: np.ndarray, share: float) -> int:
    """How many of the first components have at least this share of all variance; at least one."""
    shares = np.cumsum(variances) / max(variances.sum(), 1e-12)
    return min(int(np.searchsorted(shares, share)) + 1, len(variances))
