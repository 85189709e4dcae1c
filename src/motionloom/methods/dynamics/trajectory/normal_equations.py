"""Normal equations: residuals of many kinds, squared and summed, over samples and from one frame to the next."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from motionloom.methods.dynamics.trajectory.posed import Posed

TOGETHER = 128  # samples that are summed at a time


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
        for part in _parts(len(rows)):
            at, own = rows[part], jacobian[part]
            turned = np.swapaxes(own, 1, 2)
            if self.is_full:
                self.blocks[at] += turned @ own
            self.gradient[at] += (turned @ residuals[part, :, None])[..., 0]

    def add_step(self, frames: np.ndarray, residuals: np.ndarray, here: np.ndarray, there: np.ndarray) -> None:
        """Residuals (n, R) of frames of the model and the next, with Jacobians (n, R, u) by both."""
        for part in _parts(len(frames)):
            at, own, its = frames[part], here[part], there[part]
            turned, turned_there = np.swapaxes(own, 1, 2), np.swapaxes(its, 1, 2)
            if self.is_full:
                self.blocks[at] += turned @ own
                self.blocks[at + 1] += turned_there @ its
                self.crossing[at] += turned @ its
            off = residuals[part, :, None]
            self.gradient[at] += (turned @ off)[..., 0]
            self.gradient[at + 1] += (turned_there @ off)[..., 0]


def _parts(n: int) -> list[slice]:
    """Of n samples, so many at a time that what is summed meanwhile stays in the cache."""
    return [slice(start, start + TOGETHER) for start in range(0, n, TOGETHER)]


class Term(Protocol):
    """A part of the objective: half the sum of its squared residuals."""

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""

    def within(self, rows: np.ndarray) -> "Term | None":
        """The part that is about some samples: (N,) their new numbers, -1 of others; None if it has none."""
