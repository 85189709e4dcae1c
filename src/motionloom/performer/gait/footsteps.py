"""Footstep planning: from speed, direction and gait over time to the place and timing of every plant of a foot."""

from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from motionloom.motion.placement import direction_of
from motionloom.performer.stage import Footholds, FootTask, Jump, Leap, Stage, Step, Trip

Request = TypeVar("Request", Leap, Trip)
SIDES = ("left", "right")
ANKLES_BEHIND = 0.03  # metres that the ankles are behind the hips in standing
START_DISTANCE, START_TURN = 0.05, 0.16  # metres, radians: a foot further from where it belongs makes a step
EARLY = 0.07  # part of a stance by which the body is over the foot before the middle: a raised heel lengthens the leg
REACH = 0.51  # metres that the body may be away from a standing foot
SHORTEST_FLIGHT = 0.05  # seconds; less becomes a step without double support
FEET_TURN = 0.75  # part of a turn of hips and shoulders that standing feet follow
WIDE_STAGGER = 0.1  # metres: with one foot further ahead than this, the rear foot steps first
LONG_AGO = -1e3  # seconds


@dataclass(frozen=True)
class Plant:
    """One foot on the floor, from touching down to leaving, and how it got there."""

    side: str
    start: float  # seconds: first touch
    flat_start: float  # seconds: the whole sole is down
    flat_stop: float
    stop: float  # seconds: last touch
    place: np.ndarray  # (2,) metres x, z of the ankle with the sole flat
    heading: float  # radians
    land_pitch: float  # radians; negative: heel first
    off_pitch: float  # radians; positive: toes last
    lift: float = 0.0  # metres, of the swing that led here
    lift_peak: float = 0.45
    swing_rise: float = 0.35
    kick: float = 0.0
    is_step: bool = True  # False for how the feet stood at the beginning
    height: float = 0.0  # metres of the ground under it


@dataclass(frozen=True)
class Path:
    """The planned path of the body, frame by frame."""

    times: np.ndarray  # (F,) seconds
    headings: np.ndarray  # (F,) radians
    ground: np.ndarray  # (F, 2) metres x, z
    velocity: np.ndarray  # (F, 2) metres per second
    channels: dict[str, np.ndarray]  # name -> (F,)

    def frame(self, time: float) -> int:
        return int(np.clip(round(time * self.fps), 0, len(self.times) - 1))

    @property
    def fps(self) -> float:
        return 1.0 / (self.times[1] - self.times[0])

    def read(self, name: str, time: float) -> float:
        return float(self.channels[name][self.frame(time)])


@dataclass
class StepPlan:
    """The footsteps of a take."""

    plants: dict[str, list[Plant]]  # side -> in order of time
    done: list[tuple[Leap | Trip, float, float]] = field(
        default_factory=list
    )  # requests met, with the seconds they took

    def steps(self) -> list[Plant]:
        """All plants that began with a step, in order of touching down."""
        return sorted((p for side in SIDES for p in self.plants[side] if p.is_step), key=lambda p: (p.start, p.side))

    def flights(self) -> list[tuple[float, float]]:
        """The (off, land) seconds in which both feet are in the air."""
        swings = {side: [(a.stop, b.start) for a, b in zip(plants, plants[1:])] for side, plants in self.plants.items()}
        pairs = [(max(a, c), min(b, d)) for a, b in swings["left"] for c, d in swings["right"]]
        return sorted((off, land) for off, land in pairs if land - off > 1e-6)


def lay_path(stage: Stage) -> Path:
    """Follow speed, direction and turn over time from the origin, facing +z at first."""
    channels = stage.channels()
    dt = 1.0 / stage.fps
    headings = np.cumsum(channels["turn"]) * dt
    forward = direction_of(headings)
    left = np.stack([forward[:, 1], -forward[:, 0]], -1)
    velocity = channels["forward"][:, None] * forward + channels["left"][:, None] * left  # (F, 2)
    ground = np.cumsum(velocity, axis=0) * dt
    return Path(stage.times, headings, ground, velocity, channels)


