"""Points in a GLB file: every point is a node with a ball that moves, and a light mesh is skinned to these nodes.

A point that is missing for a while has no size, and the mesh goes straight through its gap. Points that are never seen
are left out. All points are joints of one skin, so that viewers move what joins them. Many viewers do not move
primitives that are lines: a line is three ribbons here, one across each axis, of which two are seen from anywhere.
"""

from typing import Any

import numpy as np

from motionloom.formats._glb_chunks import TRIANGLE_DATA, VERTEX_DATA, Store, asset, pack
from motionloom.motion import PointMotion
from motionloom.motion.drawn_points import DrawnPoints, describe_drawn

BALL, FACE_BALL = 0.012, 0.008  # radius of points / extent of all
LINE, OUTLINE = 0.003, 0.006  # half the width of lines / extent
RINGS, SECTORS = 6, 10  # of a ball
_COLOURS = {  # linear
    "point": (0.03, 0.15, 0.51, 1.0),
    "skin": (0.66, 0.68, 0.74, 1.0),
    "line": (0.25, 0.31, 0.40, 1.0),
    "mouth": (0.52, 0.15, 0.14, 1.0),
    "eye": (0.95, 0.95, 0.95, 1.0),
    "outline": (0.06, 0.05, 0.05, 1.0),
}


def encode(motion: PointMotion, name: str) -> bytes:
    """The bytes of a GLB file."""
    drawn, store = describe_drawn(motion), Store()
    seen = np.isfinite(motion.positions).all(axis=2)
    kept = np.flatnonzero(seen.any(axis=0))
    places = _bind_places(motion, seen, kept)
    materials = list(_COLOURS)
    meshes = [{"name": "point", "primitives": [_ball(store, drawn, materials.index("point"))]}]
    nodes: list[dict[str, Any]] = [{"name": "points", "children": list(range(1, len(kept) + 1))}]
    nodes += [
        {"name": motion.names[point], "mesh": 0, "translation": place.tolist()} for point, place in zip(kept, places)
    ]
    document: dict[str, Any] = {"asset": asset(), "scene": 0, "scenes": [{"name": name, "nodes": [0]}]}
    primitives = _primitives(store, drawn, kept, places, materials)
    if primitives:
        document["scenes"][0]["nodes"].append(len(nodes))
        nodes.append({"name": "mesh", "mesh": 1, "skin": 0})
        meshes.append({"name": "mesh", "primitives": primitives})
        document["skins"] = [_skin(store, places)]
    document |= {"nodes": nodes, "meshes": meshes, "materials": [_material(key) for key in materials]}
    document["animations"] = [_animation(store, motion, kept, seen, name)]
    document["accessors"], document["bufferViews"] = store.accessors, store.views
    document["buffers"] = [{"byteLength": len(store.data)}]
    return pack(document, bytes(store.data))


