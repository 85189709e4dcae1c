"""Whether a take was recorded at the rate it states: gravity and gait do not lie.

A wrong rate is told, never silently changed, and only where the evidence is strong: bodies that fall much too fast or
too slowly in flights, or walks with steps that nobody makes that fast. Slow motion of a walk is like walking slowly.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.formats.detection.flights import Flight, can_fly, find_flights, measure_flights
from motionloom.formats.detection.gait import GRAVITY, Stride, can_stride, find_strides, natural_speed
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, kinematics

FITS = (0.75, 1.3)  # a flight whose rate is within these factors of the stated one speaks for it
TOO_FAST, TOO_SLOW = 1.55, 0.65  # factors from which flights speak against the stated rate
AGREEING = 0.7  # part of the flights that have to agree with their median, within AGREE
AGREE = 1.3
MIN_FRAMES = 8  # a shorter motion says nothing
MIN_FLIGHT_FRAMES = 10  # flights that agree have to be this long together
WALK_TOO_FAST = 1.55  # times the natural speed for such strides; hurried people reach 1.3
MIN_WALK_STRIDES = 2
LIKELY_FACTORS = (0.25, 1 / 3, 0.5, 2.0, 3.0, 4.0)  # rates go wrong when frames are left out or doubled
LIKELY_WITHIN = 1.3  # factor by which the evidence may miss one of them
USUAL_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 75.0, 90.0, 100.0, 120.0, 150.0, 200.0, 240.0, 250.0, 300.0, 480.0)


@dataclass(frozen=True)
class Evidence:
    """What a motion says about its rate: the likely one, or None, and why."""

    fps: float | None
    reason: str = ""


def check(motion: Motion, options: ReadOptions, stated_fps: float) -> tuple[Finding, ...]:
    """Tell where a rate was given, or where the motion speaks against the stated one."""
    if options.fps is not None:
        return (Finding("rate", f"{motion.fps:g} frames per second, as given; the file says {stated_fps:g}"),)
    evidence = weigh(motion)
    if evidence.fps is None:
        return ()
    message = (
        f"the file says {motion.fps:g} frames per second, but {evidence.reason}: "
        f"it was probably recorded at {evidence.fps:g}. If so, read it with fps={evidence.fps:g}, "
        f"or remove it from the corpus and import it again with --fps {evidence.fps:g}"
    )
    return (Finding("rate", message, True),)


def weigh(motion: Motion) -> Evidence:
    """Weigh what flights, runs and walks of a motion say against its rate."""
    if not can_fly(motion.skeleton) or motion.n_frames < MIN_FRAMES:
        return Evidence(None)
    positions = kinematics.world_positions(motion)
    flights = find_flights(motion.skeleton, positions)
    if _speak_for(motion, flights):
        return Evidence(None)
    strides = find_strides(motion.skeleton, positions) if can_stride(motion.skeleton) else []
    in_runs = sorted({stretch for stride in strides if stride.is_run for stretch in stride.flights})
    flights += measure_flights(motion.skeleton, positions, in_runs)
    walk = _walk_factor(motion, strides)
    if _speak_for(motion, flights):
        return Evidence(None)
    return _weigh_flights(motion, flights, walk) if flights else _weigh_walk(motion, walk)


def _factors(motion: Motion, flights: list[Flight]) -> np.ndarray:
    """Stated over true rate, as each flight tells it."""
    return np.array([np.sqrt(flight.fall / GRAVITY) * motion.fps for flight in flights])


def _speak_for(motion: Motion, flights: list[Flight]) -> bool:
    """Whether any flight falls as it should at the stated rate."""
    factors = _factors(motion, flights)
    return bool(((factors > FITS[0]) & (factors < FITS[1])).any())


def _weigh_flights(motion: Motion, flights: list[Flight], walk: tuple[float, float] | None) -> Evidence:
    factors = _factors(motion, flights)
    factor = float(np.median(factors))
    agreeing = np.abs(np.log(factors / factor)) < np.log(AGREE)
    enough = sum(flight.n_frames for flight, agrees in zip(flights, agreeing) if agrees) >= MIN_FLIGHT_FRAMES
    strange = factor > TOO_FAST or factor < TOO_SLOW
    natural_walk = walk is not None and FITS[0] < walk[0] < FITS[1]
    if not strange or not enough or agreeing.mean() < AGREEING or natural_walk:
        return Evidence(None)
    count = f"{len(factors)} flights" if len(factors) > 1 else "a flight"
    reason = f"in {count} the body falls with {GRAVITY * factor**2:.1f} m/s² instead of {GRAVITY}"
    return Evidence(_likely_rate(motion.fps, motion.fps / factor), reason)


def _walk_factor(motion: Motion, strides: list[Stride]) -> tuple[float, float] | None:
    """How many times too fast walking strides are for their length, and steps per second; None where nobody walks."""
    walks = [stride for stride in strides if stride.is_walk]
    if len(walks) < MIN_WALK_STRIDES:
        return None
    leg = motion.skeleton.leg_length
    factors = [s.length * motion.fps / s.n_frames / natural_speed(s.length, leg) for s in walks]
    return float(np.median(factors)), float(np.median([2 * motion.fps / s.n_frames for s in walks]))


def _weigh_walk(motion: Motion, walk: tuple[float, float] | None) -> Evidence:
    if walk is None or walk[0] < WALK_TOO_FAST:
        return Evidence(None)
    factor, cadence = walk
    times = 2.0 if factor < 2.9 else 4.0  # walks are too different for finer steps
    reason = (
        f"people walk with {cadence:.1f} steps per second, {factor:.1f} times as fast as steps of that length are made"
    )
    return Evidence(_likely_rate(motion.fps, motion.fps / times), reason)


def _likely_rate(stated: float, measured: float) -> float:
    """The rate that was probably meant: a simple multiple of the stated one, else a usual one near the measured."""
    multiple = min((stated * factor for factor in LIKELY_FACTORS), key=lambda fps: abs(np.log(fps / measured)))
    if abs(np.log(multiple / measured)) < np.log(LIKELY_WITHIN):
        return multiple
    return min(USUAL_RATES, key=lambda fps: abs(np.log(fps / measured)))
