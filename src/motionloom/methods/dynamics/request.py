"""What can be asked of an optimized motion: poses, points, angles, distances, pictures, contacts, places.

The same of bodies and of points on a head, where a `joint` is a point; what only a body has is refused there.
"""

from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field
from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.assembly.requests.times import Finite, Time

Ground = Annotated[tuple[Finite, Finite], Field(description="Metres along x and z")]
Point = Annotated[tuple[Finite, Finite, Finite], Field(description="Metres: x, y up, z")]
Degrees = Annotated[Finite, Field(description="Degrees: 0 looks along +z, positive turns left")]
Turns = Annotated[tuple[Finite, Finite, Finite], Field(description="Degrees about z, then y, then x (order ZYX)")]
Near = Annotated[Finite, Field(ge=-100, le=100)]
Metres = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Joint = Annotated[
    str, Field(min_length=1, description="A joint or a role, such as right_hand, left_heel, head; or a point")
]
Within = Annotated[float | None, Field(gt=0, le=1000, description="Deviation that is usual; less is stricter")]
Hard = Annotated[bool, Field(description="Met exactly, by a last pass, if it can be")]


@dataclass(frozen=True, config=STRICT)
class Frame:
    """A frame of a take of the corpus."""

    take: Annotated[str, Field(min_length=1, description="A take")]
    frame: Annotated[int, Field(ge=0, description="Its frame, as recorded")] = 0


@dataclass(frozen=True, config=STRICT, kw_only=True)
class When:
    """A time, several, or all from one to another."""

    at: Annotated[Time | tuple[Time, ...] | None, Field(description="A time, or several")] = None
    start: Annotated[Time | None, Field(alias="from", description="All frames from here ...")] = None
    stop: Annotated[Time | None, Field(alias="to", description="... to here")] = None
    name: Annotated[str, Field(description="For the report")] = ""

    def __post_init__(self) -> None:
        if (self.start is None) != (self.stop is None) or (self.at is None) == (self.start is None):
            raise ValueError("give `at` with a time or several, or `from` and `to`")
        if self.at == ():
            raise ValueError("`at` is an empty list of times; give at least one")


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Pose(When):
    """A whole pose, or that of some joints."""

    pose: Annotated[Frame | None, Field(description="A frame of a take")] = None
    file: Annotated[
        str | None, Field(description="A motion file whose first frame is the pose; beside the request")
    ] = None
    joints: Annotated[tuple[Joint, ...] | None, Field(description="These joints alone; all if left out")] = None
    place: Annotated[Ground | None, Field(description="Where the root is, over the ground")] = None
    heading: Annotated[Degrees | None, Field(description="Whither it looks")] = None
    as_recorded: Annotated[bool, Field(description="Place and heading as the take has them")] = False
    hard: Hard = False
    within: Annotated[
        float | None, Field(gt=0, le=180, description="Degrees of deviation that are usual; of points, metres")
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.pose is None) == (self.file is None):
            raise ValueError("give a pose with take and frame, or a file")
        if self.joints == ():
            raise ValueError("`joints` is an empty list, which asks nothing; leave it out for all joints")
        if self.as_recorded and (self.place is not None or self.heading is not None):
            raise ValueError("give a place and a heading, or `as_recorded`, not both")


