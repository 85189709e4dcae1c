"""Edits: changes in the middle of a sequence, by bridges that leave all before and behind where it is on the ground."""

from collections.abc import Sequence as Several
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.constraints.path_deformation import Pin, bend
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Edit
from motionloom.methods.buildup.sequence.bridge import Bridge, Gap, find_bridge
from motionloom.methods.buildup.sequence.bridge_paths import placed_path
from motionloom.methods.buildup.sequence.entries import LastPose
from motionloom.methods.buildup.sequence.sequence import BuiltSequence, Stretch, placement_at, where_is
from motionloom.methods.buildup.sequence.steps import group_of_pose
from motionloom.motion import Placement, compose, invert
from motionloom.motion.angles import wrap_angle


@dataclass(frozen=True, eq=False)
class MadeEdit:
    """An edit as it was made, or why it was not."""

    edit: Edit
    start: int  # frames [start, stop) of the sequence before it are replaced
    stop: int
    given: BuiltSequence  # the sequence before it
    sequence: BuiltSequence  # and after it; the same where there is no bridge
    bridge: Bridge | None  # None: the sequence is kept
    why_not: str = ""  # a sentence with a way out, where it is kept
    gap: Gap | None = None  # that the bridge leads over

    def frame_after(self, frame: int) -> int | None:
        """Where a frame of the sequence before it comes to be; None where it is gone."""
        if self.bridge is None or frame < self.start:
            return frame
        return None if frame < self.stop else frame + self.start + self.n_bridged - self.stop

    @property
    def n_bridged(self) -> int:
        """Frames of the bridge."""
        return 0 if self.bridge is None else self.bridge.n_frames

    @property
    def passed(self) -> int | None:
        """The frame of the sequence after it in which the pose is passed; None where there is none."""
        through = None if self.bridge is None else self.bridge.through
        return None if through is None else self.start + through.frame

    def describe(self, number: int) -> str:
        """'edit 2 replace from 3s to 5s through frame 120 of boxing/14_01'; numbers count from 0."""
        edit = self.edit
        words = [f"edit {number + 1} {edit.kind} from {edit.start}"]
        words += [] if edit.stop is None else [f"to {edit.stop}"]
        words += [] if edit.pose is None else [f"through {edit.pose.describe()}"]
        return " ".join(words)


def make_edits(model: Model, sequence: BuiltSequence, edits: Several[Edit]) -> tuple[MadeEdit, ...]:
    """Make edits one after another: times of each are those of the motion that the ones before leave."""
    made: list[MadeEdit] = []
    for edit in edits:
        made.append(make_edit(model, made[-1].sequence if made else sequence, edit))
    return tuple(made)


def frame_passed(made: Several[MadeEdit], number: int) -> int | None:
    """The frame of the motion that all edits leave in which one of them passes its pose; None where that is gone."""
    frame = made[number].passed
    for later in made[number + 1 :]:
        frame = None if frame is None else later.frame_after(frame)
    return frame


def what_took_out(made: Several[MadeEdit], frame: int | None, first: int = 0) -> int | None:
    """The number of the edit that took out a frame of the motion before the first of them; None where it is there."""
    for number, each in enumerate(made[first:], start=first):
        if frame is None:
            return None
        frame = each.frame_after(frame)
        if frame is None:
            return number
    return None


def make_edit(model: Model, sequence: BuiltSequence, edit: Edit, refused: Several[Bridge] = ()) -> MadeEdit:
    """Lead a bridge over what an edit cuts, or keep the sequence and say why.

    Args:
        model: of the takes.
        sequence: to change.
        edit: of the request.
        refused: bridges that did not hold once they were finished; the next is taken.
    """
    n_frames = sequence.n_frames
    start = frames_of(edit.start, model.fps, n_frames)
    stop = start if edit.stop is None else frames_of(edit.stop, model.fps, n_frames)
    kept = MadeEdit(edit, start, stop, sequence, sequence, None)
    if not 1 <= start <= stop <= n_frames - 1 or (start == stop and edit.kind != "insert"):
        return replace(kept, why_not=_why_not_there(edit, stop - start, n_frames / model.fps))
    path, shown = path_of(model, sequence), shown_by(model, sequence)
    before, behind = (LastPose(int(shown[frame]), _at(model, shown[frame], path[frame])) for frame in (start - 1, stop))
    is_left_out = np.zeros(len(model.facings), bool)
    is_left_out[shown[start:stop]] = True
    group = None if edit.pose is None else group_of_pose(model, edit.pose)
    heading = None if edit.heading is None else float(np.radians(edit.heading))
    gap = Gap(before, behind, is_left_out, group, edit.place, model.radius, heading)
    bridge, why_not = find_bridge(model, gap, refused)
    if bridge is None:
        return replace(kept, why_not=why_not)
    after = _with_bridge(model, sequence, (start, stop), bridge, path)
    return MadeEdit(edit, start, stop, sequence, after, bridge, gap=gap)


