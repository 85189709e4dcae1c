"""Malformed files of points: C3D, TRC and marker tables. C3D files are put together here byte by byte."""

import struct
from collections.abc import Sequence

import numpy as np
from tests.formats.malformed.malformed_file import Malformed

_PROCESSORS = {"INTEL": 84, "DEC": 85, "MIPS": 86}
_TRC = """PathFileType\t4\t(X/Y/Z)\ta.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits
100\t100\t2\t2\tmm
Frame#\tTime\tC7\t\t\tLANK\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.00\t10\t1500\t-3\t12\t80\t4
2\t0.01\t10\t1501\t-3\t12\t80\t4
"""
_CSV = "frame,time,C7.x,C7.y,C7.z\n0,0.00,1,150,3\n1,0.01,1,150,3\n2,0.02,1,151,3\n"


def c3d_file(
    values: np.ndarray,
    *,
    labels: Sequence[str] = ("C7", "LANK"),
    lists: dict[str, Sequence[str]] | None = None,
    processor: str = "INTEL",
    scale: float = -1.0,
    missing: tuple[int, int] | None = None,
    n_analog: int = 0,
    first_frame: int = 1,
    fps: float = 50.0,
) -> bytes:
    """A C3D file of (F, N, 3) values, with two analog samples for each frame, all of them 7.

    Args:
        values: in file units.
        labels: of the points.
        lists: further lists of labels in the group of points.
        processor: INTEL, DEC or MIPS.
        scale: of the points; below 0 for floating point.
        missing: a frame and a point.
        n_analog: channels.
        first_frame: its number.
        fps: frames of points per second.
    """
    order = ">" if processor == "MIPS" else "<"
    last = first_frame + len(values) - 1
    point = {"USED": _whole(order, values.shape[1]), "SCALE": _real(scale, processor), "RATE": _real(fps, processor)}
    point |= {name: _strings(texts) for name, texts in {"LABELS": labels, **(lists or {})}.items()}
    point |= {"UNITS": _strings(("mm",)), "FRAMES": _whole(order, min(len(values), 65535))}
    trial = {
        "ACTUAL_START_FIELD": _whole(order, first_frame % 65536, first_frame // 65536),
        "ACTUAL_END_FIELD": _whole(order, last % 65536, last // 65536),
    }
    analog = {"USED": _whole(order, n_analog), "RATE": _real(2 * fps, processor)}
    groups = b"".join(
        _group(order, number, name, parameters)
        for number, (name, parameters) in enumerate({"POINT": point, "TRIAL": trial, "ANALOG": analog}.items(), 1)
    )
    n_blocks = (len(groups) + 6 + 511) // 512
    parameters = (bytes([1, 80, n_blocks, _PROCESSORS[processor]]) + groups).ljust(512 * n_blocks, b"\0")
    counts = (values.shape[1], 2 * n_analog, min(first_frame, 65535), min(last, 65535), 0)
    header = struct.pack(f"{order}BB5H", 2, 80, *counts) + _real(scale, processor)[2:][-4:]
    header += struct.pack(f"{order}HH", 2 + n_blocks, 2) + _real(fps, processor)[-4:]
    return header.ljust(512, b"\0") + parameters + _frames(values, order, processor, scale, missing, n_analog)


def _frames(
    values: np.ndarray, order: str, processor: str, scale: float, missing: tuple[int, int] | None, n_analog: int
) -> bytes:
    words = np.zeros((*values.shape[:2], 4))
    words[..., :3] = values if scale < 0 else np.rint(values / scale)
    if missing is not None:
        words[missing] = (0, 0, 0, -1)
    rows = np.hstack([words.reshape(len(values), -1), np.full((len(values), 2 * n_analog), 7.0)])
    if scale > 0:
        return rows.astype(f"{order}i2").tobytes()
    return b"".join(_float(value, processor) for value in rows.ravel())


def _float(value: float, processor: str) -> bytes:
    """Four bytes; those of DEC hold four times the number, with their two halves exchanged."""
    if processor != "DEC":
        return struct.pack(">f" if processor == "MIPS" else "<f", value)
    low, high = np.frombuffer(struct.pack("<f", 4 * value), "<u2")
    return struct.pack("<HH", high, low)


def _whole(order: str, *numbers: int) -> bytes:
    dimensions = bytes([1, len(numbers)]) if len(numbers) > 1 else bytes([0])
    return bytes([2]) + dimensions + struct.pack(f"{order}{len(numbers)}H", *numbers)


def _real(number: float, processor: str) -> bytes:
    return bytes([4, 0]) + _float(number, processor)


def _strings(texts: Sequence[str]) -> bytes:
    length = max(len(text) for text in texts)
    return bytes([255, 2, length, len(texts)]) + b"".join(text.encode().ljust(length) for text in texts)


def _group(order: str, number: int, name: str, parameters: dict[str, bytes]) -> bytes:
    content = struct.pack("bb", len(name), -number) + name.encode() + struct.pack(f"{order}h", 3) + b"\0"
    for key, value in parameters.items():
        content += struct.pack("bb", len(key), number) + key.encode()
        content += struct.pack(f"{order}h", len(value) + 3) + value + b"\0"
    return content


def _whole_c3d() -> bytes:
    return c3d_file(np.ones((4, 2, 3)) * 100)


def _swap(text: str, old: str, new: str) -> bytes:
    assert old in text
    return text.replace(old, new, 1).encode()


_CUT = ": its header and parameters cannot be read. Is the file cut off or damaged?"

MALFORMED = [
    Malformed("empty.c3d", lambda: b"", {}, ": the file is empty. Was it copied completely?"),
    Malformed(
        "picture.c3d",
        lambda: b"\x89PNG\r\n\x1a\n" + bytes(100),
        {},
        ": this is not a C3D file: its second byte is not that of one. Is it the right file?",
    ),
    Malformed("cut_in_header.c3d", lambda: _whole_c3d()[:100], {}, _CUT),
    Malformed("cut_in_parameters.c3d", lambda: _whole_c3d()[:600], {}, _CUT),
    Malformed(
        "cut_off.c3d",
        lambda: _whole_c3d()[:-40],
        {},
        ": it states 4 frames and ends after 2. Is the file cut off?",
    ),
    Malformed(
        "no_points.c3d",
        lambda: c3d_file(np.zeros((4, 0, 3)), n_analog=8),
        {},
        ": the file has no points, only 8 analog channels. Was it exported with its trajectories?",
    ),
    Malformed(
        "results_only.c3d",
        lambda: c3d_file(np.zeros((4, 1, 3)), labels=("Knee",), lists={"ANGLES": ("Knee",)}),
        {},
        ": the file has no points, only results of a model. Was it exported with its trajectories?",
    ),
    Malformed(
        "no_rate.c3d",
        lambda: c3d_file(np.zeros((4, 2, 3)), fps=0.0),
        {},
        ": it states 0 frames per second. Is the file damaged?",
    ),
    Malformed(
        "no_scale.c3d",
        lambda: c3d_file(np.ones((4, 2, 3)), scale=float("nan")),
        {},
        ": it states a scale of nan for its points. Is the file damaged?",
    ),
    Malformed(
        "unseen.c3d",
        lambda: c3d_file(np.full((4, 2, 3), np.nan)),
        {},
        ": no point is ever there: all 4 frames of 2 points are empty. Is it the right file?",
    ),
    Malformed(
        "giant.c3d",
        lambda: c3d_file(np.full((4, 2, 3), 1e12)),
        {},
        ": frame 0: a point is farther than 100000 m from the origin (is the unit right?). Please correct the file, "
        "or give its unit or rate.",
    ),
    Malformed("empty.csv", lambda: b"", {}, ": the file is empty. Was it copied completely?"),
    Malformed(
        "binary.csv",
        lambda: b"C7.x\0C7.y",
        {},
        " line 1: byte 4 is zero, so this is not a text file. Is it the right file?",
    ),
    Malformed(
        "other_table.csv",
        lambda: b"take,label,start,stop\nwalk,run,0,9\n",
        {},
        " line 1: 'take,label,start,stop' where columns such as LFHD.x,LFHD.y,LFHD.z were expected.",
    ),
    Malformed(
        "live_link.csv",
        lambda: b"Timecode,BlendShapeCount,EyeBlinkLeft,JawOpen\n16:55:51:38,61,0.1,0.2\n",
        {},
        ": this is a Live Link Face file of 2 curves, which are no points. Import it beside a take, with "
        "--beside TAKE.",
    ),
    Malformed(
        "walk.csv",
        lambda: b"HIERARCHY\nROOT Hips\n",
        {},
        ": this is a BVH file. Please rename it so that it ends in .bvh.",
    ),
    Malformed(
        "header_only.csv",
        lambda: b"C7.x,C7.y,C7.z\n",
        {},
        ": no frames below the names of the columns. Is the file cut off?",
    ),
    Malformed(
        "no_column.csv",
        lambda: b"C7.x,C7.y,C7.z,LANK.x,LANK.y\n1,2,3,4,5\n",
        {},
        " line 1: no column 'LANK.z' beside the others of that point.",
    ),
    Malformed(
        "twice.csv",
        lambda: b"C7.x,C7.y,C7.z,C7.x\n1,2,3,4\n",
        {},
        " line 1: the column 'C7.x' twice. Please rename one of them.",
    ),
    Malformed(
        "cut_off.csv",
        lambda: _CSV[:-7].encode(),
        {},
        " line 4: 3 values, expected 5. Is the file cut off or damaged?",
    ),
    Malformed(
        "word.csv",
        lambda: _swap(_CSV, "151", "much"),
        {},
        " line 4: 'much' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    Malformed(
        "too_large.csv",
        lambda: _swap(_CSV, "151", "1e999"),
        {},
        " line 4: '1e999' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    Malformed(
        "unseen.csv",
        lambda: b"C7.x,C7.y,C7.z\nnan,nan,nan\n,,\n",
        {},
        ": no point is ever there: all 2 frames of 1 points are empty. Is it the right file?",
    ),
    Malformed(
        "frames_back.csv",
        lambda: _swap(_CSV, "2,0.02", "1,0.02"),
        {},
        ": the frame number of row 3 is not after the one before. Please put the rows in order.",
    ),
    Malformed(
        "no_time.csv",
        lambda: _swap(_CSV, "0.01", ""),
        {},
        ": row 2 has no time. Please correct it.",
    ),
    Malformed(
        "far_frames.csv",
        lambda: _swap(_CSV, "2,0.02", "4000001,0.02"),
        {},
        ": 4000002 frames of 1 points in 0.0 MB, of which at most 2500000 frames are read. Is it a real recording?",
    ),
    Malformed(
        "no_rate.trc",
        lambda: _swap(_TRC, "100\t100\t2", "fast\t100\t2"),
        {},
        " line 3: 'fast' is not a number, expected a DataRate. Please correct this line.",
    ),
    Malformed(
        "cut_in_header.trc",
        lambda: "\n".join(_TRC.split("\n")[:3]).encode(),
        {},
        ": the file ends in its header. Is it cut off?",
    ),
    Malformed(
        "missing_frames.trc",
        lambda: _swap(_TRC, "100\t100\t2", "100\t100\t900"),
        {},
        " line 3: 2 frames of numbers, but NumFrames states 900. Is the file cut off?",
    ),
    Malformed(
        "cut_off.trc",
        lambda: _TRC[:-8].encode(),
        {},
        " line 8: 6 values, expected 8. Is the file cut off or damaged?",
    ),
    Malformed(
        "twice.trc",
        lambda: _swap(_TRC, "LANK", "C7"),
        {},
        " line 4: the marker 'C7' twice. Please rename one of them.",
    ),
    Malformed(
        "no_names.trc",
        lambda: _swap(_TRC, "Frame#\tTime", "1\t0.0"),
        {},
        " line 4: '1?0.0?C7???LANK' where Frame#, Time and the names of markers were expected.",
    ),
]
