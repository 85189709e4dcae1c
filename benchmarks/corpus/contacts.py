"""Contacts: do feet come down left and right in turn where people walk, and are the performer's contacts found?

A pair of strikes is two that follow each other inside one stretch of the labels. It is good when the sides alternate
and the time between is plausible. Stretches of running and jumping are left out of walking, because their labels
overlap turns.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all, read_labels
from benchmarks.measure import figure
from motionloom import performer
from motionloom.corpus import Contact
from motionloom.features.contacts import CONTACT_POINTS, detect_contacts, find_runs
from motionloom.features.floor import estimate_floor
from motionloom.features.steps import feet_down, find_strikes

WALKING = ("walk", "turn_left", "turn_right")
CHOSEN_SUBJECTS = ("69", "143", "56", "86", "16", "144")  # on whose walks the rule was judged; all takes stand beside
TOLERANCE = 2  # frames by which a border may be off


def alternation_figures(data: Path) -> list[dict]:
    """Shares of good pairs: walking or turning, running, backwards; and how much of walking is double support."""
    contacts = {name: detect_contacts(motion, estimate_floor(motion)) for name, (motion, _) in read_all(data).items()}
    no_fight = [name for name, (_, row) in read_all(data).items() if row["set"] not in ("boxing", "martial_arts")]
    chosen = [name for name, (_, row) in read_all(data).items() if row["subject"] in CHOSEN_SUBJECTS]
    moving = ("run", "jump")
    rows = (
        ("walk or turn; chosen subjects", WALKING, moving, (0.25, 0.95), chosen.__contains__),
        ("walk or turn; all takes", WALKING, moving, (0.25, 0.95), no_fight.__contains__),
        ("run; all takes", ("run",), ("jump",), (0.15, 0.6), no_fight.__contains__),
        ("backwards; all takes", ("backwards",), moving, (0.25, 0.95), no_fight.__contains__),
    )
    measured = []
    for title, wanted, unwanted, seconds, choose in rows:
        good, pairs = _count_pairs(data, contacts, wanted, unwanted, seconds, choose)
        measured.append(figure(f"alternating strikes; {title}", 100 * good / pairs, "%", "higher"))
        measured.append(figure(f"strike pairs; {title}", pairs, "pairs", "higher"))
    return [
        *measured,
        figure("double support of walking (the usual figure is 20-25)", *_double_support(data, contacts)),
    ]


def truth_figures() -> list[dict]:
    """F1 of each contact point against the performer's truth, borders within two frames."""
    hits, false, missed = np.zeros(4), np.zeros(4), np.zeros(4)
    for performance in performer.perform_demo(seed=1):
        found = detect_contacts(performance.motion, 0.0)
        truth = _as_flags(performance.contacts, performance.motion.n_frames)
        hits += (found & truth).sum(axis=0)
        false += (found & ~_widened(truth)).sum(axis=0)
        missed += (truth & ~_widened(found)).sum(axis=0)
    scores = 2 * hits / (2 * hits + false + missed)
    return [
        figure(f"contacts beside the performer's; F1 of {point}", score, "", "higher")
        for point, score in zip(CONTACT_POINTS, scores)
    ]


def _count_pairs(
    data: Path,
    contacts: dict[str, np.ndarray],
    wanted: tuple[str, ...],
    unwanted: tuple[str, ...],
    seconds: tuple[float, float],
    choose: Callable[[str], bool],
) -> tuple[int, int]:
    good = pairs = 0
    for take, flags in contacts.items():
        if not choose(take):
            continue
        strikes, left_out = find_strikes(flags), _labelled(data, take, unwanted, len(flags))
        fps = read_all(data)[take][0].fps
        for start, stop in find_runs(_labelled(data, take, wanted, len(flags))):
            inside = strikes[(strikes[:, 0] >= start) & (strikes[:, 0] < stop)]
            for (first, side), (second, other) in zip(inside, inside[1:]):
                if not left_out[first:second].any():
                    pairs += 1
                    good += side != other and seconds[0] <= (second - first) / fps <= seconds[1]
    return good, pairs


def _labelled(data: Path, take: str, labels: tuple[str, ...], n_frames: int) -> np.ndarray:
    flags = np.zeros(n_frames, bool)
    for name, label, start, stop in read_labels(data):
        if name == take and label in labels:
            flags[start:stop] = True
    return flags


def _double_support(data: Path, contacts: dict[str, np.ndarray]) -> tuple[float, str, str]:
    walking = [name for name in contacts if name.startswith("walking/")]
    both = [
        feet_down(contacts[name]).all(axis=1)[_labelled(data, name, ("walk",), len(contacts[name]))] for name in walking
    ]
    return 100 * float(np.concatenate(both).mean()), "%", "lower"


def _as_flags(contacts: Iterable[Contact], n_frames: int) -> np.ndarray:
    flags = np.zeros((n_frames, len(CONTACT_POINTS)), bool)
    for contact in contacts:
        if contact.point in CONTACT_POINTS:
            flags[contact.start : contact.stop, CONTACT_POINTS.index(contact.point)] = True
    return flags


def _widened(flags: np.ndarray) -> np.ndarray:
    wide = flags.copy()
    for shift in range(1, TOLERANCE + 1):
        wide[shift:] |= flags[:-shift]
        wide[:-shift] |= flags[shift:]
    return wide
