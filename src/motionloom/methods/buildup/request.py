"""What can be asked of a build-up: where it starts, the poses it comes to one by one, edits, hits, characters."""

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.assembly.requests.times import Finite, Time
from motionloom.methods.buildup.tree.search_tree import GrowthSettings

Ground = Annotated[tuple[Finite, Finite], Field(description="Metres along x and z")]
Degrees = Annotated[Finite, Field(description="Degrees: 0 looks along +z, positive turns left")]
MOST_GROUPS = 1000
LEAST_FPS = 5.0  # below, transitions and joins are shorter than a frame


@dataclass(frozen=True, config=STRICT)
class Pose:
    """A pose: that of a frame of a take, or the one that a label is mostly seen in."""

    take: Annotated[str | None, Field(min_length=1, description="A take, or a unique suffix of its name")] = None
    frame: Annotated[int | None, Field(ge=0, description="Its frame, as recorded")] = None
    label: Annotated[str | None, Field(min_length=1, description="A label, instead of take and frame")] = None

    def __post_init__(self) -> None:
        if (self.take is None) != (self.frame is None) or (self.take is None) == (self.label is None):
            raise ValueError("give a take and a frame, or a label")

    def describe(self) -> str:
        """'frame 120 of boxing/14_01', 'punch_left'."""
        return f"frame {self.frame} of {self.take}" if self.label is None else self.label


@dataclass(frozen=True, config=STRICT)
class Start:
    """The first pose, and where on the ground it stands; or a take that the motion begins with and goes on from."""

    pose: Annotated[Pose | None, Field(description="The first pose; the one that most others follow if left out")] = (
        None
    )
    position: Annotated[Ground | None, Field(description="Metres along x and z; the origin if left out")] = None
    heading: Annotated[Degrees | None, Field(description="Degrees")] = None


@dataclass(frozen=True, config=STRICT)
class PlayedClip:
    """Frames of a take that an accepted way plays; a mirrored copy has '~mirrored' behind its name."""

    take: Annotated[str, Field(min_length=1)]
    start: Annotated[int, Field(ge=0, description="First frame, at the rate of the request")]
    stop: Annotated[int, Field(ge=1, description="Frame after the last")]

    def __post_init__(self) -> None:
        if self.start >= self.stop:
            raise ValueError(f"a clip over the frames [{self.start}, {self.stop}) has none; start must be below stop")


@dataclass(frozen=True, config=STRICT)
class Step:
    """An extension: to which pose, where, when, and which of the ways there."""

    pose: Annotated[Pose | None, Field(description="The pose to end in; any if left out")] = None
    place: Annotated[Ground | None, Field(description="Metres along x and z to end at; anywhere if left out")] = None
    heading: Annotated[Degrees | None, Field(description="Degrees to look along at the end")] = None
    lasting: Annotated[Time | None, Field(alias="for", description="About how long it should take")] = None
    within: Annotated[
        float | None,
        Field(gt=0, le=100, description="Metres from the place that are near; half the height if left out"),
    ] = None
    way: Annotated[int, Field(ge=0, le=100, description="Which of the ways: 0 is the soonest")] = 0
    exact: Annotated[bool, Field(description="Bend the way so that it ends at the place, heading and time exactly")] = (
        False
    )
    clips: Annotated[
        tuple[PlayedClip, ...] | None, Field(description="The way that was accepted; searched for if left out")
    ] = None
    begins: Annotated[
        Time | None, Field(description="When it begins; what comes before waits or hurries; at once if left out")
    ] = None

    def __post_init__(self) -> None:
        if self.lasting in ("start", "end"):
            raise ValueError(f"'{self.lasting}' is not a valid length; expected seconds like 3s or frames like 180f")
        if self.clips == ():
            raise ValueError("clips are empty; leave them out to have a way searched for")

    @property
    def asks_nothing(self) -> bool:
        """Whether it may go anywhere in any time, as only a step with a hit can."""
        return self.pose is None and self.place is None and self.lasting is None and self.clips is None

    def describe(self) -> str:
        """'to punch_left at (1, 2) m, looking 90 deg, in 2s'."""
        words = ["to any pose" if self.pose is None else f"to {self.pose.describe()}"]
        words += [] if self.place is None else [f"at ({self.place[0]:g}, {self.place[1]:g}) m"]
        words += [] if self.heading is None else [f"looking {self.heading:g} deg"]
        words += [] if self.lasting is None else [f"in {self.lasting}"]
        return ", ".join(words)


