"""Reasons: why an answer misses what was painted, and what recording would help.

The corpus is asked first: is the label there, is the combination, how long does it last, how near is it to what is
painted beside it. Where that says nothing, the problem is solved again with less in it: without places, without forced
frames, with cuts that cost little. What the miss disappears with is what it was given up for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import cost_of, cut_distances, find_cuts
from motionloom.methods.timeline.objective.problem import MUST, Problem, wrong_cells
from motionloom.methods.timeline.report.coverage import FAIR, POOR, stretches_of
from motionloom.methods.timeline.report.reachability import holds, nearest_cuts, soonest_way, ways_to
from motionloom.methods.timeline.solvers.solver import solve_problem
from motionloom.motion.runs import find_runs
from motionloom.tasks import Stop, check_stop

SHORTEST = 0.15  # seconds: shorter misses are not explained
EXITS = 4000  # frames at most from which the nearest cut is looked for
CHEAPER = 0.1  # times what cuts cost, when a problem is solved with labels first
KINDS = ("unknown", "absent", "combination", "forced", "place", "short", "reach", "continuity", "search")

Demand = dict[str, int]  # by label: +1 must, -1 must not
SolveAgain = Callable[[Problem], np.ndarray]


@dataclass(frozen=True)
class Reason:
    """Why something painted is missed over frames [start, stop) of the answer, or met there by a very hard cut."""

    labels: tuple[str, ...]  # the one that is missed, then those it has to do with
    start: int
    stop: int
    kind: str  # one of KINDS
    sentence: str
    advice: str  # what recording, or what change of the request, would help
    at_cut: bool = False  # about a very hard cut between the two frames, and not about a miss


def explain(
    model: Model,
    problem: Problem,
    frames: np.ndarray,
    solve_again: SolveAgain | None = None,
    stop: Stop | None = None,
) -> tuple[Reason, ...]:
    """A reason for every painted stretch that an answer misses for a while, and every very hard cut, in order.

    Args:
        model: N frames.
        problem: what is asked.
        frames: (F,) of the model: the answer.
        solve_again: the best frames of a changed problem; None to search as the model does.
        stop: asked often; if it answers True, `Stopped` is raised.
    """
    others = _Others(model, problem, solve_again or (lambda changed: _search(model, changed, stop)))
    misses = find_misses(problem, frames, model.fps)
    reasons = []
    for miss in misses:
        check_stop(stop)
        reasons.append(_reason(model, problem, np.asarray(frames), others, *miss))
    reasons += _hard_cuts(model, problem, np.asarray(frames))
    return tuple(sorted(reasons, key=lambda reason: (reason.start, reason.stop)))


def find_misses(problem: Problem, frames: np.ndarray, fps: float) -> list[tuple[int, int, int]]:
    """(label, start, stop) of the stretches of an answer in which a label is not as painted, however it is painted."""
    wrong = wrong_cells(problem, frames) > 0
    found = []
    for label in range(len(problem.labels)):
        for value in (1, -1):
            runs = find_runs(wrong[:, label] & (problem.paint[:, label] == value))
            found += [(label, start, stop) for start, stop in runs if stop - start >= SHORTEST * fps]
    return found


def _hard_cuts(model: Model, problem: Problem, frames: np.ndarray) -> list[Reason]:
    """What is painted was met by force: cuts that are worse than poor, with what is painted on both sides."""
    cuts = find_cuts(model, frames)
    hard = cuts[cut_distances(model, frames, cuts) > POOR]
    found = (_hard_cut(model, problem, frames, cut) for cut in hard.tolist())
    return [replace(reason, at_cut=True) for reason in found if reason is not None]


def _hard_cut(model: Model, problem: Problem, frames: np.ndarray, cut: int) -> Reason | None:
    pair = tuple(_beside(problem, cut, cut, is_before) for is_before in (True, False))
    if pair[0] is None or pair[1] is None:
        return None
    (before, gap), (after, gap_after) = pair[0], pair[1]
    room = (gap + gap_after) / model.fps
    distance = float(cut_distances(model, frames, np.array([cut]))[0])
    found = f"{cut / model.fps:.1f} s: from {_describe(before)} to {_describe(after)} {_away(distance)}"
    labels = tuple(dict.fromkeys([*before, *after]))
    clip = next((forced for forced in problem.forced if cut in (forced.at, forced.stop)), None)
    if clip is not None:
        way = f"to {clip.name}" if cut == clip.at else f"from {clip.name}"
        sentence = f"{cut / model.fps:.1f} s: {way}, forced at {clip.at / model.fps:.1f} s, {_away(distance)}"
        advice = f"force it at another time, or record a change between it and {_describe(before | after)}"
        return Reason(labels, cut - 1, cut + 1, "forced", sentence, advice)
    if before == after:
        return _hard_cut_within(model, problem, before, cut, found)
    advice = f"record a change from {_describe(before)} to {_describe(after)} of about {max(room, 0.5):.1f} s"
    needs = _soonest(model, before, after)
    if needs is None:
        return Reason(labels, cut - 1, cut + 1, "reach", f"{found}; no way with fair cuts was found", advice)
    if needs <= room:
        sentence = f"{found}, though the soonest fair way takes no more than {needs:.1f} s"
        return _needless_cut(problem, labels, cut, sentence)
    sentence = f"{found}; the soonest fair way takes {needs:.1f} s, and {room:.1f} s are left for it"
    return Reason(labels, cut - 1, cut + 1, "reach", sentence, f"{advice}, or leave more time between them unpainted")


def _hard_cut_within(model: Model, problem: Problem, demand: Demand, cut: int, found: str) -> Reason:
    """Of a cut between two stretches that are painted alike: what is painted was recorded shorter, or it was not."""
    alike = (problem.paint == problem.paint[cut]).all(axis=1)
    painted = next((b - a for a, b in find_runs(alike) if a <= cut < b)) / model.fps
    longest = max((b - a for a, b in stretches_of(model, holds(model, demand))), default=0) / model.fps
    if longest < painted:
        sentence = f"{found}: it is painted for {painted:.1f} s, and the longest recorded stretch is {longest:.1f} s"
        advice = f"record {_describe(demand)} for {painted:.1f} s without a break"
        return Reason(tuple(demand), cut - 1, cut + 1, "short", sentence, advice)
    sentence = f"{found}, though it was recorded for {longest:.1f} s without a break"
    return _needless_cut(problem, tuple(demand), cut, sentence)


def _needless_cut(problem: Problem, labels: tuple[str, ...], cut: int, sentence: str) -> Reason:
    """Labels alone do not need the cut: places do, or cuts count too little."""
    advice = "lower alpha, so that cuts count more" + (", or give places less weight" if problem.places else "")
    return Reason(labels, cut - 1, cut + 1, "place" if problem.places else "continuity", sentence, advice)


@dataclass(frozen=True)
class _Others:
    """The best answers to changed problems, each searched for at most once."""

    model: Model
    problem: Problem
    solve_again: SolveAgain

    @cached_property
    def without_places(self) -> np.ndarray:
        return self.solve_again(replace(self.problem, places=()))

    @cached_property
    def without_forced(self) -> np.ndarray:
        return self.solve_again(replace(self.problem, forced=()))

    @cached_property
    def labels_first(self) -> np.ndarray:
        return self.solve_again(replace(self.problem, cut_weight=CHEAPER * self.problem.cut_weight))


@dataclass(frozen=True)
class _Miss:
    """A miss, and all that the corpus says about it."""

    model: Model
    problem: Problem
    label: str
    value: int
    start: int
    stop: int
    demand: Demand  # all that is painted in its middle

    def reason(self, kind: str, sentence: str, advice: str, *labels: str) -> Reason:
        when = f"{self.start / self.model.fps:.1f} to {self.stop / self.model.fps:.1f} s"
        return Reason((self.label, *labels), self.start, self.stop, kind, f"{when}: {sentence}", advice)

    @property
    def what(self) -> str:
        return _describe({self.label: self.value})

    def seconds(self, demand: Demand) -> float:
        return float(holds(self.model, demand).sum() / self.model.fps)

    @cached_property
    def painted(self) -> tuple[int, int]:
        """The frames [start, stop) around the miss that are painted alike."""
        paint = self.problem.paint
        middle = (self.start + self.stop) // 2
        alike = (paint == paint[middle]).all(axis=1)
        return next((a, b) for a, b in find_runs(alike) if a <= middle < b)


def _reason(
    model: Model, problem: Problem, frames: np.ndarray, others: _Others, label: int, start: int, stop: int
) -> Reason:
    row = problem.paint[(start + stop) // 2]
    demand = {problem.labels[i]: int(row[i]) for i in np.flatnonzero(row)}
    miss = _Miss(model, problem, problem.labels[label], int(problem.paint[start, label]), start, stop, demand)
    return (
        _from_labels(miss, problem.tracks[frames[start:stop], label])
        or _from_combinations(miss)
        or _from_force(miss, others)
        or _from_places(miss, others)
        or _from_length(miss)
        or _from_reach(miss)
        or _from_continuity(miss, others, frames)
    )


def _from_labels(miss: _Miss, track: np.ndarray) -> Reason | None:
    if (track == 0).mean() > 0.5:
        sentence = f"it is not known whether {miss.label} holds in the frames that are played"
        return miss.reason("unknown", sentence, f"label {miss.label} in more takes, or accept what is proposed")
    if miss.seconds({miss.label: miss.value}):
        return None
    if miss.value == MUST:
        sentence = f"{miss.label} is absent from the takes to choose from"
        return miss.reason("absent", sentence, f"record {miss.label}, or choose takes that have it")
    sentence = f"every frame of the takes to choose from is {miss.label}"
    return miss.reason("absent", sentence, f"record something else than {miss.label}")


def _from_combinations(miss: _Miss) -> Reason | None:
    """The smallest part of what is painted that was never seen together."""
    if miss.seconds(miss.demand):
        return None
    rest = [label for label in miss.demand if label != miss.label]
    for size in range(1, len(rest) + 1):
        for some in combinations(rest, size):
            part = {label: miss.demand[label] for label in (miss.label, *some)}
            if not miss.seconds(part):
                alone = ", ".join(f"{_describe({a: v})} {miss.seconds({a: v}):.1f} s" for a, v in part.items())
                sentence = f"{_describe(part)} at the same time was never seen ({alone})"
                length = (miss.painted[1] - miss.painted[0]) / miss.model.fps
                advice = f"record {_describe(part)} at the same time, for {length:.1f} s or more"
                return miss.reason("combination", sentence, advice, *some)
    return None


def _from_force(miss: _Miss, others: _Others) -> Reason | None:
    clips = miss.problem.forced
    if not clips:
        return None
    fps = miss.model.fps
    middle = (miss.start + miss.stop) / 2
    nearest = min(clips, key=lambda clip: max(clip.at - middle, middle - clip.stop, 0.0))
    covered = max(0, min(nearest.stop, miss.stop) - max(nearest.at, miss.start))
    if covered > (miss.stop - miss.start) / 2:
        sentence = f"{nearest.name} is forced from {nearest.at / fps:.1f} s on, and is not {miss.what}"
        return miss.reason("forced", sentence, "force another clip, or leave that time unpainted")
    if not _is_cured(miss, others.without_forced):
        return None
    sentence = f"{nearest.name}, forced at {nearest.at / fps:.1f} s, is too near: without it {miss.what} is there"
    return miss.reason("forced", sentence, f"force it farther from {miss.what}, or record a change between the two")


def _from_places(miss: _Miss, others: _Others) -> Reason | None:
    if not miss.problem.places or not _is_cured(miss, others.without_places):
        return None
    place = next((place for place in miss.problem.places if place.frame >= miss.start), miss.problem.places[-1])
    when = place.frame / miss.model.fps
    sentence = f"{miss.what} was given up for the place at {when:.1f} s: without places it is there"
    return miss.reason("place", sentence, "give it more time, move the place, or give it less weight")


def _from_length(miss: _Miss) -> Reason | None:
    """Painted for longer than it was ever recorded, and not to be prolonged by a fair cut."""
    kind = holds(miss.model, miss.demand)
    longest = max((b - a for a, b in stretches_of(miss.model, kind)), default=0) / miss.model.fps
    painted = (miss.painted[1] - miss.painted[0]) / miss.model.fps
    if longest >= painted:
        return None
    nearest = _nearest(miss.model, kind, kind)
    if nearest <= FAIR:
        return None
    sentence = (
        f"{_describe(miss.demand)} is painted for {painted:.1f} s, but was recorded for {longest:.1f} s at most, and "
        f"{_away(nearest)} to prolong it"
    )
    return miss.reason("short", sentence, f"record {_describe(miss.demand)} for {painted:.1f} s without a break")


def _from_reach(miss: _Miss) -> Reason | None:
    """Never within reach of what is painted before or after, whichever is nearer to the miss."""
    model, (first, stop) = miss.model, miss.painted
    sides = [(True, miss.start - first), (False, stop - miss.stop)]
    for is_before, _ in sorted(sides, key=lambda side: side[1]):
        beside = _beside(miss.problem, first, stop, is_before)
        if beside is None:
            continue
        other, room = beside
        pair = (other, miss.demand) if is_before else (miss.demand, other)
        leaving, goal = holds(model, pair[0]), holds(model, pair[1])
        if not leaving.any() or (leaving & goal).any():
            continue
        nearest = _nearest(model, leaving, goal)
        needs = _soonest(model, *pair)
        if needs is None or needs > room / model.fps:
            return _reach_reason(miss, pair, nearest, needs, room / model.fps)
    return None


def _reach_reason(miss: _Miss, pair: tuple[Demand, Demand], nearest: float, needs: float | None, room: float) -> Reason:
    change = f"from {_describe(pair[0])} to {_describe(pair[1])}"
    soonest = "no way with fair cuts was found" if needs is None else f"the soonest fair way takes {needs:.1f} s"
    given = f"{room:.1f} s are left for it" if room else "no time is left for it"
    sentence = f"{change} {_away(nearest)}; {soonest}, and {given}"
    advice = f"record a change {change} of about {max(room, 0.5):.1f} s"
    if needs is not None:
        advice += f", or leave {needs:.1f} s between them unpainted"
    labels = [label for demand in pair for label in demand if label != miss.label]
    return miss.reason("reach", sentence, advice, *dict.fromkeys(labels))


def _from_continuity(miss: _Miss, others: _Others, frames: np.ndarray) -> Reason:
    if _is_cured(miss, others.labels_first):
        now, then = (cost_of(miss.model, miss.problem, played).total for played in (frames, others.labels_first))
        if then < now:
            sentence = f"the search missed {miss.what}: a motion with it costs {now - then:.1f} wrong frames less"
            return miss.reason("search", sentence, "search for longer, with another seed, or with the solver `global`")
        sentence = (
            f"continuity outweighs {miss.what} here: with it the motion would cost {then - now:.1f} wrong frames more"
        )
        return miss.reason("continuity", sentence, "raise alpha, so that labels count more")
    sentence = f"{miss.what} is there, but not so that it fits what is painted before and after, at this time"
    advice = f"record {_describe(miss.demand)} between what is painted around it, or leave more time unpainted"
    return miss.reason("reach", sentence, advice)


def _beside(problem: Problem, start: int, stop: int, is_before: bool) -> tuple[Demand, int] | None:
    """What is painted next before or after a stretch, and the unpainted frames between."""
    rows = problem.paint[:start][::-1] if is_before else problem.paint[stop:]
    painted = np.flatnonzero(rows.any(axis=1))
    if not len(painted):
        return None
    row = rows[painted[0]]
    return {problem.labels[i]: int(row[i]) for i in np.flatnonzero(row)}, int(painted[0])


def _soonest(model: Model, before: Demand, after: Demand) -> float | None:
    """Seconds between two kinds of frames on the soonest way with fair cuts; None where there is none."""
    way = soonest_way(model, ways_to(model, holds(model, after), FAIR), holds(model, before))
    return max(len(way) - 2, 0) / model.fps if len(way) else None


def _nearest(model: Model, leaving: np.ndarray, goal: np.ndarray) -> float:
    """Usual distances of the nearest cut between two kinds of frames; every n-th frame is left, if there are many."""
    exits = np.flatnonzero(leaving)
    cuts = nearest_cuts(model, exits[:: -(-len(exits) // EXITS) or 1], goal)
    return float(cuts.distances.min(initial=np.inf))


def _is_cured(miss: _Miss, frames: np.ndarray) -> bool:
    """Whether another answer has less than half of a miss."""
    column = miss.problem.labels.index(miss.label)
    wrong = wrong_cells(miss.problem, frames)[miss.start : miss.stop, column]
    return bool(wrong.mean() < 0.5)


def _away(distance: float) -> str:
    if not np.isfinite(distance):
        return "has no cut at all"
    return f"takes a cut of {distance:.1f} usual distances (1 is usual)"


def _describe(demand: Demand) -> str:
    """'walk and not wave'."""
    return " and ".join(label if value == MUST else f"not {label}" for label, value in demand.items())


def _search(model: Model, problem: Problem, stop: Stop | None = None) -> np.ndarray:
    solutions = [*solve_problem(model, problem, stop=stop, ends=True)]
    check_stop(stop)  # what was found until then says nothing
    return min(solutions, key=lambda solution: solution.cost).frames
