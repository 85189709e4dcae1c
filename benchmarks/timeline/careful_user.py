"""A careful user, simulated: verifies take after take, painting over every wrong run of the proposals.

A correction is one wrong run of at least 0.2 s in one track, outside 0.25 s around the borders of the reference.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.conform import View
from motionloom.corpus.labels.frame_ranges import near_borders
from motionloom.methods.annotate import (
    Model,
    Request,
    Settings,
    find_windows,
    propose_tracks,
    retrain,
    teaches_most,
    train_windows,
)
from motionloom.motion.runs import find_runs

BORDER = 0.25  # seconds that do not count around where a label begins or ends
SHORTEST = 0.2  # seconds that a wrong run must last to be painted over


@dataclass(frozen=True, eq=False)
class Reference:
    """What the user knows to be right."""

    view: View
    labels: tuple[str, ...]
    tracks: np.ndarray  # (N, L) int8: +1 holds, -1 does not
    counts: np.ndarray  # (N, L) bool: far enough from borders
    n_segments: int

    def part(self, take: str) -> slice:
        """The frames of a take."""
        return slice(*self.view.range_of(take))


@dataclass(frozen=True, eq=False)
class Session:
    """What the user did, take by take."""

    takes: tuple[str, ...]  # in the order in which they were verified
    corrections: np.ndarray  # (takes, L) int
    overlooked: np.ndarray  # (takes, L) int: segments that were missed but are too short to be corrections
    seconds: np.ndarray  # (takes,) of wall time that retraining took
    f1: dict[float, np.ndarray]  # by verified minutes, (L,) on the unseen takes; NaN for labels that they do not have


def know(view: View, labels: Sequence[str]) -> Reference:
    """The reference labels of a view as tracks."""
    tracks = np.full((view.n_frames, len(labels)), -1, np.int8)
    n_segments = 0
    for name in view.names:
        start, _ = view.range_of(name)
        for label in view.labels(name):
            if label.label in labels:
                tracks[start + label.start : start + label.stop, labels.index(label.label)] = 1
                n_segments += 1
    counts = np.ones(tracks.shape, bool)
    for name in view.names:
        part = slice(*view.range_of(name))
        for column in range(len(labels)):
            counts[part, column] = ~near_borders(tracks[part, column] > 0, BORDER * view.fps)
    return Reference(view, tuple(labels), tracks, counts, n_segments)


def verify_all(
    reference: Reference,
    settings: Settings,
    seed: int,
    *,
    is_guided: bool = True,
    unseen: Sequence[str] = (),
    minutes: Sequence[float] = (),
) -> Session:
    """Verify takes one by one and learn again after each, until all are done, or all that is asked for is known.

    Args:
        reference: what is right.
        settings: of the classifier.
        seed: of the order, or of the first take only where the user is guided.
        is_guided: the user takes what would teach the most, else takes at random.
        unseen: takes that are never verified.
        minutes: of verified motion after which the unseen takes are classified; the user stops after the last.
    """
    view = reference.view
    order = list(np.random.default_rng(seed).permutation([name for name in view.names if name not in unseen]))
    tracks = np.zeros(reference.tracks.shape, np.int8)
    model = train_windows(find_windows(view, settings), reference.labels, tracks, settings)
    done: list[str] = []
    corrections, overlooked, seconds, f1 = [], [], [], {}
    while order and not (minutes and len(f1) == len(minutes)):
        guided = is_guided and bool(done)
        take = teaches_most(model, takes=sorted(order))[0].take if guided else order[0]
        order.remove(take)
        proposed = proposed_tracks(model, reference, take)
        corrections.append(count_corrections(reference, take, proposed))
        overlooked.append(count_overlooked(reference, take, proposed))
        part = reference.part(take)
        tracks = tracks.copy()
        tracks[part] = reference.tracks[part]
        begin = time.perf_counter()
        model = retrain(model, tracks)
        seconds.append(time.perf_counter() - begin)
        done.append(str(take))
        verified = (tracks != 0).all(axis=1).sum() / view.fps / 60
        f1 |= {m: score(model, reference, unseen) for m in minutes if m <= verified and m not in f1}
    return Session(tuple(done), np.array(corrections), np.array(overlooked), np.array(seconds), f1)


def proposed_tracks(model: Model, reference: Reference, take: str) -> np.ndarray:
    """(F, L) int8: what is proposed for a take; labels of which nothing is known are proposed nowhere."""
    proposals = propose_tracks(model, Request(takes=[take]))
    part = reference.part(take)
    tracks = np.full((part.stop - part.start, len(reference.labels)), -1, np.int8)
    for column, label in enumerate(proposals.labels):
        tracks[:, reference.labels.index(label)] = proposals.tracks[take][:, column]
    return tracks


def count_corrections(reference: Reference, take: str, proposed: np.ndarray) -> np.ndarray:
    """(L,) how many wrong runs of each track a person would paint over."""
    part = reference.part(take)
    wrong = (proposed != reference.tracks[part]) & reference.counts[part]
    shortest = SHORTEST * reference.view.fps
    return np.array([sum(b - a >= shortest for a, b in find_runs(track)) for track in wrong.T])


def count_overlooked(reference: Reference, take: str, proposed: np.ndarray) -> np.ndarray:
    """(L,) how many segments are proposed nowhere and yet no correction, because their borders are all there is."""
    part = reference.part(take)
    shortest = SHORTEST * reference.view.fps
    counts = []
    for proposes, holds, inside in zip(proposed.T > 0, reference.tracks[part].T > 0, reference.counts[part].T):
        runs = [slice(*run) for run in find_runs(holds)]
        counts.append(sum(not proposes[run].any() and inside[run].sum() < shortest for run in runs))
    return np.array(counts)


def score(model: Model, reference: Reference, takes: Sequence[str]) -> np.ndarray:
    """(L,) F1 of what is proposed for takes, borders apart; NaN for labels that they do not have."""
    right, wrong, held = (np.zeros(len(reference.labels)) for _ in range(3))
    for take in takes:
        part = reference.part(take)
        says = proposed_tracks(model, reference, take) > 0
        holds, counts = reference.tracks[part] > 0, reference.counts[part]
        right += (says & holds & counts).sum(axis=0)
        wrong += ((says != holds) & counts).sum(axis=0)
        held += (holds & counts).sum(axis=0)
    return np.where(held > 0, 2 * right / np.maximum(2 * right + wrong, 1), np.nan)
