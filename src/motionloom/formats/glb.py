"""GLB (binary glTF 2.0): skeleton and skinned body, or joined points, with their animation. Write only."""

from pathlib import Path
from typing import Any

import numpy as np

from motionloom import body
from motionloom.body import Body, NeutralPose
from motionloom.errors import BadInput
from motionloom.formats import _glb_points, _glb_supports, _glb_terrain
from motionloom.formats._glb_chunks import TRIANGLE_DATA, VERTEX_DATA, Store, asset, pack
from motionloom.formats.atomic_write import replace_file
from motionloom.motion import Footing, Ground, Motion, PointMotion, kinematics, rotations

_BODY_COLOUR = (0.33, 0.40, 0.51, 1.0)  # linear


def write(
    path: str | Path,
    motion: Motion | PointMotion,
    *,
    name: str | None = None,
    footing: Footing | None = None,
    neutral: NeutralPose | None = None,
) -> None:
    """Write a motion with a skinned body, or points as balls with what joins them: metres, y up, joints or points as
    named nodes, end sites as leaves.

    Args:
        path: of the file.
        motion: to write.
        name: of the animation; None for the file's stem.
        footing: what feet stand on besides the floor: its boxes and its terrain are written too; None for nothing.
        neutral: neutral pose of the body; None to learn it from the motion.
    """
    title = Path(path).stem if name is None else name
    if isinstance(motion, PointMotion):
        _check_points(path, motion)
        replace_file(path, _glb_points.encode(motion, title))
        return
    _check(path, motion)
    replace_file(path, encode(motion, title, footing, neutral))


def encode(motion: Motion, name: str, footing: Footing | None = None, neutral: NeutralPose | None = None) -> bytes:
    """The bytes of a GLB file."""
    skin = body.build_for(motion, neutral)
    lift = np.array([0.0, -skin.vertices[:, 1].min(), 0.0])  # the bind pose stands on the ground
    store = Store()
    nodes = _make_nodes(motion, skin, lift)
    document: dict[str, Any] = {
        "asset": asset(),
        "scene": 0,
        "scenes": [{"name": name, "nodes": [0, len(nodes)]}],
        "nodes": [*nodes, {"name": "body", "mesh": 0, "skin": 0}],
        "meshes": [{"name": "body", "primitives": [_make_primitive(store, skin, lift)]}],
        "materials": [_make_material()],
        "skins": [_make_skin(store, motion, skin, lift)],
    }
    if motion.n_frames:
        document["animations"] = [_make_animation(store, motion, name)]
    if footing is not None and (footing.supports or footing.ground.boxes):
        _add_supports(document, store, motion, footing)
    if footing is not None and footing.ground.terrain is not None:
        _add_terrain(document, store, footing.ground)
    document["accessors"], document["bufferViews"] = store.accessors, store.views
    document["buffers"] = [{"byteLength": len(store.data)}]
    return pack(document, bytes(store.data))


def _check(path: str | Path, motion: Motion) -> None:
    if not (np.isfinite(motion.root_positions).all() and np.isfinite(motion.local_rotations).all()):
        bad = ~(np.isfinite(motion.root_positions).all(-1) & np.isfinite(motion.local_rotations).all((-1, -2)))
        raise BadInput(f"{path}: frame {int(bad.argmax())} has a value that is not finite; GLB cannot store it")


def _check_points(path: str | Path, motion: PointMotion) -> None:
    if np.isinf(motion.positions).any():
        bad = int(np.isinf(motion.positions).any(axis=(1, 2)).argmax())
        raise BadInput(f"{path}: frame {bad} has a value that is not finite; GLB cannot store it")
    if not np.isfinite(motion.positions).all(axis=2).any():
        raise BadInput(f"{path}: no point is ever seen, and there is nothing to show")


def _make_nodes(motion: Motion, skin: Body, lift: np.ndarray) -> list[dict[str, Any]]:
    """Joints, in the order of the skeleton and in the bind pose, then end sites."""
    skeleton = motion.skeleton
    turns = kinematics.to_local(skeleton, skin.bind_rotations)
    shifts = skeleton.offsets.copy()
    shifts[0] = skin.bind_positions[0] + lift
    nodes: list[dict[str, Any]] = [
        {
            "name": joint,
            "translation": shift.tolist(),
            "rotation": np.clip(_to_xyzw(turn), -1.0, 1.0).tolist(),
            "children": [],
        }
        for joint, shift, turn in zip(skeleton.names, shifts, turns)
    ]
    for joint in range(1, skeleton.n_joints):
        nodes[skeleton.parents[joint]]["children"].append(joint)
    taken = set(skeleton.names)
    for joint, offset in zip(skeleton.end_parents, skeleton.end_offsets):
        nodes[joint]["children"].append(len(nodes))
        nodes.append({"name": _free_name(f"{skeleton.names[joint]}_end", taken), "translation": offset.tolist()})
    return [{key: value for key, value in node.items() if key != "children" or value} for node in nodes]


def _free_name(name: str, taken: set[str]) -> str:
    choice, number = name, 2
    while choice in taken:
        choice, number = f"{name}{number}", number + 1
    taken.add(choice)
    return choice


