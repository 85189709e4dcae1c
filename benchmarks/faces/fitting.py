"""Bodies from markers: markers put on recorded bodies, spoilt and fitted; the truth is the recording.

The 41 markers of the full-body set get noise of 2 mm along each axis; a tenth of the samples are missing, half of them
single ones and half in gaps of half a second to two seconds of one marker. Errors are distances of joints from
their places in the recording, of all joints with markers on or below them.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.faces import spoiling
from benchmarks.measure import figure
from motionloom import formats
from motionloom.markers import FitSettings, FittedBody, MarkerSet, fit_markers, full_body_markers, put_on
from motionloom.motion import Motion, PointMotion, Skeleton, kinematics, resample
from motionloom.motion.rotations import about_axis, multiply, rotate

WALKING = ("16_16", "16_21", "16_31", "16_47")
BOXING = ("13_17", "13_18", "14_02")
BOTH = WALKING[:2] + BOXING[:1]
SIX = ("LFHD", "T10", "LWRA", "RWRA", "LANK", "RANK")
MISPLACED = 0.015  # metres along each axis that markers are elsewhere than the set says
LARGER = 1.12  # of the body beside the skeleton that is given
OTHER_BODIES = {"a child": (0.65, 0.6), "long legs": (1.2, 0.85)}  # times the bones of legs, and all others

Change = Callable[[Motion], Motion]
Spoiler = Callable[[PointMotion, np.random.Generator], PointMotion]


@dataclass(frozen=True, eq=False)
class Case:
    """Fits of some takes: errors of joints in metres, and how much faster than real time they were."""

    errors: np.ndarray  # (N,)
    speed: float  # by the clock, on all cores
    core_speed: float  # by the time of cores, as if there were one
    left_out: int  # samples
    fits: list[tuple[FittedBody, Motion, PointMotion]]  # with the recordings and the markers


def figures(data: Path) -> list[dict]:
    """Errors of joints and speeds."""
    rows = []
    for name, takes in (("walking", WALKING), ("boxing", BOXING)):
        rows += _error_and_speed(f"fitting 41 markers; {name}", measure(data, takes))
        rows.append(_error(f"fitting six markers; {name}", measure(data, takes, names=SIX)))
    for fps in (30.0, 120.0, 240.0):
        rows += _error_and_speed(f"fitting 41 markers; {fps:g} fps", measure(data, BOTH, change=partial(at_rate, fps)))
    rows += [_error(f"fitting 41 markers; {name}", case) for name, case in _others(data).items()]
    return [*rows, *_gaps(data), *_swaps(data)]


def _error(name: str, case: Case) -> dict:
    return figure(f"{name}, error of joints", 1000 * case.errors.mean(), "mm", "lower")


def _error_and_speed(name: str, case: Case) -> list[dict]:
    return [
        _error(name, case),
        figure(f"{name}, times real time", case.speed, "x", "higher"),
        figure(f"{name}, times real time on one core", case.core_speed, "x", "higher"),
    ]


def _others(data: Path) -> dict[str, Case]:
    learnt = FitSettings(learns_offsets=True)
    bodies = {name: measure(data, BOTH, change=partial(on_other_bones, *sizes)) for name, sizes in OTHER_BODIES.items()}
    return {
        "lying": measure(data, BOTH, change=lying),
        **bodies,
        "misplaced by 15 mm, kept": measure(data, BOTH, misplaced=MISPLACED),
        "misplaced by 15 mm, learnt": measure(data, BOTH, misplaced=MISPLACED, settings=learnt),
        "a body 1.12 times as large, learnt": measure(
            data, BOTH, larger=LARGER, settings=FitSettings(learns_size=True)
        ),
    }


def _gaps(data: Path) -> list[dict]:
    """One marker after another gone for two seconds; and all markers of an arm at once, with where its hand is then."""
    each = measure(data, BOXING, spoil=spoiling.with_a_gap_of_each)
    arm = measure(data, BOXING, spoil=spoiling.without_an_arm)
    away = []
    for fitted, motion, points in arm.fits:
        gone = np.isnan(points.positions[:, [points.names.index(name) for name in spoiling.ARM]]).all(axis=(1, 2))
        hand = motion.skeleton.index("left_hand")
        away.append(_distances(fitted.motion, motion)[gone, hand])
    return [
        _error("fitting 41 markers; each gone for 2 s in turn", each),
        _error("fitting 41 markers; an arm without any for 2 s", arm),
        figure(
            "fitting 41 markers; an arm without any for 2 s, its hand meanwhile",
            1000 * np.concatenate(away).mean(),
            "mm",
            "lower",
        ),
    ]


def _swaps(data: Path) -> list[dict]:
    case = measure(data, BOXING, spoil=spoiling.with_swaps)
    swapped = spoiling.SWAPS * 2 * sum(round(spoiling.SWAPPED * points.fps) for _, _, points in case.fits)
    name = "fitting 41 markers; labels of two swapped for 0.5 s, ten times a take"
    return [
        _error(name, case),
        figure(f"{name}, samples left out beside those swapped", 100 * case.left_out / swapped, "%", "higher"),
    ]


def measure(
    data: Path,
    takes: tuple[str, ...],
    *,
    names: tuple[str, ...] | None = None,
    change: Change | None = None,
    spoil: Spoiler = spoiling.spoil,
    misplaced: float = 0.0,
    larger: float = 1.0,
    settings: FitSettings | None = None,
) -> Case:
    """Fit takes whose markers were spoilt, each with a seed of its own."""
    fits, seconds = [], np.zeros(2)
    for seed, take in enumerate(takes):
        motion = read(data, take) if change is None else change(read(data, take))
        skeleton = motion.skeleton
        motion = replace(motion, skeleton=skeleton.scaled(larger), root_positions=motion.root_positions * larger)
        markers = full_body_markers(skeleton) if names is None else full_body_markers(skeleton).only(names)
        rng = np.random.default_rng(seed)
        worn = replace(markers, offsets=larger * (markers.offsets + misplaced * rng.normal(size=markers.offsets.shape)))
        points = spoil(put_on(motion, worn), rng)
        fitted, took = _timed(skeleton, points, markers, settings or FitSettings())
        seconds += took
        fits.append((fitted, motion, points))
    errors = np.concatenate([joint_errors(fitted, motion).ravel() for fitted, motion, _ in fits])
    left_out = sum(row.n_left_out for fitted, _, _ in fits for row in fitted.report.markers)
    return Case(errors, *sum(motion.duration for _, motion, _ in fits) / seconds, left_out, fits)


def joint_errors(fitted: FittedBody, motion: Motion) -> np.ndarray:
    """(F, N) metres: how far joints are from where they were, those without markers below them left out."""
    held = set(fitted.report.held)
    joints = [joint for joint, name in enumerate(motion.skeleton.names) if name not in held]
    return _distances(fitted.motion, motion)[:, joints]


def _distances(fitted: Motion, motion: Motion) -> np.ndarray:
    return np.linalg.norm(kinematics.world_positions(fitted) - kinematics.world_positions(motion), axis=-1)


@cache
def read(data: Path, take: str) -> Motion:
    return formats.read(next((data / "cmu").glob(f"*/{take}.bvh"))).motion


def at_rate(fps: float, motion: Motion) -> Motion:
    return resample(motion, fps)


def lying(motion: Motion) -> Motion:
    """Everything turned by a quarter: the body lies and moves on its back."""
    turn, local = about_axis(np.array([1.0, 0.0, 0.0]), -np.pi / 2), motion.local_rotations.copy()
    local[:, 0] = multiply(turn, local[:, 0])
    return replace(motion, root_positions=rotate(turn, motion.root_positions), local_rotations=local)


def on_other_bones(legs: float, others: float, motion: Motion) -> Motion:
    """The same turns of joints on a body of other proportions: bones below the hips, and all others, times a factor."""
    skeleton = motion.skeleton
    hips = [skeleton.index(f"{side}_hip") for side in ("left", "right")]
    is_leg = np.array([any(hip in skeleton.chain(joint)[:-1] for hip in hips) for joint in range(skeleton.n_joints)])
    ends_leg = np.array([any(hip in skeleton.chain(int(joint)) for hip in hips) for joint in skeleton.end_parents])
    offsets = skeleton.offsets * np.where(is_leg, legs, others)[:, None]
    end_offsets = skeleton.end_offsets * np.where(ends_leg, legs, others)[:, None]
    changed = replace(skeleton, offsets=offsets, end_offsets=end_offsets)
    return replace(motion, skeleton=changed, root_positions=legs * motion.root_positions)


def _timed(
    skeleton: Skeleton, points: PointMotion, markers: MarkerSet, settings: FitSettings
) -> tuple[FittedBody, np.ndarray]:
    """A fit, and the seconds of the fastest of three, by the clock and of all cores together."""
    seconds = []
    for _ in range(3):
        start = np.array([time.perf_counter(), time.process_time()])
        fitted = fit_markers(skeleton, points, markers, settings=settings)
        seconds.append(np.array([time.perf_counter(), time.process_time()]) - start)
    return fitted, np.min(seconds, axis=0)
