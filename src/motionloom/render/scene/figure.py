"""Figure: a mesh and spheres of a picture, with colours."""

from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True, eq=False)
class Figure:
    """A mesh, spheres, or both, in world space."""

    vertices: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.float32))  # (V, 3) metres
    triangles: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.int32))  # (T, 3)
    normals: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.float32))  # (V, 3) unit, outwards
    colours: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (V, 3) sRGB, 0 to 1
    balls: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (B, 3) metres, centres
    ball_radii: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (B,) metres
    ball_colours: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (B, 3) sRGB, 0 to 1
    opacity: float = 1.0  # translucent figures are drawn over opaque ones
    casts_shadow: bool = True

    def moved(self, by: np.ndarray) -> "Figure":
        """The figure translated by (3,) metres."""
        return replace(self, vertices=(self.vertices + by).astype(np.float32), balls=self.balls + by)

    def joined(self, other: "Figure") -> "Figure":
        """Meshes and spheres of both in one figure; opacity and shadow are those of this one."""
        return replace(
            self,
            vertices=np.concatenate([self.vertices, other.vertices]),
            triangles=np.concatenate([self.triangles, other.triangles + len(self.vertices)]).astype(np.int32),
            normals=np.concatenate([self.normals, other.normals]),
            colours=np.concatenate([self.colours, other.colours]),
            balls=np.concatenate([self.balls, other.balls]),
            ball_radii=np.concatenate([self.ball_radii, other.ball_radii]),
            ball_colours=np.concatenate([self.ball_colours, other.ball_colours]),
        )

    @property
    def points(self) -> np.ndarray:
        """(V + B, 3) metres: vertices and centres of spheres."""
        return np.concatenate([self.vertices, self.balls])
