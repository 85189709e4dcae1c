"""Figures: the meshes and spheres of a picture, with colours."""

from dataclasses import dataclass, field, replace

import numpy as np

from motionloom import body
from motionloom.errors import BadInput
from motionloom.motion import Motion, PointMotion, kinematics

BODY_COLOUR = (0.70, 0.71, 0.74)  # sRGB, 0 to 1
POINT_COLOUR = (0.20, 0.43, 0.74)
LEFT_COLOUR = (0.16, 0.48, 0.72)
RIGHT_COLOUR = (0.86, 0.45, 0.14)
MARKER_COLOUR = (0.75, 0.10, 0.16)
MARKER_RADIUS = 0.012  # metres, of markers on a body


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


def make_figures(
    motion: Motion | PointMotion,
    frames: np.ndarray | list[int],
    colour: tuple[float, float, float] | None = None,
    *,
    side_tint: float = 0.3,
    neutral: body.NeutralPose | None = None,
) -> list[Figure]:
    """A figure for each of some frames of a motion: a mannequin for a skeleton, spheres for markers.

    Args:
        motion: of the poses.
        frames: (N,) int.
        colour: sRGB, 0 to 1; default light grey for bodies and blue for markers.
        side_tint: tint of left limbs with `LEFT_COLOUR` and right ones with `RIGHT_COLOUR`, 0 to 1.
        neutral: neutral pose of the body; None to learn it from the motion.
    """
    frames = np.asarray(frames, dtype=int)
    if isinstance(motion, PointMotion):
        radius = 0.015 * max(point_extent(motion), 1e-3)
        return [_make_balls(motion, frame, colour or POINT_COLOUR, radius) for frame in frames]
    skin = body.build_for(motion, neutral)
    positions, turned = kinematics.forward(
        motion.skeleton, motion.root_positions[frames], motion.local_rotations[frames]
    )
    colours = tint_sides(skin.sides, colour or BODY_COLOUR, side_tint)
    vertices, normals = body.skin(skin, positions, turned), body.skin_normals(skin, positions, turned)
    return [Figure(v, skin.triangles, n, colours) for v, n in zip(vertices, normals)]


def with_markers(figures: list[Figure], markers: PointMotion, frames: np.ndarray | list[int]) -> list[Figure]:
    """Bodies with the markers of the same frames on them; those that are missing are not drawn."""
    seen = [_make_balls(markers, frame, MARKER_COLOUR, MARKER_RADIUS) for frame in np.asarray(frames, dtype=int)]
    return [figure.joined(balls) for figure, balls in zip(figures, seen)]


def check_markers(motion: Motion | PointMotion, markers: PointMotion | None) -> None:
    """Raise unless markers, if there are any, are those of all frames of a body."""
    if markers is not None and (isinstance(motion, PointMotion) or markers.n_frames != motion.n_frames):
        raise BadInput(f"markers of {markers.n_frames} frames cannot be drawn on this motion of {motion.n_frames}")


def tint_sides(sides: np.ndarray, colour: tuple[float, float, float], tint: float) -> np.ndarray:
    """Colours (V, 3) of a body with tinted left and right limbs."""
    left, right = np.clip(sides, 0, 1)[:, None] * tint, np.clip(-sides, 0, 1)[:, None] * tint
    return (1 - left - right) * np.array(colour) + left * np.array(LEFT_COLOUR) + right * np.array(RIGHT_COLOUR)


def _make_balls(motion: PointMotion, frame: int, colour: tuple[float, float, float], radius: float) -> Figure:
    seen = motion.positions[frame]
    seen = seen[np.isfinite(seen).all(axis=-1)]
    return Figure(
        balls=seen, ball_radii=np.full(len(seen), radius), ball_colours=np.tile(np.array(colour), (len(seen), 1))
    )


def point_extent(motion: PointMotion) -> float:
    """The median extent of the points, metres."""
    seen = np.where(np.isfinite(motion.positions).all(-1, keepdims=True), motion.positions, np.nan)
    usable = np.isfinite(seen).any(axis=(1, 2))
    if not usable.any():
        return 0.0
    spread = np.nanmax(seen[usable], axis=1) - np.nanmin(seen[usable], axis=1)
    return float(np.median(spread.max(axis=-1)))
