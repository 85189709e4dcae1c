"""Messages about building up: poses to choose from, where a character stands, and ways to where a pose is dragged."""

from typing import Literal

from pydantic import Field

from motionloom.methods.buildup.request import Edit, PlayedClip, Pose
from motionloom.studio.buildup_request import BuildupRequest
from motionloom.studio.server.messages.session import Message


class GetPalette(Message):
    """A page wants the poses that a request chooses from; getting others ready is given up for it."""

    tag: str = Field(max_length=60)
    request: BuildupRequest


class PoseCard(Message):
    """A pose to choose: that of a frame, which stands for all that look like it."""

    group: int
    take: str
    frame: int  # as recorded
    labels: list[str]  # that it is mostly seen under, the best first
    seconds: float  # of recordings that look like it
    root: tuple[float, float, float]  # metres; it looks along +z
    rotations: list[float]  # four for each joint


class PosePalette(Message):
    """The poses to choose from, alike ones side by side."""

    fps: float
    skeleton: str  # digest
    near: float  # metres from a prop that are near: half an arm's length
    points: list[str]  # hands and feet that can be near one, or hit it
    seconds: float  # that a way may take at most
    cards: list[PoseCard]


class PaletteReady(Message):
    """The poses are there."""

    type: Literal["palette"] = "palette"
    tag: str
    palette: PosePalette


class GetStanding(Message):
    """A page wants to know what can be reached from the last pose of a character."""

    request: BuildupRequest
    character: int = Field(ge=0, le=100)


class BuiltStep(Message):
    """What is played for the start or for a step, frames [start, stop), and where it ends."""

    start: int
    stop: int
    place: tuple[float, float, float]  # metres along x and z, radians
    group: int  # of the pose at its end
    step: int | None  # number, from 0; None for the start, and for what an edit puts in


class BuiltEdit(Message):
    """What became of an edit in the middle; frames are those of the motion that all edits leave."""

    why_not: str  # it was not made; "" where it was
    frames: int  # of its bridge
    start: int | None  # of its bridge; None where it was not made, or a later edit took that out
    stop: int | None
    frame: int | None  # in which its pose is passed
    place: tuple[float, float, float] | None  # and where: metres along x and z, radians; of one not made, at its time


class Standing(Message):
    """Where a character stands after all that was built, and what it can do next."""

    key: str  # names the last pose when it is browsed from
    steps: list[BuiltStep]
    why_not: list[str]  # of each step, why it was not taken as asked; "" where it was
    edits: list[BuiltEdit]
    is_whole: bool  # all that can be reached is known; else only what is left of a way that was accepted
    soonest: list[float | None]  # seconds until each pose group can be had; None: not within reach


class ChooseWays(Message):
    """A page lets a step hit something, and wants the way that is best for that."""

    request: BuildupRequest  # with the hit
    character: int = Field(ge=0, le=100)
    step: int = Field(ge=0, le=10_000)


class ChosenWays(Message):
    """The ways of the step and of those after it."""

    clips: list[list[PlayedClip] | None]  # of the step and of each after it; None for one that stays as it is


class Browse(Message):
    """A page drags a pose, and wants to know the way there; the answer is a binary message, `Browsed` and arrays."""

    type: Literal["browse"] = "browse"
    tag: str = Field(max_length=60)
    key: str = Field(max_length=60)
    pose: Pose | None
    place: tuple[float, float] | None = None  # metres along x and z
    heading: float | None = None  # degrees
    seconds: float | None = Field(None, gt=0, le=1000)  # about how long it should take
    count: int = Field(1, ge=1, le=8)  # ways
    shades: bool = False  # also where this pose can be had
    edits: tuple[Edit, ...] = ()  # the last one's pose is dragged; its place and heading are in it


class FoundWay(Message):
    """A way: path{n} (N, 2) metres, root{n} (3,) and rotations{n} (J, 4) of the pose at its end come as arrays."""

    seconds: float
    place: tuple[float, float, float]  # metres along x and z, radians
    away: float  # metres from where it was asked for
    cuts: int
    hardest: float  # thresholds: the largest distance of its transitions
    group: int
    clips: list[PlayedClip]


class ReachGrid(Message):
    """Where the cells of the array `reach` are: (rows along z, columns along x) seconds, -1 for never."""

    x: float  # metres, of the corner
    z: float
    cell: float  # metres


class Browsed(Message):
    """The ways to where a pose was dragged, the best first."""

    type: Literal["browsed"] = "browsed"
    tag: str
    is_known: bool  # False: the last pose is not known any more; ask for it again
    ways: list[FoundWay]
    why_not: str  # a sentence, where something that was asked could not be had
    reach: ReachGrid | None = None


class NotBrowsed(Message):
    """There is no way, or none could be looked for."""

    type: Literal["not_browsed"] = "not_browsed"
    tag: str
    error: str
