"""AMC: the motion file of an ASF/AMC pair."""

import re
from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import limits, text
from motionloom.formats._asf import AsfSkeleton
from motionloom.formats.take import Finding

_FIRST_FRAME = re.compile(rb"^[ \t]*\d+[ \t]*(?:#[^\r\n]*)?\r?$", re.MULTILINE)
_COMMENT = re.compile(rb"#[^\r\n]*")
_CHECKED = 1000  # frames after which the size is checked again
_PART = 1_000_000  # bytes
_BONE = re.compile(rb"^[ \t]*([A-Za-z_][^\s#]*)", re.MULTILINE)


@dataclass(frozen=True)
class Frames:
    """The values of an AMC file."""

    values: dict[str, np.ndarray]  # bone name -> (F, n) as in the file
    in_degrees: bool
    findings: tuple[Finding, ...]


def parse(path: str | Path, body: bytes, asf: AsfSkeleton) -> Frames:
    """Parse the values of all frames by bone, each line checked against the bone's dofs."""
    return _parse_regular(path, body, asf) or parse_carefully(path, body, asf)


def _parse_regular(path: str | Path, body: bytes, asf: AsfSkeleton) -> Frames | None:
    """Parse a file whose frames all have the layout of the first, vectorized; None if any differs."""
    first = _FIRST_FRAME.search(body)
    if first is None or body.find(b":", first.start()) >= 0:
        return None
    header, frames = body[: first.start()], body[first.start() :]
    n_dofs = {bone.name.encode(): len(bone.dofs) for bone in asf.bones}
    of_frame, n_names, without_names = _remove_names(frames)
    n_frames = n_names // max(len(of_frame), 1)
    limits.check_unfolding(path, n_frames, len(asf.bones), len(body))
    is_complete = n_names > 0 and n_names == len(of_frame) * n_frames
    if not is_complete or set(of_frame) != {name for name, n in n_dofs.items() if n}:
        return None
    counts = [1] + [n_dofs[name] for name in of_frame]
    numbers = _read_lines(without_names, np.tile(counts, n_frames))
    if numbers is None:
        return None
    table = numbers.reshape(n_frames, -1)
    splits = np.split(table[:, 1:], np.cumsum(counts[1:])[:-1], axis=1)
    values = {name.decode(): part for name, part in zip(of_frame, splits)}
    values |= {bone.name: np.zeros((n_frames, 0)) for bone in asf.bones if not bone.dofs}
    n_gaps = int((np.diff(table[:, 0]) != 1).sum())
    words = [word.lower() for word in header.split()]
    in_degrees = b":degrees" in words or (asf.angles_in_degrees and b":radians" not in words)
    return Frames(values, in_degrees, _report_gaps(n_gaps))


