"""How smooth the joins are and how still the feet: random ways of each set, built up, performed and measured.

Twenty sequences of each set, of steps to a random pose near a random place. Joins are measured as those of timelines
are: peaks of acceleration, beside windows of the recordings without a cut.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.buildup.material import GROUPS, SETS, model_of
from benchmarks.measure import figure
from motionloom.assembly import Plan, solve
from motionloom.methods import buildup
from motionloom.methods.buildup import Model, Request
from motionloom.quality import measure_joins, measure_quality

SEQUENCES = 20
STEPS = 4
AROUND = 2.0  # metres from one place to the next
MUCH = 1.5  # times the bar
BARS = "joins with more acceleration than the bar"  # as yardsticks call it


@dataclass(frozen=True, eq=False)
class Made:
    """One motion, and what it measures."""

    peaks: np.ndarray  # (joins,) highest acceleration / bar near each
    recorded: np.ndarray  # (joins,) the same of the recordings that it joins, uncut
    farthest: float  # millimetres that a planted point moves in a frame
    seconds: float  # of motion


def figures(data: Path) -> list[dict]:
    """Joins and feet of every set."""
    return [figure for name in SETS for figure in _of_set(data, name)]


@cache
def measure_set(data: Path, name: str) -> tuple[Made, ...]:
    """Every sequence of a set."""
    model = model_of(data, name)
    return tuple(_make(model, random_request(model, seed)) for seed in range(SEQUENCES))


def random_request(model: Model, seed: int) -> Request:
    """Steps to any pose, each near a place not far from the one before."""
    rng = np.random.default_rng([seed, 5])
    place, steps = np.zeros(2), []
    for _ in range(STEPS):
        angle, radius = 2 * np.pi * rng.random(), AROUND * np.sqrt(rng.random())
        place = place + radius * np.array([np.cos(angle), np.sin(angle)])
        steps.append({"pose": _pose(model, int(rng.choice(model.groups.centres))), "place": place.tolist()})
    start = _pose(model, int(rng.choice(model.tables.played_frames)))
    return Request.from_data({"start": {"pose": start}, "steps": steps, "groups": GROUPS})


def _pose(model: Model, frame: int) -> dict[str, str | int]:
    name, _ = model.clip_frame(frame)
    return {"take": name, "frame": round(float(model.view.source_frames[frame]))}


def _make(model: Model, request: Request) -> Made:
    answer = solve(buildup, model, request)[0]
    (played,) = buildup.perform(answer, model).played
    result, bars = played.unmeasured, model.yardsticks.bars
    peaks = measure_joins(result.motion, list(played.plan.begins[1:]), bars)
    contacts = result.contacts if result.contacts.any() else None
    quality = measure_quality(result.motion, contacts, source=played.before)
    return Made(
        np.array([peak.acceleration for peak in peaks]),
        _recorded_peaks(model, played.plan),
        0.0 if quality.skate is None else quality.skate.farthest_mm,
        result.motion.n_frames / model.fps,
    )


def _recorded_peaks(model: Model, plan: Plan) -> np.ndarray:
    """(joins,) the higher of the peaks in the two recordings, each around where it is cut."""
    found = []
    for before, after in zip(plan.pieces[:-1], plan.pieces[1:]):
        sides = ((before.name, before.stop), (after.name, after.start))
        found.append(max(_peak(model, name, frame) for name, frame in sides))
    return np.array(found)


def _peak(model: Model, name: str, frame: int) -> float:
    motion = model.view.motion(name)
    inside = min(max(frame, 1), motion.n_frames - 1)
    return measure_joins(motion, [inside], model.yardsticks.bars)[0].acceleration


def _of_set(data: Path, name: str) -> list[dict]:
    made, uncut = measure_set(data, name), model_of(data, name).yardsticks.usual[BARS]
    peaks, recorded = (np.concatenate([getattr(each, part) for each in made]) for part in ("peaks", "recorded"))
    above = 100 * float((peaks > 1).mean())
    strangers = (peaks > MUCH) & (recorded <= MUCH)
    label = f"joins; {name}"
    return [
        figure(f"{label}; measured", len(peaks), "joins", "higher"),
        figure(f"{label}; for each second", len(peaks) / sum(each.seconds for each in made), "joins", "lower"),
        figure(f"{label}; above the bar", above, "%", "lower"),
        figure(f"{label}; uncut windows above the bar", uncut, "%", "lower"),
        figure(f"{label}; above the bar more often than uncut windows", above - uncut, "points", "lower"),
        figure(f"{label}; above 1.5 x bar, their recordings not", int(strangers.sum()), "joins", "lower"),
        figure(f"{label}; highest acceleration", float(peaks.max()), "x bar", "lower"),
        figure(f"{label}; planted feet, farthest in a frame", max(each.farthest for each in made), "mm", "lower"),
    ]
