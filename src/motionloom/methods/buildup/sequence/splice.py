"""Splicing: a bridge becomes frames between finished frames that stay as they are, bit for bit.

A finished motion is cut open, the bridge is joined to both sides, bent so that the far side is where it was, and its
feet are planted. Joins and planting reach into the finished frames for so far as `WINDOW` says; all other frames are
those of the finished motion themselves, so that nothing can change them: neither bending, nor planting, nor rounding.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly import Bent, Join, Part, Piece, Plan, Played, Recorded, choose_joins, fit_joins, usual_joins
from motionloom.assembly.playing.assemble import Assembled, join_pieces, step_at_joins
from motionloom.assembly.playing.bend_and_plant import LIMITS, USUAL_FEET, bend_and_plant
from motionloom.constraints import GroundTarget, PathSettings, bend_path
from motionloom.features.facing import find_facing
from motionloom.features.feet import heel_offsets
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.bridge import MOST_CHANGED, Bridge, Gap, steps_changed
from motionloom.methods.buildup.sequence.edits import MadeEdit
from motionloom.methods.buildup.sequence.frame_replacement import FrameReplacement
from motionloom.methods.buildup.sequence.outcome import AROUND, WINDOW
from motionloom.motion import (
    Footing,
    Motion,
    Placement,
    compose,
    concatenate,
    cut,
    invert,
    kinematics,
    place,
    provenance,
)
from motionloom.motion.footing import concatenate_supports
from motionloom.motion.placement import turn_ground
from motionloom.tasks import Stop

GAP_METRES, GAP_DEGREES = 0.001, 0.1  # that the bent bridge may be from where all behind it stays
BEFORE, BEHIND = "before the bridge", "behind the bridge"
FEET = "planted feet stay"


def splice(
    model: Model,
    played: Played,
    made: MadeEdit,
    number: int,
    *,
    quick: bool = False,
    heels: np.ndarray | None = None,
    stop: Stop | None = None,
) -> Played | None:
    """A played motion with a bridge in it: all outside the windows around the bridge has the same bits.

    None where the bridge does not hold between finished frames: it cannot be bent so far, or its steps change too much.

    Args:
        model: of the takes.
        played: the finished motion before the edit.
        made: the edit.
        number: of the edit, from 0, for the report.
        quick: join in the usual way instead of the calmest.
        heels: (2, 3) heel offsets that the feet were planted with; None for those of the motion before it.
        stop: asked at every join; if it answers True, `Stopped` is raised.
    """
    assert made.bridge is not None and made.gap is not None
    opened = _Opened.of(model, played, made.start, made.stop, made.bridge, made.gap)
    local = opened.plan(model)
    if quick:
        local = usual_joins(local, opened.locked)
    else:
        bars = model.yardsticks.bars
        local = choose_joins(local, model.view, bars, locked=opened.locked, known=model.chosen_joins, stop=stop)
    return _put_in(model, played, made, number, local, opened, heels_of(played) if heels is None else heels)


def heels_of(played: Played) -> np.ndarray:
    """(2, 3) metres: the heel offsets that the feet of a motion were planted with.

    A few seconds of it have others, with which heels that were planted would move wherever the foot turns.
    """
    return heel_offsets(body_of(played.before), 0.0)


@dataclass(frozen=True, eq=False)
class _Opened:
    """A finished motion cut open, and the bridge that leads over the gap."""

    played: Played
    start: int  # frames [start, stop) of the motion are replaced
    stop: int
    bridge: Bridge
    onto: Placement  # moves the bridge from where it was found to where the motion is
    apart: Placement  # moves all behind the gap to where the bridge comes out before it is bent

    @staticmethod
    def of(model: Model, played: Played, start: int, stop: int, bridge: Bridge, gap: Gap) -> "_Opened":
        motion = body_of(played.motion)
        before = placement_onto(motion, start - 1, model.view.pose(gap.before.frame))
        behind = placement_onto(motion, stop, model.view.pose(gap.behind.frame))
        onto = compose(before, invert(gap.before.placement))
        comes_out = compose(onto, bridge.behind)
        return _Opened(played, start, stop, bridge, onto, compose(comes_out, invert(behind)))

    @property
    def tail(self) -> range:
        """Finished frames before the gap that are seen."""
        return range(max(self.start - round(AROUND * self.played.plan.fps), 0), self.start)

    @property
    def head(self) -> range:
        """And behind it."""
        n_frames = self.played.motion.n_frames
        return range(self.stop, min(self.stop + round(AROUND * self.played.plan.fps), n_frames))

    @property
    def changing(self) -> range:
        """Frames of the tail, the bridge and the head together that may change."""
        window, begin = round(WINDOW * self.played.plan.fps), len(self.tail)
        end = begin + self.bridge.n_frames
        return range(max(begin - window, 0), min(end + window, end + len(self.head)))

    @property
    def locked(self) -> tuple[range, range]:
        """And those that may not."""
        n_frames = len(self.tail) + self.bridge.n_frames + len(self.head)
        return range(self.changing.start), range(self.changing.stop, n_frames)

    def plan(self, model: Model) -> Plan:
        """The tail, the bridge and the head, where the bridge comes out; its joins are still to be chosen."""
        pieces = (
            self._finished(BEFORE, self.tail, Placement.none()),
            *(
                Piece(Recorded(clip.name), clip.start, clip.stop, compose(self.onto, clip.placement))
                for clip in self.bridge.clips
            ),
            self._finished(BEHIND, self.head, self.apart),
        )
        view = model.view
        joins = fit_joins(pieces, (Join.usual("displacement"),) * (len(pieces) - 1), view.fps)
        return Plan(pieces, joins, view.fps, view.skeleton.digest, view.key)

    def _finished(self, name: str, frames: range, placement: Placement) -> Piece:
        """Frames of the finished motion as a piece that shows nothing beyond them."""
        played, (start, stop) = self.played, (frames.start, frames.stop)
        assert played.contacts is not None
        motion, footing = cut(body_of(played.motion), start, stop), played.footing.cut(start, stop)
        source = Bent(name, motion, np.arange(start, stop), played.contacts[start:stop], footing)
        return Piece(source, 0, len(frames), placement)


@dataclass(frozen=True, eq=False)
class _Closed:
    """Tail, bridge and head as frames, the head where it was."""

    assembled: Assembled
    gap: tuple[float, float]  # metres and radians between the head and where the bent bridge comes to it
    changed: float  # share by which steps are changed at most

    @property
    def is_good(self) -> bool:
        """Whether the gap is closed, and steps are changed no more than allowed."""
        metres, radians = self.gap
        return metres <= GAP_METRES and np.degrees(radians) <= GAP_DEGREES and self.changed <= MOST_CHANGED


def _close(joined: Assembled, opened: _Opened) -> _Closed:
    """Bend the bridge alone, so that the head is where it was."""
    begin = len(opened.tail) - 1  # the last frame that stays, which the path is bent from
    end = begin + 1 + opened.bridge.n_frames  # the first of the head
    back = invert(opened.apart)
    between = cut(joined.motion, begin, end + 1)
    headings, ground = find_facing(between.skeleton, kinematics.world_positions(between))
    target = GroundTarget(-1, turn_ground(ground[-1], back.heading) + back.slide, float(headings[-1]) + back.heading)
    bent = bend_path(
        between, [target], footing=joined.footing.cut(begin, end + 1), settings=PathSettings(limits=LIMITS)
    )
    n_frames = joined.motion.n_frames
    parts = [
        (cut(joined.motion, 0, begin), joined.footing.cut(0, begin)) if begin else None,
        (bent.motion, bent.footing),
        (place(cut(joined.motion, end + 1, n_frames), back), joined.footing.cut(end + 1, n_frames).moved(back))
        if end + 1 < n_frames
        else None,
    ]
    kept = [part for part in parts if part is not None]
    supports = concatenate_supports([(motion.n_frames, footing) for motion, footing in kept])
    closed = replace(joined, motion=concatenate([motion for motion, _ in kept]), footing=Footing(supports=supports))
    (outcome,), distortion = bent.report.outcomes, bent.report.wanted
    changed = 0.0 if distortion is None else steps_changed(distortion)
    return _Closed(closed, (outcome.position_miss, outcome.heading_miss), changed)


def _join_and_close(model: Model, local: Plan, opened: _Opened, locked: list[int]) -> tuple[Plan, Assembled, _Closed]:
    """The plan as it is joined, and closed; in the usual way if the calmest takes too much to close."""
    tried = list[tuple[Plan, Assembled, _Closed]]()
    for plan in (local, usual_joins(local, opened.locked)):
        joined = step_at_joins(join_pieces(plan, model.view), plan, locked)
        tried.append((plan, joined, _close(joined, opened)))
        if tried[-1][-1].is_good:
            return tried[-1]
    return tried[0]


def _put_in(
    model: Model, played: Played, made: MadeEdit, number: int, local: Plan, opened: _Opened, heels: np.ndarray
) -> Played | None:
    """Make the frames of the bridge, and put them in the place of those that are replaced."""
    locked = [frame for frames in opened.locked for frame in frames]
    local, joined, closed = _join_and_close(model, local, opened, locked)
    if not closed.is_good:
        return None
    shown = closed.assembled
    planted = bend_and_plant(shown.motion, shown.contacts, USUAL_FEET, (), locked, shown.footing, heels)
    own = opened.changing
    first, last = opened.tail.start + own.start, opened.head.start + own.stop - len(opened.tail) - made.n_bridged
    origins = provenance.trace(joined.provenance, {BEFORE: played.provenance, BEHIND: played.provenance})
    put = FrameReplacement(first, last, own)
    assert played.contacts is not None
    return replace(
        played,
        plan=_plan(model, played.plan, made, local, opened),
        motion=put.motion(body_of(played.motion), planted.motion),
        contacts=np.concatenate(
            [played.contacts[:first], shown.contacts[own.start : own.stop], played.contacts[last:]]
        ),
        provenance=put.provenance(played.provenance, origins),
        before=put.motion(body_of(played.before), shown.motion),
        parts=(*_parts_before(played, made, planted.parts), *_parts(model, made, number, closed)),
        notes=(*played.notes, *planted.notes),
        footing=put.footing(played.footing, planted.footing, played.motion.n_frames),
        footing_before=put.footing(played.footing_before, shown.footing, played.motion.n_frames),
    )


def _plan(model: Model, before: Plan, made: MadeEdit, local: Plan, opened: _Opened) -> Plan:
    """The plan of the sequence after an edit, with the joins that were made."""
    pieces = made.sequence.plan(model).pieces
    joins = {made.frame_after(border): join for border, join in zip(before.begins[1:], before.joins)}
    shift = made.start - len(opened.tail)
    joins |= {border + shift: join for border, join in zip(local.begins[1:], local.joins)}
    borders = np.cumsum([piece.n_frames for piece in pieces])[:-1]
    found = tuple(joins.get(int(border), Join.usual("displacement")) for border in borders)
    return replace(before, pieces=pieces, joins=fit_joins(pieces, found, before.fps))


def _parts(model: Model, made: MadeEdit, number: int, closed: _Closed) -> tuple[Part, ...]:
    """How well an edit was made."""
    name, frame = made.describe(number), made.start
    metres, degrees = closed.gap[0], float(np.degrees(closed.gap[1]))
    rows = (
        ("gap", metres, "m", GAP_METRES),
        ("heading gap", degrees, "deg", GAP_DEGREES),
        ("steps changed", 100 * closed.changed, "%", 100 * MOST_CHANGED),
    )
    parts = [Part(f"{name}: {row}", value, unit, most, True, "", frame) for row, value, unit, most in rows]
    return (*parts, Part(f"{name}: bridge", made.n_bridged / model.fps, "s", None, True, "", frame))


def _parts_before(played: Played, made: MadeEdit, new: tuple[Part, ...]) -> list[Part]:
    """Parts of the report on a motion before an edit, in the frames after it; of the feet the worse."""
    kept = []
    feet = [part for part in (*played.parts, *new) if part.name == FEET]
    for part in played.parts:
        frame = None if part.frame is None else made.frame_after(part.frame)
        if part.name != FEET and (part.frame is None or frame is not None):
            kept.append(replace(part, frame=frame))
    return [*kept, *([max(feet, key=lambda part: part.value)] if feet else [])]


def placement_onto(motion: Motion, frame: int, pose: Motion) -> Placement:
    """The placement of a recorded pose that lays it onto a frame of a motion, with the least squares of its joints."""
    theirs, mine = (kinematics.world_positions(each)[0][:, [0, 2]] for each in (cut(motion, frame, frame + 1), pose))
    a, b = mine - mine.mean(axis=0), theirs - theirs.mean(axis=0)
    heading = float(np.arctan2((a[:, 1] * b[:, 0] - a[:, 0] * b[:, 1]).sum(), (a * b).sum()))
    return Placement(heading, theirs.mean(axis=0) - turn_ground(mine.mean(axis=0), heading))


def body_of(motion: object) -> Motion:
    """The motion of a body."""
    assert isinstance(motion, Motion)  # build-up makes no others
    return motion
