"""Header and parameters of C3D files, read with the package `c3d`; the block of frames is decoded here in one step.

The package reads frame by frame, stops without a word where a file is cut off, and refuses files in which header and
parameters differ in what is of no matter.
"""

import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import limits

_UP = {"+X": "x", "+Y": "y", "+Z": "z", "-X": "-x", "-Y": "-y", "-Z": "-z", "X": "x", "Y": "y", "Z": "z"}
_RESULTS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")  # lists of labels that are no points
_METRIC = {"meters": "m", "metres": "m", "millimeters": "mm", "millimetres": "mm", "centimeters": "cm", "inches": "in"}
_BLOCK = 512


@dataclass(frozen=True)
class Header:
    """What a C3D file states about its points."""

    n_points: int
    n_frames: int
    fps: float
    scale: float  # below 0 for floating point
    data_at: int  # byte at which the frames begin
    analog_words: int  # of all channels, in each frame of points
    n_analog: int  # channels
    analog_fps: float
    labels: tuple[str, ...]
    results: frozenset[str]  # labels that are no points, but results of a model
    unit: str  # such as "mm"; empty where none is stated
    up: str | None
    processor: str  # INTEL, DEC or MIPS

    def decode(self, raw: np.ndarray, *, is_float: bool) -> np.ndarray:
        """The numbers of (F, B) bytes."""
        order = ">" if self.processor == "MIPS" else "<"
        if not is_float:
            return raw.view(f"{order}i2")
        if self.processor != "DEC":
            return raw.view(f"{order}f4")
        from c3d.c3d import DEC_to_IEEE_BYTES

        with np.errstate(all="ignore"):
            return np.asarray(DEC_to_IEEE_BYTES(raw.tobytes()), np.float32)


def read(path: str | Path, content: bytes) -> Header:
    """Read what a file states; raises if it is damaged or cut off before its frames begin."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            header = _read(content)
    except Exception:  # the package has no error of its own: damaged files end it with any
        reason = "its header and parameters cannot be read. Is the file cut off or damaged?"
        raise FormatError(path, reason) from None
    if not np.isfinite(header.fps) or not limits.LEAST_FPS <= header.fps <= limits.MOST_FPS:
        raise FormatError(path, f"it states {header.fps:g} frames per second. Is the file damaged?")
    if not np.isfinite(header.scale) or header.scale == 0:
        raise FormatError(path, f"it states a scale of {header.scale:g} for its points. Is the file damaged?")
    return header


def _read(content: bytes) -> Header:
    import c3d

    class Reader(c3d.Reader):
        def _check_metadata(self) -> None:
            """Where header and parameters differ, parameters are believed, or what fits the length of the file."""

    reader = Reader(io.BytesIO(content))
    n_points, n_analog = int(reader.point_used), int(reader.analog_used)
    fps, analog_fps = _shortest(reader.point_rate), _shortest(reader.analog_rate) if n_analog else 0.0
    n_frames = max(0, int(reader.last_frame) - _first_frame(reader) + 1)
    scale, data_at = float(reader.point_scale), (int(reader.header.data_block) - 1) * _BLOCK
    counts = [n_analog * (round(analog_fps / fps) if fps > 0 else 0), int(reader.header.analog_count)]
    width = 2 if scale > 0 else 4
    left = [len(content) - data_at - n_frames * (4 * n_points + words) * width for words in counts]
    return Header(
        n_points=n_points,
        n_frames=n_frames,
        fps=fps,
        scale=scale,
        data_at=data_at,
        analog_words=counts[1] if 0 <= left[1] < _BLOCK and not 0 <= left[0] < _BLOCK else counts[0],
        n_analog=n_analog,
        analog_fps=analog_fps,
        labels=tuple(_labels(reader, "LABELS")),
        results=frozenset(label for kind in _RESULTS for label in _labels(reader, kind)) - {""},
        unit=_unit(_text(reader, "POINT:UNITS")),
        up=_UP.get(_text(reader, "POINT:Y_SCREEN").upper()),
        processor=reader.proc_type,
    )


def _first_frame(reader: Any) -> int:
    """The number of the first frame; the package takes the upper half of it for 65,535 each."""
    given = reader.get("TRIAL:ACTUAL_START_FIELD")
    if given is None or given.total_bytes < 4:
        return int(reader.header.first_frame)
    low, high = (int(word) for word in given.uint16_array.ravel()[:2])
    return low + 65_536 * high


def _shortest(rate: float) -> float:
    """A rate of float32 as the decimal that was meant: 59.94 and not 59.93999862."""
    return float(str(np.float32(rate)))


def _labels(reader: Any, name: str) -> Iterator[str]:
    """The strings of a list and of those that continue it: LABELS, LABELS2, LABELS3."""
    for number in range(1, 1_000):
        given = reader.get(f"POINT:{name}{number if number > 1 else ''}")
        if given is None:
            return
        length = given.dimensions[0] if given.dimensions else 0
        for start in range(0, len(given.bytes) if length else 0, max(length, 1)):
            yield _decode(given.bytes[start : start + length])


def _text(reader: Any, name: str) -> str:
    given = reader.get(name)
    return _decode(given.bytes) if given is not None else ""


def _decode(label: bytes) -> str:
    try:
        return label.decode().rstrip(" \0")
    except UnicodeDecodeError:
        return label.decode("latin-1").rstrip(" \0")


def _unit(text: str) -> str:
    word = text.strip().lower()
    return _METRIC.get(word, word)
