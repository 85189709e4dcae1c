"""Where the machines are unsure: stretches of takes that are worth a look, and how sure they are take by take."""

from dataclasses import dataclass

import numpy as np

from motionloom.conform import take_ranges
from motionloom.methods.annotate.labelling.sessions import Session
from motionloom.methods.annotate.solve import Proposals
from motionloom.motion.runs import find_runs

UNSURE = 0.75  # confidence below which a frame is worth a look
SHORTEST = 0.3  # seconds that such a stretch lasts
NEAR = 0.3  # seconds between two stretches that are looked at together


@dataclass(frozen=True)
class Unsure:
    """A stretch of a take in which it is not clear whether a label holds."""

    take: str
    label: str  # the one that is least clear
    start: int  # frames of the take
    stop: int
    confidence: float  # of that label, mean over the stretch


def find_unsure(session: Session, found: Proposals) -> list[Unsure]:
    """The stretches in which some label is unclear, take by take in order."""
    view, stretches = session.view, []
    for take, confidences in found.confidences.items():
        if not confidences.shape[1]:
            continue
        for start, stop in _stretches(confidences.min(axis=1) < UNSURE, view.fps):
            sure = confidences[start:stop].mean(axis=0)
            flags = np.zeros(len(confidences), bool)
            flags[start:stop] = True
            frames = take_ranges(view, take, flags)
            column = int(sure.argmin())
            stretches.append(Unsure(take, found.labels[column], frames[0][0], frames[-1][1], float(sure[column])))
    return stretches


def mean_confidences(found: Proposals) -> dict[str, float]:
    """By take, how sure the machines are of what nobody has verified; takes of which all is verified are left out."""
    return {
        take: float(found.confidences[take][tracks != 0].mean())
        for take, tracks in found.tracks.items()
        if (tracks != 0).any()
    }


def _stretches(flags: np.ndarray, fps: float) -> list[tuple[int, int]]:
    """Runs of flags, near ones as one, short ones left out."""
    runs: list[tuple[int, int]] = []
    for start, stop in find_runs(flags):
        if runs and start - runs[-1][1] < NEAR * fps:
            runs[-1] = (runs[-1][0], stop)
        else:
            runs.append((start, stop))
    return [run for run in runs if run[1] - run[0] >= SHORTEST * fps]
