"""Uncertainty: stretches of takes in which the classifier has low confidence, and the mean confidence of takes."""

from dataclasses import dataclass

import numpy as np

from motionloom.conform import take_ranges
from motionloom.methods.annotate.labelling.sessions import Session
from motionloom.methods.annotate.proposed_tracks import Proposals
from motionloom.motion.runs import find_runs

UNSURE = 0.75  # confidence below which a frame is uncertain
SHORTEST = 0.3  # seconds: minimum length of an uncertain stretch
NEAR = 0.3  # seconds: stretches with smaller gaps are merged


@dataclass(frozen=True)
class Unsure:
    """A stretch of a take in which the classifier is uncertain about a label."""

    take: str
    label: str  # with the lowest confidence
    start: int  # frames of the take
    stop: int
    confidence: float  # of that label, mean over the stretch


def find_unsure(session: Session, found: Proposals) -> list[Unsure]:
    """The uncertain stretches of all takes, in order."""
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
    """Mean confidence over unverified frames, by take; takes that are verified completely are left out."""
    return {
        take: float(found.confidences[take][tracks != 0].mean())
        for take, tracks in found.tracks.items()
        if (tracks != 0).any()
    }


def _stretches(flags: np.ndarray, fps: float) -> list[tuple[int, int]]:
    """Runs of true flags; near runs are merged, short ones left out."""
    runs: list[tuple[int, int]] = []
    for start, stop in find_runs(flags):
        if runs and start - runs[-1][1] < NEAR * fps:
            runs[-1] = (runs[-1][0], stop)
        else:
            runs.append((start, stop))
    return [run for run in runs if run[1] - run[0] >= SHORTEST * fps]
