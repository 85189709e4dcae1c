"""Malformed npz files."""

import io
import json

import numpy as np
from tests.formats.malformed.malformed_file import Malformed


def pack(about: dict[str, object] | None = None, **arrays: np.ndarray) -> bytes:
    """An archive of arrays, with what motionloom writes about them or without."""
    packed = io.BytesIO()
    if about is not None:
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(packed, **arrays)
    return packed.getvalue()


def body(**changes: np.ndarray) -> bytes:
    """Four frames of two joints, with some arrays changed."""
    arrays = {
        "parents": np.array([-1, 0]),
        "offsets": np.zeros((2, 3)),
        "end_parents": np.zeros(0, int),
        "end_offsets": np.zeros((0, 3)),
        "root_positions": np.zeros((4, 3)),
        "local_rotations": np.tile([1.0, 0, 0, 0], (4, 2, 1)),
    } | changes
    about = {
        "format": "motionloom",
        "version": 1,
        "kind": "body",
        "fps": 60,
        "names": ["a", "b"],
        "roles": {},
        "skeleton": "s",
    }
    return pack(about, **arrays)


def repack(content: bytes) -> bytes:
    """The same, compressed."""
    packed = io.BytesIO()
    with np.load(io.BytesIO(content)) as archive:
        np.savez_compressed(packed, **archive)
    return packed.getvalue()


MALFORMED = [
    Malformed("empty.npz", lambda: b"", {}, ": the file is empty. Was it copied completely?"),
    Malformed(
        "cut_off.npz",
        lambda: body()[:-30],
        {},
        ": this is not an .npz file, or it is cut off or damaged. Please write it again.",
    ),
    Malformed(
        "other.npz",
        lambda: pack(x=np.zeros(3)),
        {},
        ": this .npz was not written by motionloom. Please export it again with motionloom.",
    ),
    Malformed(
        "newer.npz",
        lambda: pack({"format": "motionloom", "version": 99}),
        {},
        ": format version 99, but this motionloom reads up to 1. Please update motionloom.",
    ),
    Malformed(
        "missing_array.npz",
        lambda: pack({"format": "motionloom", "version": 1, "kind": "body", "fps": 60}),
        {},
        ": the array 'parents' is missing. Please write the file again.",
    ),
    Malformed(
        "shapes.npz",
        lambda: body(root_positions=np.zeros((5, 3))),
        {},
        ": the arrays do not fit together (root_positions have shape (5, 3) and local_rotations (4, 2, 4), expected "
        "(F, 3) and (F, 2, 4) for a skeleton of 2 joints). Please write it again.",
    ),
    Malformed(
        "nan.npz",
        lambda: body(root_positions=np.full((4, 3), np.nan)),
        {},
        ": the arrays do not fit together ('root_positions' has values that are not finite). Please write it again.",
    ),
    Malformed(
        "no_rotation.npz",
        lambda: body(local_rotations=np.tile([1.0, 1, 0, 0], (4, 2, 1))),
        {},
        ": frame 0: the rotation of 'a' has length 1.414, expected 1. Please write it again.",
    ),
    Malformed(
        "objects.npz",
        lambda: body(root_positions=np.array(["a"] * 12).reshape(4, 3)),
        {},
        ": the array 'root_positions' does not hold plain numbers. Please write it again.",
    ),
    Malformed(
        "unfolding.npz",
        lambda: repack(body(positions=np.zeros(13_000_000))),
        {},
        ": it would unfold from 0.1 MB to 104 MB, of which at most 100 MB are read. Is it a real recording?",
    ),
]
