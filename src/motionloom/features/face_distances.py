"""Distances of a face that people think in: how wide the mouth is, how open an eye, how high a brow.

Names of markers say what is on which part; where several are, the places at rest decide which of them is meant.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.features.face_words import read_names


@dataclass(frozen=True)
class FaceDistance:
    """Two markers whose distance has a name."""

    name: str  # "mouth width"
    one: str
    other: str


def find_face_distances(names: Sequence[str], rest: np.ndarray) -> list[FaceDistance]:
    """The distances that a set of markers has; none where names do not tell.

    Args:
        names: M markers.
        rest: (M, 3) metres, where they are at rest, or anything like it.
    """
    markers = _Markers(names, rest)
    found = [
        ("mouth width", _mouth_width(markers)),
        ("mouth height", _mouth_height(markers)),
        *((f"{side} eye", _eye(markers, side)) for side in ("left", "right")),
        *((f"{side} brow", _brow(markers, side)) for side in ("left", "right")),
    ]
    return [FaceDistance(name, names[pair[0]], names[pair[1]]) for name, pair in found if pair is not None]


def range_of(positions: np.ndarray, one: int, other: int) -> tuple[float, float]:
    """The smallest and the largest distance of two markers in some frames, metres; 0 where they never meet.

    Args:
        positions: (F, M, 3) metres; NaN in gaps.
        one: index of a marker.
        other: index of another one.
    """
    apart = np.linalg.norm(positions[:, one] - positions[:, other], axis=-1)
    apart = apart[np.isfinite(apart)]
    return (float(apart.min()), float(apart.max())) if len(apart) else (0.0, 0.0)


class _Markers:
    """Markers by what their names say; those that are nowhere at rest are left out."""

    def __init__(self, names: Sequence[str], rest: np.ndarray) -> None:
        self.rest = rest
        self.words = read_names(names)
        self._seen = np.flatnonzero(np.isfinite(rest).all(-1)).tolist()

    def on(self, part: str, side: str | None = None, places: Iterable[str] = ()) -> list[int]:
        """Those on a part of the face: on one side if one is given, and at one of some places if any are."""
        wanted = set(places)
        return [
            marker
            for marker in self._seen
            if self.words[marker].part == part
            and (side is None or self.words[marker].side == side)
            and (not wanted or not wanted.isdisjoint(self.words[marker].places))
        ]

    def nearest(self, candidates: Sequence[int], place: np.ndarray) -> int:
        """The one of some markers that is nearest to a place."""
        return min(candidates, key=lambda marker: float(np.linalg.norm(self.rest[marker] - place)))

    def farthest_pair(self, ones: Sequence[int], others: Sequence[int]) -> tuple[int, int] | None:
        """One of each, as far apart as can be."""
        pairs = [(one, other) for one in ones for other in others]
        return max(pairs, key=lambda pair: float(np.linalg.norm(np.subtract(*self.rest[[*pair]]))), default=None)


def _mouth_width(markers: _Markers) -> tuple[int, int] | None:
    """The corners; without such, the outermost of both sides."""
    sides = [markers.on("mouth", side, ["corner"]) or markers.on("mouth", side) for side in ("left", "right")]
    return markers.farthest_pair(*sides)


def _mouth_height(markers: _Markers) -> tuple[int, int] | None:
    return _in_the_middle(markers, markers.on("mouth", None, ["upper"]), markers.on("mouth", None, ["lower"]))


def _eye(markers: _Markers, side: str) -> tuple[int, int] | None:
    return _in_the_middle(markers, markers.on("eye", side, ["upper"]), markers.on("eye", side, ["lower"]))


def _brow(markers: _Markers, side: str) -> tuple[int, int] | None:
    """The middle of a brow, and what is below it and does not move with it: a corner of the eye, else the nose."""
    brows = markers.on("brow", side)
    below = markers.on("eye", side, ["inner", "outer", "corner"]) or markers.on("nose", None, ["upper"])
    if not brows or not below:
        return None
    middle = markers.nearest(brows, markers.rest[brows].mean(axis=0))
    return middle, markers.nearest(below, markers.rest[middle])


def _in_the_middle(markers: _Markers, uppers: list[int], lowers: list[int]) -> tuple[int, int] | None:
    """Of an upper and a lower edge, the markers that are nearest to the middle of both."""
    if not uppers or not lowers:
        return None
    middle = markers.rest[[*uppers, *lowers]].mean(axis=0)
    return markers.nearest(uppers, middle), markers.nearest(lowers, middle)
