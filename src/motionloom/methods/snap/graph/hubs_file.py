"""The hubs file, `*.hubs`: a hub graph that games and web pages play without Python; docs/hub_files.md specifies it.

A binary prefix, a JSON header, then the arrays. Rotations are quantised to 16 bits independently, so poses that are
bit-identical before are bit-identical after.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats import limits, text
from motionloom.formats.atomic_write import replace_file
from motionloom.methods.snap.graph.clip_controls import measure_controls
from motionloom.methods.snap.graph.hub_graph import NO_SUPPORTS, Action, Clip, HubGraph, Node
from motionloom.motion import Footing, Skeleton
from motionloom.motion.footing import COLUMNS
from motionloom.motion.packed import pack_arrays, packed_roots, packed_rotations

MAGIC = b"HUBS\r\n\x1a\n"  # line endings in it reveal a file that was transferred as text
VERSION = 2  # the newest that is read; files without supports are written as version 1
UNIT = 32767  # integer that stands for 1.0 in a quantised rotation
PREFIX = struct.Struct("<8sIIII")  # magic, version, bytes of the header, bytes of the file, checksum of what follows
ALIGNMENT = 8  # bytes at whose multiples the arrays begin
MOST_HEADER = 10_000_000  # bytes of the header
MOST_NODES, MOST_CLIPS, MOST_ACTIONS = 3_000, 5_000, 1_000
MOST_SUPPORTS = 20_000
MOST_LABELS = 1_000  # of a clip
MOST_HEADING = 1_000.0  # radians of a placement
_AGAIN = "Please export it again."
_MISFITS = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError, BadInput)


def write_hubs(path: str | Path, graph: HubGraph) -> None:
    """Write a graph to a file, atomically."""
    replace_file(path, hubs_bytes(graph))


def hubs_bytes(graph: HubGraph) -> bytes:
    """The bytes of the file of a graph."""
    arrays = _to_arrays(graph)
    described: dict[str, dict[str, Any]] = {}
    parts: list[bytes] = []
    offset = 0
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).tobytes()
        described[name] = {"type": array.dtype.name, "shape": list(array.shape), "offset": offset}
        padding = -len(raw) % ALIGNMENT
        parts += [raw, bytes(padding)]
        offset += len(raw) + padding
    header = json.dumps(
        {**_header_of(graph), "arrays": described}, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()
    rest = b"".join([header, bytes(-(PREFIX.size + len(header)) % ALIGNMENT), *parts])
    version = VERSION if len(graph.supports) else 1
    prefix = PREFIX.pack(MAGIC, version, len(header), PREFIX.size + len(rest), zlib.crc32(rest))
    return prefix + rest


def read_hubs(path: str | Path) -> HubGraph:
    """Read a graph; rotations are normalised, and equal to the written ones within 16 bits."""
    content = text.read_bytes(path)
    header, begin = _open(path, content)
    try:
        return _to_graph(header, content[begin:])
    except _MISFITS as error:
        reason = text.shorten(" ".join(str(error).split()) or type(error).__name__, 200)
        raise FormatError(path, f"its parts do not make a hub graph ({reason}). {_AGAIN}") from None


def _header_of(graph: HubGraph) -> dict[str, Any]:
    """The JSON header, without the table of arrays."""
    skeleton, controls = graph.skeleton, measure_controls(graph)
    return {
        "fps": graph.fps,
        "skeleton": {
            "name": skeleton.name,
            "digest": skeleton.digest,
            "names": list(skeleton.names),
            "parents": skeleton.parents.tolist(),
            "offsets": skeleton.offsets.tolist(),
            "end_parents": skeleton.end_parents.tolist(),
            "end_offsets": skeleton.end_offsets.tolist(),
            "roles": dict(skeleton.roles),
        },
        "nodes": [{"name": node.name, "kind": node.kind, "planted": list(node.planted)} for node in graph.nodes],
        "clips": [
            {
                "name": clip.name,
                "source": clip.source,
                "target": clip.target,
                "first": int(graph.clip_starts[c]),
                "frames": int(graph.clip_starts[c + 1] - graph.clip_starts[c]),
                "placement": [float(value) for value in graph.placements[c]],
                "labels": {label: float(share) for label, share in clip.labels.items()},
                "controls": controls.of(c),
                "motion": clip.motion,
                "start": clip.start,
                "stop": clip.stop,
            }
            for c, clip in enumerate(graph.clips)
        ],
        "actions": [{"name": action.name, "clips": list(action.clips)} for action in graph.actions],
    }


def _to_arrays(graph: HubGraph) -> dict[str, np.ndarray]:
    """Frames as the arrays of the file."""
    for name in ("frames", "hub_frames", "placements", "supports"):
        if not np.isfinite(getattr(graph, name)).all():
            raise BadInput(f"the {name} of the graph have values that are not finite; build it again")
    _check_count(len(graph.supports))
    bits = np.asarray(graph.contacts, np.uint8) << np.arange(4, dtype=np.uint8)
    return {
        "roots": packed_roots(graph.frames).astype("<f4"),
        "rotations": quantise(packed_rotations(graph.frames)),
        "hub_roots": packed_roots(graph.hub_frames).astype("<f4"),
        "hub_rotations": quantise(packed_rotations(graph.hub_frames)),
        "contacts": bits.sum(axis=1, dtype=np.uint8),
        **(_support_arrays(graph) if len(graph.supports) else {}),
    }


def _support_arrays(graph: HubGraph) -> dict[str, np.ndarray]:
    """Clip and frames of each support, in the order of clips, and its box."""
    rows = graph.supports[np.argsort(graph.supports[:, 0], kind="stable")]
    return {"support_frames": rows[:, :3].astype("<u4"), "supports": rows[:, 3:].astype("<f4")}


def _check_count(n_supports: int) -> None:
    if n_supports > MOST_SUPPORTS:
        raise BadInput(f"{n_supports} supports; at most {MOST_SUPPORTS} are read")


def quantise(rotations: np.ndarray) -> np.ndarray:
    """Quantise (..., J, 4) rotations to (..., 4 J) 16-bit integers; deterministic for each rotation."""
    q = np.asarray(rotations, float)
    w, x, y, z = np.moveaxis(q, -1, 0)
    length = np.sqrt(w * w + x * x + y * y + z * z)  # a sum over an axis would depend on memory layout
    return np.rint(q / length[..., None] * UNIT).astype("<i2").reshape(*q.shape[:-2], 4 * q.shape[-2])


def restore(quantised: np.ndarray) -> np.ndarray:
    """(..., J, 4) rotations of unit length, float32, of (..., 4 J) 16-bit integers."""
    q = quantised.astype(float).reshape(*quantised.shape[:-1], quantised.shape[-1] // 4, 4)
    w, x, y, z = np.moveaxis(q, -1, 0)
    length = np.sqrt(w * w + x * x + y * y + z * z)
    if not length.all():
        raise BadInput("a rotation is zero")
    return (q / length[..., None]).astype(np.float32)


def _open(path: str | Path, content: bytes) -> tuple[dict[str, Any], int]:
    """Check a file; returns its header, and the offset of its arrays."""
    if not content:
        raise FormatError(path, "the file is empty. Was it copied completely?")
    if not content.startswith(MAGIC[: len(content)]):
        raise FormatError(path, "this is not a .hubs file. Write one with `motionloom snap export`.")
    if len(content) < PREFIX.size:
        raise FormatError(path, f"the file is cut off after {len(content)} bytes. Was it copied completely?")
    _, version, length, size, checksum = PREFIX.unpack_from(content)
    if version > VERSION:
        raise FormatError(
            path, f"format version {version}, but this motionloom reads up to {VERSION}. Please update motionloom."
        )
    if len(content) < size:
        raise FormatError(path, f"the file is cut off: {len(content)} of {size} bytes. Was it copied completely?")
    if len(content) > size or zlib.crc32(content[PREFIX.size :]) != checksum:
        raise FormatError(path, f"the file is damaged: its checksum does not agree. {_AGAIN}")
    begin = PREFIX.size + length
    if length > MOST_HEADER:
        raise FormatError(path, f"its header has {length} bytes; at most {MOST_HEADER} are read. {_AGAIN}")
    try:
        header = json.loads(content[PREFIX.size : begin])
    except (ValueError, RecursionError):
        header = None
    if version < 1 or begin > size or not isinstance(header, dict):
        raise FormatError(path, f"its header cannot be read. {_AGAIN}")
    return header, begin + -begin % ALIGNMENT


def _to_graph(header: Mapping[str, Any], data: bytes) -> HubGraph:
    skeleton = _read_skeleton(header["skeleton"])
    for part, most in (("nodes", MOST_NODES), ("clips", MOST_CLIPS), ("actions", MOST_ACTIONS)):
        if len(header[part]) > most:
            raise BadInput(f"{len(header[part])} {part}; at most {most} are read")
    nodes = tuple(_read_node(node) for node in header["nodes"])
    clips = tuple(_read_clip(clip, len(nodes)) for clip in header["clips"])
    starts = _read_starts(header["clips"])
    n_hubs = sum(node.kind == "hub" for node in nodes)
    if not clips or any(node.kind != "hub" for node in nodes[:n_hubs]):
        raise BadInput("there must be clips, and hubs must come first among the nodes")
    n_joints, n_frames = skeleton.n_joints, int(starts[-1])
    shapes = {
        "roots": ("float32", (n_frames, 3)),
        "rotations": ("int16", (n_frames, 4 * n_joints)),
        "hub_roots": ("float32", (n_hubs, 3, 3)),
        "hub_rotations": ("int16", (n_hubs, 3, 4 * n_joints)),
        "contacts": ("uint8", (n_frames,)),
    }
    found = {name: _read_array(header["arrays"], name, *expected, data) for name, expected in shapes.items()}
    fps = float(header["fps"])
    if not limits.LEAST_FPS <= fps <= limits.MOST_FPS:
        raise BadInput(f"fps must be {limits.LEAST_FPS:g} to {limits.MOST_FPS:g}, got {fps}")
    return HubGraph(
        skeleton,
        fps,
        nodes,
        clips,
        pack_arrays(found["roots"], restore(found["rotations"])),
        starts,
        (found["contacts"][:, None] >> np.arange(4, dtype=np.uint8) & 1).astype(bool),
        pack_arrays(found["hub_roots"], restore(found["hub_rotations"])),
        np.array([_read_placement(clip) for clip in header["clips"]]),
        tuple(_read_action(action, len(clips)) for action in header["actions"]),
        _read_supports(header["arrays"], np.diff(starts), data),
    )


def _read_skeleton(header: Mapping[str, Any]) -> Skeleton:
    n_joints, n_ends = len(header["names"]), len(header["end_parents"])
    if max(n_joints, n_ends, len(header["roles"])) > limits.MOST_JOINTS:
        raise BadInput(f"{n_joints} joints and {n_ends} end sites; at most {limits.MOST_JOINTS} are read")
    _read_indices([parent + 1 for parent in header["parents"]], n_joints)  # whole numbers from -1
    for offsets in (header["offsets"], header["end_offsets"]):
        if not (np.abs(np.array(offsets, float)) <= limits.MOST_METRES).all():
            raise BadInput(f"a bone is longer than {limits.MOST_METRES:g} m")
    return Skeleton(
        names=tuple(_read_name(name) for name in header["names"]),
        parents=np.array(header["parents"], int),
        offsets=np.array(header["offsets"], float),
        end_parents=np.array(_read_indices(header["end_parents"], len(header["names"])), int),
        end_offsets=np.array(header["end_offsets"], float).reshape(n_ends, 3),
        roles={_read_name(role): _read_name(joint) for role, joint in header["roles"].items()},
        name=_read_name(header["name"]),
    )


def _read_node(header: Mapping[str, Any]) -> Node:
    kind, planted = header["kind"], header["planted"]
    if kind not in ("hub", "start", "end") or len(planted) != 4:
        raise BadInput(f"a node of kind '{kind}' with {len(planted)} contacts")
    return Node(_read_name(header["name"]), kind, tuple(bool(flag) for flag in planted))


def _read_clip(header: Mapping[str, Any], n_nodes: int) -> Clip:
    name, motion = _read_name(header["name"]), _read_name(header["motion"])
    source, target = _read_indices((header["source"], header["target"]), n_nodes)
    if len(header["labels"]) > MOST_LABELS:
        raise BadInput(f"clip '{name}' has {len(header['labels'])} labels; at most {MOST_LABELS} are read")
    labels = {_read_name(label): float(share) for label, share in header["labels"].items()}
    for label, share in labels.items():
        if not 0 <= share <= 1:
            raise BadInput(f"label '{label}' holds in {share} of the frames of clip '{name}', expected 0 to 1")
    start, stop = _read_indices((header["start"], header["stop"]), limits.MOST_FRAMES + 1)
    if start >= stop:
        raise BadInput(f"frames [{start}, {stop}) of clip '{name}' are an empty range")
    return Clip(name, source, target, motion, start, stop, labels)


def _read_action(header: Mapping[str, Any], n_clips: int) -> Action:
    name, clips = _read_name(header["name"]), header["clips"]
    if not 0 < len(clips) <= n_clips:
        raise BadInput(f"action '{name}' has {len(clips)} clips, expected 1 to {n_clips}")
    if len(set(_read_indices(clips, n_clips))) != len(clips):
        raise BadInput(f"action '{name}' has a clip twice")
    return Action(name, tuple(clips))


def _read_placement(clip: Mapping[str, Any]) -> list[float]:
    x, z, heading = _read_numbers(clip["placement"], 3)
    if max(abs(x), abs(z)) > limits.MOST_METRES or abs(heading) > MOST_HEADING:
        raise BadInput(f"the placement of clip '{clip['name']}' is farther than {limits.MOST_METRES:g} m away")
    return [x, z, heading]


def _read_starts(clips: list[Mapping[str, Any]]) -> np.ndarray:
    """(C + 1,) index of the first frame of each clip; clips are not empty and follow each other without gaps."""
    starts = [0]
    for clip in clips:
        if clip["first"] != starts[-1] or not isinstance(clip["frames"], int) or clip["frames"] < 1:
            raise BadInput(f"clip '{clip['name']}' does not begin where the clip before it ends")
        starts.append(starts[-1] + clip["frames"])
    return np.array(starts)


def _read_array(described: Mapping[str, Any], name: str, kind: str, shape: tuple[int, ...], data: bytes) -> np.ndarray:
    """An array as a view of the bytes of the file."""
    entry = described[name]
    if entry["type"] != kind or tuple(entry["shape"]) != shape:
        raise BadInput(f"'{name}' is {entry['type']} {entry['shape']}, expected {kind} {list(shape)}")
    dtype, offset = np.dtype(kind).newbyteorder("<"), entry["offset"]
    count = int(np.prod(shape, dtype=object))  # arbitrary precision, because an overflow could pass the check below
    if not isinstance(offset, int) or offset < 0 or offset % ALIGNMENT or offset + count * dtype.itemsize > len(data):
        raise BadInput(f"'{name}' is outside the file")
    array = np.frombuffer(data, dtype, count, offset).reshape(shape)
    if kind == "float32" and not np.isfinite(array).all():
        raise BadInput(f"'{name}' has values that are not finite")
    if kind == "float32" and (np.abs(array) > limits.MOST_METRES).any():
        raise BadInput(f"a position in '{name}' is farther than {limits.MOST_METRES:g} m from the origin")
    return array


def _read_supports(described: Mapping[str, Any], lengths: np.ndarray, data: bytes) -> np.ndarray:
    """(K, 10) the supports of clips with `lengths` frames; none in a file without their arrays."""
    if "supports" not in described and "support_frames" not in described:
        return NO_SUPPORTS
    count = _read_indices(described["supports"]["shape"][:1], limits.MOST_FRAMES)[0]
    _check_count(count)
    boxes = _read_array(described, "supports", "float32", (count, len(COLUMNS) - 2), data)
    frames = _read_array(described, "support_frames", "uint32", (count, 3), data).astype(np.int64)
    for number, (clip, start, stop) in enumerate(frames.tolist()):
        if clip >= len(lengths):
            raise BadInput(f"support {number} is of clip {clip}, but there are {len(lengths)}")
        if not start < stop <= lengths[clip]:
            raise BadInput(f"support {number} has the frames [{start}, {stop}) of a clip of {lengths[clip]}")
    if (np.diff(frames[:, 0]) < 0).any():
        raise BadInput("supports must be in the order of their clips")
    rows = np.column_stack([frames, boxes.astype(float)])
    Footing.from_rows(rows[:, 1:])  # raises for boxes that are none
    return rows


def _read_numbers(values: Any, count: int) -> list[float]:
    numbers = [float(value) for value in values]
    if len(numbers) != count or not np.isfinite(numbers).all():
        raise BadInput(f"{len(numbers)} numbers, expected {count} finite ones")
    return numbers


def _read_indices(values: Any, count: int) -> tuple[int, ...]:
    """Indices from 0 to count - 1."""
    for value in values:
        if type(value) is not int or not 0 <= value < count:
            raise BadInput(f"index {str(value)[:20]} is out of range: there are {count}")
    return tuple(values)


def _read_name(value: Any) -> str:
    problem = limits.find_bad_name([value], "part of the graph")
    if problem is not None:
        raise BadInput(problem)
    return value
