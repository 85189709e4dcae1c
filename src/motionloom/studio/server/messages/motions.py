"""Messages about motions that can be played."""

from typing import Literal

from motionloom.studio.server.messages.session import Message


class Footprint(Message):
    """Where one foot rested."""

    side: Literal["left", "right"]
    frame: int
    outline: list[tuple[float, float]]  # metres, x and z
    height: float = 0.0  # metres above the floor of what it rests on, at the mean of its corners
    slope: tuple[float, float] = (0.0, 0.0)  # of what it rests on, along x and z


class SupportBox(Message):
    """A box that feet stand on in some frames; heights are above the floor."""

    centre: tuple[float, float]  # metres, x and z
    half: tuple[float, float]  # metres: half extents along its own x and z
    turn: float  # radians about y
    top: float
    bottom: float
    start: int  # frames [start, stop)
    stop: int


class TerrainGrid(Message):
    """Uneven ground: heights above the floor on a grid, a row for each step along its own x."""

    origin: tuple[float, float]  # metres, x and z
    spacing: tuple[float, float]  # metres between heights along its own x and z
    turn: float  # radians about y
    heights: list[list[float]]  # metres


class PointLooks(Message):
    """How markers are drawn."""

    links: list[tuple[int, int]]  # neighbours, which are joined
    triangles: list[tuple[int, int, int]]  # of a face: its skin, anticlockwise seen from outside
    outlines: list[list[int]]  # of a face: mouth, eyes and brows, one marker after another
    front: float | None  # of a face: the azimuth from which it is seen from the front, radians, 0 from +z


class Motion(Message):
    """What there is to know about a motion before its frames come."""

    id: str  # "take:NAME" or "answer:NUMBER"
    name: str
    kind: Literal["body", "points"]
    fps: float
    frames: int
    floor: float
    skeleton: str | None
    points: list[str] | None
    looks: PointLooks | None = None  # of points


class Footprints(Message):
    """Where the feet of a motion rest."""

    footprints: list[Footprint]
    contacts: dict[str, list[tuple[int, int]]]  # point -> frames [start, stop)
    supports: list[SupportBox] = []  # noqa: RUF012
    terrain: TerrainGrid | None = None


class SkeletonEnd(Message):
    """The tip of a last bone."""

    parent: int
    offset: tuple[float, float, float]


class Skeleton(Message):
    """A skeleton for drawing."""

    digest: str
    names: list[str]
    parents: list[int]
    offsets: list[tuple[float, float, float]]
    roles: dict[str, int]
    ends: list[SkeletonEnd]
