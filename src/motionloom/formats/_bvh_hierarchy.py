"""The HIERARCHY part of a BVH file: joints, offsets, channels and end sites."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import text
from motionloom.formats.limits import LONGEST_NAME, MOST_ENDS, MOST_JOINTS
from motionloom.formats.take import Finding

MOST_BYTES = 5_000_000  # of the hierarchy
MOST_CHANNELS = 24  # of a joint
SHOWN_NAMES = 10  # new names in a finding

_AXES = {"x": 0, "y": 1, "z": 2}
_BRACES = re.compile(r"([{}])")


@dataclass(frozen=True)
class Channel:
    """One column of the motion: its joint, whether it is a rotation or a position, and its axis."""

    joint: int
    is_rotation: bool
    axis: int  # 0, 1, 2 for x, y, z


@dataclass(frozen=True)
class Hierarchy:
    """The HIERARCHY part, in file units."""

    names: tuple[str, ...]
    parents: np.ndarray  # (J,) int
    offsets: np.ndarray  # (J, 3)
    end_parents: np.ndarray  # (E,) int
    end_offsets: np.ndarray  # (E, 3)
    channels: tuple[Channel, ...]  # in the order of the columns
    findings: tuple[Finding, ...] = ()

    def rotation_orders(self) -> tuple[str, ...]:
        """For each joint the letters of its rotation channels, such as "ZYX"."""
        letters: list[list[str]] = [[] for _ in self.names]
        for channel in self.channels:
            if channel.is_rotation:
                letters[channel.joint].append("XYZ"[channel.axis])
        return tuple("".join(of_joint) for of_joint in letters)


@dataclass
class _Node:
    """A joint or an end site while its braces are being parsed."""

    joint: int  # for an end site, its parent
    is_end: bool
    line: int
    offset: np.ndarray | None = None
    has_channels: bool = False


@dataclass
class _Reading:
    path: str | Path
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    nodes: list[_Node] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    open_nodes: list[_Node] = field(default_factory=list)
    declared: _Node | None = None  # named, before its opening brace
    n_ends: int = 0

    def refuse(self, reason: str, line: int) -> FormatError:
        return FormatError(self.path, reason, line)


def parse(path: str | Path, header: bytes) -> Hierarchy:
    """Parse everything before the keyword MOTION."""
    if len(header) > MOST_BYTES:
        reason = f"a hierarchy of {len(header)} bytes; at most {MOST_BYTES} are read. Is this a motion of one person?"
        raise FormatError(path, reason)
    lines = text.split_lines(header)
    reading = _Reading(path)
    _expect_hierarchy_word(reading, lines)
    for line, piece in _pieces(lines):
        if piece == "{":
            _open(reading, line)
        elif piece == "}":
            _close(reading, line)
        else:
            _read_statement(reading, piece, line)
    _check_complete(reading, len(lines))
    return _build(reading)


def _expect_hierarchy_word(reading: _Reading, lines: list[str]) -> None:
    for number, line in enumerate(lines, 1):
        if line.strip():
            if line.split()[0].lower() != "hierarchy":
                found = text.shorten(line.strip())
                raise reading.refuse(f"'{found}' where HIERARCHY was expected. Is this a BVH file?", number)
            return


def _pieces(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Statements and braces with their line numbers, with any line breaks."""
    for number, line in enumerate(lines, 1):
        for piece in _BRACES.split(line):
            piece = piece.strip()
            if piece.lower().startswith("hierarchy"):
                piece = piece[len("hierarchy") :].strip()
            if piece:
                yield number, piece


def _open(reading: _Reading, line: int) -> None:
    if reading.declared is None:
        raise reading.refuse("'{' without a ROOT, JOINT or End Site before it. Please check the braces.", line)
    reading.open_nodes.append(reading.declared)
    reading.declared = None


def _close(reading: _Reading, line: int) -> None:
    if reading.declared is not None or not reading.open_nodes:
        raise reading.refuse("'}' without a matching '{'. Please check the braces.", line)
    node = reading.open_nodes.pop()
    if node.offset is None:
        what = (
            f"the end site of '{reading.names[node.joint]}'" if node.is_end else f"joint '{reading.names[node.joint]}'"
        )
        raise reading.refuse(f"{what} has no OFFSET, expected 'OFFSET x y z'. Please add it.", line)


def _read_statement(reading: _Reading, piece: str, line: int) -> None:
    words = piece.split()
    keyword = words[0].lower()
    if reading.declared is not None:
        raise reading.refuse(f"'{text.shorten(piece)}' where '{{' was expected. Please check the braces.", line)
    if keyword in ("root", "joint"):
        _declare_joint(reading, keyword, piece[len(keyword) :].strip(), line)
    elif keyword == "end" and len(words) > 1 and words[1].lower() == "site":
        _declare_end(reading, line)
    elif keyword == "offset":
        _read_offset(reading, words, line)
    elif keyword == "channels":
        _read_channels(reading, words, line)
    else:
        reason = f"'{text.shorten(piece)}' is unknown, expected ROOT, JOINT, End Site, OFFSET, CHANNELS or MOTION."
        raise reading.refuse(f"{reason} Please correct this line.", line)


