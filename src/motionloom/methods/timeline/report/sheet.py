"""A picture of a finished timeline: what was painted, the poses that came of it, and the takes they are from."""

from pathlib import Path

import numpy as np

from motionloom.assembly import Result
from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import find_cuts
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.request import Request
from motionloom.render import PaintedTrack, PlayedRun, TimelineSheet, write_timeline_sheet


def draw_sheet(path: str | Path, model: Model, request: Request, result: Result, title: str = "") -> None:
    """Draw a result as a timeline sheet, a PNG.

    Args:
        path: where to.
        model: that was searched.
        request: what was asked.
        result: what came of it.
        title: the heading of the sheet.
    """
    problem, frames = pose_problem(model, request), _frames_of(model, result)
    holds = problem.tracks[frames]
    tracks = [
        PaintedTrack(label, problem.paint[:, column], holds[:, column]) for column, label in enumerate(problem.labels)
    ]
    borders = [0, *find_cuts(model, frames).tolist(), len(frames)]
    names = [model.view.names[model.motion_of[frame]] for frame in frames[borders[:-1]]]
    sheet = TimelineSheet(
        motion=result.motion,
        tracks=tracks,
        runs=[PlayedRun(start, stop, name) for start, stop, name in zip(borders, borders[1:], names)],
        contacts=result.contacts,
        places=[
            (float(place.position[0]), float(place.position[1]), place.heading)
            for place in problem.places
            if place.position is not None
        ],
        forced=[(clip.at, clip.stop) for clip in problem.forced],
        sentences=_sentences(result),
    )
    write_timeline_sheet(path, sheet, title)


def _sentences(result: Result) -> list[str]:
    """What was missed and why, else that all is well; then what else should be known."""
    missed = [f"{part.name}: {part.why_not}" for part in result.report.parts if not part.met]
    return [*(missed or ["everything that was asked for is met"]), *result.report.notes]


def _frames_of(model: Model, result: Result) -> np.ndarray:
    """(F,) frames of the model that the plan of a result plays."""
    plan = result.character.plan
    if plan is None:
        raise BadInput("the result has no plan that names the frames it plays; make it again")
    starts = [model.view.range_of(piece.name)[0] for piece in plan.pieces]
    return np.concatenate([start + np.arange(piece.start, piece.stop) for start, piece in zip(starts, plan.pieces)])