@dataclass(frozen=True, config=STRICT)
class Edit:
    """A change in the middle of what was built: a pose put in, frames replaced by a way through a pose, or taken out.

    All behind it stays where it is on the ground; it comes sooner or later as the bridge is shorter or longer.
    """

    kind: Literal["insert", "replace", "delete"]
    start: Annotated[Time, Field(alias="from", description="Where the bridge begins; all before it stays")]
    stop: Annotated[Time | None, Field(alias="to", description="Where it ends; as it begins for an insertion")] = None
    pose: Annotated[Pose | None, Field(description="The pose to pass through")] = None
    place: Annotated[Ground | None, Field(description="Where on the ground that pose shall be")] = None
    heading: Annotated[Degrees | None, Field(description="Degrees to look along in that pose")] = None

    def __post_init__(self) -> None:
        if self.kind == "delete" and (self.place is not None or self.heading is not None):
            raise ValueError("a deletion has no pose, so it has no place or heading")
        if (self.kind == "delete") != (self.pose is None):
            raise ValueError("an insertion and a replacement need a pose; a deletion has none")
        if (self.kind == "insert") != (self.stop is None):
            raise ValueError("a replacement and a deletion need `to`; an insertion has none")


@dataclass(frozen=True, config=STRICT)
class MovingPoint:
    """A joint of another character."""

    character: Annotated[str, Field(min_length=1)]
    joint: Annotated[str, Field(min_length=1, description="A joint or a role, such as head or chin")]


@dataclass(frozen=True, config=STRICT)
class Hit:
    """A joint at a point in space: in the last frame of a step, at a time, or both."""

    joint: Annotated[
        str, Field(min_length=1, description="A joint or a role, such as right_hand, right_fist; hand: the nearer one")
    ]
    point: Annotated[tuple[Finite, Finite, Finite] | None, Field(description="Metres: x, y up, z")] = None
    on: Annotated[
        MovingPoint | None, Field(alias="target", description="A joint of another character, instead of a point")
    ] = None
    step: Annotated[int | None, Field(ge=1, description="The step at whose end it hits; the first is 1")] = None
    at: Annotated[Time | None, Field(description="When it hits; a step that is given ends then")] = None
    exact: Annotated[bool, Field(description="Hit it exactly; else the distance is reported")] = True

    def __post_init__(self) -> None:
        if (self.point is None) == (self.on is None):
            raise ValueError("give a point, or a joint of another character with `target`")
        if self.step is None and self.at is None:
            raise ValueError("give the step at whose end it hits, a time with `at`, or both")


@dataclass(frozen=True, config=STRICT)
class Built:
    """What one character does."""

    name: Annotated[str, Field(description="Of the character")] = ""
    start: Start = field(default_factory=Start)
    start_from: Annotated[
        str | None, Field(description="A kept result, or any take, that this motion goes on from")
    ] = None
    steps: Annotated[tuple[Step, ...], Field(description="Extensions, one after another")] = ()
    edits: Annotated[tuple[Edit, ...], Field(description="Changes in the middle, made one after another")] = ()
    hits: Annotated[tuple[Hit, ...], Field(description="Points in space that joints shall hit")] = ()

    def __post_init__(self) -> None:
        late = [hit.step for hit in self.hits if hit.step is not None and hit.step > len(self.steps)]
        if late:
            last = f"the last is step {len(self.steps)}" if self.steps else "there is none"
            raise ValueError(f"a hit at the end of step {late[0]}, but {last}; add a step, or let an earlier one hit")
        aimed = {hit.step for hit in self.hits}
        if any(step.asks_nothing and number not in aimed for number, step in enumerate(self.steps, start=1)):
            raise ValueError("give a pose, a place, a duration, or several of them, or a hit at the end of the step")
        if self.start_from is not None and self.start.pose is not None:
            raise ValueError("give a first pose, or a take to start from, not both")


