"""A corpus mixed of two hierarchies: the performer's demo takes and the football-like recordings, used together.

Labels: the requests of both corpora on the mixed one. Annotation: the careful user labels the recordings, alone and
beside the demo takes, whose skeleton is the reference then. Joins: motions that have to go from one hierarchy to the
other and back, beside motions that have to go from one half of the takes of a hierarchy to its other half, so that both
kinds of joins are forced at the same times; a label says which takes are whose.
"""

import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline import corpora
from benchmarks.timeline.careful_user import know, verify_all
from benchmarks.timeline.requests import Stretch, demo_requests, football_requests, make_request
from benchmarks.timeline.results import VARIATIONS, Measured, measure_requests
from motionloom import tasks
from motionloom.assembly import solve
from motionloom.conform import make_view
from motionloom.corpus import Corpus, Label
from motionloom.methods import timeline
from motionloom.methods.annotate import USUAL, find_windows
from motionloom.methods.timeline import Model, prepare
from motionloom.quality import measure_joins

SEEDS = tuple(range(8))
SIDES = ("a", "b")  # of the takes of a hierarchy, by their names
PERFORMED, RECORDED = "performed", "recorded"  # labels of whole takes: who moves
MOVES: tuple[tuple[Stretch, ...], ...] = (
    (("walk", 0, 9),),
    (("run", 0, 9),),
    (("stand", 0, 9),),
    (("walk", 0, 5), ("run", 5.5, 9)),
    (("stand", 0, 2), ("walk", 2.5, 9)),
    (("run", 0, 4), ("walk", 4.5, 9)),
    (("walk", 0, 9), ("turn_left", 3, 4)),
    (("walk", 0, 4), ("stand", 5, 9)),
)
CHANGES = (
    (3.0, 6.0),
    (2.4, 4.8, 7.2),
    (1.8, 3.6, 5.4, 7.2),
    (2.0, 4.0, 6.0),
    (2.2, 4.4, 6.6),
)  # seconds at which the other takes are to be played


@dataclass(frozen=True, eq=False)
class Joins:
    """The joins of motions that are forced to change takes."""

    between: np.ndarray  # (joins,) highest acceleration / bar near joins of takes of two hierarchies
    within: np.ndarray  # (joins,) the same of takes of one


def figures(data: Path) -> list[dict]:
    """Labels, corrections and joins on the mixed corpus."""
    mixed = _measured(data)
    right = np.array([made.right for made in mixed.made.values()])
    joins = forced_joins(prepare(_mixed(data)))
    above = {name: 100 * float((getattr(joins, name) > 1).mean()) for name in ("between", "within")}
    alone, together = _corrections(data)
    return [
        figure("mixed; painted frames satisfied on average", float(right.mean()), "share", "higher"),
        figure("mixed; painted frames satisfied in the worst request", float(right.min()), "share", "higher"),
        figure("mixed; joins between the two skeletons", len(joins.between), "joins", "higher"),
        figure("mixed; joins within a skeleton", len(joins.within), "joins", "higher"),
        figure("mixed; joins between skeletons above the bar", above["between"], "%", "lower"),
        figure("mixed; joins within a skeleton above the bar", above["within"], "%", "lower"),
        figure(
            "mixed; joins between above the bar more often than within",
            above["between"] - above["within"],
            "points",
            "lower",
        ),
        figure("mixed; corrections, recordings alone", alone, "corrections", "lower"),
        figure("mixed; corrections, beside the demo takes", together, "corrections", "lower"),
        figure("mixed; corrections more than alone", 100 * (together / alone - 1), "%", "lower"),
    ]


def forced_joins(model: Model) -> Joins:
    """Perform motions that have to change takes, and measure their joins by whether the hierarchy changes."""
    between: list[float] = []
    within: list[float] = []
    for number, moves in enumerate(MOVES):
        for changes in CHANGES:
            for whose in _turns(number, len(changes) + 1):
                made = _joins(model, (*moves, *_stretches(whose, changes)))
                for is_between, peak in made:
                    (between if is_between else within).append(peak)
    return Joins(np.array(between), np.array(within))


def _turns(number: int, count: int) -> list[list[str]]:
    """Whose takes are to be played one after another: of both hierarchies in turn, then of both halves of one."""
    both = [PERFORMED, RECORDED] if number % 2 else [RECORDED, PERFORMED]
    one = PERFORMED if number % 4 < 2 else RECORDED
    halves = [f"{one}_{side}" for side in SIDES]
    return [(both * count)[:count], (halves * count)[:count]]


def _stretches(whose: list[str], changes: tuple[float, ...]) -> list[Stretch]:
    ends = (0.0, *changes, 9.0)
    return [(label, a, b) for label, a, b in zip(whose, ends, ends[1:])]


def _joins(model: Model, stretches: tuple[Stretch, ...]) -> list[tuple[bool, float]]:
    """Of every join of a motion: whether it is between two hierarchies, and its highest acceleration / bar."""
    answer = solve(timeline, model, make_request(9.0, stretches))[0]
    (played,) = timeline.perform(answer, model).played
    cuts = list(played.plan.begins[1:])
    peaks = measure_joins(played.unmeasured.motion, cuts, model.yardsticks.bars)
    performed = np.array([is_performed(piece.name) for piece in played.plan.pieces])
    return [(bool(a != b), peak.acceleration) for a, b, peak in zip(performed, performed[1:], peaks)]


def is_performed(take: str) -> bool:
    """Whether a take of the mixed corpus is one of the performer's; recordings are in folders named like sets."""
    return not take.split("/")[-1][:2].isdigit()


@cache
def _mixed(data: Path) -> Corpus:
    """The demo takes and those of corpus F in one corpus, with labels that say whose they are."""
    corpus = corpora.mixed(data)
    words = []
    for info in corpus.infos():
        who = PERFORMED if is_performed(info.name) else RECORDED
        side = SIDES[zlib.crc32(info.name.encode()) % len(SIDES)]
        words += [Label(info.name, word, 0, info.n_frames) for word in (who, f"{who}_{side}")]
    corpus.add_labels(words)
    return corpus


@cache
def _measured(data: Path) -> Measured:
    requests = {**football_requests(VARIATIONS["F"]), **demo_requests(VARIATIONS["D"])}
    usual = {
        name: request for name, request in requests.items() if not name.endswith(("0.5 x as long", "0.6 x as long"))
    }
    return measure_requests(prepare(_mixed(data)), usual)


def _corrections(data: Path) -> tuple[float, float]:
    """Corrections until all recordings are verified, mean over seeds: alone, and beside the demo takes."""
    folders = [corpora.football(data).folder, _mixed(data).folder]
    for corpus in (corpora.football(data), _mixed(data)):
        find_windows(make_view(corpus), USUAL)  # kept, so that the workers only read
    jobs = [(folder, seed) for folder in folders for seed in SEEDS]
    counts = np.array(list(tasks.run_all(_verify, jobs))).reshape(len(folders), -1)
    return float(counts[0].mean()), float(counts[1].mean())


def _verify(job: tuple[Path, int]) -> int:
    folder, seed = job
    with Corpus.open(folder) as corpus:
        view = make_view(corpus)
        reference = know(view, corpora.FOOTBALL_LABELS)
        unseen = [name for name in view.names if is_performed(name)]
        return int(verify_all(reference, USUAL, seed, unseen=unseen).corrections.sum())
