"""ASF: the skeleton file of an ASF/AMC pair."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import text
from motionloom.formats.limits import LONGEST_NAME, MOST_JOINTS

INCH = 0.0254  # metres; ASF lengths are inches divided by the length of :units
DOFS = ("rx", "ry", "rz", "tx", "ty", "tz", "l")
MOST_BYTES = 5_000_000  # of a file


@dataclass(frozen=True)
class Bone:
    """One bone of the file; the root is a bone without length."""

    name: str
    bone: np.ndarray  # (3,) file units: from its start to its tip in the rest pose, world axes
    axis_angles: np.ndarray  # (3,) radians, in the order of axis_order
    axis_order: str  # "XYZ": rotation about x first
    dofs: tuple[str, ...] = ()  # the values of an AMC line of this bone, in order
    limits: tuple[tuple[float, float], ...] = ()  # per dof, in the units of the file


@dataclass(frozen=True)
class AsfSkeleton:
    """The content of an ASF file. Bone 0 is the root; parents come before children."""

    bones: tuple[Bone, ...]
    parents: np.ndarray  # (J,) int
    root_position: np.ndarray  # (3,) file units
    angles_in_degrees: bool
    metres_per_unit: float | None  # None if the file has no length unit


@dataclass
class _Reading:
    path: str | Path
    lines: list[tuple[int, list[str]]]  # line number and words of every line that is not empty
    angles_in_degrees: bool = True
    length: float | None = None
    root: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    bones: dict[str, Bone] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)

    def refuse(self, reason: str, line: int | None = None) -> FormatError:
        return FormatError(self.path, reason, line)

    def number(self, word: str, line: int, what: str) -> float:
        return text.parse_number(self.path, word, line, what)


def read(path: str | Path) -> AsfSkeleton:
    """Read an ASF file."""
    content = text.read_bytes(path)
    if len(content) > MOST_BYTES:
        raise FormatError(
            path, f"a skeleton of {len(content)} bytes; at most {MOST_BYTES} are read. Is it an ASF file?"
        )
    body = text.to_text_bytes(path, content)
    words = [(number, line.split("#")[0].split()) for number, line in enumerate(text.split_lines(body), 1)]
    reading = _Reading(path, [(number, line) for number, line in words if line])
    sections = _split_sections(reading)
    for keyword in ("root", "bonedata", "hierarchy"):
        if keyword not in sections:
            raise reading.refuse(f"no section ':{keyword}'. Is this a complete ASF file?")
    _read_units(reading, sections.get("units", []))
    _read_root(reading, sections["root"])
    _read_bones(reading, sections["bonedata"])
    _read_hierarchy(reading, sections["hierarchy"])
    return _build(reading)


def _split_sections(reading: _Reading) -> dict[str, list[tuple[int, list[str]]]]:
    sections: dict[str, list[tuple[int, list[str]]]] = {}
    current: list[tuple[int, list[str]]] | None = None
    for number, words in reading.lines:
        if words[0].startswith(":"):
            current = sections.setdefault(words[0][1:].lower(), [])
            words = words[1:]
        if current is None:
            found = text.shorten(" ".join(words))
            raise reading.refuse(f"'{found}' before any ':' section. Is this an ASF file?", number)
        if words:
            current.append((number, words))
    return sections


def _read_units(reading: _Reading, lines: list[tuple[int, list[str]]]) -> None:
    for number, words in lines:
        if words[0].lower() == "angle" and len(words) > 1:
            if words[1].lower()[:3] not in ("deg", "rad"):
                raise reading.refuse(
                    f"angles in '{text.shorten(words[1])}', expected deg or rad. Please correct it.", number
                )
            reading.angles_in_degrees = words[1].lower().startswith("deg")
        elif words[0].lower() == "length" and len(words) > 1:
            reading.length = reading.number(words[1], number, "the length of the units")
            if reading.length <= 0:
                raise reading.refuse(f"a length unit of {words[1]}, expected more than 0. Please correct it.", number)


def _read_root(reading: _Reading, lines: list[tuple[int, list[str]]]) -> None:
    for number, words in lines:
        reading.root[words[0].lower()] = (number, words[1:])
    number, order = reading.root.get("order", (0, []))
    if not order:
        raise reading.refuse("the root has no 'order', such as 'order TX TY TZ RX RY RZ'. Please add it.")
    dofs = _dofs(reading, order, number)
    _, axis = reading.root.get("axis", (0, ["XYZ"]))
    angles = _vector(reading, "orientation")
    order_letters = _axis_order(reading, axis[0] if axis else "XYZ", number)
    to_radians = np.pi / 180.0 if reading.angles_in_degrees else 1.0
    reading.bones["root"] = Bone("root", np.zeros(3), angles * to_radians, order_letters, dofs)


def _vector(reading: _Reading, key: str) -> np.ndarray:
    number, words = reading.root.get(key, (0, ["0", "0", "0"]))
    if len(words) != 3:
        raise reading.refuse(
            f"the root's {key} has {len(words)} numbers, expected 3. Please correct this line.", number
        )
    return np.array([reading.number(word, number, f"the root's {key}") for word in words])


def _dofs(reading: _Reading, words: Sequence[str], line: int) -> tuple[str, ...]:
    dofs = tuple(word.lower() for word in words)
    for dof in dofs:
        if dof not in DOFS:
            raise reading.refuse(
                f"no dof '{text.shorten(dof)}'; the dofs are {', '.join(DOFS)}. Please correct this line.", line
            )
    if len(set(dofs)) != len(dofs):
        raise reading.refuse(
            f"a dof is named twice in '{text.shorten(' '.join(dofs))}'. Please correct this line.", line
        )
    return dofs


def _axis_order(reading: _Reading, word: str, line: int) -> str:
    order = word.upper()
    if sorted(order) != ["X", "Y", "Z"]:
        raise reading.refuse(
            f"the axis order '{text.shorten(word)}', expected one such as XYZ. Please correct this line.", line
        )
    return order


def _read_bones(reading: _Reading, lines: list[tuple[int, list[str]]]) -> None:
    current: dict[str, tuple[int, list[str]]] | None = None
    last_key = ""
    start = 0
    for number, words in lines:
        key = words[0].lower()
        if key == "begin":
            if current is not None:
                raise reading.refuse(f"'begin' inside the bone of line {start}. Is an 'end' missing?", number)
            current, start, last_key = {}, number, ""
        elif current is None:
            raise reading.refuse(
                f"'{text.shorten(words[0])}' outside 'begin' and 'end'. Please correct this line.", number
            )
        elif key == "end":
            _add_bone(reading, current, start)
            current = None
        elif key.startswith("("):
            if last_key != "limits":
                raise reading.refuse(
                    f"'{text.shorten(' '.join(words))}' without 'limits' before it. Please correct this line.", number
                )
            current["limits"][1].extend(words)
        else:
            current[key] = (number, words[1:])
            last_key = key
    if current is not None:
        raise reading.refuse("this bone has no 'end'. Is the file cut off?", start)


def _add_bone(reading: _Reading, entries: dict[str, tuple[int, list[str]]], start: int) -> None:
    name = " ".join(entries.get("name", (0, []))[1])
    if len(reading.bones) >= MOST_JOINTS:
        raise reading.refuse(f"more than {MOST_JOINTS} bones. Is this a skeleton of one person?", start)
    if len(name) > LONGEST_NAME:
        raise reading.refuse(f"a name of {len(name)} characters; at most {LONGEST_NAME} are read.", start)
    if not name or name in reading.bones:
        reason = f"a second bone '{text.shorten(name)}'" if name else "a bone without a name"
        raise reading.refuse(f"{reason}. Please give every bone a name of its own.", start)
    for key, count in (("direction", 3), ("length", 1), ("axis", 4)):
        number, words = entries.get(key, (start, []))
        if len(words) != count:
            reason = f"bone '{text.shorten(name)}' has {len(words)} values for '{key}', expected {count}."
            raise reading.refuse(f"{reason} Please correct it.", number)
    number, words = entries["direction"]
    direction = np.array([reading.number(word, number, "a direction") for word in words])
    norm = float(np.linalg.norm(direction))
    number, words = entries["length"]
    length = reading.number(words[0], number, "a length")
    if norm == 0 and length != 0:
        raise reading.refuse(
            f"bone '{text.shorten(name)}' has no direction. Please correct it.", entries["direction"][0]
        )
    number, words = entries["axis"]
    to_radians = np.pi / 180.0 if reading.angles_in_degrees else 1.0
    angles = np.array([reading.number(word, number, "an axis angle") for word in words[:3]]) * to_radians
    dof_line, dof_words = entries.get("dof", (start, []))
    dofs = _dofs(reading, dof_words, dof_line)
    bone = direction / (norm or 1.0) * length
    limits = _read_limits(reading, entries, dofs, name)
    reading.bones[name] = Bone(name, bone, angles, _axis_order(reading, words[3], number), dofs, limits)


def _read_limits(
    reading: _Reading, entries: dict[str, tuple[int, list[str]]], dofs: tuple[str, ...], name: str
) -> tuple[tuple[float, float], ...]:
    if "limits" not in entries:
        return ()
    number, words = entries["limits"]
    numbers = re.sub(r"[(),]", " ", " ".join(words)).split()
    try:
        values = [float(word) for word in numbers]  # -inf and inf are allowed here
    except ValueError:
        values = []
    if len(values) != 2 * len(dofs) or np.isnan(values).any():
        found = f"bone '{text.shorten(name)}' has {len(numbers)} numbers in its limits"
        reason = f"{found}, expected {2 * len(dofs)}, low and high per dof. Please correct them."
        raise reading.refuse(reason, number)
    return tuple(zip(values[::2], values[1::2]))


def _read_hierarchy(reading: _Reading, lines: list[tuple[int, list[str]]]) -> None:
    has_parent: set[str] = set()
    for number, words in lines:
        if words[0].lower() in ("begin", "end") and len(words) == 1:
            continue
        for name in words:
            if name not in reading.bones:
                known = text.shorten(", ".join(reading.bones), 120)
                raise reading.refuse(
                    f"no bone '{text.shorten(name)}'; the bones are {known}. Please correct this line.", number
                )
        for name in words[1:]:
            if name == "root" or name in has_parent:
                raise reading.refuse(
                    f"bone '{name}' has two parents, or is the root. Please correct this line.", number
                )
            has_parent.add(name)
        reading.children.setdefault(words[0], []).extend(words[1:])


def _build(reading: _Reading) -> AsfSkeleton:
    order: list[str] = []
    parents: list[int] = []
    waiting = [("root", -1)]
    while waiting:
        name, parent = waiting.pop()
        order.append(name)
        parents.append(parent)
        own = len(order) - 1
        waiting.extend((child, own) for child in reversed(reading.children.get(name, [])))
    reached = set(order)
    lost = [name for name in reading.bones if name not in reached]
    if lost:
        raise reading.refuse(f"bone '{text.shorten(lost[0])}' has no parent in ':hierarchy'. Please add it there.")
    return AsfSkeleton(
        bones=tuple(reading.bones[name] for name in order),
        parents=np.array(parents, int),
        root_position=_vector(reading, "position"),
        angles_in_degrees=reading.angles_in_degrees,
        metres_per_unit=INCH / reading.length if reading.length else None,
    )
