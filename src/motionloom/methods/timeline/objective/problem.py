"""A request made definite: frames instead of times, blocks instead of takes, and everything checked against a model."""

from dataclasses import dataclass

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.conform.view import take_of
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.request import ForcedFrames, Paint, Place, Request
from motionloom.motion import Placement

MUST, MUST_NOT = 1, -1
LONGEST = 3600.0  # seconds of one request


@dataclass(frozen=True)
class ForcedClip:
    """Frames of the model that must be played at a time."""

    at: int  # frame of the answer
    first: int  # frame of the model
    n_frames: int
    name: str  # of the motion in the view

    @property
    def stop(self) -> int:
        """One past the last frame of the answer that is forced."""
        return self.at + self.n_frames


@dataclass(frozen=True, eq=False)
class GroundPlace:
    """Where to be in one frame of the answer."""

    frame: int
    position: np.ndarray | None  # (2,) metres along x and z
    heading: float | None  # radians
    weight: float


@dataclass(frozen=True, eq=False)
class Problem:
    """What a search has to solve."""

    n_frames: int
    labels: tuple[str, ...]  # L that are painted anywhere
    paint: np.ndarray  # (F, L) int8: +1 must, -1 must not, 0 do not care
    tracks: np.ndarray  # (N, L) int8 of the model: +1 holds, -1 does not, 0 unknown
    forced: tuple[ForcedClip, ...]  # in order of time, not overlapping
    places: tuple[GroundPlace, ...]  # in order of time; without the start
    start: Placement  # where the first frame stands, and faces
    cut_weight: float  # wrong frames that one usual distance at a cut is worth
    fee: float  # usual distances that every cut costs besides its own


def pose_problem(model: Model, request: Request) -> Problem:
    """Make a request definite; whatever makes no sense is refused in one sentence."""
    n_frames = frames_of(request.length, model.fps)
    if not 0 < n_frames <= LONGEST * model.fps:
        raise BadInput(f"length is {request.length}: {n_frames} frames; ask for 1 frame or more, and at most an hour")
    if abs(request.fps - model.fps) > 1e-6:
        raise BadInput(
            f"the request is at {request.fps:g} frames per second, the model at {model.fps:g}; prepare again"
        )
    labels = tuple(dict.fromkeys(paint.label for paint in request.labels))
    start, places = _place(request.places, model, n_frames)
    return Problem(
        n_frames=n_frames,
        labels=labels,
        paint=_paint(request.labels, labels, model, n_frames),
        tracks=np.ascontiguousarray(model.tracks[:, [model.labels.index(label) for label in labels]]),
        forced=_force(request, model, n_frames),
        places=places,
        start=start,
        cut_weight=request.cut_weight,
        fee=model.settings.fee,
    )


def wrong_cells(problem: Problem, frames: np.ndarray) -> np.ndarray:
    """(F, L) how wrong each painted cell is if these (F,) frames of the model are played: 0, 0.5 unknown, 1 wrong."""
    paint = problem.paint
    return np.where(paint != 0, (1 - paint * problem.tracks[frames]) / 2, 0.0)


def _paint(paints: tuple[Paint, ...], labels: tuple[str, ...], model: Model, n_frames: int) -> np.ndarray:
    track = np.zeros((n_frames, len(labels)), np.int8)
    for paint in paints:
        if paint.label not in model.labels:
            raise BadInput(
                f"nothing is labelled '{paint.label}'; the labels are {', '.join(model.labels) or 'none yet'}"
            )
        start, stop = _moment(paint.start, model, n_frames), _moment(paint.stop, model, n_frames)
        what = f"label '{paint.label}' from {paint.start} to {paint.stop}"
        if start >= stop:
            raise BadInput(f"{what} paints no frame; 'to' must come after 'from'")
        if stop > n_frames:
            raise BadInput(f"{what} reaches past the end at {n_frames / model.fps:g} s; make the request longer")
        column = track[start:stop, labels.index(paint.label)]
        value = MUST if paint.value == "must" else MUST_NOT
        if (column == -value).any():
            when = (start + int(np.flatnonzero(column == -value)[0])) / model.fps
            raise BadInput(f"label '{paint.label}' is painted both must and must_not at {when:.2f} s; take one away")
        column[:] = value
    return track


