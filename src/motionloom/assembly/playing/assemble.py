"""Assembling: a plan becomes frames, with where each of them comes from and when the feet stand."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.assembly.plans.join import KINDS, Join
from motionloom.assembly.plans.plan import SAME_RATE, Bent, Generated, Piece, Plan, Recorded
from motionloom.assembly.playing.bend_and_plant import USUAL_FEET, bend_and_plant
from motionloom.assembly.playing.join_contacts import Side, join_contacts
from motionloom.assembly.playing.join_steps import Reach, find_steps, take_steps
from motionloom.assembly.playing.play_points import is_of_points, play_points
from motionloom.assembly.playing.played import Played
from motionloom.assembly.results.overstretched_sources import describe_sources
from motionloom.assembly.results.point_lines import measure_points
from motionloom.assembly.results.quality_lines import carried_part, measure_result
from motionloom.assembly.results.result import Report, Result, Timing
from motionloom.assembly.results.yardsticks import Yardsticks
from motionloom.conform import PointView, View
from motionloom.constraints import FootplantSettings, GroundTarget
from motionloom.corpus import compute_layers
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Footing, Motion, PointMotion, concatenate, cut, place, provenance, rotations, sample
from motionloom.motion.footing import concatenate_supports
from motionloom.motion.provenance import Provenance

_FIRST, _SECOND = "first", "second"


@dataclass(frozen=True, eq=False)
class Assembled:
    """Frames of a plan, before the feet are planted."""

    motion: Motion
    contacts: np.ndarray  # (F, 4) bool
    provenance: Provenance
    footing: Footing = field(default_factory=Footing)


def assemble(
    plan: Plan,
    view: View | None = None,
    *,
    footplants: FootplantSettings | None = USUAL_FEET,
    targets: Sequence[GroundTarget] = (),
    locked: Sequence[int] = (),
    yardsticks: Yardsticks | None = None,
) -> Result:
    """Make the frames of a plan: cut and warp its pieces, place them, join them, plant the feet, measure the outcome.

    Where the motion has to be at given places, it is bent to them before the feet are planted.

    Args:
        plan: what to play.
        view: that its recorded pieces are from; None for a plan of pieces that have their own frames.
        footplants: how feet are planted; None to leave them as the joins make them.
        targets: where on the ground to be in which frame of the outcome; the first frame stays where the plan has it.
        locked: frames of the outcome whose root and feet planting leaves as they are.
        yardsticks: of the recordings, from `learn_yardsticks`; None to measure only what needs none.
    """
    played = play(plan, view, footplants=footplants, targets=targets, locked=locked)
    return measure_played(played, yardsticks)


def play(
    plan: Plan,
    view: View | None = None,
    *,
    footplants: FootplantSettings | None = USUAL_FEET,
    targets: Sequence[GroundTarget] = (),
    locked: Sequence[int] = (),
) -> Played:
    """Make the frames of a plan as `assemble` does, and measure nothing: what takes half as long."""
    if is_of_points(plan):
        return play_points(plan)
    check_plan(plan, view)
    clock = [time.perf_counter()]
    joined = step_at_joins(join_pieces(plan, view), plan, locked)
    clock.append(time.perf_counter())
    planted = bend_and_plant(joined.motion, joined.contacts, footplants, targets, locked, joined.footing)
    clock.append(time.perf_counter())
    steps = ("assembling", "bending and planting feet" if targets else "planting feet")
    timings = tuple(Timing(step, float(seconds)) for step, seconds in zip(steps, np.diff(clock)))
    notes = _notes(plan, view) + planted.notes
    origins = joined.provenance
    return Played(
        plan,
        planted.motion,
        joined.contacts,
        origins,
        joined.motion,
        planted.parts,
        timings,
        notes,
        footing=planted.footing,
        footing_before=joined.footing,
    )


def measure_played(played: Played, yardsticks: Yardsticks | None = None, points: PointView | None = None) -> Result:
    """Measure how good the frames of a plan are.

    Args:
        played: the frames.
        yardsticks: of recorded bodies; None to measure only what needs none.
        points: recordings of the same markers, for points; None to measure nothing of them.
    """
    if isinstance(played.motion, PointMotion):
        return _measure_points(played, played.motion, points)
    assert played.contacts is not None and played.before is not None
    began = time.perf_counter()
    joins = played.plan.begins[1:]
    quality, nearest = measure_result(
        played.motion,
        played.before,
        played.contacts,
        joins,
        yardsticks,
        footing=(played.footing, played.footing_before),
    )
    timings = (*played.timings, Timing("measuring", time.perf_counter() - began))
    character, notes = played.character, played.notes
    if yardsticks is not None:
        notes = (*notes, *describe_sources(played.provenance, yardsticks.view.corpus))
    if yardsticks is not None and nearest is not None:
        origins = provenance.note_nearest(played.provenance, yardsticks.where(nearest))
        character = replace(character, provenance=origins)
    parts = (*played.parts, *carried_part(quality))
    return Result((character,), Report(played.plan.request, parts, quality, timings, notes))


def _measure_points(played: Played, motion: PointMotion, points: PointView | None) -> Result:
    began = time.perf_counter()
    quality, nearest = measure_points(motion, points)
    timings = (*played.timings, Timing("measuring", time.perf_counter() - began))
    character = played.character
    if nearest is not None:
        character = replace(character, provenance=provenance.note_nearest(played.provenance, nearest))
    return Result((character,), Report(played.plan.request, played.parts, quality, timings, played.notes))


def check_plan(plan: Plan, view: View | None) -> None:
    """Raise unless a view has all that a plan wants to play."""
    recorded = [piece for piece in plan.pieces if isinstance(piece.source, Recorded)]
    if view is None:
        if recorded:
            raise BadInput(f"piece '{recorded[0].name}' is a recording; give the view that it is from")
        return
    if view.skeleton.digest != plan.skeleton:
        raise SkeletonMismatch(
            f"the plan is for skeleton {plan.skeleton}, the view has '{view.skeleton.name}' ({view.skeleton.digest}); "
            "make a view with the same reference"
        )
    if abs(view.fps - plan.fps) > SAME_RATE * plan.fps:
        raise BadInput(f"the plan has {plan.fps:g} frames per second, the view {view.fps:g}; make one at the same rate")
    for piece in recorded:
        start, stop = view.range_of(piece.name)
        n_frames = stop - start
        if piece.stop > n_frames:
            raise BadInput(
                f"piece '{piece.name}': frames [{piece.start}, {piece.stop}) are out of range: in the view it has "
                f"{n_frames} frames"
            )


def join_pieces(plan: Plan, view: View | None) -> Assembled:
    """Cut, warp, place and join the pieces of a plan, one after another."""
    reaches = [_handle_frames(join, plan.fps) for join in plan.joins]
    played = [_play(piece, view, lead, trail) for piece, lead, trail in zip(plan.pieces, [0, *reaches], [*reaches, 0])]
    done: list[_PieceFrames] = []
    current = played[0]
    for join, following in zip(plan.joins, played[1:]):
        finished, current = _join(current, following, join)
        done.append(finished)
    done.append(current)
    return Assembled(
        concatenate([part.motion for part in done]),
        np.concatenate([part.contacts for part in done]),
        provenance.concatenate([part.provenance for part in done]),
        Footing(supports=concatenate_supports((part.motion.n_frames, part.footing) for part in done)),
    )


def step_at_joins(joined: Assembled, plan: Plan, locked: Sequence[int] = ()) -> Assembled:
    """Let feet take a step where they rest on both sides of a join, at places far apart.

    Args:
        joined: the frames of the plan.
        plan: whose plain cuts are left as they are.
        locked: frames that stay as they are.
    """
    joins = [(border, join) for border, join in zip(plan.begins[1:], plan.joins) if join.kind != "cut"]
    reaches = [_reach(border, join, plan.fps) for border, join in joins]
    steps = find_steps(joined.motion, joined.contacts, reaches, locked)
    motion, contacts = take_steps(joined.motion, joined.contacts, steps)
    return replace(joined, motion=motion, contacts=contacts)


def _reach(border: int, join: Join, fps: float) -> Reach:
    kind = KINDS[join.kind]
    before, after = (int(np.ceil(part * join.seconds * fps)) for part in (kind.before, kind.after))
    return Reach(border, before, after)


def source_motion(piece: Piece, view: View | None) -> Motion:
    """The whole motion that a piece is from."""
    motion = piece.source.motion if not isinstance(piece.source, Recorded) else _view_of(piece, view).motion(piece.name)
    assert isinstance(motion, Motion)  # plans of points are played apart
    return motion


def _view_of(piece: Piece, view: View | None) -> View:
    if view is None:
        raise BadInput(f"piece '{piece.name}' is a recording; give the view that it is from")
    return view


@dataclass(frozen=True, eq=False)
class _PieceFrames:
    """A piece as frames, with what its source has before and after it as far as joins want it."""

    motion: Motion  # lead + played + trail frames
    contacts: np.ndarray  # (F, 4) bool
    provenance: Provenance
    footing: Footing
    lead: int
    trail: int

    @property
    def n_played(self) -> int:
        return self.motion.n_frames - self.lead - self.trail


def _play(piece: Piece, view: View | None, lead: int, trail: int) -> _PieceFrames:
    """Read a piece from its source, with up to so many frames more on each side as there are."""
    source, contacts, footing, origin = _source_of(piece, view)
    times, lead, trail = _times(piece, source.n_frames, lead, trail)
    nearest = np.clip(np.round(times).astype(int), 0, source.n_frames - 1)
    is_plain = np.array_equal(times, nearest[0] + np.arange(len(times)))
    motion = cut(source, nearest[0], nearest[-1] + 1) if is_plain else sample(source, times)
    return _PieceFrames(
        place(motion, piece.placement),
        contacts[nearest],
        provenance.take_frames(origin, times),
        footing.sampled(times).moved(piece.placement),
        lead,
        trail,
    )


def _source_of(piece: Piece, view: View | None) -> tuple[Motion, np.ndarray, Footing, Provenance]:
    """The whole motion that a piece is from, with its contacts, their footing and where its frames come from."""
    motion = source_motion(piece, view)
    if isinstance(piece.source, Generated):
        contacts = piece.source.contacts
        if contacts is None:
            contacts = compute_layers(motion, 0.0, ["contacts"])["contacts"]
        origin = provenance.generated(piece.name, motion.n_frames, piece.source.parameters)
        return motion, contacts, piece.source.footing, origin
    if isinstance(piece.source, Bent):
        origin = provenance.recorded(piece.name, piece.source.frames)
        return motion, piece.source.contacts, piece.source.footing, origin
    view = _view_of(piece, view)
    start, stop = view.range_of(piece.name)
    frames = provenance.recorded(piece.name, view.source_frames[start:stop])
    return motion, view.layer(piece.name, "contacts"), view.footing(piece.name), frames


def _times(piece: Piece, n_frames: int, lead: int, trail: int) -> tuple[np.ndarray, int, int]:
    """Frames of the source to show, before and after the piece too, as far as the source has them."""
    times = piece.times
    slope = np.diff(times[:2]), np.diff(times[-2:])
    first, last = (float(step[0]) if len(step) and step[0] > 0 else 1.0 for step in slope)
    before = times[0] - first * np.arange(lead, 0, -1)
    after = times[-1] + last * np.arange(1, trail + 1)
    before, after = before[before >= 0], after[after <= n_frames - 1]
    return np.concatenate([before, times, after]), len(before), len(after)


def _handle_frames(join: Join, fps: float) -> int:
    """How many frames beside its pieces a join looks at: its reach, and a few to tell velocities from."""
    return int(np.ceil((join.seconds + 0.1) * fps)) + 1


def _join(first: _PieceFrames, second: _PieceFrames, join: Join) -> tuple[_PieceFrames, _PieceFrames]:
    """Join two pieces; the first is finished then, the second has its trail still to be joined."""
    n_first = first.n_played
    if join.kind == "cut":
        return _without_trail(first), _without_lead(second)
    if not first.trail:
        first = _go_on(first)
    joined = KINDS[join.kind].run(
        first.motion, second.motion, seconds=join.seconds, leave=n_first, enter=second.lead, names=(_FIRST, _SECOND)
    )
    traced = provenance.trace(joined.provenance, {_FIRST: first.provenance, _SECOND: second.provenance})
    sides = Side(first.motion, first.contacts, 0), Side(second.motion, second.contacts, n_first - second.lead)
    footing = _join_footing(first, second, n_first)
    whole = _PieceFrames(joined.motion, join_contacts(joined, *sides, _SECOND), traced, footing, 0, second.trail)
    return _slice(whole, 0, n_first, 0), _slice(whole, n_first, whole.motion.n_frames, second.trail)


def _join_footing(first: _PieceFrames, second: _PieceFrames, n_first: int) -> Footing:
    """Each side has its supports in its own frames, also while the join blends them."""
    own, following = first.footing.cut(0, n_first), second.footing.cut(second.lead, second.motion.n_frames)
    n_second = second.motion.n_frames - second.lead
    return Footing(supports=concatenate_supports([(n_first, own), (n_second, following)]))


def _go_on(played: _PieceFrames) -> _PieceFrames:
    """A piece at the end of its source goes on for one frame as it moved last, so that it can meet the next."""
    motion = played.motion
    before, last = max(motion.n_frames - 2, 0), motion.n_frames - 1
    turn = rotations.multiply(rotations.inverse(motion.local_rotations[before]), motion.local_rotations[last])
    root = 2 * motion.root_positions[last] - motion.root_positions[before]
    local = rotations.multiply(motion.local_rotations[last], turn)
    more = replace(motion, root_positions=root[None], local_rotations=local[None])
    again = provenance.cut(played.provenance, last, last + 1)
    return _PieceFrames(
        concatenate([motion, more]),
        np.concatenate([played.contacts, played.contacts[-1:]]),
        provenance.concatenate([played.provenance, again]),
        played.footing,
        played.lead,
        1,
    )


def _without_trail(played: _PieceFrames) -> _PieceFrames:
    return _slice(played, 0, played.motion.n_frames - played.trail, 0)


def _without_lead(played: _PieceFrames) -> _PieceFrames:
    return _slice(played, played.lead, played.motion.n_frames, played.trail)


def _slice(played: _PieceFrames, start: int, stop: int, trail: int) -> _PieceFrames:
    return _PieceFrames(
        cut(played.motion, start, stop),
        played.contacts[start:stop],
        provenance.cut(played.provenance, start, stop),
        played.footing.cut(start, stop),
        0,
        trail,
    )


def _notes(plan: Plan, view: View | None) -> tuple[str, ...]:
    if view is None or not plan.view or plan.view == view.key:
        return ()
    return ("the plan was made with another view of the corpus; its pieces were found by their names",)
