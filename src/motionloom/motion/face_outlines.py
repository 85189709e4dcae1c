"""Outlines of a face: the lines of brows, eyes and mouth through their markers, found by what these are called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

KINDS = (  # the first whose words a name has; "eyebrow" is no eye
    ("brow", ("brow",)),
    ("mouth", ("mouth", "lip", "lips")),
    ("eye", ("eye", "lid", "eyelid")),
)
FEWEST = {"brow": 2, "mouth": 4, "eye": 3}  # markers of a line
BETWEEN = 0.1  # of half the width of the face: markers nearer to the middle belong to neither brow


@dataclass(frozen=True, eq=False)
class Outline:
    """A line through markers of a face, one after another."""

    kind: str  # "brow", "eye" or "mouth"
    points: np.ndarray  # (K,) int; brows from one side to the other, eyes and mouths around their middle
    is_closed: bool

    @property
    def edges(self) -> np.ndarray:
        """(E, 2) int, the smaller index first."""
        after = np.roll(self.points, -1)
        pairs = np.column_stack([self.points, after])[: None if self.is_closed else -1]
        return np.sort(pairs, axis=1)


def find_outlines(names: Sequence[str], rest: np.ndarray, heading: float = 0.0) -> tuple[Outline, ...]:
    """The outlines of a face that its markers tell by their names.

    Args:
        names: of the markers, M.
        rest: (M, 3) metres, y up; NaN for markers that are never seen, which are left out.
        heading: radians that the face looks in.
    """
    seen = np.isfinite(rest).all(axis=1)
    if not seen.any():
        return ()
    across = (rest - np.nanmean(rest, axis=0)) @ np.array([np.cos(heading), 0.0, -np.sin(heading)])
    flat = np.column_stack([across, rest[:, 1]])
    half = float(np.ptp(across[seen])) / 2
    kinds = np.array([_kind_of(name) if is_seen else "" for name, is_seen in zip(names, seen)])
    mouth = np.flatnonzero(kinds == "mouth")
    outlines = [Outline("mouth", _around(mouth, flat), True)] if len(mouth) >= FEWEST["mouth"] else []
    for side in (-1.0, 1.0):
        brow = np.flatnonzero((kinds == "brow") & (side * across > BETWEEN * half))
        eye = np.flatnonzero((kinds == "eye") & (side * across > 0))
        if len(brow) >= FEWEST["brow"]:
            outlines.append(Outline("brow", brow[np.argsort(across[brow])], False))
        if len(eye) >= FEWEST["eye"]:
            outlines.append(Outline("eye", _around(eye, flat), True))
    return tuple(outlines)


def _kind_of(name: str) -> str:
    """What a marker is on: "brow", "eye", "mouth" or nothing of these."""
    words = re.findall("[a-z]+", re.sub("([a-z])([A-Z])", r"\1 \2", name).lower())
    for kind, known in KINDS:
        if any(word.endswith(known) or word.startswith(known) for word in words):
            return kind
    return ""


def _around(points: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """Points (K,) in the order in which they lie around their middle, anticlockwise in the plane (M, 2)."""
    apart = flat[points] - (flat[points].max(axis=0) + flat[points].min(axis=0)) / 2
    size = np.maximum(np.ptp(flat[points], axis=0), 1e-9)  # a mouth is wider than it is high
    return points[np.argsort(np.arctan2(*(apart / size)[:, ::-1].T), kind="stable")]
