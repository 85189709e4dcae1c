"""NPZ, the project's own format: all arrays without loss, with a format version."""

import hashlib
import io
import json
import zipfile
import zlib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats import text
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Source, Take
from motionloom.motion import Motion, PointMotion, Skeleton

VERSION = 1
_BODY_ARRAYS = ("parents", "offsets", "end_parents", "end_offsets", "root_positions", "local_rotations")
_POINT_ARRAYS = ("positions",)
_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    TypeError,
    MemoryError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read a motion written by `write`; it is in metres and y up already, so only the frame rate can be overridden."""
    options = options or ReadOptions()
    content = text.read_bytes(path)
    if not content:
        raise FormatError(path, "the file is empty. Was it copied completely?")
    about, arrays = _unpack(path, content)
    try:
        motion = _to_motion(about, arrays)
    except (BadInput, TypeError, ValueError, KeyError) as error:
        raise FormatError(
            path, f"the arrays do not fit together ({_one_line(error)}). Please write it again."
        ) from None
    findings: tuple[Finding, ...] = ()
    stated_fps = motion.fps
    if options.fps is not None:
        motion = replace(motion, fps=options.fps)
        findings = (Finding("rate", f"{options.fps:g} frames per second, as given; the file states {stated_fps:g}"),)
    name = about.get("name") if isinstance(about.get("name"), str) else Path(path).stem
    return Take(str(name), motion, _source(path, content, about, stated_fps), findings)


def write(
    path: str | Path, motion: Motion | PointMotion, source: Source | None = None, *, name: str | None = None
) -> None:
    """Write a motion without loss: reading gives the same arrays, bit for bit."""
    about: dict[str, Any] = {
        "format": "motionloom",
        "version": VERSION,
        "fps": motion.fps,
        "name": name or Path(path).stem,
    }
    if source is not None:
        about["source"] = asdict(source)
    if isinstance(motion, Motion):
        skeleton = motion.skeleton
        about |= {"kind": "body", "names": skeleton.names, "roles": dict(skeleton.roles), "skeleton": skeleton.name}
        arrays = {key: getattr(skeleton, key, None) for key in _BODY_ARRAYS[:4]}
        arrays |= {"root_positions": motion.root_positions, "local_rotations": motion.local_rotations}
    else:
        about |= {"kind": "points", "names": motion.names}
        arrays = {"positions": motion.positions}
    packed = io.BytesIO()
    np.savez_compressed(packed, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)  # type: ignore[arg-type]
    replace_file(path, packed.getvalue())


def _unpack(path: str | Path, content: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            if not hasattr(archive, "files") or "about" not in archive.files:
                raise FormatError(
                    path, "this .npz was not written by motionloom. Please export it again with motionloom."
                )
            about = json.loads(bytes(archive["about"].tobytes()))
            _check_version(path, about)
            keys = _BODY_ARRAYS if about.get("kind") == "body" else _POINT_ARRAYS
            missing = [key for key in keys if key not in archive.files]
            if missing:
                raise FormatError(path, f"the array '{missing[0]}' is missing. Please write the file again.")
            return about, {key: archive[key] for key in keys}
    except (*_UNREADABLE, zipfile.BadZipFile, zlib.error):
        raise FormatError(
            path, "this is not an .npz file, or it is cut off or damaged. Please write it again."
        ) from None


def _check_version(path: str | Path, about: object) -> None:
    if not isinstance(about, dict) or about.get("format") != "motionloom" or not isinstance(about.get("version"), int):
        raise FormatError(path, "this .npz was not written by motionloom. Please export it again with motionloom.")
    if about["version"] > VERSION:
        reason = (
            f"format version {about['version']}, but this motionloom reads up to {VERSION}. Please update motionloom."
        )
        raise FormatError(path, reason)


def _to_motion(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> Motion | PointMotion:
    fps = float(about["fps"])
    if not np.isfinite(fps):
        raise BadInput(f"frame rate is {fps}")
    for key in ("root_positions", "local_rotations", "positions"):
        if key in arrays and arrays[key].dtype.kind != "f":
            raise BadInput(f"'{key}' has type {arrays[key].dtype}, expected floating-point numbers")
    if about.get("kind") != "body":
        return PointMotion(tuple(str(name) for name in about["names"]), arrays["positions"], fps)
    for key in ("root_positions", "local_rotations"):
        if not np.isfinite(arrays[key]).all():
            raise BadInput(f"'{key}' has values that are not finite")
    skeleton = Skeleton(
        names=tuple(str(n) for n in about["names"]),
        parents=arrays["parents"],
        offsets=arrays["offsets"],
        end_parents=arrays["end_parents"],
        end_offsets=arrays["end_offsets"],
        roles=dict(about["roles"]),
        name=str(about["skeleton"]),
    )
    return Motion(skeleton, arrays["root_positions"], arrays["local_rotations"], fps)


def _source(path: str | Path, content: bytes, about: dict[str, Any], fps: float) -> Source:
    """The source of this file, with units and axes of the original file, so that exports restore them."""
    source = Source(
        path=str(path), format="npz", digest=hashlib.sha256(content).hexdigest(), fps=fps, metres_per_unit=1.0
    )
    before = about.get("source")
    if not isinstance(before, dict):
        return source
    try:
        return replace(
            source,
            metres_per_unit=float(before["metres_per_unit"]),
            up=str(before["up"]),
            rotation_orders=tuple(str(order) for order in before["rotation_orders"]),
        )
    except (KeyError, TypeError, ValueError):
        return source


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
