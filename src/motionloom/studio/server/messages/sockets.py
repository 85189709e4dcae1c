"""Messages over the websocket; frames of motions come as binary ones, see `packing`."""

from typing import Annotated, Literal

from pydantic import Field

from motionloom.studio.server.messages.buildup import Browse, NotBrowsed, PaletteReady
from motionloom.studio.server.messages.direct import DirectorReady, Drag, NotDragged
from motionloom.studio.server.messages.methods import AnswerUpdate
from motionloom.studio.server.messages.session import Job, Message
from motionloom.studio.server.messages.snap import GraphBuilt, MaterialReady

Changed = Literal["takes", "labels", "proposals", "document", "session"]

_MOST_FRAMES = 2**31 - 1


class AskFrames(Message):
    """The page wants frames [start, stop) of a motion."""

    type: Literal["frames"] = "frames"
    motion: str
    start: int = Field(ge=0, le=_MOST_FRAMES)
    stop: int = Field(ge=1, le=_MOST_FRAMES)


class CancelJob(Message):
    """The page wants a job to stop."""

    type: Literal["cancel"] = "cancel"
    job: int


class Ping(Message):
    """The page asks whether anybody is there."""

    type: Literal["ping"] = "ping"


class JobUpdate(Message):
    """How far a job is."""

    type: Literal["job"] = "job"
    job: Job


class CorpusChanged(Message):
    """Something was changed, here or by another page."""

    type: Literal["changed"] = "changed"
    what: Changed
    revision: int


class Refused(Message):
    """Something that a page asked for over the socket could not be done."""

    type: Literal["refused"] = "refused"
    error: str
    motion: str = ""


class Pong(Message):
    """Reply to a ping."""

    type: Literal["pong"] = "pong"


FromPage = Annotated[AskFrames | CancelJob | Browse | Drag | Ping, Field(discriminator="type")]
FromServer = Annotated[
    JobUpdate
    | CorpusChanged
    | AnswerUpdate
    | MaterialReady
    | GraphBuilt
    | PaletteReady
    | NotBrowsed
    | DirectorReady
    | NotDragged
    | Refused
    | Pong,
    Field(discriminator="type"),
]
