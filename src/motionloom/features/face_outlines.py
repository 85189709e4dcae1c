"""Outlines of a face: the markers around the mouth and the eyes, and along the brows, in the order of drawing.

They make a smile read as one where markers alone would be dots.
"""

from collections.abc import Sequence

import numpy as np

from motionloom.features.face_words import OnFace, read_names

CLOSED = (("mouth", None), ("eye", "left"), ("eye", "right"))
OPEN = (("brow", "left"), ("brow", "right"))


def find_outlines(names: Sequence[str], rest: np.ndarray, front: float) -> list[list[int]]:
    """Markers of each outline, one after another; a closed one ends where it begins.

    Args:
        names: M markers.
        rest: (M, 3) metres, y up, where they are on average; NaN where one was never seen.
        front: the azimuth from which the face is seen from the front, radians.
    """
    words, seen = read_names(names), np.isfinite(rest).all(-1)
    flat = rest[:, [0, 2, 1]] @ np.array([[np.cos(front), 0], [-np.sin(front), 0], [0, 1]])  # (M, 2): across, up
    rings = [_around(on, flat) for part, side in CLOSED if len(on := _on(words, seen, part, side)) > 2]
    lines = [_along(on, flat) for part, side in OPEN if len(on := _on(words, seen, part, side)) > 1]
    return rings + lines


def _on(words: Sequence[OnFace], seen: np.ndarray, part: str, side: str | None) -> list[int]:
    pairs = zip(words, seen)
    return [n for n, (word, is_seen) in enumerate(pairs) if is_seen and word.part == part and side in (None, word.side)]


def _around(markers: Sequence[int], flat: np.ndarray) -> list[int]:
    """Once around their middle."""
    across, up = (flat[markers] - flat[markers].mean(axis=0)).T
    ring = [markers[n] for n in np.argsort(np.arctan2(up, across), kind="stable")]
    return [*ring, ring[0]]


def _along(markers: Sequence[int], flat: np.ndarray) -> list[int]:
    """From one end to the other."""
    return [markers[n] for n in np.argsort(flat[markers, 0], kind="stable")]
