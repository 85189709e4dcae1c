"""Messages about painted timelines: what can be painted, and what is particular to the report of a timeline."""

from typing import Literal

from pydantic import ConfigDict

from motionloom.studio.server.messages.session import Message


class ChosenTakes(Message):
    """Which takes a motion is made from."""

    takes: list[str] | None = None  # patterns; None for all


class PaintableLabel(Message):
    """A label that can be painted, and how much there is of it; feet on the ground are not counted."""

    label: str
    seconds: float | None = None
    takes: int | None = None
    longest: float | None = None  # seconds of the longest stretch


class _Detail(Message):
    """A part of the report's details; the report may have more than the page needs."""

    model_config = ConfigDict(extra="ignore")


class PaintedStretch(_Detail):
    """A painted stretch, and how it came out."""

    label: str
    value: Literal["must", "must_not"]
    start: int
    stop: int
    right: float  # share of the frames
    percent: int  # the same, rounded down
    met: bool
    runs: list[tuple[int, int, Literal["right", "wrong", "unknown"]]]  # frames [start, stop) that came out alike


class PlayedPiece(_Detail):
    """Frames [start, stop) of the answer and what they were cut from."""

    start: int
    stop: int
    take: str
    take_start: float  # frames [take_start, take_stop) of the take
    take_stop: float


class PlayedJoin(_Detail):
    """A cut of the answer, and how hard it is."""

    frame: int
    before: str
    leave: float
    after: str
    enter: float
    kind: str
    seconds: float
    distance: float  # usual distances
    peak: float  # acceleration / bar
    joint: str
    share_calmer: float  # of windows without a join
    is_hard: bool  # it may be seen


class ForcedClip(_Detail):
    """Forced frames, and whether they are there."""

    start: int
    stop: int
    take: str
    take_start: float
    take_stop: float
    in_time: bool
    error: float  # metres
    joint: str


class ReachedPlace(_Detail):
    """A place, and by how much it is missed before bending and after."""

    frame: int
    position: tuple[float, float] | None
    heading: float | None  # radians
    position_miss_before: float
    heading_miss_before: float
    position_miss: float
    heading_miss: float
    met: bool


class MissReason(_Detail):
    """Why something painted is missed, or met by a very hard cut, and what would help."""

    labels: list[str]
    start: int
    stop: int
    kind: str
    sentence: str
    advice: str
    at_cut: bool


class TimelineDetails(_Detail):
    """The details of an answer of the method timeline."""

    labels: list[PaintedStretch]
    pieces: list[PlayedPiece]
    joins: list[PlayedJoin]
    forced: list[ForcedClip]
    places: list[ReachedPlace]
    reasons: list[MissReason]
