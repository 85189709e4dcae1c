"""What frozen values of motions hold: arrays that nobody can change through them, and rates that make sense."""

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput


def read_only(values: npt.ArrayLike) -> np.ndarray:
    """The values as an array of floats that cannot be written to; an array is not copied, and its owner still may."""
    array = np.asarray(values)
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(float)
    view = array.view()
    view.setflags(write=False)
    return view


def check_rate(fps: float) -> None:
    """Refuse a rate that no motion has."""
    if not 0 < fps < np.inf:
        raise BadInput(f"{fps} frames per second; it must be more than 0 and finite")
