"""Messages about painted timelines: what is asked, the answers that are found, what can be painted."""

from typing import Literal

from pydantic import Field

from motionloom.methods.timeline.request import Request
from motionloom.studio.server.messages.session import Message


class SearchRequest(Message):
    """What a page wants to be searched for; a search that runs is given up for it."""

    tag: str = Field(max_length=60)  # comes back with every answer, so that the page knows what it answers
    request: Request
    others: int = Field(3, ge=0, le=8)  # good motions to find after the best


class PaintableLabel(Message):
    """A label that can be painted, and how much there is of it; feet on the ground are not counted."""

    label: str
    seconds: float | None = None
    takes: int | None = None
    longest: float | None = None  # seconds of the longest stretch


class Costs(Message):
    """What a motion costs, in wrong frames."""

    labels: float
    cuts: float
    places: float


class LabelRun(Message):
    """Frames [start, stop) of a painted stretch that came out alike."""

    start: int
    stop: int
    word: Literal["right", "wrong", "unknown"]


class PaintedStretch(Message):
    """A painted stretch, and how it came out."""

    label: str
    value: Literal["must", "must_not"]
    start: int
    stop: int
    right: float  # share of the frames
    runs: list[LabelRun]


class PlayedPiece(Message):
    """Frames [start, stop) of the answer and what they were cut from."""

    start: int
    stop: int
    take: str
    take_start: float
    take_stop: float


class PlayedJoin(Message):
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


class PlayedClip(Message):
    """Forced frames, and whether they are there."""

    start: int
    stop: int
    take: str
    take_start: float
    take_stop: float
    in_time: bool
    error: float  # metres
    joint: str


class ReachedPlace(Message):
    """A place, and by how much it is missed before bending and after."""

    frame: int
    position: tuple[float, float] | None
    heading: float | None  # radians
    position_miss_before: float
    heading_miss_before: float
    position_miss: float
    heading_miss: float


class MissReason(Message):
    """Why something painted is missed, or met by a very hard cut, and what would help."""

    labels: list[str]
    start: int
    stop: int
    kind: str
    sentence: str
    advice: str
    at_cut: bool


class ReportPart(Message):
    """One part of what was asked."""

    name: str
    value: float
    unit: str
    tolerance: float | None
    met: bool
    why_not: str


class ReportLine(Message):
    """One measure of how good the motion is."""

    name: str
    value: float | None
    unit: str
    before: float | None
    usual: float | None
    note: str


class TimelineAnswer(Message):
    """A motion that a search has found; its frames come by its id."""

    id: str  # "answer:NUMBER"
    tag: str  # of the search
    kind: Literal["first", "best", "other"]
    is_whole: bool  # quality and reasons are known
    seconds: float  # since the search began
    fps: float
    frames: int
    cost: Costs
    differs: float | None  # of another answer: share of frames from elsewhere
    share: float  # of the painted frames that hold; 1 where nothing is painted
    is_met: bool  # everything that was asked
    labels: list[PaintedStretch]
    pieces: list[PlayedPiece]
    joins: list[PlayedJoin]
    forced: list[PlayedClip]
    places: list[ReachedPlace]
    reasons: list[MissReason]
    parts: list[ReportPart]
    quality: list[ReportLine]
    notes: list[str]


class AnswerTold(Message):
    """A search has found a motion, or knows more about one."""

    type: Literal["answer"] = "answer"
    answer: TimelineAnswer


class ChosenTakes(Message):
    """Which takes a motion is made from."""

    takes: list[str] | None = None  # patterns; None for all


class RequestText(Message):
    """A request as the text of a YAML file."""

    text: str = Field(max_length=1_000_000)
    name: str = Field("request.yaml", max_length=200)  # of the file, for what is said of mistakes


class SaveAnswer(Message):
    """Which answer to keep as a take."""

    answer: str
    name: str = Field(min_length=1, max_length=200)


class SavedAnswer(Message):
    """An answer is a take now."""

    take: str
    labels: int
