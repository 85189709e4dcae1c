"""What can be asked of the timeline: labels painted over time, forced frames, places; and how it is searched."""

from dataclasses import field
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.assembly.requests.times import Finite, Time

USUAL_ALPHA = 0.11  # a median cut is worth four wrong frames
LEAST_ALPHA = 1e-6  # with less, the cost of a cut would overflow float32
MOST_WEIGHT = 1e6  # of a place, for the same reason

Weight = Annotated[float, Field(gt=0, le=MOST_WEIGHT, allow_inf_nan=False)]


@dataclass(frozen=True, config=STRICT)
class Paint:
    """A stretch of one label track: there the label must hold, or must not."""

    label: Annotated[str, Field(min_length=1, description="A label of the corpus, or a layer such as contacts.left")]
    start: Annotated[Time, Field(alias="from", description="Start of the painted range")] = "start"
    stop: Annotated[Time, Field(alias="to", description="End of the painted range")] = "end"
    value: Literal["must", "must_not"] = "must"


@dataclass(frozen=True, config=STRICT)
class ForcedFrames:
    """A frame, or a clip, of a take that has to be played at a time."""

    at: Annotated[
        Time, Field(description="When the frame, or the first frame of the clip, is played; at the end it ends there")
    ]
    take: Annotated[str, Field(min_length=1, description="A take of the corpus, or a unique suffix of its name")]
    frame: Annotated[int | None, Field(ge=0, description="The one frame, as recorded")] = None
    start: Annotated[int | None, Field(ge=0, description="First frame of a clip, as recorded")] = None
    stop: Annotated[int | None, Field(ge=1, description="Frame after the last of the clip")] = None

    def __post_init__(self) -> None:
        is_clip = self.start is not None and self.stop is not None
        if (self.frame is not None) == is_clip or (self.start is None) != (self.stop is None):
            raise ValueError("give either frame, or both start and stop")
        if self.start is not None and self.stop is not None and self.start >= self.stop:
            raise ValueError(f"a clip over the frames [{self.start}, {self.stop}) has none; start must be below stop")


@dataclass(frozen=True, config=STRICT)
class Place:
    """Where on the ground to be at a time, and facing which way."""

    at: Annotated[Time, Field(description="Time; at the start, where the motion begins")] = "end"
    position: Annotated[tuple[Finite, Finite] | None, Field(description="Metres along x and z")] = None
    heading: Annotated[Finite | None, Field(description="Degrees: 0 looks along +z, positive turns left")] = None
    weight: Annotated[Weight, Field(description="How much a miss counts beside labels and continuity")] = 1.0

    def __post_init__(self) -> None:
        if self.position is None and self.heading is None:
            raise ValueError("give a position, a heading, or both")


@dataclass(frozen=True, config=STRICT)
class Request(RequestFile):
    """Everything that is asked of one motion."""

    example: ClassVar[str] = "length: 10s"

    length: Annotated[Time, Field(description="Duration of the motion")]
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

    @property
    def cut_weight(self) -> float:
        """How many wrong frames one unit of discontinuity is worth: eq. 1 of the paper divided by 2 alpha."""
        return (1 - self.alpha) / (2 * self.alpha)


@dataclass(frozen=True)
class BlockSettings:
    """How the paper's search works."""

    sizes: tuple[int, ...] = (32, 16, 8)  # frames of a block at each level, the longest first
    top_clusters: int = 100  # of the longest blocks; one random block of each is active
    blocks_per_cluster: int = 100  # below the top: as many clusters as make this the usual size
    pool: int = 20  # motions kept at each level, where there are places
    restarts: int | None = 50  # None: until the search is stopped


@dataclass(frozen=True)
class GlobalSettings:
    """How the search over the whole corpus works."""

    block: int = 8  # frames
    neighbours: int = 32  # continuations listed for each frame
    dense: int = 1000  # blocks of each slot that the dense pass chooses from


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
