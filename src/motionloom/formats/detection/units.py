"""Detection of the unit of length, from leg length."""

import numpy as np

from motionloom.formats.options import CMU_UNIT, ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, Skeleton

LEG = 0.82  # metres, hip to ankle of an adult
LEG_RANGE = (0.60, 1.06)  # metres; outside it the unit is doubtful
LEG_PART_OF_BODY = 0.55  # of the largest extent of the rest pose, which is height or arm span

UNITS = (
    ("metres", 1.0),
    ("centimetres", 0.01),
    ("millimetres", 0.001),
    ("CMU units of 1/0.45 inch", CMU_UNIT),
    ("inches", 0.0254),
    ("decimetres", 0.1),
    ("feet", 0.3048),
)


def find(motion: Motion, options: ReadOptions, stated: float | None = None) -> tuple[float, tuple[Finding, ...]]:
    """Metres per file unit, and a finding with the reason.

    Args:
        motion: in file units.
        options: a given scale takes precedence.
        stated: metres per unit that the file states; used if it gives a plausible leg length.
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
    if stated is not None and (not measured or LEG_RANGE[0] <= leg * stated <= LEG_RANGE[1]):
        return stated, (Finding("unit", f"1 unit = {stated:.6g} m, as the file states{_legs(leg * stated, measured)}"),)
    name, metres = min(UNITS, key=lambda unit: abs(np.log(leg * unit[1] / LEG)))
    doubtful = not measured or not LEG_RANGE[0] <= leg * metres <= LEG_RANGE[1]
    message = f"units are {name} (1 unit = {metres:.6g} m){_legs(leg * metres, measured)}"
    if doubtful:
        message += "; this is a guess, please check it and give --scale METRES if it is wrong"
    return metres, (Finding("unit", message, doubtful),)


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
    extent = np.ptp(skeleton.rest_positions, axis=0).max() if skeleton.n_joints > 1 else 0.0
    if extent <= 0 and len(skeleton.end_offsets):
        extent = np.abs(skeleton.end_offsets).max()
    return float(extent) * LEG_PART_OF_BODY, False
