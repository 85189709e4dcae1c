"""Footprints: outlines of soles on the ground where feet rest."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Footing, Ground, Motion, Skeleton, find_runs, kinematics
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import LEFT_COLOUR, RIGHT_COLOUR

HOVER = 0.002  # metres of footprints above the floor
# position from heel to toe, and half the width of the sole there, both relative to the foot's length
_OUTLINE = (
    (0.0, 0.0), (0.02, 0.07), (0.09, 0.115), (0.25, 0.11), (0.45, 0.115),
    (0.65, 0.165), (0.8, 0.175), (0.93, 0.13), (0.99, 0.06), (1.0, 0.0),
)  # fmt: skip

SAME_SURFACE = 0.01  # metres by which the ball of a foot may be off the terrain under its footprint


@dataclass(frozen=True, eq=False)
class Footprint:
    """The print of one contact of one foot."""

    side: str  # left or right
    frame: int  # in the middle of the contact
    outline: np.ndarray  # (N, 2) metres on the ground, x and z, a closed polygon
    height: float = 0.0  # metres, world: of what it rests on, at the mean of its corners
    slope: tuple[float, float] = (0.0, 0.0)  # of what it rests on, along x and z

    @property
    def corners(self) -> np.ndarray:
        """(N, 3) metres, world: the outline on what it rests on."""
        heights = self.height + (self.outline - self.outline.mean(axis=0)) @ np.array(self.slope)
        return np.insert(self.outline, 1, heights, axis=1)


def find_footprints(motion: Motion, contacts: np.ndarray, footing: Footing | None = None) -> list[Footprint]:
    """The footprints of all contacts, in temporal order.

    Args:
        motion: of a skeleton with feet; without feet there are none.
        contacts: (F, 4) bool: left heel, left ball, right heel, right ball.
        footing: what feet rest on; None for the floor y = 0.
    """
    contacts = np.asarray(contacts, bool)
    prints = []
    for side, heel, ball in (("left", 0, 1), ("right", 2, 3)):
        if not motion.skeleton.has(f"{side}_foot", f"{side}_ball"):
            continue
        resting, flat = contacts[:, heel] | contacts[:, ball], contacts[:, heel] & contacts[:, ball]
        for start, stop in find_runs(resting):
            whole = start + np.flatnonzero(flat[start:stop])
            frame = int(np.median(whole)) if len(whole) else (start + stop) // 2
            outline = _outline_of(motion, side, frame)
            height = _height_at(motion, side, frame, footing)
            prints.append(Footprint(side, frame, outline, *_plane_under(outline, height, footing)))
    return sorted(prints, key=lambda footprint: footprint.frame)


def make_footprints(footprints: list[Footprint], floor: float = 0.0, opacity: float = 0.5) -> Figure:
    """A figure of footprints on the ground, coloured by side."""
    vertices, colours = [np.zeros((0, 3))], [np.zeros((0, 3))]
    triangles, first = [np.zeros((0, 3), int)], 0
    for footprint in footprints:
        corners = footprint.corners + [0.0, max(floor - footprint.height, 0.0) + HOVER, 0.0]  # (N, 3)
        fan = np.arange(1, len(corners) - 1)
        vertices.append(corners)
        triangles.append(first + np.stack([np.zeros_like(fan), fan, fan + 1], axis=-1))
        colours.append(np.tile(LEFT_COLOUR if footprint.side == "left" else RIGHT_COLOUR, (len(corners), 1)))
        first += len(corners)
    points = np.concatenate(vertices).astype(np.float32)
    up = np.tile(np.array([0.0, 1.0, 0.0], np.float32), (len(points), 1))
    sheet = np.concatenate(triangles).astype(np.int32)
    return Figure(points, sheet, up, np.concatenate(colours), opacity=opacity, casts_shadow=False)


def _outline_of(motion: Motion, side: str, frame: int) -> np.ndarray:
    skeleton = motion.skeleton
    ankle, ball = skeleton.index(f"{side}_foot"), skeleton.index(f"{side}_ball")
    positions, turned = kinematics.forward(
        skeleton, motion.root_positions[frame : frame + 1], motion.local_rotations[frame : frame + 1]
    )
    carried = kinematics.attached_positions(positions, turned, np.array([ankle]), skeleton.heel_offset(side)[None])
    heel, ball_at = carried[0, 0][[0, 2]], positions[0, ball][[0, 2]]
    forward = ball_at - heel
    length = max(float(np.linalg.norm(forward)), 1e-6)
    forward = forward / length
    whole = length + _toe_length(skeleton, ball, length)
    aside = np.array([forward[1], -forward[0]])  # to the left of forward
    along, half = np.array(_OUTLINE).T * whole
    left = heel + along[:, None] * forward + half[:, None] * aside
    right = heel + along[:, None] * forward - half[:, None] * aside
    return np.concatenate([left, right[-2:0:-1]])[::-1]  # counter-clockwise seen from above


def _height_at(motion: Motion, side: str, frame: int, footing: Footing | None) -> float:
    """Metres, world: the height of what is under the ball of a foot in a frame."""
    if footing is None or footing.is_flat:
        return 0.0 if footing is None else footing.ground.floor
    positions, _ = kinematics.forward(
        motion.skeleton, motion.root_positions[frame : frame + 1], motion.local_rotations[frame : frame + 1]
    )
    ball = positions[:, [motion.skeleton.index(f"{side}_ball")]]  # (1, 1, 3)
    return float(footing.cut(frame, frame + 1).under(ball)[0, 0])


def _plane_under(outline: np.ndarray, height: float, footing: Footing | None) -> tuple[float, tuple[float, float]]:
    """Height and slope of what a footprint rests on: the terrain under its corners, else what is level."""
    if footing is None or footing.ground.terrain is None:
        return height, (0.0, 0.0)
    surface = Ground(footing.ground.floor, (), footing.ground.terrain).heights(outline)  # (N,)
    if not surface.min() - SAME_SURFACE <= height <= surface.max() + SAME_SURFACE:  # a box
        return height, (0.0, 0.0)
    middle = outline.mean(axis=0)
    (x, z, level), *_ = np.linalg.lstsq(np.insert(outline - middle, 2, 1.0, axis=1), surface, rcond=None)
    return float(level), (float(x), float(z))


def _toe_length(skeleton: Skeleton, ball: int, length: float) -> float:
    """Metres from the ball joint to the toe tip; estimated if the skeleton ends at the ball."""
    reaches = [float(np.linalg.norm(skeleton.end_offsets[e])) for e in np.flatnonzero(skeleton.end_parents == ball)]
    reaches += [float(np.linalg.norm(skeleton.offsets[j])) for j in np.flatnonzero(skeleton.parents == ball)]
    return min(max(reaches, default=0.4 * length), 0.6 * length)
