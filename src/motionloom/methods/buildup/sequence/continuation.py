"""Continuing: a finished motion whose plan begins as another one does is kept so far, and only the rest is performed.

For motions that are shown while the whole is performed: what was finished before is joined to what is new as it would
be in the whole, in the usual way, but frames that were finished stay, however what comes behind them would have moved
them. Joins and planting reach back into them for so far as `WINDOW` says.
"""

from collections.abc import Sequence as Several
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly import Bent, Join, Part, Piece, Plan, Played, Recorded, fit_joins, usual_joins
from motionloom.assembly.playing.assemble import Assembled, join_pieces, step_at_joins
from motionloom.assembly.playing.bend_and_plant import USUAL_FEET, PlantedMotion, bend_and_plant
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.sequence.frame_replacement import FrameReplacement
from motionloom.methods.buildup.sequence.outcome import AROUND, WINDOW
from motionloom.methods.buildup.sequence.splice import BEFORE, FEET, body_of, heels_of, placement_onto
from motionloom.motion import Placement, compose, cut, invert, provenance


def common_frames(one: Plan, other: Plan) -> int:
    """How many frames two plans play alike from their beginning on, apart from how they are joined."""
    if (one.view, one.skeleton, one.fps) != (other.view, other.skeleton, other.fps):
        return 0
    played = 0
    for mine, theirs in zip(one.pieces, other.pieces):
        if mine.content_key == theirs.content_key:
            played += mine.n_frames
        elif _ends_earlier(mine, theirs):
            return played + min(mine.n_frames, theirs.n_frames)
        else:
            return played
    return played


def continue_played(model: Model, played: Played, plan: Plan, common: int, *, is_bent: bool) -> Played:
    """The motion of a plan, from a finished one that plays its first frames.

    Args:
        model: of the takes.
        played: the finished motion.
        plan: to play; its joins are chosen here.
        common: frames that both play alike, at least one; see `common_frames`.
        is_bent: the finished motion is elsewhere than its plan: the rest is moved to where it is.
    """
    if common == plan.n_frames:
        return _put(played, plan, None, common)
    rest = _after(plan, common)
    if is_bent:
        onto = _from_plan_to_motion(model, played, plan, common)
        rest = [replace(piece, placement=compose(onto, piece.placement)) for piece in rest]
    return _put(played, plan, _perform(model, played, plan, common, rest), common)


@dataclass(frozen=True, eq=False)
class _Rest:
    """The last finished frames and what is new, as frames."""

    plan: Plan
    joined: Assembled
    planted: PlantedMotion
    tail: int  # finished frames
    own: range  # that replace those of the finished motion


def _perform(model: Model, played: Played, plan: Plan, common: int, rest: Several[Piece]) -> _Rest:
    tail = min(round(AROUND * plan.fps), common)
    kept = range(max(tail - round(WINDOW * plan.fps), 0))
    finished = range(common - tail, common)
    assert played.contacts is not None
    source = Bent(
        BEFORE,
        cut(body_of(played.motion), finished.start, finished.stop),
        np.array(finished),
        played.contacts[finished.start : finished.stop],
        played.footing.cut(finished.start, finished.stop),
    )
    pieces = (Piece(source, 0, tail), *rest)
    joins = fit_joins(pieces, (Join.usual("displacement"),) * (len(pieces) - 1), plan.fps)
    local = usual_joins(replace(plan, pieces=pieces, joins=joins), [kept])
    joined = step_at_joins(join_pieces(local, model.view), local, kept)
    heels = heels_of(played)
    planted = bend_and_plant(joined.motion, joined.contacts, USUAL_FEET, (), kept, joined.footing, heels)
    return _Rest(local, joined, planted, tail, range(len(kept), local.n_frames))


def _put(played: Played, plan: Plan, rest: _Rest | None, common: int) -> Played:
    """The finished motion up to the frames that are new."""
    n_frames = body_of(played.motion).n_frames
    own = range(0) if rest is None else rest.own
    put = FrameReplacement(common - (rest.tail if rest else 0) + own.start, n_frames, own)
    joined, planted = (rest.joined, rest.planted) if rest else (None, None)
    assert played.contacts is not None
    motion, before = body_of(played.motion), body_of(played.before)
    new_contacts = played.contacts[:0] if joined is None else joined.contacts[own.start : own.stop]
    origins = joined and provenance.trace(joined.provenance, {BEFORE: played.provenance})
    return replace(
        played,
        plan=replace(plan, joins=_joins(played.plan, plan, rest, common)),
        motion=put.motion(motion, motion if planted is None else planted.motion),
        contacts=np.concatenate([played.contacts[: put.first], new_contacts]),
        provenance=put.provenance(played.provenance, origins or played.provenance),
        before=put.motion(before, before if joined is None else joined.motion),
        parts=_parts(played, planted, put.first),
        timings=(),
        notes=(*played.notes, *(planted.notes if planted else ())),
        footing=put.footing(played.footing, planted.footing if planted else played.footing, n_frames),
        footing_before=put.footing(played.footing_before, (joined or played).footing, n_frames),
    )


def _joins(before: Plan, plan: Plan, rest: _Rest | None, common: int) -> tuple[Join, ...]:
    """The joins of both parts, where the plan has its cuts."""
    known = {border: join for border, join in zip(before.begins[1:], before.joins) if border < common}
    if rest is not None:
        shift = common - rest.tail
        known |= {border + shift: join for border, join in zip(rest.plan.begins[1:], rest.plan.joins)}
    found = tuple(known.get(border, Join.usual("displacement")) for border in plan.begins[1:])
    return fit_joins(plan.pieces, found, plan.fps)


def _parts(played: Played, planted: PlantedMotion | None, first: int) -> tuple[Part, ...]:
    """What is reported of both parts; of the feet the worse."""
    kept = [part for part in played.parts if part.name != FEET and (part.frame is None or part.frame < first)]
    feet = [part for part in (*played.parts, *(planted.parts if planted else ())) if part.name == FEET]
    return (*kept, *([max(feet, key=lambda part: part.value)] if feet else []))


def _ends_earlier(mine: Piece, theirs: Piece) -> bool:
    """Whether two pieces differ in nothing but where they end."""
    if mine.time_warp is not None or theirs.time_warp is not None:
        return False
    stop = max(mine.stop, theirs.stop)
    return replace(mine, stop=stop).content_key == replace(theirs, stop=stop).content_key


def _after(plan: Plan, frame: int) -> list[Piece]:
    """The pieces of a plan from a frame on."""
    found = []
    for begin, piece in zip(plan.begins, plan.pieces):
        if begin >= frame:
            found.append(piece)
        elif begin + piece.n_frames > frame:
            found.append(replace(piece, start=piece.start + frame - begin))
    return found


def _from_plan_to_motion(model: Model, played: Played, plan: Plan, common: int) -> Placement:
    """What moves a plan to where its motion has come to in the last frame that is common."""
    number = int(np.searchsorted(plan.begins, common - 1, side="right")) - 1
    piece = plan.pieces[number]
    assert isinstance(piece.source, Recorded)
    own = round(float(piece.times[common - 1 - plan.begins[number]]))
    pose = model.view.pose(model.view.range_of(piece.name)[0] + own)
    return compose(placement_onto(body_of(played.motion), common - 1, pose), invert(piece.placement))
