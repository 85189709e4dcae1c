"""A picture of a finished timeline: what was painted, the poses that came of it, and the takes they are from."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionloom.assembly import Result
from motionloom.render import PaintedTrack, PlayedRun, TimelineSheet, write_timeline_sheet


def draw_sheet(path: str | Path, result: Result, title: str = "") -> None:
    """Draw a result as a timeline sheet, a PNG; all that is drawn is in its motion and in the details of its report.

    Args:
        path: where to.
        result: of a timeline.
        title: the heading of the sheet.
    """
    found, n_frames = result.report.details, result.motion.n_frames
    sheet = TimelineSheet(
        motion=result.motion,
        tracks=[
            PaintedTrack(track["label"], _fill(n_frames, track["paint"]), _fill(n_frames, track["holds"]))
            for track in found["tracks"]
        ],
        runs=[PlayedRun(piece["start"], piece["stop"], piece["take"]) for piece in found["pieces"]],
        footing=result.character.footing,
        contacts=result.contacts,
        places=[(*place["position"], place["heading"]) for place in found["places"] if place["position"] is not None],
        forced=[(clip["start"], clip["stop"]) for clip in found["forced"]],
        sentences=_sentences(result),
    )
    write_timeline_sheet(path, sheet, title)


def _fill(n_frames: int, runs: Sequence[Sequence[int]]) -> np.ndarray:
    """(F,) values of runs (start, stop, value); 0 elsewhere."""
    values = np.zeros(n_frames, np.int8)
    for start, stop, value in runs:
        values[start:stop] = value
    return values


def _sentences(result: Result) -> list[str]:
    """What was missed and why, else that all is well; then what else should be known."""
    missed = [f"{part.name}: {part.why_not}" for part in result.report.parts if not part.met]
    return [*(missed or ["everything that was asked for is met"]), *result.report.notes]
