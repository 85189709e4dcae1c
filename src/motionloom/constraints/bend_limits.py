"""Bend limits: how far a path may be bent before nobody could move so, and targets that are given up beyond.

What people do bounds it. At one pace their steps differ: over 855 recorded steps of eight bodies, in bins of the step
rate, nine in ten are at most 40 % longer than the median, and 95 in a hundred at least half of it. Over a step bodies
turn by up to 180 degrees per second (99 in a hundred). Speeds grow with the square root of the leg's length, as those
of pendulums do: below a tenth of sqrt(g leg) people shuffle, and they sprint at 2.4 of it, 7 m/s with legs of 0.85 m.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.path_deformation import BentPath, PathBendSettings, Pin, average

GRAVITY = 9.81  # metres per second squared
USUAL_LEG = 0.8  # metres, for a body without legs
NEAR = 0.05  # metres to which it is found how near to a target a path can be bent
LEAST_HALVINGS, MOST_HALVINGS = 7, 16  # of the way to a target, while that is looked for
DEGREES = float(np.degrees(1.0))
SPARE = 1.05  # a recording that is beyond a limit itself may come so much farther beyond


@dataclass(frozen=True)
class BendLimits:
    """What a person could do, beside what was recorded."""

    longer: float = 0.4  # of a step
    shorter: float = 0.5
    aside: float = 0.4
    turn_rate: float = np.pi  # radians per second
    slowest: float = 0.1  # sqrt(g leg): below this speed people shuffle, and what is relative to steps is to such ones
    fastest: float = 2.4  # sqrt(g leg)


@dataclass(frozen=True)
class Distortion:
    """The most that bending changes anywhere, averaged over single steps."""

    moved: float  # metres
    longer: float  # of a step
    shorter: float
    aside: float
    turn_rate: float  # radians per second that the body turns, where bending makes it turn faster; else 0
    speed: float  # metres per second, where bending makes it faster; else 0
    load: float  # 1 at the limits; the largest of all
    worst: str = ""  # what is the most beside its limit, in words, with the limit


BendTo = Callable[[Sequence[Pin]], BentPath]
Measure = Callable[[BentPath], Distortion]


def measure_distortion(
    ground: np.ndarray,
    headings: np.ndarray,
    fps: float,
    path: BentPath,
    leg: float,
    limits: BendLimits,
    settings: PathBendSettings,
) -> Distortion:
    """How far a path is bent, beside what a person could do.

    Args:
        ground: (F, 2) metres along x and z, before.
        headings: (F,) radians, unwrapped, before.
        fps: frames per second.
        path: after.
        leg: metres of thigh and shin; 0 for a body without.
        limits: what a person could do.
        settings: that the path was bent with.
    """
    if len(ground) < 2:
        return Distortion(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    gait = settings.gait * fps
    own, speeds = (fps * np.linalg.norm(average(np.diff(line, axis=0), gait), axis=1) for line in (ground, path.ground))
    turned, more = (fps * average(np.diff(angles)[:, None], gait)[:, 0] for angles in (headings, path.turns))
    pace = float(np.sqrt(GRAVITY * (leg or USUAL_LEG)))
    steps = np.maximum(own, limits.slowest * pace)
    along, aside = path.stretch * (own + settings.creep) / steps, path.sidestep * (own + settings.creep) / steps
    rows = (
        _Row("steps {:.0f} % longer", "{:.0f} %", 100, along, limits.longer),
        _Row("steps {:.0f} % shorter", "{:.0f} %", 100, -along, limits.shorter),
        _Row("steps {:.0f} % to the side", "{:.0f} %", 100, np.abs(aside), limits.aside),
        _faster("turns of {:.0f} degrees per second", "{:.0f}", DEGREES, turned, turned + more, limits.turn_rate),
        _faster("a speed of {:.1f} m/s", "{:.1f} m/s", 1.0, own, speeds, limits.fastest * pace),
    )
    worst = max(rows, key=lambda row: row.load)
    moved = float(np.linalg.norm(path.ground - ground, axis=1).max())
    longer, shorter, to_the_side, turn_rate, speed = (row.most for row in rows)
    return Distortion(moved, longer, shorter, to_the_side, turn_rate, speed, worst.load, worst.describe())


def pins_within(pins: Sequence[Pin], ground: np.ndarray, bend_to: BendTo, measure: Measure) -> list[Pin]:
    """Of pins that are too much together: each moved towards where the path is without it, as far as limits want it.

    One after another in time, each as far as those before it leave room: a place that nobody could reach takes nothing
    from those before it. Those of the first frame stay, because they place the whole and bend nothing.

    Args:
        pins: wanted.
        ground: (F, 2) metres, of the path before.
        bend_to: bends the path to pins.
        measure: of a bent path.
    """
    kept = {number: pin for number, pin in enumerate(pins) if pin.frame == 0}
    for frame in sorted({pin.frame for pin in pins} - {0}):
        before = bend_to([*kept.values()]) if kept else None
        here = ground[frame] if before is None else before.ground[frame]
        turn = 0.0 if before is None else float(before.turns[frame])
        wanted = {number: pin for number, pin in enumerate(pins) if pin.frame == frame}
        share = 0.0
        for step in 0.5 ** np.arange(_halvings(wanted.values(), here) + 1):  # the whole first, then halves of it
            more = share + step
            if more <= 1:
                tried = {number: _part(pin, here, turn, more) for number, pin in wanted.items()}
                share = more if measure(bend_to([*kept.values(), *tried.values()])).load <= 1 else share
        kept |= {number: _part(pin, here, turn, share) for number, pin in wanted.items()}
    return [kept[number] for number in range(len(pins))]


def _halvings(pins: Iterable[Pin], here: np.ndarray) -> int:
    far = max((float(np.linalg.norm(pin.position - here)) for pin in pins if pin.position is not None), default=0.0)
    return int(np.clip(np.ceil(np.log2(max(far, NEAR) / NEAR)), LEAST_HALVINGS, MOST_HALVINGS))


def _part(pin: Pin, here: np.ndarray, turn: float, share: float) -> Pin:
    """A pin some of the way from where the path is to where it is wanted."""
    position = None if pin.position is None else here + share * (pin.position - here)
    return replace(pin, position=position, turn=None if pin.turn is None else turn + share * (pin.turn - turn))


@dataclass(frozen=True, eq=False)
class _Row:
    """One kind of distortion over time, and its limit."""

    words: str
    bound_words: str
    unit: float  # of what is written
    values: np.ndarray  # (F - 1,)
    limit: float
    allowed: np.ndarray | None = None  # (F - 1,) where it differs from the limit

    @property
    def most(self) -> float:
        return float(self.values.max(initial=0.0))

    @property
    def load(self) -> float:
        return float((self.values / (self.limit if self.allowed is None else self.allowed)).max(initial=0.0))

    def describe(self) -> str:
        return f"{self.words.format(self.unit * self.most)}; limit {self.bound_words.format(self.unit * self.limit)}"


def _faster(words: str, bound: str, unit: float, own: np.ndarray, bent: np.ndarray, limit: float) -> _Row:
    """A rate that bending raises; what was recorded faster than the limit may stay so."""
    own, bent = np.abs(own), np.abs(bent)
    return _Row(words, bound, unit, np.where(bent > own, bent, 0.0), limit, np.maximum(limit, SPARE * own))
