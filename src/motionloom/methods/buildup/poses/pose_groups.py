"""Pose groups: frames whose poses look alike, each group with the member that shows it best (section 3.1).

K-means with a member as centre. Equation 2 adds up equation 1, which is the square of the distance that
`similarity.measure_angles` gives; weights are equal and add up to 1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity import JointAngles
from motionloom.similarity.tiles import Scratch, run_tiles, split

ROUNDING_OF_SUMS = 1e-6  # share of a sum of squared distances, beside the rounding of each
MOST_ROUNDS = 200
ROWS, COLUMNS = 256, 512  # of a block
MOST_CHECKED = 64  # members of a group whose sums are so alike that they are added up exactly


@dataclass(frozen=True, eq=False)
class PoseGroups:
    """K groups of the N frames of a view."""

    centres: np.ndarray  # (K,) int: the frame that shows each group, sorted
    of_frame: np.ndarray  # (N,) int32: the group of each frame
    errors: np.ndarray  # (I,) equation 2 after each round, square radians
    is_settled: bool  # nothing changed in the last round

    @property
    def n_groups(self) -> int:
        return len(self.centres)

    @property
    def sizes(self) -> np.ndarray:
        """(K,) frames in each."""
        return np.bincount(self.of_frame, minlength=self.n_groups)


def group_poses(
    measure: JointAngles,
    n_groups: int,
    rng: np.random.Generator,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> PoseGroups:
    """Group poses until nothing changes: every frame is in the group of the nearest centre, every centre is the member
    with the least sum of squared distances to the others, and no group is empty.

    Args:
        measure: of N frames.
        n_groups: K.
        rng: random number generator, for the first centres.
        progress: called as progress(rounds_done, rounds_at_most).
    """
    if not 1 <= n_groups <= measure.n_frames:
        raise BadInput(f"{n_groups} pose groups of {measure.n_frames} frames; give 1 to {measure.n_frames}")
    centres = first_centres(measure, n_groups, rng)[0]
    groups = assign(measure, centres)
    sums = _Sums(measure)
    errors, is_settled = [], False
    for number in range(MOST_ROUNDS):
        better = _best_members(measure, groups, centres, sums)
        following = assign(measure, better, groups)
        errors.append(total_error(measure, better, following))
        is_settled = np.array_equal(better, centres) and np.array_equal(following, groups)
        centres, groups = better, following
        if progress is not None:
            progress(number + 1, MOST_ROUNDS)
        if is_settled:
            break
    order = np.argsort(centres)
    rank = np.empty(n_groups, np.int32)
    rank[order] = np.arange(n_groups, dtype=np.int32)
    return PoseGroups(centres[order], rank[groups], np.array(errors), is_settled)


def first_centres(measure: JointAngles, n_groups: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Frames to begin with, far from each other: each is drawn with odds that are its squared distance to those before.

    Returns:
        (K,) int frames, and (K,) the sum of all squared distances to the nearest of them, after each.
    """
    centres = [int(rng.integers(measure.n_frames))]
    nearest = squared_to(measure, centres)[0].astype(float)
    nearest[centres] = 0.0
    errors = [nearest.sum()]
    while len(centres) < n_groups:
        odds = nearest.cumsum()
        if odds[-1] > 0:
            drawn = int(np.searchsorted(odds, rng.random() * odds[-1], side="right"))
        else:  # all frames are like one of those before
            drawn = int(np.setdiff1d(np.arange(measure.n_frames), centres)[0])
        centres.append(min(drawn, measure.n_frames - 1))
        nearest = np.minimum(nearest, squared_to(measure, centres[-1:])[0])
        nearest[centres] = 0.0
        errors.append(nearest.sum())
    return np.array(centres), np.array(errors)


