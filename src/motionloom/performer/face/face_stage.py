"""The stage of a face: what the expressions of a take ask of its units, its lids and its head."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from motionloom.errors import BadInput
from motionloom.performer import curves
from motionloom.performer.face.actors import Actor
from motionloom.performer.face.markers import SIDES
from motionloom.performer.face.units import CENTRAL, SIDED, UNITS
from motionloom.performer.stage import Mark

Course = Callable[[np.ndarray], np.ndarray]  # times (F,) in seconds -> activations (F,)
LAG, UNLIKE = 0.02, 0.08  # seconds that one side is late, and part by which it is weaker, as standard deviations
HEAD = ("pitch", "yaw", "roll", "left", "up", "forward")  # radians about x, y and z; metres
SHOWN = 0.1  # part of an expression from which on its label holds


@dataclass
class FaceStage:
    """All requests of the expressions of a take."""

    seconds: float
    fps: float
    rng: np.random.Generator
    actor: Actor
    units: dict[str, np.ndarray] = field(default_factory=dict)  # name -> (F,) activation
    head: dict[str, np.ndarray] = field(default_factory=dict)  # name of HEAD -> (F,)
    levels: dict[str, np.ndarray] = field(default_factory=dict)  # word -> (F,) how far an expression is shown, 0 to 1
    labels: list[Mark] = field(default_factory=list)
    events: list[Mark] = field(default_factory=list)
    asleep: list[tuple[float, float]] = field(default_factory=list)  # seconds during which nobody blinks

    def __post_init__(self) -> None:
        self.times = np.arange(round(self.seconds * self.fps)) / self.fps  # (F,) seconds
        self.units = {name: np.zeros(len(self.times)) for name in UNITS}
        self.head = {name: np.zeros(len(self.times)) for name in HEAD}
        self.blink_rate = np.full(len(self.times), self.actor.blinks)  # per minute

    def activate(self, unit: str, course: Course, amount: float = 1.0) -> None:
        """Activate a unit over time; both halves of a sided one, as unlike as the actor's halves are."""
        if unit in SIDED:
            lean, late = self.rng.normal(0.0, (UNLIKE, LAG)) * self.actor.asymmetry
            for side, sign in zip(SIDES, (1.0, -1.0)):
                values = course(self.times - max(-sign * late, 0.0))
                self.units[f"{side}_{unit}"] += amount * (1.0 + sign * np.clip(lean, -0.3, 0.3)) * values
        elif unit in self.units:
            self.units[unit] += amount * course(self.times)
        else:
            raise BadInput(
                f"no unit '{unit}'; the units are {', '.join([*SIDED, *CENTRAL])}, or one half of a sided one"
            )

    def hold(self, unit: str, amount: float, start: float, stop: float, rise: float = 0.4, fall: float = 0.6) -> None:
        """Activate a unit between two times, with eases inside them."""
        self.activate(unit, lambda times: curves.pulse(times, start, stop, rise, fall), amount)

    def turn_head(self, axis: str, amount: float, start: float, stop: float, rise: float, fall: float) -> None:
        """Turn the head, in radians, or move it, in metres, between two times, with eases inside them."""
        self.head[axis] += amount * curves.pulse(self.times, start, stop, rise, fall)

    def show(self, word: str, level: np.ndarray) -> None:
        """Declare how far (F,) an expression is shown; its label holds while that is more than `SHOWN`."""
        self.levels[word] = np.maximum(self.levels.get(word, np.zeros(len(self.times))), level)

    def label(self, word: str, start: float, stop: float, **data: object) -> None:
        """Declare that a label holds between two times."""
        self.labels.append(Mark(word, start, stop, data))

    def event(self, kind: str, time: float, **data: object) -> None:
        """Declare an event at a time."""
        self.events.append(Mark(kind, time, time, data))
