"""Flights: ranges of frames in which nothing carries the body, and the acceleration of the centre of mass in them.

Accelerations are per frame, so they determine the frame rate: a body in flight falls with 9.81 m/s².
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionloom.formats.detection.centre_of_mass import centre_of_mass, fit_parabola
from motionloom.motion import Skeleton, find_runs

FEET_CLEAR = 0.05  # metres: minimum height of both feet above their rest heights
BODY_CLEAR = 0.20  # metres: minimum height of hands, knees, hips and head above the floor
MIN_FRAMES = 6  # minimum length to fit a parabola
MAX_RESIDUAL = 0.004  # metres: maximum residual of the centre of mass from its parabola
MAX_SIDEWAYS = 0.25  # of the vertical acceleration: maximum horizontal acceleration in flight
AT_REST = 0.3  # of the speed of the centre of mass: a slower foot or hand carries the body, at any frame rate
MAX_CARRIED = 0.5  # maximum share of a flight in which one seems to
MIN_TRUNK_SHARE = 0.4  # of the acceleration: minimum of the trunk alone, else a limb has an artefact

_FEET = ("left_foot", "left_ball", "right_foot", "right_ball")
_CARRYING = (("left_foot", "left_ball"), ("right_foot", "right_ball"), ("left_hand",), ("right_hand",), ("hips",))
_NOT_ON_FLOOR = ("hips", "head", "left_hand", "right_hand", "left_elbow", "right_elbow", "left_knee", "right_knee")


@dataclass(frozen=True)
class Flight:
    """One flight."""

    start: int  # frames [start, stop)
    stop: int
    fall: float  # metres per frame²: downward acceleration

    @property
    def n_frames(self) -> int:
        return self.stop - self.start


def can_fly(skeleton: Skeleton) -> bool:
    """Whether the skeleton has the joints for detecting flights."""
    sides = ("left", "right")
    return skeleton.has(
        "hips", "head", *(f"{s}_{joint}" for s in sides for joint in ("hip", "knee", "foot", "shoulder"))
    )


def find_flights(skeleton: Skeleton, positions: np.ndarray) -> list[Flight]:
    """Detect flights.

    Args:
        skeleton: one for which `can_fly`.
        positions: (F, J, 3) metres, y up.
    """
    return measure_flights(skeleton, positions, find_runs(_find_airborne(skeleton, positions)))


def measure_flights(skeleton: Skeleton, positions: np.ndarray, stretches: Iterable[tuple[int, int]]) -> list[Flight]:
    """Of ranges [start, stop), those in which the centre of mass follows a parabola.

    Args:
        skeleton: one for which `can_fly`.
        positions: (F, J, 3) metres, y up.
        stretches: ranges in which the feet seem to be in the air.
    """
    long = [(start, stop) for start, stop in stretches if stop - start >= MIN_FRAMES]
    if not long:
        return []
    centre, trunk = centre_of_mass(skeleton, positions)
    flights = []
    for start, stop in long:
        curve, residual = fit_parabola(centre[start:stop])
        trunk_curve, _ = fit_parabola(trunk[start:stop])
        fall, sideways = -curve[1], float(np.hypot(curve[0], curve[2]))
        smooth = residual < MAX_RESIDUAL and sideways < MAX_SIDEWAYS * fall
        free = smooth and -trunk_curve[1] > MIN_TRUNK_SHARE * fall
        if free and _carried_share(skeleton, positions, centre, start, stop) <= MAX_CARRIED:
            flights.append(Flight(start, stop, float(fall)))
    return flights


def _carried_share(skeleton: Skeleton, positions: np.ndarray, centre: np.ndarray, start: int, stop: int) -> float:
    """Share of the frames [start, stop) in which a foot, a hand or the hips rest while the centre of mass moves."""
    around = slice(max(0, start - 1), stop + 1)
    inside = slice(start - around.start, stop - around.start)
    limit = AT_REST * np.linalg.norm(np.gradient(centre[around], axis=0), axis=-1)[inside]
    carried = np.zeros(stop - start, bool)
    for roles in _CARRYING:
        joints = [skeleton.index(role) for role in roles if skeleton.has(role)]
        speeds = np.linalg.norm(np.gradient(positions[around][:, joints], axis=0), axis=-1)[inside]
        carried |= speeds.min(axis=1, initial=np.inf) < limit
    return float(carried.mean())


def _find_airborne(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """(F,) bool: both feet and all other joints are off the floor."""
    feet = [skeleton.index(role) for role in _FEET if skeleton.has(role)]
    heights = positions[:, feet, 1]
    resting = np.percentile(heights, 3, axis=0)  # rest heights of the points of the feet
    floor = resting.min()
    others = [skeleton.index(role) for role in _NOT_ON_FLOOR if skeleton.has(role)]
    feet_off = ((heights - resting) > FEET_CLEAR).all(axis=1)
    return feet_off & ((positions[:, others, 1] - floor) > BODY_CLEAR).all(axis=1)
