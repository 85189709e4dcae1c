"""Proposals: label tracks with confidences for frames that are not verified."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.classify.model import Model
from motionloom.classify.viterbi import decide_track
from motionloom.methods.annotate.request import Request

CERTAIN = 20.0  # decision value, in margins, of a verified window


@dataclass(frozen=True, eq=False)
class Proposals:
    """Proposed label tracks of takes, at the view's frame rate."""

    labels: tuple[str, ...]  # L labels that have verified frames somewhere
    tracks: Mapping[str, np.ndarray]  # by take, (F, L) int8: +1 holds, -1 does not, 0 where a person has verified it
    confidences: Mapping[str, np.ndarray]  # by take, (F, L) probability, 0 to 1, that the track is right


def propose_tracks(model: Model, request: Request | None = None) -> Proposals:
    """Propose labels for takes, except for verified frames and for labels that were never verified.

    Args:
        model: the classifiers.
        request: takes and labels; None for all.
    """
    request = request or Request()
    wanted = model.labels if request.labels is None else tuple(dict.fromkeys(request.labels))
    numbers = [model.number_of(label) for label in wanted]
    numbers = [number for number in numbers if model.is_learnt[number]]
    takes = model.windows.names if request.takes is None else tuple(dict.fromkeys(request.takes))
    made = {take: _propose(model, take, numbers) for take in takes}
    return Proposals(
        tuple(model.labels[number] for number in numbers),
        {take: track for take, (track, _) in made.items()},
        {take: confidence for take, (_, confidence) in made.items()},
    )


def _propose(model: Model, take: str, numbers: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """(F, L) tracks and confidences of a take."""
    begin, end = model.windows.range_of(take)
    number = model.windows.names.index(take)
    start, stop = model.windows.ranges[number]
    nearest = model.windows.nearest(number) - begin
    verified = model.tracks[start:stop, numbers] != 0
    tracks = np.zeros((stop - start, len(numbers)), np.int8)
    confidences = np.ones((stop - start, len(numbers)), np.float32)
    for column, label in enumerate(numbers):
        if verified[:, column].all():
            continue
        holds, sure = decide_track(_with_known(model, begin, end, label), model.settings)
        tracks[:, column] = np.where(holds[nearest], 1, -1)
        confidences[:, column] = sure[nearest]
    tracks[verified], confidences[verified] = 0, 1.0
    return tracks, confidences


def _with_known(model: Model, begin: int, end: int, label: int) -> np.ndarray:
    """(T,) decision values of the windows of a motion; verified windows are certain."""
    known = model.known[begin:end, label]
    return np.where(known == 0, model.decisions[begin:end, label], CERTAIN * known)
