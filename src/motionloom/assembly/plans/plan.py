"""Plan: the answer of a method before it is frames. What to play, where, how fast, and joined how."""

import hashlib
import json
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from motionloom.assembly.plans.join import Join
from motionloom.assembly.requests.plain_data import plain
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Footing, Motion, Placement, PointMotion

SAME_RATE = 1e-6  # of a rate: nearer ones are the same
ROUNDING = 1e-6  # of a frame: a time warp may be so far beyond its piece


@dataclass(frozen=True)
class Recorded:
    """A motion of the view that a plan was made for."""

    name: str

    @property
    def content_key(self) -> str:
        """The same for sources with the same frames, if they are of one view."""
        return self.name


@dataclass(frozen=True, eq=False)
class Generated:
    """A motion that a model made, of a body or of points."""

    motion: Motion | PointMotion
    model: str  # its name
    parameters: Mapping[str, Any] = field(default_factory=dict)  # that the motion came from; plain data
    contacts: np.ndarray | None = None  # (F, 4) bool of a body where the model knows them; else they are detected
    footing: Footing = field(default_factory=Footing)  # what its feet stand on besides the floor

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", plain(self.parameters, f"parameters of '{self.model}'"))
        if self.contacts is not None:
            object.__setattr__(self, "contacts", np.array(self.contacts, bool))

    @cached_property
    def content_key(self) -> str:
        """The same for sources with the same frames from the same parameters."""
        arrays = [*frame_arrays(self.motion), *([] if self.contacts is None else [self.contacts])]
        arrays += [self.footing.to_rows()] if self.footing.supports else []
        points = self.motion.names if isinstance(self.motion, PointMotion) else ()
        return _digest([self.model, self.parameters, points], arrays)


@dataclass(frozen=True, eq=False)
class Bent:
    """Frames of a motion of the view that were bent beforehand: each still shows a frame of its recording."""

    name: str  # of the motion in the view
    motion: Motion
    frames: np.ndarray  # (F,) the frame of the take that each shows
    contacts: np.ndarray  # (F, 4) bool
    footing: Footing = field(default_factory=Footing)  # what its feet stand on besides the floor

    def __post_init__(self) -> None:
        object.__setattr__(self, "frames", np.array(self.frames, float))
        object.__setattr__(self, "contacts", np.array(self.contacts, bool))

    @cached_property
    def content_key(self) -> str:
        """The same for sources with the same frames of the same recording."""
        return _digest([self.name], [*frame_arrays(self.motion), self.frames, self.contacts])


Source = Recorded | Generated | Bent


@dataclass(frozen=True, eq=False)
class Piece:
    """One motion or clip in a plan: frames [start, stop) of a source, where on the ground and how fast they play.

    What the source has before `start` and after `stop` is not played, but joins may use it.
    """

    source: Source
    start: int
    stop: int
    placement: Placement = field(default_factory=Placement.none)
    time_warp: np.ndarray | None = None  # (M,) frames of the source, one per frame played; None to play all as they are

    def __post_init__(self) -> None:
        for end in ("start", "stop"):
            object.__setattr__(self, end, _whole(getattr(self, end), f"piece '{self.name}': {end}"))
        if self.time_warp is not None:
            warp = np.array(self.time_warp, float)
            warp.setflags(write=False)
            object.__setattr__(self, "time_warp", warp)
        _check_piece(self)

    @property
    def name(self) -> str:
        """Of the recording, or of the model."""
        return self.source.model if isinstance(self.source, Generated) else self.source.name

    @property
    def n_frames(self) -> int:
        """Frames that it plays."""
        return self.stop - self.start if self.time_warp is None else len(self.time_warp)

    @property
    def times(self) -> np.ndarray:
        """(M,) frame of the source that each frame played shows."""
        return np.arange(self.start, self.stop, dtype=float) if self.time_warp is None else self.time_warp

    @property
    def content_key(self) -> tuple:
        """The same for pieces that play the same frames at the same place, if they are of one view."""
        place = (float(self.placement.heading), *map(float, self.placement.slide))
        warp = None if self.time_warp is None else self.time_warp.tobytes()
        return type(self.source).__name__, self.source.content_key, self.start, self.stop, place, warp

    def describe(self) -> str:
        """One line: what, which frames, where."""
        x, z = np.round(self.placement.slide, 2) + 0.0  # no -0.00
        heading = round(np.degrees(self.placement.heading)) % 360
        pace = "" if self.time_warp is None else f" in {len(self.time_warp)} frames"
        kind = {Recorded: "", Generated: " (generated)", Bent: " (bent)"}[type(self.source)]
        first, last = self.start, self.stop
        if isinstance(self.source, Bent):
            first, last = round(self.source.frames[first]), round(self.source.frames[last - 1]) + 1
        return f"{self.name}{kind} [{first}, {last}){pace} at ({x:.2f}, {z:.2f}) m, {heading} deg"