@dataclass(frozen=True, config=STRICT, kw_only=True)
class PointTarget(When):
    """A point of the body: at a position, moved from where it was, along a path, or as in a recording."""

    joint: Joint
    offset: Annotated[
        tuple[Near, Near, Near] | None,
        Field(description="Metres in the joint's frame: x, y, z; the joint itself if left out"),
    ] = None
    position: Annotated[
        tuple[Finite | None, Finite | None, Finite | None] | None,
        Field(description="Metres: x, y up, z; null where it is free"),
    ] = None
    moved_by: Annotated[Point | None, Field(description="Metres from where it is in the motion that is edited")] = None
    path: Annotated[
        tuple[Point, ...] | None, Field(min_length=2, description="Points passed through in even times")
    ] = None
    like: Annotated[Frame | None, Field(description="As this joint moves in a take, from this frame on")] = None
    hard: Hard = False
    within: Annotated[float | None, Field(gt=0, le=100, description="Metres of deviation that are usual")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(value is not None for value in (self.position, self.moved_by, self.path, self.like)) != 1:
            raise ValueError("give one of position, moved_by, path and like")
        if self.position is not None and all(value is None for value in self.position):
            raise ValueError("a position that is free along all axes asks nothing; give one number at least")
        if self.path is not None and self.start is None:
            raise ValueError("a path needs `from` and `to`")


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Orientation(When):
    """A joint turned some way in the world."""

    joint: Joint
    turns: Annotated[Turns | None, Field(description="Degrees about z, y, x in the world")] = None
    like: Annotated[Frame | None, Field(description="As in a frame of a take")] = None
    hard: Hard = False
    within: Annotated[float | None, Field(gt=0, le=180, description="Degrees of deviation that are usual")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.turns is None) == (self.like is None):
            raise ValueError("give turns, or a frame that it is like")


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Angle(When):
    """A joint turned some way against its parent, or a knee or elbow bent so far."""

    joint: Joint
    turns: Annotated[Turns | None, Field(description="Degrees about z, y, x against the parent")] = None
    bend: Annotated[
        float | None, Field(ge=0, le=180, description="Degrees that a knee or an elbow is bent; 0 is straight")
    ] = None
    hard: Hard = False
    within: Annotated[float | None, Field(gt=0, le=180, description="Degrees of deviation that are usual")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.turns is None) == (self.bend is None):
            raise ValueError("give turns or a bend")


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Distance(When):
    """Two joints so far apart, or a joint from a point in space: always, passing through distances, or as in a take."""

    joint: Joint
    other: Annotated[Joint | None, Field(description="Another joint")] = None
    point: Annotated[Point | None, Field(description="A point in space, instead of another joint")] = None
    metres: Metres | None = None
    path: Annotated[
        tuple[Metres, ...] | None, Field(min_length=2, description="Metres passed through in even times")
    ] = None
    like: Annotated[Frame | None, Field(description="As these joints are apart in a take, from this frame on")] = None
    hard: Hard = False
    within: Annotated[float | None, Field(gt=0, le=100, description="Metres of deviation that are usual")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.other is None) == (self.point is None):
            raise ValueError("give another joint or a point in space")
        if sum(value is not None for value in (self.metres, self.path, self.like)) != 1:
            raise ValueError("give one of metres, path and like")
        if self.path is not None and self.start is None:
            raise ValueError("a path needs `from` and `to`")
        if self.other == self.joint:
            raise ValueError(f"the distance of '{self.joint}' from itself is 0; give another joint, or a point")


@dataclass(frozen=True, config=STRICT)
class Camera:
    """A pinhole camera: where it stands, what it looks at, how wide it sees."""

    position: Point
    look_at: Point
    field_of_view: Annotated[float, Field(gt=1, lt=170, description="Degrees from the top to the bottom")] = 45.0
    size: Annotated[
        tuple[Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]],
        Field(description="Width and height of the picture, pixels"),
    ] = (1920.0, 1080.0)

    def __post_init__(self) -> None:
        if self.position == self.look_at:
            raise ValueError("a camera that looks at its own position sees nothing; give another point")


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Projection(When):
    """A joint seen at a point of a picture."""

    joint: Joint
    camera: Annotated[str, Field(description="The name of a camera")]
    pixel: Annotated[tuple[Finite, Finite], Field(description="From the left and from the top")]
    hard: Hard = False
    within: Annotated[float | None, Field(gt=0, le=1000, description="Pixels of deviation that are usual")] = None


