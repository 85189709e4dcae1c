"""C3D: the binary format of optical systems, its points and their labels; analog channels are left out."""

import hashlib
import io
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats import _c3d_header
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.detection.conversion import FileProperties
from motionloom.formats.detection.point_conversion import convert_points, to_file
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Source, Take
from motionloom.formats.text import shorten
from motionloom.motion import Motion, PointMotion

MOST_POINTS, MOST_LABEL_BYTES = 65_535, 255  # that a C3D file can state
MOST_PARAMETER_BYTES = 120_000  # of all labels together; a parameter section has 255 blocks of 512 bytes
LABELS_OF_A_LIST = 255
_MILLIMETRE = 0.001
_UNITS = ((0.001, "mm"), (0.01, "cm"), (0.1, "dm"), (1.0, "m"), (0.0254, "in"), (0.3048, "ft"))  # metres, name
_SCREEN = {"x": ("+Y", "+X"), "y": ("+X", "+Y"), "z": ("+X", "+Z")}  # axes to the right and up, by the up axis
_MAGIC = 0x50


def is_c3d(content: bytes) -> bool:
    """Whether a file begins as C3D files do: the block where parameters begin, then a P."""
    return len(content) >= 2 and 0 < content[0] < 128 and content[1] == _MAGIC and b"\0" in content[:512]


def describe_other(content: bytes) -> str:
    """What is wrong with a file that has the ending of C3D files and is none."""
    if not content:
        return "the file is empty. Was it copied completely?"
    return "this is not a C3D file: its second byte is not that of one. Is it the right file?"


def read(path: str | Path, content: bytes, options: ReadOptions) -> Take:
    """Read the points of a C3D file, of any processor, in whole numbers or floating point.

    Args:
        path: of the file, for messages.
        content: of the file.
        options: how to read.
    """
    header = _c3d_header.read(path, content)
    if header.n_points == 0 or header.n_frames == 0:
        channels = f", only {header.n_analog} analog channels" if header.n_analog else ""
        raise FormatError(path, f"the file has no points{channels}. Was it exported with its trajectories?")
    positions = _read_positions(path, content, header)
    names, kept, found = _choose_points(header)
    if not names:
        raise FormatError(
            path, "the file has no points, only results of a model. Was it exported with its trajectories?"
        )
    if header.n_analog:
        message = f"{header.n_analog} analog channels at {header.analog_fps:g} per second are left out"
        found = (*found, Finding("analog", message, True))
    motion = PointMotion(names, positions[:, kept], options.fps or header.fps)
    metres = {name: metres for metres, name in _UNITS}.get(header.unit)
    file = FileProperties(
        str(path), "c3d", hashlib.sha256(content).hexdigest(), header.fps, metres_per_unit=metres, up=header.up
    )
    return convert_points(motion, options, file, found)


def write(
    path: str | Path, motion: Motion | PointMotion, source: Source | None = None, *, name: str | None = None
) -> None:
    """Write points as C3D, in floating point and without analog channels.

    Args:
        path: of the file; an existing one is replaced.
        motion: of points.
        source: of the motion; its up axis is restored, and its unit if C3D knows it. Millimetres and y up without it.
        name: not used: the file names its take.
    """
    if not isinstance(motion, PointMotion):
        raise BadInput(f"{path}: a .c3d holds points, and this is the motion of a body; use .bvh, .glb or .npz")
    labels = _encode_labels(path, motion)
    source = source or Source("", "c3d", "", motion.fps, _MILLIMETRE)
    known = [unit for unit in _UNITS if np.isclose(unit[0], source.metres_per_unit, rtol=1e-6)]
    up = source.up if source.up in _SCREEN else "y"
    metres, unit = known[0] if known else _UNITS[0]
    values, _ = to_file(motion, replace(source, metres_per_unit=metres, up=up))
    replace_file(path, _pack(values.astype(np.float32), labels, motion.fps, unit, _SCREEN[up]))


