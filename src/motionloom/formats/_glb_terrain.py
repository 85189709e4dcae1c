"""Terrain in a GLB file: a mesh with walls down to the floor."""

from collections.abc import Callable
from typing import Any

from motionloom.motion import Ground
from motionloom.motion.terrain_mesh import make_mesh

MOST = 512  # points along each side; finer terrain is thinned out
_COLOUR = (0.42, 0.46, 0.34, 1.0)  # linear
_VERTEX_DATA, _TRIANGLE_DATA = 34962, 34963
Store = Callable[..., int]


def material() -> dict[str, Any]:
    """The surface of terrain."""
    surface = {"baseColorFactor": list(_COLOUR), "metallicFactor": 0.0, "roughnessFactor": 1.0}
    return {"name": "terrain", "pbrMetallicRoughness": surface}


def mesh(add: Store, ground: Ground, material_number: int) -> dict[str, Any] | None:
    """The mesh of the terrain of a ground; None if it has no area."""
    assert ground.terrain is not None
    surface = make_mesh(ground.terrain, ground.floor, most=MOST)
    if not len(surface.triangles):
        return None
    primitive = {
        "attributes": {
            "POSITION": add(surface.vertices.astype("<f4"), "VEC3", _VERTEX_DATA, with_range=True),
            "NORMAL": add(surface.normals.astype("<f4"), "VEC3", _VERTEX_DATA),
        },
        "indices": add(surface.triangles.reshape(-1).astype("<u4"), "SCALAR", _TRIANGLE_DATA),
        "material": material_number,
    }
    return {"name": "terrain", "primitives": [primitive]}
