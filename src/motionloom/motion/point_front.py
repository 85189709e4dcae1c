"""The front of points at rest: which way the markers of a face look.

Markers of a face cover the front of a head, alike on its left and its right. A ball through them has its middle inside
the head, so they look from there to where they are; the plane that they are mirror images at says it exactly.
"""

import numpy as np

FEWEST, MOST = 8, 500  # points of a face
ROUNDEST, ONE_SIDED = 0.25, 0.3  # root mean square distance from the ball, and way from its middle, / its radius
EVENEST = 0.2  # root mean square miss of mirror images / size of the points
PAIRED = 0.9  # of the points that must have a mirror image: one can be missing
_ROUNDS = 20


def find_front(points: np.ndarray) -> float | None:
    """The heading of a face, radians (0 is +z), from its markers at rest (M, 3), y up; None if they are of no face."""
    points = points[np.isfinite(points).all(axis=-1)]
    if not FEWEST <= len(points) <= MOST:
        return None
    points = points - points.mean(axis=0)
    middle, radius = _fit_ball(points)
    away = np.hypot(middle[0], middle[2])
    from_ball = np.linalg.norm(points - middle, axis=-1) - radius
    if away < ONE_SIDED * radius or np.sqrt(np.mean(from_ball**2)) > ROUNDEST * radius:
        return None
    return _find_mirror_heading(points, float(np.arctan2(-middle[0], -middle[2])))


def _fit_ball(points: np.ndarray) -> tuple[np.ndarray, float]:
    """Middle (3,) and radius of the ball whose surface is nearest to points, in the algebraic sense."""
    system = np.column_stack([2 * points, np.ones(len(points))])
    solution = np.linalg.lstsq(system, (points**2).sum(axis=-1), rcond=None)[0]
    middle = solution[:3]
    return middle, float(np.sqrt(max(solution[3] + middle @ middle, 0.0)))


def _find_mirror_heading(points: np.ndarray, heading: float) -> float | None:
    """The heading along the vertical plane at which points (M, 3) are mirror images, near to a first one."""
    across, offset = _across(heading), 0.0
    for _ in range(_ROUNDS):
        partners = points[_nearest(_mirror(points, across, offset), points)]
        apart = (points - partners)[:, [0, 2]]
        x, z = np.linalg.eigh(apart.T @ apart)[1][:, 1]
        found = np.array([x, 0.0, z])
        across = found if found @ across >= 0 else -found
        offset = float(np.mean((points + partners) @ across / 2))
    mirrored = _mirror(points, across, offset)
    miss = np.sort(np.linalg.norm(mirrored - points[_nearest(mirrored, points)], axis=-1))
    miss = miss[: int(np.ceil(PAIRED * len(miss)))]
    if np.sqrt(np.mean(miss**2)) > EVENEST * np.sqrt(np.mean((points**2).sum(axis=-1))):
        return None
    return float(np.arctan2(-across[2], across[0]))


def _across(heading: float) -> np.ndarray:
    """The unit vector to the left of a heading."""
    return np.array([np.cos(heading), 0.0, -np.sin(heading)])


def _mirror(points: np.ndarray, across: np.ndarray, offset: float) -> np.ndarray:
    return points - 2 * (points @ across - offset)[:, None] * across


def _nearest(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(M,) the other point nearest to each."""
    return np.linalg.norm(points[:, None] - others, axis=-1).argmin(axis=1)
