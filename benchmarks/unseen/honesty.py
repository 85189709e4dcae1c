"""Honest timelines: what forced frames bring, how far paths are bent, whether reports make sense, and what the labels
of the frames that come out are to classifiers that never saw the takes they are from.
"""

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.unseen.timelines import GROUPS, SeededTimeline, all_timelines, fill_group, group_model
from motionloom.assembly import Result, realize, solve
from motionloom.classify import USUAL, Classifier, classify, find_windows, freeze, retrain, train_windows
from motionloom.classify import Model as Learnt
from motionloom.conform import View, make_view
from motionloom.conform.label_tracks import label_tracks
from motionloom.corpus import Corpus
from motionloom.features.facing import find_facing
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, Request
from motionloom.methods.timeline.objective.costs import path_of
from motionloom.motion import find_runs, kinematics

FORCED_SEEDS = 3  # of random forced frames on each corpus
LEAST, MOST = 8, 32  # frames that a forced frame should bring
FAR = (("run", 3.0), ("run", 4.0), ("walk", 4.0), ("walk", 8.0))  # label, and seconds for 30 m
STEP = 0.5  # seconds: about a step
TIE = 1e-9  # difference of two weights that are the same
AS_LONG_AS_RECORDED = "stretches no longer than their label was recorded at a time"
KINDS = ("labels alone", "labels and a place", "labels and a random forced frame, whatever is painted there")
NONSENSE = (
    r"takes no more than 0\.0 s",
    r"\b0 % (longer|shorter|to the side)",
    r"harder than 0 %",
    r"(\d+) plants? (?:is|are) out of reach in (\d+) frames",
    r"missed at [^;]*$",
)


_folders: list[tempfile.TemporaryDirectory] = []  # kept until the benchmark ends


@dataclass(frozen=True)
class Forced:
    """A forced frame, as it came out."""

    own: int  # frames of its recording around it, in order, by the provenance; halfway through a join it is as much its
    is_warned: bool  # the report warns about it, with the right number


def honesty_figures(data: Path) -> list[dict]:
    """All of it, on seeded timelines of eight corpora of other bodies each."""
    made = all_timelines(data)
    forced = [*_seeded_forced(made), *_random_forced(data)]
    return [*_forced_figures(forced), *_label_figures(data, made), *_far_figures(data), *_report_figures(made)]


def _forced_figures(forced: Sequence[Forced]) -> list[dict]:
    as_said = [each.own >= MOST or each.is_warned for each in forced]
    return [
        figure("forced frames; judged", len(forced), "frames", "higher"),
        figure("forced frames; as said or warned", 100 * np.mean(as_said), "%", "higher"),
        figure("forced frames; fewer than 8 of their own", sum(each.own < LEAST for each in forced), "frames", "lower"),
        figure("forced frames; fewer than 32 of their own", sum(each.own < MOST for each in forced), "frames", "lower"),
    ]


def _seeded_forced(made: Iterable[SeededTimeline]) -> list[Forced]:
    return [_judge_forced(each.request, each.model, each.result) for each in made if each.request.frames]


def _random_forced(data: Path) -> Iterable[Forced]:
    """Random frames at random times, with nothing painted."""
    for number, group in enumerate(GROUPS):
        model, rng = group_model(data, group), np.random.default_rng([number, 77])
        infos = model.view.corpus.infos()
        for _ in range(FORCED_SEEDS):
            info = infos[int(rng.integers(len(infos)))]
            at, frame = int(rng.integers(240)), int(rng.integers(info.n_frames))
            asked = [{"at": f"{at}f", "take": info.name, "frame": frame}]
            request = Request.from_data({"length": "240f", "frames": asked})
            yield _judge_forced(request, model, realize(timeline, solve(timeline, model, request)[0], model))


