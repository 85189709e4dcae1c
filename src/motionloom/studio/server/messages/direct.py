"""Messages about directing: what a model is learnt from, and the motion while something of it is dragged."""

from typing import Literal

from pydantic import Field

from motionloom.studio.direct_request import DirectRequest
from motionloom.studio.server.messages.methods import ReportPart
from motionloom.studio.server.messages.motions import PointLooks
from motionloom.studio.server.messages.session import Message


class GetDirector(Message):
    """A page wants the model of a request to be ready; getting another one ready is given up for it."""

    tag: str = Field(max_length=60)
    request: DirectRequest


class NamedDistance(Message):
    """Two markers of a face whose distance people think in."""

    name: str  # "mouth width", "left eye"
    joint: str
    other: str
    least: float  # metres, in the takes that requests may name
    most: float


class Director(Message):
    """What a page needs to know of a model."""

    fps: float
    kind: Literal["body", "points"]
    skeleton: str | None  # digest
    looks: PointLooks | None  # of points
    joints: dict[str, str]  # as requests call them, a role where there is one, by their names on the skeleton
    distances: list[NamedDistance]  # of a face
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
    """The motion as it is now; its frames come as arrays.

    Those of a body are `roots` (F, 3) metres and `rotations` (F, J, 4), as frames are sent; those of markers are
    `points` (F, M, 3) metres.
    """

    type: Literal["dragged"] = "dragged"
    tag: str
    fps: float
    frames: int
    skeleton: str | None  # digest
    points: list[str] | None  # names
    parts: list[ReportPart]  # how well it meets what pulls


class KeyFrames(Message):
    """Frames of a take that tell most of it, to be key poses."""

    take: str
    fps: float
    length: int  # frames of the take
    frames: list[int]


class MarkerTakes(Message):
    """Takes of the same markers, whose frames can be keys of each other's motions."""

    takes: list[KeyFrames]


class NotDragged(Message):
    """The request makes no sense, or none yet."""

    type: Literal["not_dragged"] = "not_dragged"
    tag: str
    error: str
