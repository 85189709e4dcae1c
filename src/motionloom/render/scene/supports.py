"""Supports and terrain as figures: what feet stand on."""

from collections.abc import Iterable

import numpy as np

from motionloom.motion import Box, Footing, Ground
from motionloom.motion.terrain_mesh import make_mesh
from motionloom.render.scene.figure import Figure

SUPPORT_COLOUR = (0.80, 0.72, 0.58)  # sRGB, 0 to 1
TERRAIN_COLOUR = (0.72, 0.74, 0.62)
FINEST = 96  # points along each side of a drawn terrain
SHOWN = 1.0  # seconds before and after its frames that a support is shown in videos
# corners of the six faces: bottom (0 to 3) and top (4 to 7), each counter-clockwise seen from outside
_FACES = ((0, 1, 2, 3), (7, 6, 5, 4), (4, 5, 1, 0), (5, 6, 2, 1), (6, 7, 3, 2), (7, 4, 0, 3))


def boxes_at(footing: Footing, frame: float, around: float = 0.0) -> list[Box]:
    """The boxes of the ground, and of the supports whose frames, or so many frames around them, include a frame."""
    active = [s.box for s in footing.supports if s.start - around <= frame < s.stop + around]
    return list(dict.fromkeys([*footing.ground.boxes, *active]))


def make_footing(footing: Footing, frame: float, place: np.ndarray, *, radius: float, around: float = 0.0) -> Figure:
    """A figure of the boxes that are there in a frame, and of the terrain near a place.

    Args:
        footing: what feet stand on.
        frame: of its motion.
        place: (2,) metres along x and z.
        radius: metres of terrain around it.
        around: frames around those of a support in which it is shown.
    """
    boxes = make_boxes(boxes_at(footing, frame, around))
    return boxes.joined(make_terrain(footing.ground, place, radius)) if footing.ground.terrain is not None else boxes


def make_terrain(ground: Ground, place: np.ndarray, radius: float) -> Figure:
    """A figure of the terrain around (2,) metres along x and z, where it is not level with the floor."""
    if ground.terrain is None:
        return Figure()
    mesh = make_mesh(ground.terrain, ground.floor, around=place, radius=radius, most=FINEST, keeps_level=False)
    if not len(mesh.triangles):
        return Figure()
    colours = np.tile(np.array(TERRAIN_COLOUR), (len(mesh.vertices), 1))
    used, triangles = np.unique(mesh.triangles, return_inverse=True)
    sheet = triangles.reshape(-1, 3).astype(np.int32)
    vertices, normals = (values[used].astype(np.float32) for values in (mesh.vertices, mesh.normals))
    return Figure(vertices, sheet, normals, colours[used])


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