def _judge_forced(request: Request, model: Model, result: Result) -> Forced:
    (asked,) = request.frames
    at = round(float(asked.at.removesuffix("f"))) if asked.at.endswith("f") else round(float(asked.at[:-1]) * model.fps)
    at = min(at, result.motion.n_frames - 1)
    origin = result.provenance
    (name,) = [info.name for info in model.view.corpus.infos() if info.name.endswith(asked.take)]
    step = model.view.corpus.info(name).fps / model.fps
    wanted = asked.frame + step * (np.arange(origin.n_frames) - at)  # what its recording has before and after it
    is_its = np.array([source.name == name for source in origin.sources])[origin.indices]
    is_near = is_its & (np.abs(origin.frames - wanted[:, None]) < 0.6 * step)
    own_weight = np.where(is_near, origin.weights, 0.0).max(axis=1)
    other_weight = np.where(is_near, 0.0, origin.weights).max(axis=1)
    more = own_weight - other_weight
    most, least = _run_around(more > -TIE, at), _run_around(more > TIE, at)
    warned = re.compile(rf"warning: \S+ at \S+ s brings (\d+) frames? of its own recording, not {MOST}: \S")
    numbers = [int(found[1]) for note in result.report.notes if (found := warned.search(note))]
    return Forced(most, any(least <= number <= most for number in numbers))


def _run_around(flags: np.ndarray, at: int) -> int:
    return next((stop - start for start, stop in find_runs(flags) if start <= at < stop), 0)


def _label_figures(data: Path, made: Sequence[SeededTimeline]) -> list[dict]:
    parts = (*GROUPS, *KINDS, AS_LONG_AS_RECORDED)
    shares = {part: np.zeros(3) for part in parts}  # frames, and those as painted in the output and in the sources
    for each in made:
        used = {each.model.view.names[n] for n in np.unique(each.model.motion_of[each.answer.state.solution.frames])}
        counts, recorded = _classified(teacher(data).without(used), each)
        shares[each.group] += counts
        shares[_kind(each.request)] += counts
        shares[AS_LONG_AS_RECORDED] += recorded
    total = np.sum([shares[group] for group in GROUPS], axis=0)
    rows = [(part, *(100 * share[1:] / share[0])) for part, share in shares.items() if share[0]]
    return [
        figure("labels; as painted; uncut source frames", 100 * total[2] / total[0], "%", "higher"),
        figure("labels; as painted; frames that come out", 100 * total[1] / total[0], "%", "higher"),
        figure("labels; lost by cutting", 100 * (total[2] - total[1]) / total[0], "points", "lower"),
        *(figure(f"labels; lost by cutting; {part}", source - out, "points", "lower") for part, out, source in rows),
    ]


def _kind(request: Request) -> str:
    return KINDS[1] if request.places else KINDS[2] if request.frames else KINDS[0]


def _classified(classifier: Classifier, each: SeededTimeline) -> np.ndarray:
    """(2, 3) painted cells that the classifier knows, those as painted in the output, and in the uncut source frames.

    First of all stretches, then of those that are no longer than the label was ever recorded at a time.
    """
    model, problem = each.model, each.answer.state.problem
    frames = each.answer.state.solution.frames
    whole = {
        n: classify(classifier, model.view.motion(model.view.names[n])) for n in np.unique(model.motion_of[frames])
    }
    source = np.array([whole[model.motion_of[frame]][frame - model.starts[model.motion_of[frame]]] for frame in frames])
    came_out = classify(classifier, each.result.motion)
    counts = np.zeros((2, 3))
    for column, label in enumerate(problem.labels):
        if label in classifier.labels:
            k, longest = classifier.labels.index(label), _longest_recorded(model, problem.tracks[:, column])
            for start, stop in find_runs(problem.paint[:, column] > 0):  # seeded requests paint what must hold
                hits = [holds[start:stop, k].sum() for holds in (came_out, source)]
                counts[: 1 + (stop - start <= longest)] += [stop - start, *hits]
    return counts


