"""Optimized motion: a request as one problem, and its solutions as motions (section 5.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.demands.asked_faces import AskedFace
from motionloom.methods.dynamics.demands.demand import Key
from motionloom.methods.dynamics.demands.read_demands import Demands
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.likely_poses import widened_between
from motionloom.methods.dynamics.prior.subspace import likeliest_coordinates
from motionloom.methods.dynamics.references import References
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.methods.dynamics.trajectory.problem import Problem, curve_values, usual_times
from motionloom.motion import Motion, PointMotion


@dataclass(frozen=True, eq=False)
class Optimization:
    """All that is known of a request before it is solved."""

    setting: Setting
    demands: Demands
    references: References
    problem: Problem
    moved: np.ndarray  # (F, p) by which places start away from the references, up to the last frame of the model
    faces: tuple[AskedFace, ...] = ()  # of points: poses that are likely where no whole ones are given

    @cached_property
    def start(self) -> np.ndarray:
        """(K, d + p) knots: a line between the keys; turned all round where an edit is asked to turn so far."""
        step = self.setting.step
        values = np.concatenate([self.references.start[::step], self.moved[::step]], axis=1)
        return self.problem.basis.fit(values)

    @cached_property
    def _frame_rows(self) -> tuple[np.ndarray, np.ndarray]:
        return self.problem.basis.rows(np.arange(self.setting.n_frames) / self.setting.step)

    def motion(self, knots: np.ndarray) -> Motion | PointMotion:
        """The F frames of a solution."""
        setting, prior = self.setting, self.problem.prior
        values = curve_values(self._frame_rows, knots)
        reference = self.references.at(np.arange(setting.n_frames))
        vectors = reference.vectors + values[:, : prior.size] @ prior.subspace.directions.T
        motion = prior.vectors.decode(vectors, reference.places + values[:, prior.size :], reference.still)
        return replace(motion, fps=setting.fps)


@dataclass(frozen=True, eq=False)
class Clock:
    """The samples of a problem."""

    times: np.ndarray  # (N,) frames of the model
    frames: np.ndarray  # (N,) of the motion

    @staticmethod
    def of(setting: Setting, demands: Demands) -> "Clock":
        """Every frame of the model, and those between them that something is asked of."""
        asked = [frame / setting.step for demand in demands.parts for frame in demand.pulled]
        times = usual_times(setting.n_model_frames, asked)
        return Clock(times, np.round(times * setting.step).astype(int))

    def terms(self, demands: Demands) -> list[Term]:
        """What pulls."""
        return [demand.make_term(self.rows(demand.pulled)) for demand in demands.parts if len(demand.pulled)]

    def rows(self, frames: Sequence[int] | np.ndarray) -> np.ndarray:
        """(n,) samples of frames of the motion."""
        return np.array([self._rows[int(frame)] for frame in frames])

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {int(frame): row for row, frame in enumerate(self.frames)}


def make_problem(
    setting: Setting,
    prior: DynamicPrior,
    clock: Clock,
    references: References,
    terms: Sequence[Term],
    *,
    is_placed: bool,
    earlier: Optimization | None,
) -> Problem:
    """The problem of a request; what is the same for all knots is kept from an earlier one."""
    request = setting.request
    basis = Basis(setting.n_model_frames, request.knots)
    reference = references.at(clock.frames)
    problem = Problem(prior, basis, clock.times, reference, tuple(terms), request.prior_weight, is_placed=is_placed)
    if earlier is not None and problem.has_matrices_of(earlier.problem):
        return replace(problem, kept=earlier.problem.kept)
    return problem


def with_keys(setting: Setting, prior: DynamicPrior, keys: Sequence[Key]) -> DynamicPrior:
    """Where poses are held, or data is little, the differences of given keys are likely too."""
    whole = [key for key in keys if key.joints is None]
    if prior.name != "dynamics" or not setting.model.is_persistent or len(whole) < 2:
        return prior
    found = np.array([likeliest_coordinates(prior.subspace, key.vector) for key in whole])
    frames = np.array([key.frame for key in whole]) / setting.step
    return widened_between(prior, frames, found)
