"""What can be asked of the timeline: labels painted over time, forced frames, places; and how it is searched."""

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from motionloom.errors import BadInput, FormatError
from motionloom.methods.timeline import request_files

_STRICT = ConfigDict(extra="forbid", populate_by_name=True)
_TIME = re.compile(r"(?P<number>[0-9]{1,9}(\.[0-9]+)?)(?P<unit>[sf])")
USUAL_ALPHA = 0.11  # a median cut is worth four wrong frames
LEAST_ALPHA = 1e-6  # less would make cuts cost more than numbers of the programs can say
MOST_WEIGHT = 1e6  # of a place, for the same reason


def check_time(text: Any) -> str:
    """Raise unless a text says a time: '2.5s', '150f', 'start' or 'end'."""
    if text in ("start", "end"):
        return text
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    if not found:
        raise ValueError(f"'{text}' is no time; write seconds like 2.5s, frames like 150f, start or end")
    if found["unit"] == "f" and found[2]:
        raise ValueError(f"'{text}' is no whole number of frames; write 150f, or seconds like 2.5s")
    return text


Time = Annotated[
    str,
    BeforeValidator(check_time),
    Field(
        json_schema_extra={
            "pattern": r"^([0-9]{1,9}(\.[0-9]+)?s|[0-9]{1,9}f|start|end)$",
            "examples": ["2.5s", "150f", "end"],
        }
    ),
]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Weight = Annotated[float, Field(gt=0, le=MOST_WEIGHT, allow_inf_nan=False)]


@dataclass(frozen=True, config=_STRICT)
class Paint:
    """A stretch of one label track: there the label must hold, or must not."""

    label: Annotated[str, Field(min_length=1, description="A label of the corpus, or a layer such as contacts.left")]
    start: Annotated[Time, Field(alias="from", description="First moment painted")] = "start"
    stop: Annotated[Time, Field(alias="to", description="Where the paint ends")] = "end"
    value: Literal["must", "must_not"] = "must"


@dataclass(frozen=True, config=_STRICT)
class ForcedFrames:
    """A frame, or a clip, of a take that has to be played at a time."""

    at: Annotated[
        Time, Field(description="When the frame, or the first frame of the clip, is played; at the end it ends there")
    ]
    take: Annotated[str, Field(min_length=1, description="A take of the corpus, or any unique end of its name")]
    frame: Annotated[int | None, Field(ge=0, description="The one frame, as recorded")] = None
    start: Annotated[int | None, Field(ge=0, description="First frame of a clip, as recorded")] = None
    stop: Annotated[int | None, Field(ge=1, description="One past the last frame of the clip")] = None

    def __post_init__(self) -> None:
        is_clip = self.start is not None and self.stop is not None
        if (self.frame is not None) == is_clip or (self.start is None) != (self.stop is None):
            raise ValueError("give either frame, or both start and stop")
        if self.start is not None and self.stop is not None and self.start >= self.stop:
            raise ValueError(f"a clip over the frames [{self.start}, {self.stop}) has none; start must be below stop")


@dataclass(frozen=True, config=_STRICT)
class Place:
    """Where on the ground to be at a time, and facing which way."""

    at: Annotated[Time, Field(description="When; at the start it says where the motion begins")] = "end"
    position: Annotated[tuple[Finite, Finite] | None, Field(description="Metres along x and z")] = None
    heading: Annotated[Finite | None, Field(description="Degrees: 0 looks along +z, positive turns left")] = None
    weight: Annotated[Weight, Field(description="How much a miss counts beside labels and continuity")] = 1.0

    def __post_init__(self) -> None:
        if self.position is None and self.heading is None:
            raise ValueError("give a position, a heading, or both")


