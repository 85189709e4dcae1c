"""Kept feet: those of an edited motion rest where they did, or all of a step moves along with what pulls it."""

from collections.abc import Sequence

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.features.feet import columns_of
from motionloom.methods.dynamics.closing.legs import Foot, reach_feet, sides_with_legs
from motionloom.methods.dynamics.demands.contact_demands import Contacts
from motionloom.methods.dynamics.demands.demand import Demand
from motionloom.motion import Motion, find_runs, kinematics, rotations

FADE = 0.2  # seconds around a step over which the change of its foot fades out


def keep_feet(
    motion: Motion, source: Motion, contacts: Contacts, demands: Sequence[Demand], locked: Sequence[int] = ()
) -> Motion:
    """Put resting feet back to where they were in the motion that is edited.

    A step moves as a whole where its foot is pulled itself, over the ground where the root is asked to be elsewhere,
    and to the foot of a locked frame.

    Args:
        motion: that was optimized.
        source: that was edited.
        contacts: of the source.
        demands: what is asked.
        locked: frames whose root and feet do not change.
    """
    skeleton = motion.skeleton
    held = np.zeros(motion.n_frames, bool)
    held[list(locked)] = True
    now, before = kinematics.world(motion), kinematics.world(source)
    goes_along = any(len(demand.pulled) and 0 in demand.joints for demand in demands)
    feet: dict[str, Foot] = {}
    for side in sides_with_legs(skeleton):
        resting = np.asarray(contacts.flags[:, columns_of(side)].any(axis=1))
        if not resting.any():
            continue
        ankle = skeleton.index(f"{side}_foot")
        own, was = ((positions[:, ankle], turned[:, ankle]) for positions, turned in (now, before))
        pulled = pulled_frames(demands, ankle, motion)
        places, turned = was[0].copy(), was[1].copy()
        for start, stop in find_runs(resting):
            run, frames = slice(start, stop), np.arange(start, stop)
            chosen, along = frames, np.array([1, 0, 1]) if goes_along else np.zeros(3)
            if held[run].any():
                chosen, along = frames[held[run]][:1], np.ones(3)
            elif pulled[run].any():
                chosen, along = frames[pulled[run]], np.ones(3)
            if along.any():
                twists = rotations.multiply(own[1][chosen], rotations.inverse(was[1][chosen]))
                places[run] += along * (own[0][chosen] - was[0][chosen]).mean(axis=0)
                turned[run] = rotations.multiply(rotations.mean(twists[:, None])[0], was[1][run])
        shift, turns = places - own[0], rotations.log(rotations.multiply(rotations.inverse(own[1]), turned))
        shift[held], turns[held] = 0.0, 0.0
        known = np.flatnonzero(resting | held)
        change = spread_change(np.stack([shift, turns], axis=1)[known], known, motion.n_frames, FADE * motion.fps)
        feet[side] = own[0] + change[:, 0], rotations.multiply(own[1], rotations.exp(change[:, 1]))
    return reach_feet(motion, feet, held)


def pulled_frames(demands: Sequence[Demand], ankle: int, motion: Motion) -> np.ndarray:
    """(F,) bool: frames in which a demand is about a foot or its leg."""
    skeleton = motion.skeleton
    pulled = np.zeros(motion.n_frames, bool)
    below = {joint for joint in range(skeleton.n_joints) if ankle in skeleton.chain(joint)}
    leg = {joint for joint in skeleton.chain(ankle) if joint} | below
    for demand in demands:
        if len(demand.pulled) and demand.joints & leg:
            pulled[demand.frames] = True
    return pulled