def _force(request: Request, model: Model, n_frames: int) -> tuple[ForcedClip, ...]:
    asked = [_clip(forced, model, n_frames) for forced in request.frames]
    if request.start_from is not None:
        asked.append(_begin(request.start_from, model, n_frames))
    clips = sorted(asked, key=lambda clip: (clip.at, clip.first, clip.n_frames))
    kept: list[ForcedClip] = []
    for clip in clips:
        before = kept[-1] if kept else None
        if before is None or clip.at >= before.stop:
            kept.append(clip)
            continue
        if clip.first - before.first != clip.at - before.at or clip.name != before.name:
            raise BadInput(
                f"at {clip.at / model.fps:.2f} s both {before.name} and {clip.name} are forced, with different frames; "
                "one frame can be played at a time"
            )
        longest = max(before.stop, clip.stop) - before.at  # they say the same where they overlap
        kept[-1] = ForcedClip(before.at, before.first, longest, before.name)
    return tuple(kept)


def _begin(take: str, model: Model, n_frames: int) -> ForcedClip:
    """The whole of a motion that was made before, at the start."""
    name = TakeFinder([*model.view.names]).find(take)
    start, stop = model.view.range_of(name)
    if stop - start >= n_frames:
        raise BadInput(
            f"start_from {name} lasts {(stop - start) / model.fps:g} s, the whole motion {n_frames / model.fps:g} s; "
            "the length counts what is gone on from, so ask for more"
        )
    return ForcedClip(0, start, stop - start, name)


def _clip(asked: ForcedFrames, model: Model, n_frames: int) -> ForcedClip:
    name = TakeFinder([*model.view.names]).find(asked.take)
    start, stop = model.view.range_of(name)
    recorded = model.view.source_frames[start:stop]
    first, last = (asked.frame,) * 2 if asked.frame is not None else (asked.start, (asked.stop or 0) - 1)
    assert first is not None and last is not None
    n_recorded = model.view.corpus.info(take_of(name)).n_frames
    if last >= n_recorded:
        raise BadInput(f"frame {last} of {name} is forced, but it is out of range: the take has {n_recorded} frames")
    i, j = (int(np.abs(recorded - frame).argmin()) for frame in (first, last))
    at = n_frames - (j - i + 1) if asked.at == "end" else _moment(asked.at, model, n_frames)
    if at < 0:
        raise BadInput(f"{name} is forced for {j - i + 1} frames, longer than the whole motion of {n_frames}")
    if at + (j - i + 1) > n_frames:
        raise BadInput(
            f"{name} is forced at {asked.at} for {j - i + 1} frames, past the end at {n_frames / model.fps:g} s; "
            "force it earlier or make the request longer"
        )
    return ForcedClip(at, start + i, j - i + 1, name)


def _place(asked: tuple[Place, ...], model: Model, n_frames: int) -> tuple[Placement, tuple[GroundPlace, ...]]:
    start = Placement.none()
    places: dict[int, GroundPlace] = {}
    taken = set[int]()
    for place in asked:
        moment = _moment(place.at, model, n_frames)
        if moment > n_frames:
            raise BadInput(f"a place at {place.at} is past the end at {n_frames / model.fps:g} s")
        frame = min(moment, n_frames - 1)
        position = None if place.position is None else np.array(place.position, float)
        heading = None if place.heading is None else float(np.radians(place.heading))
        if frame in taken:
            raise BadInput(f"two places at {place.at}; one can be reached at a time")
        taken.add(frame)
        if frame == 0:
            start = Placement(heading or 0.0, np.zeros(2) if position is None else position)
        else:
            places[frame] = GroundPlace(frame, position, heading, place.weight)
    return start, tuple(places[frame] for frame in sorted(places))


def _moment(time: str, model: Model, n_frames: int) -> int:
    return frames_of(time, model.fps, n_frames)
