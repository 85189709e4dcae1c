"""Point terms: positions of points of the body, turns of joints, distances, and where a camera sees points."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.methods.dynamics.trajectory.normal_equations import Sums
from motionloom.methods.dynamics.trajectory.posed import Posed, Seen, Spot, left_jacobian_inverse
from motionloom.motion import rotations

LEAST_DISTANCE = 1e-6  # metres: the direction of a shorter distance is unknown
LEAST_DEPTH = 0.05  # metres in front of a camera at which a point behind it is taken to be


@dataclass(frozen=True, eq=False)
class PointTerm:
    """A point of the body at positions in space, or at some of their coordinates."""

    rows: np.ndarray  # (n,) samples, each once
    spot: Spot
    targets: np.ndarray  # (n, 3) metres, world
    deviations: np.ndarray  # (3,) or (n, 3) metres; inf for free axes

    def _residuals(self, posed: Seen) -> np.ndarray:
        return (posed.points([self.spot], self.rows)[:, 0] - self.targets) / self.deviations

    def beside(self, sample: int, posed: Seen) -> np.ndarray:
        """(N, 3) residuals of all N samples beside what is asked in the one that is its own so-many-th."""
        own = self.deviations[sample] if self.deviations.ndim == 2 else self.deviations
        alike = replace(self, rows=every_row(posed), targets=self.targets[[sample]], deviations=own)
        return alike._residuals(posed)

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        return 0.5 * float((self._residuals(posed) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        weights = np.broadcast_to(1 / self.deviations, (len(self.rows), 3))
        jacobian = posed.jacobian([self.spot], self.rows)[:, 0] * weights[..., None]
        sums.add(self.rows, self._residuals(posed), jacobian)

    def within(self, rows: np.ndarray) -> "PointTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        own = rows[self.rows]
        kept = own >= 0
        deviations = self.deviations[kept] if self.deviations.ndim == 2 else self.deviations
        return replace(self, rows=own[kept], targets=self.targets[kept], deviations=deviations) if kept.any() else None


@dataclass(frozen=True, eq=False)
class OrientationTerm:
    """A joint turned to orientations in the world."""

    rows: np.ndarray
    spot: Spot  # of the joint, not a position
    targets: np.ndarray  # (n, 4) joint to world
    deviation: float  # radians

    def _residuals(self, posed: Posed) -> np.ndarray:
        own = posed.orientations([self.spot], self.rows)[:, 0]
        return rotations.log(rotations.multiply(rotations.inverse(own), self.targets)) / self.deviation

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        return 0.5 * float((self._residuals(posed) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        residuals = self._residuals(posed)
        turning = posed.jacobian([self.spot], self.rows)[:, 0]
        jacobian = -left_jacobian_inverse(residuals * self.deviation) @ turning / self.deviation
        sums.add(self.rows, residuals, jacobian)

    def within(self, rows: np.ndarray) -> "OrientationTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        own = rows[self.rows]
        kept = own >= 0
        return replace(self, rows=own[kept], targets=self.targets[kept]) if kept.any() else None


@dataclass(frozen=True, eq=False)
class DistanceTerm:
    """Two points of the body so far apart; or one from a point in space."""

    rows: np.ndarray
    spot: Spot
    other: Spot | np.ndarray  # a point of the body, or (3,) metres, world
    targets: np.ndarray  # (n,) metres
    deviation: float  # metres

    def _apart(self, posed: Seen) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) unit vectors from the other point, and (n,) metres."""
        if isinstance(self.other, Spot):
            points = posed.points([self.spot, self.other], self.rows)
            apart = points[:, 0] - points[:, 1]
        else:
            apart = posed.points([self.spot], self.rows)[:, 0] - self.other
        length = np.linalg.norm(apart, axis=-1)
        return apart / np.maximum(length, LEAST_DISTANCE)[:, None], length

    def beside(self, sample: int, posed: Seen) -> np.ndarray:
        """(N, 1) residuals of all N samples beside what is asked in the one that is its own so-many-th."""
        length = replace(self, rows=every_row(posed))._apart(posed)[1]
        return (length[:, None] - self.targets[sample]) / self.deviation

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        return 0.5 * float((((self._apart(posed)[1] - self.targets) / self.deviation) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        along, length = self._apart(posed)
        spots = [self.spot, self.other] if isinstance(self.other, Spot) else [self.spot]
        moving = posed.jacobian(spots, self.rows)
        relative = moving[:, 0] - moving[:, 1] if len(spots) == 2 else moving[:, 0]
        jacobian = np.einsum("na,nau->nu", along, relative)[:, None] / self.deviation
        sums.add(self.rows, (length - self.targets)[:, None] / self.deviation, jacobian)

    def within(self, rows: np.ndarray) -> "DistanceTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        own = rows[self.rows]
        kept = own >= 0
        return replace(self, rows=own[kept], targets=self.targets[kept]) if kept.any() else None


@dataclass(frozen=True, eq=False)
class View2D:
    """A pinhole camera: where points of the world are seen."""

    position: np.ndarray  # (3,) metres, world
    axes: np.ndarray  # (3, 3): rows right, up, forward in the world
    focal: np.ndarray  # (2,) pixels, or in units of the picture
    centre: np.ndarray  # (2,) in the same units

    def see(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(..., 2) on the picture, its second axis downwards, and (...) metres in front of the camera."""
        seen = (points - self.position) @ self.axes.T
        depth = np.maximum(seen[..., 2], LEAST_DEPTH)
        flat = np.stack([seen[..., 0], -seen[..., 1]], axis=-1) / depth[..., None]
        return flat * self.focal + self.centre, seen[..., 2]

    def ray(self, seen: np.ndarray) -> np.ndarray:
        """(..., 3) unit vectors, world, from the camera to all that is seen at (..., 2) on the picture."""
        flat = (seen - self.centre) / self.focal
        along = flat[..., :1] * self.axes[0] - flat[..., 1:] * self.axes[1] + self.axes[2]
        return np.asarray(along / np.linalg.norm(along, axis=-1, keepdims=True))

    def nearest(self, points: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """(..., 3) metres, world: the nearest points to (..., 3) that are seen at (..., 2) on the picture."""
        along = self.ray(seen)
        far = ((points - self.position) * along).sum(axis=-1)
        far = np.maximum(far, LEAST_DEPTH / (along @ self.axes[2]))
        return self.position + far[..., None] * along

    def jacobian(self, points: np.ndarray) -> np.ndarray:
        """(..., 2, 3) of what is seen, by the points."""
        seen = (points - self.position) @ self.axes.T
        depth = np.maximum(seen[..., 2], LEAST_DEPTH)
        x, y = seen[..., 0] / depth, seen[..., 1] / depth
        free = (seen[..., 2] > LEAST_DEPTH)[..., None]
        right, up, forward = self.axes
        rows_x = (right - x[..., None] * free * forward) / depth[..., None]
        rows_y = -(up - y[..., None] * free * forward) / depth[..., None]
        return np.stack([rows_x * self.focal[0], rows_y * self.focal[1]], axis=-2)


@dataclass(frozen=True, eq=False)
class ProjectionTerm:
    """A point of the body where a camera sees it."""

    rows: np.ndarray
    spot: Spot
    camera: View2D
    targets: np.ndarray  # (n, 2) on the picture
    deviation: float  # in units of the picture

    def _points(self, posed: Posed) -> np.ndarray:
        return posed.points([self.spot], self.rows)[:, 0]

    def beside(self, sample: int, posed: Seen) -> np.ndarray:
        """(N, 2) residuals of all N samples beside what is asked in the one that is its own so-many-th."""
        seen, _ = self.camera.see(posed.points([self.spot], every_row(posed))[:, 0])
        return (seen - self.targets[sample]) / self.deviation

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        seen, _ = self.camera.see(self._points(posed))
        return 0.5 * float((((seen - self.targets) / self.deviation) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        points = self._points(posed)
        seen, _ = self.camera.see(points)
        jacobian = self.camera.jacobian(points) @ posed.jacobian([self.spot], self.rows)[:, 0] / self.deviation
        sums.add(self.rows, (seen - self.targets) / self.deviation, jacobian)

    def within(self, rows: np.ndarray) -> "ProjectionTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        own = rows[self.rows]
        kept = own >= 0
        return replace(self, rows=own[kept], targets=self.targets[kept]) if kept.any() else None


def every_row(posed: Seen) -> np.ndarray:
    """(N,) all samples."""
    return np.arange(len(posed.vectors))
