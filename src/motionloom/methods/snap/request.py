"""What can be asked of a hub graph: a graph walk, step by step; and how graphs are built and walked."""

from dataclasses import field
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.assembly.requests.times import Finite, Time
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.snap.builder.take_bending import TakeBendSettings

USUAL_WITHIN = 0.3  # metres
USUAL_HEADING_WITHIN = 30.0  # degrees


@dataclass(frozen=True, config=STRICT)
class Start:
    """Where the motion begins."""

    hub: Annotated[str | None, Field(min_length=1, description="A hub; the first one if left out")] = None
    clip: Annotated[str | None, Field(min_length=1, description="The first clip, instead of a hub")] = None
    position: Annotated[tuple[Finite, Finite], Field(description="Metres along x and z")] = (0.0, 0.0)
    heading: Annotated[Finite, Field(description="Degrees: 0 looks along +z, positive turns left")] = 0.0

    def __post_init__(self) -> None:
        if self.hub is not None and self.clip is not None:
            raise ValueError("give a hub or a clip to begin with, not both")


@dataclass(frozen=True, config=STRICT)
class Wish:
    """How to move, whatever clips do it best."""

    speed: Annotated[float | None, Field(ge=0, allow_inf_nan=False, description="Metres per second")] = None
    curvature: Annotated[Finite | None, Field(description="1 / radius in metres; positive turns left")] = None
    direction: Annotated[
        Finite | None, Field(description="Degrees, seen from the character: 0 ahead, positive left")
    ] = None

    def __post_init__(self) -> None:
        if self.speed is None and self.curvature is None and self.direction is None:
            raise ValueError("give a speed, a curvature, a direction, or several of them")


@dataclass(frozen=True, config=STRICT)
class Step:
    """One thing to do: a clip, something that clips do, a place to go to, or a way to move for a while."""

    clip: Annotated[str | None, Field(min_length=1, description="The name of a clip")] = None
    action: Annotated[str | None, Field(min_length=1, description="An action of the graph")] = None
    label: Annotated[str | None, Field(min_length=1, description="A label that holds in most of a clip")] = None
    times: Annotated[int, Field(ge=1, le=1000, description="Repetitions")] = 1
    place: Annotated[tuple[Finite, Finite] | None, Field(description="Metres along x and z to end at")] = None
    heading: Annotated[Finite | None, Field(description="Degrees to look along at the place")] = None
    within: Annotated[float, Field(gt=0, le=100, description="Metres from the place that are near enough")] = (
        USUAL_WITHIN
    )
    control: Annotated[Wish | None, Field(description="How to move")] = None
    lasting: Annotated[Time | None, Field(alias="for", description="Duration of the control")] = None

    def __post_init__(self) -> None:
        things = [self.clip, self.action, self.label, self.place, self.control]
        if sum(thing is not None for thing in things) != 1:
            raise ValueError("give one thing to do: clip, action, label, place or control")
        if (self.control is None) != (self.lasting is None):
            raise ValueError("a control holds `for` some time, such as {control: {speed: 1.2}, for: 3s}")
        if self.lasting in ("start", "end"):
            raise ValueError(f"'{self.lasting}' is not a valid length; expected seconds like 3s or frames like 180f")
        if self.heading is not None and self.place is None:
            raise ValueError("a heading is for a place; give both, or leave it out")
        if self.times != 1 and self.word is None:
            raise ValueError("only a clip, an action or a label can be done several times")

    @property
    def word(self) -> str | None:
        """What a clip, an action or a label is called."""
        return self.clip or self.action or self.label

    def describe(self) -> str:
        """'action punch, 3 times', 'to (2, 3) m, looking 90 deg'."""
        if self.place is not None:
            looking = "" if self.heading is None else f", looking {self.heading:g} deg"
            return f"to ({self.place[0]:g}, {self.place[1]:g}) m{looking}"
        if self.control is not None:
            units = (("speed", "m/s"), ("curvature", "1/m"), ("direction", "deg"))
            known = [(name, getattr(self.control, name), unit) for name, unit in units]
            wished = ", ".join(f"{name} {value:g} {unit}" for name, value, unit in known if value is not None)
            return f"{wished} for {self.lasting}"
        kind = "clip" if self.clip else "action" if self.action else "label"
        return f"{kind} {self.word}" + (f", {self.times} times" if self.times > 1 else "")


@dataclass(frozen=True, config=STRICT)
class Request(RequestFile):
    """A graph walk: where it begins and what comes one after another."""

    example: ClassVar[str] = "steps: [{action: walk, times: 4}]"
    kind: ClassVar[str] = "graph walk"

    steps: Annotated[tuple[Step, ...], Field(description="What to do, one after another")] = ()
    start: Start = field(default_factory=Start)
    length: Annotated[
        Time | None, Field(description="Duration: cut off, or filled at random; as long as the steps take if left out")
    ] = None
    graph: Annotated[GraphRequest | None, Field(description="The hub graph; one hub of all recordings if left out")] = (
        None
    )

    def __post_init__(self) -> None:
        if not self.steps and self.length is None:
            raise ValueError("a graph walk needs steps, a length, or both")
        if self.length in ("start", "end"):
            raise ValueError(f"'{self.length}' is not a valid length; expected seconds like 10s or frames like 600f")


@dataclass(frozen=True)
class Settings:
    """How graphs are built and walked; none of it changes what is asked."""

    bend: TakeBendSettings = field(default_factory=TakeBendSettings)  # how takes are made to pass through hubs
    effort: int = 60_000  # placements that are looked at on the way to a place
    longest_way: float = 60.0  # seconds that the way to a place may take
