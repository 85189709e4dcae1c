"""NPZ, the project's own format: all arrays without loss, with a format version. Equal motions give equal bytes."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats import limits, text
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.npz_arrays import pack_arrays, read_arrays
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Source, Take
from motionloom.motion import Curves, Motion, PointMotion, Skeleton

VERSION = 1
RESULT_PREFIX = "result_"  # of the names of arrays that a result has beside its motion
MOST_ABOUT = 8_000_000  # bytes of the JSON text about a motion
_BODY_ARRAYS = ("parents", "offsets", "end_parents", "end_offsets", "root_positions", "local_rotations")
_POINT_ARRAYS = ("positions",)
_CURVE_ARRAYS = ("curve_values", "curve_seconds", "curve_frames")
_CURVE_NUMBERS = ("fps", "timecode_fps", "start")
_NAMES = {"about", *_BODY_ARRAYS, *_POINT_ARRAYS, *_CURVE_ARRAYS}
_AGAIN = "Please write it again."
FOREIGN = "this .npz was not written by motionloom. Please export it again with motionloom."


def read(path: str | Path, options: ReadOptions | None = None) -> Take:
    """Read a motion written by `write`; it is in metres and y up already, so only the frame rate can be overridden."""
    options = options or ReadOptions()
    content = text.read_bytes(path)
    if not content:
        raise FormatError(path, "the file is empty. Was it copied completely?")
    about, arrays = _unpack(path, content)
    try:
        motion, curves = _to_motion(about, arrays), _to_curves(about, arrays)
    except (BadInput, TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise FormatError(path, f"the arrays do not fit together ({_one_line(error)}). {_AGAIN}") from None
    findings: tuple[Finding, ...] = ()
    stated_fps = motion.fps
    if options.fps is not None:
        motion = replace(motion, fps=options.fps)
        findings = (Finding("rate", f"{options.fps:g} frames per second, as given; the file states {stated_fps:g}"),)
    excess = limits.find_excess(motion)
    if excess is not None:
        raise FormatError(path, f"{excess}. {_AGAIN}")
    return Take(_name(path, about), motion, _source(path, content, about, stated_fps), findings, curves)


def write(
    path: str | Path,
    motion: Motion | PointMotion,
    source: Source | None = None,
    *,
    name: str | None = None,
    curves: Curves | None = None,
) -> None:
    """Write a motion without loss: reading gives the same arrays, bit for bit.

    Args:
        path: of the file; an existing one is replaced.
        motion: to write.
        source: of the motion; its units, axes and rotation orders are kept.
        name: not used: a take is named by its file, and equal motions give equal bytes.
        curves: that were recorded beside it; None for none.
    """
    replace_file(path, pack_arrays(motion_arrays(motion, source, curves)))


def motion_arrays(
    motion: Motion | PointMotion, source: Source | None = None, curves: Curves | None = None
) -> dict[str, np.ndarray]:
    """The arrays of a motion's file, by name."""
    about: dict[str, Any] = {"format": "motionloom", "version": VERSION, "fps": float(motion.fps)}
    if source is not None:
        kept = {"metres_per_unit": source.metres_per_unit, "up": source.up, "rotation_orders": source.rotation_orders}
        about["source"] = kept | ({"filled": source.filled} if source.filled else {})
    if isinstance(motion, Motion):
        skeleton = motion.skeleton
        roles = dict(sorted(skeleton.roles.items()))
        about |= {"kind": "body", "names": skeleton.names, "roles": roles, "skeleton": skeleton.name}
        arrays = {key: getattr(skeleton, key) for key in _BODY_ARRAYS[:4]}
        arrays |= {"root_positions": motion.root_positions, "local_rotations": motion.local_rotations}
    else:
        about |= {"kind": "points", "names": motion.names}
        arrays = {"positions": motion.positions}
    if curves is not None:
        about["curves"] = {"names": curves.names, **{key: getattr(curves, key) for key in _CURVE_NUMBERS}}
        arrays |= {key: getattr(curves, key.removeprefix("curve_")) for key in _CURVE_ARRAYS}
    return {"about": np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays}


def is_array_of_motion(name: str) -> bool:
    """Whether a motion's file, or that of a result, may have an array of this name."""
    return name in _NAMES or name.startswith(RESULT_PREFIX)


