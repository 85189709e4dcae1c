"""Foot levels: what feet stand on in the frames of a view, and how high it is. Each foot of a hub has one height."""

from collections.abc import Callable, Sequence

import numpy as np

from motionloom.conform import View
from motionloom.errors import BadInput
from motionloom.features.feet import foot_points
from motionloom.motion import Footing
from motionloom.similarity.slice_minima import SliceMinima

NEAR = 0.1  # metres beside a support, and above or below its top, within which a point stands on it
WITHIN = 0.04  # metres: feet that stand on what differs less in height can be bent to one height
ROWS = 1024  # frames whose minima are looked at at once
GROUND = -1  # instead of the index of a support


def find_stood_on(footing: Footing, points: np.ndarray, contacts: np.ndarray) -> np.ndarray:
    """(F, 4) int: the support that each resting point stands on, by its index; `GROUND` for the ground, or nothing.

    How far a support extends is not known exactly, so a point may be beside it; what is nearest in height counts.

    Args:
        footing: of a motion.
        points: (F, 4, 3) metres, world: heels and balls.
        contacts: (F, 4) bool: when they rest.
    """
    points = np.nan_to_num(points)
    found = np.full(contacts.shape, GROUND)
    away = np.abs(points[..., 1] - footing.ground.supports_at(points))  # metres from what was found so far
    for number, support in enumerate(footing.supports):
        frames = slice(max(support.start, 0), max(support.stop, 0))
        inside = points[frames]
        off = np.abs(inside[..., 1] - support.box.top)
        stands = (
            contacts[frames] & support.box.covers(inside[..., [0, 2]], NEAR) & (off < np.minimum(away[frames], NEAR))
        )
        found[frames][stands] = number
        away[frames][stands] = off[stands]
    return found


def point_levels(footing: Footing, points: np.ndarray, contacts: np.ndarray) -> np.ndarray:
    """(F, 4) metres, world: the height of what each resting point stands on; NaN for points that do not rest."""
    tops = np.array([*(support.box.top for support in footing.supports), np.nan])
    stood_on = find_stood_on(footing, points, contacts)
    levels = np.where(stood_on == GROUND, footing.ground.supports_at(np.nan_to_num(points)), tops[stood_on])
    return np.where(contacts, levels, np.nan)


def view_levels(view: View) -> np.ndarray:
    """(N, 4) metres above the floor of what heels and balls rest on in each frame; NaN where they do not rest."""
    levels = np.where(view.source_contacts, 0.0, np.nan)
    for number in np.unique(view.supports[:, 0]).astype(int):
        name = view.names[number]
        start, stop = view.range_of(name)
        points, contacts = foot_points(view.motion(name), 0.0), view.source_contacts[start:stop]
        levels[start:stop] = point_levels(view.footing(name), points, contacts)
    return levels


def keep_level_minima(minima: SliceMinima, levels: np.ndarray) -> SliceMinima:
    """The minima of slices without pairs of frames in which a foot stands on something higher in one of them.

    Bent to one pose, one of the two would stand in the air, or sunk into its step.

    Args:
        minima: of all slices.
        levels: (N, 4) metres, of `view_levels`.
    """
    kept = np.ones(len(minima.frames), bool)
    for first in range(0, minima.n_frames, ROWS):
        starts = minima.starts[first : first + ROWS + 1]
        entries = slice(starts[0], starts[-1])
        rows = np.repeat(np.arange(first, first + len(starts) - 1), np.diff(starts))
        apart = levels[rows] - levels[minima.frames[entries]]
        kept[entries] = ~(np.abs(apart) > WITHIN).any(axis=1)  # NaN, in one of them in the air: they agree
    if kept.all():
        return minima
    starts = np.concatenate([[0], np.cumsum(kept)])[minima.starts]
    return SliceMinima(minima.threshold, starts, minima.frames[kept], minima.distances[kept])


def find_uneven(levels: np.ndarray, frames: Sequence[int] | np.ndarray) -> np.ndarray:
    """(N, 4) bool: match frames in which a point that most of them rest on is higher or lower than in most of them.

    Args:
        levels: (N, 4) metres, of `view_levels`.
        frames: match frames, indices over all frames of the view.
    """
    own = levels[np.asarray(frames, int)]
    uneven = np.zeros(own.shape, bool)
    for column in range(own.shape[1]):
        rests = np.isfinite(own[:, column])
        if 2 * rests.sum() > len(own):
            uneven[:, column] = np.abs(own[:, column] - np.median(own[rests, column])) > 2 * WITHIN
    return uneven


def check_levels(levels: np.ndarray, frames: Sequence[int] | np.ndarray, describe: Callable[[int], str]) -> None:
    """Raise `BadInput` unless feet stand at one height in the match frames of a hub.

    Args:
        levels: (N, 4) metres, of `view_levels`.
        frames: match frames, indices over all frames of the view.
        describe: names a frame in the sentence.
    """
    numbers = np.asarray(frames, int)
    uneven = find_uneven(levels, numbers).any(axis=0)
    if not uneven.any():
        return
    own = levels[numbers, int(uneven.argmax())]
    lowest, highest = int(np.nanargmin(own)), int(np.nanargmax(own))
    low, high = (f"{own[number]:.2f} m in {describe(int(numbers[number]))}" for number in (lowest, highest))
    raise BadInput(f"feet stand at different heights, {low} and {high}; a hub has one height: drop one of them")