@dataclass(frozen=True, eq=False)
class Plan:
    """Pieces that play one after another, and a join between each and the next.

    A join changes frames on its sides, never their number: a plan lasts as long as its pieces together. All pieces are
    of one skeleton, or all of the same points; points join by plain cuts.
    """

    pieces: tuple[Piece, ...]
    joins: tuple[Join, ...]  # one less than pieces
    fps: float
    skeleton: str  # digest of the skeleton that all pieces have; "" for points
    view: str = ""  # key of the view that the recorded pieces are from
    request: Mapping[str, Any] = field(default_factory=dict)  # what was asked for, as plain data

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(self.pieces))
        object.__setattr__(self, "joins", tuple(self.joins))
        object.__setattr__(self, "fps", float(self.fps))
        object.__setattr__(self, "request", plain(self.request, "request"))
        _check_plan(self)

    @property
    def n_frames(self) -> int:
        return sum(piece.n_frames for piece in self.pieces)

    @property
    def begins(self) -> tuple[int, ...]:
        """The frame of the answer that each piece begins with."""
        return tuple(int(n) for n in np.cumsum([0, *(piece.n_frames for piece in self.pieces[:-1])]))

    @cached_property
    def content_key(self) -> tuple:
        """The same for plans that play the same frames, whatever was asked for."""
        return self.view, self.skeleton, self.fps, self.joins, tuple(piece.content_key for piece in self.pieces)

    def describe(self) -> str:
        """A line for each piece, with the join that leads to it."""
        lines = [f"{self.n_frames / self.fps:.2f} s at {self.fps:g} frames per second, {len(self.pieces)} pieces"]
        for begin, piece, join in zip(self.begins, self.pieces, (None, *self.joins)):
            by = f"; {join.describe()}" if join is not None else ""
            lines.append(f"{begin / self.fps:8.2f} s  {piece.describe()}{by}")
        return "\n".join(lines)


def fit_join(pair: Sequence[Piece], join: Join, fps: float) -> Join:
    """The join, made shorter if the two pieces beside it are too short for it."""
    before, after = pair
    return replace(join, seconds=min(join.seconds, join.longest(before.n_frames, after.n_frames, fps)))


def fit_joins(pieces: tuple[Piece, ...], joins: tuple[Join, ...], fps: float) -> tuple[Join, ...]:
    """Make joins shorter where the pieces beside them are too short for them."""
    return tuple(fit_join(pair, join, fps) for *pair, join in zip(pieces, pieces[1:], joins))


def frame_arrays(motion: Motion | PointMotion) -> tuple[np.ndarray, ...]:
    """The arrays that say how a body or points move."""
    return (motion.root_positions, motion.local_rotations) if isinstance(motion, Motion) else (motion.positions,)


def _digest(about: Sequence[Any], arrays: Sequence[np.ndarray]) -> str:
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:32]