def _declare_joint(reading: _Reading, keyword: str, name: str, line: int) -> None:
    if keyword == "root" and reading.names:
        reason = f"a second ROOT '{text.shorten(name)}' after '{reading.names[0]}', but only one skeleton can be read."
        raise reading.refuse(f"{reason} Please split the file into one per skeleton.", line)
    if keyword == "joint" and not reading.open_nodes:
        raise reading.refuse(
            f"JOINT '{text.shorten(name)}' outside the braces of a ROOT. Please check the braces.", line
        )
    if reading.open_nodes and reading.open_nodes[-1].is_end:
        raise reading.refuse(f"JOINT '{text.shorten(name)}' inside an End Site. Please check the braces.", line)
    if len(reading.names) >= MOST_JOINTS:
        raise reading.refuse(f"more than {MOST_JOINTS} joints. Is this a motion of one person?", line)
    if len(name) > LONGEST_NAME:
        raise reading.refuse(f"a name of {len(name)} characters; at most {LONGEST_NAME} are read.", line)
    reading.parents.append(reading.open_nodes[-1].joint if reading.open_nodes else -1)
    reading.names.append(" ".join(name.split()) or f"joint{len(reading.names)}")
    reading.declared = _Node(len(reading.names) - 1, False, line)
    reading.nodes.append(reading.declared)


def _declare_end(reading: _Reading, line: int) -> None:
    if not reading.open_nodes or reading.open_nodes[-1].is_end:
        raise reading.refuse("End Site outside the braces of a joint. Please check the braces.", line)
    reading.n_ends += 1
    if reading.n_ends > MOST_ENDS:
        raise reading.refuse(f"more than {MOST_ENDS} end sites. Is this a motion of one person?", line)
    reading.declared = _Node(reading.open_nodes[-1].joint, True, line)
    reading.nodes.append(reading.declared)


def _read_offset(reading: _Reading, words: list[str], line: int) -> None:
    if not reading.open_nodes:
        raise reading.refuse("OFFSET outside the braces of a joint. Please check the braces.", line)
    if len(words) < 4:
        raise reading.refuse(f"OFFSET with {len(words) - 1} numbers, expected 3. Please correct this line.", line)
    numbers = [text.parse_number(reading.path, word, line, "a number of an OFFSET") for word in words[1:4]]
    reading.open_nodes[-1].offset = np.array(numbers)
    rest = words[4:]
    if rest and rest[0].lower() == "channels":
        _read_channels(reading, rest, line)
    elif rest:
        raise reading.refuse(f"OFFSET with {len(words) - 1} numbers, expected 3. Please correct this line.", line)


def _read_channels(reading: _Reading, words: list[str], line: int) -> None:
    node = reading.open_nodes[-1] if reading.open_nodes else None
    if node is None or node.is_end or node.has_channels:
        raise reading.refuse("CHANNELS outside a joint, or twice in one joint. Please check the braces.", line)
    node.has_channels = True
    named = words[2:]
    if len(words) < 2 or words[1].lstrip("0") != str(len(named)).lstrip("0"):
        count = text.shorten(words[1]) if len(words) > 1 else "no number"
        reason = f"CHANNELS states {count} but lists {len(named)}: {text.shorten(' '.join(named), 60) or 'none'}."
        raise reading.refuse(f"{reason} Please correct this line.", line)
    if len(named) > MOST_CHANNELS:
        raise reading.refuse(f"{len(named)} CHANNELS; a joint has at most {MOST_CHANNELS}.", line)
    for name in named:
        lowered = name.lower()
        if lowered[:1] not in _AXES or lowered[1:] not in ("position", "rotation"):
            reason = f"no channel '{text.shorten(name)}'; the channels are Xposition, Yposition, Zposition, Xrotation, "
            raise reading.refuse(f"{reason}Yrotation and Zrotation. Please correct this line.", line)
        reading.channels.append(Channel(node.joint, lowered.endswith("rotation"), _AXES[lowered[0]]))


def _check_complete(reading: _Reading, last_line: int) -> None:
    left_open = reading.open_nodes + ([reading.declared] if reading.declared else [])
    if not reading.names:
        raise reading.refuse("no ROOT in the hierarchy. Is the file complete?", last_line)
    if left_open:
        names = ", ".join(f"'{text.shorten(reading.names[n.joint])}' of line {n.line}" for n in left_open[-3:])
        count = "1 brace is" if len(left_open) == 1 else f"{len(left_open)} braces are"
        raise reading.refuse(f"{count} not closed where the hierarchy ends ({names}). Is the file cut off?", last_line)
    if not reading.channels:
        raise reading.refuse("no joint has CHANNELS, expected at least one. Is the file complete?", last_line)


def _build(reading: _Reading) -> Hierarchy:
    names, findings = _make_unique(reading.names)
    joints = [n for n in reading.nodes if not n.is_end]
    ends = [n for n in reading.nodes if n.is_end]
    return Hierarchy(
        names=tuple(names),
        parents=np.array(reading.parents, int),
        offsets=np.array([n.offset for n in joints], float).reshape(-1, 3),
        end_parents=np.array([n.joint for n in ends], int),
        end_offsets=np.array([n.offset for n in ends], float).reshape(-1, 3),
        channels=tuple(reading.channels),
        findings=findings,
    )


def _make_unique(names: list[str]) -> tuple[list[str], tuple[Finding, ...]]:
    taken = set(names)
    seen: set[str] = set()
    result, renamed = [], []
    numbers: dict[str, int] = {}  # the next to try for a name
    for name in names:
        unique, n = name, numbers.get(name, 2)
        while unique in seen or (unique != name and unique in taken):
            unique, n = f"{name}_{n}", n + 1
        numbers[name] = n
        seen.add(unique)
        result.append(unique)
        if unique != name:
            renamed.append(f"{name} -> {unique}")
    if not renamed:
        return result, ()
    shown = ", ".join(renamed[:SHOWN_NAMES]) + (
        f" and {len(renamed) - SHOWN_NAMES} more" * (len(renamed) > SHOWN_NAMES)
    )
    return result, (Finding("names", f"duplicate joint names were made unique: {shown}", True),)
