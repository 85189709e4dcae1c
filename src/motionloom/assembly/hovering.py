"""Frames of a view in which a body is in the air without falling, because nothing is known that carries it."""

import numpy as np

from motionloom.caching import cached
from motionloom.conform import View
from motionloom.errors import BadInput
from motionloom.motion import Footing, Motion
from motionloom.quality import measure_air


def find_hovering(view: View) -> np.ndarray:
    """(N,) bool: frames of stools, ladders and tables whose support was not found; searches avoid them."""
    found = view.parts(_find_hovering, {}, lambda name: _find_hovering(view.motion(name), view.footing(name)))
    return np.asarray(found.arrays["frames"], bool)


@cached("hovering")
def _find_hovering(motion: Motion, footing: Footing) -> dict[str, np.ndarray]:
    hovering = np.zeros(motion.n_frames, bool)
    try:
        found = measure_air(motion, footing=footing)
    except BadInput:  # a skeleton without feet
        return {"frames": hovering}
    for hover in found.hovers:
        hovering[hover.start : hover.stop] = True
    return {"frames": hovering}
