"""Demand: one thing that is asked, from the objective to the report."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, is_dataclass
from functools import cached_property

import numpy as np

from motionloom.constraints import OrientationTarget, PositionTarget
from motionloom.features.facing import find_facing
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, PointMotion, kinematics

METRES, DEGREES, PIXELS = "m", "deg", "px"
HARD_METRES, HARD_DEGREES = 1e-3, 0.1  # within which hard demands are met
HARD_PIXELS = 0.5  # within which two places on a picture are one
POSE_WITHIN, TURN_WITHIN = 0.3, 0.5  # degrees of usual deviation
POINT_WITHIN, PATH_WITHIN = 0.001, 0.005  # metres: of a point in some frames, and over a range of frames
PLACE_WITHIN = 0.005  # metres
HARD_SHARE = 0.5  # of the usual deviation: hard demands pull more, so that the last pass changes little
SOFT_METRES, SOFT_DEGREES, SOFT_PIXELS = 0.02, 3.0, 5.0  # within which other demands count as met
USUAL_DEVIATIONS = 3.0  # or so many of their deviations, if that is more


@dataclass(frozen=True, eq=False)
class Finished:
    """A motion of F frames with its joints, or its points, in the world."""

    frames: Motion | PointMotion
    positions: np.ndarray  # (F, J, 3)
    turned: np.ndarray  # (F, J, 4); of points (F, 0, 4)

    @staticmethod
    def of(motion: Motion | PointMotion) -> "Finished":
        if isinstance(motion, PointMotion):
            return Finished(motion, motion.positions, np.zeros((motion.n_frames, 0, 4)))
        return Finished(motion, *kinematics.world(motion))

    @property
    def motion(self) -> Motion:
        """Of a body."""
        assert isinstance(self.frames, Motion)
        return self.frames

    def at(self, spot: Spot, frames: np.ndarray) -> np.ndarray:
        """(n, 3) metres, world: a point in (n,) frames."""
        if isinstance(self.frames, PointMotion):
            return self.positions[frames, spot.joint]
        joints, offsets = np.array([spot.joint]), np.array([spot.offset])
        return kinematics.attached_positions(self.positions[frames], self.turned[frames], joints, offsets)[:, 0]

    @cached_property
    def headings(self) -> np.ndarray:
        """(F,) radians."""
        return find_facing(self.motion.skeleton, self.positions)[0]


@dataclass(frozen=True, eq=False)
class BendTarget:
    """A knee or an elbow bent so far in some frames."""

    limb: str  # of `hinges.LIMBS`
    frames: np.ndarray  # (n,)
    radians: float


Target = PositionTarget | OrientationTarget | BendTarget


@dataclass(frozen=True, eq=False)
class Demand:
    """What is asked of some frames: the term that pulls, and how a finished motion is measured."""

    name: str
    frames: np.ndarray  # (n,) of the motion: what is measured
    pulled: np.ndarray  # (k,) of the motion: what the term is about
    make_term: Callable[[np.ndarray], Term]  # from (k,) samples
    measure: Callable[[Finished], np.ndarray]  # (n,) misses
    unit: str
    tolerance: float | None  # in the unit; None where nothing was promised
    is_hard: bool = False
    aim: Callable[[Finished], tuple[Target, ...]] | None = None  # what the last pass has to reach
    joints: frozenset[int] = field(default_factory=frozenset)  # that it is about
    about: Hashable = None  # what it fixes, the same for demands that fix the same; None for none that can be compared
    fixed: np.ndarray | None = None  # (n, 1) or (n, 3) in the unit, nan where free, or (n, 4) joint to world
    is_rest: bool = False  # that a point rests
    spots: tuple[Spot, ...] = ()  # points of the body whose positions alone decide it
    make_exact: Callable[[np.ndarray], Term] | None = None  # from (n,) samples, of points: what must hold exactly
    out_of_reach: str = ""  # why it cannot be met, where that is known before
    fixed_unit: str = ""  # of what it fixes, where that is another one

    @property
    def compared_in(self) -> str:
        return self.fixed_unit or self.unit


@dataclass(frozen=True, eq=False)
class Key:
    """A pose in a frame: what the subspace cannot show of it, and how it is met exactly."""

    frame: int
    name: str
    vector: np.ndarray  # (D,) scaled; nan where it is not given
    is_hard: bool
    joints: tuple[int, ...] | None  # those that are given, or points; None for all


@dataclass(frozen=True, eq=False)
class PoseKey(Key):
    """A pose of a body in a frame."""

    pose: Motion  # one frame, at the origin looking along +z
    place: np.ndarray  # (3,) metres and radians; nan where it is free


def tolerance_of(is_hard: bool, deviation: float, hard: float, soft: float) -> float:
    """Within which a demand is met."""
    return hard if is_hard else max(soft, USUAL_DEVIATIONS * deviation)


def pull_alike(one: Demand | None, other: Demand | None) -> bool:
    """Whether two demands pull alike."""
    if one is None or other is None or not np.array_equal(one.pulled, other.pulled):
        return False
    return _alike(one.make_term(one.pulled), other.make_term(other.pulled))


def _alike(one: object, other: object) -> bool:
    """Whether two terms, or parts of them, are of the same numbers."""
    if not is_dataclass(one):
        return np.array_equal(one, other)  # type: ignore[arg-type]
    mine, others = vars(one), vars(other) if type(one) is type(other) else {}
    return mine.keys() == others.keys() and all(_alike(value, others[name]) for name, value in mine.items())
