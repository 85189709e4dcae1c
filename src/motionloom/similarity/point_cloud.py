"""Point clouds over a window: root mean square distance of joints under the best placement.

Gleicher et al. 2003, section 4.1, equations 1-4, reported as the weighted root mean square, in metres.

The products of two windows are sums, along the diagonal of the distance matrix, of the products of single poses: every
product of two poses is computed once and used for all windows that contain them, with W times fewer multiplications
than products of windows. Poses are relative to their centroid on the ground, for precision in float32; the movement of
the centroids inside a window is added pair by pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.similarity.measure import (
    Measure,
    check_finite,
    check_starts,
    find_repeats,
    share_weights,
    whole_windows,
)
from motionloom.similarity.tiles import Scratch

SAME_PLACE = 1e-6  # metres
ROUNDING = 2e-6  # relative error of squared distances in float32; 5 times the worst seen on recordings
ROUNDING_PER_FRAME = 6e-8  # per frame of the window; longer sums have larger rounding errors


@dataclass(frozen=True)
class PointSettings:
    """The points that are compared, and their weights."""

    window: int = 5  # frames around each frame, itself included; odd
    joints: Sequence[int] | None = None  # None: all with distinct positions
    joint_weights: Sequence[float] | None = None  # one per joint compared; None: equal


@dataclass(frozen=True, eq=False)
class PointClouds(Measure):
    """A measure in metres; see `measure_points`."""

    starts: np.ndarray  # (M + 1,) int
    comparable: np.ndarray  # (F,) bool
    slack: np.ndarray  # (F,) float32, square metres
    repeats: np.ndarray  # (F,) bool
    joints: np.ndarray  # (J,) int, of the skeleton
    joint_weights: np.ndarray  # (J,), sum 1
    window_weights: np.ndarray  # (W,), sum 1
    points: np.ndarray  # (F, J, 3) metres, world
    middles: np.ndarray  # (F, 2) metres along x and z: weighted centroids of the points
    sizes: np.ndarray = field(repr=False)  # (F,) float32: weighted mean square of a cloud; infinite: not comparable
    ground: np.ndarray = field(repr=False)  # (F + W - 1, 2 J) float32: x and z from the centroid times sqrt(weight)
    turned: np.ndarray = field(repr=False)  # the same, rotated by 90 degrees: z and -x
    heights: np.ndarray = field(repr=False)  # (F + W - 1, J) float32: y from its mean times sqrt(weight)
    tracks: np.ndarray = field(repr=False)  # (2, W, F) float32: centroids in the window, from their mean, times sqrt
    unit: str = "m"

    def squared_block(self, rows: slice, columns: slice, scratch: Scratch) -> np.ndarray:
        from motionloom.similarity._kernels import finish_point_clouds

        n_rows, n_columns, extra = rows.stop - rows.start, columns.stop - columns.start, len(self.window_weights) - 1
        poses, others = slice(rows.start, rows.stop + extra), slice(columns.start, columns.stop + extra)
        shape = (n_rows + extra, n_columns + extra)
        alike, across, heights = (scratch.take(name, *shape) for name in ("alike", "across", "heights"))
        np.dot(self.ground[poses], self.ground[others].T, out=alike)
        np.dot(self.ground[poses], self.turned[others].T, out=across)
        np.dot(self.heights[poses], self.heights[others].T, out=heights)
        sums, out = scratch.take("sums", 3, n_columns), scratch.take("block", n_rows, n_columns)
        weights = self.window_weights.astype(np.float32)
        finish_point_clouds(
            alike, across, heights, weights, self.tracks, self.sizes, rows.start, columns.start, sums, out
        )
        return out

    def fill_pairs(self, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
        from motionloom.similarity._kernels import point_cloud_pairs

        point_cloud_pairs(self.points, self.middles, self.joint_weights, self.window_weights, first, second, out)

    def windows(self, frames: npt.ArrayLike) -> np.ndarray:
        """The clouds of comparable frames, (N, W J, 3) metres, world."""
        numbers = np.atleast_1d(self.check_frames(frames))
        self.check_comparable(numbers)
        half = len(self.window_weights) // 2
        offsets = np.arange(-half, half + 1)
        return self.points[numbers[:, None] + offsets].reshape(len(numbers), -1, 3)

    @property
    def weights(self) -> np.ndarray:
        """(W J,) of the points of a cloud, sum 1."""
        return np.outer(self.window_weights, self.joint_weights).ravel()

    def check_comparable(self, frames: np.ndarray) -> None:
        """Raise if the window of a frame extends beyond its motion."""
        bad = frames[~self.comparable[frames]]
        if len(bad):
            raise BadInput(
                f"frame {bad[0]} is too near an end of its motion for a window of {len(self.window_weights)} frames; "
                "choose a frame farther inside, or a smaller window"
            )


def measure_points(positions: np.ndarray, starts: npt.ArrayLike, settings: PointSettings | None = None) -> PointClouds:
    """The measure of frames as point clouds.

    Args:
        positions: (F, J, 3) metres, world, of motions one after the other.
        starts: (M + 1,) where they start; the last is F.
        settings: window, joints and weights.
    """
    settings = settings or PointSettings()
    positions = np.asarray(positions)
    if positions.ndim != 3 or positions.shape[2] != 3:
        raise BadInput(f"positions have shape {positions.shape}, expected (F, J, 3)")
    starts = check_starts(starts, len(positions))
    half = half_window(settings.window)
    comparable = whole_windows(starts, half)
    check_finite(positions, starts, "the positions")
    joints = choose_joints(positions, settings.joints)
    joint_weights = share_weights(settings.joint_weights, len(joints), "joints")
    window_weights = weigh_window(settings.window)
    points = np.ascontiguousarray(positions[:, joints], dtype=np.float64)
    middles = np.einsum("j,fjc->fc", joint_weights, points[..., [0, 2]])
    x, z = np.moveaxis((points[..., [0, 2]] - middles[:, None]) * np.sqrt(joint_weights)[:, None], -1, 0)
    y = (points[..., 1] - points[..., 1].mean(axis=0)) * np.sqrt(joint_weights)
    tracks = _tracks(middles, comparable, window_weights)  # (2, W, F)
    sizes = _sizes((x**2 + z**2 + y**2).sum(axis=1), tracks, comparable, window_weights)
    rounding = ROUNDING + ROUNDING_PER_FRAME * settings.window
    return PointClouds(
        starts=starts,
        comparable=comparable,
        slack=np.where(comparable, rounding * sizes, 0.0).astype(np.float32),
        repeats=find_repeats(starts, half, points, middles),
        joints=joints,
        joint_weights=joint_weights,
        window_weights=window_weights,
        points=points,
        middles=middles,
        sizes=sizes.astype(np.float32),
        ground=_padded(np.concatenate([x, z], axis=1), half),
        turned=_padded(np.concatenate([z, -x], axis=1), half),
        heights=_padded(y, half),
        tracks=tracks.astype(np.float32),
    )


def half_window(window: int) -> int:
    """Number of frames on either side of the middle of a window; raises unless the window is odd."""
    if window != int(window) or window < 1 or window % 2 == 0:
        raise BadInput(f"window must be an odd number of frames, got {window}")
    return int(window) // 2


def weigh_window(window: int) -> np.ndarray:
    """(W,) triangular window weights that sum to 1."""
    half = half_window(window)
    weights = half + 1.0 - np.abs(np.arange(-half, half + 1))
    return weights / weights.sum()


def choose_joints(positions: np.ndarray, joints: Sequence[int] | np.ndarray | None) -> np.ndarray:
    """(J',) int: the given joints, or all of (F, J, 3) with distinct positions."""
    if joints is None:
        return distinct_joints(positions)
    chosen, n_joints = np.asarray(joints), positions.shape[1]
    if chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer) or not _inside(chosen, n_joints):
        raise BadInput(f"joints {chosen.tolist()} are invalid: expected at least one from 0 to {n_joints - 1}")
    return chosen.astype(np.int64)


