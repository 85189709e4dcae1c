"""Joins of every kind on real recordings: how hard they jolt beside untouched windows, and how far they bend."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom import blending
from motionloom.conform import conform_motion
from motionloom.features.facing import find_facing
from motionloom.features.floor import estimate_floor
from motionloom.features.velocities import accelerations, positions_seen_from, seen_from, velocities
from motionloom.motion import Motion, Placement, compose, cut, invert, kinematics, place
from motionloom.quality import compare_joins, learn_bars

SET = "football_like"
N_CUTS = 150
MARGIN = 40  # frames that a take must have on both sides of a cut; no kind reaches farther
WEIGHTS = (1.0, 1.0, 0.5)  # of positions, velocities and accelerations, each scaled to a total variance of 1

KINDS: dict[str, Callable[..., blending.Joined]] = {
    "plain cut": lambda *motions, **frames: blending.spread_offset(*motions, seconds=0.0, **frames),
    "spread offset": blending.spread_offset,
    "crossfade": blending.crossfade,
    "inertia": blending.inertialize,
    "displacement": blending.displace_join,
}


@dataclass(frozen=True, eq=False)
class Cut:
    """A join that a search would make: leave a frame, go on in the frame of another take that is most alike."""

    first: Motion
    second: Motion
    leave: int
    enter: int
    placement: Placement  # puts the facing of the second in `enter` onto that of the first in `leave`


def figures(data: Path) -> list[dict]:
    """Jolt, bend and time of every kind over the same cuts."""
    takes, cuts = find_cuts(data)
    bars = learn_bars(takes)
    measured = []
    for name, join in KINDS.items():
        joined = [make(join, c) for c in cuts]
        found = compare_joins([(motion, [c.leave]) for motion, c in zip(joined, cuts)], bars, takes)
        jolts, natural = found.acceleration_at_joins, found.acceleration_untouched
        if name == "plain cut":
            measured += [
                figure("untouched windows; acceleration / bar, median", natural.median, "x", "lower"),
                figure("untouched windows; above the acceleration bar", 100 * natural.share_above, "%", "lower"),
            ]
        bends = [bend(motion, c) for motion, c in zip(joined, cuts)]
        measured += [
            figure(f"{name}; acceleration / bar, median", jolts.median, "x", "lower"),
            figure(f"{name}; joins above the acceleration bar", 100 * jolts.share_above, "%", "lower"),
            figure(f"{name}; above the bar more often than untouched", found.acceleration_excess, "points", "lower"),
            figure(f"{name}; mean joint change within 0.5 s", 100 * np.mean(bends), "cm", "lower"),
        ]
    return [*measured, *_times(cuts[0])]


def make(join: Callable[..., blending.Joined], c: Cut) -> Motion:
    """The motion of one join; frames up to its cut keep their numbers."""
    return join(c.first, c.second, leave=c.leave, enter=c.enter, placement=c.placement).motion


def bend(joined: Motion, c: Cut, reach: int = 30) -> float:
    """Metres by which joints are moved from where the recordings have them, mean over frames near the join."""
    before = kinematics.world_positions(cut(joined, c.leave - reach, c.leave))
    after = kinematics.world_positions(cut(joined, c.leave, c.leave + reach))
    first = kinematics.world_positions(cut(c.first, c.leave - reach, c.leave))
    second = kinematics.world_positions(place(cut(c.second, c.enter, c.enter + reach), c.placement))
    moved = np.concatenate([before - first, after - second])
    return float(np.linalg.norm(moved, axis=-1).mean())


@cache
def find_cuts(data: Path, seed: int = 0) -> tuple[tuple[Motion, ...], tuple[Cut, ...]]:
    """The takes of the set on one skeleton, and cuts from random frames to the nearest frames of other takes."""
    takes = _conformed(data)
    features = [_features(motion) for motion in takes]
    scale = _scale(np.concatenate(features))
    owners = np.concatenate([np.full(motion.n_frames, i) for i, motion in enumerate(takes)])
    frames = np.concatenate([np.arange(motion.n_frames) for motion in takes])
    lengths = np.array([motion.n_frames for motion in takes])[owners]
    inside = np.flatnonzero((frames >= MARGIN) & (frames < lengths - MARGIN))
    points = (np.concatenate(features) * scale)[inside]  # (N, D)
    chosen = np.random.default_rng(seed).choice(len(inside), N_CUTS, replace=False)
    distances = _distances(points, chosen)
    distances[owners[inside][chosen][:, None] == owners[inside]] = np.inf
    nearest = inside[distances.argmin(axis=1)]
    return takes, tuple(
        _cut(takes[owners[i]], frames[i], takes[owners[j]], frames[j]) for i, j in zip(inside[chosen], nearest)
    )


def _conformed(data: Path) -> tuple[Motion, ...]:
    rows = [(m, row) for m, row in read_all(data).values() if SET in (row["set"], *row["also_in"].split())]
    skeleton = next(motion.skeleton for motion, row in rows if row["subject"] == "143")
    return tuple(conform_motion(motion, estimate_floor(motion), skeleton, 60.0) for motion, _ in rows)


def _features(motion: Motion) -> np.ndarray:
    """(F, 9 J) positions, velocities and accelerations as seen from the facing."""
    positions = kinematics.world_positions(motion)
    headings, ground = find_facing(motion.skeleton, positions)
    groups = (
        positions_seen_from(headings, ground, 0.0, positions),
        seen_from(headings, velocities(positions, motion.fps)),
        seen_from(headings, accelerations(positions, motion.fps)),
    )
    return np.concatenate([group.reshape(len(positions), -1) for group in groups], axis=1).astype(np.float32)


def _scale(features: np.ndarray) -> np.ndarray:
    """(D,) factors that give each group of features its weight."""
    n = features.shape[1] // 3
    totals = [np.sqrt(features[:, i * n : (i + 1) * n].var(axis=0).sum()) for i in range(3)]
    return np.repeat(np.array(WEIGHTS) / totals, n).astype(np.float32)


def _distances(points: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(C, N) squared distances."""
    squares = (points**2).sum(axis=1)
    return squares[chosen][:, None] + squares - 2 * points[chosen] @ points.T


def _cut(first: Motion, leave: int, second: Motion, enter: int) -> Cut:
    there, here = _facing(first, leave), _facing(second, enter)
    return Cut(first, second, int(leave), int(enter), compose(there, invert(here)))


def _facing(motion: Motion, frame: int) -> Placement:
    positions = kinematics.world_positions(cut(motion, frame, frame + 1))
    headings, ground = find_facing(motion.skeleton, positions)
    return Placement(float(headings[0]), ground[0])


def _times(c: Cut) -> list[dict]:
    return [
        figure(f"{name}; time of one join", 1000 * best_of(lambda join=join: make(join, c)), "ms", "lower")
        for name, join in KINDS.items()
    ]
