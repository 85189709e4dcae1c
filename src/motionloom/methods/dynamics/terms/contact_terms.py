"""Contact terms: points of the body that rest, wherever they are."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.trajectory.normal_equations import Sums
from motionloom.methods.dynamics.trajectory.posed import Posed, Spot


@dataclass(frozen=True, eq=False)
class RestTerm:
    """Points that do not move from a frame of the model to the next, or only as far as they did before."""

    frames: np.ndarray  # (n,) from which to the next one or more of the points rest
    spots: tuple[Spot, ...]
    resting: np.ndarray  # (n, S) bool
    deviation: float  # metres a frame
    steps: np.ndarray | float = 0.0  # (n, S, 3) metres that they move: those of a motion that is edited

    @cached_property
    def _weights(self) -> np.ndarray:
        return self.resting[..., None] / self.deviation

    def _residuals(self, posed: Posed) -> np.ndarray:
        here, there = (posed.points(self.spots, frames) for frames in (self.frames, self.frames + 1))
        return ((there - here - self.steps) * self._weights).reshape(len(self.frames), -1)

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        return 0.5 * float((self._residuals(posed) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        n = len(self.frames)
        if not n:
            return
        wanted = np.unique(np.concatenate([self.frames, self.frames + 1]))
        every = posed.jacobian(self.spots, wanted)
        here, there = (every[np.searchsorted(wanted, frames)] for frames in (self.frames, self.frames + 1))
        weights = self._weights[..., None]
        size = every.shape[-1]
        sums.add_step(
            self.frames,
            self._residuals(posed),
            -(here * weights).reshape(n, -1, size),
            (there * weights).reshape(n, -1, size),
        )

    def within(self, rows: np.ndarray) -> "RestTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        here, there = rows[self.frames], rows[self.frames + 1]
        kept = (here >= 0) & (there >= 0)
        steps = self.steps[kept] if isinstance(self.steps, np.ndarray) else self.steps
        return replace(self, frames=here[kept], resting=self.resting[kept], steps=steps) if kept.any() else None