@dataclass(frozen=True, config=STRICT)
class Contact:
    """A foot, heel, ball, hand or any joint rests: where it happens to be, or at a place."""

    joint: Joint
    start: Annotated[Time, Field(alias="from")]
    stop: Annotated[Time, Field(alias="to", description="One frame past the last in which it rests")]
    place: Annotated[Ground | None, Field(description="Metres along x and z; anywhere if left out")] = None
    height: Annotated[float | None, Field(ge=-100, le=100, description="Metres; as it comes if left out")] = None
    hard: Annotated[bool, Field(description="Place and height are met exactly, if they can be")] = False
    within: Annotated[float | None, Field(gt=0, le=100, description="Metres that are usual beside the place")] = None


@dataclass(frozen=True, config=STRICT)
class ContactsLike:
    """Feet rest when they do in a recording."""

    take: Annotated[str, Field(min_length=1)]
    frame: Annotated[int, Field(ge=0, description="Its first frame, as recorded")] = 0
    places: Annotated[bool, Field(description="And where they do")] = False


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Root(When):
    """Where the root is over the ground, how high, and whither it looks."""

    position: Ground | None = None
    heading: Degrees | None = None
    height: Annotated[float | None, Field(ge=-100, le=100, description="Metres above the floor")] = None
    path: Annotated[
        tuple[Ground, ...] | None, Field(min_length=2, description="Places passed through in even times")
    ] = None
    like: Annotated[Frame | None, Field(description="As in a take, from this frame on")] = None
    hard: Hard = False
    within: Annotated[float | None, Field(gt=0, le=100, description="Metres of deviation that are usual")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if all(value is None for value in (self.position, self.heading, self.height, self.path, self.like)):
            raise ValueError("give a position, a heading, a height, a path, or a take that it is like")
        if self.path is not None and (self.position is not None or self.start is None):
            raise ValueError("a path needs `from` and `to`, and no position beside it")


@dataclass(frozen=True, config=STRICT)
class Head:
    """How the head moves that points are on: as in a take, or still."""

    like: Annotated[Frame | None, Field(description="As in a take, from this frame on")] = None
    still: Annotated[Frame | None, Field(description="As in this frame of a take, all the time")] = None
    position: Annotated[Point | None, Field(description="Still, here")] = None
    turns: Annotated[Turns | None, Field(description="Still, turned so: degrees about z, y, x in the world")] = None

    def __post_init__(self) -> None:
        is_placed = self.position is not None or self.turns is not None
        if (self.like is not None) + (self.still is not None) + is_placed != 1:
            raise ValueError("give one of `like`, `still`, and a `position` with `turns`")


@dataclass(frozen=True, config=STRICT)
class Hold:
    """How the rest of a motion that is edited stays as it was."""

    degrees: Annotated[float, Field(gt=0, le=180, description="Usual deviation of every joint")] = 1.0
    root: Annotated[float, Field(gt=0, le=100, description="Metres of usual deviation of the root")] = 0.005
    free: Annotated[
        tuple[Joint, ...] | None, Field(description="Joints that are not held; limbs of targets if left out")
    ] = None


@dataclass(frozen=True, config=STRICT)
class Prior:
    """What motions are likely: what it is learnt from, and how."""

    takes: Annotated[tuple[str, ...] | None, Field(description="Patterns of takes; all recordings if left out")] = None
    labels: Annotated[tuple[str, ...] | None, Field(description="Only where one of these labels holds")] = None
    dimensions: Annotated[int | None, Field(ge=1, le=500, description="d_x; by their variance if left out")] = None
    controls: Annotated[int | None, Field(ge=0, le=500, description="d_u; all directions if left out")] = None
    mirrored: Annotated[
        bool | None, Field(description="Learn from mirrored copies of the takes too; of bodies if left out")
    ] = None
    order: Annotated[
        int | None,
        Field(ge=1, le=8, description="m: frames that the next one follows from; by held-out takes if left out"),
    ] = 3
    mixtures: Annotated[
        int | None, Field(ge=1, le=16, description="Gaussians of the controls; by held-out takes if left out")
    ] = 1
    pull: Annotated[
        Literal["zero", "persistence"] | None,
        Field(
            description="What little data is pulled to; if left out by their number of frames, persistence of points"
        ),
    ] = None
    independent_start: Annotated[bool, Field(description="First frames independent, as in equation 13")] = False


@dataclass(frozen=True, config=STRICT)
class Request(RequestFile):
    """A motion that meets constraints, and is as likely as possible by a model of recordings."""

    example: ClassVar[str] = "poses: [{at: 0s, pose: {take: walk/1}}, {at: 2s, pose: {take: walk/1, frame: 120}}]"

    length: Annotated[Time | None, Field(description="Duration; up to the last time that is asked of if left out")] = (
        None
    )
    start_from: Annotated[str | None, Field(description="A kept result or any take that is edited")] = None
    skeleton: Annotated[
        str | None,
        Field(description="A take on whose skeleton the motion is made; on the reference of the corpus if left out"),
    ] = None
    poses: tuple[Pose, ...] = ()
    points: tuple[PointTarget, ...] = ()
    orientations: tuple[Orientation, ...] = ()
    angles: tuple[Angle, ...] = ()
    distances: tuple[Distance, ...] = ()
    projections: tuple[Projection, ...] = ()
    cameras: Annotated[dict[str, Camera], Field(description="By name")] = field(default_factory=dict)
    contacts: tuple[Contact, ...] = ()
    contacts_like: ContactsLike | None = None
    root: tuple[Root, ...] = ()
    head: Annotated[
        Head | None,
        Field(description="Of points: how their head moves; as in the motion that is edited, or still, if left out"),
    ] = None
    feet: Annotated[
        Literal["found", "given", "free"],
        Field(
            description="Contacts of feet: found in the motion where none are given, only those given, or no planting"
        ),
    ] = "found"
    hold: Hold = field(default_factory=Hold)
    prior: Prior = field(default_factory=Prior)
    method: Annotated[
        Literal["dynamics", "linear", "spline", "trajectory", "subspace"],
        Field(description="The prior, or what stands in its place: interpolation, or smoothness without a model"),
    ] = "dynamics"
    prior_weight: Annotated[float, Field(gt=0, le=1000, description="How much the prior counts beside constraints")] = (
        1.0
    )
    knots: Annotated[
        float, Field(ge=0, le=60, description="Frames of the model between knots of splines; 0 for every frame")
    ] = 0.0
    iterations: Annotated[int, Field(ge=1, le=1000, description="At most")] = 60
    fps: Annotated[float, Field(gt=0, le=1000, description="Frames per second of the motion")] = 60.0

    def __post_init__(self) -> None:
        unknown = [each.camera for each in self.projections if each.camera not in self.cameras]
        if unknown:
            raise ValueError(f"no camera '{unknown[0]}'; there are {', '.join(self.cameras) or 'none'}")

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a YAML file; poses from files are looked for beside it."""
        request = super().read(path)
        folder = Path(path).parent
        poses = (pose if pose.file is None else replace(pose, file=str(folder / pose.file)) for pose in request.poses)
        return replace(request, poses=tuple(poses))


@dataclass(frozen=True)
class Material:
    """What a model is made of: takes that are learnt from, and those that are shown."""

    takes: tuple[str, ...] | None = None  # patterns of names that are learnt from; None for all that were recorded
    fps: float = 60.0
    prior: Prior = field(default_factory=Prior)
    shown: tuple[str, ...] = ()  # takes with key poses, trajectories, or the motion that is edited
    skeleton: str | None = None  # the take on whose skeleton motions are made; None for the reference


@dataclass(frozen=True)
class Settings:
    """How the optimization works; none of it changes what is asked."""

    model_fps: float = 30.0  # frames per second of the model, about: a divisor of the rate of the motion
    settled: float = 1e-6  # relative decrease of the objective at which it ends
    seed: int = 0  # of mixtures