@dataclass(frozen=True, config=STRICT)
class Request(Built, RequestFile):
    """A sequence that is built up pose by pose; or several, of characters on one floor and clock."""

    example: ClassVar[str] = "steps: [{pose: {label: walk}, place: [0, 2]}]"
    kind: ClassVar[str] = "build-up"

    characters: Annotated[tuple[Built, ...], Field(description="Several, instead of steps for one")] = ()
    takes: Annotated[
        tuple[str, ...] | None, Field(description="Patterns of takes to use; all recordings if left out")
    ] = None
    fps: Annotated[float, Field(ge=LEAST_FPS, le=1000, description="Frames per second of the motion")] = 60.0
    groups: Annotated[
        int | None,
        Field(ge=1, le=MOST_GROUPS, description="Pose groups; as many as the recordings ask for if left out"),
    ] = None
    measure: Annotated[
        Literal["points", "angles"], Field(description="How transitions are found; angles is the paper's")
    ] = "points"
    threshold: Annotated[
        float | None, Field(gt=0, allow_inf_nan=False, description="Largest distance of a transition; the usual one")
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.characters and (self.steps or self.edits or self.hits or self.start_from or self.name):
            raise ValueError("give characters, or the steps of one, not both")
        names = [each.name for each in self.characters]
        if len(set(names)) < len(names) or (len(names) > 1 and "" in names):
            raise ValueError("characters need names, each its own")
        for each in self.characters:
            unknown = [hit.on.character for hit in each.hits if hit.on is not None and hit.on.character not in names]
            if unknown:
                raise ValueError(f"no character '{unknown[0]}'; there are {', '.join(names)}")
        order_of([(each.name, each.hits) for each in self.cast])

    @property
    def cast(self) -> tuple[Built, ...]:
        """The characters, also where there is one."""
        if self.characters:
            return self.characters
        return (Built(self.name, self.start, self.start_from, self.steps, self.edits, self.hits),)

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of the characters, each after those that its hits aim at."""
        return order_of([(each.name, each.hits) for each in self.cast])


def order_of(cast: Sequence[tuple[str, Sequence[Hit]]]) -> tuple[int, ...]:
    """The numbers of characters, of which names and hits are given, each after those that its hits aim at."""
    waits_for = [{hit.on.character for hit in hits if hit.on is not None} for _, hits in cast]
    found = list[int]()
    while len(found) < len(cast):
        done = {cast[number][0] for number in found}
        left = [number for number in range(len(cast)) if number not in found]
        ready = next((number for number in left if waits_for[number] <= done), None)
        if ready is None:
            names = [cast[number][0] for number in left]
            aims = f"{names[0]} aims at itself" if len(names) == 1 else f"{' and '.join(names)} aim at each other"
            raise ValueError(f"{aims}; let one of them hit points that stay")
        found.append(ready)
    return tuple(found)


@dataclass(frozen=True)
class Material:
    """What a model is made of: takes at a rate, how they are connected and grouped."""

    takes: tuple[str, ...] | None = None  # patterns of names; None for all that were recorded
    fps: float = 60.0
    groups: int | None = None  # pose groups; None for as many as the recordings ask for
    measure: str = "points"  # or "angles", the paper's
    threshold: float | None = None  # largest distance of a transition; None for the usual one
    begin: tuple[str, ...] = ()  # takes that motions start from: not searched, unless they are recordings


@dataclass(frozen=True)
class Settings:
    """How build-up works; none of it changes what is asked."""

    growth: GrowthSettings = field(default_factory=GrowthSettings)
    order: str = "groups"  # look for poses first, then for the nearest; "nodes" is the paper's order
    count: int = 5  # ends that are looked at near a place
    settled: float = 0.15  # seconds after its last join at which a way ends at the soonest
    seed: int = 0  # of the pose groups
