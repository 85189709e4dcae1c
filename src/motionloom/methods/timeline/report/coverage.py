"""Coverage: what a corpus has of each label, which changes between labels it has, how good they are and how long."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from motionloom.assembly import choose_material
from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.labels.label_state import LabelState, read_label_state
from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.report.reachability import (
    Cuts,
    Ways,
    nearest_cuts,
    recorded_changes,
    soonest_way,
    ways_to,
)
from motionloom.motion.runs import find_runs
from motionloom.tasks import Progress

GOOD, FAIR, POOR = 1.0, 2.0, 4.0  # usual distances to the nearest frame, up to which a cut is called so
QUALITIES = ("together", "recorded", "good", "fair", "poor", "none")
LAYER = "contacts."  # begins the labels that every frame has, which are covered only if asked for


@dataclass(frozen=True)
class CoverageSettings:
    """How coverage is measured."""

    within: float = 0.5  # seconds that a recorded change may take
    pairs: float = 5e9  # distances to compute at most; a larger corpus is left after every n-th frame only
    cuts: int = 2  # by which a label may be reached through other motion


USUAL = CoverageSettings()


@dataclass(frozen=True)
class LabelCoverage:
    """What there is of one label."""

    label: str
    seconds: float
    stretches: int
    takes: int
    longest: float  # seconds of the longest stretch
    unknown: float  # seconds in which it is not known whether it holds


@dataclass(frozen=True)
class ChangeCoverage:
    """How motion gets from one label to another; from a label to itself: how a stretch of it can be prolonged."""

    before: str
    after: str
    quality: str  # one of QUALITIES
    recorded: int  # times that a take changes so
    recorded_seconds: float | None  # between the two, the median of those
    best_cut: float | None  # usual distances; None where there is nothing to cut to
    median_cut: float | None  # of the best cuts of all frames of the first label
    exits: int  # stretches of frames after which a good cut is possible
    way_seconds: float | None  # between the two, on the soonest way through recorded motion and good cuts
    way_cuts: int  # on that way
    way_labels: tuple[str, ...]  # met on that way


@dataclass(frozen=True)
class Combination:
    """Labels that hold at the same time."""

    labels: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Coverage:
    """What a corpus has, and what motion can be made of it."""

    seconds: float
    takes: int
    labels: tuple[LabelCoverage, ...]
    changes: tuple[ChangeCoverage, ...]  # of every label to every label
    combinations: tuple[Combination, ...]  # pairs, and what was asked for

    def change(self, before: str, after: str) -> ChangeCoverage:
        """The change from one label to another."""
        found = [change for change in self.changes if (change.before, change.after) == (before, after)]
        if not found:
            raise BadInput(f"no change from '{before}' to '{after}' is covered; the labels are {self._words()}")
        return found[0]

    def together(self, *labels: str) -> float:
        """Seconds in which labels hold at the same time."""
        found = [together.seconds for together in self.combinations if set(together.labels) == set(labels)]
        if not found:
            raise BadInput(f"{', '.join(labels)} together are not covered; the labels are {self._words()}")
        return found[0]

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def _words(self) -> str:
        return ", ".join(covered.label for covered in self.labels) or "none"


def find_coverage(
    model: Model,
    labels: Sequence[str] | None = None,
    *,
    together: int = 2,
    settings: CoverageSettings = USUAL,
    progress: Progress | None = None,
) -> Coverage:
    """Measure what a corpus has of labels, and of changes between them.

    Args:
        model: of the corpus.
        labels: known ones; None for all that people or machines gave.
        together: labels that hold at the same time are counted by twos, or by up to this many.
        settings: how it is measured.
        progress: called as progress(done, total) with labels.
    """
    chosen = _choose(model, labels)
    tracks = {label: model.tracks[:, model.labels.index(label)] > 0 for label in chosen}
    changes: dict[tuple[str, str], ChangeCoverage] = {}
    for number, after in enumerate(chosen):
        cuts, step = _cuts_to(model, tracks, after, settings)
        ways = ways_to(model, tracks[after], GOOD, settings.cuts)
        for before in chosen:
            changes[before, after] = _cover_change(model, tracks, (before, after), cuts, step, ways, settings)
        if progress is not None:
            progress(number + 1, len(chosen))
    return Coverage(
        seconds=model.n_frames / model.fps,
        takes=len(model.starts) - 1,
        labels=tuple(_cover_label(model, label) for label in chosen),
        changes=tuple(changes[before, after] for before in chosen for after in chosen),
        combinations=tuple(
            _combine(model, tracks, some) for size in range(2, together + 1) for some in combinations(chosen, size)
        ),
    )


def count_labels(corpus: Corpus, takes: Iterable[str] | None = None) -> tuple[LabelCoverage, ...]:
    """What a corpus has of every label that was given, counted at once, without comparing any frames.

    takes: patterns of names such as "walk/*"; None for all takes with a skeleton.
    """
    state, names = read_label_state(corpus), set(choose_material(corpus, takes))
    infos = [info for info in corpus.infos() if info.name in names and info.kind == "body"]
    return tuple(_count(label, state, infos) for label in sorted(state.label_names(names)))


def _count(label: str, state: LabelState, infos: Sequence[TakeInfo]) -> LabelCoverage:
    runs, unknown = [], 0.0
    for info in infos:
        if state.is_unlabelled(info.name, label):  # most pairs of many takes and many labels
            unknown += 0.0 if state.is_listed(info.name, label) else info.n_frames / info.fps
            continue
        track = state.track(info.name, label, info.n_frames)
        runs.append([(stop - start) / info.fps for start, stop in find_runs(track > 0)])
        unknown += float((track == 0).sum() / info.fps)
    return LabelCoverage(
        label=label,
        seconds=float(sum(map(sum, runs))),
        stretches=sum(map(len, runs)),
        takes=sum(1 for lengths in runs if lengths),
        longest=max((length for lengths in runs for length in lengths), default=0.0),
        unknown=unknown,
    )


def quality_of(distance: float | None) -> str:
    """The word for how good a cut is, by its usual distances."""
    if distance is None or distance > POOR:
        return "none"
    return "good" if distance <= GOOD else "fair" if distance <= FAIR else "poor"


def stretches_of(model: Model, flags: np.ndarray) -> list[tuple[int, int]]:
    """The runs of frames [start, stop) in which (N,) flags are true, none of them longer than its motion."""
    inner = np.setdiff1d(model.starts[1:-1], [0])
    runs = find_runs(flags)
    borders = [[start, *inner[(inner > start) & (inner < stop)].tolist(), stop] for start, stop in runs]
    return [pair for line in borders for pair in zip(line, line[1:])]


def _choose(model: Model, labels: Sequence[str] | None) -> list[str]:
    if labels is None:
        return [label for label in model.labels if not label.startswith(LAYER)]
    for label in labels:
        if label not in model.labels:
            raise BadInput(f"nothing is labelled '{label}'; the labels are {', '.join(model.labels) or 'none yet'}")
    return list(dict.fromkeys(labels))


def _cover_label(model: Model, label: str) -> LabelCoverage:
    track = model.tracks[:, model.labels.index(label)]
    runs = stretches_of(model, track > 0)
    return LabelCoverage(
        label=label,
        seconds=float((track > 0).sum() / model.fps),
        stretches=len(runs),
        takes=len({int(model.motion_of[start]) for start, _ in runs}),
        longest=max((stop - start for start, stop in runs), default=0) / model.fps,
        unknown=float((track == 0).sum() / model.fps),
    )


def _cuts_to(model: Model, tracks: dict[str, np.ndarray], after: str, settings: CoverageSettings) -> tuple[Cuts, int]:
    """The best cuts to a label from every frame that has any, or from every n-th of a large corpus; and n."""
    labelled = np.flatnonzero(np.any([*tracks.values()], axis=0))
    all_columns = sum(int(track.sum()) for track in tracks.values())
    step = max(1, int(np.ceil(len(labelled) * all_columns / settings.pairs)))
    return nearest_cuts(model, labelled[::step], tracks[after]), step


def _cover_change(
    model: Model,
    tracks: dict[str, np.ndarray],
    change: tuple[str, str],
    cuts: Cuts,
    step: int,
    ways: Ways,
    settings: CoverageSettings,
) -> ChangeCoverage:
    before, after = change
    is_same = before == after
    leaving = tracks[before] if is_same else tracks[before] & ~tracks[after]
    recorded = np.zeros(0, int) if is_same else recorded_changes(model, leaving, tracks[after], settings.within)
    cuts = _only(cuts, leaving)
    best = _best_cut(model, cuts, leaving, tracks[after], step)
    exits = stretches_of(model, _widen(model, cuts.exits[cuts.distances <= GOOD], step))
    way = np.zeros(0, int) if is_same else soonest_way(model, ways, leaving)
    return ChangeCoverage(
        before=before,
        after=after,
        quality=_quality(tracks[before], leaving, recorded, best),
        recorded=len(recorded),
        recorded_seconds=float(np.median(recorded) / model.fps) if len(recorded) else None,
        best_cut=best,
        median_cut=_finite(np.median(cuts.distances)) if len(cuts.exits) else None,
        exits=len(exits),
        way_seconds=(len(way) - 2) / model.fps if len(way) else None,
        way_cuts=int((model.following[way[:-1]] != way[1:]).sum()),
        way_labels=_met(model, way[1:-1], change),
    )


def _quality(held: np.ndarray, leaving: np.ndarray, recorded: np.ndarray, best: float | None) -> str:
    """One of QUALITIES; a label that never holds changes to nothing."""
    if held.any() and not leaving.any():
        return "together"
    return "recorded" if len(recorded) else quality_of(best)


def _only(cuts: Cuts, leaving: np.ndarray) -> Cuts:
    chosen = leaving[cuts.exits]
    return Cuts(cuts.exits[chosen], cuts.entries[chosen], cuts.distances[chosen])


def _best_cut(model: Model, cuts: Cuts, leaving: np.ndarray, goal: np.ndarray, step: int) -> float | None:
    """The shortest of all cuts; where only every n-th frame was left, those around the best of them are too."""
    if not len(cuts.exits):
        return None
    best = cuts.distances.min()
    if step > 1 and np.isfinite(best):
        around = np.arange(-step + 1, step) + cuts.exits[cuts.distances.argmin()]
        around = around[(around >= 0) & (around < model.n_frames)]
        best = min(best, nearest_cuts(model, around[leaving[around]], goal).distances.min())
    return _finite(best)


def _widen(model: Model, frames: np.ndarray, step: int) -> np.ndarray:
    """(N,) bool: true in frames, and between two of them that are one step of the measuring apart."""
    flags = np.zeros(model.n_frames, bool)
    for ahead in range(step):
        flags[np.minimum(frames + ahead, model.stops[frames] - 1)] = True
    return flags


def _met(model: Model, way: np.ndarray, ends: tuple[str, str]) -> tuple[str, ...]:
    """The other labels that hold on a way, in the order in which they come."""
    held = model.tracks[way] > 0  # (frames, L)
    first = {label: int(held[:, i].argmax()) for i, label in enumerate(model.labels) if held[:, i].any()}
    others = [label for label in first if label not in ends and not label.startswith(LAYER)]
    return tuple(sorted(others, key=lambda label: first[label]))


def _combine(model: Model, tracks: dict[str, np.ndarray], labels: tuple[str, ...]) -> Combination:
    return Combination(labels, float(np.logical_and.reduce([tracks[label] for label in labels]).sum() / model.fps))


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
