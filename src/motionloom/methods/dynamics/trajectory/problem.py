"""Problem: knots of a motion, the prior and what must hold; the objective that is minimized (equations 3 and 10 to 16).

    minus log prior(x)  +  half the sum over ties and demands of (residual / deviation)^2

Poses are a reference plus C times the coordinates x: the mean and what the subspace cannot show of given poses, or the
frames of a motion that is edited. The prior of an edit is on the change alone, so nothing asked is nothing changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.point_vectors import PointVectors
from motionloom.methods.dynamics.prior.pose_vectors import N_GROUND, SPEED, TURN
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.normal_equations import Sums, Term
from motionloom.methods.dynamics.trajectory.posed import Posed, PosedBodies
from motionloom.methods.dynamics.trajectory.posed_points import PosedPoints
from motionloom.motion.placement import direction_of

TIE = 0.01  # metres and radians per second by which a step may differ from the velocity of its pose


@dataclass(frozen=True, eq=False)
class Reference:
    """What coordinates are relative to, at N samples."""

    vectors: np.ndarray  # (N, D) scaled
    places: np.ndarray  # (N, p): 3 of bodies, 0 of points
    still: np.ndarray | None = None  # (N, J, 4) of a body, or the head of points (N, 7): what vectors say nothing of
    is_source: bool = False  # frames of a motion that is edited


@dataclass(frozen=True, eq=False)
class Problem:
    """All that an objective is made of. Samples are the T frames of the model, then other times."""

    prior: DynamicPrior
    basis: Basis
    times: np.ndarray  # (N,) frames of the model: 0, 1, ..., T - 1, then others
    reference: Reference  # at these times
    terms: tuple[Term, ...]
    prior_weight: float = 1.0
    tie: float = TIE
    is_placed: bool = True  # whether something is asked of places; else poses alone say where they go
    kept: dict = field(default_factory=dict)  # matrices that are the same for all knots
    fixed: tuple[int, int] = (0, 0)  # knots at the start and at the end that stay as they are

    @property
    def n_unknowns(self) -> int:
        """Per knot: d + p."""
        return self.prior.size + self.prior.vectors.n_places

    @property
    def n_frames(self) -> int:
        """T."""
        return self.basis.n_frames

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        return self.basis.rows(self.times)

    def at_samples(self, knots: np.ndarray) -> np.ndarray:
        """(N, d + p) of (K, d + p) knots."""
        return curve_values(self.rows, knots)

    def posed(self, values: np.ndarray) -> Posed:
        """Bodies or points at the samples."""
        size, directions, codec = self.prior.size, self.prior.subspace.directions, self.prior.vectors
        vectors = self.reference.vectors + values[:, :size] @ directions.T
        places, still = self.reference.places + values[:, size:], self.reference.still
        if isinstance(codec, PointVectors):
            return PosedPoints(codec, directions, vectors, places, still)
        return PosedBodies(codec, directions, vectors, places, still)

    @property
    def is_tied(self) -> bool:
        """Whether frames have places that the velocities of poses lead to."""
        return self.prior.vectors.n_places > 0

    def objective(self, knots: np.ndarray) -> float:
        """What is minimized."""
        values = self.at_samples(knots)
        posed = self.posed(values)
        return self.prior_cost(values) + self.tie_cost(posed) + sum(term.cost(posed) for term in self.terms)

    def costs(self, knots: np.ndarray) -> dict[str, float]:
        """The parts of the objective, by name."""
        values = self.at_samples(knots)
        posed = self.posed(values)
        demands = sum(term.cost(posed) for term in self.terms)
        return {"prior": self.prior_cost(values), "ground": self.tie_cost(posed), "demands": demands}

    def prior_cost(self, values: np.ndarray) -> float:
        coordinates = values[: self.n_frames, : self.prior.size]
        return self.prior_weight * self.prior.energy(coordinates, self.reference.is_source)

    # ---- the ties of places to velocities

    def tie_cost(self, posed: Posed) -> float:
        if not self.is_tied:
            return 0.0
        return 0.5 * float((self._tie_residuals(posed) ** 2).sum())

    def _tie_residuals(self, posed: Posed) -> np.ndarray:
        """(T - 1, 3) deviations."""
        found = self._steps_off(posed.vectors[: self.n_frames], posed.places[: self.n_frames])
        return (found - self._source_ties) / self.tie

    @cached_property
    def _source_ties(self) -> np.ndarray | float:
        if not self.reference.is_source:
            return 0.0
        n = self.n_frames
        return self._steps_off(self.reference.vectors[:n], self.reference.places[:n])

    def _steps_off(self, vectors: np.ndarray, places: np.ndarray) -> np.ndarray:
        """(T - 1, 3) metres and radians per second that steps over the ground differ from the velocities of poses."""
        speeds = vectors[:-1, :N_GROUND] / np.array([SPEED, SPEED, TURN])
        sine, cosine = np.sin(places[:-1, 2]), np.cos(places[:-1, 2])
        forward, left = speeds[:, 0], speeds[:, 1]
        moved = np.stack([forward * sine + left * cosine, forward * cosine - left * sine, speeds[:, 2]], axis=-1)
        return np.diff(places, axis=0) * self.prior.fps - moved

    def _tie_jacobians(self, posed: Posed) -> tuple[np.ndarray, np.ndarray]:
        """(T - 1, 3, u) of steps by the unknowns of a frame and of the next."""
        n, size = self.n_frames, self.prior.size
        vectors, places = posed.vectors[:n], posed.places[:n]
        speeds = vectors[:-1, :N_GROUND] / np.array([SPEED, SPEED, TURN])
        sine, cosine = np.sin(places[:-1, 2]), np.cos(places[:-1, 2])
        ground = self.prior.subspace.directions[:N_GROUND] / np.array([[SPEED], [SPEED], [TURN]])  # (3, d)
        here = np.zeros((n - 1, 3, size + 3))
        here[:, 0, :size] = -(sine[:, None] * ground[0] + cosine[:, None] * ground[1])
        here[:, 1, :size] = -(cosine[:, None] * ground[0] - sine[:, None] * ground[1])
        here[:, 2, :size] = -ground[2]
        here[:, [0, 1, 2], [size, size + 1, size + 2]] = -self.prior.fps
        here[:, 0, size + 2] = -(speeds[:, 0] * cosine - speeds[:, 1] * sine)
        here[:, 1, size + 2] = speeds[:, 0] * sine + speeds[:, 1] * cosine
        there = np.zeros_like(here)
        there[:, [0, 1, 2], [size, size + 1, size + 2]] = self.prior.fps
        return here, there

    def _add_ties(self, sums: Sums, posed: Posed) -> None:
        if not self.is_tied:
            return
        here, there = self._tie_jacobians(posed)
        sums.add_step(np.arange(self.n_frames - 1), self._tie_residuals(posed), here / self.tie, there / self.tie)

    def walked(self, knots: np.ndarray, step: np.ndarray) -> np.ndarray:
        """(K, u) knots after a step, with the places that the new velocities lead to.

        A step that bends a path leaves the line that it was found on; where nothing else is asked of places, they
        follow from what poses say.
        """
        n, size = self.n_frames, self.prior.size
        before, change = self.at_samples(knots)[:n], curve_values(self.rows, step)[:n]
        posed = self.posed(self.at_samples(knots))
        here, there = self._tie_jacobians(posed)
        off = self._steps_off(posed.vectors[:n], posed.places[:n])
        off = off + (here @ change[:-1, :, None])[..., 0] + (there @ change[1:, :, None])[..., 0]  # as foreseen
        after = before + change
        vectors = self.reference.vectors[:n] + after[:, :size] @ self.prior.subspace.directions.T
        speeds = vectors[:-1, :N_GROUND] / np.array([SPEED, SPEED, TURN])
        places = self.reference.places[:n] + after[:, size:]
        places[1:, 2] = places[0, 2] + np.cumsum((speeds[:, 2] + off[:, 2]) / self.prior.fps)
        ahead = direction_of(places[:-1, 2])
        aside = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)
        moved = speeds[:, :1] * ahead + speeds[:, 1:2] * aside + off[:, :2]
        places[1:, :2] = places[0, :2] + np.cumsum(moved / self.prior.fps, axis=0)
        after[:, size:] = places - self.reference.places[:n]
        found = knots + step
        found[:, size:] = self.basis.fit(after)[:, size:]
        return found

    # ---- the whole as banded normal equations

    def linearize(self, knots: np.ndarray, bands: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Bands (K u, width) of the matrix and the (K u,) gradient.

        Args:
            knots: (K, u).
            bands: written over, if given: matrices of a minute are too large to be asked of the system each time.
        """
        from motionloom.methods.dynamics.trajectory import _kernels

        values, sums = self._sums(knots)
        bands = self.empty_bands() if bands is None else bands
        np.copyto(bands, self._prior_bands(values))
        first, weights = self.rows
        _kernels.add_blocks(bands, first, weights, first, weights, sums.blocks, True)
        n = self.n_frames - 1
        _kernels.add_blocks(bands, first[:n], weights[:n], first[1 : n + 1], weights[1 : n + 1], sums.crossing, False)
        self._fix(bands)
        return bands, self._by_knots(values, sums)

    def _fix(self, bands: np.ndarray) -> None:
        """Leave knots out that stay: none of the others are bound to them."""
        start, end = (count * self.n_unknowns for count in self.fixed)
        bands[:start], bands[:start, 0] = 0.0, 1.0
        first = len(bands) - end
        for column in range(max(first - self.width + 1, 0), first if end else 0):
            bands[column, first - column :] = 0.0
        bands[first:], bands[first:, 0] = 0.0, 1.0

    def empty_bands(self) -> np.ndarray:
        """(K u, width) to be written over."""
        return np.empty((self.basis.n_knots * self.n_unknowns, self.width))

    def gradient(self, knots: np.ndarray) -> np.ndarray:
        """(K u,) of the objective."""
        return self._by_knots(*self._sums(knots, is_full=False))

    def _sums(self, knots: np.ndarray, is_full: bool = True) -> tuple[np.ndarray, Sums]:
        """Values at the samples, and what ties and terms sum to there."""
        values = self.at_samples(knots)
        posed = self.posed(values)
        sums = Sums.zeros(len(self.times), self.n_frames, self.n_unknowns)
        sums.is_full = is_full
        self._add_ties(sums, posed)
        for term in self.terms:
            term.add_to(sums, posed)
        return values, sums

    def _by_knots(self, values: np.ndarray, sums: Sums) -> np.ndarray:
        """(K u,) the gradient of the knots."""
        from motionloom.methods.dynamics.trajectory import _kernels

        sums.gradient[: self.n_frames, : self.prior.size] += self._prior_gradient(values)
        gradient = np.zeros((self.basis.n_knots, self.n_unknowns))
        _kernels.add_vectors(gradient, *self.rows, sums.gradient)
        gradient[: self.fixed[0]] = gradient[len(gradient) - self.fixed[1] :] = 0.0
        return gradient.ravel()

    def has_matrices_of(self, other: "Problem") -> bool:
        """Whether what is the same for all knots is that of another problem."""
        mine, others = self.prior, other.prior
        is_same = (self.basis, self.prior_weight, mine.free, self.reference.is_source) == (
            other.basis,
            other.prior_weight,
            others.free,
            other.reference.is_source,
        )
        return is_same and all(
            np.array_equal(one, another)
            for one, another in (
                (mine.subspace.directions, others.subspace.directions),
                (mine.transitions, others.transitions),
                (mine.noise.means, others.noise.means),
                (mine.noise.covariances, others.noise.covariances),
                (mine.start_precision, others.start_precision),
            )
        )

    @cached_property
    def width(self) -> int:
        """Bands below the diagonal and the diagonal."""
        first, _ = self.rows
        frames = first[: self.n_frames]
        order = self.prior.order
        reach = int((frames[order:] + 3 - frames[: len(frames) - order]).max()) if len(frames) > order else 3
        if not self.basis.spacing:  # frames are knots themselves, times between them sums of four
            reach = max(order, 3)
        return (min(reach, self.basis.n_knots - 1) + 1) * self.n_unknowns

    def _bound(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.prior.bound(values[: self.n_frames, : self.prior.size], self.reference.is_source)

    def _prior_bands(self, values: np.ndarray) -> np.ndarray:
        is_constant = self.prior.noise.size == 1 or self.reference.is_source
        if is_constant and "bands" in self.kept:
            return self.kept["bands"]
        precisions, _ = self._bound(values)
        bands = prior_bands(self, precisions)
        if is_constant:
            self.kept["bands"] = bands
        return bands

    def _prior_gradient(self, values: np.ndarray) -> np.ndarray:
        """(T, d) of the prior's cost by the coordinates of frames."""
        prior, size = self.prior, self.prior.size
        coordinates = values[: self.n_frames, :size]
        precisions, means = self._bound(values)
        pulls = (precisions @ (prior.errors(coordinates) - means)[..., None])[..., 0]  # (T - m, d)
        gradient = np.zeros((self.n_frames, size))
        m = prior.order
        for lag, part in enumerate(prior.lags):
            gradient[m - lag : self.n_frames - lag] += pulls @ part
        start = (coordinates[:m] - (0.0 if self.reference.is_source else prior.start_mean)).ravel()
        gradient[:m] += (prior.start_precision @ start).reshape(m, size)
        return self.prior_weight * gradient


def prior_bands(problem: Problem, precisions: np.ndarray) -> np.ndarray:
    """(K u, width) bands of the prior's quadratic form, of (T - m or 1, d, d) precisions of the errors."""
    from motionloom.methods.dynamics.trajectory import _kernels

    prior, size, u = problem.prior, problem.prior.size, problem.n_unknowns
    bands = np.zeros((problem.basis.n_knots * u, problem.width))
    first, weights = problem.rows
    n, m = problem.n_frames, prior.order
    for above in range(m + 1):
        for beside in range(above, m + 1):
            blocks = np.zeros((len(precisions), u, u))
            blocks[:, :size, :size] = problem.prior_weight * (prior.lags[above].T @ precisions @ prior.lags[beside])
            a, b = slice(m - above, n - above), slice(m - beside, n - beside)
            _kernels.add_blocks(bands, first[a], weights[a], first[b], weights[b], blocks, above == beside)
    start = problem.prior_weight * prior.start_precision.reshape(m, size, m, size)
    for above in range(m):
        for beside in range(above, m):
            block = np.zeros((1, u, u))
            block[0, :size, :size] = start[above, :, beside]
            a, b = slice(above, above + 1), slice(beside, beside + 1)
            _kernels.add_blocks(bands, first[a], weights[a], first[b], weights[b], block, above == beside)
    return bands


def curve_values(rows: tuple[np.ndarray, np.ndarray], knots: np.ndarray) -> np.ndarray:
    """(N, n) sums of four of (K, n) knots each."""
    first, weights = rows
    return np.einsum("nk,nki->ni", weights, knots[first[:, None] + np.arange(4)])


def dense_of(bands: np.ndarray) -> np.ndarray:
    """The symmetric matrix of (n, width) lower bands; for tests and small problems."""
    n, width = bands.shape
    full = np.zeros((n, n))
    for offset in range(min(width, n)):
        index = np.arange(n - offset)
        full[index + offset, index] = bands[: n - offset, offset]
        full[index, index + offset] = bands[: n - offset, offset]
    return full


def usual_times(n_frames: int, others: Sequence[float]) -> np.ndarray:
    """Samples: every frame of the model, then other times that are not among them."""
    frames = np.arange(n_frames, dtype=float)
    between = sorted({float(time) for time in others if abs(time - round(time)) > 1e-6})
    return np.concatenate([frames, between])
