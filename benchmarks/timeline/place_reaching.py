"""Reaching places on F: before bending, after it, with headings, in the middle of a motion, and what it takes.

The paper's pool is measured beside it in blocks_convergence.py, on the same timelines and places.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline.corpora import football
from benchmarks.timeline.requests import make_request
from motionloom.assembly import realize
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, Place, Request, prepare, search
from motionloom.methods.timeline.objective.costs import path_of, place_misses

FAR = 4.0  # metres to the place at the end
HALF = 2.0  # metres to the place in the middle
DIRECTIONS = np.arange(8) * np.pi / 4  # radians
TURNED = np.radians(45)  # by which the way on from the middle turns
TIMELINES = {
    "walk": (5.0, (("walk", 0, 5),)),
    "stand, walk, stand": (6.0, (("stand", 0, 1), ("walk", 1.5, 4.5), ("stand", 5, 6))),
    "run, walk": (5.0, (("run", 0, 2.25), ("walk", 2.75, 5))),
}


@dataclass(frozen=True, eq=False)
class Reached:
    """One request with places: how far the motion is from them."""

    before: np.ndarray  # (places, 2) metres and radians as the search leaves it
    after: np.ndarray  # (places, 2) metres and radians when the path is bent and the feet are planted
    right: float  # share of the painted cells
    first: float  # seconds until the first answer
    seconds: float  # until the last


def figures(data: Path) -> list[dict]:
    """Places at the end, with headings, and in the middle."""
    model = prepare(football(data))
    warm = _reach(model, next(iter(_to_the_end("walk"))))
    assert warm.seconds > 0
    ends = {name: [_reach(model, request) for request in _to_the_end(name)] for name in TIMELINES}
    headed = [_reach(model, request) for name in TIMELINES for request in _to_a_heading(name)]
    middle = [_reach(model, request) for name in TIMELINES for request in _by_the_middle(name)]
    every = [reached for part in ends.values() for reached in part]
    return [*_end_figures(ends, every, headed), *_middle_figures(middle), *_time_figures([*every, *headed, *middle])]


def _end_figures(ends: dict[str, list[Reached]], every: list[Reached], headed: list[Reached]) -> list[dict]:
    what = "places at the end 4 m away"
    before, after = (np.concatenate([getattr(reached, part) for reached in every]) for part in ("before", "after"))
    asked, kept = (np.concatenate([getattr(reached, part) for reached in headed]) for part in ("before", "after"))
    return [
        figure(f"{what}; mean miss before bending", before[:, 0].mean(), "m", "lower"),
        figure(f"{what}; worst miss before bending", before[:, 0].max(), "m", "lower"),
        *(
            figure(
                f"{what}; mean miss before bending, {name}", np.mean([r.before[0, 0] for r in reached]), "m", "lower"
            )
            for name, reached in ends.items()
        ),
        figure(f"{what}; worst miss after bending", 100 * max(after[:, 0].max(), kept[:, 0].max()), "cm", "lower"),
        figure(f"{what}; painted frames satisfied", np.mean([reached.right for reached in every]), "share", "higher"),
        figure(f"{what}; with a heading, mean miss before bending", asked[:, 0].mean(), "m", "lower"),
        figure(f"{what}; with a heading, mean heading miss before bending", _degrees(asked).mean(), "degrees", "lower"),
        figure(f"{what}; worst heading miss after bending", _degrees(kept).max(), "degrees", "lower"),
    ]


def _middle_figures(middle: list[Reached]) -> list[dict]:
    what = "places in the middle"
    before, after = (np.stack([getattr(reached, part) for reached in middle]) for part in ("before", "after"))
    return [
        figure(f"{what}; mean miss before bending", before[:, 0, 0].mean(), "m", "lower"),
        figure(f"{what}; mean heading miss before bending", _degrees(before[:, 0]).mean(), "degrees", "lower"),
        figure(f"{what}; mean miss of the end before bending", before[:, 1, 0].mean(), "m", "lower"),
        figure(f"{what}; worst miss after bending", 100 * after[..., 0].max(), "cm", "lower"),
        figure(f"{what}; worst heading miss after bending", _degrees(after).max(), "degrees", "lower"),
        figure(f"{what}; painted frames satisfied", np.mean([reached.right for reached in middle]), "share", "higher"),
    ]


def _time_figures(every: list[Reached]) -> list[dict]:
    return [
        figure("places; first answer", np.median([reached.first for reached in every]), "s", "lower"),
        figure("places; last answer, usual", np.median([reached.seconds for reached in every]), "s", "lower"),
        figure("places; last answer, worst", max(reached.seconds for reached in every), "s", "lower"),
    ]


def _reach(model: Model, request: Request) -> Reached:
    start = time.process_time()
    stream = [(time.process_time() - start, answer) for answer in search(model, request)]
    moments, answer = [moment for moment, _ in stream], stream[-1][1]
    problem, best = answer.state.problem, answer.state.solution
    result = realize(timeline, answer, model)
    places = result.report.details["places"]
    painted = np.count_nonzero(problem.paint)
    return Reached(
        before=place_misses(problem, path_of(model, problem, best.frames)),
        after=np.array([[place["position_miss"], place["heading_miss"]] for place in places]),
        right=1 - best.costs.labels / painted,
        first=moments[0],
        seconds=moments[-1],
    )


def _to_the_end(name: str) -> Iterable[Request]:
    for angle in DIRECTIONS:
        yield make_request(*TIMELINES[name], places=(Place(position=_at(FAR, angle)),))


def _to_a_heading(name: str) -> Iterable[Request]:
    """Four of the places, to be reached facing on."""
    for angle in DIRECTIONS[::2]:
        yield make_request(
            *TIMELINES[name], places=(Place(position=_at(FAR, angle), heading=float(np.degrees(angle))),)
        )


def _by_the_middle(name: str) -> Iterable[Request]:
    """Four ways of two metres, facing on, and then as far again to the left of that."""
    seconds, stretches = TIMELINES[name]
    for angle in DIRECTIONS[::2]:
        middle = np.array(_at(HALF, angle))
        end = middle + _at(HALF, angle + TURNED)
        half = Place(at=f"{seconds / 2:g}s", position=tuple(middle), heading=float(np.degrees(angle)))
        yield make_request(seconds, stretches, places=(half, Place(position=tuple(end))))


def _at(far: float, angle: float) -> tuple[float, float]:
    return float(far * np.sin(angle)), float(far * np.cos(angle))


def _degrees(misses: np.ndarray) -> np.ndarray:
    return np.degrees(misses[..., 1])