def assign(measure: JointAngles, centres: np.ndarray, groups: np.ndarray | None = None) -> np.ndarray:
    """(N,) int32: the group of the nearest centre; a centre is in its own, and of equals the lowest number counts.

    Args:
        measure: of N frames.
        centres: (K,) int.
        groups: (N,) as they were, which frames stay in that are equally near to their centre.
    """
    squares = squared_to(measure, centres)  # (K, N)
    found = squares.argmin(axis=0).astype(np.int32)
    if len(centres) > 1:
        two = np.partition(squares, 1, axis=0)[:2]
        allowed = 2 * (measure.slack + measure.slack[centres].max())
        unsure = np.flatnonzero(two[1] - two[0] <= allowed)
        if len(unsure):
            exact = measure.pairs(centres[:, None], unsure[None])
            found[unsure] = exact.argmin(axis=0)
            if groups is not None:
                stays = exact[groups[unsure], np.arange(len(unsure))] <= exact.min(axis=0)
                found[unsure[stays]] = groups[unsure[stays]]
    found[centres] = np.arange(len(centres))
    return found


def total_error(measure: JointAngles, centres: np.ndarray, groups: np.ndarray) -> float:
    """Equation 2: the sum of squared distances of all frames to the centre of their group."""
    return float((measure.pairs(centres[groups], np.arange(measure.n_frames)) ** 2).sum())


def squared_to(measure: JointAngles, centres: np.ndarray | list[int]) -> np.ndarray:
    """(K, N) float32 squared distances of frames to all, in blocks."""
    n_centres = len(centres)
    both = measure.chosen(np.concatenate([np.asarray(centres, int), np.arange(measure.n_frames)]))
    out = np.empty((n_centres, measure.n_frames), np.float32)

    def fill(part: slice, scratch: Scratch) -> None:
        here = slice(part.start + n_centres, part.stop + n_centres)
        out[:, part] = both.squared_block(slice(0, n_centres), here, scratch)

    run_tiles(fill, split(0, measure.n_frames, COLUMNS))
    return out


class _Sums:
    """Sums of squared distances to the other members of its group for every frame; only what changes is added up."""

    def __init__(self, measure: JointAngles) -> None:
        self.measure = measure
        self.sums = np.zeros(measure.n_frames)
        self.members: list[np.ndarray] = []

    def update(self, groups: np.ndarray, n_groups: int) -> np.ndarray:
        """(N,) sums for (N,) groups."""
        members = [np.flatnonzero(groups == group) for group in range(n_groups)]
        before = self.members or [np.zeros(0, int)] * n_groups
        for now, then in zip(members, before):
            self._update_group(now, then)
        self.members = members
        return self.sums

    def _update_group(self, now: np.ndarray, then: np.ndarray) -> None:
        stayed, came = np.intersect1d(now, then, assume_unique=True), np.setdiff1d(now, then, assume_unique=True)
        left = np.setdiff1d(then, now, assume_unique=True)
        if len(came) + len(left) >= len(now) // 2:
            self.sums[now] = sum_squares(self.measure, now, now)
            return
        if len(came):
            self.sums[stayed] += sum_squares(self.measure, stayed, came)
            self.sums[came] = sum_squares(self.measure, came, now)
        if len(left):
            self.sums[stayed] -= sum_squares(self.measure, stayed, left)


def sum_squares(measure: JointAngles, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """(R,) sums of the squared distances of frames to others, in blocks."""
    n_rows = len(rows)
    both = measure.chosen(np.concatenate([rows, columns]))
    sums = np.zeros(n_rows)

    def fill(part: slice, scratch: Scratch) -> None:
        for others in split(n_rows, n_rows + len(columns), COLUMNS):
            sums[part] += both.squared_block(part, others, scratch).sum(axis=1, dtype=np.float64)

    run_tiles(fill, split(0, n_rows, ROWS))
    return sums


def _best_members(measure: JointAngles, groups: np.ndarray, centres: np.ndarray, sums: _Sums) -> np.ndarray:
    """(K,) int: the member of each group with the least sum; the centre as it is if none has less."""
    found, all_sums = centres.copy(), sums.update(groups, len(centres))
    for group, members in enumerate(sums.members):
        own = all_sums[members]
        rounding = 2 * len(members) * (measure.slack[members].max() * 2) + ROUNDING_OF_SUMS * own.min()
        near = members[own <= own.min() + rounding]
        near = near[np.argsort(all_sums[near], kind="stable")][:MOST_CHECKED]
        candidates = np.unique(np.append(near, centres[group]))
        exact = np.array([(measure.pairs(candidate, members) ** 2).sum() for candidate in candidates])
        current = exact[np.searchsorted(candidates, centres[group])]
        if exact.min() < current:
            found[group] = candidates[exact.argmin()]
    return found
