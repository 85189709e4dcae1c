"""Strays: samples of markers that are not where the body can have them, because they flew off or were swapped."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

MOST_STRAY = 0.5  # of the samples of a marker: beyond that the whole marker is left out
CALM = 6.0  # multiples of a marker's usual miss that are still its own
SWAPPED = 0.5  # of the distance between two markers: each is nearer to the other's place by so much


@dataclass(frozen=True, eq=False)
class Strays:
    """What is left out, and why."""

    stray: np.ndarray  # (F, K) bool
    whole: np.ndarray  # (K,) bool: markers that are left out altogether
    partners: np.ndarray  # (K,) int: the marker that each is swapped with most often, or -1
    n_swapped: np.ndarray  # (K,) int: frames in which it is

    @property
    def left_out(self) -> np.ndarray:
        return self.stray | self.whole


def find_strays(
    misses: np.ndarray, targets: np.ndarray, beyond: float, places: Callable[[np.ndarray], np.ndarray]
) -> Strays:
    """Find the samples that are farther from their places than noise explains.

    Args:
        misses: (F, K) metres; nan where a marker is missing.
        targets: (F, K, 3) metres: where they were seen.
        beyond: metres that every marker may be away.
        places: (S,) frames -> (S, K, 3) metres: where the body has the markers.
    """
    seen = np.isfinite(misses)
    ordered, n_seen = np.sort(misses, axis=0), seen.sum(axis=0)  # nan last
    middle = ordered[np.maximum(n_seen - 1, 0) // 2, np.arange(len(n_seen))]
    usual = np.where(n_seen > 0, middle, 0.0)
    stray = seen & (np.where(seen, misses, 0.0) > np.maximum(beyond, CALM * usual))
    far = seen & (np.where(seen, misses, 0.0) > beyond)
    whole = seen.any(axis=0) & (far.sum(axis=0) > MOST_STRAY * seen.sum(axis=0))
    suspects = stray | (far & whole)
    frames = np.flatnonzero(suspects.any(axis=1))
    partners, n_swapped = _find_swaps(suspects[frames], places(frames), targets[frames])
    return Strays(stray, whole, partners, n_swapped)


def _find_swaps(stray: np.ndarray, places: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The marker (K,) that each is swapped with in most frames, and in how many: both are at the other's place."""
    n = stray.shape[1]
    counts = np.zeros((n, n), int)
    for a in np.flatnonzero(stray.any(axis=0)):
        for b in np.flatnonzero((stray & stray[:, a : a + 1]).any(axis=0)):
            if b > a:
                rows = np.flatnonzero(stray[:, a] & stray[:, b])
                apart = SWAPPED * np.linalg.norm(places[rows, a] - places[rows, b], axis=-1)
                to_other = [np.linalg.norm(targets[rows, i] - places[rows, j], axis=-1) for i, j in ((a, b), (b, a))]
                counts[a, b] = counts[b, a] = int(((to_other[0] < apart) & (to_other[1] < apart)).sum())
    most = counts.max(axis=1, initial=0)
    return np.where(most > 0, counts.argmax(axis=1) if n else 0, -1), most
