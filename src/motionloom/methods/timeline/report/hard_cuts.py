"""Very hard cuts: why what is painted was met by force."""

from dataclasses import replace

import numpy as np

from motionloom.assembly.results.spelling import times_apart
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import cut_distances, find_cuts
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.report.coverage import POOR, stretches_of
from motionloom.methods.timeline.report.demands import (
    Demand,
    Reason,
    describe,
    describe_distance,
    describe_lack,
    painted_beside,
    soonest_seconds,
)
from motionloom.methods.timeline.report.reachability import holds
from motionloom.motion.runs import find_runs

STRAIGHT_ON = "a fair cut leads straight from one to the other"


def explain_hard_cuts(model: Model, problem: Problem, frames: np.ndarray) -> list[Reason]:
    """What is painted was met by force: cuts that are worse than poor, with what is painted on both sides."""
    cuts = find_cuts(model, frames)
    hard = cuts[cut_distances(model, frames, cuts) > POOR]
    found = (_hard_cut(model, problem, frames, cut) for cut in hard.tolist())
    return [replace(reason, at_cut=True) for reason in found if reason is not None]


def _hard_cut(model: Model, problem: Problem, frames: np.ndarray, cut: int) -> Reason | None:
    pair = tuple(painted_beside(problem, cut, cut, is_before) for is_before in (True, False))
    if pair[0] is None or pair[1] is None:
        return None
    (before, gap), (after, gap_after) = pair[0], pair[1]
    room = (gap + gap_after) / model.fps
    distance = float(cut_distances(model, frames, np.array([cut]))[0])
    found = f"{cut / model.fps:.1f} s: from {describe(before)} to {describe(after)} {describe_distance(distance)}"
    labels = tuple(dict.fromkeys([*before, *after]))
    run = next((forced for forced in problem.runs if forced.at <= cut <= forced.stop), None)
    if run is not None:
        clip = run.clip
        way = f"to {clip.name}" if cut <= clip.at else f"from {clip.name}"
        when = f"{cut / model.fps:.1f} s: {way}, forced at {clip.at / model.fps:.1f} s"
        sentence = f"{when}, {describe_distance(distance)}"
        advice = f"force it at another time, or record a change between it and {describe(before | after)}"
        return Reason(labels, cut - 1, cut + 1, "forced", sentence, advice)
    if before == after:
        return _hard_cut_within(model, problem, before, cut, found)
    advice = f"record a change from {describe(before)} to {describe(after)} of about {max(room, 0.5):.1f} s"
    needs = soonest_seconds(model, before, after)
    if needs is None:
        return Reason(labels, cut - 1, cut + 1, "reach", f"{found}; no way with fair cuts was found", advice)
    if needs <= room:
        way = f"the soonest fair way takes no more than {times_apart(needs)[0]} s" if needs else STRAIGHT_ON
        sentence = f"{found}, though {way}"
        return _needless_cut(problem, labels, cut, sentence)
    sentence = f"{found}; {describe_lack(needs, room)}"
    return Reason(labels, cut - 1, cut + 1, "reach", sentence, f"{advice}, or leave more time between them unpainted")


def _hard_cut_within(model: Model, problem: Problem, demand: Demand, cut: int, found: str) -> Reason:
    """Of a cut between two stretches that are painted alike: what is painted was recorded shorter, or it was not."""
    alike = (problem.paint == problem.paint[cut]).all(axis=1)
    painted = next((b - a for a, b in find_runs(alike) if a <= cut < b)) / model.fps
    longest = max((b - a for a, b in stretches_of(model, holds(model, demand))), default=0) / model.fps
    if longest < painted:
        wants, has = times_apart(painted, longest)
        sentence = f"{found}: it is painted for {wants} s, and the longest recorded stretch is {has} s"
        advice = f"record {describe(demand)} for {painted:.1f} s without a break"
        return Reason(tuple(demand), cut - 1, cut + 1, "short", sentence, advice)
    sentence = f"{found}, though it was recorded for {longest:.1f} s without a break"
    return _needless_cut(problem, tuple(demand), cut, sentence)


def _needless_cut(problem: Problem, labels: tuple[str, ...], cut: int, sentence: str) -> Reason:
    """Labels alone do not need the cut: places do, or cuts count too little."""
    advice = "lower alpha, so that cuts count more" + (", or give places less weight" if problem.places else "")
    return Reason(labels, cut - 1, cut + 1, "place" if problem.places else "continuity", sentence, advice)
