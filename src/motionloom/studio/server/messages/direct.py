"""Messages about directing: what a model is learnt from, and the motion while something of it is dragged."""

from typing import Literal

from pydantic import Field

from motionloom.studio.direct_request import DirectRequest
from motionloom.studio.server.messages.methods import ReportPart
from motionloom.studio.server.messages.session import Message


class GetDirector(Message):
    """A page wants the model of a request to be ready; getting another one ready is given up for it."""

    tag: str = Field(max_length=60)
    request: DirectRequest


class Director(Message):
    """What a page needs to know of a model."""

    fps: float
    skeleton: str  # digest
    joints: dict[str, str]  # as requests call them, a role where there is one, by their names on the skeleton
    about: str  # what it was learnt from, for people


class DirectorReady(Message):
    """The model is there: drags are answered at once."""

    type: Literal["director"] = "director"
    tag: str
    director: Director


class Drag(Message):
    """A page drags something, and wants the motion that comes of it: a binary message, `Dragged` and arrays."""

    type: Literal["drag"] = "drag"
    tag: str = Field(max_length=60)
    request: DirectRequest


class Dragged(Message):
    """The motion as it is now: its `roots` (F, 3) metres and `rotations` (F, J, 4) come as arrays, as frames do."""

    type: Literal["dragged"] = "dragged"
    tag: str
    fps: float
    frames: int
    skeleton: str  # digest
    parts: list[ReportPart]  # how well it meets what pulls


class NotDragged(Message):
    """The request makes no sense, or none yet."""

    type: Literal["not_dragged"] = "not_dragged"
    tag: str
    error: str
