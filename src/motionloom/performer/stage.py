"""The stage: requests of the actions of a take to the body: gaits, additions, tasks of hands and feet, steps."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields

import numpy as np

from motionloom.performer import curves


@dataclass(frozen=True)
class Gait:
    """How the body goes or stands; every number blends into that of the next gait."""

    forward: float = 0.0  # metres per second along the facing; negative is backwards
    left: float = 0.0  # metres per second sideways to the left
    turn: float = 0.0  # radians per second of heading
    cadence: float = 1.8  # steps per second
    overlap: float = 0.24  # part of a step with both feet down; negative: part with both feet in the air
    width: float = 0.11  # metres between the feet
    crouch: float = 0.0  # metres that the hips are lowered
    lean: float = 0.03  # radians that the trunk leans forwards
    bounce: float = 1.0  # of the rise and fall in a step, against that of normal walking
    land_pitch: float = 0.0  # radians of the foot at touch-down; negative: toes up, heel first
    off_pitch: float = 0.4  # radians of the foot when it leaves the floor; positive: heel up, toes last
    lift: float = 0.05  # metres that a swinging foot is raised
    lift_peak: float = 0.45  # part of the swing at which it is highest
    swing_rise: float = 0.35  # part of the swing in which the foot gets up to speed
    kick: float = 0.1  # radians by which the foot pitches further after leaving the floor
    arm_swing: float = 0.0  # radians of the upper arms to and fro
    arm_out: float = 0.14  # radians of the arms away from the body
    arm_forward: float = 0.0  # radians of the upper arms forwards, on average
    elbow: float = 0.3  # radians of elbow bend, on average
    elbow_swing: float = 0.0  # radians that the elbow bends more when the arm is in front
    twist: float = 1.0  # of the counter-rotation of hips and shoulders
    sway: float = 0.6  # part of the way from the middle to the standing foot that the hips move sideways
    limp: float = 0.0  # 0 none; positive spares the left leg, negative the right
    idle: float = 1.0  # how much the weight shifts while standing
    toe_out: float = 0.1  # radians that the feet point outwards
    stagger: float = 0.0  # metres that the left foot stands ahead of the right; negative: behind it
    blade: float = 0.0  # radians that hips and shoulders are turned to the right of where the body faces
    set_back: float = 0.0  # metres that the hips are behind the middle of the feet
    fist: float = 0.0  # radians that the fingers are bent more than in a loose hand


GAIT_FIELDS = tuple(f.name for f in fields(Gait))
ADDITIONS = (  # what actions may add to the body for a while; radians or metres
    *(
        "lean",
        "side_bend",
        "twist",
        "look_down",
        "look_side",
        "crouch",
        "shift_forward",
        "shift_left",
        "forward",
        "left",
        "turn",
    ),
    *("left_arm_forward", "left_arm_out", "left_elbow", "right_arm_forward", "right_arm_out", "right_elbow"),
    *("hips_pitch", "hips_yaw", "propped", "left_heel_up", "right_heel_up", "left_toes_up", "right_toes_up"),
    *("left_pivot", "right_pivot"),  # of a standing foot about its ball; its heel has to be up meanwhile
    *("load", "poise"),  # part of the weight, from the right foot to the left; how far balance is kept in steps too
)


@dataclass(frozen=True)
class HandTask:
    """A hand on its way through points, in the world or carried along with the body.

    Points, palm, fingers and elbow are in the frame: "world"; or "body", from the hips, x left, y up, z where the body
    faces; or "chest", from the upper chest and tilting with it.
    """

    side: str  # left or right
    times: tuple[float, ...]  # seconds of each point; the hand eases in before the first and out after the last
    points: np.ndarray  # (K, 3) metres: where the palm is
    frame: str = "world"
    ease_in: float = 0.6  # seconds
    ease_out: float = 0.6
    palm: tuple[float, float, float] = (0.0, -1.0, 0.0)  # where the palm looks
    fingers: tuple[float, float, float] | None = None  # where the fingers point; None: away from the shoulder
    elbow: tuple[float, float, float] = (
        0.5,
        -0.8,
        -0.4,
    )  # where the left elbow points, in the body frame; mirrored for the right
    flowing: bool = False  # go through the points between the first and the last without stopping


Reaction = Callable[["Stage", float, float], None]  # (stage, off, land): what the rest of the body does about a request


@dataclass(frozen=True)
class FootTask:
    """A foot that leaves the floor to go through points, as in a kick, and comes back to where it stood."""

    side: str  # left or right
    off: float  # seconds at which it leaves the floor
    land: float  # seconds at which it is back
    times: tuple[float, ...]  # seconds of each point, between the two
    points: np.ndarray  # (K, 3) metres: where the ankle is; from the hips, x left, y up, z where the body faces
    pitch: float = 0.0  # radians: toes down, at the points
    ankle: float | None = None  # radians that the foot is stretched from the shin, at the points; None: `pitch` holds
    knee: np.ndarray | None = None  # (K, 3) where the knee points to, at each point; None: as in a step
    flowing: bool = False  # go through the points between the first and the last without stopping


@dataclass(frozen=True)
class Step:
    """A single step of one foot to its target, or by a small shift, while the other foot stays."""

    side: str  # left or right
    off: float  # seconds at which it leaves the floor
    land: float  # seconds at which it is down
    belongs: float | None  # seconds: time whose body position gives the target of the foot; None: where it stands
    shift: tuple[float, float] = (0.0, 0.0)  # metres to the left and forwards of there
    turn: float = 0.0  # radians to the left
    lift: float = 0.03  # metres
    pitches: tuple[float, float] = (0.16, 0.1)  # radians that the heel is up when leaving and when landing


@dataclass(frozen=True)
class Footholds:
    """Places that the next steps after a time have to use, such as stones or stairs."""

    after: float  # seconds
    places: np.ndarray  # (K, 3) metres, world, in order


@dataclass(frozen=True)
class Jump:
    """Both feet leave the floor together and land together."""

    off: float  # seconds
    land: float


@dataclass(frozen=True)
class Leap:
    """A running step with a long flight, the first that can be made after a time."""

    after: float  # seconds
    flight: float  # seconds in the air
    react: Reaction | None = None


@dataclass(frozen=True)
class Trip:
    """The first swinging foot after a time is caught; quick steps follow."""

    after: float  # seconds
    react: Reaction | None = None


@dataclass(frozen=True)
class Mark:
    """A label or event of the ground truth, declared by an action in seconds; `truth` converts it to frames."""

    word: str
    start: float
    stop: float
    data: dict = field(default_factory=dict)


@dataclass
class Stage:
    """All requests of the actions of a take."""

    seconds: float
    fps: float
    rng: np.random.Generator
    gaits: list[tuple[float, float, Gait]] = field(default_factory=list)  # (start, seconds to get into it, gait)
    additions: dict[str, np.ndarray] = field(default_factory=dict)  # name -> (F,)
    hands: list[HandTask] = field(default_factory=list)
    requests: list[Jump | Leap | Trip | FootTask | Step | Footholds] = field(default_factory=list)
    ground: Callable[[np.ndarray], np.ndarray] | None = (
        None  # (K, 2) metres x, z -> (K,) metres of height; None is flat
    )
    labels: list[Mark] = field(default_factory=list)
    events: list[Mark] = field(default_factory=list)
    holds: list[tuple[float, float]] = field(default_factory=list)  # seconds during which no foot may step

    def __post_init__(self) -> None:
        self.times = np.arange(round(self.seconds * self.fps)) / self.fps  # (F,) seconds
        self.additions = {name: np.zeros(len(self.times)) for name in ADDITIONS}

    def set_gait(self, time: float, gait: Gait, ease: float = 0.8) -> None:
        """From about this time on, go or stand like this; the change is half done at the time itself."""
        self.gaits.append((time - ease / 2, ease, gait))

    def gait_at(self, time: float) -> Gait:
        """The gait that was set last before a time."""
        before = [gait for start, ease, gait in self.gaits if start + ease / 2 <= time + 1e-9]
        return before[-1] if before else Gait()

    def add(self, name: str, amount: float, start: float, stop: float, rise: float = 0.4, fall: float = 0.4) -> None:
        """Add an amount to a part of the body's posture between two times, with eases inside them."""
        self.additions[name] += amount * curves.pulse(self.times, start, stop, rise, fall)

    def travel(self, name: str, amount: float, start: float, stop: float) -> None:
        """Go metres forwards or left, or turn radians, between two times and by exactly this amount."""
        pace = curves.bump((self.times - start) / (stop - start))
        self.additions[name] += amount * self.fps * pace / max(pace.sum(), 1e-9)

    def label(self, word: str, start: float, stop: float, **data: object) -> None:
        """Declare that a label holds between two times."""
        self.labels.append(Mark(word, start, stop, data))

    def event(self, kind: str, time: float, **data: object) -> None:
        """Declare an event at a time."""
        self.events.append(Mark(kind, time, time, data))

    def channels(self) -> dict[str, np.ndarray]:
        """Every number of the gait over time, name -> (F,), changing smoothly from one gait to the next."""
        steps = sorted(self.gaits, key=lambda entry: entry[0] + entry[1] / 2)
        result = {name: np.full(len(self.times), float(getattr(steps[0][2], name))) for name in GAIT_FIELDS}
        for (_, _, before), (start, seconds, after) in zip(steps, steps[1:]):
            weight = curves.ease((self.times - start) / max(seconds, 1e-3))
            for name in GAIT_FIELDS:
                change = getattr(after, name) - getattr(before, name)
                if change:
                    result[name] += change * weight
        for name in ("forward", "left", "turn", "crouch", "lean"):
            result[name] = result[name] + self.additions[name]
        return result