@dataclass(frozen=True, config=_STRICT)
class Request:
    """Everything that is asked of one motion."""

    length: Annotated[Time, Field(description="How long the motion is, exactly")]
    labels: tuple[Paint, ...] = ()
    frames: tuple[ForcedFrames, ...] = ()
    places: tuple[Place, ...] = ()
    alpha: Annotated[
        float, Field(ge=LEAST_ALPHA, le=1, description="1: only labels count; towards 0: only continuity")
    ] = USUAL_ALPHA
    fps: Annotated[float, Field(gt=0, le=1000, description="Frames per second of the motion")] = 60.0
    takes: Annotated[
        tuple[str, ...] | None, Field(description="Patterns of takes to use; all recordings if left out")
    ] = None
    start_from: Annotated[str | None, Field(description="A kept result, or any take, that this motion begins with")] = (
        None
    )

    @staticmethod
    def from_data(data: Any) -> "Request":
        """A request from plain data, checked; one sentence says what is wrong with it."""
        try:
            return _ADAPTER.validate_python(data)
        except ValidationError as error:
            raise BadInput(request_files.first_problem(error, schema())[1]) from None

    @staticmethod
    def read(path: str | Path) -> "Request":
        """Read a YAML file; what is wrong with it is said with the line."""
        return _checked(path, *request_files.load(path))

    @staticmethod
    def parse(text: str, name: str = "the request") -> "Request":
        """Read the text of a YAML file; mistakes are told as those of a file of that name."""
        return _checked(name, *request_files.parse(text, name))

    def to_data(self) -> dict[str, Any]:
        """As plain data, without what was left out."""
        return _ADAPTER.dump_python(self, mode="json", by_alias=True, exclude_defaults=True)

    def write(self, path: str | Path) -> None:
        """Write it as a YAML file."""
        request_files.save(path, self.to_data())

    def to_text(self) -> str:
        """As the text of a YAML file."""
        return request_files.dump(self.to_data())

    @property
    def cut_weight(self) -> float:
        """How many wrong frames one unit of discontinuity is worth: eq. 1 of the paper divided by 2 alpha."""
        return (1 - self.alpha) / (2 * self.alpha)


def schema() -> Mapping[str, Any]:
    """The JSON schema of request files, for editors."""
    return _ADAPTER.json_schema(by_alias=True)


def frames_of(time: str, fps: float, n_frames: int | None = None) -> int:
    """A time as a number of frames; 'end' is one past the last."""
    if time == "start":
        return 0
    if time == "end":
        if n_frames is None:
            raise BadInput("'end' is no length; write seconds like 10s or frames like 600f")
        return n_frames
    number, unit = float(time[:-1]), time[-1]
    return int(np.floor(number * fps + 0.5)) if unit == "s" else int(number)


_ADAPTER = TypeAdapter(Request)


def _checked(path: str | Path, data: Any, line_of: Callable[[request_files.Where], int | None]) -> Request:
    try:
        return _ADAPTER.validate_python(data)
    except ValidationError as error:
        where, sentence = request_files.first_problem(error, schema())
        raise FormatError(path, sentence, line_of(where)) from None


@dataclass(frozen=True)
class BlockSettings:
    """How the paper's search works."""

    sizes: tuple[int, ...] = (32, 16, 8)  # frames of a block at each level, the longest first
    top_clusters: int = 100  # of the longest blocks; one random block of each is active
    blocks_per_cluster: int = 100  # below the top: as many clusters as make this the usual size
    pool: int = 20  # motions kept at each level, where there are places


@dataclass(frozen=True)
class GlobalSettings:
    """How the search over the whole corpus works."""

    block: int = 8  # frames
    neighbours: int = 32  # continuations listed for each frame
    dense: int = 1000  # blocks of each slot that the second, complete program chooses from


@dataclass(frozen=True)
class Settings:
    """How the timeline method works; none of it changes what is asked."""

    solver: str = "global"  # or "blocks", the paper's
    fee: float = 0.5  # usual distances that every cut costs besides its own: against flicker
    heading_miss: float = 0.5  # metres that a miss of one radian counts as
    place_miss: float = 60.0  # wrong frames that a miss of one metre counts as, at weight 1
    mirrored: bool = False  # use a left-right mirrored copy of every take too
    by_blocks: BlockSettings = field(default_factory=BlockSettings)
    by_all: GlobalSettings = field(default_factory=GlobalSettings)
