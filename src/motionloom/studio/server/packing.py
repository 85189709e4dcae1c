"""Binary messages: a JSON header that says what follows, then the arrays as they lie in memory.

uint32 length of the header, the header, zeros up to a multiple of 8, the arrays (little-endian), each begun at a
multiple of 8. The page reads them as typed arrays without copying; see web/src/api/packing.ts.
"""

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

ALIGNMENT = 8
MEDIA_TYPE = "application/octet-stream"


def pack(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Pack plain values and arrays into one message."""
    described, parts, offset = [], [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array)
        data = data.astype(data.dtype.newbyteorder("<"), copy=False)
        described.append({"name": name, "dtype": data.dtype.name, "shape": list(data.shape), "offset": offset})
        raw = data.tobytes()
        parts += [raw, bytes(-len(raw) % ALIGNMENT)]
        offset += len(raw) + -len(raw) % ALIGNMENT
    text = json.dumps({**header, "arrays": described}, separators=(",", ":"), allow_nan=False).encode()
    padding = bytes(-(4 + len(text)) % ALIGNMENT)
    return b"".join([struct.pack("<I", len(text)), text, padding, *parts])


def unpack(message: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header, without the description of the arrays, and the arrays of a message."""
    (length,) = struct.unpack_from("<I", message)
    header = json.loads(message[4 : 4 + length])
    begin = 4 + length + -(4 + length) % ALIGNMENT
    arrays = {}
    for entry in header.pop("arrays"):
        dtype = np.dtype(entry["dtype"]).newbyteorder("<")
        count = int(np.prod(entry["shape"], dtype=int))
        arrays[entry["name"]] = np.frombuffer(message, dtype, count, begin + entry["offset"]).reshape(entry["shape"])
    return header, arrays
