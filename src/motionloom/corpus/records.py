"""Records of a corpus: takes, labels, verified ranges, proposals, contacts and events, without arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from motionloom.formats.take import Finding, Source


@dataclass(frozen=True)
class TakeInfo:
    """The metadata of a take: its row in the catalogue, without its frames."""

    name: str
    kind: str  # "body" (Motion) or "points" (PointMotion)
    n_frames: int
    fps: float
    floor_height: float  # metres, world
    floor_given: bool  # set by a person rather than estimated
    skeleton: str | None  # digest of the skeleton; None for points
    hierarchy: str | None  # digest of the skeleton's tree; takes that share it can be conformed
    digest: str  # of the content: kind, rate, skeleton or point names, and frames
    source: Source
    findings: tuple[Finding, ...] = ()
    removed: str | None = None  # when it was removed, for takes that can be restored
    ground: str | None = None  # digest of the boxes and the terrain that were given for it; None for none
    curves: str | None = None  # digest of what is known of the curves that were recorded beside it; None for none
    is_damaged: bool = False  # a repair moved it to the quarantine; importing its file again restores it

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.n_frames / self.fps

    @property
    def flags(self) -> tuple[Finding, ...]:
        """The findings that are warnings."""
        return tuple(finding for finding in self.findings if finding.is_warning)


@dataclass(frozen=True)
class Added:
    """The outcome of adding a take: imported under its name, or a duplicate of one in the corpus."""

    name: str
    status: str  # "imported" or "duplicate"
    duplicate_of: str | None = None  # the take with the same content
    has_other_roles: bool = False  # a duplicate whose joints have other roles; the take in the corpus keeps its own


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
    """A person has verified a label over the frames [start, stop) of a take: it holds there exactly as labelled."""

    take: str
    label: str
    start: int
    stop: int


@dataclass(frozen=True, order=True)
class Proposal:
    """A classifier proposes that a label holds in the frames [start, stop) of a take."""

    take: str
    label: str
    start: int
    stop: int
    confidence: float  # probability, 0 to 1


@dataclass(frozen=True, order=True)
class Classified:
    """A classifier has decided about a label over the frames [start, stop) of a take, for or against it."""

    take: str
    label: str
    start: int
    stop: int
    model: str = ""  # settings of the classifier, as JSON
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
    data: Mapping[str, Any] = field(default_factory=dict)  # further values, as JSON can hold them
