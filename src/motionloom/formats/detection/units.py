"""Detection of the unit of length, from leg length, and from pace where that leaves several units open.

One length cannot tell a child in centimetres from an adult in inches, so each unit is weighed by how common legs of
that length and files in that unit are: children are common, people much taller than others are not. Where units are
nearly as likely as the best, how the body falls and strides decides between them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.formats.detection import pace, rest_frame, up_axis
from motionloom.formats.options import CMU_UNIT, ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import Motion, Skeleton, cut, rest_pose

LEG = 0.82  # metres, hip to ankle of an adult
LEG_RANGE = (0.60, 1.06)  # metres; outside it the unit is doubtful
POSSIBLE_LEG = (0.2, 2.0)  # metres; a stated unit that gives other legs is no unit of length
SHORTER, LONGER = 0.25, 0.15  # by which factor (as exponent) legs are e times less common: children, tall people
CLOSE = 0.6  # two units whose weights differ by less (as exponent) are both likely
DOUBTFUL = 3.0  # so are two that differ by less, if legs are uncommon in the first:
UNCOMMON = 1.1  # e to this times less common than others
OPEN = 3.2  # pace may decide between units whose weights differ by less
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


def find(
    motion: Motion,
    options: ReadOptions,
    stated: float | None = None,
    find_up: Callable[[float], tuple[str, tuple[Finding, ...]]] | None = None,
) -> tuple[float, tuple[Finding, ...]]:
    """Metres per file unit, and a finding with the reason.

    Args:
        motion: in file units.
        options: a given scale takes precedence.
        stated: metres per unit that the file states; used if it gives a possible leg length.
        find_up: from metres per unit to the up axis, which may be needed before the unit is known; None to find it.
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
    by_size = _rank(leg)
    is_open = measured and by_size[1].rarity - by_size[0].rarity < OPEN
    moved = pace.Pace()
    if is_open:
        likeliest = by_size[0].metres
        up, _ = find_up(likeliest) if find_up is not None else up_axis.find(scale(motion, likeliest), options)
        moved = _measure_pace(motion, options, up)
    return _decide(leg, measured, by_size, moved)


def scale(motion: Motion, factor: float) -> Motion:
    """The motion with skeleton and root positions scaled by a factor."""
    return replace(motion, skeleton=motion.skeleton.scaled(factor), root_positions=motion.root_positions * factor)


@dataclass(frozen=True)
class _Unit:
    """A unit that a file may have."""

    rarity: float  # how unlikely it is, as exponent
    name: str
    metres: float


def _rank(leg: float) -> list[_Unit]:
    """All units, the most likely for legs of a length in file units first."""
    units = [_Unit(_rarity(leg * metres) + uncommon, name, metres) for name, metres, uncommon in UNITS]
    return sorted(units, key=lambda unit: (unit.rarity, unit.name))


def _measure_pace(motion: Motion, options: ReadOptions, up: str) -> pace.Pace:
    """The pace of a motion in file units and axes, without its rest frame."""
    upright = rest_pose.turn_world(motion, up_axis.turn_to_y(up)) if up != "y" else motion
    return pace.measure(cut(upright, int(rest_frame.find(upright, options)[0]), motion.n_frames))


def _decide(leg: float, measured: bool, by_size: list[_Unit], moved: pace.Pace) -> tuple[float, tuple[Finding, ...]]:
    """The most likely unit by size and pace, and a finding."""
    likeliest = by_size[0]
    is_open = [unit for unit in by_size if unit.rarity - likeliest.rarity < OPEN]
    ranked = sorted(
        (replace(unit, rarity=unit.rarity + moved.rarity(unit.metres)) for unit in is_open),
        key=lambda unit: unit.rarity,
    )
    best = ranked[0] if moved.contradicts(likeliest.metres) and moved.fits(ranked[0].metres) else likeliest
    message = f"units are {best.name} (1 unit = {best.metres:.6g} m){_legs(leg * best.metres, measured)}"
    if best.name != likeliest.name:
        doubt = f"by the size of the body alone they are {likeliest.name}, but then {moved.describe(likeliest.metres)}"
        return best.metres, (Finding("unit", f"{message}; {doubt}{CHECK}", True),)
    other = _alternative(leg, by_size, ranked, moved)
    if measured and other is None and _is_usual(leg * likeliest.metres):
        return likeliest.metres, (Finding("unit", message),)
    alternative = f", but they may be {other.name}" if other is not None else ""
    return likeliest.metres, (Finding("unit", f"{message}{alternative}; this is a guess{CHECK}", True),)


def _alternative(leg: float, by_size: list[_Unit], ranked: list[_Unit], moved: pace.Pace) -> _Unit | None:
    """Another unit that is likely too, or None.

    Args:
        leg: in file units.
        by_size: all units, by size alone.
        ranked: those that size leaves open, by size and pace.
        moved: the pace.
    """
    likeliest, second = by_size[:2]
    if ranked[0].name != likeliest.name:
        return ranked[0]
    close = DOUBTFUL if _rarity(leg * likeliest.metres) > UNCOMMON else CLOSE
    if second.rarity - likeliest.rarity < close:
        return second
    others = [unit for unit in ranked[1:] if moved.fits(unit.metres)]
    if moved.contradicts(likeliest.metres) and others:
        return others[0]
    return ranked[1] if len(ranked) > 1 and ranked[1].rarity - ranked[0].rarity < CLOSE else None


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
