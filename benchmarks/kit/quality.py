"""What untouched recordings have by every measure of quality, per set: what edited motion is to be held against."""

from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.corpus.props import ON_PROPS
from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom.features.contacts import detect_contacts
from motionloom.features.floor import estimate_floor
from motionloom.features.joint_limits import learn_limits
from motionloom.motion import Motion, concatenate, cut
from motionloom.quality import (
    RealFrames,
    compare_joins,
    find_nearest,
    learn_bars,
    measure_limits,
    measure_penetration,
    measure_quality,
    measure_skate,
)

SETS = (
    "walking",
    "everyday",
    "football_like",
    "locomotion_optim",
    "sneak",
    "styles",
    "boxing",
    "martial_arts",
    "breakdance",
)
MINUTE = 3600  # frames at 60 Hz


def figures(data: Path) -> list[dict]:
    """Foot skate, penetration and natural jolts of every set; limits of one; and the time that measuring takes."""
    measured = []
    for name in SETS:
        takes = _takes(data, name)
        measured += _feet(name, takes) + _jolts(name, takes)
    football = _takes(data, "football_like")
    return [*measured, *_limits("football_like", football), *_nearest(football), _speed(_takes(data, "walking"))]


def _takes(data: Path, name: str) -> list[Motion]:
    """The takes that are stored in a set, but for those on steps, ladders, chairs and obstacles."""
    return [motion for take, (motion, row) in read_all(data).items() if row["set"] == name and take not in ON_PROPS]


def _feet(name: str, takes: list[Motion]) -> list[dict]:
    path = seconds = 0.0
    farthest, deep_frames = [], []
    for motion in takes:
        floor = estimate_floor(motion)
        skate = measure_skate(motion, detect_contacts(motion, floor), floor)
        penetration = measure_penetration(motion, floor)
        path += skate.cm_per_second * skate.contact_seconds
        seconds += skate.contact_seconds
        farthest.append(skate.farthest_mm)
        deep_frames.append(penetration.share_of_frames * motion.n_frames)
    share = 100 * sum(deep_frames) / sum(motion.n_frames for motion in takes)
    return [
        figure(f"untouched {name}; foot skate", path / seconds, "cm per contact second", "lower"),
        figure(f"untouched {name}; farthest step of a planted point, median take", np.median(farthest), "mm", "lower"),
        figure(f"untouched {name}; frames with a foot point deeper than 5 mm", share, "%", "lower"),
    ]


def _jolts(name: str, takes: list[Motion]) -> list[dict]:
    """How often a window of 0.5 s is above the set's own 99.9th percentile although nobody touched it."""
    found = compare_joins([], learn_bars(takes), takes)
    acceleration, jerk = found.acceleration_untouched, found.jerk_untouched
    return [
        figure(f"untouched {name}; windows above the acceleration bar", 100 * acceleration.share_above, "%", "lower"),
        figure(f"untouched {name}; acceleration / bar, median window", acceleration.median, "x", "lower"),
        figure(f"untouched {name}; windows above the jerk bar", 100 * jerk.share_above, "%", "lower"),
    ]


def _limits(name: str, takes: list[Motion]) -> list[dict]:
    """How often real poses leave limits learnt from other takes: every second take against the rest."""
    limits = learn_limits(takes[0].skeleton, np.concatenate([motion.local_rotations for motion in takes[::2]]))
    others = [measure_limits(motion, limits) for motion in takes[1::2]]
    weights = [motion.n_frames for motion in takes[1::2]]
    frames = np.average([found.share_of_frames for found in others], weights=weights)
    joints = np.average([found.share_of_joints for found in others], weights=weights)
    return [
        figure(f"untouched {name}; frames with a joint beyond limits of other takes", 100 * frames, "%", "lower"),
        figure(f"untouched {name}; joints beyond limits of other takes", 100 * joints, "%", "lower"),
    ]


def _nearest(takes: list[Motion]) -> list[dict]:
    """How far real frames are from the nearest real frame of another take: every sixth take of the main subject."""
    counts = Counter(motion.skeleton for motion in takes)
    skeleton = counts.most_common(1)[0][0]
    real = RealFrames({str(i): motion for i, motion in enumerate(takes) if motion.skeleton == skeleton})
    asked = list(real.motions)[::6]
    found = [find_nearest(real.motions[name], real, leave_out=real.range_of(name)) for name in asked]
    distances = 100 * np.concatenate([nearest.distances for nearest in found])
    title = "untouched football_like; distance from the nearest frame of another take"
    return [
        figure(f"{title}, median", np.median(distances), "cm", "lower"),
        figure(f"{title}, 95 % of frames within", np.percentile(distances, 95), "cm", "lower"),
    ]


def _speed(takes: list[Motion]) -> dict:
    """Seconds to measure a minute of motion: skate, penetration, joins, limits."""
    one = [motion for motion in takes if motion.skeleton == takes[0].skeleton]
    motion = concatenate(one * (MINUTE // sum(take.n_frames for take in one) + 1))
    motion = cut(motion, 0, MINUTE)
    floor = estimate_floor(motion)
    contacts, bars = detect_contacts(motion, floor), learn_bars(one)
    limits = learn_limits(motion.skeleton, np.concatenate([take.local_rotations for take in one]))
    joins = np.arange(30, MINUTE, 60)
    seconds = best_of(lambda: measure_quality(motion, contacts, floor, joins=joins, bars=bars, limits=limits))
    return figure("measuring the quality of one minute", seconds, "s", "lower")