def _whole(value: Any, what: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise BadInput(f"{what} must be an integer, got {value!r}") from None


def _check_piece(piece: Piece) -> None:
    name = piece.name
    if not isinstance(name, str) or not name:
        raise BadInput(f"a piece of {name!r}; give the name of a recording or of a model")
    placed = [piece.placement.heading, *np.ravel(piece.placement.slide)]
    if len(placed) != 3 or not np.isfinite(placed).all():
        raise BadInput(f"piece '{name}': placed at {placed}; give a finite heading and a slide of two numbers")
    if not 0 <= piece.start < piece.stop:
        raise BadInput(f"piece '{name}': frames [{piece.start}, {piece.stop}); the first must come before the last")
    if not isinstance(piece.source, Recorded):
        _check_own_frames(piece, piece.source)
    if piece.time_warp is not None:
        _check_warp(piece, piece.time_warp)


def _check_own_frames(piece: Piece, source: Generated | Bent) -> None:
    motion = source.motion
    if piece.stop > motion.n_frames:
        raise BadInput(
            f"piece '{piece.name}': frames [{piece.start}, {piece.stop}) are out of range: the motion has "
            f"{motion.n_frames} frames"
        )
    for what, values in _frame_values(motion).items():
        bad = np.flatnonzero(~np.isfinite(values.reshape(motion.n_frames, -1)).all(axis=1))
        if len(bad):
            raise BadInput(f"piece '{piece.name}': {what} of frame {bad[0]} are not finite numbers")
    if source.contacts is not None and np.shape(source.contacts) != (motion.n_frames, 4):
        raise BadInput(
            f"piece '{piece.name}': contacts {np.shape(source.contacts)} for a motion of {motion.n_frames} frames; "
            f"give ({motion.n_frames}, 4)"
        )
    if isinstance(source, Bent) and (source.frames.shape != (motion.n_frames,) or not np.isfinite(source.frames).all()):
        raise BadInput(
            f"piece '{piece.name}': frames of the take {source.frames.shape} for a motion of {motion.n_frames} frames; "
            f"give ({motion.n_frames},) finite numbers"
        )


def _frame_values(motion: Motion | PointMotion) -> dict[str, np.ndarray]:
    """(F, ...) numbers that must be finite; a point that was not seen is NaN, and may be."""
    if isinstance(motion, PointMotion):
        return {"positions": np.nan_to_num(motion.positions, nan=0.0, posinf=np.inf, neginf=-np.inf)}
    return {"root_positions": motion.root_positions, "local_rotations": motion.local_rotations}


def _check_warp(piece: Piece, warp: np.ndarray) -> None:
    if warp.ndim != 1 or not len(warp) or not np.isfinite(warp).all():
        raise BadInput(f"piece '{piece.name}': a time warp is (M,) finite frames of the source, not {warp.shape}")
    back = np.flatnonzero(np.diff(warp) < 0)
    if len(back):
        i = int(back[0])
        raise BadInput(
            f"piece '{piece.name}': its time warp goes back, from frame {warp[i]:g} to {warp[i + 1]:g} at {i + 1}; "
            "a time warp must not decrease"
        )
    if warp[0] < piece.start - ROUNDING or warp[-1] > piece.stop - 1 + ROUNDING:
        raise BadInput(
            f"piece '{piece.name}': its time warp shows frames {warp[0]:g} to {warp[-1]:g}, outside "
            f"[{piece.start}, {piece.stop})"
        )


def _check_plan(plan: Plan) -> None:
    if not isinstance(plan.request, Mapping):
        raise BadInput(f"a plan for the request {plan.request!r}; give a mapping of what was asked for")
    if not plan.pieces:
        raise BadInput("a plan without pieces plays nothing; give at least one")
    if not 0 < plan.fps < np.inf:
        raise BadInput(f"a plan at {plan.fps} frames per second; it must be more than 0")
    if len(plan.joins) != len(plan.pieces) - 1:
        raise BadInput(
            f"{len(plan.joins)} joins for {len(plan.pieces)} pieces; between them there are {len(plan.pieces) - 1}"
        )
    for piece in plan.pieces:
        if not isinstance(piece.source, Recorded):
            _check_fits(piece, piece.source.motion, plan)
    for number, join in enumerate(plan.joins):
        _check_join(plan, number, join)


def _check_fits(piece: Piece, motion: Motion | PointMotion, plan: Plan) -> None:
    if isinstance(motion, PointMotion):
        if plan.skeleton or any(join.kind != "cut" for join in plan.joins):
            raise BadInput(f"piece '{piece.name}': points are played without a skeleton and joined by plain cuts")
    elif motion.skeleton.digest != plan.skeleton:
        raise SkeletonMismatch(
            f"piece '{piece.name}': has skeleton '{motion.skeleton.name}' ({motion.skeleton.digest}), the plan is for "
            f"{plan.skeleton}; conform it first"
        )
    if abs(motion.fps - plan.fps) > SAME_RATE * plan.fps:
        raise BadInput(
            f"piece '{piece.name}': {motion.fps:g} frames per second in a plan at {plan.fps:g}; resample it first"
        )


def _check_join(plan: Plan, number: int, join: Join) -> None:
    before, after = plan.pieces[number : number + 2]
    longest = join.longest(before.n_frames, after.n_frames, plan.fps)
    if join.seconds > longest + 1e-9:
        raise BadInput(
            f"join {number}, from '{before.name}' to '{after.name}': {join.describe()}, but pieces of "
            f"{before.n_frames} and {after.n_frames} frames allow {longest:.2f} s; shorten it, or use fit_joins"
        )
