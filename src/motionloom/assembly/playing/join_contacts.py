"""When feet stand around a join: contacts of two pieces become those of the motion that was joined from them."""

from dataclasses import dataclass

import numpy as np

from motionloom.blending import Joined
from motionloom.features.feet import POINTS
from motionloom.motion import Motion, find_runs, kinematics

SHORTEST_CONTACT = 0.07  # seconds; shorter contacts, and shorter gaps between contacts, are noise
LIFTED = 0.06  # metres: a foot that a join lifts or lowers farther stands no more


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two motions of a join."""

    motion: Motion
    contacts: np.ndarray  # (F, 4) bool
    begin: int  # the frame of the joined motion that its first frame is one instant with; may be below 0

    def frames_at(self, frames: np.ndarray) -> np.ndarray:
        """Its own frames in those of the joined motion: the first or the last where it has none."""
        return np.clip(frames - self.begin, 0, len(self.contacts) - 1)


def join_contacts(joined: Joined, first: Side, second: Side, name_of_second: str) -> np.ndarray:
    """(F, 4) bool: when the feet of a joined motion stand.

    Contacts are those of the side that counts more in each frame, without slivers where one follows the other, and only
    as long as the join leaves the feet about as high as they were: a body that is on its way up a step takes its feet
    along.

    Args:
        joined: the motion, and where its frames come from.
        first: what was played before.
        second: what is played after.
        name_of_second: in the provenance.
    """
    origin = joined.provenance
    entries = np.array([source.name == name_of_second for source in origin.sources] + [False])[origin.indices]
    is_second = (origin.weights * entries).sum(axis=1) >= 0.5 - 1e-9  # (F,)
    frames = np.arange(origin.n_frames)
    contacts = np.where(
        is_second[:, None], second.contacts[second.frames_at(frames)], first.contacts[first.frames_at(frames)]
    )
    shortest = round(SHORTEST_CONTACT * joined.motion.fps)
    cleaned = clean_contacts(contacts, int(is_second.argmax()), shortest)
    return _release(cleaned, _lifts(joined.motion, first, second, is_second), shortest)


def clean_contacts(contacts: np.ndarray, border: int, shortest: int) -> np.ndarray:
    """Take away what only the change from one piece to the next made: first gaps, then contacts too short to be steps.

    Args:
        contacts: (F, 4) bool.
        border: the first frame of the second piece.
        shortest: frames; gaps and contacts that touch the border and are shorter become what is around them.
    """
    cleaned = contacts.copy()
    for column in cleaned.T:
        for value in (False, True):
            for start, stop in find_runs(column == value):
                inside = start > 0 and stop < len(column)
                if start <= border <= stop and inside and stop - start < shortest:
                    column[start:stop] = not value
    return cleaned


def _lifts(motion: Motion, first: Side, second: Side, is_second: np.ndarray) -> np.ndarray:
    """(F, 4) metres by which a join lifts or lowers the foot of each point; 0 where the skeleton has none."""
    frames = np.arange(motion.n_frames)
    one, two = (kinematics.world_positions(_take(side.motion, side.frames_at(frames))) for side in (first, second))
    moved = np.abs(kinematics.world_positions(motion) - np.where(is_second[:, None, None], two, one))[..., 1]  # (F, J)
    lifts = np.zeros((len(frames), len(POINTS)))
    for column, point in enumerate(POINTS):
        role = f"{point.split('_')[0]}_foot"
        if motion.skeleton.has(role):
            lifts[:, column] = moved[:, motion.skeleton.index(role)]
    return lifts


def _take(motion: Motion, frames: np.ndarray) -> Motion:
    return Motion(motion.skeleton, motion.root_positions[frames], motion.local_rotations[frames], motion.fps)


def _release(contacts: np.ndarray, lifts: np.ndarray, shortest: int) -> np.ndarray:
    """Contacts without those that are lifted, and without slivers that are left of them."""
    released = contacts & (lifts <= LIFTED)
    for column, before in zip(released.T, contacts.T):
        for start, stop in find_runs(column):
            is_rest = (start > 0 and before[start - 1]) or (stop < len(column) and before[stop])
            if is_rest and stop - start < shortest:
                column[start:stop] = False
    return released
