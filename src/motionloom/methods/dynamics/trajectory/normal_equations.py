"""Normal equations: residuals of many kinds, squared and summed, over samples and from one frame to the next."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from motionloom.methods.dynamics.trajectory.posed import Posed


@dataclass(eq=False)
class Sums:
    """Half the sum of squared residuals, with its gradient and Gauss-Newton matrix by the unknowns of samples."""

    blocks: np.ndarray  # (N, u, u) of each sample
    crossing: np.ndarray  # (T - 1, u, u) between a frame of the model and the next
    gradient: np.ndarray  # (N, u)
    is_full: bool = True  # else the gradient alone is summed

    @staticmethod
    def zeros(n_samples: int, n_frames: int, size: int) -> "Sums":
        return Sums(
            np.zeros((n_samples, size, size)), np.zeros((n_frames - 1, size, size)), np.zeros((n_samples, size))
        )

    def add(self, rows: np.ndarray, residuals: np.ndarray, jacobian: np.ndarray) -> None:
        """Residuals (n, R) of some samples, each at most once, and their Jacobians (n, R, u)."""
        turned = np.swapaxes(jacobian, 1, 2)
        if self.is_full:
            self.blocks[rows] += turned @ jacobian
        self.gradient[rows] += (turned @ residuals[..., None])[..., 0]

    def add_step(self, frames: np.ndarray, residuals: np.ndarray, here: np.ndarray, there: np.ndarray) -> None:
        """Residuals (n, R) of frames of the model and the next, with Jacobians (n, R, u) by both."""
        turned, turned_there = np.swapaxes(here, 1, 2), np.swapaxes(there, 1, 2)
        if self.is_full:
            self.blocks[frames] += turned @ here
            self.blocks[frames + 1] += turned_there @ there
            self.crossing[frames] += turned @ there
        self.gradient[frames] += (turned @ residuals[..., None])[..., 0]
        self.gradient[frames + 1] += (turned_there @ residuals[..., None])[..., 0]


class Term(Protocol):
    """A part of the objective: half the sum of its squared residuals."""

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""

    def within(self, rows: np.ndarray) -> "Term | None":
        """The part that is about some samples: (N,) their new numbers, -1 of others; None if it has none."""
