"""A picture of a finished timeline: what was painted, the poses that came of it, and the takes they are from."""

from pathlib import Path

import numpy as np

from motionloom.assembly import Result
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import find_cuts
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.render import PaintedTrack, PlayedRun, TimelineSheet, write_timeline_sheet


def draw_sheet(
    path: str | Path, model: Model, problem: Problem, frames: np.ndarray, result: Result, title: str = ""
) -> None:
    """Draw a result as a timeline sheet, a PNG.

    Args:
        path: where to.
        model: that was searched.
        problem: that was solved.
        frames: (F,) of the model that the result plays.
        result: what was made of them.
        title: the heading of the sheet.
    """
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
