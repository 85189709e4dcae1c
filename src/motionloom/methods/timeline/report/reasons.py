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

from motionloom.assembly.results.spelling import times_apart
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import cost_of
from motionloom.methods.timeline.objective.problem import MUST, Problem, wrong_cells
from motionloom.methods.timeline.report.coverage import FAIR, stretches_of
from motionloom.methods.timeline.report.demands import (
    Demand,
    Reason,
    describe,
    describe_distance,
    describe_lack,
    painted_beside,
    soonest_seconds,
)
from motionloom.methods.timeline.report.hard_cuts import explain_hard_cuts
from motionloom.methods.timeline.report.measures import is_met
from motionloom.methods.timeline.report.reachability import holds, nearest_cuts
from motionloom.methods.timeline.solvers.solver import solve_problem
from motionloom.motion.runs import find_equal_runs, find_runs
from motionloom.tasks import Stop, check_stop

SHORTEST = 0.15  # seconds: shorter misses are not explained, unless they are all that a stretch is missed by
EXITS = 4000  # frames at most from which the nearest cut is looked for
CHEAPER = 0.1  # times what cuts cost, when a problem is solved with labels first

SolveAgain = Callable[[Problem], np.ndarray]


def explain(
    model: Model,
    problem: Problem,
    frames: np.ndarray,
    solve_again: SolveAgain | None = None,
    stop: Stop | None = None,
    *,
    played: np.ndarray | None = None,
) -> tuple[Reason, ...]:
    """A reason for every painted stretch that an answer misses for a while, and every very hard cut, in order.

    Args:
        model: N frames.
        problem: what is asked.
        frames: (F,) of the model: the answer.
        solve_again: the best frames of a changed problem; None to search as the model does.
        stop: asked often; if it answers True, `Stopped` is raised.
        played: (F,) of the model: the frames that have the most weight after joining; None where it is the answer.
    """
    shown = np.asarray(frames if played is None else played)
    others = _Others(model, problem, solve_again or (lambda changed: _search(model, changed, stop)))
    misses = find_misses(problem, shown, model.fps)
    reasons = []
    for miss in misses:
        check_stop(stop)
        reasons.append(_reason(model, problem, np.asarray(frames), shown, others, *miss))
    reasons += explain_hard_cuts(model, problem, np.asarray(frames))
    return tuple(sorted(reasons, key=lambda reason: (reason.start, reason.stop)))


def find_misses(problem: Problem, frames: np.ndarray, fps: float) -> list[tuple[int, int, int]]:
    """(label, start, stop) of the stretches of an answer in which a label is not as painted, however it is painted.

    Short ones are passed over, but for the longest of a painted stretch that is missed by nothing else.
    """
    wrong = wrong_cells(problem, frames) > 0
    found = []
    for label in range(len(problem.labels)):
        for first, last, value in find_equal_runs(problem.paint[:, label]):
            column = wrong[first:last, label]
            runs = [(label, first + start, first + stop) for start, stop in find_runs(column)] if value else []
            long = [run for run in runs if run[2] - run[1] >= SHORTEST * fps]
            if runs and not long and not is_met(int(column.sum()), len(column)):
                long = [max(runs, key=lambda run: run[2] - run[1])]
            found += long
    return found


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
        return self.solve_again(replace(self.problem, forced=(), runs=()))

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
        return describe({self.label: self.value})

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
    model: Model,
    problem: Problem,
    frames: np.ndarray,
    shown: np.ndarray,
    others: _Others,
    label: int,
    start: int,
    stop: int,
) -> Reason:
    row = problem.paint[(start + stop) // 2]
    demand = {problem.labels[i]: int(row[i]) for i in np.flatnonzero(row)}
    miss = _Miss(model, problem, problem.labels[label], int(problem.paint[start, label]), start, stop, demand)
    return (
        _from_joins(miss, frames)
        or _from_labels(miss, problem.tracks[shown[start:stop], label])
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
                alone = ", ".join(f"{describe({a: v})} {miss.seconds({a: v}):.1f} s" for a, v in part.items())
                sentence = f"{describe(part)} at the same time was never seen ({alone})"
                length = (miss.painted[1] - miss.painted[0]) / miss.model.fps
                advice = f"record {describe(part)} at the same time, for {length:.1f} s or more"
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
    wants, has = times_apart(painted, longest)
    sentence = (
        f"{describe(miss.demand)} is painted for {wants} s, but was recorded for {has} s at most, and "
        f"{describe_distance(nearest)} to prolong it"
    )
    return miss.reason("short", sentence, f"record {describe(miss.demand)} for {painted:.1f} s without a break")


def _from_reach(miss: _Miss) -> Reason | None:
    """Never within reach of what is painted before or after, whichever is nearer to the miss."""
    model, (first, stop) = miss.model, miss.painted
    sides = [(True, miss.start - first), (False, stop - miss.stop)]
    for is_before, _ in sorted(sides, key=lambda side: side[1]):
        beside = painted_beside(miss.problem, first, stop, is_before)
        if beside is None:
            continue
        other, room = beside
        pair = (other, miss.demand) if is_before else (miss.demand, other)
        leaving, goal = holds(model, pair[0]), holds(model, pair[1])
        if not leaving.any() or (leaving & goal).any():
            continue
        nearest = _nearest(model, leaving, goal)
        needs = soonest_seconds(model, *pair)
        if needs is None or needs > room / model.fps:
            return _reach_reason(miss, pair, nearest, needs, room / model.fps)
    return None


def _reach_reason(miss: _Miss, pair: tuple[Demand, Demand], nearest: float, needs: float | None, room: float) -> Reason:
    change = f"from {describe(pair[0])} to {describe(pair[1])}"
    sentence = f"{change} {describe_distance(nearest)}; {describe_lack(needs, room)}"
    advice = f"record a change {change} of about {max(room, 0.5):.1f} s"
    if needs is not None:
        advice += f", or leave {needs:.1f} s between them unpainted"
    labels = [label for demand in pair for label in demand if label != miss.label]
    return miss.reason("reach", sentence, advice, *dict.fromkeys(labels))


def _from_joins(miss: _Miss, frames: np.ndarray) -> Reason | None:
    """Planned as painted: joining plays frames of the other side."""
    if not _is_cured(miss, frames):
        return None
    sentence = f"{miss.what} is planned, but the join there plays more of the frames on its other side"
    advice = f"paint {miss.label} from a little earlier or to a little later, so that the join lies outside"
    return miss.reason("continuity", sentence, advice)


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
    advice = f"record {describe(miss.demand)} between what is painted around it, or leave more time unpainted"
    return miss.reason("reach", sentence, advice)


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


def _search(model: Model, problem: Problem, stop: Stop | None = None) -> np.ndarray:
    solutions = [*solve_problem(model, problem, stop=stop, ends=True)]
    check_stop(stop)  # what was found until then says nothing
    return min(solutions, key=lambda solution: solution.cost).frames
