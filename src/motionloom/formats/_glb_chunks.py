"""The two chunks of a GLB file: the JSON document, and the arrays that it refers to."""

import json
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import motionloom

VERTEX_DATA, TRIANGLE_DATA = 34962, 34963
_FLOAT, _UNSIGNED_BYTE, _UNSIGNED_SHORT, _UNSIGNED_INT = 5126, 5121, 5123, 5125
COMPONENTS = {
    np.dtype("<f4"): _FLOAT,
    np.dtype("u1"): _UNSIGNED_BYTE,
    np.dtype("<u2"): _UNSIGNED_SHORT,
    np.dtype("<u4"): _UNSIGNED_INT,
}


def asset() -> dict[str, Any]:
    """What made the file."""
    return {"version": "2.0", "generator": f"motionloom {motionloom.__version__}"}


@dataclass
class Store:
    """A builder of the binary chunk, with its accessors and buffer views."""

    data: bytearray = field(default_factory=bytearray)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)

    def add(self, array: np.ndarray, kind: str, target: int | None = None, *, with_range: bool = False) -> int:
        """Append (N,) or (N, C) values; returns the index of their accessor."""
        array = np.ascontiguousarray(array)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        if target is not None:
            view["target"] = target
        self.data += array.tobytes()
        self.data += b"\0" * (-len(self.data) % 4)
        accessor = {
            "bufferView": len(self.views),
            "componentType": COMPONENTS[array.dtype],
            "count": len(array),
            "type": kind,
        }
        if with_range:
            columns = array.reshape(len(array), -1)
            accessor |= {"min": columns.min(axis=0).tolist(), "max": columns.max(axis=0).tolist()}
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def pack(document: dict[str, Any], data: bytes) -> bytes:
    """The file: a header, the JSON chunk padded with spaces, the binary chunk padded with zeros."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    header = struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(data))
    return header + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
