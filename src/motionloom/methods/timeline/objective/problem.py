"""A request made definite: frames instead of times, blocks instead of takes, and everything checked against a model."""

from dataclasses import dataclass

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.company import Company, find_company
from motionloom.methods.timeline.objective.forced_clips import (
    ForcedClip,
    ForcedRun,
    Painted,
    bring_own_frames,
    find_forced,
)
from motionloom.methods.timeline.request import Paint, Place, Request
from motionloom.motion import Placement

MUST, MUST_NOT = 1, -1
LONGEST = 3600.0  # seconds of one request


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
    company: Company  # what frames do besides what is painted
    forced: tuple[ForcedClip, ...]  # in order of time, not overlapping
    runs: tuple[ForcedRun, ...]  # of each: what it brings of its own recording, which every answer plays
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
    paint = _paint(request.labels, labels, model, n_frames)
    tracks = np.ascontiguousarray(model.tracks[:, [model.labels.index(label) for label in labels]])
    forced = find_forced(request, model, n_frames)
    return Problem(
        n_frames=n_frames,
        labels=labels,
        paint=paint,
        tracks=tracks,
        company=find_company(model, labels, paint),
        forced=forced,
        runs=bring_own_frames(model, forced, n_frames, Painted(labels, paint, tracks)),
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
        start, stop = frames_of(paint.start, model.fps, n_frames), frames_of(paint.stop, model.fps, n_frames)
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


def _place(asked: tuple[Place, ...], model: Model, n_frames: int) -> tuple[Placement, tuple[GroundPlace, ...]]:
    start = Placement.none()
    places: dict[int, GroundPlace] = {}
    taken = set[int]()
    for place in asked:
        moment = frames_of(place.at, model.fps, n_frames)
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
