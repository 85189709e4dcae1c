"""Kept feet: those of an edited motion rest where they did, or all of a step moves along with what pulls it."""

from collections.abc import Sequence

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.features.feet import columns_of
from motionloom.methods.dynamics.closing.legs import Foot, reach_feet, sides_with_legs
from motionloom.methods.dynamics.demands.contact_demands import Contacts
from motionloom.methods.dynamics.demands.demand import Demand
from motionloom.methods.dynamics.trajectory.posed import UP
from motionloom.motion import Motion, find_runs, kinematics, rotations

FADE = 0.2  # seconds around a step over which the change of its foot fades out


def keep_feet(
    motion: Motion,
    source: tuple[np.ndarray, np.ndarray],
    contacts: Contacts,
    demands: Sequence[Demand],
    locked: Sequence[int] = (),
    given: np.ndarray | None = None,
) -> Motion:
    """Put resting feet back to where they were in the motion that is edited.

    A step moves as a whole where its foot is pulled itself, over the ground where the root is asked to be elsewhere,
    and to the foot of a locked frame.

    Args:
        motion: that was optimized.
        source: (F, J, 3) and (F, J, 4) of the joints of the motion that was edited, in the world.
        contacts: of the source.
        demands: what is asked.
        locked: frames whose root and feet do not change.
        given: (F, 4) bool: heels and balls that rest where they were asked to, and stay there.
    """
    skeleton = motion.skeleton
    held = np.zeros(motion.n_frames, bool)
    held[list(locked)] = True
    now, before = kinematics.world(motion), source
    goes_along = any(0 in demand.joints and (len(demand.pulled) or demand.is_rest) for demand in demands)
    feet: dict[str, Foot] = {}
    for side in sides_with_legs(skeleton):
        asked = np.zeros_like(held) if given is None else np.asarray(given[:, columns_of(side)].any(axis=1))
        resting = np.asarray(contacts.flags[:, columns_of(side)].any(axis=1)) | asked
        if not resting.any():
            continue
        anchored = held | _edges(asked)
        ankle = skeleton.index(f"{side}_foot")
        own, was = ((positions[:, ankle], turned[:, ankle]) for positions, turned in (now, before))
        pulled = pulled_frames(demands, ankle, motion)
        places, turned = was[0].copy(), was[1].copy()
        for start, stop in find_runs(resting):
            run, frames = slice(start, stop), np.arange(start, stop)
            chosen, along = frames, np.array([1, 0, 1]) if goes_along else np.zeros(3)
            if anchored[run].any():
                places[run], turned[run] = _through(was, own, frames, frames[anchored[run]])
                continue
            if pulled[run].any():
                chosen, along = frames[pulled[run]], np.ones(3)
            if along.any():
                twist = rotations.mean(rotations.multiply(own[1][chosen], rotations.inverse(was[1][chosen])))
                twist = twist if along.all() else rotations.split_swing_twist(twist, UP)[1]
                places[run], turned[run] = _carried(was, frames, chosen, twist)
                places[run] += along * (own[0][chosen] - was[0][chosen]).mean(axis=0)
        shift, turns = places - own[0], rotations.log(rotations.multiply(rotations.inverse(own[1]), turned))
        shift[held | asked], turns[held | asked] = 0.0, 0.0
        known = np.flatnonzero(resting | held)
        change = spread_change(np.stack([shift, turns], axis=1)[known], known, motion.n_frames, FADE * motion.fps)
        feet[side] = own[0] + change[:, 0], rotations.multiply(own[1], rotations.exp(change[:, 1]))
    return reach_feet(motion, feet, held)


def _edges(asked: np.ndarray) -> np.ndarray:
    """(F,) bool: the first and the last frame of each run."""
    edges = np.zeros_like(asked)
    for start, stop in find_runs(asked):
        edges[[start, stop - 1]] = True
    return edges


def _carried(was: Foot, frames: np.ndarray, chosen: np.ndarray | int, twist: np.ndarray) -> Foot:
    """A foot turned as a whole in some frames, about where its ankle is on average in those that are chosen.

    What rests stays at rest: ankles go over the balls of feet on paths that turn along.
    """
    pivot = was[0][np.atleast_1d(chosen)].mean(axis=0)
    return pivot + rotations.rotate(twist, was[0][frames] - pivot), rotations.multiply(twist, was[1][frames])


def _through(was: Foot, own: Foot, frames: np.ndarray, anchors: np.ndarray) -> Foot:
    """A foot in some frames carried along to where it has to be in the anchors among them, and from one to the next."""
    after = np.clip(np.searchsorted(anchors, frames), 0, len(anchors) - 1)
    before = np.where(anchors[after] > frames, np.maximum(after - 1, 0), after)
    share = (frames - anchors[before]) / np.maximum(anchors[after] - anchors[before], 1)
    places, turned = (np.zeros((2, len(frames), size)) for size in (3, 4))
    for row, anchor in enumerate(anchors):
        twist = rotations.multiply(own[1][anchor], rotations.inverse(was[1][anchor]))
        moved, twisted = _carried(was, frames, int(anchor), twist)
        moved += own[0][anchor] - was[0][anchor]
        for end, nearest in enumerate((before, after)):
            places[end, nearest == row], turned[end, nearest == row] = moved[nearest == row], twisted[nearest == row]
    share = np.clip(share, 0.0, 1.0)
    return places[0] + share[:, None] * (places[1] - places[0]), rotations.slerp(turned[0], turned[1], share)


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