def _longest_recorded(model: Model, track: np.ndarray) -> int:
    """Frames for which a label holds at a time in the recordings, at most."""
    takes = zip(model.starts, model.starts[1:])
    return max(stop - start for first, last in takes for start, stop in [(0, 0), *find_runs(track[first:last] > 0)])


@dataclass(frozen=True, eq=False)
class Teacher:
    """What was learnt from the takes of all corpora together, to be learnt again without some of them."""

    model: Learnt
    view: View

    def without(self, takes: Iterable[str]) -> Classifier:
        """The classifier that never saw these takes."""
        seen = self.model.tracks.copy()
        for take in takes:
            seen[slice(*self.view.range_of(take))] = 0
        return freeze(retrain(self.model, seen), self.view.skeleton)


@cache
def teacher(data: Path) -> Teacher:
    """All takes that seeded timelines choose from, in one corpus."""
    _folders.append(tempfile.TemporaryDirectory(prefix="motionloom-bench-"))
    corpus = Corpus.create(Path(_folders[-1].name) / "corpus")
    for group in GROUPS:
        fill_group(corpus, data, group)
    view = make_view(corpus)
    labels = sorted({label.label for label in corpus.labels()})
    windows = find_windows(view, USUAL)
    return Teacher(train_windows(windows, labels, label_tracks(view, labels)), view)


def _far_figures(data: Path) -> list[dict]:
    """30 m in a few seconds: who says it is met, and how much longer half a second of the way has become."""
    model = group_model(data, "football")
    met, longest, missed = 0, 0.0, []
    for label, seconds in FAR:
        asked = {"length": f"{seconds:g}s", "labels": [{"label": label}], "places": [{"position": [0.0, 30.0]}]}
        answer = solve(timeline, model, Request.from_data(asked))[0]
        result = realize(timeline, answer, model)
        part = next(part for part in result.report.parts if part.name.startswith("position"))
        met += part.met
        missed.append(part.value)
        longest = max(longest, _longer(model, answer, result))
    return [
        figure("30 m in 3 to 8 s; said to be met", met, "places", "lower"),
        figure("30 m in 3 to 8 s; half a second of the way longer by at most", 100 * longest, "%", "lower"),
        figure("30 m in 3 to 8 s; missed by at least", min(missed), "m", "higher"),
    ]


def _longer(model: Model, answer, result: Result) -> float:  # type: ignore[no-untyped-def]
    """The largest relative elongation of half a second of the path, beside what was planned."""
    planned = path_of(model, answer.state.problem, answer.state.solution.frames)[:, :2]
    _, ground = find_facing(result.motion.skeleton, kinematics.world_positions(result.motion))
    step = round(STEP * model.fps)
    arcs = [np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)) for line in (planned, ground)]
    before, after = (arc[step:] - arc[:-step] for arc in arcs)
    return float((after / np.maximum(before, 0.1 * STEP * np.sqrt(9.81 * 0.8)) - 1).max())


def _report_figures(made: Sequence[SeededTimeline]) -> list[dict]:
    found = [line for each in made for line in nonsense(each.result)]
    return [
        figure("reports; read", len(made), "reports", "higher"),
        figure("reports; lines that make no sense", len(found), "lines", "lower"),
    ]


def nonsense(result: Result) -> list[str]:
    """Lines of a report that contradict themselves or say nothing."""
    lines = result.report.describe().splitlines()
    alike = [
        line
        for line in lines
        if (same := re.search(r"MISSED.* (\S+ \S+)  +\(allowed (.+?)\)", line)) and same[1] == same[2]
    ]
    empty = [line for line in lines for pattern in (NONSENSE[0], NONSENSE[1], NONSENSE[2]) if re.search(pattern, line)]
    many = [line for line in lines if (how := re.search(NONSENSE[3], line)) and int(how[2]) > result.motion.n_frames]
    unexplained = [
        part.name
        for part in result.report.parts
        if not part.met and (not part.why_not or re.search(NONSENSE[4], part.why_not))
    ]
    return [*alike, *empty, *many, *unexplained]
