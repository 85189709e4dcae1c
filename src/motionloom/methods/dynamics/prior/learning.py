"""Learning a prior from motions: vectors, subspace, linear system, mixture; what is given, and what is chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior, Vectors, learn_prior
from motionloom.methods.dynamics.prior.gaussian_mixture import choose_size
from motionloom.methods.dynamics.prior.likely_poses import choose_poses
from motionloom.methods.dynamics.prior.linear_system import RIDGE, LinearSystem, learn_linear_system
from motionloom.methods.dynamics.prior.order_choice import USUAL, choose_order
from motionloom.methods.dynamics.prior.point_vectors import PointVectors, learn_point_vectors
from motionloom.methods.dynamics.prior.pose_vectors import MOVES, learn_pose_vectors
from motionloom.methods.dynamics.prior.subspace import Subspace, learn_subspace
from motionloom.motion import Motion, PointMotion, rotations

HELD_POSES = 100.0  # ridge of points, which hold poses: nearly all of A is persistence
GOES_ON = 0.5  # of their last change: without it motion has corners where something is asked
LITTLE = 4  # frames for each number that a row of A has, below which data is little
HELD_OUT = 5  # every so many-th motion tells how many Gaussians there are
MOST_GAUSSIANS = 6


@dataclass(frozen=True)
class LearningSettings:
    """What is given of a prior; None is chosen."""

    dimensions: int | None = None  # d_x; None by variance
    controls: int | None = None  # d_u; None for all directions
    order: int | None = 3  # m; None by the likelihood of held-out takes
    mixtures: int | None = 1  # None by the likelihood of held-out motions
    pull: str | None = None  # "zero" or "persistence"; None by the number of frames, persistence of points
    independent_start: bool = False
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Learnt:
    """A prior with what it was made from."""

    prior: DynamicPrior
    vectors: Vectors
    subspace: Subspace
    system: LinearSystem
    takes: tuple[np.ndarray, ...]  # (F, d) coordinates of each motion
    pull: str
    likelihoods: tuple[float, ...]  # of held-out motions by 1, 2, ... Gaussians; empty where their number was given

    @property
    def n_frames(self) -> int:
        return sum(len(take) for take in self.takes)


def learn(
    motions: Sequence[Motion | PointMotion],
    settings: LearningSettings,
    groups: Sequence[object] | None = None,
) -> Learnt:
    """A prior of motions of one skeleton, or of the same points on a head, and of one rate.

    Nothing is learnt across their borders.

    Args:
        motions: at the rate of the model, at least one of more than m + 1 frames.
        settings: what is given.
        groups: of each motion; those of one group, such as a take and its mirrored copy, are left out together where
            something is chosen by held-out takes. None for a group each.
    """
    least = USUAL if settings.order is None else settings.order
    known = [
        (motion, number if groups is None else groups[number])
        for number, motion in enumerate(motions)
        if motion.n_frames > least + 1
    ]
    usable = [motion for motion, _ in known]
    if not usable:
        longest = max((motion.n_frames for motion in motions), default=0)
        raise BadInput(
            f"the longest stretch to learn from has {longest} frames of the model; order {least} needs "
            f"{least + 2}: choose longer takes, other labels, or a lower order"
        )
    vectors, written = write_lessons(usable)
    every = np.concatenate(written)
    dimensions = settings.dimensions
    if dimensions is not None and dimensions > vectors.size:
        raise BadInput(f"{dimensions} dimensions for poses of {vectors.size} numbers; give at most {vectors.size}")
    if dimensions is not None and dimensions > len(every):
        raise BadInput(
            f"{dimensions} dimensions from {len(every)} frames of the model; give at least {dimensions} frames, "
            f"{dimensions / vectors.fps:.1f} s, or fewer dimensions"
        )
    subspace = learn_subspace(every, dimensions, most=min(40, len(every), vectors.size))
    takes = [subspace.to_coordinates(each) for each in written]
    pull, of_points = settings.pull, isinstance(vectors, PointVectors)
    if pull is None:
        pull = "persistence" if of_points or len(every) < LITTLE * least * subspace.size else "zero"
    holds = of_points and pull == "persistence"
    ridge, momentum = (HELD_POSES, GOES_ON) if holds else (RIDGE, 0.0)
    order = settings.order
    if order is None:
        order = choose_order(takes, [group for _, group in known], towards=pull, ridge=ridge, momentum=momentum)
    controls = subspace.size if settings.controls is None else settings.controls
    system = learn_linear_system(takes, order, controls=controls, ridge=ridge, towards=pull, momentum=momentum)
    mixtures, likelihoods = settings.mixtures, list[float]()
    if mixtures is None:
        mixtures, likelihoods = _choose_mixtures(system, takes, settings.seed)
    prior = learn_prior(
        vectors,
        subspace,
        system,
        takes,
        mixtures=mixtures,
        seed=settings.seed,
        independent_start=settings.independent_start,
    )
    if of_points:
        prior = replace(prior, poses=choose_poses(written))
    return Learnt(prior, vectors, subspace, system, tuple(takes), pull, tuple(likelihoods))


def write_lessons(motions: Sequence[Motion | PointMotion]) -> tuple[Vectors, list[np.ndarray]]:
    """How motions are written, and the (F, D) vectors of each that can be learnt from."""
    points = [motion for motion in motions if isinstance(motion, PointMotion)]
    if points:
        of_points = learn_point_vectors(points)
        return of_points, [of_points.lessons(motion) for motion in points]
    bodies = [motion for motion in motions if isinstance(motion, Motion)]
    of_bodies = learn_pose_vectors(bodies)
    if not len(of_bodies.joints) or not any(moves(motion) for motion in bodies):
        raise BadInput("no joint moves in the chosen takes; choose takes in which the body moves")
    return of_bodies, [of_bodies.lessons(motion) for motion in bodies]


def moves(motion: Motion) -> bool:
    """Whether any joint turns; two still poses beside each other are no motion."""
    turned = rotations.angle_between(motion.local_rotations[:1], motion.local_rotations)
    return bool(np.nanmax(turned) > MOVES)


def _choose_mixtures(system: LinearSystem, takes: Sequence[np.ndarray], seed: int) -> tuple[int, list[float]]:
    """By the likelihood of the controls of motions that the mixture was not learnt from."""
    long = [take for take in takes if len(take) > system.order]
    if len(long) < 2 or not system.n_controls:
        return 1, []
    controls = [system.controls(take) for take in long]
    every = min(HELD_OUT, len(long))
    held_out = np.concatenate(controls[every - 1 :: every])
    rest = np.concatenate([one for number, one in enumerate(controls) if number % every != every - 1])
    return choose_size(rest, held_out, MOST_GAUSSIANS, seed=seed)
