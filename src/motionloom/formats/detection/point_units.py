"""Detection of the unit of length of points, from their spread: that of a face or of a body.

Names of points say whether they are of a face or not; where they say nothing, both are possible. Each unit is weighed
by how common points of that spread and files in that unit are.
"""

import re
from typing import NamedTuple

import numpy as np

from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import PointMotion

_SAMPLE = 200  # frames whose spread is measured
_ENOUGH = 0.7  # of the points that are there at all: a frame with fewer says little about their spread
CLOSE = 1.0  # two units whose weights differ by less (as exponent) are both likely
UNCOMMON = 3.0  # as exponent: no unit fits
CHECK = ", please check it and give --scale METRES if it is wrong"
_FACE_WORDS = re.compile(
    r"brow|lip|mouth|cheek|jaw|chin|nose|nostril|eye|lid|forehead|face|nasal|temple|sneer|smile|puff", re.IGNORECASE
)

# name, metres, and how uncommon files in it are (as exponent)
UNITS = (
    ("metres", 1.0, 0.0),
    ("centimetres", 0.01, 0.0),
    ("millimetres", 0.001, 0.0),
    ("inches", 0.0254, 1.5),
    ("decimetres", 0.1, 2.0),
    ("feet", 0.3048, 4.0),
)


class Kind(NamedTuple):
    """What points are put on."""

    name: str
    spread: float  # metres, usual
    factor: float  # (as exponent) by which spreads are e times less common
    possible: tuple[float, float]  # metres


FACE = Kind("a face", 0.19, 0.35, (0.05, 0.6))
BODY = Kind("a body", 1.5, 0.55, (0.05, 50.0))  # an arm alone, or several people in a hall


def find(motion: PointMotion, options: ReadOptions, stated: float | None = None) -> tuple[float, tuple[Finding, ...]]:
    """Metres per file unit, and a finding with the reason.

    Args:
        motion: in file units.
        options: a given scale takes precedence.
        stated: metres per unit that the file states.
    """
    spread, kinds = measure_spread(motion), _kinds_of(motion)
    for metres, origin in ((options.metres_per_unit, "as given"), (stated, "as the file states")):
        if metres is not None:
            message = f"1 unit = {metres:.6g} m, {origin}: the points span {spread * metres:.3g} m"
            doubt = _describe_doubt(spread * metres, kinds)
            return metres, (Finding("unit", message + doubt, bool(doubt)),)
    if spread <= 0:
        return 1.0, (Finding("unit", "the points have no spread; metres assumed, give --scale if not", True),)
    ranked = sorted((_rarity(spread * metres, kinds) + uncommon, name, metres) for name, metres, uncommon in UNITS)
    (rarity, name, metres), second = ranked[0], ranked[1]
    message = f"units are {name} (1 unit = {metres:.6g} m): the points span {spread * metres:.3g} m"
    if second[0] - rarity < CLOSE:
        return metres, (Finding("unit", f"{message}, but they may be {second[1]}; this is a guess{CHECK}", True),)
    if rarity > UNCOMMON:
        return metres, (Finding("unit", f"{message}, which is unusual in any unit; this is a guess{CHECK}", True),)
    return metres, (Finding("unit", message),)


def measure_spread(motion: PointMotion) -> float:
    """The longest side of the box around all points, in file units, as it mostly is."""
    sample = motion.positions[np.unique(np.linspace(0, motion.n_frames - 1, _SAMPLE).astype(int))]
    there = ~np.isnan(sample).any(axis=2)
    n_there = there.sum(axis=1)
    full = (n_there > 0) & (n_there >= _ENOUGH * n_there.max(initial=0))
    if not full.any():  # the sample has met empty frames only
        return 0.0
    low = np.where(there[..., None], sample, np.inf)[full].min(axis=1)
    high = np.where(there[..., None], sample, -np.inf)[full].max(axis=1)
    return float(np.median((high - low).max(axis=1)))


def is_face(names: tuple[str, ...]) -> bool:
    """Whether most of the names are those of parts of a face."""
    return sum(bool(_FACE_WORDS.search(name)) for name in names) > 0.5 * len(names)


def _kinds_of(motion: PointMotion) -> tuple[Kind, ...]:
    if is_face(motion.names):
        return (FACE,)
    return (BODY,) if any(_BODY_WORDS.search(name) for name in motion.names) else (BODY, FACE)


_BODY_WORDS = re.compile(
    r"knee|kne|ank|heel|hee|toe|foot|asi|psi|hip|shoulder|sho\b|elb|wri|hand|clav|ster|thi\b|tib|head|hd$|scap|arm",
    re.IGNORECASE,
)


def _rarity(spread: float, kinds: tuple[Kind, ...]) -> float:
    """How uncommon a spread in metres is, as exponent."""
    return float(min(abs(np.log(spread / kind.spread)) / kind.factor for kind in kinds))


def _describe_doubt(spread: float, kinds: tuple[Kind, ...]) -> str:
    if spread <= 0 or any(kind.possible[0] <= spread <= kind.possible[1] for kind in kinds):
        return ""
    return f", but those of {kinds[0].name} span {kinds[0].spread:g} m or so{CHECK}"
