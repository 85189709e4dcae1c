"""Walks retargeted with a prior: legs 0.7 and 1.25 times, arms 1.3 times as long, and bodies of other hierarchies.

The prior is learnt from the other walks. Everything is measured on the motion that comes out, from its joints alone;
beside it is what the kit makes without a prior.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.dynamics.bodies import with_limbs
from benchmarks.dynamics.material import STRAIGHT, TURNS, geodesic, locomotion, without
from benchmarks.measure import figure
from benchmarks.retarget.measures import highest_acceleration
from benchmarks.retarget.rigs import RIGS
from motionloom.corpus import Corpus
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_footing, find_floor
from motionloom.methods import dynamics
from motionloom.methods.dynamics.retargeting.prior_retarget import retarget_with_prior
from motionloom.motion import Motion, Skeleton, find_runs
from motionloom.retarget import retarget_motion

LIMBS = {
    "legs 0.7 times": {"legs": 0.7},
    "legs 1.25 times": {"legs": 1.25},
    "arms 1.3 times": {"arms": 1.3},
}
OTHERS = ("a_pose", "child")
TAKES = (*STRAIGHT, *TURNS)


@dataclass(frozen=True)
class Measured:
    """One walk on one body, with the prior and without."""

    take: str
    feet_mm: tuple[float, float]  # from their scaled places in the worst frame: with the prior, and the kit's
    degrees: tuple[float, float]  # of joints beside the source, mean; NaN for another hierarchy
    roughness: tuple[float, float]  # highest acceleration, times the source's
    unlikely: tuple[float, float]  # minus the logarithm of the prior per frame
    is_kept: bool  # the kit's own was kept


def figures(data: Path) -> list[dict]:
    """Feet and angles for each body; and how often the kit's own had to be kept."""
    found = []
    for name in (*LIMBS, *OTHERS):
        rows = measure_all(data, name)
        found += _of_body(name, rows)
    return found


def _of_body(name: str, rows: tuple[Measured, ...]) -> list[dict]:
    def both(what: str, worst: bool, values: list[tuple[float, float]], unit: str) -> dict:
        first, kit = (float(np.max(column) if worst else np.mean(column)) for column in zip(*values))
        return figure(f"retarget, {name}; {what}", first, unit, "lower", peer=kit)

    found = [
        both("feet from their scaled places, farthest", True, [row.feet_mm for row in rows], "mm"),
        both("highest acceleration, times the source's", True, [row.roughness for row in rows], "x"),
        both("unlikeliness per frame, mean", False, [row.unlikely for row in rows], "nats"),
        figure(f"retarget, {name}; takes where the kit's own was kept", sum(r.is_kept for r in rows), "takes", "lower"),
    ]
    if np.isfinite(rows[0].degrees[0]):
        angles = [row.degrees for row in rows]
        found.insert(1, both("angles beside the source, mean of the worst take", True, angles, "degrees"))
        found.insert(1, both("angles beside the source, mean", False, angles, "degrees"))
    return found


@cache
def measure_all(data: Path, name: str) -> tuple[Measured, ...]:
    """Every walk on one body."""
    corpus = locomotion(data)
    return tuple(_measure(corpus, take, name) for take in TAKES)


def _body(name: str, skeleton: Skeleton) -> Skeleton:
    limbs: Mapping[str, float] | None = LIMBS.get(name)
    return RIGS[name]() if limbs is None else with_limbs(skeleton, **limbs)


def _measure(corpus: Corpus, take: str, name: str) -> Measured:
    source = corpus.take(take).motion
    assert isinstance(source, Motion)
    floor = find_floor(source)
    contacts, footing = detect_footing(source, floor)
    body = _body(name, source.skeleton)
    kit = retarget_motion(source, body, floor_height=floor, contacts=contacts, footing=footing)
    material = dynamics.Material(without(TAKES, take), source.fps)
    prior = dynamics.prepare(corpus, material, skeleton=body).prior
    made = retarget_with_prior(source, kit, prior, contacts=contacts)
    both = made.motion, kit.motion
    same = source.skeleton.n_joints == body.n_joints
    unlikely = made.unlikeliness[1], made.unlikeliness[0]
    return Measured(
        take,
        _pair(1000 * feet_error(source, each, contacts, floor, like=kit.motion) for each in both),
        _pair(geodesic(each, source, prior.vectors.joints) if same else np.nan for each in both),
        _pair(highest_acceleration(each) / highest_acceleration(source) for each in both),
        unlikely,
        made.is_kept,
    )


def feet_error(source: Motion, made: Motion, contacts: np.ndarray, floor: float, like: Motion) -> float:
    """Metres over the ground that resting feet are away from where those of the source rest, times the ratio of legs.

    A foot on heel and ball is at the middle of both, one that turns in between at the one that rests longer; where the
    source slides, at its median.
    """
    ratio = made.skeleton.leg_length / source.skeleton.leg_length
    own = ratio * foot_points(source, floor)[..., [0, 2]]
    points = foot_points(made, floor, like=like)[..., [0, 2]]
    worst = 0.0
    for heel in (0, 2):
        rests = contacts[:, heel : heel + 2]
        for start, stop in find_runs(rests.any(axis=1)):
            flat = rests[start:stop].all(axis=1)
            column = int(rests[start:stop].sum(axis=0).argmax())
            once = len(find_runs(flat)) == 1
            used = [heel, heel + 1] if once else [heel + column]
            frames = start + np.flatnonzero(flat if once else rests[start:stop, column])
            place = np.median(own[frames][:, used].mean(axis=1), axis=0)
            away = np.linalg.norm(points[frames][:, used].mean(axis=1) - place, axis=-1)
            worst = max(worst, float(away.max()))
    return worst


def _pair(values) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    first, second = values
    return float(first), float(second)
