"""Drawn points: what is found of moving points before they are drawn, written as a mesh or shown on a page."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.head_motion import HeadMotion, find_head
from motionloom.motion.point_mesh import LightMesh, light_mesh
from motionloom.motion.points import PointMotion
from motionloom.motion.rest_points import RestPoints, find_rest

SAMPLE = 200  # frames, at most, that rest and mesh are found in


@dataclass(frozen=True, eq=False)
class DrawnPoints:
    """Points at rest, what joins them, and how large they are."""

    names: tuple[str, ...]
    rest: RestPoints
    mesh: LightMesh
    extent: float  # metres: how far they usually reach along the longest axis; 0 if they are never seen

    @property
    def is_face(self) -> bool:
        """They are those of a face: it has a front, and a head that moves."""
        return self.rest.has_front

    def find_head(self, motion: PointMotion) -> HeadMotion:
        """The motion of the head that the points of a motion sit on; none without a rigid part."""
        steady = self.rest.steady
        return find_head(motion.positions[:, steady], self.rest.points[steady])

    def find_headings(self, motion: PointMotion) -> np.ndarray:
        """(F,) radians, unwrapped: where a face looks over the ground; 0 for other points."""
        if not self.is_face:
            return np.zeros(motion.n_frames)
        ahead = rotations.rotate(self.find_head(motion).rotations, np.array([0.0, 0.0, 1.0]))
        return np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))


def describe_drawn(motion: PointMotion) -> DrawnPoints:
    """What is needed to draw a motion of points."""
    frames = np.asarray(motion.positions[:: max(1, -(-motion.n_frames // SAMPLE))], float)
    rest = find_rest(frames)
    return DrawnPoints(motion.names, rest, light_mesh(rest.points, motion.names, frames), point_extent(motion))


def point_extent(motion: PointMotion) -> float:
    """The median extent of the points, metres."""
    seen = np.where(np.isfinite(motion.positions).all(-1, keepdims=True), motion.positions, np.nan)
    usable = np.isfinite(seen).any(axis=(1, 2))
    if not usable.any():
        return 0.0
    spread = np.nanmax(seen[usable], axis=1) - np.nanmin(seen[usable], axis=1)
    return float(np.median(spread.max(axis=-1)))
