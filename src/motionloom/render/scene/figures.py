"""Figures of motions: mannequins of bodies, joined markers of points."""

import numpy as np

from motionloom import body
from motionloom.errors import BadInput
from motionloom.motion import Motion, PointMotion, kinematics
from motionloom.motion.drawn_points import DrawnPoints, describe_drawn
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.point_figures import make_point_figure

BODY_COLOUR = (0.70, 0.71, 0.74)  # sRGB, 0 to 1
LEFT_COLOUR = (0.16, 0.48, 0.72)
RIGHT_COLOUR = (0.86, 0.45, 0.14)
MARKER_COLOUR = (0.75, 0.10, 0.16)
MARKER_RADIUS = 0.012  # metres, of markers on a body


def make_figures(
    motion: Motion | PointMotion,
    frames: np.ndarray | list[int],
    colour: tuple[float, float, float] | None = None,
    *,
    side_tint: float = 0.3,
    neutral: body.NeutralPose | None = None,
    drawn: DrawnPoints | None = None,
) -> list[Figure]:
    """A figure for each of some frames of a motion: a mannequin for a skeleton, joined spheres for markers.

    Args:
        motion: of the poses.
        frames: (N,) int.
        colour: sRGB, 0 to 1; default light grey for bodies and blue for markers.
        side_tint: tint of left limbs with `LEFT_COLOUR` and right ones with `RIGHT_COLOUR`, 0 to 1.
        neutral: neutral pose of the body; None to learn it from the motion.
        drawn: what joins markers; None to find it in the motion.
    """
    frames = np.asarray(frames, dtype=int)
    if isinstance(motion, PointMotion):
        known = drawn or describe_drawn(motion)
        return [make_point_figure(np.asarray(motion.positions[frame], float), known, colour) for frame in frames]
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
