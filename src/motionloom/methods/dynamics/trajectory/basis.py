"""Basis: a curve over time from knots, and its values at any times as sums of four knots.

Two kinds: every frame of the model is a knot, with Catmull-Rom curves between them; or uniform cubic B-splines, whose
knots are some frames apart (section 5.3).
"""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput


@dataclass(frozen=True)
class Basis:
    """Curves over T frames of a model."""

    n_frames: int  # T
    spacing: float = 0.0  # frames between the knots of B-splines; 0 for a knot in every frame

    def __post_init__(self) -> None:
        if self.n_frames < 2:
            raise BadInput(f"a motion of {self.n_frames} frames of the model; give a longer one")
        if self.spacing and not 1 <= self.spacing < np.inf:
            raise BadInput(f"knots every {self.spacing:g} frames; give 1 or more, or 0 for every frame")

    @property
    def n_knots(self) -> int:
        if not self.spacing:
            return max(self.n_frames, 4)
        return max(int(np.ceil((self.n_frames - 1) / self.spacing - 1e-9)), 1) + 3

    def rows(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(N,) the first knot and (N, 4) weights of four knots at (N,) times, in frames of the model."""
        times = np.clip(np.asarray(times, float), 0.0, self.n_frames - 1.0)
        return self._spline_rows(times) if self.spacing else self._frame_rows(times)

    def fit(self, values: np.ndarray) -> np.ndarray:
        """(K, n) knots whose curve is nearest to (T, n) values at the frames of the model."""
        if not self.spacing:
            padding = self.n_knots - self.n_frames
            return np.concatenate([values, np.repeat(values[-1:], padding, axis=0)]) if padding else values.copy()
        first, weights = self.rows(np.arange(self.n_frames))
        dense = np.zeros((self.n_frames, self.n_knots))
        np.put_along_axis(dense, first[:, None] + np.arange(4), weights, axis=1)
        knots = np.eye(self.n_knots)  # what few frames leave open bends as little as it can
        bends = np.vstack([1e-5 * np.diff(knots, n=3, axis=0), 1e-7 * np.diff(knots, n=2, axis=0)])
        return np.linalg.lstsq(np.vstack([dense, bends]), np.vstack([values, np.zeros((len(bends), values.shape[1]))]))[
            0
        ]

    def _frame_rows(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        last = self.n_frames - 1
        before = np.clip(np.floor(times + 1e-9).astype(int), 0, max(last - 1, 0))
        u = np.clip(times - before, 0.0, 1.0)
        u = np.where(np.abs(u - np.round(u)) < 1e-9, np.round(u), u)
        u2, u3 = u * u, u * u * u
        cubic = 0.5 * np.stack(
            [-u3 + 2 * u2 - u, 3 * u3 - 5 * u2 + 2, -3 * u3 + 4 * u2 + u, u3 - u2], axis=-1
        )  # of the frames before - 1, before, before + 1, before + 2
        first = np.clip(before - 1, 0, max(self.n_knots - 4, 0))
        weights = np.zeros((len(times), 4))
        rows = np.arange(len(times))
        for number in range(4):
            frame, weight = before - 1 + number, cubic[:, number]
            beyond, short = frame > last, frame < 0
            for mirror, near, far in ((short, 0, 1), (beyond, last, last - 1)):  # 2 p_near - p_far
                np.add.at(weights, (rows[mirror], near - first[mirror]), 2 * weight[mirror])
                np.add.at(weights, (rows[mirror], far - first[mirror]), -weight[mirror])
            inside = ~(beyond | short)
            np.add.at(weights, (rows[inside], (frame - first)[inside]), weight[inside])
        return first, weights

    def _spline_rows(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        along = times / self.spacing
        first = np.clip(np.floor(along + 1e-12).astype(int), 0, self.n_knots - 4)
        u = along - first
        u2, u3 = u * u, u * u * u
        weights = np.stack([(1 - u) ** 3, 3 * u3 - 6 * u2 + 4, -3 * u3 + 3 * u2 + 3 * u + 1, u3], axis=-1) / 6
        return first, weights
