"""Messages about methods and what they answer: the same for all of them."""

from typing import Any, Literal

from pydantic import Field

from motionloom.studio.server.messages.session import Message


class MethodDescription(Message):
    """A method: what it makes, and what can be asked of it."""

    name: str
    title: str
    summary: str  # one sentence
    request_schema: dict[str, Any]  # JSON schema; a page can make a form of it
    example: dict[str, Any]  # the least that can be asked, with all defaults: what a new request begins with


class MethodRequest(Message):
    """What is asked of a method, as plain data; the method's own `Request` checks it."""

    request: dict[str, Any]


class SearchRequest(MethodRequest):
    """What a page wants to be searched for; a search of the same method that runs is given up for it."""

    tag: str = Field(max_length=60)  # comes back with every answer, so that the page knows what it answers
    others: int | None = Field(None, ge=0, le=8)  # good motions to find after the best; None for as many as is usual


class RequestText(Message):
    """A request as the text of a YAML file."""

    text: str = Field(max_length=1_000_000)
    name: str = Field("request.yaml", max_length=200)  # of the file, for messages about mistakes


class ShownPiece(Message):
    """Frames [start, stop) of a character, and what plays there: a take, or a model that made them."""

    start: int
    stop: int
    name: str


class ShownCharacter(Message):
    """One motion of an answer; its frames come by its id."""

    name: str  # "" where there is one character
    motion: str  # id
    kind: Literal["body", "points"]
    pieces: list[ShownPiece]  # one after another; none where nothing was planned


class ReportPart(Message):
    """One part of what was asked."""

    name: str
    value: float
    unit: str
    tolerance: float | None
    met: bool
    why_not: str
    frame: int | None = None  # where to look


class ReportMeasure(Message):
    """One measure of how good the motion is."""

    name: str
    value: float | None
    unit: str
    before: float | None
    usual: float | None
    note: str


class Verdict(Message):
    """How well an answer meets the request: what the badge says, and the headline of the report."""

    missed: int  # parts that are not met
    of: int  # parts
    percent: int | None  # of what was asked that holds, if the method measures that; 100 only where all of it does
    sentence: str


class Answer(Message):
    """An answer that a search has found, with its report."""

    id: str  # "answer:NUMBER"
    method: str
    tag: str  # of the search
    kind: str  # "first", "best", "other" or a word of the method
    is_whole: bool  # quality and reasons are known
    seconds: float  # since the search began
    fps: float
    frames: int
    cost: float  # lower is better
    costs: dict[str, float]  # what the cost is the sum of
    differs: float | None  # of another answer: share of frames from elsewhere
    is_met: bool  # everything that was asked
    verdict: Verdict
    characters: list[ShownCharacter]
    parts: list[ReportPart]
    quality: list[ReportMeasure]
    notes: list[str]
    details: dict[str, Any]  # what is particular to the method


class AnswerUpdate(Message):
    """A search has found an answer, or knows more about one."""

    type: Literal["answer"] = "answer"
    answer: Answer


class SaveAnswer(Message):
    """Which answer to keep in the corpus."""

    answer: str
    name: str = Field(min_length=1, max_length=200)  # of the take; several characters become NAME/CHARACTER


class SavedAnswer(Message):
    """An answer is in the corpus now."""

    takes: list[str]
    labels: int
