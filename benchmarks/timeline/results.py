"""How good the motions are: labels that hold, joins beside uncut windows, and feet beside the source takes.

The eight timelines on F at eleven paces and the eight on D at five: half as long to half as long again. Together they
have more than 200 joins. At 0.5 and 0.6 of their length runners have no time left to stop, stand and jump: labels of
those requests are reported apart.
"""

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline import corpora
from benchmarks.timeline.requests import demo_requests, football_requests
from motionloom.assembly import solve
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, Request, prepare
from motionloom.methods.timeline.report.measures import judge_labels, played_frames
from motionloom.quality import measure_joins, measure_quality

VARIATIONS = {"F": 10, "D": 4}  # of each timeline, at other paces
HURRIED = ("0.5 x as long", "0.6 x as long")  # requests that end so
BARS = "joins with more acceleration than the bar"  # as yardsticks call it


@dataclass(frozen=True, eq=False)
class Made:
    """One motion, and what it measures."""

    right: float  # share of the painted cells
    peaks: np.ndarray  # (joins,) highest acceleration / bar near each
    before: np.ndarray  # (joins,) the same before the feet were planted
    skate: float  # cm per contact second
    seconds: float  # that realizing took


@dataclass(frozen=True, eq=False)
class Measured:
    """All motions of one corpus, beside its own recordings."""

    made: dict[str, Made]
    uncut: float  # % of windows without a join that are above the bar
    skate: float  # cm per contact second of the source takes

    @property
    def peaks(self) -> np.ndarray:
        return np.concatenate([result.peaks for result in self.made.values()])

    @property
    def before(self) -> np.ndarray:
        return np.concatenate([result.before for result in self.made.values()])


def figures(data: Path) -> list[dict]:
    """Labels, joins and feet of all requests, of both corpora together and apart."""
    football, demo = measure_all(data)
    every = {**football.made, **demo.made}
    right = np.array([result.right for name, result in every.items() if not name.endswith(HURRIED)])
    hurried = np.array([result.right for name, result in every.items() if name.endswith(HURRIED)])
    peaks = np.concatenate([football.peaks, demo.peaks])
    uncut = (football.uncut * len(football.peaks) + demo.uncut * len(demo.peaks)) / len(peaks)
    skates = [np.mean([result.skate for result in part.made.values()]) / part.skate for part in (football, demo)]
    return [
        figure("results; joins measured", len(peaks), "joins", "higher"),
        figure("results; painted frames satisfied on average", float(right.mean()), "share", "higher"),
        figure("results; painted frames satisfied in the worst request", float(right.min()), "share", "higher"),
        figure("results; painted frames satisfied in a hurry on average", float(hurried.mean()), "share", "higher"),
        figure("results; painted frames satisfied in a hurry at worst", float(hurried.min()), "share", "higher"),
        figure("results; joins above the bar", _above(peaks), "%", "lower"),
        figure("results; joins above the bar more often than uncut windows", _above(peaks) - uncut, "points", "lower"),
        figure("results; highest acceleration at a join", float(peaks.max()), "x bar", "lower"),
        figure("results; foot skate beside the source takes", float(max(skates)), "x", "lower"),
        figure(
            "results; realizing a request", float(np.mean([result.seconds for result in every.values()])), "s", "lower"
        ),
        *_of_corpus("F", football),
        *_of_corpus("D", demo),
    ]


@cache
def measure_all(data: Path) -> tuple[Measured, Measured]:
    """Every request on F and on D."""
    return (
        measure_requests(prepare(corpora.football(data)), football_requests(VARIATIONS["F"])),
        measure_requests(prepare(corpora.demo()), demo_requests(VARIATIONS["D"])),
    )


def measure_requests(model: Model, requests: dict[str, Request]) -> Measured:
    """Make and measure the motion of every request."""
    usual = model.yardsticks.usual
    made = {name: _make(model, request) for name, request in requests.items()}
    return Measured(made, usual[BARS], usual["foot skate"])


def _make(model: Model, request: Request) -> Made:
    answer = solve(timeline, model, request)[0]
    began = time.perf_counter()
    (played,) = timeline.perform(answer, model).played
    seconds = time.perf_counter() - began
    result, joined = played.unmeasured, played.before
    cuts = list(played.plan.begins[1:])
    after, before = (measure_joins(motion, cuts, model.yardsticks.bars) for motion in (result.motion, joined))
    frames = played_frames(model, result.provenance, answer.state.solution.frames)
    stretches = judge_labels(answer.state.problem, frames, model.fps)
    painted = np.array([stretch.stop - stretch.start for stretch in stretches], float)
    quality = measure_quality(result.motion, result.contacts if result.contacts.any() else None, source=joined)
    return Made(
        right=float(np.array([stretch.right for stretch in stretches]) @ painted / painted.sum()),
        peaks=np.array([peak.acceleration for peak in after]),
        before=np.array([peak.acceleration for peak in before]),
        skate=0.0 if quality.skate is None else quality.skate.cm_per_second,
        seconds=seconds,
    )


def _of_corpus(name: str, part: Measured) -> list[dict]:
    right = [result.right for result in part.made.values()]
    return [
        figure(f"results on {name}; joins measured", len(part.peaks), "joins", "higher"),
        figure(f"results on {name}; painted frames satisfied on average", float(np.mean(right)), "share", "higher"),
        figure(f"results on {name}; joins above the bar", _above(part.peaks), "%", "lower"),
        figure(f"results on {name}; joins above the bar before planting", _above(part.before), "%", "lower"),
        figure(f"results on {name}; uncut windows above the bar", part.uncut, "%", "lower"),
        figure(f"results on {name}; highest acceleration at a join", float(part.peaks.max()), "x bar", "lower"),
        figure(f"results on {name}; foot skate of the source takes", part.skate, "cm per contact second", "lower"),
    ]


def _above(peaks: np.ndarray) -> float:
    return 100 * float((peaks > 1).mean())