def _bind_places(motion: PointMotion, seen: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """(K, 3) metres: where points are in the frame that shows most of them; others where they are nearest to it."""
    best = int(seen.sum(axis=1).argmax())
    away = np.where(seen[:, kept], np.abs(np.arange(motion.n_frames) - best)[:, None], motion.n_frames)
    return np.asarray(motion.positions[away.argmin(axis=0), kept], float)


def _material(key: str) -> dict[str, Any]:
    surface = {"baseColorFactor": list(_COLOURS[key]), "metallicFactor": 0.0, "roughnessFactor": 0.8}
    return {"name": key, "pbrMetallicRoughness": surface, "doubleSided": True}


def _ball(store: Store, drawn: DrawnPoints, material: int) -> dict[str, Any]:
    """A ball around the origin."""
    radius = (FACE_BALL if drawn.is_face else BALL) * max(drawn.extent, 1e-3)
    rings = np.pi * np.arange(RINGS + 1) / RINGS
    sectors = 2 * np.pi * np.arange(SECTORS) / SECTORS
    out = np.stack(
        [np.outer(np.sin(rings), np.sin(sectors)), np.outer(np.cos(rings), np.ones(SECTORS)),
         np.outer(np.sin(rings), np.cos(sectors))], axis=-1
    ).reshape(-1, 3)  # fmt: skip
    corner = np.arange(RINGS * SECTORS).reshape(RINGS, SECTORS)
    after = np.roll(corner, -1, axis=1)
    upper = np.stack([corner, corner + SECTORS, after], axis=-1)[1:]
    lower = np.stack([after, corner + SECTORS, after + SECTORS], axis=-1)[:-1]
    triangles = np.concatenate([upper.reshape(-1, 3), lower.reshape(-1, 3)])
    return {
        "attributes": {
            "POSITION": store.add((radius * out).astype("<f4"), "VEC3", VERTEX_DATA, with_range=True),
            "NORMAL": store.add(_unit(out).astype("<f4"), "VEC3", VERTEX_DATA),
        },
        "indices": store.add(triangles.reshape(-1).astype("<u2"), "SCALAR", TRIANGLE_DATA),
        "material": material,
    }


def _primitives(
    store: Store, drawn: DrawnPoints, kept: np.ndarray, places: np.ndarray, materials: list[str]
) -> list[dict[str, Any]]:
    """Skin, lines, and the outlines and fillings of brows, eyes and mouth, as far as there are any."""
    number = np.full(len(drawn.names), -1)
    number[kept] = np.arange(len(kept))
    normals, size = _normals(places, number[drawn.mesh.triangles]), max(drawn.extent, 1e-3)
    surfaces = {"skin": [drawn.mesh.triangles]}
    for outline in drawn.mesh.outlines:
        surfaces.setdefault(outline.kind, []).extend([_fan(outline.points)] if outline.is_closed else [])
    lines = {
        "line": (drawn.mesh.edges, LINE * size),
        "outline": (np.concatenate([np.zeros((0, 2), int), *(o.edges for o in drawn.mesh.outlines)]), OUTLINE * size),
    }
    found, corners = [], _vertices(store, places, normals, np.zeros((1, 3)))
    for key, parts in surfaces.items():
        triangles = np.concatenate([np.zeros((0, 3), int), *parts])
        if len(triangles):
            found.append(_primitive(store, corners, number[triangles], materials.index(key)))
    for key, (edges, half_width) in lines.items():
        if len(edges):
            vertices = _vertices(store, places, normals, half_width * np.concatenate([np.eye(3), -np.eye(3)]))
            found.append(_primitive(store, vertices, _ribbons(number[edges]), materials.index(key)))
    return found


def _ribbons(edges: np.ndarray) -> np.ndarray:
    """(6 E, 3) triangles of lines between points, each of which has six vertices: along and against each axis."""
    first, second = 6 * edges[:, :1] + np.arange(3), 6 * edges[:, 1:] + np.arange(3)  # (E, 3)
    quads = np.stack([first, second, second + 3, first, second + 3, first + 3], axis=-1)
    return quads.reshape(-1, 3)


def _fan(ring: np.ndarray) -> np.ndarray:
    """(K - 2, 3) triangles over a ring of points, cut from side to side so that they stay inside of it."""
    triangles, left, right = [], 0, len(ring)
    while right - left > 2:
        triangles.append((ring[left], ring[left + 1], ring[right - 1]))
        left += 1
        if right - left > 2:
            triangles.append((ring[left], ring[right - 2], ring[right - 1]))
            right -= 1
    return np.array(triangles)


def _vertices(store: Store, places: np.ndarray, normals: np.ndarray, around: np.ndarray) -> dict[str, int]:
    """Vertices around each point, at some distances (N, 3) from it, that go with it alone."""
    joints, weights = np.zeros((len(places) * len(around), 4)), np.zeros((len(places) * len(around), 4))
    joints[:, 0], weights[:, 0] = np.repeat(np.arange(len(places)), len(around)), 1.0
    corners = (places[:, None] + around).reshape(-1, 3)
    return {
        "POSITION": store.add(corners.astype("<f4"), "VEC3", VERTEX_DATA, with_range=True),
        "NORMAL": store.add(np.repeat(normals, len(around), axis=0).astype("<f4"), "VEC3", VERTEX_DATA),
        "JOINTS_0": store.add(joints.astype("u1" if len(places) <= 256 else "<u2"), "VEC4", VERTEX_DATA),
        "WEIGHTS_0": store.add(weights.astype("<f4"), "VEC4", VERTEX_DATA),
    }


def _primitive(store: Store, vertices: dict[str, int], indices: np.ndarray, material: int) -> dict[str, Any]:
    kind = "<u2" if indices.max(initial=0) < 65535 else "<u4"
    return {
        "attributes": vertices,
        "indices": store.add(indices.reshape(-1).astype(kind), "SCALAR", TRIANGLE_DATA),
        "material": material,
    }


def _normals(places: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(K, 3) unit normals of the skin; forwards where there is none."""
    corners = places[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(places)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], across)
    return _unit(normals)


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(length > 1e-12, vectors / np.where(length > 1e-12, length, 1.0), [0.0, 0.0, 1.0])


def _skin(store: Store, places: np.ndarray) -> dict[str, Any]:
    """Every point is a joint, bound where its vertex is."""
    matrices = np.tile(np.eye(4), (len(places), 1, 1))
    matrices[:, :3, 3] = -places
    columns = np.swapaxes(matrices, -1, -2).reshape(-1, 16).astype("<f4")
    joints = list(range(1, len(places) + 1))
    return {"inverseBindMatrices": store.add(columns, "MAT4"), "joints": joints, "skeleton": 0}


def _animation(store: Store, motion: PointMotion, kept: np.ndarray, seen: np.ndarray, name: str) -> dict[str, Any]:
    """Where each point is in the frames in which it is seen, and no size while it is not."""
    times = (np.arange(motion.n_frames) / motion.fps).astype("<f4")
    accessors: dict[bytes, int] = {}
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []

    def add(node: int, path: str, frames: np.ndarray, values: np.ndarray, interpolation: str) -> None:
        key = frames.tobytes()
        if key not in accessors:
            accessors[key] = store.add(times[frames], "SCALAR", with_range=True)
        output = store.add(values.astype("<f4"), "VEC3")
        channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
        samplers.append({"input": accessors[key], "output": output, "interpolation": interpolation})

    for node, point in enumerate(kept.tolist(), start=1):
        frames = np.flatnonzero(seen[:, point])
        values = motion.positions[frames, point].astype("<f4")
        n_keys = len(frames) if (values != values[0]).any() else 1
        add(node, "translation", frames[:n_keys], values[:n_keys], "LINEAR")
        if not seen[:, point].all():
            changes = np.flatnonzero(np.diff(seen[:, point], prepend=not seen[0, point]))
            add(node, "scale", changes, np.repeat(seen[changes, point, None], 3, axis=1), "STEP")
    return {"name": name, "channels": channels, "samplers": samplers, "extras": {"fps": motion.fps}}
