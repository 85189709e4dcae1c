"""What a corpus knows about its takes: rows without arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from motionloom.formats.take import Finding, Source


@dataclass(frozen=True)
class TakeInfo:
    """What the catalogue says about a take, without its frames."""

    name: str
    kind: str  # "body" (Motion) or "points" (PointMotion)
    n_frames: int
    fps: float
    floor_height: float  # metres, world: where the floor is under this take
    floor_given: bool  # told by a person rather than estimated
    skeleton: str | None  # digest of the skeleton; None for points
    hierarchy: str | None  # digest of the skeleton's tree; takes that share it can be conformed
    digest: str  # of the content: kind, rate, skeleton or point names, and frames
    source: Source
    findings: tuple[Finding, ...] = ()
    removed: str | None = None  # when it was removed, for takes that can be restored
    is_damaged: bool = False  # it was set aside by a repair; importing its file again brings it back

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.n_frames / self.fps

    @property
    def flags(self) -> tuple[Finding, ...]:
        """The findings that want a look."""
        return tuple(finding for finding in self.findings if finding.is_warning)


@dataclass(frozen=True)
class Added:
    """What became of a take that was added: imported under its name, or recognised as one that is already there."""

    name: str
    status: str  # "imported" or "duplicate"
    duplicate_of: str | None = None  # the take with the same content
    has_other_roles: bool = False  # a duplicate whose joints play other roles; those in the corpus stay


@dataclass(frozen=True, order=True)
class Label:
    """A word that is true in the frames [start, stop) of a take."""

    take: str
    label: str
    start: int
    stop: int
    source: str = "user"


@dataclass(frozen=True, order=True)
class Verified:
    """A person has looked at a label over the frames [start, stop) of a take: there, what labels say is true."""

    take: str
    label: str
    start: int
    stop: int


@dataclass(frozen=True, order=True)
class Proposal:
    """A machine says that a label holds in the frames [start, stop) of a take."""

    take: str
    label: str
    start: int
    stop: int
    confidence: float  # how probable it is, 0 to 1


@dataclass(frozen=True, order=True)
class Classified:
    """A machine has decided about a label over the frames [start, stop) of a take, for or against it."""

    take: str
    label: str
    start: int
    stop: int
    model: str = ""  # what decided: its settings, as it told them
    code_version: str = ""


@dataclass(frozen=True, order=True)
class Contact:
    """A point of the body rests on something in the frames [start, stop) of a take."""

    take: str
    point: str  # left_heel, left_ball, right_heel, right_ball, left_hand, ...
    start: int
    stop: int
    source: str = "user"


@dataclass(frozen=True)
class Event:
    """Something happens at one frame of a take."""

    take: str
    kind: str  # step, catch, ...
    frame: int
    source: str = "user"
    data: Mapping[str, Any] = field(default_factory=dict)  # what else is known, as JSON can hold it
