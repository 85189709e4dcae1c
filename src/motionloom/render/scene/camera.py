"""Camera: a perspective camera, and the projection of points to pixels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Camera:
    """A perspective camera that looks at a point, without roll."""

    position: np.ndarray  # (3,) metres, world
    target: np.ndarray  # (3,) metres, world: the middle of the picture
    field_of_view: float  # vertical, radians

    @cached_property
    def axes(self) -> np.ndarray:
        """(3, 3) unit rows: right, up and forward in view space."""
        away = self.target - self.position
        away = away / np.linalg.norm(away)
        right = np.cross(away, UP)
        right = right / max(float(np.linalg.norm(right)), 1e-9)
        return np.stack([right, np.cross(right, away), away])

    def focal_length(self, height: int) -> float:
        """Focal length in pixels, for a picture of this height."""
        return 0.5 * height / np.tan(self.field_of_view / 2)

    def project(self, points: np.ndarray, size: tuple[int, int]) -> np.ndarray:
        """Project (..., 3) world points to a picture of (width, height): (..., 3) pixels x and y, depth in metres."""
        width, height = size
        seen = (points - self.position) @ self.axes.T
        away = np.maximum(seen[..., 2], 1e-3)
        focal = self.focal_length(height)
        return np.stack(
            [width / 2 + focal * seen[..., 0] / away, height / 2 - focal * seen[..., 1] / away, seen[..., 2]], -1
        )


def look_from(
    target: np.ndarray, heading: float, distance: float, *, elevation: float = 0.2, field_of_view: float = 0.5
) -> Camera:
    """A camera that looks at a point from a distance.

    Args:
        target: (3,) metres, world.
        heading: radians; the direction on the ground from the target to the camera (0 is +z).
        distance: metres.
        elevation: radians of the camera above the target's horizon.
        field_of_view: vertical, radians.
    """
    ground = np.cos(elevation) * distance
    offset = np.array([np.sin(heading) * ground, np.sin(elevation) * distance, np.cos(heading) * ground])
    return Camera(np.asarray(target, float) + offset, np.asarray(target, float), field_of_view)
