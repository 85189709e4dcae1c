"""Frames of a view in which a body is in the air without falling, because nothing is known that carries it."""

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.errors import BadInput
from motionloom.quality import measure_air


def find_hovering(view: View) -> np.ndarray:
    """(N,) bool: frames of stools, ladders and tables whose support was not found; searches avoid them."""
    return np.asarray(view.model(_find_hovering, {}, view)["frames"], bool)


@cached("hovering")
def _find_hovering(view: View) -> dict[str, np.ndarray]:
    hovering = np.zeros(view.n_frames, bool)
    for name in view.names:
        start, _ = view.range_of(name)
        try:
            found = measure_air(view.motion(name), footing=view.footing(name))
        except BadInput:  # a skeleton without feet
            continue
        for hover in found.hovers:
            hovering[start + hover.start : start + hover.stop] = True
    return {"frames": hovering}
