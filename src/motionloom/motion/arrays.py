"""Read-only arrays and checks of frame rates."""

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput


def read_only(values: npt.ArrayLike) -> np.ndarray:
    """A read-only view of the values as a float array; the data are not copied, so their owner can still write."""
    array = np.asarray(values)
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(float)
    view = array.view()
    view.setflags(write=False)
    return view


def check_rate(fps: float) -> None:
    """Raise unless a frame rate is positive and finite."""
    if not 0 < fps < np.inf:
        raise BadInput(f"frame rate must be finite and above 0 frames per second, got {fps}")
