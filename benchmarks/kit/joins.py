"""Joins of every kind on real recordings: how hard they jolt beside untouched windows, and how far they bend."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom import blending
from motionloom.conform import conform_motion
from motionloom.features.contacts import detect_contacts
from motionloom.features.floor import estimate_floor
from motionloom.motion import Motion, Placement, cut, kinematics, place
from motionloom.quality import MotionBars, compare_joins, learn_bars, measure_joins, measure_skate
from motionloom.similarity.alignment import align_motions
from motionloom.similarity.feature_space import learn_features, project, raw_features

SET = "football_like"
N_CUTS = 150
MARGIN = 40  # frames that a take must have on both sides of a cut; no kind reaches farther
NEAR = 30  # frames on both sides in which changes are measured
ROUGH = 40  # random frames of which the nearest makes a rough cut
WINDOW = 5  # frames by which the second motion is placed onto the first

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
    placement: Placement  # puts the second around `enter` onto the first around `leave`


def figures(data: Path) -> list[dict]:
    """Jolt, bend, skate and time of every kind over the same cuts; then rough cuts, and maps that reach far."""
    takes, cuts = find_cuts(data)
    bars = learn_bars(takes)
    natural = compare_joins([], bars, takes).acceleration_untouched
    measured = [
        figure("untouched windows; acceleration / bar, median", natural.median, "x", "lower"),
        figure("untouched windows; above the acceleration bar", 100 * natural.share_above, "%", "lower"),
    ]
    for name, join in KINDS.items():
        measured += _jolts(name, join, cuts, bars, natural.share_above) + _changes(name, join, cuts)
    rough = find_cuts(data, n_candidates=ROUGH)[1]
    for name, join in KINDS.items():
        share = 100 * float(np.mean([_peak(make(join, c), c.leave, bars) > 1 for c in rough]))
        measured.append(figure(f"{name}; rough cuts above the acceleration bar", share, "%", "lower"))
    return [*measured, *_reaches(cuts), *_times(cuts[0])]


def _jolts(
    name: str, join: Callable[..., blending.Joined], cuts: tuple[Cut, ...], bars: MotionBars, natural: float
) -> list[dict]:
    peaks = np.array([_peak(make(join, c), c.leave, bars) for c in cuts])
    anyway = np.array([max(_peak(c.first, c.leave, bars), _peak(c.second, c.enter, bars)) for c in cuts])
    above, added = float((peaks > 1).mean()), float(((peaks > 1) & (anyway <= 1)).mean())
    return [
        figure(f"{name}; acceleration / bar, median", float(np.median(peaks)), "x", "lower"),
        figure(f"{name}; joins above the acceleration bar", 100 * above, "%", "lower"),
        figure(f"{name}; above the bar more often than untouched", 100 * (above - natural), "points", "lower"),
        figure(f"{name}; above the bar where neither take is", 100 * added, "%", "lower"),
    ]


def _changes(name: str, join: Callable[..., blending.Joined], cuts: tuple[Cut, ...]) -> list[dict]:
    """How far joints are moved from where the recordings have them, and how planted feet slide, near the join."""
    bends, path, seconds = [], 0.0, 0.0
    for c in cuts:
        joined = make(join, c)
        near = slice(c.leave - NEAR, c.leave + NEAR)
        bends.append(bend(joined, c)[near].mean())
        contacts = np.concatenate([_contacts(c.first)[: c.leave], _contacts(c.second)[c.enter :]])
        skate = measure_skate(cut(joined, near.start, near.stop), contacts[near], 0.0)
        path += skate.cm_per_second * skate.contact_seconds
        seconds += skate.contact_seconds
    return [
        figure(f"{name}; mean joint change within 0.5 s", 100 * float(np.mean(bends)), "cm", "lower"),
        figure(f"{name}; foot skate within 0.5 s", path / seconds, "cm per contact second", "lower"),
    ]


def _reaches(cuts: tuple[Cut, ...]) -> list[dict]:
    """What a displacement map does to the worst frame if it may reach farther than it does by itself."""
    measured = []
    for seconds in (blending.DISPLACEMENT_SECONDS, 2.0, 1000.0):
        worst = [bend(make(partial(blending.displace_join, seconds=seconds), c), c).max() for c in cuts]
        reach = f"{seconds:g} s" if seconds < 100 else "whole takes"
        measured += [
            figure(
                f"displacement over {reach}; change in the worst frame, median",
                100 * float(np.median(worst)),
                "cm",
                "lower",
            ),
            figure(f"displacement over {reach}; change in the worst frame, highest", 100 * max(worst), "cm", "lower"),
        ]
    return measured


def make(join: Callable[..., blending.Joined], c: Cut) -> Motion:
    """The motion of one join; frames up to its cut keep their numbers."""
    return join(c.first, c.second, leave=c.leave, enter=c.enter, placement=c.placement).motion


def bend(joined: Motion, c: Cut) -> np.ndarray:
    """(F,) metres by which joints are moved from where the recordings have them, mean over the joints."""
    first = kinematics.world_positions(c.first)[: c.leave]
    second = kinematics.world_positions(place(c.second, c.placement))[c.enter :]
    moved = kinematics.world_positions(joined) - np.concatenate([first, second])
    return np.linalg.norm(moved, axis=-1).mean(axis=1)


@cache
def find_cuts(data: Path, n_candidates: int | None = None, seed: int = 0) -> tuple[tuple[Motion, ...], tuple[Cut, ...]]:
    """The takes of the set on one skeleton, and cuts from random frames to the nearest frames of other takes.

    Args:
        data: the folder of recordings.
        n_candidates: random frames of which the nearest is taken, for rough cuts; None for all frames.
        seed: of the random frames.
    """
    takes, rng = _conformed(data), np.random.default_rng(seed)
    coordinates = _coordinates(takes)
    owners = np.concatenate([np.full(motion.n_frames, i) for i, motion in enumerate(takes)])
    frames = np.concatenate([np.arange(motion.n_frames) for motion in takes])
    lengths = np.array([motion.n_frames for motion in takes])[owners]
    inside = np.flatnonzero((frames >= MARGIN) & (frames < lengths - MARGIN))
    cuts = []
    for i in rng.choice(inside, N_CUTS, replace=False):
        others = inside[owners[inside] != owners[i]]
        others = others if n_candidates is None else rng.choice(others, n_candidates, replace=False)
        j = others[((coordinates[others] - coordinates[i]) ** 2).sum(axis=1).argmin()]
        first, second, leave, enter = takes[owners[i]], takes[owners[j]], int(frames[i]), int(frames[j])
        placement = align_motions(second, enter, first, leave, window=WINDOW)
        cuts.append(Cut(first, second, leave, enter, placement))
    return takes, tuple(cuts)


def _peak(motion: Motion, frame: int, bars: MotionBars) -> float:
    return measure_joins(motion, [frame], bars)[0].acceleration


@cache
def _contacts(motion: Motion) -> np.ndarray:
    return detect_contacts(motion, 0.0)


@cache
def _conformed(data: Path) -> tuple[Motion, ...]:
    rows = [(m, row) for m, row in read_all(data).values() if SET in (row["set"], *row["also_in"].split())]
    skeleton = next(motion.skeleton for motion, row in rows if row["subject"] == "143")
    return tuple(conform_motion(motion, estimate_floor(motion), skeleton, 60.0) for motion, _ in rows)


def _coordinates(takes: tuple[Motion, ...]) -> np.ndarray:
    """(F, P) where the frames of all takes are in their feature space."""
    starts = np.cumsum([0, *(motion.n_frames for motion in takes)])
    positions = np.concatenate([kinematics.world_positions(motion) for motion in takes])
    skeleton, fps = takes[0].skeleton, takes[0].fps
    space = learn_features(skeleton, positions, starts, fps)
    return project(space, raw_features(skeleton, positions, starts, fps, space.joints))


def _times(c: Cut) -> list[dict]:
    return [
        figure(f"{name}; time of one join", 1000 * best_of(partial(make, join, c)), "ms", "lower")
        for name, join in KINDS.items()
    ]
