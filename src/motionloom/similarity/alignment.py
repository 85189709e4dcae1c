"""Alignment: the placement that moves one frame or window of motion onto another, and a set of them onto each other.

Gleicher et al. 2003, equations 2-4 with the four-quadrant arctangent (the printed one loses half turns), and section
4.2.1 for sets. Its equation 5 is inverted as printed: with T_jk moving frame j onto frame k, the product T_base,p
T_base,q^-1 moves q onto p. The placement from p to q is base-to-q after the inverse of base-to-p.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Placement, compose, invert, kinematics
from motionloom.motion.motion import cut
from motionloom.motion.placement import turn_ground
from motionloom.similarity.measure import share_weights
from motionloom.similarity.point_cloud import PointClouds, PointSettings, half_window, measure_points


@dataclass(frozen=True, eq=False)
class AlignedSet:
    """Placements between the frames of a set that are consistent: compositions of them agree."""

    frames: np.ndarray  # (N,) int
    base: int  # index (0 .. N - 1) of the frame that the others are aligned with
    to_base: tuple[Placement, ...]  # N: moves each frame onto the base

    def between(self, moved: int, onto: int) -> Placement:
        """The placement that moves number `moved` of the set onto number `onto`."""
        return compose(invert(self.to_base[onto]), self.to_base[moved])


def align_points(points: np.ndarray, onto: np.ndarray, weights: np.ndarray | None = None) -> Placement:
    """Find the placement that moves points onto others with the least weighted mean square distance.

    Args:
        points: (K, 3) metres, world.
        onto: (K, 3) metres, world; corresponding points.
        weights: (K,); None: equal.
    """
    points, onto = np.asarray(points, float), np.asarray(onto, float)
    if points.shape != onto.shape or points.ndim != 2 or points.shape[1] != 3 or len(points) == 0:
        raise BadInput(f"points have shapes {points.shape} and {onto.shape}, expected (K, 3) with the same K")
    if not np.isfinite(points).all() or not np.isfinite(onto).all():
        raise BadInput("a point to align is not finite; leave such points out")
    headings, slides = align_clouds(points[None], onto[None], share_weights(weights, len(points), "points"))
    return Placement(float(headings[0]), slides[0])


def align_clouds(clouds: np.ndarray, onto: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`align_points` batched: (N, K, 3) clouds, (K,) weights that sum to 1; (N,) headings and (N, 2) slides."""
    moved, target = clouds[..., [0, 2]], onto[..., [0, 2]]
    middle, target_middle = np.einsum("k,nkc->nc", weights, moved), np.einsum("k,nkc->nc", weights, target)
    u, v = np.moveaxis(moved - middle[:, None], -1, 0)
    x, z = np.moveaxis(target - target_middle[:, None], -1, 0)
    headings = np.arctan2((x * v - u * z) @ weights, (x * u + z * v) @ weights)  # eq. 2
    return headings, target_middle - turn_ground(middle, headings)  # eq. 3, 4


def align_frames(clouds: PointClouds, moved: int, onto: int) -> Placement:
    """The placement that moves the window around one frame onto that of another, as their distance does."""
    pair = clouds.windows([moved, onto])
    return align_points(pair[0], pair[1], clouds.weights)


def align_motions(motion: Motion, frame: int, onto: Motion, onto_frame: int, *, window: int = 1) -> Placement:
    """The placement that moves a frame of one motion, or a window around it, onto a frame of another.

    Args:
        motion: to be moved.
        frame: of `motion`.
        onto: a motion of the same skeleton.
        onto_frame: of `onto`.
        window: frames around both, themselves included; odd.
    """
    if motion.skeleton != onto.skeleton:
        raise SkeletonMismatch(
            f"skeletons '{motion.skeleton.name}' and '{onto.skeleton.name}' differ; conform the motions first"
        )
    half = half_window(window)
    positions = np.concatenate([_window(motion, frame, half), _window(onto, onto_frame, half)])
    clouds = measure_points(positions, [0, window, 2 * window], PointSettings(window))
    return align_frames(clouds, half, window + half)


def align_set(clouds: PointClouds, frames: Sequence[int]) -> AlignedSet:
    """Align a set of frames with its base, the frame whose distances to the others have the smallest sum."""
    numbers = clouds.check_frames(frames)
    if numbers.ndim != 1 or len(numbers) == 0:
        raise BadInput(f"frames to align have shape {numbers.shape}, expected a list of at least one")
    windows = clouds.windows(numbers)
    base = int(clouds.pairs(numbers[:, None], numbers[None, :]).sum(axis=1).argmin())
    headings, slides = align_clouds(windows, np.broadcast_to(windows[base], windows.shape), clouds.weights)
    to_base = [Placement(float(heading), slide) for heading, slide in zip(headings, slides)]
    to_base[base] = Placement.none()
    return AlignedSet(numbers, base, tuple(to_base))


def _window(motion: Motion, frame: int, half: int) -> np.ndarray:
    """(W, J, 3) metres, world."""
    if not half <= frame < motion.n_frames - half:
        raise BadInput(
            f"a window of {2 * half + 1} frames around frame {frame} is out of range: the motion has "
            f"{motion.n_frames} frames; choose a frame farther inside, or a smaller window"
        )
    return kinematics.world_positions(cut(motion, frame - half, frame + half + 1))
