"""How high what carries a body is, in every frame of a view: 0 on the floor, more on steps and stones."""

import numpy as np

from motionloom.conform.view import View
from motionloom.features.feet import foot_points


def carried_heights(view: View) -> np.ndarray:
    """(N,) metres above the floor of what the feet stand on; between two contacts it changes evenly."""
    heights = np.zeros(view.n_frames)
    for number in np.unique(view.supports[:, 0]).astype(int):
        name = view.names[number]
        start, stop = view.range_of(name)
        heights[start:stop] = _of_motion(view, name, view.source_contacts[start:stop])
    return heights


def _of_motion(view: View, name: str, contacts: np.ndarray) -> np.ndarray:
    """(F,) metres for one motion: the highest surface that a foot rests on."""
    points = np.nan_to_num(foot_points(view.motion(name), 0.0))
    under = np.where(contacts, view.footing(name).under(points, contacts), -np.inf).max(axis=1)
    stands = np.flatnonzero(np.isfinite(under))
    if not len(stands):
        return np.zeros(len(contacts))
    return np.interp(np.arange(len(contacts)), stands, under[stands])
