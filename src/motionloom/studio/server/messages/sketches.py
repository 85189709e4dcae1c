"""Messages about sketches: frames of takes as a few strokes, for lists and palettes."""

from typing import Literal

from pydantic import Field

from motionloom.studio.server.messages.session import Message

MOST = 60  # in one answer

Place = tuple[float, float]  # in a square picture, 0 to 1 from its upper left corner


class WantedSketch(Message):
    """A frame of a take, or the one that tells most of it."""

    take: str
    frame: int | None = Field(default=None, ge=0)


class WantedSketches(Message):
    """Some frames of takes."""

    wanted: list[WantedSketch] = Field(min_length=1, max_length=MOST)


class Sketch(Message):
    """A frame of a take as strokes."""

    take: str
    frame: int
    kind: Literal["body", "face", "points"]
    lines: list[tuple[float, float, float, float]]  # from one place to another: bones, or the mesh between markers
    outlines: list[list[Place]]  # mouth, eyes and brows of a face, place by place
    dots: list[Place]  # markers of what is no face


class Sketches(Message):
    """The sketches that were wanted, in their order; None for a take that cannot be read."""

    sketches: list[Sketch | None]
