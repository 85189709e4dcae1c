"""Supports in a GLB file: each box that feet stand on is a node, shown around the frames in which they do."""

from collections.abc import Callable
from typing import Any

import numpy as np

from motionloom.motion import Box, Footing, Support, rotations

SHOWN = 1.0  # seconds before and after its frames that a support is shown
THINNEST = 0.01  # metres from top to bottom
_COLOUR = (0.60, 0.48, 0.30, 1.0)  # linear
_VERTEX_DATA, _TRIANGLE_DATA = 34962, 34963
Store = Callable[..., int]


def material() -> dict[str, Any]:
    """The surface of supports."""
    surface = {"baseColorFactor": list(_COLOUR), "metallicFactor": 0.0, "roughnessFactor": 0.9}
    return {"name": "support", "pbrMetallicRoughness": surface}


def mesh(add: Store, material_number: int) -> dict[str, Any]:
    """A cube from -1 to 1 along each axis, which every support scales."""
    vertices, normals, triangles = _cube()
    primitive = {
        "attributes": {
            "POSITION": add(vertices.astype("<f4"), "VEC3", _VERTEX_DATA, with_range=True),
            "NORMAL": add(normals.astype("<f4"), "VEC3", _VERTEX_DATA),
        },
        "indices": add(triangles.reshape(-1).astype("<u2"), "SCALAR", _TRIANGLE_DATA),
        "material": material_number,
    }
    return {"name": "support", "primitives": [primitive]}


def nodes(footing: Footing, mesh_number: int) -> list[dict[str, Any]]:
    """A node for each box of the ground, then for each support."""
    boxes = [*footing.ground.boxes, *(support.box for support in footing.supports)]
    return [_node(box, f"support {number}", mesh_number) for number, box in enumerate(boxes, start=1)]


def animate(add: Store, footing: Footing, n_frames: int, fps: float, first_node: int) -> tuple[list, list]:
    """Channels and samplers that show each support around its frames: its scale is 0 before and after."""
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    for number, support in enumerate(footing.supports, start=first_node + len(footing.ground.boxes)):
        times, sizes = _keys(support, n_frames, fps)
        if len(times) < 2:
            continue
        channels.append({"sampler": len(samplers), "target": {"node": number, "path": "scale"}})
        keys = add(times.astype("<f4"), "SCALAR", with_range=True)
        samplers.append({"input": keys, "output": add(sizes.astype("<f4"), "VEC3"), "interpolation": "STEP"})
    return channels, samplers


def _keys(support: Support, n_frames: int, fps: float) -> tuple[np.ndarray, np.ndarray]:
    """(K,) seconds and (K, 3) scales from then on."""
    begin, end = support.start / fps - SHOWN, support.stop / fps + SHOWN
    size = np.array(_half(support.box))
    times, sizes = ([0.0, begin], [0 * size, size]) if begin > 0 else ([0.0], [size])
    if end < (n_frames - 1) / fps:
        times, sizes = [*times, end], [*sizes, 0 * size]
    return np.array(times), np.array(sizes)


def _node(box: Box, name: str, mesh_number: int) -> dict[str, Any]:
    x, z = box.centre
    turn = rotations.about_y(box.turn)[[1, 2, 3, 0]]
    half = _half(box)
    place = [x, box.top - half[1], z]
    return {"name": name, "mesh": mesh_number, "translation": place, "rotation": turn.tolist(), "scale": [*half]}


def _half(box: Box) -> tuple[float, float, float]:
    return box.half[0], max(box.top - box.bottom, THINNEST) / 2, box.half[1]


def _cube() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(24, 3) corners, (24, 3) outward normals and (12, 3) triangles, counter-clockwise seen from outside."""
    vertices: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    triangles: list[tuple[int, int, int]] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            out, first, second = np.eye(3)[axis] * sign, np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            corners = [out - first - second, out + first - second, out + first + second, out - first + second]
            begin = len(vertices)
            vertices += corners if sign > 0 else corners[::-1]
            normals += [out] * 4
            triangles += [(begin, begin + 1, begin + 2), (begin, begin + 2, begin + 3)]
    return np.array(vertices), np.array(normals), np.array(triangles)