def _read_positions(path: str | Path, content: bytes, header: "_c3d_header.Header") -> np.ndarray:
    """Positions (F, N, 3) float64 in file units; NaN where a point was not seen."""
    width = 2 if header.scale > 0 else 4
    frame_bytes = (4 * header.n_points + header.analog_words) * width
    n_whole = (len(content) - header.data_at) // frame_bytes
    if n_whole < header.n_frames:
        reason = f"it states {header.n_frames} frames and ends after {max(n_whole, 0)}. Is the file cut off?"
        raise FormatError(path, reason)
    raw = np.frombuffer(content, np.uint8, header.n_frames * frame_bytes, header.data_at)
    raw = np.ascontiguousarray(raw.reshape(header.n_frames, frame_bytes)[:, : 4 * header.n_points * width])
    words = header.decode(raw, is_float=width == 4).reshape(header.n_frames, header.n_points, 4)
    with np.errstate(invalid="ignore", over="ignore"):
        missing = (words[..., 3] < 0) | ~np.isfinite(words[..., :3]).all(axis=2)
        scale = np.float32(1.0 if width == 4 else header.scale)
        positions = (words[..., :3].astype(np.float32) * scale).astype(np.float64)
    positions[missing] = np.nan
    return positions


def _choose_points(header: "_c3d_header.Header") -> tuple[tuple[str, ...], list[int], tuple[Finding, ...]]:
    """Names of the points to keep, their indices, and findings: results of a model among them are none."""
    labels = [*header.labels[: header.n_points], *[""] * (header.n_points - len(header.labels))]
    kept = [index for index, label in enumerate(labels) if label not in header.results or not label]
    names, n_changed = _make_unique([labels[index] or f"point {index + 1}" for index in kept])
    n_changed += sum(not labels[index] for index in kept)
    findings = []
    if len(kept) < len(labels):
        left = next(label for label in labels if label in header.results)
        message = f"{len(labels) - len(kept)} results of a model, such as angles and forces, are left out: '{left}' ..."
        findings.append(Finding("points", message))
    if n_changed:
        findings.append(
            Finding("points", f"{n_changed} points had no label, or that of another, and were given one", True)
        )
    return tuple(names), kept, tuple(findings)


def _make_unique(labels: list[str]) -> tuple[list[str], int]:
    """Names in which one that is taken gets a number, and how many did."""
    names, taken, last = list[str](), set(labels), dict[str, int]()
    for label in labels:
        if label not in last:
            last[label] = 1
            names.append(label)
            continue
        number = last[label] + 1
        while f"{label} ({number})" in taken:
            number += 1
        last[label] = number
        names.append(f"{label} ({number})")
        taken.add(names[-1])
    return names, len(labels) - len(last)


def _encode_labels(path: str | Path, motion: PointMotion) -> list[bytes]:
    labels = [name.encode() for name in motion.names]
    if not labels or not motion.n_frames:
        raise BadInput(f"{path}: there are no points to be written")
    if len(labels) > MOST_POINTS:
        raise BadInput(f"{path}: {len(labels)} points; a C3D file has at most {MOST_POINTS}")
    longest = max(len(label) for label in labels)
    if longest > MOST_LABEL_BYTES or max(longest, 1) * len(labels) > MOST_PARAMETER_BYTES:
        shown = shorten(max(motion.names, key=len))
        raise BadInput(f"{path}: the names of points are too long for a C3D file, such as '{shown}'; write .npz")
    return labels


def _pack(values: np.ndarray, labels: list[bytes], fps: float, unit: str, screen: tuple[str, str]) -> bytes:
    """The bytes of a file of (F, N, 3) float32 values."""
    from c3d import Writer

    writer = Writer(point_rate=fps, analog_rate=0.0, point_scale=-1.0, point_units=unit)
    length = max(1, *(len(label) for label in labels))
    for start in range(0, len(labels), LABELS_OF_A_LIST):
        some = labels[start : start + LABELS_OF_A_LIST]
        number = start // LABELS_OF_A_LIST + 1
        data = b"".join(label.ljust(length) for label in some)
        writer.point_group.add(f"LABELS{number if number > 1 else ''}", "", -1, "", data, length, len(some))
    if len(labels) > LABELS_OF_A_LIST:  # the library would state a count that does not fit into a byte
        writer.point_group.add_str("DESCRIPTIONS", "", " ", 1, 1)
    writer.set_screen_axis(*screen)
    missing = np.isnan(values).any(axis=2, keepdims=True)
    points = np.concatenate(
        [np.where(missing, 0, values), np.where(missing, -1.0, 0.0), np.zeros_like(missing)], axis=2
    )
    writer.add_frames([(frame, _NO_ANALOG) for frame in points.astype(np.float32)])
    packed = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are no analog channels
        writer.write(packed)
    return packed.getvalue()


_NO_ANALOG = np.zeros((0, 0))
