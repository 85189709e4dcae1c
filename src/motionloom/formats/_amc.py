"""AMC: the motion file of an ASF/AMC pair."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import text
from motionloom.formats._asf import AsfSkeleton
from motionloom.formats.take import Finding

_FIRST_FRAME = re.compile(rb"^[ \t]*\d+[ \t]*\r?$", re.MULTILINE)
_BONE = re.compile(rb"^[ \t]*([A-Za-z_][^\s#]*)", re.MULTILINE)


@dataclass(frozen=True)
class Frames:
    """The values of an AMC file."""

    values: dict[str, np.ndarray]  # bone name -> (F, n) as in the file
    in_degrees: bool
    findings: tuple[Finding, ...]


def parse(path: str | Path, body: bytes, asf: AsfSkeleton) -> Frames:
    """Parse the values of all frames by bone, each line checked against the bone's dofs."""
    return _parse_regular(body, asf) or parse_carefully(path, body, asf)


def _parse_regular(body: bytes, asf: AsfSkeleton) -> Frames | None:
    """Parse a file whose frames all have the layout of the first, vectorized; None if any differs."""
    first = _FIRST_FRAME.search(body)
    if first is None or b"#" in body[first.start() :] or b":" in body[first.start() :]:
        return None
    header, frames = body[: first.start()], body[first.start() :]
    names = _BONE.findall(frames)
    n_dofs = {bone.name.encode(): len(bone.dofs) for bone in asf.bones}
    of_frame = list(dict.fromkeys(names))
    n_frames = len(names) // max(len(of_frame), 1)
    if not names or set(of_frame) != {name for name, n in n_dofs.items() if n} or names != of_frame * n_frames:
        return None
    counts = [1] + [n_dofs[name] for name in of_frame]
    numbers = _read_lines(_BONE.sub(b"", frames), np.tile(counts, n_frames))
    if numbers is None:
        return None
    table = numbers.reshape(n_frames, -1)
    splits = np.split(table[:, 1:], np.cumsum(counts[1:])[:-1], axis=1)
    values = {name.decode(): part for name, part in zip(of_frame, splits)}
    values |= {bone.name: np.zeros((n_frames, 0)) for bone in asf.bones if not bone.dofs}
    if (np.diff(table[:, 0]) != 1).any():
        return None
    words = [word.lower() for word in header.split()]
    in_degrees = b":degrees" in words or (asf.angles_in_degrees and b":radians" not in words)
    return Frames(values, in_degrees, ())


def _read_lines(frames: bytes, counts: np.ndarray) -> np.ndarray | None:
    """All numbers if every line with numbers has as many as in counts; else None."""
    from motionloom.formats import _kernels

    found = np.zeros(len(counts), np.int64)
    n_lines = _kernels.count_words(np.frombuffer(frames, np.uint8), found)
    if n_lines != len(counts) or not np.array_equal(found, counts):
        return None
    try:
        return text.parse_numbers("", frames, 0, int(counts.sum()), 0).values
    except FormatError:
        return None


def parse_carefully(path: str | Path, body: bytes, asf: AsfSkeleton) -> Frames:
    """Parse line by line, with bones in any order; raises at the first error."""
    n_dofs = {bone.name: len(bone.dofs) for bone in asf.bones}
    rows: dict[str, list[list[float]]] = {name: [] for name in n_dofs}
    in_degrees = asf.angles_in_degrees
    n_frames, frame_line, n_gaps, last_number = 0, 0, 0, 0
    for line, raw in enumerate(text.split_lines(body), 1):
        words = raw.split("#")[0].split()
        if not words:
            continue
        if words[0].startswith(":"):
            if words[0].lower() in (":degrees", ":radians"):
                in_degrees = words[0].lower() == ":degrees"
            continue
        if len(words) == 1 and words[0].isdecimal() and words[0].isascii():
            _check_frame(path, rows, n_frames, frame_line)
            number = int(words[0][:18])
            n_gaps += n_frames > 0 and number != last_number + 1
            last_number, n_frames, frame_line = number, n_frames + 1, line
            continue
        if n_frames == 0:
            raise FormatError(
                path, f"'{text.shorten(raw.strip())}' before the first frame number. Is this an AMC file?", line
            )
        _read_bone_line(path, words, line, n_dofs, rows, n_frames)
    if n_frames == 0:
        raise FormatError(path, "no frames. Is the file cut off?")
    _check_frame(path, rows, n_frames, frame_line)
    return _collect(asf, rows, n_frames, in_degrees, n_gaps)


def _read_bone_line(
    path: str | Path,
    words: list[str],
    line: int,
    n_dofs: dict[str, int],
    rows: dict[str, list[list[float]]],
    n_frames: int,
) -> None:
    name = words[0]
    if name not in n_dofs:
        known = text.shorten(", ".join(n_dofs), 120)
        reason = f"no bone '{text.shorten(name)}' in the skeleton; its bones are {known}. Is it the right .asf?"
        raise FormatError(path, reason, line)
    if len(words) - 1 != n_dofs[name]:
        reason = (
            f"{len(words) - 1} values for '{name}', expected {n_dofs[name]}. Is the file cut off, or the .asf wrong?"
        )
        raise FormatError(path, reason, line)
    if len(rows[name]) >= n_frames:
        raise FormatError(path, f"'{name}' twice in one frame. Is a frame number missing?", line)
    try:
        values = list(map(float, words[1:]))
    except ValueError:
        values = [text.parse_number(path, word, line, f"an angle of '{name}'") for word in words[1:]]
    if not all(map(_is_finite, values)):
        bad = next(word for word, value in zip(words[1:], values) if not _is_finite(value))
        raise FormatError(path, f"'{text.shorten(bad)}' is not a valid number. Is the file damaged here?", line)
    rows[name].append(values)


def _is_finite(value: float) -> bool:
    return value - value == 0.0


def _check_frame(path: str | Path, rows: dict[str, list[list[float]]], n_frames: int, line: int) -> None:
    """Raise unless every bone of the first frame is in every frame."""
    for name, values in rows.items():
        if values and len(values) != n_frames:
            raise FormatError(path, f"the frame that starts here has no bone '{name}'. Is the file cut off?", line)


def _collect(
    asf: AsfSkeleton, rows: dict[str, list[list[float]]], n_frames: int, in_degrees: bool, n_gaps: int
) -> Frames:
    findings = []
    still = [bone.name for bone in asf.bones if bone.dofs and not rows[bone.name]]
    if still:
        findings.append(Finding("bones", f"no values for {', '.join(still)}: they keep their rest pose", True))
    if n_gaps:
        message = f"frame numbers are not consecutive in {n_gaps} places; frames were read in order"
        findings.append(Finding("numbers", message, True))
    values = {
        bone.name: np.array(rows[bone.name] or np.zeros((n_frames, len(bone.dofs))), float).reshape(n_frames, -1)
        for bone in asf.bones
    }
    return Frames(values, in_degrees, tuple(findings))
