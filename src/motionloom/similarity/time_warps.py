"""Time warps: dynamic time warping (DTW) of two motions, with limits on the slope.

A motion may be slowed down or sped up by no more than a factor.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, Unsatisfiable


@dataclass(frozen=True, eq=False)
class TimeWarp:
    """A strictly increasing map from output frames to source frames."""

    source_frames: np.ndarray  # (N,) float: increasing, from the first source frame to the last
    path: np.ndarray  # (P, 2) int: the warping path of (output frame, source frame) pairs
    cost: float  # mean distance along the path, in the unit of the costs


def warp_time(costs: np.ndarray, *, max_slope: int = 3) -> TimeWarp:
    """Find the time warp with the least distance between two motions, from first frame to last.

    The warping path is the cheapest of those whose slope is between 1 / max_slope and max_slope: it stays in one source
    frame for at most max_slope output frames and vice versa, with a diagonal step before and after. Diagonal steps
    count twice (symmetric weights), so that all paths have the same total weight. The map runs through the middles of
    horizontal and vertical runs, so it is strictly increasing, within the same limits.

    Args:
        costs: (N, M) distances of output frames from source frames, finite.
        max_slope: 1 allows no change of speed.

    Raises:
        Unsatisfiable: when the lengths N and M differ by more than the slope allows.
    """
    from motionloom.similarity._kernels import cheapest_warp

    costs = np.ascontiguousarray(costs, dtype=np.float64)
    _check(costs, max_slope)
    max_slope = int(max_slope)
    came_from = np.zeros(costs.shape, np.uint8)
    total = cheapest_warp(costs, max_slope - 1, came_from)
    if not np.isfinite(total):
        fewest, most = _lengths_within(costs.shape[0], max_slope)
        raise Unsatisfiable(
            f"{costs.shape[1]} source frames cannot be warped to {costs.shape[0]} output frames with a slope of at "
            f"most {max_slope}: expected {fewest} to {most}; allow a steeper slope or cut one of the motions"
        )
    path = _trace(came_from, max_slope - 1)
    return TimeWarp(_through_middles(path, costs.shape[0]), path, float(total) / sum(costs.shape))


def _trace(came_from: np.ndarray, repeats: int) -> np.ndarray:
    """(P, 2) the cells of the warping path, first to last, by backtracking."""
    i, j = came_from.shape[0] - 1, came_from.shape[1] - 1
    state = 0
    path = [(i, j)]
    while i or j:
        if state == 0:
            state = int(came_from[i, j])
            i, j = i - 1, j - 1
        elif state <= repeats:
            state, i = state - 1, i - 1
        else:
            state, j = (0 if state == repeats + 1 else state - 1), j - 1
        path.append((i, j))
    return np.array(path[::-1])


def _through_middles(path: np.ndarray, n_output: int) -> np.ndarray:
    """(N,) source frames: linear interpolation through the middles of horizontal and vertical runs."""
    both = (np.diff(path, axis=0) == 1).all(axis=1)
    stays = np.split(path, np.flatnonzero(both) + 1)
    knots = np.array([stay.mean(axis=0) for stay in stays])
    return np.interp(np.arange(n_output), knots[:, 0], knots[:, 1])


def _lengths_within(n_output: int, max_slope: int) -> tuple[int, int]:
    """Minimum and maximum number of source frames for this many output frames; the ends are diagonal steps."""
    if n_output == 1:
        return 1, 1
    return 2 - (2 - n_output) // max_slope, 2 + (n_output - 2) * max_slope


def _check(costs: np.ndarray, max_slope: int) -> None:
    if costs.ndim != 2 or costs.size == 0:
        raise BadInput(f"costs have shape {costs.shape}, expected (N, M) with at least one frame each")
    if not np.isfinite(costs).all():
        i, j = np.argwhere(~np.isfinite(costs))[0]
        raise BadInput(
            f"the cost of output frame {i} and source frame {j} is not finite; compare motions with a window of 1"
        )
    if not 1 <= max_slope <= 100 or max_slope != int(max_slope):
        raise BadInput(f"max_slope must be an integer from 1 to 100, got {max_slope}")