def _why_not_there(edit: Edit, n_cut: int, seconds: float) -> str:
    if edit.stop is not None and n_cut <= 0:
        return f"nothing lies between {edit.start} and {edit.stop}; let it end after it begins"
    asked = edit.start if edit.stop is None else f"{edit.start} to {edit.stop}"
    return (
        f"nothing can be changed at {asked}: the motion lasts {seconds:.2f} s, and something must stay before and "
        "behind; take back steps to change its end"
    )


def shown_by(model: Model, sequence: BuiltSequence) -> np.ndarray:
    """(F,) the frame of the view that each frame of a sequence shows."""
    parts = [part for stretch in sequence.stretches for part in stretch.timed()]
    return np.concatenate(
        [model.view.range_of(clip.name)[0] + clip.start + np.round(own).astype(int) for clip, own in parts]
    )


def path_of(model: Model, sequence: BuiltSequence) -> np.ndarray:
    """(F, 3) metres along x and z, radians: where the body is in each frame, bent to where its stretches end."""
    pieces = sequence.plan(model).pieces
    rows = []
    for piece in pieces:
        frames = model.view.range_of(piece.name)[0] + np.round(piece.times).astype(int)
        rows.append(placed_path(model, frames, piece.placement))
    path = np.concatenate(rows)
    path[:, 2] = np.unwrap(path[:, 2])
    targets = sequence.targets(model)
    if not targets:
        return path
    pins, turn = [], 0.0
    for target in targets:
        assert target.heading is not None and target.position is not None
        turn += wrap_angle(target.heading - path[target.frame, 2] - turn)
        pins.append(Pin(target.frame, np.asarray(target.position, float), turn))
    bent = bend(path[:, :2], path[:, 2], model.fps, pins)
    return np.column_stack([bent.ground, path[:, 2] + bent.turns])


def _at(model: Model, frame: int, place: np.ndarray) -> Placement:
    x, z, heading = (float(value) for value in place)
    return placement_at(model, int(frame), (x, z, heading))


def _with_bridge(
    model: Model, sequence: BuiltSequence, cut: tuple[int, int], bridge: Bridge, path: np.ndarray
) -> BuiltSequence:
    """A sequence whose frames [start, stop) are replaced by a bridge."""
    start, stop = cut
    before, behind = list[Stretch](), list[Stretch]()
    for stretch, begin, end in zip(sequence.stretches, sequence.borders, sequence.borders[1:]):
        if end <= start:
            before.append(stretch)
        elif begin < start:
            bent = tuple(float(value) for value in path[start - 1]) if stretch.end is not None else None
            before.append(replace(stretch.part(0, start - begin), end=bent))  # type: ignore[arg-type]
        if begin >= stop:
            behind.append(stretch)
        elif end > stop:
            part = _moved(model, stretch.part(stop - begin, end - begin), path[stop])
            behind.append(replace(part, end=stretch.end, step=stretch.step))
    last = bridge.clips[-1]
    frame = model.view.range_of(last.name)[0] + last.stop - 1
    stays = compose(behind[0].clips[0].placement, invert(bridge.behind))
    comes_to = where_is(model, frame, compose(stays, last.placement))
    return BuiltSequence((*before, Stretch(bridge.clips, bridge.distances, end=comes_to), *behind))


def _moved(model: Model, stretch: Stretch, place: np.ndarray) -> Stretch:
    """A stretch with its first frame at a place."""
    clip = stretch.clips[0]
    frame = model.view.range_of(clip.name)[0] + clip.start + round(float(stretch.shown[0][0]))
    move = compose(_at(model, frame, place), invert(clip.placement))
    clips = tuple(replace(each, placement=compose(move, each.placement)) for each in stretch.clips)
    return replace(stretch, clips=clips)
