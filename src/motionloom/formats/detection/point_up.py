"""Detection of the up axis of points: from what the file states, else from points that are above others."""

import re

import numpy as np

from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding
from motionloom.motion import PointMotion

CLEAR = 0.8  # part of the way from low to high points that is along one axis
_ORIGINS = {True: "as given", False: "as the file states"}

# high and low parts: of a face, of a body
_PAIRS = (
    (re.compile(r"forehead|brow", re.IGNORECASE), re.compile(r"lip|mouth|jaw|chin", re.IGNORECASE)),
    (
        re.compile(r"[lr][fb]hd|head|\bc7\b|clav|shoulder|sho\b|acro", re.IGNORECASE),
        re.compile(r"ank|heel|hee\b|toe|foot|mt[15]|kne|[lr]?[ap]si", re.IGNORECASE),
    ),
)


def find(motion: PointMotion, options: ReadOptions, stated: str | None) -> tuple[str, tuple[Finding, ...]]:
    """The up axis, "y", "z", "x" or one of them with a minus, and a finding.

    Args:
        motion: in file axes.
        options: a given axis takes precedence.
        stated: the axis that the file states.
    """
    seen = _find_by_names(motion)
    given = None if options.up == "auto" else options.up
    if given is not None or stated is not None:
        up = given or stated or "y"
        message = f"up is {up}, {_ORIGINS[given is not None]}"
        if seen is not None and seen[0] != up:
            return up, (Finding("up", f"{message}, but {seen[1]} along {seen[0]}; give --up if it is wrong", True),)
        return up, (Finding("up", message),)
    if seen is not None:
        return seen[0], (Finding("up", f"up is {seen[0]}: {seen[1]} along it"),)
    return "y", (Finding("up", "up is assumed to be y: the names of the points do not tell; give --up if not", True),)


def _find_by_names(motion: PointMotion) -> tuple[str, str] | None:
    """The axis along which high parts are above low ones, and which these are; None where that is not clear."""
    for high_words, low_words in _PAIRS:
        high = [index for index, name in enumerate(motion.names) if high_words.search(name)]
        low = [index for index, name in enumerate(motion.names) if low_words.search(name) and index not in high]
        if not high or not low:
            continue
        way = _centre(motion.positions[:, high]) - _centre(motion.positions[:, low])
        length = np.linalg.norm(way)
        if not np.isfinite(length) or length == 0:
            continue
        axis = int(np.abs(way).argmax())
        if abs(way[axis]) >= CLEAR * length:
            up = ("" if way[axis] > 0 else "-") + "xyz"[axis]
            return up, f"'{motion.names[high[0]]}' is above '{motion.names[low[0]]}'"
    return None


def _centre(positions: np.ndarray) -> np.ndarray:
    """Median (3,) of all places (F, M, 3) that are there; NaN if none is."""
    there = positions[~np.isnan(positions).any(axis=2)]
    return np.median(there, axis=0) if len(there) else np.full(3, np.nan)
