"""GraphRequest: the request of a hub graph. Which takes, which hubs, and the names of its actions."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, PlainSerializer
from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.methods.snap.author.match_sets import USUAL_W_MIN


def _whole_if_it_is(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


FrameNumber = Annotated[
    float,
    Field(
        ge=0,
        allow_inf_nan=False,
        description="Frame of the take as recorded; fractional between frames if the graph's rate is higher",
    ),
    PlainSerializer(_whole_if_it_is, return_type=float | int),
]
Name = Annotated[str, Field(min_length=1, max_length=80)]
Metres = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True, config=STRICT)
class TakeFrame:
    """A frame of a take."""

    take: Annotated[str, Field(min_length=1, description="A take of the graph, or a unique suffix of its name")]
    frame: FrameNumber


@dataclass(frozen=True, config=STRICT)
class Hub:
    """A hub: its match frames listed by hand, grown from a seed frame, or the largest match set that is left."""

    name: Annotated[Name | None, Field(description="Name of the hub; 'hub 1', 'hub 2' ... if left out")] = None
    frames: Annotated[tuple[TakeFrame, ...], Field(description="Match frames, listed by hand")] = ()
    like: Annotated[TakeFrame | None, Field(description="Seed frame that the match set is grown from")] = None
    largest: Annotated[bool, Field(description="The largest match set that the hubs before it leave")] = False
    threshold: Annotated[Metres | None, Field(description="Metres; the graph's threshold if left out")] = None
    add: Annotated[tuple[TakeFrame, ...], Field(description="Additional match frames")] = ()
    drop: Annotated[tuple[TakeFrame, ...], Field(description="Match frames to remove")] = ()

    def __post_init__(self) -> None:
        given = [bool(self.frames), self.like is not None, self.largest]
        if sum(given) != 1:
            raise ValueError("give exactly one of frames, like, or largest: true")
        if self.frames and self.threshold is not None:
            raise ValueError("match frames listed by hand have no threshold; leave it out, or grow the hub with like")

    @property
    def is_grown(self) -> bool:
        """Whether its match set is grown with a threshold."""
        return not self.frames


@dataclass(frozen=True, config=STRICT)
class ClipsOfAction:
    """An action, such as one button triggers, and its clips."""

    name: Name
    clips: Annotated[tuple[str, ...], Field(min_length=1, description="Names of clips, as `snap build` lists them")]


@dataclass(frozen=True, config=STRICT)
class GraphRequest(RequestFile):
    """Everything that a person decides about a hub graph; `prepare` builds it."""

    example: ClassVar[str] = "hubs: [{largest: true}]"
    kind: ClassVar[str] = "hub graph"

    takes: Annotated[
        tuple[str, ...] | None, Field(description="Patterns of takes to use; all recordings if left out")
    ] = None
    fps: Annotated[float, Field(gt=0, le=1000, description="Frames per second of the clips")] = 60.0
    w_min: Annotated[
        float,
        Field(gt=0, le=10, description="Minimum seconds between match frames of all hubs, and to the ends of takes"),
    ] = USUAL_W_MIN
    threshold: Annotated[
        Metres | None, Field(description="Metres up to which frames match; estimated from the takes if left out")
    ] = None
    hubs: Annotated[tuple[Hub, ...], Field(description="In the order in which they were accepted")] = (
        Hub(largest=True),
    )
    actions: Annotated[
        tuple[ClipsOfAction, ...] | None, Field(description="Actions and their clips; proposed from labels if left out")
    ] = None
    mend: Annotated[
        Literal["remove", "keep"],
        Field(description="Clips outside the largest strongly connected component: dead ends and unreachable clips"),
    ] = "remove"

    def __post_init__(self) -> None:
        for what, names in (("hubs", self.hub_names), ("actions", [action.name for action in self.actions or ()])):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"two {what} are called '{twice[0]}'; names must be unique")

    @property
    def hub_names(self) -> list[str]:
        """The name of each hub; hubs without a name are numbered."""
        given = {hub.name for hub in self.hubs}
        names = []
        for number, hub in enumerate(self.hubs, start=1):
            name = hub.name or f"hub {number}"
            while hub.name is None and name in given:
                name += "'"
            names.append(name)
        return names
