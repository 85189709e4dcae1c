"""GraphRequest: a hub graph as it is authored. Which takes, which hubs, what its actions are called."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, PlainSerializer
from pydantic.dataclasses import dataclass

from motionloom.assembly.request_files import STRICT, RequestFile
from motionloom.methods.snap.author.match_sets import USUAL_W_MIN


def _whole_if_it_is(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


FrameNumber = Annotated[
    float,
    Field(
        ge=0, allow_inf_nan=False, description="Of the take as recorded; between two where the graph's rate is higher"
    ),
    PlainSerializer(_whole_if_it_is, return_type=float | int),
]
Name = Annotated[str, Field(min_length=1, max_length=80)]
Metres = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True, config=STRICT)
class TakeFrame:
    """One frame of a take."""

    take: Annotated[str, Field(min_length=1, description="A take of the graph, or any unique end of its name")]
    frame: FrameNumber


@dataclass(frozen=True, config=STRICT)
class Hub:
    """A hub: its match frames by hand, all that are like one frame, or the largest match set that is left."""

    name: Annotated[Name | None, Field(description="Of its own; 'hub 1', 'hub 2' ... if left out")] = None
    frames: Annotated[tuple[TakeFrame, ...], Field(description="Match frames, by hand")] = ()
    like: Annotated[TakeFrame | None, Field(description="The frame that all match frames are like")] = None
    largest: Annotated[bool, Field(description="The largest match set beside the hubs before")] = False
    threshold: Annotated[Metres | None, Field(description="Metres; that of the graph if left out")] = None
    add: Annotated[tuple[TakeFrame, ...], Field(description="More match frames, by hand")] = ()
    drop: Annotated[tuple[TakeFrame, ...], Field(description="Frames that are no match frames after all")] = ()

    def __post_init__(self) -> None:
        said = [bool(self.frames), self.like is not None, self.largest]
        if sum(said) != 1:
            raise ValueError("say where its match frames come from: one of frames, like, or largest: true")
        if self.frames and self.threshold is not None:
            raise ValueError("match frames by hand have no threshold; leave it out, or grow the hub with like")

    @property
    def is_grown(self) -> bool:
        """Whether a threshold decides how many match frames it has."""
        return not self.frames


@dataclass(frozen=True, config=STRICT)
class ClipsOfAction:
    """A word, or a button, and the clips that do it."""

    name: Name
    clips: Annotated[tuple[str, ...], Field(min_length=1, description="Names of clips, as `snap build` tells them")]


@dataclass(frozen=True, config=STRICT)
class GraphRequest(RequestFile):
    """Everything that is said about a hub graph; `prepare` builds it."""

    example: ClassVar[str] = "hubs: [{largest: true}]"
    kind: ClassVar[str] = "hub graph"

    takes: Annotated[
        tuple[str, ...] | None, Field(description="Patterns of takes to use; all recordings if left out")
    ] = None
    fps: Annotated[float, Field(gt=0, le=1000, description="Frames per second of the clips")] = 60.0
    w_min: Annotated[
        float,
        Field(gt=0, le=10, description="Seconds between match frames of all hubs, and towards the ends of takes"),
    ] = USUAL_W_MIN
    threshold: Annotated[
        Metres | None, Field(description="Metres up to which frames match; what is usual in the takes if left out")
    ] = None
    hubs: Annotated[tuple[Hub, ...], Field(description="In the order in which they were accepted")] = (
        Hub(largest=True),
    )
    actions: Annotated[
        tuple[ClipsOfAction, ...] | None, Field(description="What clips do; proposed from labels if left out")
    ] = None
    mend: Annotated[
        Literal["remove", "keep"], Field(description="Clips that lead to an end, or that nothing leads to")
    ] = "remove"

    def __post_init__(self) -> None:
        for what, names in (("hubs", self.hub_names), ("actions", [one.name for one in self.actions or ()])):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"two {what} are called '{twice[0]}'; give each a name of its own")

    @property
    def hub_names(self) -> list[str]:
        """What each hub is called; those without a name are numbered."""
        given = {hub.name for hub in self.hubs}
        names = []
        for number, hub in enumerate(self.hubs, start=1):
            name = hub.name or f"hub {number}"
            while hub.name is None and name in given:
                name += "'"
            names.append(name)
        return names
