"""The rhythm of the steps: stride, support and surge of the body over time."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion.placement import direction_of
from motionloom.performer import curves
from motionloom.performer.gait.footsteps import Path, Plant, StepPlan
from motionloom.performer.noise import smooth_noise
from motionloom.performer.stage import Stage

SOON = 1.3  # seconds: steps closer than this belong to one walk
LOW, HIGH = 0.12, 0.62  # parts of a walking step after which the body is lowest and fastest, highest and slowest
OVER, QUICK = 0.45, 0.26  # seconds in which the weight goes over to a foot; in small steps with one foot ahead
SURGE = 0.12  # of the speed, by which it changes within a step


@dataclass(frozen=True)
class Rhythm:
    """The effect of steps on the body, over time."""

    stride: np.ndarray  # (F,) metres that the left foot is ahead of the right when it lands, minus the opposite, smooth
    support: np.ndarray  # (F,) 1 on the left foot, 0 on the right, 0.5 on both
    surge: np.ndarray  # (F,) metres that the body is ahead of an even pace
    flights: list[tuple[float, float]]  # (off, land) seconds in which no foot is down


def find_rhythm(stage: Stage, path: Path, plan: StepPlan) -> Rhythm:
    """Read the beat of the steps from the footsteps."""
    return Rhythm(_stride(path, plan), _support(stage, path, plan), _surge(path, plan), plan.flights())


def walking_steps(plan: StepPlan) -> list[tuple[Plant, Plant]]:
    """Pairs of footsteps that follow each other in a walk, with no flight near them."""
    steps, flights = plan.steps(), plan.flights()

    def near_flight(a: Plant, b: Plant) -> bool:
        return any(off < b.start + 0.2 and land > a.start - 0.2 for off, land in flights)

    return [(a, b) for a, b in zip(steps, steps[1:]) if 0.1 < b.start - a.start < SOON and not near_flight(a, b)]


def _stride(path: Path, plan: StepPlan) -> np.ndarray:
    steps = plan.steps()
    knots = [(-1.0, 0.0, 0.0, 0.0)]
    places = {side: plants[0].place for side, plants in plan.plants.items()}
    last = -10.0
    for k, step in enumerate(steps):
        off = step.start - 0.35
        if off - last > 0.7:
            knots.append((off - 0.1, 0.0, 0.0, 0.0))
        places[step.side] = step.place
        forward = direction_of(path.headings[path.frame(step.start)])
        knots.append((step.start + 0.02, float((places["left"] - places["right"]) @ forward), 0.0, 0.0))
        last = step.start
        if k + 1 == len(steps) or steps[k + 1].start - step.start > SOON:
            knots.append((step.start + 0.6, 0.0, 0.0, 0.0))
            last = step.start + 0.6
    return curves.blur(curves.through_knots(path.times, knots), 0.04, path.fps)


def _support(stage: Stage, path: Path, plan: StepPlan) -> np.ndarray:
    points: list[tuple[float, float]] = [(-2.0, 0.5)]
    over = OVER
    swings = [(a.stop, b.start, b.side) for plants in plan.plants.values() for a, b in zip(plants, plants[1:])]
    for off, land, side in sorted(swings):
        other_jumps = any(s != side and abs(o - off) < 1e-6 for o, _, s in swings)
        value = 0.5 if other_jumps else 0.0 if side == "left" else 1.0
        before, over = over, QUICK if _is_quick(path, off, land) else OVER
        if off - points[-1][0] > before + over:
            points += [(points[-1][0] + before, 0.5), (off - over, 0.5)]
        start, stop = (off, land) if land - off > 0.04 else (off, off + 0.04)
        start = max(start, points[-1][0] + 1e-3)
        points += [(start, value), (max(stop, start + 1e-3), value)]
    points.append((points[-1][0] + over, 0.5))
    times, values = np.array(points).T
    still = curves.blur((np.interp(path.times, times, np.abs(values - 0.5)) < 0.02).astype(float), 0.25, path.fps)
    wander = 0.16 * smooth_noise(stage.rng, len(path.times), path.fps, 3.5) * path.channels["idle"]
    wander = np.clip(wander, -0.34, 0.34) * still**2
    support = np.interp(path.times, times, values) + wander
    return support + 4 * support * (1 - support) * stage.additions["load"]


def _is_quick(path: Path, off: float, land: float) -> bool:
    """Whether a foot in the air between two times makes a small step that keeps one foot ahead of the other."""
    return land - off < 0.5 and abs(path.read("stagger", off)) > 0.1


def _surge(path: Path, plan: StepPlan) -> np.ndarray:
    knots = [(-1.0, 0.0, 0.0, 0.0)]
    for a, b in walking_steps(plan):
        seconds = b.start - a.start
        change = SURGE * float(np.linalg.norm(path.velocity[path.frame(a.start)])) * min(seconds / 0.4, 1.0)
        if a.start - 0.4 > knots[-1][0]:
            knots += [(knots[-1][0] + 0.2, 0.0, 0.0, 0.0), (a.start - 0.2, 0.0, 0.0, 0.0)]
        knots += [(a.start + LOW * seconds, 0.0, change, 0.0), (a.start + HIGH * seconds, 0.0, -change, 0.0)]
    knots.append((knots[-1][0] + 0.4, 0.0, 0.0, 0.0))
    return curves.through_knots(path.times, knots)
