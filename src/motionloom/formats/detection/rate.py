"""Detection of wrong frame rates by gravity and gait.

A wrong frame rate is detected and reported, never silently changed, and only if the evidence is strong: bodies that
fall much too fast or too slowly in flights, in which nothing carries them, or walks with an impossible cadence. Slow
motion of a walk is indistinguishable from slow walking.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.formats.detection.flights import Flight, can_fly, find_flights, measure_flights
from motionloom.formats.detection.gait import GRAVITY, Stride, can_stride, find_strides, natural_speed
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, kinematics

FITS = (0.75, 1.3)  # factors of the stated rate within which a flight confirms it
TOO_FAST, TOO_SLOW = 1.55, 0.65  # factors beyond which flights contradict the stated rate
AGREEING = 0.7  # minimum share of flights that agree with their median, within AGREE
AGREE = 1.3
MIN_FRAMES = 8  # minimum length of a motion
MIN_FLIGHT_FRAMES = 10  # minimum total length of the flights that agree
MIN_SLOW_FLIGHTS = 2  # minimum number of complete flights for a rate above the stated one: what carries a body may hide
WALK_TOO_FAST = 1.55  # multiple of the natural speed of strides; hurried people reach 1.3
MIN_WALK_STRIDES = 2
LIKELY_FACTORS = (0.25, 1 / 3, 0.5, 2.0, 3.0, 4.0)  # typical errors: frames dropped or duplicated
LIKELY_WITHIN = 1.3  # factor within which the evidence matches one of them, or a usual rate
USUAL_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 75.0, 90.0, 100.0, 120.0, 150.0, 200.0, 240.0, 250.0, 300.0, 480.0)


@dataclass(frozen=True)
class Evidence:
    """Evidence against the stated frame rate: the likely one, or None, and why."""

    fps: float | None
    reason: str = ""


def check(motion: Motion, options: ReadOptions, stated_fps: float) -> tuple[Finding, ...]:
    """A finding if a frame rate was given, or if the motion contradicts the stated one."""
    if options.fps is not None:
        return (Finding("rate", f"{motion.fps:g} frames per second, as given; the file states {stated_fps:g}"),)
    evidence = weigh(motion)
    if evidence.fps is None:
        return ()
    message = (
        f"the file states {motion.fps:g} frames per second, but {evidence.reason}: "
        f"it was probably recorded at {evidence.fps:g}. If so, read it with fps={evidence.fps:g}, "
        f"or remove it from the corpus and import it again with --fps {evidence.fps:g}"
    )
    return (Finding("rate", message, True),)


def weigh(motion: Motion) -> Evidence:
    """Evaluate the evidence of flights, runs and walks against the frame rate of a motion."""
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
    """Stated over true frame rate, by flight."""
    return np.array([np.sqrt(flight.fall / GRAVITY) * motion.fps for flight in flights])


def _speak_for(motion: Motion, flights: list[Flight]) -> bool:
    """Whether any flight confirms the stated frame rate."""
    factors = _factors(motion, flights)
    return bool(((factors > FITS[0]) & (factors < FITS[1])).any())


def _weigh_flights(motion: Motion, flights: list[Flight], walk: tuple[float, float] | None) -> Evidence:
    factors = _factors(motion, flights)
    factor = float(np.median(factors))
    agreeing = np.abs(np.log(factors / factor)) < np.log(AGREE)
    alike = [flight for flight, agrees in zip(flights, agreeing) if agrees]
    enough = sum(flight.n_frames for flight in alike) >= MIN_FLIGHT_FRAMES
    if factor < TOO_SLOW:
        whole = [flight for flight in alike if flight.start > 0 and flight.stop < motion.n_frames]
        enough = enough and len(whole) >= MIN_SLOW_FLIGHTS
    strange = factor > TOO_FAST or factor < TOO_SLOW
    natural_walk = walk is not None and FITS[0] < walk[0] < FITS[1]
    if not strange or not enough or agreeing.mean() < AGREEING or natural_walk:
        return Evidence(None)
    likely = _likely_rate(motion.fps, motion.fps / factor)
    if likely is None:
        return Evidence(None)
    count = f"{len(factors)} flights" if len(factors) > 1 else "a flight"
    reason = f"in {count} the body falls with {GRAVITY * factor**2:.1f} m/s² instead of {GRAVITY}"
    return Evidence(likely, reason)


def _walk_factor(motion: Motion, strides: list[Stride]) -> tuple[float, float] | None:
    """Speed of walking strides relative to the natural one, and cadence in steps per second; None without walking."""
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
    times = 2.0 if factor < 2.9 else 4.0  # walks vary too much for finer factors
    reason = (
        f"the cadence of walks is {cadence:.1f} steps per second, {factor:.1f} times the natural one for their step "
        "length"
    )
    return Evidence(_likely_rate(motion.fps, motion.fps / times), reason)


def _likely_rate(stated: float, measured: float) -> float | None:
    """The likely frame rate: a simple multiple of the stated one, else a common one near the measured, if any."""
    multiple = min((stated * factor for factor in LIKELY_FACTORS), key=lambda fps: abs(np.log(fps / measured)))
    usual = min(USUAL_RATES, key=lambda fps: abs(np.log(fps / measured)))
    for fps in (multiple, usual):
        if abs(np.log(fps / measured)) < np.log(LIKELY_WITHIN):
            return fps
    return None