def _remove_names(frames: bytes) -> tuple[list[bytes], int, bytes]:
    """The bones of a frame in order, the number of names if all frames have that order, else 0, and the other text.

    In parts, because a name in a list takes ten times as much memory as in the file.
    """
    of_frame: list[bytes] = []
    rest: list[bytes] = []
    n_names = start = 0
    while start < len(frames):
        stop = frames.find(b"\n", start + _PART) + 1 or len(frames)
        part = _COMMENT.sub(b"", frames[start:stop])
        names = _BONE.findall(part)
        of_frame = of_frame or list(dict.fromkeys(names))
        if names:
            first = n_names % len(of_frame)
            if names != (of_frame * (len(names) // len(of_frame) + 2))[first : first + len(names)]:
                return of_frame, 0, b""
        n_names += len(names)
        rest.append(_BONE.sub(b"", part))
        start = stop
    return of_frame, n_names, b"".join(rest)


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


@dataclass
class _Reading:
    """Frames as far as they are read."""

    path: str | Path
    n_dofs: dict[str, int]  # by bone
    values: "dict[str, array[float]]"  # bone -> its values, frame by frame
    counts: dict[str, int]  # bone -> frames in which it has values
    n_frames: int = 0
    n_bones: int = 0  # of the current frame
    line: int = 0  # at which the current frame starts
    first_bones: int = 0  # of the first frame
    is_regular: bool = True  # every bone of the current frame is in all frames before it
    last_number: int = 0  # of a frame, as written
    n_gaps: int = 0  # frames whose number is not the next


def parse_carefully(path: str | Path, body: bytes, asf: AsfSkeleton) -> Frames:
    """Parse line by line, with bones in any order; raises at the first error."""
    names = [bone.name for bone in asf.bones]
    reading = _Reading(
        path,
        {bone.name: len(bone.dofs) for bone in asf.bones},
        {name: array("d") for name in names},
        dict.fromkeys(names, 0),
    )
    in_degrees = asf.angles_in_degrees
    for line, raw in text.iterate_lines(body):
        words = (raw.partition("#")[0] if "#" in raw else raw).split()
        if not words:
            continue
        if words[0].startswith(":"):
            if words[0].lower() in (":degrees", ":radians"):
                in_degrees = words[0].lower() == ":degrees"
        elif len(words) == 1 and words[0].isdecimal() and words[0].isascii():
            _begin_frame(reading, int(words[0][:18]), line)
            if reading.n_frames % _CHECKED == 0:
                limits.check_unfolding(path, reading.n_frames, len(names), len(body))
        elif reading.n_frames == 0:
            raise FormatError(
                path, f"'{text.shorten(raw.strip())}' before the first frame number. Is this an AMC file?", line
            )
        else:
            _read_bone_line(reading, words, line)
    if reading.n_frames == 0:
        raise FormatError(path, "no frames. Is the file cut off?")
    _end_frame(reading)
    limits.check_unfolding(path, reading.n_frames, len(names), len(body))
    return _collect(asf, reading, in_degrees)


def _begin_frame(reading: _Reading, number: int, line: int) -> None:
    if reading.n_frames:
        _end_frame(reading)
        reading.n_gaps += number != reading.last_number + 1
    reading.last_number, reading.line = number, line
    reading.n_frames += 1
    reading.n_bones, reading.is_regular = 0, True


def _end_frame(reading: _Reading) -> None:
    """Raise unless every bone of the first frame is in every frame."""
    if reading.n_frames == 1:
        reading.first_bones = reading.n_bones
    if reading.n_bones == 0 and any(reading.n_dofs.values()):
        raise FormatError(reading.path, "the frame that starts here has no bones. Is the file cut off?", reading.line)
    if reading.is_regular and reading.n_bones == reading.first_bones:
        return
    for name, count in reading.counts.items():
        if count and count != reading.n_frames:
            reason = f"the frame that starts here has no bone '{text.shorten(name)}'. Is the file cut off?"
            raise FormatError(reading.path, reason, reading.line)


def _read_bone_line(reading: _Reading, words: list[str], line: int) -> None:
    path, name = reading.path, words[0]
    if name not in reading.n_dofs:
        known = text.shorten(", ".join(reading.n_dofs), 120)
        reason = f"no bone '{text.shorten(name)}' in the skeleton; its bones are {known}. Is it the right .asf?"
        raise FormatError(path, reason, line)
    n_dofs, count = reading.n_dofs[name], reading.counts[name]
    if len(words) - 1 != n_dofs:
        found = f"{len(words) - 1} values for '{text.shorten(name)}'"
        raise FormatError(path, f"{found}, expected {n_dofs}. Is the file cut off, or the .asf wrong?", line)
    if count >= reading.n_frames:
        raise FormatError(path, f"'{text.shorten(name)}' twice in one frame. Is a frame number missing?", line)
    try:
        values = list(map(float, words[1:]))
    except ValueError:
        what = f"an angle of '{text.shorten(name)}'"
        values = [text.parse_number(path, word, line, what) for word in words[1:]]
    if not all(map(_is_finite, values)):
        bad = next(word for word, value in zip(words[1:], values) if not _is_finite(value))
        raise FormatError(path, f"'{text.shorten(bad)}' is not a valid number. Is the file damaged here?", line)
    if count != reading.n_frames - 1:
        reading.is_regular = False
    reading.values[name].extend(values)
    reading.counts[name] = count + 1
    reading.n_bones += 1


def _is_finite(value: float) -> bool:
    return value - value == 0.0


def _collect(asf: AsfSkeleton, reading: _Reading, in_degrees: bool) -> Frames:
    findings = []
    still = [bone.name for bone in asf.bones if bone.dofs and not reading.counts[bone.name]]
    if still:
        names = text.shorten(", ".join(still), 500)
        findings.append(Finding("bones", f"no values for {names}: they keep their rest pose", True))
    values = {}
    for bone in asf.bones:
        shape = (reading.n_frames, len(bone.dofs))
        read = np.frombuffer(reading.values[bone.name]) if reading.values[bone.name] else np.zeros(shape)
        values[bone.name] = read.reshape(shape)
    return Frames(values, in_degrees, (*findings, *_report_gaps(reading.n_gaps)))


def _report_gaps(n_gaps: int) -> tuple[Finding, ...]:
    if not n_gaps:
        return ()
    message = f"frame numbers are not consecutive in {n_gaps} places; frames were read in order"
    return (Finding("numbers", message, True),)
