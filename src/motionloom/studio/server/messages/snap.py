"""Messages about hub graphs: how alike frames are, match sets, and the graph that is built from them.

Frames are numbers over all frames of the material, take after take.
"""

from typing import Literal

from pydantic import Field

from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.studio.server.messages.session import Message

MOST_PIXELS = 1024


class ComparedTakes(Message):
    """Which takes are compared."""

    takes: list[str] = Field(min_length=1, max_length=1000)
    fps: float = Field(60.0, gt=0, le=1000)  # that they are compared at


class GetMaterial(Message):
    """A page wants takes to be compared; comparing others is given up for it."""

    takes: list[str] | None = Field(max_length=1000)  # names or patterns, as a graph has them; None: all recorded ones
    fps: float = Field(60.0, gt=0, le=1000)
    tag: str = Field(max_length=60)


class MaterialTake(Message):
    """A take of the material, and where its frames begin."""

    name: str
    start: int
    frames: int
    step: float  # frames of the recording from one frame to the next


class MaterialState(Message):
    """Takes that were compared with each other."""

    fps: float
    frames: int
    takes: list[MaterialTake]
    skeleton: str  # digest
    usual: float  # metres: between frames that are alike enough to go over from one to the other
    threshold: float  # metres: the default threshold of match sets
    most: float  # metres up to which match frames are known
    far: float  # metres that the distance image shows as far
    least_w_min: float  # seconds between match frames that displacement maps need at least


class MaterialReady(Message):
    """Takes were compared."""

    type: Literal["material"] = "material"
    tag: str
    material: MaterialState


class DistanceImage(ComparedTakes):
    """The part of the distance image that a page shows, and how large: frames across, frames down, pixels."""

    columns: tuple[int, int]
    rows: tuple[int, int]
    width: int = Field(ge=1, le=MOST_PIXELS)
    height: int = Field(ge=1, le=MOST_PIXELS)


class FrameSlice(ComparedTakes):
    """One frame, to be compared with all."""

    frame: int = Field(ge=0)


class FramePoses(ComparedTakes):
    """Frames to be shown; all stand as the distance to the first puts them."""

    frames: list[int] = Field(min_length=1, max_length=8)


class GrowSet(ComparedTakes):
    """A frame that a match set is grown from, beside the match frames of other hubs."""

    seed: int = Field(ge=0)
    w_min: float = Field(gt=0, le=10)  # seconds
    taken: list[int] = Field(max_length=100_000)


class GrownSet(Message):
    """All frames that can join, nearest first: those up to a threshold are the match set of that threshold."""

    seed: int
    frames: list[int]
    distances: list[float]  # metres


class ResolveSets(Message):
    """A graph whose match sets a page wants to know."""

    request: GraphRequest
    count: int | None = Field(None, ge=0, le=20)  # suggestions beside its hubs; None for as many as is usual


class ResolvedSet(Message):
    """The match frames of a hub, or why it can be none."""

    name: str
    frames: list[int]
    distances: list[float | None]  # metres from the seed; None for frames by hand
    seed: int | None
    threshold: float | None  # metres
    mean: float | None  # metres
    problem: str


class SuggestedSet(Message):
    """A match set that could be a hub."""

    take: str
    frame: float  # of the take, as recorded: what it is grown from
    seed: int
    frames: list[int]
    threshold: float  # metres that it was grown with
    mean: float  # metres
    worst: float
    takes: int
    planted: list[str]  # points of the feet that stand in most match frames


class ResolvedGraph(Message):
    """The match sets of a graph, and what could be its next hub."""

    hubs: list[ResolvedSet]
    suggestions: list[SuggestedSet]
    problem: str  # why there are no suggestions


class BuildGraph(Message):
    """A graph to be built; a build that runs is given up for it."""

    tag: str = Field(max_length=60)
    request: GraphRequest


class HubReport(Message):
    """How a hub came out."""

    name: str
    match_frames: int
    planted: list[str]  # points of the feet that stand in the common pose
    mean_displacement: float  # metres, of all joints in the match frames
    worst_displacement: float
    level: float  # metres: height of what its higher foot stands on


class DeadEnd(Message):
    """Clips of a take, one after another, that are dead ends or unreachable; frames [start, stop) of it."""

    take: str
    start: int
    stop: int
    why: str
    seconds: float
    fix: list["FixFrame"]


class FixFrame(Message):
    """A match frame that would connect a dead end."""

    hub: str
    take: str
    frame: int
    distance: float  # metres from the hub's nearest match frame


class GraphStatistics(Message):
    """What a graph lets people do."""

    hubs: int
    clips: int
    seconds: float
    actions: int
    branching: float  # clips that leave a hub, on average
    mean_wait: float | None  # seconds from any action to any other
    worst_wait: float | None
    turn_right: float | None  # degrees of the sharpest turns with one clip
    turn_left: float | None
    turn_gap: float | None  # degrees: the largest gap between headings that two clips reach


class BuiltGraph(Message):
    """A graph that was built; its file comes by its digest."""

    digest: str
    seconds: float  # that it took
    hubs: list[HubReport]
    mean_displacement: float  # metres, over all joints and frames of the takes
    worst_displacement: float
    worst_where: str
    planted_step_mm: float  # millimetres that a planted foot moves between two frames, at most
    dropped: list[str]  # match frames that were left out because joins there would be rough
    is_mended: bool  # dead ends are left out
    has_loop: bool  # the graph has a cycle
    fps: float
    statistics: GraphStatistics
    dead_ends: list[DeadEnd]
    notes: list[str]  # sentences about what could not be met


class GraphBuilt(Message):
    """A graph was built."""

    type: Literal["built"] = "built"
    tag: str
    built: BuiltGraph


class WalkGraph(Message):
    """Clips of a graph that was built, one after another, as a page has played them."""

    graph: str = Field(max_length=60)  # digest
    clips: list[int] = Field(min_length=1, max_length=10_000)
    frames: int | None = Field(None, ge=1)  # of the graph, after which it ends; None for the whole last clip too


class WalkedGraph(Message):
    """They are an answer now."""

    answer: str