def place_ahead(stage: Stage, time: float, ahead: float, left: float, height: float) -> np.ndarray:
    """A point (3,) metres, world, before and to the left of where the body will be at a time, as known so far."""
    path = lay_path(stage)
    i = path.frame(time)
    forward = direction_of(path.headings[i])
    x, z = path.ground[i] + ahead * forward + left * np.array([forward[1], -forward[0]])
    return np.array([x, height, z])


def plan_footsteps(stage: Stage, path: Path) -> StepPlan:
    """Decide every step of a take."""
    planner = _Planner(stage, path)
    planner.run()
    return planner.finish()


class _Planner:
    """Plans steps in order of time; its state is where each foot stands and since when."""

    def __init__(self, stage: Stage, path: Path) -> None:
        self.stage, self.path = stage, path
        self.plan = StepPlan({side: [] for side in SIDES})
        self.requests = list(stage.requests)
        self.last = "right"
        self.previous_land = LONG_AGO
        self.hurry = 0  # recovery steps left after a trip
        self.footholds: list[tuple[float, np.ndarray]] = [
            (request.after, place)
            for request in stage.requests
            if isinstance(request, Footholds)
            for place in request.places
        ]
        for side in SIDES:
            place, heading = self.ideal(side, 0.0)
            self.put(side, LONG_AGO, place, heading, is_step=False)

    def run(self) -> None:
        now, end = 0.0, self.stage.seconds
        while now < end:
            due = self.due(now)
            if due is not None:
                now = self.meet(due)
            elif not self.is_held(now) and (side := self.restless(now)):
                now = self.go(side, now)
            else:
                now += 1.0 / self.path.fps

    def go(self, side: str, now: float) -> float:
        """Walk or run until both feet are where they belong; the first foot leaves the floor now."""
        off, land = now, now + self.step_seconds(now, side) * (1 - max(self.path.read("overlap", now), 0.1))
        first, leap, leaping = True, None, False
        while True:
            trip = self.take_request(Trip, land)
            if trip:
                land = off + 0.62 * (land - off)
                self.plan.done.append((trip, land, land + 0.34))
            self.lift(side, off, off_pitch=1.1 if leaping else None)
            place, heading = self.landing(side, land, bool(trip))
            self.put(side, land, place, heading, higher=0.08 if leap else 0.0, swing_rise=0.3 if leaping else None)
            self.hurry = 4 if trip else max(self.hurry - 1, 0)
            self.previous_land, self.last = land, side
            side = "left" if side == "right" else "right"
            if (
                land >= self.stage.seconds
                or self.something_waits(land)
                or self.is_held(land)
                or not self.wants(side, land)
            ):
                return land + 0.02
            seconds, overlap = self.step_seconds(land, side), self.path.read("overlap", land)
            off = land + overlap * seconds
            leaping = leap is not None
            if leap:
                off = land - leap.flight
                self.plan.done.append((leap, off, land))
            off = max(min(off, self.reach_until(side)), self.plan.plants[side][-1].start + 0.14)
            off = land if 0 < land - off < SHORTEST_FLIGHT else off
            leap = None if first else self.take_request(Leap, land)
            if leap:
                seconds = 1.1 * seconds * (1 + overlap) + leap.flight  # a longer stance to push off from
            land, first = max(land + seconds, off + 0.15), False

    def landing(self, side: str, land: float, tripped: bool) -> tuple[np.ndarray, float]:
        """The place where a swinging foot lands; a caught foot lands early, the next ones further ahead."""
        place, heading = self.ideal(side, land + self.until_over(land))
        if self.footholds and land >= self.footholds[0][0]:
            return self.footholds.pop(0)[1], heading
        ahead = -0.16 if tripped else 0.05 if self.hurry else 0.0
        return place + ahead * direction_of(heading), heading

    def meet(self, due: Jump | FootTask | Step) -> float:
        if isinstance(due, Jump):
            return self.jump(due)
        return self.step(due) if isinstance(due, Step) else self.use_foot(due)

    def jump(self, jump: Jump) -> float:
        for side in SIDES:
            self.lift(side, jump.off, off_pitch=0.95)
        for side in SIDES:
            place, heading = self.ideal(side, jump.land + 0.15)
            self.put(side, jump.land, place, heading, land_pitch=0.35, flat_after=0.09, kick=0.2)
        self.requests.remove(jump)
        return jump.land + 0.15

    def use_foot(self, task: FootTask) -> float:
        standing = self.plan.plants[task.side][-1]
        self.lift(task.side, task.off, off_pitch=0.3)
        self.put(task.side, task.land, standing.place, standing.heading, land_pitch=0.12, kick=0.0)
        self.requests.remove(task)
        self.previous_land, self.last = task.land, task.side
        return task.land + 0.1

    def step(self, step: Step) -> float:
        standing = self.plan.plants[step.side][-1]
        place, heading = standing.place, standing.heading
        if step.belongs is not None:
            place, heading = self.ideal(step.side, step.belongs)
        along = self.path.headings[self.path.frame(step.land if step.belongs is None else step.belongs)]
        left = np.array([np.cos(along), -np.sin(along)])
        place = place + step.shift[0] * left + step.shift[1] * direction_of(along)
        self.lift(step.side, step.off, off_pitch=step.pitches[0])
        self.put(step.side, step.land, place, heading + step.turn, land_pitch=step.pitches[1], kick=0.0, lift=step.lift)
        self.requests.remove(step)
        self.previous_land, self.last = step.land, step.side
        return step.land + 0.02

    def lift(self, side: str, off: float, off_pitch: float | None = None) -> None:
        """Set when and how the standing foot leaves the floor."""
        standing = self.plan.plants[side].pop()
        pitch = self.path.read("off_pitch", off) if off_pitch is None else off_pitch
        rise = 0.1 + 0.16 * abs(pitch)
        if standing.start > LONG_AGO / 2:
            rise = min(rise, 0.5 * (off - standing.start))
        flat_stop = max(off - rise, standing.flat_start)
        self.plan.plants[side].append(replace(standing, flat_stop=flat_stop, stop=off, off_pitch=pitch))

    def put(
        self,
        side: str,
        land: float,
        place: np.ndarray,
        heading: float,
        *,
        is_step: bool = True,
        land_pitch: float | None = None,
        flat_after: float | None = None,
        kick: float | None = None,
        higher: float = 0.0,
        swing_rise: float | None = None,
        lift: float | None = None,
    ) -> None:
        read, forever = self.path.read, self.stage.seconds + 1e3
        place, height = self.on_ground(place)
        pitch = read("land_pitch", land) if land_pitch is None else land_pitch
        pitch = pitch if is_step else 0.0
        after = min(0.03 + 0.22 * abs(pitch), 0.3 * self.stance_seconds(land)) if flat_after is None else flat_after
        previous = self.plan.plants[side][-1:] or None
        distance = float(np.linalg.norm(place - previous[0].place)) if previous else 0.0
        shortness = min(1.0, 0.45 + distance / 0.8)  # small steps are low and flat
        self.plan.plants[side].append(
            Plant(
                side,
                land,
                land + after,
                forever,
                forever,
                place,
                heading,
                pitch,
                0.0,
                (read("lift", land) * shortness if lift is None else lift) + higher,
                read("lift_peak", land),
                read("swing_rise", land) if swing_rise is None else swing_rise,
                read("kick", land) if kick is None else kick,
                is_step,
                height,
            )
        )

    def on_ground(self, place: np.ndarray) -> tuple[np.ndarray, float]:
        """A place (2,), and the height of the ground there; footholds (3,) bring their own."""
        if len(place) == 3:
            return place[[0, 2]], float(place[1])
        return place, 0.0 if self.stage.ground is None else float(self.stage.ground(place[None])[0])

    def ideal(self, side: str, time: float) -> tuple[np.ndarray, float]:
        """Where a foot belongs if the middle of its stance is at this time: (2,) metres and its heading."""
        i = self.path.frame(time)
        heading, channels = self.path.headings[i], self.path.channels
        sign = 1.0 if side == "left" else -1.0
        left = np.array([np.cos(heading), -np.sin(heading)])
        sideways = abs(float(self.path.velocity[i] @ left))
        half_width = channels["width"][i] / 2 + 0.5 * sideways / channels["cadence"][i]
        ahead = sign * channels["stagger"][i] / 2 - ANKLES_BEHIND
        place = self.path.ground[i] + sign * half_width * left + ahead * direction_of(heading)
        return place, float(heading + sign * channels["toe_out"][i] - FEET_TURN * channels["blade"][i])

    def off_by(self, side: str, time: float) -> float:
        """Distance of a foot from its target, as a multiple of what triggers a step."""
        place, heading = self.ideal(side, time)
        standing = self.plan.plants[side][-1]
        distance = float(np.linalg.norm(place - standing.place)) / START_DISTANCE
        return max(distance, abs(heading - standing.heading) / START_TURN)

    def restless(self, now: float) -> str:
        """The foot that should step now; None if neither."""
        wants = {side: self.off_by(side, now + 0.12) for side in SIDES}
        side = max(wants, key=lambda s: wants[s])
        if wants[side] < 1.0:
            return ""
        if abs(self.path.read("stagger", now - 0.4)) > WIDE_STAGGER:
            return self.hindmost(now)
        if now - self.previous_land < 1.0:
            return "left" if self.last == "right" else "right"
        if abs(wants["left"] - wants["right"]) < 0.2:
            return "left" if self.last == "right" else "right"
        return side

    def hindmost(self, now: float) -> str:
        """The rear foot in the direction of travel, which steps first out of a stance."""
        ahead = self.path.velocity[self.path.frame(now + 0.3)]
        return min(SIDES, key=lambda side: float(self.plan.plants[side][-1].place @ ahead))

    def wants(self, side: str, land: float) -> bool:
        """Whether the next step of a walk is worth making."""
        seconds = self.step_seconds(land, side)
        return self.off_by(side, land + seconds + self.until_over(land + seconds)) > 0.7

    def step_seconds(self, time: float, side: str) -> float:
        over_left = 1.0 if side == "right" else -1.0  # the right foot swings while the left one stands
        limp = self.path.read("limp", time) * over_left
        wobble = 1.0 + 0.015 * float(np.clip(self.stage.rng.standard_normal(), -2, 2))
        seconds = (1.0 - limp) * wobble / self.path.read("cadence", time)
        if self.hurry:
            seconds = min(seconds, 0.34)
        return seconds

    def stance_seconds(self, time: float) -> float:
        return (1.0 + self.path.read("overlap", time)) / self.path.read("cadence", time)

    def until_over(self, time: float) -> float:
        """Seconds from touching down until the body is over the foot; walking backwards is walking in reverse."""
        forwards = np.tanh(self.path.read("forward", time) / 0.3)
        return (0.5 - EARLY * float(forwards)) * self.stance_seconds(time)

    def reach_until(self, side: str) -> float:
        """The time at which the body is out of reach of a standing foot, seconds."""
        standing = self.plan.plants[side][-1]
        first = self.path.frame(max(standing.start, 0.0))
        away = np.linalg.norm(self.path.ground[first : first + 120] - standing.place, axis=-1)
        far = np.flatnonzero((away[1:] > REACH) & (np.diff(away) > 0))
        return (first + int(far[0]) + 1) / self.path.fps if len(far) else np.inf

    def take_request(self, kind: type[Request], time: float) -> Request | None:
        for request in self.requests:
            if isinstance(request, kind) and request.after <= time:
                self.requests.remove(request)
                return request
        return None

    def due(self, now: float) -> Jump | FootTask | Step | None:
        return next((r for r in self.requests if isinstance(r, Jump | FootTask | Step) and now >= r.off - 0.45), None)

    def something_waits(self, now: float) -> bool:
        return any(isinstance(r, Jump | FootTask | Step) and now >= r.off - 0.75 for r in self.requests)

    def is_held(self, now: float) -> bool:
        return any(start <= now < stop for start, stop in self.stage.holds)

    def finish(self) -> StepPlan:
        for side in SIDES:
            self.plan.plants[side] = [p for p in self.plan.plants[side] if p.start < self.stage.seconds + 3.0]
        return self.plan
