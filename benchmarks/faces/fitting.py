"""Bodies from markers: markers put on recorded bodies, spoilt and fitted; the truth is the recording.

The 41 markers of the full-body set get noise of 2 mm along each axis; a tenth of the samples are missing, half of
them single ones and half in gaps of half a second to two seconds of one marker. Errors are distances of joints from
their places in the recording, of all joints with markers on or below them.
"""

import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from motionloom import formats
from motionloom.markers import FitSettings, FittedBody, MarkerSet, fit_markers, full_body_markers, put_on
from motionloom.motion import Motion, PointMotion, Skeleton, kinematics, resample
from motionloom.motion.rotations import about_axis, multiply, rotate

WALKING = ("16_16", "16_21", "16_31", "16_47")
BOXING = ("13_17", "13_18", "14_02")
SIX = ("LFHD", "T10", "LWRA", "RWRA", "LANK", "RANK")
NOISE, MISSING, GAP = 0.002, 0.1, (0.5, 2.0)  # metres along each axis, share of samples, seconds
MISPLACED = 0.015  # metres along each axis that markers are elsewhere than the set says
LARGER = 1.12  # of the body beside the skeleton that is given


@dataclass(frozen=True, eq=False)
class Case:
    """Fits of some takes: errors of joints in metres, and how much faster than real time they were."""

    errors: np.ndarray  # (N,)
    speed: float
    left_out: int  # samples


def figures(data: Path) -> list[dict]:
    """Errors of joints and speeds."""
    rows = []
    for name, takes in (("walking", WALKING), ("boxing", BOXING)):
        case = measure(data, takes)
        rows.append(figure(f"fitting 41 markers; {name}, error of joints", 1000 * case.errors.mean(), "mm", "lower"))
        rows.append(figure(f"fitting 41 markers; {name}, times real time", case.speed, "x", "higher"))
        six = measure(data, takes, names=SIX)
        rows.append(figure(f"fitting six markers; {name}, error of joints", 1000 * six.errors.mean(), "mm", "lower"))
    for name, case in _others(data).items():
        rows.append(figure(f"fitting 41 markers; {name}, error of joints", 1000 * case.errors.mean(), "mm", "lower"))
    return rows


def _others(data: Path) -> dict[str, Case]:
    both = WALKING[:2] + BOXING[:1]
    return {
        "24 fps": measure(data, both, fps=24.0),
        "120 fps": measure(data, both, fps=120.0),
        "lying": measure(data, both, lies=True),
        "misplaced by 15 mm, kept": measure(data, both, misplaced=MISPLACED),
        "misplaced by 15 mm, learnt": measure(
            data, both, misplaced=MISPLACED, settings=FitSettings(learns_offsets=True)
        ),
        "a body 1.12 times as large, learnt": measure(
            data, both, larger=LARGER, settings=FitSettings(learns_size=True)
        ),
    }


def measure(
    data: Path,
    takes: tuple[str, ...],
    *,
    names: tuple[str, ...] | None = None,
    fps: float | None = None,
    lies: bool = False,
    misplaced: float = 0.0,
    larger: float = 1.0,
    settings: FitSettings | None = None,
) -> Case:
    """Fit takes whose markers were spoilt, each with a seed of its own."""
    errors, seconds, recorded, left_out = [], 0.0, 0.0, 0
    for seed, take in enumerate(takes):
        motion = _vary(read(data, take), fps, lies)
        skeleton = motion.skeleton
        motion = replace(motion, skeleton=skeleton.scaled(larger), root_positions=motion.root_positions * larger)
        markers = full_body_markers(skeleton) if names is None else full_body_markers(skeleton).only(names)
        rng = np.random.default_rng(seed)
        worn = replace(markers, offsets=larger * (markers.offsets + misplaced * rng.normal(size=markers.offsets.shape)))
        points = spoil(put_on(motion, worn), rng)
        fitted, took = _timed(skeleton, points, markers, settings or FitSettings())
        seconds, recorded = seconds + took, recorded + motion.duration
        left_out += sum(row.n_left_out for row in fitted.report.markers)
        errors.append(joint_errors(fitted, motion).ravel())
    return Case(np.concatenate(errors), recorded / seconds, left_out)


def joint_errors(fitted: FittedBody, motion: Motion) -> np.ndarray:
    """(F, N) metres: how far joints are from where they were, those without markers below them left out."""
    held = set(fitted.report.held)
    joints = [joint for joint, name in enumerate(motion.skeleton.names) if name not in held]
    own, truth = kinematics.world_positions(fitted.motion), kinematics.world_positions(motion)
    return np.linalg.norm(own - truth, axis=-1)[:, joints]


def spoil(points: PointMotion, rng: np.random.Generator) -> PointMotion:
    """Markers with noise and gaps."""
    positions = points.positions + NOISE * rng.normal(size=points.positions.shape)
    n_frames, n_markers = positions.shape[:2]
    missing = rng.random((n_frames, n_markers)) < MISSING / 2
    while missing.mean() < MISSING:
        length = max(1, round(rng.uniform(*GAP) * points.fps))
        start, marker = int(rng.integers(-length, n_frames)), int(rng.integers(n_markers))
        missing[max(start, 0) : max(start + length, 0), marker] = True
    positions[missing] = np.nan
    return PointMotion(points.names, positions, points.fps)


@cache
def read(data: Path, take: str) -> Motion:
    return formats.read(next((data / "cmu").glob(f"*/{take}.bvh"))).motion


def _vary(motion: Motion, fps: float | None, lies: bool) -> Motion:
    motion = resample(motion, fps) if fps else motion
    if not lies:
        return motion
    turn, local = about_axis(np.array([1.0, 0.0, 0.0]), -np.pi / 2), motion.local_rotations.copy()
    local[:, 0] = multiply(turn, local[:, 0])
    return replace(motion, root_positions=rotate(turn, motion.root_positions), local_rotations=local)


def _timed(
    skeleton: Skeleton, points: PointMotion, markers: MarkerSet, settings: FitSettings
) -> tuple[FittedBody, float]:
    """A fit, and the seconds of the fastest of two."""
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        fitted = fit_markers(skeleton, points, markers, settings=settings)
        seconds.append(time.perf_counter() - start)
    return fitted, min(seconds)
