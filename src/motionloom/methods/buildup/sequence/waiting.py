"""Waiting: what a sequence does until a step shall begin."""

from dataclasses import replace

import numpy as np

from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.pace import fewest_and_most
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, Stretch, where_is
from motionloom.methods.buildup.sequence.ways import Browser
from motionloom.methods.buildup.tree.end_index import End, Query
from motionloom.motion.angles import wrap_angle

WARPED = 0.1  # share by which what is found may be shorter or longer
WITHIN = 0.6  # metres that it may end away from where it begins
TURNED = 45.0  # degrees
LONGEST = 4.0  # seconds of one stretch
LOOKED_AT = 200  # ends
LEVER = 0.3  # metres that a radian counts as


def begin_at(model: Model, sequence: BuiltSequence, frame: int, *, may_hurry: bool = True) -> tuple[BuiltSequence, str]:
    """The sequence, waiting where it is or hurrying so that what follows begins in a frame; and why it does not.

    Args:
        model: of the takes.
        sequence: so far.
        frame: that the next stretch shall begin in.
        may_hurry: whether the time of the last stretch may be warped.
    """
    missing = frame - sequence.n_frames
    if missing == 0:
        return sequence, ""
    if may_hurry and (paced := _paced(sequence, missing)) is not None:
        return paced, ""
    if missing > 0:
        waiting = _wait(model, sequence, missing)
        if waiting is not None:
            longer = sequence.extended(waiting)
            return (longer, "") if longer.n_frames == frame else begin_at(model, longer, frame)
    fps = model.fps
    late = f"what comes before it ends at {sequence.n_frames / fps:.2f} s, not at {frame / fps:.2f} s"
    return sequence, f"{late}; let it begin then, or ask for another time before"


def _paced(sequence: BuiltSequence, missing: int) -> BuiltSequence | None:
    """With the last stretch played a little faster or slower; None where that would be too much."""
    last = sequence.stretches[-1]
    fewest, most = fewest_and_most(last.n_recorded)
    n_frames = last.n_played + missing
    if len(sequence.stretches) == 1 or not fewest <= n_frames <= most:
        return None
    return BuiltSequence((*sequence.stretches[:-1], replace(last, n_frames=n_frames)))


def _wait(model: Model, sequence: BuiltSequence, missing: int) -> Stretch | None:
    """A stretch that goes nowhere and lasts so many frames, or a part of them where they are many."""
    browser = Browser.of(model, sequence)
    here = where_is(model, browser.last.frame, browser.last.placement)
    seconds = missing / model.fps
    part = seconds if seconds <= LONGEST else min(LONGEST, seconds / 2)
    n_frames = missing if seconds <= LONGEST else round(part * model.fps)
    limits = (part * (1 - WARPED), part * (1 + WARPED))
    query = Query(here[:2], None, here[2], float(np.radians(TURNED)), limits, WITHIN, LOOKED_AT)
    for end in sorted(browser.ends(query), key=lambda end: _away(end, here)):
        stretch = browser.way(end).stretch()
        fewest, most = fewest_and_most(stretch.n_recorded)
        if fewest <= n_frames <= most:
            return replace(stretch, n_frames=n_frames)
    return None


def _away(end: End, here: tuple[float, float, float]) -> float:
    return end.distance + LEVER * abs(float(wrap_angle(end.place[2] - here[2])))
