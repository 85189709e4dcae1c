"""Hitting targets in space: how near a scripted user comes by browsing alone, and what exact hits take.

The user may extend the sequence three times for each target: towards it, if nothing that can be reached comes near, and
then to the hit. What is measured is measured in the finished motions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline.corpora import set_of
from motionloom.assembly import Answer, Result, prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import buildup
from motionloom.methods.buildup import Hit, Model, Request, Step
from motionloom.methods.buildup.hits.body_points import arm_length
from motionloom.methods.buildup.sequence.sequence import where_is

LAYOUTS = 20
TARGETS = 3  # in each
NEAR = 0.1  # metres at which the user is content
STAND_OFF = 0.6  # metres before a target to which the user goes first
SIDES = np.radians([0.0, 60.0, -60.0, 120.0, -120.0, 180.0])  # from which the target is come to, the near side first
WITHIN = 0.35  # metres from there
HIGH, AWAY = (1.1, 1.4), (0.6, 2.0)  # metres: heights of a boxer's targets, and from one to the next
LOW, BESIDE = (0.1, 0.1), (0.3, 1.5)  # the same of a dancer's, which lie on the floor


@dataclass(frozen=True)
class Layout:
    """Points to hit one after another, metres: (x, y up, z) each."""

    points: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, eq=False)
class Played:
    """A layout as it was played: how far its hits are off, and how much its steps were changed."""

    result: Result
    distances: np.ndarray  # (TARGETS,) metres
    changed: float  # share of a step
    extensions: int
    hands: tuple[str, ...]


def figures(data: Path) -> list[dict]:
    """The boxer of figure 4 and the dancer of figure 5, by browsing alone and with exact hits."""
    boxer = figures_of("a boxer's targets", set_of(data, "boxing"), layouts(*HIGH, *AWAY), 0.001)
    dancer = figures_of("a dancer's targets on the floor", set_of(data, "breakdance"), layouts(*LOW, *BESIDE), 0.01)
    return [*boxer, *dancer]


def figures_of(what: str, corpus: Corpus, laid_out: Sequence[Layout], allowed: float) -> list[dict]:
    """What a scripted user comes to with the takes of a corpus, by browsing alone and with exact hits.

    Args:
        what: is aimed at, as figures call it.
        corpus: to choose from.
        laid_out: targets.
        allowed: metres by which an exact hit may be off.
    """
    model = prepare_for(buildup, corpus, Request(groups=24))
    near = 0.5 * arm_length(model.view.skeleton)  # section 5
    browsed, exact = ([play_layout(model, layout, exact=each) for layout in laid_out] for each in (False, True))
    found, hit = (np.concatenate([played.distances for played in every]) for every in (browsed, exact))
    changed = [played.changed for played in exact for _ in range(TARGETS)]
    extensions = [played.extensions / TARGETS for played in browsed]
    millimetres = 1000 * allowed
    return [
        figure(f"{what} by browsing alone; nearer than half an arm, of 60", (found < near).sum(), "hits", "higher"),
        figure(f"{what} by browsing alone; median distance", np.median(found), "m", "lower"),
        figure(f"{what} by browsing alone; largest distance", found.max(), "m", "lower"),
        figure(f"{what} by browsing alone; extensions for each", np.mean(extensions), "steps", "lower"),
        figure(f"{what}, exact; within {millimetres:g} mm, of 60", (hit <= allowed).sum(), "hits", "higher"),
        figure(f"{what}, exact; largest distance", 1000 * hit.max(), "mm", "lower"),
        figure(f"{what}, exact; steps changed at most 30 %, of 60", np.sum(np.array(changed) <= 0.3), "hits", "higher"),
        figure(f"{what}, exact; most that steps are changed", 100 * max(changed), "%", "lower"),
    ]


def layouts(low: float, high: float, least: float, most: float) -> list[Layout]:
    """Seeded layouts, each target so far from the one before.

    Args:
        low: metres, the least height of a target.
        high: metres, the largest.
        least: metres from one to the next over the ground, at least.
        most: metres at most.
    """
    found = []
    for seed in range(LAYOUTS):
        rng, at, points = np.random.default_rng(seed), np.zeros(2), []
        for _ in range(TARGETS):
            angle = rng.uniform(0, 2 * np.pi)
            at = at + rng.uniform(least, most) * np.array([np.sin(angle), np.cos(angle)])
            points.append((float(at[0]), float(rng.uniform(low, high)), float(at[1])))
        found.append(Layout(tuple(points)))
    return found


def play_layout(model: Model, layout: Layout, *, exact: bool) -> Played:
    """What the user builds for a layout."""
    request, answer = Request(), None
    for point in layout.points:
        request, answer = _hit(model, request, answer, Hit("hand", point, step=1, exact=exact))
    assert answer is not None
    result = realize(buildup, answer, model)
    hits = result.report.details["hits"]
    changed = [part.value / 100 for part in result.report.parts if part.name.endswith("steps changed")]
    return Played(
        result,
        np.array([hit["distance"] for hit in hits]),
        max(changed, default=0.0),
        len(request.steps),
        tuple(hit["joint"] for hit in hits),
    )


def _hit(model: Model, request: Request, answer: Answer | None, hit: Hit) -> tuple[Request, Answer]:
    """The request with the extensions that hit a target, the first that come near, and its answer."""
    assert hit.point is not None
    best: tuple[float, Request, Answer] | None = None
    for before in _approaches(_last_place(model, answer), np.array(hit.point)[[0, 2]]):
        steps = (*request.steps, *before, Step())
        tried = replace(request, steps=steps, hits=(*request.hits, replace(hit, step=len(steps))))
        found = solve(buildup, model, tried, previous=answer)[0]
        if any(taken.why_not for taken in found.state.characters[0].taken[len(request.steps) : -1]):
            continue  # the user does not accept a way that ends elsewhere
        miss = found.state.characters[0].taken[-1].miss
        if best is None or miss < best[0]:
            best = miss, tried, found
        if miss <= NEAR:
            break
    assert best is not None
    return best[1], best[2]


def _approaches(here: np.ndarray, there: np.ndarray) -> Sequence[tuple[Step, ...]]:
    """What the user tries before a hit: nothing, or going to a place before the target, from one side or another."""
    back = here - there
    angle = np.arctan2(back[0], back[1])
    places = [there + STAND_OFF * np.array([np.sin(angle + side), np.cos(angle + side)]) for side in SIDES]
    steps = [Step(place=(float(x), float(z)), within=WITHIN) for x, z in places]
    return [(), *((step,) for step in steps), *((step, other) for step, other in zip(steps, steps[1:]))]


def _last_place(model: Model, answer: Answer | None) -> np.ndarray:
    """(2,) metres along x and z: where the sequence ends so far; it begins at the origin."""
    if answer is None:
        return np.zeros(2)
    last = answer.state.characters[0].sequence.last_pose(model)
    return np.array(where_is(model, last.frame, last.placement)[:2])
