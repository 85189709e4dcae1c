"""Waiting: what a sequence does until a step shall begin."""

from dataclasses import replace

import numpy as np

from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.entries import find_entries
from motionloom.methods.buildup.sequence.pace import fewest_and_most
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, Stretch, where_is
from motionloom.methods.buildup.sequence.ways import way_to
from motionloom.methods.buildup.tree.end_index import End
from motionloom.methods.buildup.tree.search_tree import SearchTree, grow_onward
from motionloom.motion.angles import wrap_angles

LONGEST = 4.0  # seconds of one stretch
LEVER = 0.3  # metres that a radian counts as
ROUGH = 0.5  # metres that an end just after a transition counts as


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
    most = round(LONGEST * model.fps)
    n_frames = missing if missing <= most else min(most, missing // 2)
    last, growth = sequence.last_pose(model), model.settings.growth
    seconds = (n_frames + 1) / model.fps
    tree = grow_onward(model.tables, find_entries(model, last), replace(growth, seconds=seconds))
    end = find_stay(model, tree, where_is(model, last.frame, last.placement), n_frames)
    return None if end is None else way_to(model, tree, end).stretch()


def find_stay(model: Model, tree: SearchTree, here: tuple[float, float, float], n_frames: int) -> End | None:
    """Where the body is nearest to a place after so many frames; None where nothing lasts so long.

    Args:
        model: of the takes.
        tree: from the last pose.
        here: metres along x and z, radians.
        n_frames: frames after the last pose.
    """
    lengths = tree.tables.spans[1][tree.nodes] - tree.begins
    numbers = np.flatnonzero((tree.arrivals < n_frames) & (tree.arrivals + lengths >= n_frames))
    if not len(numbers):
        return None
    frames = tree.begins[numbers] + n_frames - tree.arrivals[numbers] - 1
    places, _ = tree.place(numbers.astype(np.int32), frames)
    away = np.linalg.norm(places[:, :2] - np.array(here[:2]), axis=1)
    rough = tree.since[numbers] + n_frames - tree.arrivals[numbers] < model.settings.settled * model.fps
    best = int((away + LEVER * np.abs(wrap_angles(places[:, 2] - here[2])) + ROUGH * rough).argmin())
    x, z, heading = (float(value) for value in places[best])
    group = int(model.groups.of_frame[frames[best]])
    return End(-1, int(numbers[best]), int(frames[best]), group, (x, z, heading), n_frames, float(away[best]))