def _make_primitive(store: Store, skin: Body, lift: np.ndarray) -> dict[str, Any]:
    index_type = "<u2" if len(skin.vertices) < 65535 else "<u4"
    joint_type = "u1" if len(skin.bind_positions) <= 256 else "<u2"
    normals = skin.normals.astype("<f4")
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return {
        "attributes": {
            "POSITION": store.add((skin.vertices + lift).astype("<f4"), "VEC3", VERTEX_DATA, with_range=True),
            "NORMAL": store.add(normals, "VEC3", VERTEX_DATA),
            "JOINTS_0": store.add(skin.joints.astype(joint_type), "VEC4", VERTEX_DATA),
            "WEIGHTS_0": store.add(_round_weights(skin.weights), "VEC4", VERTEX_DATA),
        },
        "indices": store.add(skin.triangles.reshape(-1).astype(index_type), "SCALAR", TRIANGLE_DATA),
        "material": 0,
    }


def _round_weights(weights: np.ndarray) -> np.ndarray:
    """Weights (V, 4) as float32 that still sum to 1: the rounding error is added to the largest."""
    rounded = weights.astype("<f4")
    rounded[:, 0] = 1.0 - rounded[:, 1:].astype(float).sum(axis=1)
    return rounded


def _make_material() -> dict[str, Any]:
    surface = {"baseColorFactor": list(_BODY_COLOUR), "metallicFactor": 0.0, "roughnessFactor": 0.75}
    return {"name": "mannequin", "pbrMetallicRoughness": surface}


def _make_skin(store: Store, motion: Motion, skin: Body, lift: np.ndarray) -> dict[str, Any]:
    """Inverse bind matrices: from the bind pose's world space to each joint's frame, column-major."""
    turns = np.swapaxes(rotations.to_matrix(skin.bind_rotations), -1, -2)  # (J, 3, 3) world to joint
    matrices = np.zeros((motion.skeleton.n_joints, 4, 4))
    matrices[:, :3, :3] = turns
    matrices[:, :3, 3] = -(turns @ (skin.bind_positions + lift)[..., None])[..., 0]
    matrices[:, 3, 3] = 1.0
    columns = np.swapaxes(matrices, -1, -2).reshape(-1, 16).astype("<f4")
    joints = list(range(motion.skeleton.n_joints))
    return {"inverseBindMatrices": store.add(columns, "MAT4"), "joints": joints, "skeleton": 0}


def _make_animation(store: Store, motion: Motion, name: str) -> dict[str, Any]:
    """One channel for the root's translation and one per joint's rotation; constant ones have a single key."""
    times = (np.arange(motion.n_frames) / motion.fps).astype("<f4")
    time_of_keys: dict[int, int] = {}  # number of keys -> accessor of their times
    turns = _to_xyzw(rotations.align_signs(rotations.normalize(motion.local_rotations.astype(float))))
    tracks = [(0, "translation", "VEC3", motion.root_positions)]
    tracks += [(joint, "rotation", "VEC4", turns[:, joint]) for joint in range(motion.skeleton.n_joints)]
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    for node, what, kind, values in tracks:
        values = values.astype("<f4")
        moves = bool((values != values[0]).any())
        n_keys = motion.n_frames if moves else 1
        if n_keys not in time_of_keys:
            time_of_keys[n_keys] = store.add(times[:n_keys], "SCALAR", with_range=True)
        output = store.add(values[:n_keys], kind)
        channels.append({"sampler": len(samplers), "target": {"node": node, "path": what}})
        samplers.append({"input": time_of_keys[n_keys], "output": output, "interpolation": "LINEAR"})
    return {"name": name, "channels": channels, "samplers": samplers, "extras": {"fps": motion.fps}}


def _add_supports(document: dict[str, Any], store: Store, motion: Motion, footing: Footing) -> None:
    """Add the boxes that feet stand on, and when they are shown."""
    first = len(document["nodes"])
    document["materials"].append(_glb_supports.material())
    document["meshes"].append(_glb_supports.mesh(store.add, len(document["materials"]) - 1))
    document["nodes"] += _glb_supports.nodes(footing, len(document["meshes"]) - 1)
    document["scenes"][0]["nodes"] += range(first, len(document["nodes"]))
    for animation in document.get("animations", []):
        channels, samplers = _glb_supports.animate(store.add, footing, motion.n_frames, motion.fps, first)
        n_samplers = len(animation["samplers"])
        animation["channels"] += [{**channel, "sampler": channel["sampler"] + n_samplers} for channel in channels]
        animation["samplers"] += samplers


def _add_terrain(document: dict[str, Any], store: Store, ground: Ground) -> None:
    """Add uneven ground as a mesh of its own."""
    document["materials"].append(_glb_terrain.material())
    mesh = _glb_terrain.mesh(store.add, ground, len(document["materials"]) - 1)
    if mesh is None:
        document["materials"].pop()
        return
    document["meshes"].append(mesh)
    document["scenes"][0]["nodes"].append(len(document["nodes"]))
    document["nodes"].append({"name": "terrain", "mesh": len(document["meshes"]) - 1})


def _to_xyzw(q: np.ndarray) -> np.ndarray:
    return q[..., [1, 2, 3, 0]]
