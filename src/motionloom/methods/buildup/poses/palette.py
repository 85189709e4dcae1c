"""The palette: the poses that people choose from, alike ones side by side, with the labels they are seen under."""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.buildup.poses.pose_groups import PoseGroups
from motionloom.similarity import JointAngles

NAMED = 3  # labels of a pose at most
OFTEN = 0.3  # share of the frames of a group in which a label that names it holds


@dataclass(frozen=True, eq=False)
class Palette:
    """K poses in the order in which they are shown."""

    order: np.ndarray  # (K,) int: groups
    labels: tuple[tuple[str, ...], ...]  # of each group, the one it is told from others by first


def lay_out(measure: JointAngles, groups: PoseGroups, labels: tuple[str, ...], tracks: np.ndarray) -> Palette:
    """Put alike poses side by side, and name them.

    Args:
        measure: of N frames.
        groups: of these frames.
        labels: L names.
        tracks: (N, L) int8: +1 where a label holds.
    """
    distances = measure.pairs(groups.centres[:, None], groups.centres[None])
    lift = _lift(groups, tracks)
    named = [
        tuple(labels[column] for column in np.argsort(-row, kind="stable")[:NAMED] if row[column] > 0) for row in lift
    ]
    return Palette(order_alike(distances), tuple(named))


def order_alike(distances: np.ndarray) -> np.ndarray:
    """(K,) an order of K things in which neighbours are alike: the leaves of a hierarchy, turned the best way round."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(distances) < 3:
        return np.arange(len(distances))
    condensed = squareform((distances + distances.T) / 2, checks=False)
    return np.asarray(leaves_list(linkage(condensed, "average", optimal_ordering=True)), int)


def group_of_label(groups: PoseGroups, track: np.ndarray) -> int | None:
    """The group that a label is told from others by: most of it holds there, and little beside it; None if none.

    Args:
        groups: of N frames.
        track: (N,) int8: +1 where the label holds.
    """
    holds = track > 0
    if not holds.any():
        return None
    both = np.bincount(groups.of_frame[holds], minlength=groups.n_groups)
    return int((both.astype(float) ** 2 / (groups.sizes * holds.sum())).argmax())


def _lift(groups: PoseGroups, tracks: np.ndarray) -> np.ndarray:
    """(K, L) how much more often a label holds in a group than elsewhere; 0 where it seldom does."""
    found = np.zeros((groups.n_groups, tracks.shape[1]))
    for column in range(tracks.shape[1]):
        holds = tracks[:, column] > 0
        share = np.bincount(groups.of_frame[holds], minlength=groups.n_groups) / np.maximum(groups.sizes, 1)
        usual = holds.mean()
        found[:, column] = np.where(share >= OFTEN, share / max(usual, 1e-9), 0.0)
    return found
