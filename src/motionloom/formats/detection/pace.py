"""Pace: the unit of length that a body's falling and striding speak for.

Gravity and legs set the pace of bodies: in flights they fall with 9.81 m/s², and the longer the legs, the longer a
stride takes (Alexander's relation, which holds for walking and running, for children and giants). So each of them tells
metres per file unit without regard to how large bodies usually are. Flights are exact; people hardly stride faster
than is natural for the length of their strides, but much slower when they sneak or dawdle.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.formats.detection.flights import Flight, can_fly, find_flights
from motionloom.formats.detection.gait import GRAVITY, HIP_HEIGHT, Stride, can_stride, find_strides, natural_froude
from motionloom.motion import Motion, kinematics

LEG = 0.6  # metres, to which bodies are scaled to find flights and strides, so that those of all sizes are found alike
MIN_FRAMES = 8  # minimum length of a motion
MIN_FLIGHT_FRAMES = 8  # minimum total length of the flights that agree
MIN_STRIDES = 2
AGREE = 1.3  # factor of pace within which flights agree with their median
AGREEING = 0.7  # minimum share of flights that do
USUAL = 0.93  # usual multiple of the natural pace of strides
FLIGHT_SPREAD = 0.12  # by which factor (as exponent) the pace of flights varies
FASTER, SLOWER = 0.15, 0.35  # the same of strides
MOST_BY_FLIGHTS, MOST_BY_STRIDES = 6.0, 4.0  # how unlikely (as exponent) they can make a unit
WRONG_RATE = 3.0  # how uncommon files are whose frame rate is wrong by one of these factors
RATE_FACTORS = (0.25, 0.5, 2.0, 4.0)
FITS = 1.25  # factor of pace within which a unit fits


@dataclass(frozen=True)
class Pace:
    """Metres per file unit by flights and by strides; None where there are none."""

    by_flights: float | None = None
    by_strides: float | None = None

    def rarity(self, metres_per_unit: float) -> float:
        """How uncommon the pace is if a file has a unit, as exponent; its frame rate may be wrong."""
        at_other_rates = min(self._rarity(metres_per_unit, factor) for factor in RATE_FACTORS)
        return min(self._rarity(metres_per_unit, 1.0), WRONG_RATE + at_other_rates)

    def _rarity(self, metres_per_unit: float, rate_factor: float) -> float:
        rarity = 0.0
        if self.by_flights is not None:
            off = rate_factor * _factor(metres_per_unit, self.by_flights)
            rarity += min((np.log(off) / FLIGHT_SPREAD) ** 2 / 2, MOST_BY_FLIGHTS)
        if self.by_strides is not None:
            off = rate_factor * _factor(metres_per_unit, self.by_strides)
            rarity += min((np.log(off) / (FASTER if off > 1 else SLOWER)) ** 2 / 2, MOST_BY_STRIDES)
        return float(rarity)

    def fits(self, metres_per_unit: float) -> bool:
        """Whether both flights and strides, where there are any, are at the pace of a body in this unit."""
        known = [unit for unit in (self.by_flights, self.by_strides) if unit is not None]
        return all(1 / FITS < _factor(metres_per_unit, unit) < FITS for unit in known)

    def contradicts(self, metres_per_unit: float) -> bool:
        """Whether the body falls too fast or too slowly in this unit, or strides too fast."""
        falls = 1.0 if self.by_flights is None else _factor(metres_per_unit, self.by_flights)
        strides = 1.0 if self.by_strides is None else _factor(metres_per_unit, self.by_strides)
        return not 1 / FITS < falls < FITS or strides > FITS

    def describe(self, metres_per_unit: float) -> str:
        """The pace if a file has a unit, in words."""
        words = []
        if self.by_flights is not None:
            fall = GRAVITY * metres_per_unit / self.by_flights
            words.append(f"the body would fall with {fall:.1f} m/s² instead of {GRAVITY}")
        if self.by_strides is not None:
            factor = USUAL * _factor(metres_per_unit, self.by_strides)
            words.append(f"its strides would be at {factor:.1f} times the pace that is natural for them")
        return " and ".join(words)


def measure(motion: Motion) -> Pace:
    """Measure the pace of a motion in file units, with y up."""
    skeleton, leg = motion.skeleton, motion.skeleton.leg_length
    if motion.n_frames < MIN_FRAMES or not can_stride(skeleton):
        return Pace()
    scale = LEG / leg
    skeleton, positions = skeleton.scaled(scale), kinematics.world_positions(motion) * scale
    flights = find_flights(skeleton, positions) if can_fly(skeleton) else []
    by_flights = _unit_by_flights(flights, motion.fps)
    by_strides = _unit_by_strides(find_strides(skeleton, positions), motion.fps)
    return Pace(*(None if unit is None else unit * scale for unit in (by_flights, by_strides)))


def _factor(metres_per_unit: float, measured: float) -> float:
    """Multiple of the measured pace: speeds grow with the square root of lengths."""
    return float(np.sqrt(metres_per_unit / measured))


def _unit_by_flights(flights: list[Flight], fps: float) -> float | None:
    """Metres per unit of flights in this unit."""
    if not flights:
        return None
    found = np.array([GRAVITY / (flight.fall * fps**2) for flight in flights])
    unit = float(np.median(found))
    agrees = np.abs(np.log(found / unit)) < 2 * np.log(AGREE)
    n_frames = sum(flight.n_frames for flight, is_alike in zip(flights, agrees) if is_alike)
    return unit if n_frames >= MIN_FLIGHT_FRAMES and agrees.mean() >= AGREEING else None


def _unit_by_strides(strides: list[Stride], fps: float) -> float | None:
    """Metres per unit of strides of legs of `LEG` units."""
    if len(strides) < MIN_STRIDES:
        return None
    hip_height, speeds = HIP_HEIGHT * LEG, np.array([stride.length * fps / stride.n_frames for stride in strides])
    froude = np.array([natural_froude(stride.length / hip_height) for stride in strides])
    return float(np.median(USUAL**2 * froude * GRAVITY * hip_height / speeds**2))
