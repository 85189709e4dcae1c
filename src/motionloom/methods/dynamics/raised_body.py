"""Raised body: the motion that is edited with its root higher or lower for a while, on feet that stay where they were.

A body that is asked to be lower bends its knees, which the subspace of a gait does not show. So they are bent in what
an edit is relative to: the prior is on what else changes, and the rest is held as before.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.constraints.reached_ankles import STRAIGHT, STRAIGHTEST, reach_ankles
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.features.feet import columns_of
from motionloom.methods.dynamics.closing.legs import sides_with_legs
from motionloom.methods.dynamics.trajectory.posed import UP
from motionloom.motion import Motion, cut, hinges, kinematics

SHORTEST = 0.3  # seconds before and after, within which the body comes down and up again
HASTE = 6.0  # metres per second squared: what it comes down and up with at most, where it goes far
LEAP = 40.0  # metres per second squared: the same beside frames in which legs reach no higher, as bodies that jump
BRIEF = 0.15  # seconds: the least that it takes beside these
BEND = 5.77  # of a curve without jerks: the highest acceleration of a unit in a unit of time
TAKE_OFF = 0.3  # seconds from a contact after which a body in the air has its feet with it
LOWEST = 0.1  # metres that a body that sways aside comes down at most, to stay on its feet
AROUND = 4  # times as long, before and after what is asked, nothing changes


Change = tuple[np.ndarray, np.ndarray]  # (n,) frames, and (n, ...) metres by which something changes in them


def raise_body(motion: Motion, contacts: np.ndarray, heights: Change, sways: Change) -> Motion:
    """The motion with its root so much higher or beside in some frames, and around them, as far as its legs reach.

    Feet rest where they did, others stay on their paths; bodies in the air take their feet along.

    Args:
        motion: of F frames.
        contacts: (F, 4) bool: heels and balls that rest.
        heights: by which it is higher; negative is lower.
        sways: (n, 3) by which it is beside.
    """
    if not any(np.abs(change).max(initial=0.0) > 0 for _, change in (heights, sways)):
        return motion
    asked = np.concatenate([heights[0], sways[0]])
    away = int(np.ceil(AROUND * motion.fps * max(_seconds(heights[1]), _seconds(sways[1]))))
    first, last = max(int(asked.min()) - away, 0), min(int(asked.max()) + away + 1, motion.n_frames)
    higher, beside = ((frames - first, change) for frames, change in (heights, sways))
    own = _raised(cut(motion, first, last), contacts[first:last], higher, beside)
    root, local = (np.array(each, float) for each in (motion.root_positions, motion.local_rotations))
    root[first:last], local[first:last] = own.root_positions, own.local_rotations
    return replace(motion, root_positions=root, local_rotations=local)


def _raised(motion: Motion, contacts: np.ndarray, heights: Change, sways: Change) -> Motion:
    beside = _faded(sways, motion.n_frames, motion.fps * _seconds(sways[1]))
    stance = Stance(motion, contacts, beside)
    moves = beside + _spread(stance, *heights)[:, None] * UP
    return stance.on_feet(replace(motion, root_positions=motion.root_positions + moves), moves)


@dataclass(frozen=True, eq=False)
class Stance:
    """A motion of F frames and where the K feet of its legs rest."""

    motion: Motion
    contacts: np.ndarray  # (F, 4) bool
    beside: np.ndarray  # (F, 3) metres by which its root sways

    @cached_property
    def sides(self) -> list[str]:
        return sides_with_legs(self.motion.skeleton) if self.contacts.any() else []

    @cached_property
    def resting(self) -> np.ndarray:
        """(F, K) bool."""
        return np.stack([self.contacts[:, columns_of(side)].any(axis=1) for side in self.sides], axis=1)

    @cached_property
    def world(self) -> tuple[np.ndarray, np.ndarray]:
        return kinematics.world(self.motion)

    def places(self, role: str) -> np.ndarray:
        """(F, K, 3) metres of hips or feet."""
        return self.world[0][:, [self.motion.skeleton.index(f"{side}_{role}") for side in self.sides]]

    @cached_property
    def reaches(self) -> np.ndarray:
        """(F, K) metres from hips to ankles that legs are long enough for."""
        lengths = np.array([sum(hinges.rest_lengths(self.motion.skeleton, f"{side}_leg")) for side in self.sides])
        own = np.linalg.norm(self.places("hip") - self.places("foot"), axis=-1)
        return np.clip(own, STRAIGHT * lengths, STRAIGHTEST * lengths)

    @cached_property
    def highest(self) -> np.ndarray:
        """(F,) metres that the root can be higher, on feet that rest; inf where none does."""
        if not self.sides:
            return np.full(self.motion.n_frames, np.inf)
        legs = self.places("hip") + self.beside[:, None] - self.places("foot")
        stretched = np.sqrt(np.maximum(self.reaches**2 - (legs[..., [0, 2]] ** 2).sum(axis=-1), 0.0))
        least = np.where(self.beside.any(axis=1), -LOWEST, 0.0)[:, None]  # legs that sway aside let the body down
        return np.where(self.resting, np.maximum(stretched - legs[..., 1], least), np.inf).min(axis=1)

    def on_feet(self, moved: Motion, moves: np.ndarray) -> Motion:
        """The motion whose root is moved by (F, 3), with its ankles where they have to be."""
        changed = np.flatnonzero(moves.any(axis=1))
        if not self.sides or not len(changed):
            return moved
        part = slice(int(changed[0]), int(changed[-1]) + 1)
        hips, feet = self.places("hip") + moves[:, None], self.places("foot")
        along = np.stack([self._along(number, moves[:, 1]) for number in range(len(self.sides))], axis=1)
        legs = feet + along[..., None] * UP - hips
        far = self.reaches / np.maximum(np.linalg.norm(legs, axis=-1), 1e-9)
        ankles = (hips + legs * np.where(self.resting, 1.0, np.minimum(far, 1.0))[..., None])[part]
        turned = self.world[1][part]
        local = np.array(moved.local_rotations, float)
        own = replace(moved, root_positions=moved.root_positions[part], local_rotations=local[part])
        turns = {side: turned[:, moved.skeleton.index(f"{side}_foot")] for side in self.sides}
        still = np.ones(own.n_frames, bool)
        places = {side: ankles[:, number] for number, side in enumerate(self.sides)}
        local[part] = reach_ankles(own, places, turns, held=still).local_rotations
        return replace(moved, local_rotations=local)

    def _along(self, number: int, raised: np.ndarray) -> np.ndarray:
        """(F,) metres that a foot goes along with a body, down no farther than to where it rests before and after."""
        along = self._in_air * raised
        heights, resting = self.places("foot")[:, number, 1], np.flatnonzero(self.resting[:, number])
        if not len(resting):
            return along
        above = np.maximum(heights - np.interp(np.arange(len(heights)), resting, heights[resting]), 1e-3)
        return np.where(along < 0, above * np.expm1(np.minimum(along, 0.0) / above), along)

    @cached_property
    def _in_air(self) -> np.ndarray:
        """(F,) how much feet go along with the root: not where one of them rests, all of it long after that."""
        frames, resting = np.arange(len(self.resting)), np.flatnonzero(self.resting.any(axis=1))
        after = np.clip(np.searchsorted(resting, frames), 0, len(resting) - 1)
        away = np.minimum(np.abs(resting[after] - frames), np.abs(resting[np.maximum(after - 1, 0)] - frames))
        share = np.clip(away / (TAKE_OFF * self.motion.fps), 0.0, 1.0)
        return share**2 * (3 - 2 * share)


def _spread(stance: Stance, frames: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """(F,) metres: heights through all that are asked, fading out around them, and down to where legs reach."""
    n, fps = stance.motion.n_frames, stance.motion.fps
    raised = _faded((frames, heights), n, fps * max(_seconds(heights), _seconds(stance.beside)))
    beyond = np.maximum(raised - stance.highest, 0.0)
    short = np.flatnonzero(beyond)
    if not len(short):
        return raised
    seconds = np.maximum(BRIEF, np.sqrt(BEND * beyond[short] / LEAP))
    share = np.clip(np.abs(np.arange(n)[:, None] - short) / (fps * seconds), 0.0, 1.0)
    back = 1 - share**3 * (10 - 15 * share + 6 * share**2)
    return raised - (back * beyond[short]).max(axis=1)


def _faded(change: Change, n_frames: int, window: float) -> np.ndarray:
    """(F, ...) a change of some frames in all of them; zero farther than a window from them."""
    frames, known = change
    return spread_change(known, frames, n_frames, window) if len(frames) else np.zeros((n_frames, *known.shape[1:]))


def _seconds(changes: np.ndarray) -> float:
    """Seconds before and after, within which a body goes as far as that and comes back."""
    return max(SHORTEST, float(np.sqrt(BEND * np.abs(changes).max(initial=0.0) / HASTE)))
