"""Linear system: the next pose from the last m, and what drives it (sections 3.2 and 4.1; equations 1 and 4 to 8).

    x_t = A_1 x_(t-1) + ... + A_m x_(t-m) + B u_t + noise

The matrices A are the least squares over all frames whose m predecessors are of the same take. B spans the directions
in which the predictions err most (singular values), and u_t = B' z_t are the controls that explain an error z_t.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.principal_components import count_components, principal_components

RIDGE = 1e-4  # pull on A, as a share of the mean variance of a coordinate per frame


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """How coordinates follow from those before."""

    transitions: np.ndarray  # (m, d, d): A_1 is of the frame before
    drives: np.ndarray  # (d, c): B, orthonormal columns
    variances: np.ndarray  # (d,) of the errors along all their principal components, the largest first
    covariance: np.ndarray  # (d, d) of the errors

    @property
    def order(self) -> int:
        """m."""
        return len(self.transitions)

    @property
    def n_controls(self) -> int:
        """c."""
        return self.drives.shape[1]

    def predict(self, coordinates: np.ndarray) -> np.ndarray:
        """(F - m, d) predictions of the frames m, m + 1, ... of (F, d) coordinates."""
        m = self.order
        windows = [coordinates[m - lag : len(coordinates) - lag] for lag in range(1, m + 1)]
        return sum((window @ a.T for window, a in zip(windows, self.transitions)), np.zeros_like(windows[0]))

    def errors(self, coordinates: np.ndarray) -> np.ndarray:
        """(F - m, d) z_t: what the predictions leave."""
        return coordinates[self.order :] - self.predict(coordinates)

    def controls(self, coordinates: np.ndarray) -> np.ndarray:
        """(F - m, c) u_t = B' z_t; N - m of them for N frames."""
        return self.errors(coordinates) @ self.drives

    def one_step(self, coordinates: np.ndarray) -> np.ndarray:
        """(F - m, d) predictions with the controls of the motion itself: A x + B B' z."""
        return self.predict(coordinates) + self.controls(coordinates) @ self.drives.T


def learn_linear_system(
    takes: Sequence[np.ndarray],
    order: int = 3,
    *,
    controls: int | None = None,
    share: float = 0.95,
    ridge: float = RIDGE,
    towards: str = "zero",
    momentum: float = 0.0,
) -> LinearSystem:
    """Least squares over takes, never across their borders.

    Args:
        takes: (F, d) coordinates each.
        order: m.
        controls: c; None for as many as hold a share of the variance of the errors.
        share: of that variance.
        ridge: pull on A, as a share of the mean variance of a coordinate, times the number of frames.
        towards: what A is pulled to: "zero", or "persistence": the next pose is the last one.
        momentum: of persistence: share of the last change that goes on.
    """
    if towards not in ("zero", "persistence"):
        raise BadInput(f"A cannot be pulled towards '{towards}'; give zero or persistence")
    usable = [take for take in takes if len(take) > order]
    size = takes[0].shape[1]
    n_frames = sum(len(take) - order for take in usable)
    needed = 2 * order
    if n_frames < needed:
        raise BadInput(
            f"a model of order {order} needs at least {needed} frames that have {order} before them in their take; "
            f"there are {n_frames}: give longer takes, or a lower order"
        )
    if controls is not None and not 0 <= controls <= size:
        raise BadInput(f"{controls} controls for {size} dimensions; give 0 to {size}")
    now = np.concatenate([take[order:] for take in usable])
    past = np.concatenate(
        [np.hstack([take[order - lag : len(take) - lag] for lag in range(1, order + 1)]) for take in usable]
    )
    start = np.zeros((order * size, size))
    if towards == "persistence":
        start[:size] = np.eye(size)
        if order > 1:
            start[:size] += momentum * np.eye(size)
            start[size : 2 * size] -= momentum * np.eye(size)
    pull = ridge * n_frames * float((now**2).mean())
    products = past.T @ past + max(pull, 1e-12) * np.eye(order * size)
    solved = start + np.linalg.solve(products, past.T @ (now - past @ start))  # (m d, d)
    errors = now - past @ solved
    covariance = errors.T @ errors / len(errors)
    variances, directions = principal_components(covariance)
    variances = np.maximum(variances, 0.0)
    count = count_components(variances, share) if controls is None else controls
    transitions = solved.reshape(order, size, size).transpose(0, 2, 1)
    return LinearSystem(np.ascontiguousarray(transitions), directions[:, :count].copy(), variances, covariance)
