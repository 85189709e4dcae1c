"""Mirrored points: motions of points that are nearly symmetrical, in a mirror: left and right are learnt alike."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import PointMotion

REFITS = 8  # of the plane and of who is opposite to whom
USUAL, MOST = 0.03, 0.1  # of the extent: points from mirror images of others, root mean square and at most


@dataclass(frozen=True, eq=False)
class Mirror:
    """A plane, and which point is the mirror image of which."""

    opposite: np.ndarray  # (M,) int: its own inverse
    normal: np.ndarray  # (3,) unit vector across the plane
    rest: np.ndarray  # (M, 3) metres: points at rest, which stay where they are

    def mirrored(self, motion: PointMotion) -> PointMotion:
        """The motion that each point makes from rest, made by the one opposite, the other way across."""
        moved = np.asarray(motion.positions, float) - self.rest
        turned = moved - 2 * (moved @ self.normal)[..., None] * self.normal
        return replace(motion, positions=self.rest + turned[:, self.opposite])


def find_mirror(rest: np.ndarray) -> Mirror | None:
    """The mirror of points at rest (M, 3), metres; None where they are not symmetrical enough.

    Args:
        rest: in any frame; a plane across x is tried first, then those across the directions in which points extend.
    """
    extent = float(np.ptp(rest, axis=0).max())
    _, _, across = np.linalg.svd(rest - rest.mean(axis=0))
    found = [_refit(rest, normal) for normal in (np.array([1.0, 0.0, 0.0]), *across)]
    error, mirror = min(found, key=lambda each: float(np.sqrt((each[0] ** 2).mean())))
    is_paired = bool((mirror.opposite[mirror.opposite] == np.arange(len(rest))).all())
    is_near = float(np.sqrt((error**2).mean())) <= USUAL * extent and error.max() <= MOST * extent
    return mirror if is_paired and is_near and len(rest) > 3 else None


def _refit(rest: np.ndarray, normal: np.ndarray) -> tuple[np.ndarray, Mirror]:
    """(M,) metres between points and mirror images, and the mirror, of a plane across a direction or near it."""
    from scipy.optimize import linear_sum_assignment

    middle = rest.mean(axis=0)
    for _ in range(REFITS):
        seen = rest - 2 * ((rest - middle) @ normal)[:, None] * normal
        apart = np.linalg.norm(rest[:, None] - seen, axis=-1)  # of point i from the image of point j
        opposite = linear_sum_assignment(apart**2)[1]
        error = apart[np.arange(len(rest)), opposite]
        between = rest - rest[opposite]
        if not np.any(between):
            break
        _, _, directions = np.linalg.svd(between)
        normal, middle = directions[0], (rest + rest[opposite]).mean(axis=0) / 2
    return error, Mirror(opposite, normal, rest)
