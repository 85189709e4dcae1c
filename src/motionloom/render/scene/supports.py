"""Supports as figures: the boxes that feet stand on."""

from collections.abc import Iterable

import numpy as np

from motionloom.motion import Box, Footing
from motionloom.render.scene.figures import Figure

SUPPORT_COLOUR = (0.80, 0.72, 0.58)  # sRGB, 0 to 1
SHOWN = 1.0  # seconds before and after its frames that a support is shown in videos
# corners of the six faces: bottom (0 to 3) and top (4 to 7), each counter-clockwise seen from outside
_FACES = ((0, 1, 2, 3), (7, 6, 5, 4), (4, 5, 1, 0), (5, 6, 2, 1), (6, 7, 3, 2), (7, 4, 0, 3))


def boxes_at(footing: Footing, frame: float, around: float = 0.0) -> list[Box]:
    """The boxes of the ground, and of the supports whose frames, or so many frames around them, include a frame."""
    active = [s.box for s in footing.supports if s.start - around <= frame < s.stop + around]
    return list(dict.fromkeys([*footing.ground.boxes, *active]))


def make_boxes(boxes: Iterable[Box], *, opacity: float = 1.0) -> Figure:
    """A figure of boxes."""
    vertices: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    triangles: list[tuple[int, int, int]] = []
    for box in boxes:
        corners = _corners(box)
        for face in _FACES:
            first = 4 * len(vertices)
            quad = corners[list(face)]
            out = np.cross(quad[1] - quad[0], quad[3] - quad[0])
            vertices.append(quad)
            normals.append(np.tile(out / max(float(np.linalg.norm(out)), 1e-12), (4, 1)))
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    if not vertices:
        return Figure()
    points = np.concatenate(vertices).astype(np.float32)
    colours = np.tile(np.array(SUPPORT_COLOUR), (len(points), 1))
    sheet = np.array(triangles, np.int32)
    return Figure(points, sheet, np.concatenate(normals).astype(np.float32), colours, opacity=opacity)


def _corners(box: Box) -> np.ndarray:
    """(8, 3) metres: the corners of the bottom, then those of the top."""
    around = box.corners
    bottom = min(box.bottom, box.top - 0.01)  # a surface still has an edge that can be seen
    return np.concatenate([np.insert(around, 1, height, axis=1) for height in (bottom, box.top)])
