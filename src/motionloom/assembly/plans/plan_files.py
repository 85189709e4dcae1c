"""Plans as files: readable JSON where all pieces are recorded, an .npz where some carry frames of their own."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.assembly.plans.join import Join
from motionloom.assembly.plans.plan import Bent, Generated, Piece, Plan, Recorded, Source
from motionloom.assembly.requests.plain_data import UNREADABLE
from motionloom.corpus.store.serialization import skeleton_from_json, skeleton_to_json
from motionloom.errors import BadInput, FormatError, MotionloomError
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.npz_arrays import pack_arrays, read_arrays
from motionloom.motion import Footing, Motion, Placement, PointMotion, Skeleton
from motionloom.motion.footing import COLUMNS

FORMAT, VERSION = "motionloom plan", 1
MOST_ARRAYS = 10_000  # of a file: some 2,500 pieces with frames of their own
_ARRAY = re.compile(r"plan|\d{1,6}_[a-z_]{1,40}")  # names of arrays
_FOREIGN = "this is not a plan of motionloom, or it is damaged"
_WORDS: Mapping[type, str] = {Recorded: "take", Generated: "model", Bent: "bent"}  # what a piece is called by its kind


Carrier = Skeleton | tuple[str, ...] | None  # what generated pieces move: a skeleton, or points by their names


def write_plan(path: str | Path, plan: Plan) -> None:
    """Write a plan; the extension .json or .npz says how."""
    if _extension(path) == ".npz":
        replace_file(path, pack_plan(plan))
        return
    content, arrays = plan_to_data(plan)
    if arrays:
        raise BadInput(
            f"{path}: the plan has pieces with frames of their own, which JSON is not made for; write an .npz file"
        )
    replace_file(path, (json.dumps(content, indent=1, allow_nan=False) + "\n").encode())


def read_plan(path: str | Path) -> Plan:
    """Read a plan that `write_plan` wrote."""
    extension = _extension(path)
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(path, f"cannot be read ({error.strerror})") from None
    try:
        if extension == ".json":
            return plan_from_data(json.loads(content), {})
        return unpack_plan(content)
    except MotionloomError as error:
        raise FormatError(path, str(error)) from None
    except UNREADABLE as error:
        raise FormatError(path, f"{_FOREIGN} ({error})") from None


def pack_plan(plan: Plan) -> bytes:
    """A plan as the content of an .npz file."""
    content, arrays = plan_to_data(plan)
    about = np.frombuffer(json.dumps(content, allow_nan=False).encode(), np.uint8)
    return pack_arrays({"plan": about, **arrays})


def unpack_plan(content: bytes) -> Plan:
    """Back from what `pack_plan` gave; raises one of `UNREADABLE` or of our own errors where it is damaged."""
    try:
        arrays = read_arrays("plan", content, _is_array, foreign=_FOREIGN, most_members=MOST_ARRAYS)
    except FormatError as error:
        raise BadInput(f"{_FOREIGN} ({error.reason})" if error.reason != _FOREIGN else _FOREIGN) from None
    return plan_from_data(json.loads(arrays["plan"].tobytes()), arrays)


def _is_array(name: str) -> bool:
    return _ARRAY.fullmatch(name) is not None


def plan_to_data(plan: Plan) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A plan as plain data that JSON can hold, and the arrays of pieces with frames of their own."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "fps": plan.fps,
        "skeleton": plan.skeleton,
        "view": plan.view,
        "request": dict(plan.request),
        "pieces": [],
        "joins": [{"kind": join.kind, "seconds": join.seconds} for join in plan.joins],
    }
    arrays: dict[str, np.ndarray] = {}
    for number, piece in enumerate(plan.pieces):
        content["pieces"].append(_piece_to_data(piece))
        if not isinstance(piece.source, Recorded):
            motion = piece.source.motion
            if isinstance(motion, Motion):
                content["skeleton_of_generated"] = json.loads(skeleton_to_json(motion.skeleton))
            else:
                content["points_of_generated"] = list(motion.names)
            arrays |= _arrays_of(piece.source, number)
    return content, arrays


def plan_from_data(content: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Plan:
    """Back from plain data and arrays."""
    if content.get("format") != FORMAT:
        raise BadInput("this is not a plan of motionloom")
    if content["version"] > VERSION:
        raise BadInput(f"plan of version {content['version']}, but this motionloom reads up to {VERSION}; update it")
    kept, names = content.get("skeleton_of_generated"), content.get("points_of_generated")
    carrier: Carrier = skeleton_from_json(json.dumps(kept)) if kept is not None else tuple(names) if names else None
    return Plan(
        pieces=tuple(
            _piece_from_data(piece, number, arrays, carrier, content["fps"])
            for number, piece in enumerate(content["pieces"])
        ),
        joins=tuple(Join(**join) for join in content["joins"]),
        fps=content["fps"],
        skeleton=content["skeleton"],
        view=content["view"],
        request=content["request"],
    )


def _piece_to_data(piece: Piece) -> dict[str, Any]:
    data: dict[str, Any] = {_WORDS[type(piece.source)]: piece.name}
    if isinstance(piece.source, Generated):
        data["parameters"] = dict(piece.source.parameters)
    data |= {"start": piece.start, "stop": piece.stop}
    data["position"] = [float(metres) for metres in piece.placement.slide]
    data["heading_radians"] = float(piece.placement.heading)  # degrees would come back a little different
    if piece.time_warp is not None:
        data["time_warp"] = piece.time_warp.tolist()
    return data


def _piece_from_data(
    data: Mapping[str, Any], number: int, arrays: Mapping[str, np.ndarray], carrier: Carrier, fps: float
) -> Piece:
    source: Source
    if "take" in data:
        source = Recorded(data["take"])
    else:
        motion, contacts = _motion_from(number, arrays, carrier, fps), arrays.get(f"{number}_contacts")
        footing = Footing.from_rows(arrays.get(f"{number}_supports", np.zeros((0, len(COLUMNS)))))
        if "bent" in data:
            if not isinstance(motion, Motion):
                raise BadInput(f"piece {number} has points, which cannot be bent; write it again")
            source = Bent(data["bent"], motion, arrays[f"{number}_frames"], arrays[f"{number}_contacts"], footing)
        else:
            source = Generated(motion, data["model"], data["parameters"], contacts, footing)
    placement = Placement(float(data["heading_radians"]), np.array(data["position"], float))
    return Piece(source, data["start"], data["stop"], placement, data.get("time_warp"))


def _motion_from(number: int, arrays: Mapping[str, np.ndarray], carrier: Carrier, fps: float) -> Motion | PointMotion:
    if carrier is None:
        raise BadInput(f"piece {number} has its own frames, but the plan no skeleton for it; write it again")
    if isinstance(carrier, tuple):
        return PointMotion(carrier, arrays[f"{number}_positions"], fps)
    return Motion(carrier, arrays[f"{number}_root_positions"], arrays[f"{number}_local_rotations"], fps)


def _arrays_of(source: Generated | Bent, number: int) -> dict[str, np.ndarray]:
    motion = source.motion
    if isinstance(motion, PointMotion):
        return {f"{number}_positions": motion.positions}
    arrays = {
        f"{number}_root_positions": motion.root_positions,
        f"{number}_local_rotations": motion.local_rotations,
    }
    if source.contacts is not None:
        arrays[f"{number}_contacts"] = np.asarray(source.contacts, bool)
    if source.footing.supports:
        arrays[f"{number}_supports"] = source.footing.to_rows()
    if isinstance(source, Bent):
        arrays[f"{number}_frames"] = source.frames
    return arrays


def _extension(path: str | Path) -> str:
    extension = Path(path).suffix.lower()
    if extension not in (".json", ".npz"):
        raise BadInput(f"{path}: a plan is a .json or an .npz file, not '{extension}'")
    return extension
