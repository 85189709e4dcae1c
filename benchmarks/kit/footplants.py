"""Footplants on every take of walking, football_like and everyday: what stays, what changes, and how smoothly.

Contacts are those that the detector finds in the source. A take passes if planted points move less than 1 mm from frame
to frame, no point of the feet is more than 5 mm below the floor and joints change by less than 3 cm on average. Takes
on props are listed by name in `props.py` and stand apart.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.props import ON_PROPS
from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom.constraints import Planted, plant_feet
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.motion import Motion, concatenate, cut
from motionloom.quality import compare_joins, learn_bars, measure_penetration, measure_skate

SETS = {"walking", "football_like", "everyday"}
FARTHEST, DEEPEST, CHANGE = 1.0, 5.0, 30.0  # millimetres
MINUTE = ("walking/69_06", "walking/69_08")  # one after the other they are longer than a minute


@dataclass(frozen=True, eq=False)
class Cleaned:
    """A take before and after, and where its plants begin and end."""

    source: Motion
    planted: Planted
    borders: np.ndarray  # (N,) frames
    skate_before: float  # cm per contact second
    skate: float
    farthest: float  # mm per frame, of points that are on the same places of the feet as in the source
    deepest: float  # mm, of the same
    farthest_anew: float  # mm per frame, of points looked for in the new motion alone
    deepest_anew: float  # mm, of the same

    @property
    def change(self) -> float:
        return self.planted.report.mean_change_mm

    @property
    def passes(self) -> bool:
        return self.farthest < FARTHEST and self.deepest < DEEPEST and self.change < CHANGE

    @property
    def passes_anew(self) -> bool:
        return self.farthest_anew < FARTHEST and self.deepest_anew < DEEPEST and self.change < CHANGE


def figures(data: Path | None) -> list[dict]:
    """How many takes come out planted, what that changes, how smooth plants begin and end, and how long it takes."""
    if data is None:
        return []
    takes = clean_all(data)
    free = [take for name, take in takes.items() if name not in ON_PROPS]
    props = [take for name, take in takes.items() if name in ON_PROPS]
    return [
        *_passing("takes", free),
        *_passing("takes on props", props),
        *_sizes(free),
        *_smoothness(data, list(takes.values())),
        _time(data),
    ]


@cache
def clean_all(data: Path) -> dict[str, Cleaned]:
    """Every take of the three sets, cleaned, by name."""
    chosen = {}
    for name, (motion, row) in read_all(data).items():
        if {row["set"], *row["also_in"].split()} & SETS:
            chosen[name] = _clean(motion)
    return chosen


def _clean(motion: Motion) -> Cleaned:
    floor = estimate_floor(motion)
    contacts = detect_contacts(motion, floor)
    planted = plant_feet(motion, contacts, floor)
    points = foot_points(planted.motion, floor, like=motion)
    skate = measure_skate(planted.motion, contacts, floor, points=points)
    return Cleaned(
        motion,
        planted,
        np.flatnonzero(np.diff(contacts.astype(int), axis=0).any(axis=1)),
        measure_skate(motion, contacts, floor).cm_per_second,
        skate.cm_per_second,
        skate.farthest_mm,
        measure_penetration(planted.motion, floor, points=points).deepest_mm,
        measure_skate(planted.motion, contacts, floor).farthest_mm,
        measure_penetration(planted.motion, floor).deepest_mm,
    )


def _passing(title: str, takes: list[Cleaned]) -> list[dict]:
    share, anew = (100 * float(np.mean(p)) for p in zip(*[(t.passes, t.passes_anew) for t in takes]))
    missed = sum(len(take.planted.report.missed) for take in takes)
    return [
        figure(f"footplants; {title} planted", share, "%", "higher"),
        figure(f"footplants; {title} planted; heels looked for anew", anew, "%", "higher"),
        figure(f"footplants; plants not kept; {title}", missed, "plants", "lower"),
        figure(f"footplants; count of {title}", len(takes), "takes", "higher"),
    ]


def _sizes(takes: list[Cleaned]) -> list[dict]:
    reports = [take.planted.report for take in takes]
    return [
        figure("footplants; skate before", float(np.mean([t.skate_before for t in takes])), "cm/s", "lower"),
        figure("footplants; skate after", float(np.mean([t.skate for t in takes])), "cm/s", "lower"),
        figure("footplants; farthest step of a planted point", max(t.farthest for t in takes), "mm", "lower"),
        figure("footplants; deepest point", max(t.deepest for t in takes), "mm", "lower"),
        figure("footplants; mean change; mean of takes", float(np.mean([t.change for t in takes])), "mm", "lower"),
        figure("footplants; mean change; most changed take", max(t.change for t in takes), "mm", "lower"),
        figure("footplants; farthest move of a root", max(r.root_change_mm for r in reports), "mm", "lower"),
    ]


def _smoothness(data: Path, takes: list[Cleaned]) -> list[dict]:
    """Percentage points by which windows at borders of plants are above the bars more often than untouched ones.

    The bars are those of the whole corpus. Feet that come down jolt a body, cleaned or not: so the same places before
    stand beside windows from anywhere in the same takes.
    """
    sources = [take.source for take in takes]
    bars = learn_bars(motion for motion, _ in read_all(data).values())
    cleaned = [(take.planted.motion, take.borders) for take in takes]
    anywhere = compare_joins(cleaned, bars, sources)
    there = compare_joins(cleaned, bars, [(take.source, take.borders) for take in takes])
    return [
        figure("footplants; acceleration above untouched windows", anywhere.acceleration_excess, "points", "lower"),
        figure("footplants; acceleration above the same places before", there.acceleration_excess, "points", "lower"),
        figure("footplants; jerk above untouched windows", anywhere.jerk_excess, "points", "lower"),
        figure("footplants; jerk above the same places before", there.jerk_excess, "points", "lower"),
    ]


def _time(data: Path) -> dict:
    recordings = read_all(data)
    motion = concatenate([recordings[name][0] for name in MINUTE])
    motion = cut(motion, 0, round(60 * motion.fps))
    floor = estimate_floor(motion)
    contacts = detect_contacts(motion, floor)
    return figure(
        "footplants; one minute of motion", best_of(lambda: plant_feet(motion, contacts, floor)), "s", "lower"
    )