def _unpack(path: str | Path, content: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    arrays = read_arrays(
        path, content, is_array_of_motion, ["about", *_BODY_ARRAYS, *_POINT_ARRAYS, *_CURVE_ARRAYS], foreign=FOREIGN
    )
    if "about" not in arrays:
        raise FormatError(path, FOREIGN)
    about = _read_about(path, arrays["about"])
    keys: tuple[str, ...] = _BODY_ARRAYS if about.get("kind") == "body" else _POINT_ARRAYS
    keys += _CURVE_ARRAYS if "curves" in about else ()
    missing = [key for key in keys if key not in arrays]
    if missing:
        raise FormatError(path, f"the array '{missing[0]}' is missing. Please write the file again.")
    return about, {key: arrays[key] for key in keys}


def _read_about(path: str | Path, array: np.ndarray) -> dict[str, Any]:
    if array.nbytes > MOST_ABOUT:
        raise FormatError(path, f"its header has {array.nbytes} bytes; at most {MOST_ABOUT} are read. {_AGAIN}")
    try:
        about = json.loads(array.tobytes())
    except (ValueError, RecursionError):
        raise FormatError(path, f"its header cannot be read. {_AGAIN}") from None
    if not isinstance(about, dict) or about.get("format") != "motionloom" or type(about.get("version")) is not int:
        raise FormatError(path, FOREIGN)
    if about["version"] > VERSION:
        reason = (
            f"format version {about['version']}, but this motionloom reads up to {VERSION}. Please update motionloom."
        )
        raise FormatError(path, reason)
    return about


def _to_motion(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> Motion | PointMotion:
    fps = float(about["fps"])
    if not np.isfinite(fps):
        raise BadInput(f"frame rate is {fps}")
    for key in ("root_positions", "local_rotations", "positions", "offsets", "end_offsets"):
        if key in arrays and arrays[key].dtype.kind != "f":
            raise BadInput(f"'{key}' has type {arrays[key].dtype}, expected floating-point numbers")
    if about.get("kind") != "body":
        return PointMotion(_read_names(about, limits.MOST_POINTS), arrays["positions"], fps)
    for key in ("parents", "end_parents"):
        if arrays[key].dtype.kind not in "iu" or arrays[key].ndim != 1:
            raise BadInput(f"'{key}' has type {arrays[key].dtype}, expected a list of whole numbers")
    for key in ("root_positions", "local_rotations"):
        if not np.isfinite(arrays[key]).all():
            raise BadInput(f"'{key}' has values that are not finite")
    return Motion(_read_skeleton(about, arrays), arrays["root_positions"], arrays["local_rotations"], fps)


def _to_curves(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> Curves | None:
    """What was recorded beside the motion; None if nothing was."""
    if "curves" not in about:
        return None
    stated = about["curves"]
    names = _read_names(stated, limits.MOST_CURVES, "curve")
    values, seconds, frames = (arrays[key] for key in _CURVE_ARRAYS)
    fps, timecode_fps, start = (float(stated[key]) for key in _CURVE_NUMBERS)
    found = Curves(names, values, seconds, frames, timecode_fps, fps, start)
    problem = limits.find_excess_of_curves(found)
    if problem is not None:
        raise BadInput(problem)
    return found


def _read_skeleton(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> Skeleton:
    roles = dict(about["roles"])
    if len(roles) > limits.MOST_ROLES or len(arrays["end_parents"]) > limits.MOST_ENDS:
        raise BadInput(f"{len(roles)} roles of joints and {len(arrays['end_parents'])} end sites, which are too many")
    problem = limits.find_bad_name([*roles, *roles.values(), about["skeleton"]], "role or skeleton")
    if problem is not None:
        raise BadInput(problem)
    return Skeleton(
        names=_read_names(about, limits.MOST_JOINTS),
        parents=arrays["parents"],
        offsets=arrays["offsets"],
        end_parents=arrays["end_parents"],
        end_offsets=arrays["end_offsets"],
        roles=roles,
        name=about["skeleton"],
    )


def _read_names(about: dict[str, Any], most: int, what: str = "joint or point") -> tuple[str, ...]:
    names = about["names"]
    if not isinstance(names, list) or len(names) > most:
        raise BadInput(f"its names are not a list of at most {most}")
    problem = limits.find_bad_name(names, what)
    if problem is not None:
        raise BadInput(problem)
    return tuple(names)


def _name(path: str | Path, about: dict[str, Any]) -> str:
    """The name of the take: that of the file, unless an older version wrote another into it."""
    name = about.get("name")
    return name if isinstance(name, str) and name and limits.find_bad_name([name], "take") is None else Path(path).stem


def _source(path: str | Path, content: bytes, about: dict[str, Any], fps: float) -> Source:
    """The source of this file, with units and axes of the original file, so that exports restore them."""
    source = Source(
        path=str(path), format="npz", digest=hashlib.sha256(content).hexdigest(), fps=fps, metres_per_unit=1.0
    )
    before = about.get("source")
    if not isinstance(before, dict):
        return source
    try:
        original = replace(
            source,
            metres_per_unit=float(before["metres_per_unit"]),
            up=str(before["up"]),
            rotation_orders=tuple(str(order)[:9] for order in before["rotation_orders"][: limits.MOST_JOINTS]),
            filled=tuple((str(point), int(start), int(stop)) for point, start, stop in before.get("filled", ())),
        )
        limits.check_source(original, str(path))
    except (KeyError, TypeError, ValueError, OverflowError, BadInput):
        return source
    return original


def _one_line(error: Exception) -> str:
    return text.shorten(" ".join(str(error).split()), 200)
