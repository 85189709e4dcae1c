"""Choosing joins: how each cut of a plan is joined, so that it jolts no more than the recordings beside it do.

Several ways are tried on the frames around each cut, with the feet planted, and the one that adds the least
acceleration to what the two recordings have there themselves is taken. Joins stay out of locked frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly.plans.join import Join
from motionloom.assembly.plans.plan import Piece, Plan, Recorded, fit_join
from motionloom.assembly.playing.assemble import join_pieces, source_motion, step_at_joins
from motionloom.assembly.playing.bend_and_plant import USUAL_FEET, bend_and_plant
from motionloom.caching import Recent
from motionloom.conform import View
from motionloom.motion import Motion, Placement, compose, cut, invert
from motionloom.motion.angles import wrap_angle
from motionloom.quality import MotionBars
from motionloom.quality.acceleration_bars import motion_sizes
from motionloom.tasks import Stop, check_stop

WAYS = (  # in the order in which they are preferred where they are equally smooth
    Join("inertialize", 0.45),
    Join("displacement", 0.3),
    Join("displacement", 0.45),
    Join("inertialize", 0.3),
    Join("crossfade", 0.5),
    Join("inertialize", 0.6),
)
WAYS_BEFORE = (Join("arrive", 0.45), Join("arrive", 0.3), Join("arrive", 0.6))  # where the piece after must stay
BETWEEN_LOCKED = Join("displacement", 0.1)  # where both must stay: short, for nothing else can be done
AROUND = 1.0  # seconds on both sides of a cut that are tried
WINDOW = 0.3  # seconds on both sides in which acceleration is looked at
SHORTEST = 0.1  # seconds that a join takes at least
TRIED = 3  # ways at most that are tried with planted feet
EQUAL = 0.03  # of a bar: ways that differ by less are equally smooth
SAME_PLACE = 6  # decimals of metres and radians: pieces that are nearer are at the same place, whatever led there
KEPT = 5000  # choices that are remembered


class ChosenJoins(Recent[tuple, Join]):
    """How cuts were joined before, by the pieces beside them: for many plans; trying takes long."""

    def __init__(self, at_most: int = KEPT) -> None:
        super().__init__(at_most)


def choose_joins(
    plan: Plan,
    view: View | None,
    bars: MotionBars,
    *,
    locked: Sequence[range] = (),
    known: ChosenJoins | None = None,
    stop: Stop | None = None,
) -> Plan:
    """Choose how each cut of a plan is joined.

    Args:
        plan: of pieces that meet in cuts; the joins that it has are replaced.
        view: that its recorded pieces are from; None where there are none.
        bars: of the recordings.
        locked: frames of the outcome that stay as they are.
        known: what was chosen for cuts of other plans, to be looked up and added to.
        stop: asked at every cut; if it answers True, `Stopped` is raised.
    """
    known = ChosenJoins() if known is None else known
    joins = list[Join]()
    for number in range(len(plan.joins)):
        check_stop(stop)
        room, pair = _room(plan, locked, number), _around(plan, number)
        ways, held = _ways(room, plan.fps), room.locked_in(pair)
        key = _key(plan, pair, ways, held, bars) if _is_recorded(pair) else None
        join = known.get(key) if key is not None else None
        if join is None:
            join = _choose(plan, pair, view, ways, held, bars)
            if key is not None:
                known.put(key, join)
        joins.append(fit_join(plan.pieces[number : number + 2], join, plan.fps))
    return replace(plan, joins=tuple(joins))


def usual_joins(plan: Plan, locked: Sequence[range] = ()) -> Plan:
    """Join each cut in the usual way, which no other was tried against: at once, and out of locked frames as well."""
    joins = [
        fit_join(plan.pieces[number : number + 2], _ways(_room(plan, locked, number), plan.fps)[0], plan.fps)
        for number in range(len(plan.joins))
    ]
    return replace(plan, joins=tuple(joins))


@dataclass(frozen=True)
class _Room:
    """Frames that a join may change on its sides."""

    before: int
    after: int

    def locked_in(self, pair: tuple[Piece, Piece]) -> tuple[int, ...]:
        """Frames of two pieces together that must stay."""
        begin, end = pair[0].n_frames, pair[0].n_frames + pair[1].n_frames
        return (*range(max(begin - self.before, 0)), *range(min(begin + self.after, end), end))


def _room(plan: Plan, locked: Sequence[range], number: int) -> _Room:
    """As far as the pieces go, or as the next locked frame."""
    begin = plan.begins[number + 1]
    before, after = (piece.n_frames for piece in plan.pieces[number : number + 2])
    for frames in locked:
        if frames.start < begin:
            before = min(before, max(begin - frames.stop, 0))
        if frames.stop > begin:
            after = min(after, max(frames.start - begin, 0))
    return _Room(before, after)


def _ways(room: _Room, fps: float) -> list[Join]:
    """Ways to join in a room, made shorter where it is small; whatever becomes too short is left out."""
    fitting: dict[Join, None] = {}
    for join in (*WAYS, *WAYS_BEFORE):
        seconds = min(join.seconds, join.longest(room.before, room.after, fps))
        if seconds >= SHORTEST and (join in WAYS or room.after < WAYS[0].seconds * fps):
            fitting[replace(join, seconds=seconds)] = None
    return [*fitting] or [_shortest(room, fps)]


def _shortest(room: _Room, fps: float) -> Join:
    """What is left where there is hardly any room: on one side if there is more, else a little on both."""
    if max(room.before, room.after) <= 1:
        return BETWEEN_LOCKED
    kind = "arrive" if room.before > room.after else "inertialize"
    return Join(kind, max(room.before, room.after) / fps)


def _choose(
    plan: Plan,
    pair: tuple[Piece, Piece],
    view: View | None,
    ways: Sequence[Join],
    held: Sequence[int],
    bars: MotionBars,
) -> Join:
    """The way that adds the least acceleration around one cut.

    Planting hardly ever calms a join, so the ways are tried with planted feet in the order of how calm they are
    without, until none is left that could be better.
    """
    if len(ways) == 1:
        return ways[0]
    own = np.maximum(*(_own_peaks(piece, edge, view, bars) for piece, edge in zip(pair, ("stop", "start"))))
    plans = [replace(plan, pieces=pair, joins=(fit_join(pair, way, plan.fps),)) for way in ways]
    tried = [join_pieces(each, view) for each in plans]
    added = np.array([_added(joined.motion, pair[0].n_frames, own, bars) for joined in tried])
    best, least = 0, np.inf
    for i in np.argsort(np.floor((added - added.min()) / EQUAL), kind="stable")[:TRIED]:
        if least <= added[i] + EQUAL:
            break
        stepped = step_at_joins(tried[i], plans[i], held)
        planted = bend_and_plant(stepped.motion, stepped.contacts, USUAL_FEET, footing=stepped.footing).motion
        after = _added(planted, pair[0].n_frames, own, bars)
        if after < least - EQUAL:
            best, least = int(i), after
    return ways[best]


def _key(plan: Plan, pair: tuple[Piece, Piece], ways: Sequence[Join], locked: Sequence[int], bars: MotionBars) -> tuple:
    """All that `_choose` depends on; where on the ground the two pieces are together makes no difference to it."""
    before, after = pair
    apart = compose(invert(before.placement), after.placement)
    heading, *slide = np.round([wrap_angle(apart.heading), *apart.slide], SAME_PLACE) + 0.0
    alone = replace(before, placement=Placement.none()), replace(after, placement=Placement(heading, np.array(slide)))
    held = (bars.names, bars.accelerations.tobytes())
    return plan.view, plan.skeleton, plan.fps, *(piece.content_key for piece in alone), *ways, tuple(locked), held


def _around(plan: Plan, number: int) -> tuple[Piece, Piece]:
    """The two pieces of a join, no more than is looked at."""
    before, after = plan.pieces[number : number + 2]
    n_frames = round(AROUND * plan.fps)
    return _shorter(before, slice(-n_frames, None)), _shorter(after, slice(n_frames))


def _shorter(piece: Piece, frames: slice) -> Piece:
    """Some of the frames that a piece plays, at its pace."""
    if piece.time_warp is not None:
        return replace(piece, time_warp=piece.time_warp[frames])
    kept = range(piece.start, piece.stop)[frames]
    return replace(piece, start=kept.start, stop=kept.stop)


def _own_peaks(piece: Piece, edge: str, view: View | None, bars: MotionBars) -> np.ndarray:
    """(J,) highest acceleration / bar of a recording on its side of a cut, and a little beyond it."""
    source = source_motion(piece, view)
    width = round(WINDOW * source.fps)
    frame = getattr(piece, edge)
    start, stop = (frame - width, frame + width // 4) if edge == "stop" else (frame - width // 4, frame + width)
    clip = cut(source, max(start, 0), min(stop, source.n_frames))
    return (motion_sizes(clip)[0] / bars.accelerations).max(axis=0)


def _added(motion: Motion, begin: int, own: np.ndarray, bars: MotionBars) -> float:
    """Acceleration / bar that a join adds to what its recordings have, in the joint where that is most."""
    width = round(WINDOW * motion.fps)
    near = cut(motion, max(begin - width, 0), min(begin + width, motion.n_frames))
    peaks = (motion_sizes(near)[0] / bars.accelerations).max(axis=0)
    return float((peaks - own).max())


def _is_recorded(pair: Sequence[Piece]) -> bool:
    """Whether both pieces are named by their recording, so that their names tell which frames they have."""
    return all(isinstance(piece.source, Recorded) and piece.time_warp is None for piece in pair)
