"""Label ranges: where in a take one of some labels holds, which is what a prior of a behaviour is learnt from."""

from collections.abc import Sequence

import numpy as np

from motionloom.conform.base_view import BaseView
from motionloom.motion import find_runs


def held_ranges(view: BaseView, name: str, labels: Sequence[str] | None) -> list[tuple[int, int]]:
    """Half-open ranges of frames of a motion of a view in which one of some labels holds.

    Args:
        view: with the motion.
        name: of the motion.
        labels: None for everywhere.
    """
    start, stop = view.range_of(name)
    if labels is None:
        return [(0, stop - start)]
    held = np.zeros(stop - start, bool)
    for label in view.labels(name):
        if label.label in labels:
            held[label.start : label.stop] = True
    return [(int(first), int(last)) for first, last in find_runs(held)]
