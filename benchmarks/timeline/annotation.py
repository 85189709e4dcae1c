"""Annotation: how many corrections a careful user paints until all is verified, and what is known before that."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline import corpora
from benchmarks.timeline.careful_user import Reference, Session, know, verify_all
from motionloom import tasks
from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.methods.annotate import USUAL, Settings, choose_settings, find_windows

UNSEEN = Path(__file__).parent / "unseen_third.txt"  # takes of corpus F: every third by rarest label and subject
MINUTES = (1.0, 2.0, 3.0, 4.0)
SEEDS = tuple(range(8))
FEW_SEEDS = SEEDS[:2]  # for what is reported beside
BASELINE = choose_settings("paper", kernel="gauss")  # positions, Gaussian kernel, no smoothing; in random order
PARTS = {  # what is taken away from the usual settings, to see what it brings
    "features of the paper": replace(USUAL, features="positions"),
    "Gaussian kernel": replace(USUAL, kernel="gauss"),
    "no mirrored copies": replace(USUAL, mirrored=False),
    "no smoothing": replace(USUAL, smoothing=0.0),
}


@dataclass(frozen=True)
class Job:
    """A session that is wanted."""

    folder: Path  # of the corpus
    settings: Settings
    seed: int
    is_guided: bool = True
    unseen: tuple[str, ...] = ()
    minutes: tuple[float, ...] = ()


def figures(data: Path) -> list[dict]:
    """Corrections and learning curves on corpus F, corrections on corpus D."""
    corpus_f, corpus_d = corpora.football(data), corpora.demo()
    for corpus in (corpus_f, corpus_d):
        find_windows(make_view(corpus), USUAL)  # kept in the corpus, so that the workers only read
    find_windows(make_view(corpus_f), BASELINE)
    football, demo = corpus_f.folder, corpus_d.folder
    reference = _reference(football)
    verify_all(reference, USUAL, SEEDS[0], unseen=reference.view.names[:1], minutes=(0.2,))  # compiles what is needed
    first = verify_all(reference, USUAL, SEEDS[0])  # alone on the machine, for its times
    jobs = _jobs(football, demo)
    flat = [job for group in jobs.values() for job in group]
    sessions = iter(list(tasks.run_all(_run, flat)))
    made = {name: [next(sessions) for _ in group] for name, group in jobs.items()}
    guided, baseline, curves, on_demo = (made.pop(name) for name in ("guided", "baseline", "curves", "demo"))
    return [
        *_corrections(reference, [first, *guided], baseline),
        figure("annotation; F; retraining after a take at worst", first.seconds.max(), "s", "lower"),
        *_curve_figures(curves),
        *(
            figure(f"annotation; F; corrections; {name}", _mean_corrections(sessions), "corrections", "lower")
            for name, sessions in made.items()
        ),
        *_demo_figures(_reference(demo), on_demo),
    ]


def _jobs(football: Path, demo: Path) -> dict[str, list[Job]]:
    """The sessions that are wanted, by what they tell; the longest first, as many as there are cores."""
    unseen = tuple(UNSEEN.read_text().split())
    return {
        "demo": [Job(demo, USUAL, seed) for seed in FEW_SEEDS],
        "guided": [Job(football, USUAL, seed) for seed in SEEDS[1:]],
        "baseline": [Job(football, BASELINE, seed, is_guided=False) for seed in SEEDS],
        "curves": [Job(football, USUAL, seed, unseen=unseen, minutes=MINUTES) for seed in SEEDS],
        "random order": [Job(football, USUAL, seed, is_guided=False) for seed in FEW_SEEDS],
        "paper, printed kernel, random order": [
            Job(football, choose_settings("paper"), seed, is_guided=False) for seed in FEW_SEEDS
        ],
        **{name: [Job(football, settings, seed) for seed in FEW_SEEDS] for name, settings in PARTS.items()},
    }


def _corrections(reference: Reference, guided: list[Session], baseline: list[Session]) -> list[dict]:
    n, n_baseline = _mean_corrections(guided), _mean_corrections(baseline)
    n_segments = reference.n_segments
    overlooked = np.mean([session.overlooked.sum() for session in guided])
    touched = np.mean([(session.corrections.sum(axis=1) > 0).sum() for session in guided])
    return [
        figure(f"annotation; F; corrections for {n_segments} segments", n, "corrections", "lower"),
        figure("annotation; F; corrections beside the baseline's", 100 * n / n_baseline, "%", "lower"),
        figure("annotation; F; corrections of the baseline", n_baseline, "corrections", "lower"),
        figure("annotation; F; strokes saved beside painting by hand", 100 * (1 - n / n_segments), "%", "higher"),
        figure("annotation; F; missed segments too short to be corrections", overlooked, "segments", "lower"),
        figure(
            f"annotation; F; of {len(reference.view.names)} takes those that need a hand", touched, "takes", "lower"
        ),
    ]


def _curve_figures(curves: list[Session]) -> list[dict]:
    labels, main = corpora.FOOTBALL_LABELS, len(corpora.MAIN_LABELS)
    by_minute = {m: np.array([session.f1[m] for session in curves]) for m in MINUTES}  # (seeds, L)
    return [
        *(
            figure(
                f"annotation; F; main-label F1 on the unseen third after {m:g} min", f1[:, :main].mean(), "", "higher"
            )
            for m, f1 in by_minute.items()
        ),
        *(
            figure(f"annotation; F; {label}; F1 on the unseen third after {m:g} min", value, "", "higher")
            for m in (2.0, 4.0)
            for label, value in zip(labels, by_minute[m].mean(axis=0))
            if np.isfinite(value)
        ),
    ]


def _demo_figures(reference: Reference, sessions: list[Session]) -> list[dict]:
    share = 100 * _mean_corrections(sessions) / reference.n_segments
    return [
        figure("annotation; D; segments that need a correction", share, "%", "lower"),
        figure("annotation; D; segments", reference.n_segments, "segments", "higher"),
        figure("annotation; D; labels of the paper that there are", len(reference.labels), "labels", "higher"),
    ]


def _mean_corrections(sessions: list[Session]) -> float:
    return float(np.mean([session.corrections.sum() for session in sessions]))


def _run(job: Job) -> Session:
    asked = {"is_guided": job.is_guided, "unseen": job.unseen, "minutes": job.minutes}
    return verify_all(_reference(job.folder), job.settings, job.seed, **asked)


@cache
def _reference(folder: Path) -> Reference:
    """The reference of a corpus: of F its labels, of D those of the paper that it has."""
    corpus = Corpus.open(folder)
    known = {label.label for name in corpus.names() for label in corpus.labels(name)}
    labels = corpora.PAPER_LABELS if "wave" in known else corpora.FOOTBALL_LABELS
    return know(make_view(corpus), [label for label in labels if label in known])
