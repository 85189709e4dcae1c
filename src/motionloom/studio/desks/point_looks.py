"""How a set of markers is drawn: which are joined, the outlines of a face, and from where it is seen from the front."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from motionloom.features.face_front import find_face_front
from motionloom.features.face_outlines import find_outlines

SAMPLED = 64  # frames that a mean is taken of


def describe_looks(names: Sequence[str], rest: np.ndarray) -> dict[str, Any]:
    """Links between markers, outlines and the front, as plain values; see `messages.motions.PointLooks`.

    Args:
        names: M markers.
        rest: (M, 3) metres, where they are on average; NaN where one was never seen.
    """
    front = find_face_front(names, rest)
    outlines = [] if front is None else find_outlines(names, rest, front)
    return {"front": front, "links": _links(rest), "outlines": outlines}


def mean_points(positions: np.ndarray) -> np.ndarray:
    """(M, 3) metres: where points (F, M, 3) are on average, of some frames; NaN where one was never seen."""
    sampled = np.asarray(positions[sampled_frames(len(positions))], float)
    seen = np.isfinite(sampled)
    counts = seen.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.where(counts > 0, np.where(seen, sampled, 0).sum(axis=0) / counts, np.nan)


def sampled_frames(n_frames: int, count: int = SAMPLED) -> np.ndarray:
    """Frames all over a motion, at most so many."""
    return np.unique(np.linspace(0, max(n_frames - 1, 0), min(count, n_frames)).round().astype(int))


def _links(rest: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of neighbours: each marker with the three that are nearest."""
    pairs = set()
    for n, place in enumerate(rest):
        apart = np.linalg.norm(rest - place, axis=1)
        apart[n] = np.nan
        for k in np.argsort(apart)[:3]:
            if np.isfinite(apart[k]):
                pairs.add((min(n, int(k)), max(n, int(k))))
    return sorted(pairs)
