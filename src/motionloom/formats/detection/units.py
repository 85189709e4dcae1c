"""Detection of the unit of length, from leg length.

One length cannot tell a child in centimetres from an adult in inches, so each unit is weighed by how common legs of
that length and files in that unit are: children are common, people much taller than others are not.
"""

import numpy as np

from motionloom.formats.options import CMU_UNIT, ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, Skeleton

LEG = 0.82  # metres, hip to ankle of an adult
LEG_RANGE = (0.60, 1.06)  # metres; outside it the unit is doubtful
POSSIBLE_LEG = (0.2, 2.0)  # metres; a stated unit that gives other legs is no unit of length
SHORTER, LONGER = 0.25, 0.15  # by which factor (as exponent) legs are e times less common: children, tall people
CLOSE = 0.6  # two units whose weights differ by less (as exponent) are both likely
CHECK = ", please check it and give --scale METRES if it is wrong"
LEG_PART_OF_BODY = 0.55  # of the largest extent of the rest pose, which is height or arm span

# name, metres, and how uncommon files in it are (as exponent)
UNITS = (
    ("metres", 1.0, 0.0),
    ("centimetres", 0.01, 0.0),
    ("millimetres", 0.001, 0.5),
    ("CMU units of 1/0.45 inch", CMU_UNIT, 0.0),
    ("inches", 0.0254, 1.0),
    ("decimetres", 0.1, 0.2),
    ("feet", 0.3048, 4.0),
)


def find(motion: Motion, options: ReadOptions, stated: float | None = None) -> tuple[float, tuple[Finding, ...]]:
    """Metres per file unit, and a finding with the reason.

    Args:
        motion: in file units.
        options: a given scale takes precedence.
        stated: metres per unit that the file states; used if it gives a possible leg length.
    """
    leg, measured = _leg_length(motion.skeleton)
    given = options.metres_per_unit
    if given is not None:
        return given, (Finding("unit", f"1 unit = {given:.6g} m, as given{_legs(leg * given, measured)}"),)
    if leg <= 0:
        return 1.0, (
            Finding(
                "unit", "the bones have no length, so units are unknown; metres assumed; give --scale if not", True
            ),
        )
    if stated is not None and (not measured or POSSIBLE_LEG[0] <= leg * stated <= POSSIBLE_LEG[1]):
        doubtful = measured and not _is_usual(leg * stated)
        message = f"1 unit = {stated:.6g} m, as the file states{_legs(leg * stated, measured)}"
        return stated, (Finding("unit", message + (CHECK if doubtful else ""), doubtful),)
    return _guess(leg, measured)


def _guess(leg: float, measured: bool) -> tuple[float, tuple[Finding, ...]]:
    """The most likely unit for legs of a length in file units."""
    ranked = sorted((_rarity(leg * metres) + uncommon, name, metres) for name, metres, uncommon in UNITS)
    (best, name, metres), (second, other, _) = ranked[:2]
    message = f"units are {name} (1 unit = {metres:.6g} m){_legs(leg * metres, measured)}"
    is_close = second - best < CLOSE
    if measured and not is_close and _is_usual(leg * metres):
        return metres, (Finding("unit", message),)
    alternative = f", but they may be {other}" if is_close else ""
    return metres, (Finding("unit", f"{message}{alternative}; this is a guess{CHECK}", True),)


def _rarity(leg: float) -> float:
    """How uncommon legs of a length in metres are, as exponent."""
    ratio = float(np.log(leg / LEG))
    return -ratio / SHORTER if ratio < 0 else ratio / LONGER


def _is_usual(leg: float) -> bool:
    return LEG_RANGE[0] <= leg <= LEG_RANGE[1]


def _legs(metres: float, measured: bool) -> str:
    if metres <= 0:
        return ""
    return (
        f": legs of {metres:.2f} m" if measured else f": legs unknown, by the size of the body perhaps {metres:.2f} m"
    )


def _leg_length(skeleton: Skeleton) -> tuple[float, bool]:
    """Leg length in file units, and whether it was measured or estimated from the size of the body."""
    if skeleton.leg_length > 0:
        return skeleton.leg_length, True
    rest, sides = skeleton.rest_positions, [s for s in ("left", "right") if skeleton.has(f"{s}_hip", f"{s}_foot")]
    legs = [np.linalg.norm(rest[skeleton.index(f"{s}_hip")] - rest[skeleton.index(f"{s}_foot")]) for s in sides]
    if legs and max(legs) > 0:  # without knees, as in the rest pose
        return float(np.mean(legs)), True
    extent = np.ptp(skeleton.rest_positions, axis=0).max() if skeleton.n_joints > 1 else 0.0
    if extent <= 0 and len(skeleton.end_offsets):
        extent = np.abs(skeleton.end_offsets).max()
    return float(extent) * LEG_PART_OF_BODY, False