def distinct_joints(positions: np.ndarray) -> np.ndarray:
    """(J',) int: the joints with distinct positions; zero-length bones put a joint at the position of another.

    Args:
        positions: (F, J, 3) metres, world.
    """
    kept: list[int] = []
    for joint in range(positions.shape[1]):
        here = positions[:, joint]
        near = np.abs(here[0] - positions[0, kept]).max(axis=-1) < SAME_PLACE  # prefilter by the first frame
        if not any(np.abs(here - positions[:, kept[k]]).max() < SAME_PLACE for k in np.flatnonzero(near)):
            kept.append(joint)
    return np.array(kept)


def _inside(joints: np.ndarray, n_joints: int) -> bool:
    return len(joints) > 0 and 0 <= joints.min() <= joints.max() < n_joints


def _tracks(middles: np.ndarray, comparable: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(2, W, F) metres: centroids of the poses of a window, from their mean, times sqrt(weight)."""
    frames, half = np.flatnonzero(comparable), len(weights) // 2
    inside = middles[frames[:, None] + np.arange(-half, half + 1)]  # (N, W, 2)
    inside = (inside - np.einsum("w,nwc->nc", weights, inside)[:, None]) * np.sqrt(weights)[:, None]
    tracks = np.zeros((2, len(weights), len(middles)))
    tracks[..., frames] = np.moveaxis(inside, 0, -1).swapaxes(0, 1)
    return tracks


def _sizes(pose_sizes: np.ndarray, tracks: np.ndarray, comparable: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(F,) square metres: the weighted mean square of each window's cloud; infinite if it is not comparable."""
    half = len(weights) // 2
    padded = np.pad(pose_sizes, half)
    over_window = np.asarray(sum(w * padded[o : o + len(pose_sizes)] for o, w in enumerate(weights)))
    return np.where(comparable, over_window + (tracks**2).sum(axis=(0, 1)), np.inf)


def _padded(values: np.ndarray, half: int) -> np.ndarray:
    return np.pad(values, ((half, half), (0, 0))).astype(np.float32)
