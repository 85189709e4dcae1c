"""Result and Report: finished motions, where they come from, and how well they are what was asked for."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.assembly.plans.plan import Plan
from motionloom.assembly.requests.plain_data import UNREADABLE, plain
from motionloom.assembly.results.spelling import spell, spell_apart
from motionloom.errors import BadInput, FormatError
from motionloom.formats.atomic_write import replace_file
from motionloom.motion import Footing, Motion, PointMotion
from motionloom.motion.provenance import Provenance

VERSION = 1


@dataclass(frozen=True)
class Part:
    """One part of what was asked, and how well it is met."""

    name: str  # "end position", "label walk from 0 to 4 s"
    value: float  # what came out: an error, a share, a distance
    unit: str  # "m", "deg", "%"; "" for a plain number
    tolerance: float | None  # in the same unit; None where nothing was promised
    met: bool
    why_not: str = ""  # a sentence, where it is not met
    frame: int | None = None  # of the motion, where to look; None where it is about all of it

    def __post_init__(self) -> None:
        _check_number(self.name, self.value)


@dataclass(frozen=True)
class Measured:
    """One measure of how good a motion is."""

    name: str  # "foot skate", "joins", "penetration", "nearest real frame", "pose limits", ...
    value: float | None  # None where it was not measured
    unit: str
    before: float | None = None  # the same of the motion that this one was made from, where there is one
    usual: float | None = None  # the same of recordings as they are
    note: str = ""  # where the worst is, or why it was not measured

    def __post_init__(self) -> None:
        for value in (self.value, self.before, self.usual):
            _check_number(self.name, value)


@dataclass(frozen=True)
class Timing:
    """How long one step took."""

    step: str
    seconds: float


@dataclass(frozen=True)
class Report:
    """What was asked, how well each part is met, how good the motion is, and the time it took."""

    asked: Mapping[str, Any] = field(default_factory=dict)  # the request, as plain data
    parts: tuple[Part, ...] = ()
    quality: tuple[Measured, ...] = ()
    timings: tuple[Timing, ...] = ()
    notes: tuple[str, ...] = ()  # what else a person should know, a sentence each
    details: Mapping[str, Any] = field(default_factory=dict)  # for programs: what a method reports over time

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", plain(self.asked, "what was asked"))
        object.__setattr__(self, "details", plain(self.details, "details"))

    @property
    def is_met(self) -> bool:
        """Whether every part is."""
        return all(part.met for part in self.parts)

    @property
    def seconds(self) -> float:
        """Time of all steps together."""
        return sum(timing.seconds for timing in self.timings)

    def describe(self) -> str:
        """Tables for people to read."""
        sections = [
            _table([_part_row(part) for part in self.parts]),
            _table([_measured_row(line) for line in self.quality]),
            "\n".join(self.notes),
            ", ".join(f"{timing.step} {timing.seconds:.2f} s" for timing in self.timings),
        ]
        return "\n\n".join(section for section in sections if section)

    def to_data(self) -> dict[str, Any]:
        """As plain data that JSON can hold."""
        return {
            "version": VERSION,
            "met": self.is_met,
            "asked": dict(self.asked),
            "parts": [asdict(part) for part in self.parts],
            "quality": [asdict(line) for line in self.quality],
            "timings": [asdict(timing) for timing in self.timings],
            "seconds": self.seconds,
            "notes": list(self.notes),
            "details": dict(self.details),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> "Report":
        """Back from plain data."""
        if data["version"] > VERSION:
            raise BadInput(f"report of version {data['version']}, but this motionloom reads up to {VERSION}; update it")
        return Report(
            asked=dict(data["asked"]),
            parts=tuple(Part(**part) for part in data["parts"]),
            quality=tuple(Measured(**line) for line in data["quality"]),
            timings=tuple(Timing(**timing) for timing in data["timings"]),
            notes=tuple(data["notes"]),
            details=dict(data.get("details", {})),  # older reports have none
        )

    def write(self, path: str | Path) -> None:
        """Write it as JSON."""
        replace_file(path, (json.dumps(self.to_data(), indent=1, allow_nan=False) + "\n").encode())

    @staticmethod
    def read(path: str | Path) -> "Report":
        """Read what `write` wrote."""
        try:
            return Report.from_data(json.loads(Path(path).read_bytes()))
        except OSError as error:
            raise FormatError(path, f"cannot be read ({error.strerror})") from None
        except BadInput as error:
            raise FormatError(path, str(error)) from None
        except UNREADABLE as error:
            raise FormatError(path, f"this is not a report of motionloom ({error})") from None


@dataclass(frozen=True)
class HeldLabel:
    """A label that holds in frames [start, stop) of a motion."""

    label: str
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Character:
    """One motion of a result, a body or points, and where its frames come from."""

    motion: Motion | PointMotion
    provenance: Provenance
    contacts: np.ndarray | None = None  # (F, 4) bool of a body: heel and ball of the left and the right foot rest
    name: str = ""  # "" where there is one character
    plan: Plan | None = None  # what is played, with the joins that were really made; None where nothing was planned
    labels: tuple[HeldLabel, ...] = ()  # that hold in its frames, where the method knows them
    footing: Footing = field(default_factory=Footing)  # what feet stand on besides the floor, such as steps

    def __post_init__(self) -> None:
        n_frames = self.motion.n_frames
        if self.provenance.n_frames != n_frames:
            raise BadInput(f"a motion of {n_frames} frames with a provenance of {self.provenance.n_frames} frames")
        if isinstance(self.motion, PointMotion):
            if self.contacts is not None:
                raise BadInput("points have no feet: contacts must be None")
            return
        contacts = np.array(self.contacts, bool)
        contacts.setflags(write=False)
        object.__setattr__(self, "contacts", contacts)
        if contacts.shape != (n_frames, 4):
            raise BadInput(f"a motion of {n_frames} frames with contacts {contacts.shape}; expected ({n_frames}, 4)")


@dataclass(frozen=True, eq=False)
class Result:
    """What a method made: the motion of every character that was asked for, and the report about them."""

    characters: tuple[Character, ...]
    report: Report

    def __post_init__(self) -> None:
        object.__setattr__(self, "characters", tuple(self.characters))
        if not self.characters:
            raise BadInput("a result without characters has no motion; give at least one")
        names = [character.name for character in self.characters]
        if len(set(names)) != len(names):
            raise BadInput(f"two characters of a result are called '{max(names, key=names.count)}'; names are unique")

    @staticmethod
    def of_body(motion: Motion, contacts: np.ndarray, provenance: Provenance, report: Report) -> "Result":
        """The result that is one body."""
        return Result((Character(motion, provenance, contacts),), report)

    def split(self) -> "list[Result]":
        """A result for each character, all with the same report."""
        return [Result((character,), self.report) for character in self.characters]

    @property
    def character(self) -> Character:
        """The only one."""
        if len(self.characters) != 1:
            names = ", ".join(character.name for character in self.characters)
            raise BadInput(f"the result has {len(self.characters)} characters ({names}); choose one")
        return self.characters[0]

    @property
    def motion(self) -> Motion:
        """Of the only character, a body."""
        motion = self.character.motion
        if not isinstance(motion, Motion):
            raise BadInput("the result moves points, not a body")
        return motion

    @property
    def contacts(self) -> np.ndarray:
        """(F, 4) bool of the only character, a body."""
        contacts = self.character.contacts
        if contacts is None:
            raise BadInput("the result moves points, not a body; points have no contacts")
        return contacts

    @property
    def provenance(self) -> Provenance:
        """Of the only character."""
        return self.character.provenance


def _check_number(name: str, value: float | None) -> None:
    if value is not None and not np.isfinite(value):
        raise BadInput(f"'{name}' is {value}; a report holds finite numbers")


def _part_row(part: Part) -> tuple[str, ...]:
    word = "met" if part.met else "MISSED"
    if part.tolerance is None:
        return word, part.name, spell(part.value, part.unit), "", part.why_not
    found, allowed = spell_apart(part.value, part.tolerance, part.unit)
    return word, part.name, found, f"(allowed {allowed})", part.why_not


def _measured_row(one: Measured) -> tuple[str, ...]:
    if one.value is None:
        return one.name, "not measured", "", one.note
    beside = [
        f"{what} {value:.3g}" for what, value in (("before", one.before), ("usual", one.usual)) if value is not None
    ]
    return one.name, spell(one.value, one.unit), f"({', '.join(beside)})" if beside else "", one.note


def _table(rows: list[tuple[str, ...]]) -> str:
    """Rows with their columns below each other."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
