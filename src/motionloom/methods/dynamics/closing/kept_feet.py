"""Kept feet: those of an edited motion rest where they did, or all of a step moves along with what pulls it."""

from collections.abc import Sequence

import numpy as np

from motionloom.constraints.reached_ankles import reach_ankles
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.features.feet import SIDES, columns_of
from motionloom.methods.dynamics.demands.contact_demands import Contacts
from motionloom.methods.dynamics.demands.demand import Demand
from motionloom.motion import Motion, find_runs, kinematics, rotations

FADE = 0.2  # seconds around a step over which the change of its foot fades out


def keep_feet(motion: Motion, source: Motion, contacts: Contacts, demands: Sequence[Demand]) -> Motion:
    """Put resting feet back to where they were in the motion that is edited.

    A step that a demand pulls moves as a whole, by its mean change.
    """
    skeleton, flags = motion.skeleton, contacts.flags
    positions, turned = kinematics.world(motion)
    before, turned_before = kinematics.world(source)
    ankles, turns = {}, {}
    for side in SIDES:
        if not skeleton.has(f"{side}_hip", f"{side}_knee", f"{side}_foot"):
            continue
        resting = np.asarray(flags[:, columns_of(side)].any(axis=1))
        if not resting.any():
            continue
        ankle = skeleton.index(f"{side}_foot")
        moved, twisted = np.zeros((motion.n_frames, 3)), turned_before[:, ankle].copy()
        pulled = pulled_frames(demands, ankle, motion)
        for start, stop in find_runs(resting):
            if pulled[start:stop].any():
                moved[start:stop] = (positions[start:stop, ankle] - before[start:stop, ankle]).mean(axis=0)
                twisted[start:stop] = turned[start:stop, ankle]
        frames = np.flatnonzero(resting)
        shift = (before[:, ankle] + moved - positions[:, ankle])[frames]
        twists = rotations.log(rotations.multiply(rotations.inverse(turned[:, ankle]), twisted))[frames]
        change = spread_change(np.stack([shift, twists], axis=1), frames, motion.n_frames, FADE * motion.fps)
        ankles[side] = positions[:, ankle] + change[:, 0]
        turns[side] = rotations.multiply(turned[:, ankle], rotations.exp(change[:, 1]))
    return reach_ankles(motion, ankles, turns, held=_root_frames(demands, motion.n_frames))


def _root_frames(demands: Sequence[Demand], n_frames: int) -> np.ndarray:
    """(F,) bool: frames in which a demand is about the root."""
    held = np.zeros(n_frames, bool)
    for demand in demands:
        if len(demand.pulled) and 0 in demand.joints:
            held[demand.frames] = True
    return held


def pulled_frames(demands: Sequence[Demand], ankle: int, motion: Motion) -> np.ndarray:
    """(F,) bool: frames in which a demand is about a foot, the root or the whole body."""
    skeleton = motion.skeleton
    pulled = np.zeros(motion.n_frames, bool)
    below = {joint for joint in range(skeleton.n_joints) if ankle in skeleton.chain(joint)}
    leg = {joint for joint in skeleton.chain(ankle) if joint} | below | {0}
    for demand in demands:
        if len(demand.pulled) and demand.joints & leg:
            pulled[demand.frames] = True
    return pulled
