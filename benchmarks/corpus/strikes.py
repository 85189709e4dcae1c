"""How contacts are judged: do feet come down in turn where people walk, how long are both down, is the truth found?

A pair of strikes is two that follow each other inside one stretch of the labels. It is good when the sides alternate
and the time between is plausible. Stretches of running and jumping are left out of walking, because their labels
overlap turns.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.props import ON_PROPS
from benchmarks.corpus.recordings import read_all, read_labels
from motionloom import performer
from motionloom.corpus import Contact
from motionloom.features.contacts import CONTACT_POINTS, ContactSettings, contacts_from_points, find_runs
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.features.foot_strikes import feet_down, find_strikes
from motionloom.motion import Motion

CHOSEN_SUBJECTS = ("69", "143", "56", "86", "16", "144")  # on whose walks the rule was judged; all takes stand beside
FIGHTS = ("boxing", "martial_arts")
BENDING = ("turn_left", "turn_right", "backwards", "sideways_left", "sideways_right")


@dataclass(frozen=True)
class Going:
    """A way of going: which labels it has, which it must not have, and how many seconds a step may take."""

    labels: tuple[str, ...]
    without: tuple[str, ...]
    seconds: tuple[float, float]


WALK_OR_TURN = Going(("walk", "turn_left", "turn_right"), ("run", "jump"), (0.25, 0.95))
RUN = Going(("run",), ("jump",), (0.15, 0.6))
STRAIGHT_ON = Going(("walk",), ("run", "jump", *BENDING), (0.25, 0.95))
BACKWARDS = Going(("backwards",), ("run", "jump"), (0.25, 0.95))


@dataclass(frozen=True)
class Pairs:
    """Strikes that follow each other; a good pair is a step: the other side, after a plausible time."""

    n: int
    good: int
    same_side: int
    double_support: float  # percent of the time of all good pairs in which both feet are down


def take_names(data: Path, *, chosen: bool = False, on_props: bool = False) -> list[str]:
    """Takes without fights: of the chosen subjects or of all, and either those on props or the others."""
    return [
        name
        for name, (_, row) in read_all(data).items()
        if row["set"] not in FIGHTS
        and (name in ON_PROPS) == on_props
        and (not chosen or row["subject"] in CHOSEN_SUBJECTS)
    ]


def detect_all(data: Path, names: Iterable[str], settings: ContactSettings) -> dict[str, np.ndarray]:
    """Contacts (F, 4) of takes by name."""
    return {name: _detect(read_all(data)[name][0], *_points(data, name), settings) for name in names}


def count_pairs(data: Path, contacts: dict[str, np.ndarray], going: Going) -> Pairs:
    """Pairs of strikes of one way of going, in all the takes given."""
    n = good = same_side = 0
    both: list[np.ndarray] = []
    for take, flags in contacts.items():
        fps, down = read_all(data)[take][0].fps, feet_down(flags).all(axis=1)
        for first, side, second, other in _find_pairs(data, take, flags, going):
            n += 1
            same_side += side == other
            if side != other and going.seconds[0] <= (second - first) / fps <= going.seconds[1]:
                good += 1
                both.append(down[first:second])
    return Pairs(n, good, same_side, 100 * float(np.concatenate(both).mean()))


def labelled(data: Path, take: str, labels: tuple[str, ...], n_frames: int) -> np.ndarray:
    """(F,) bool: the frames of a take that have one of the labels."""
    flags = np.zeros(n_frames, bool)
    for label, start, stop in _labels_by_take(data).get(take, []):
        if label in labels:
            flags[start:stop] = True
    return flags


def score_truth(settings: ContactSettings, tolerance: int = 0) -> tuple[np.ndarray, float]:
    """F1 of the frames of each contact point against the performer's truth, (4,), and of all points together.

    Args:
        settings: of the detector.
        tolerance: frames by which a border may be off without counting as wrong.
    """
    hits, wrong = np.zeros(4), np.zeros(4)
    for motion, points, truth in _demo():
        found = _detect(motion, points, 0.0, settings)
        hits += (found & truth).sum(axis=0)
        wrong += (found & ~_widened(truth, tolerance)).sum(axis=0) + (truth & ~_widened(found, tolerance)).sum(axis=0)
    return 2 * hits / (2 * hits + wrong), float(2 * hits.sum() / (2 * hits + wrong).sum())


def _find_pairs(data: Path, take: str, flags: np.ndarray, going: Going) -> Iterator[tuple[int, int, int, int]]:
    """Frame and side of a strike, frame and side of the next."""
    strikes, left_out = find_strikes(flags), labelled(data, take, going.without, len(flags))
    for start, stop in find_runs(labelled(data, take, going.labels, len(flags))):
        inside = strikes[(strikes[:, 0] >= start) & (strikes[:, 0] < stop)].tolist()
        for (first, side), (second, other) in zip(inside, inside[1:]):
            if not left_out[first : second + 1].any():
                yield first, side, second, other


def _detect(motion: Motion, points: np.ndarray, floor: float, settings: ContactSettings) -> np.ndarray:
    return contacts_from_points(points, motion.root_positions, motion.fps, floor, settings)


@cache
def _points(data: Path, name: str) -> tuple[np.ndarray, float]:
    """Points of the feet, (F, 4, 3), and the height of the floor."""
    motion = read_all(data)[name][0]
    floor = estimate_floor(motion)
    return foot_points(motion, floor), floor


@cache
def _demo() -> list[tuple[Motion, np.ndarray, np.ndarray]]:
    """Demo takes: the motion, the points of its feet (F, 4, 3) and their true contacts (F, 4)."""
    return [
        (done.motion, foot_points(done.motion, 0.0), _as_flags(done.contacts, done.motion.n_frames))
        for done in performer.perform_demo(seed=1)
    ]


@cache
def _labels_by_take(data: Path) -> dict[str, list[tuple[str, int, int]]]:
    rows: dict[str, list[tuple[str, int, int]]] = {}
    for take, label, start, stop in read_labels(data):
        rows.setdefault(take, []).append((label, start, stop))
    return rows


def _as_flags(contacts: Iterable[Contact], n_frames: int) -> np.ndarray:
    flags = np.zeros((n_frames, len(CONTACT_POINTS)), bool)
    for contact in contacts:
        if contact.point in CONTACT_POINTS:
            flags[contact.start : contact.stop, CONTACT_POINTS.index(contact.point)] = True
    return flags


def _widened(flags: np.ndarray, frames: int) -> np.ndarray:
    wide = flags.copy()
    for shift in range(1, frames + 1):
        wide[shift:] |= flags[:-shift]
        wide[:-shift] |= flags[shift:]
    return wide
