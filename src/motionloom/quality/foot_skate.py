"""Foot skate: distance that feet slide over the ground while they are in contact."""

from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import POINTS
from motionloom.motion import Motion
from motionloom.quality.input_checks import check_contacts, check_points

GROUND = [0, 2]  # x and z


@dataclass(frozen=True)
class FarthestStep:
    """The largest displacement of a planted point from one frame to the next."""

    millimetres: float
    frame: int  # the later one of the two
    point: str  # one of features.feet.POINTS


@dataclass(frozen=True)
class Skate:
    """Foot skate of all four points; all zero if no point is in contact for two frames in a row."""

    cm_per_second: float  # path length over the ground per second of contact, the four points pooled
    contact_seconds: float  # from frame to next frame with the point in contact in both, summed over the points
    point_cm_per_second: tuple[float, ...]  # the same for each of POINTS; 0 where it has no contact
    point_seconds: tuple[float, ...]  # contact seconds of each of POINTS
    farthest: FarthestStep | None  # in 3D, with the vertical; None without contacts

    @property
    def farthest_mm(self) -> float:
        """Millimetres per frame in 3D; 0 without contacts."""
        return self.farthest.millimetres if self.farthest else 0.0

    def describe(self) -> str:
        """One sentence for users."""
        if self.farthest is None:
            return "no contacts, so no skate to measure"
        return (
            f"{self.cm_per_second:.2f} cm of skate per contact second over {self.contact_seconds:.1f} s; "
            f"farthest {self.farthest_mm:.2f} mm in a frame, {self.farthest.point} at frame {self.farthest.frame}"
        )


def measure_skate(
    motion: Motion, contacts: np.ndarray, floor_height: float = 0.0, *, points: np.ndarray | None = None
) -> Skate:
    """Measure how far heels and balls slide between consecutive frames in both of which they are in contact.

    Contacts are an input, so that an edited motion is measured with the contacts of its source: detecting fewer
    contacts must not count as less skate.

    Args:
        motion: of a skeleton with at least one foot.
        contacts: (F, 4) bool in the order of `features.feet.POINTS`.
        floor_height: metres, world.
        points: (F, 4, 3) metres, world: heels and balls if they are computed already, such as with the heel offsets of
            the source; None for `features.feet.foot_points` of this motion.
    """
    points = check_points(motion, points, floor_height)
    flags = check_contacts(contacts, points)
    planted = flags[1:] & flags[:-1]  # (F - 1, 4)
    moves = np.where(planted[..., None], np.diff(points, axis=0), 0.0)
    over_ground = np.linalg.norm(moves[..., GROUND], axis=-1)  # (F - 1, 4) metres
    in_space = np.linalg.norm(moves, axis=-1)
    seconds = planted.sum(axis=0) / motion.fps  # (4,)
    paths = over_ground.sum(axis=0)
    return Skate(
        cm_per_second=100 * _per(paths.sum(), seconds.sum()),
        contact_seconds=float(seconds.sum()),
        point_cm_per_second=tuple(100 * _per(path, time) for path, time in zip(paths, seconds)),
        point_seconds=tuple(seconds.tolist()),
        farthest=_farthest(in_space, planted),
    )


def _per(path: float, seconds: float) -> float:
    return float(path / seconds) if seconds else 0.0


def _farthest(steps: np.ndarray, planted: np.ndarray) -> FarthestStep | None:
    if not planted.any():
        return None
    step, point = np.unravel_index(np.where(planted, steps, -1.0).argmax(), steps.shape)
    return FarthestStep(1000 * float(steps[step, point]), int(step) + 1, POINTS[point])
