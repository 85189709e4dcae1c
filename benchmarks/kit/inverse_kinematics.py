"""Inverse kinematics: how exactly targets are met that a body can meet, and how long it takes.

On ten seconds of a walk. Reachable targets are made by turning all joints below the root that turn at all, at random by
about fifteen degrees, and reading off where hands, a foot and the head are, in 40 frames for each of five seeds.
"""

from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom.constraints import IkSettings, OrientationTarget, PositionTarget, solve_ik
from motionloom.motion import Motion, cut, kinematics, rotations

TAKE, START, SECONDS = "walking/69_12", 5.0, 10.0
TURN = np.radians(15.0)
HANDS = ("left_hand", "right_hand")


def figures(data: Path) -> list[dict]:
    """Shares met, misses, and seconds."""
    misses, turned = _measure(data)
    motion = _walk(data)
    frames = np.arange(motion.n_frames)
    positions = kinematics.world_positions(motion)
    lift = [PositionTarget("left_hand", frames, positions[:, motion.skeleton.index("left_hand")] + [0.0, 0.1, 0.0])]
    pinned = [
        PositionTarget("left_hand", 300, lift[0].position[300]),
        *(PositionTarget(foot, frames[270:331]) for foot in ("left_foot", "right_foot")),
    ]
    return [
        figure("ik; reachable targets met", 100 * np.mean(misses <= 1.0), "%", "higher"),
        figure("ik; reachable targets, farthest miss in tolerances", misses.max(), "x", "lower"),
        figure("ik; reachable targets, change of joints beside that of their making", turned, "x", "lower"),
        figure("ik; a hand in 600 frames", best_of(lambda: solve_ik(motion, lift)), "s", "lower"),
        figure(
            "ik; a hand in one frame, feet pinned in 61",
            best_of(lambda: solve_ik(motion, pinned, settings=IkSettings(moves_root=True))),
            "s",
            "lower",
        ),
    ]


@cache
def _walk(data: Path) -> Motion:
    motion = read_all(data)[TAKE][0]
    start = round(START * motion.fps)
    return cut(motion, start, start + round(SECONDS * motion.fps))


def _turning(motion: Motion) -> np.ndarray:
    """(J,) bool: joints below the root that turn in the recording; LHipJoint and its like never do."""
    turning = rotations.angle_between(motion.local_rotations[:1], motion.local_rotations).max(axis=0) > 1e-4
    turning[0] = False
    return turning


@cache
def _measure(data: Path) -> tuple[np.ndarray, float]:
    """Misses in tolerances, of all targets in all frames; and how far joints turned beside how far they were turned."""
    motion = _walk(data)
    misses, ours, theirs = [], 0.0, 0.0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        frames = np.sort(rng.choice(motion.n_frames, 40, replace=False))
        turns = rng.normal(scale=TURN / np.sqrt(3), size=motion.local_rotations.shape[:2] + (3,))
        turns[:, ~_turning(motion)] = 0.0
        local = rotations.multiply(motion.local_rotations, rotations.exp(turns))
        positions, turned = kinematics.forward(motion.skeleton, motion.root_positions, local)
        index = motion.skeleton.index
        targets = [PositionTarget(joint, frames, positions[frames, index(joint)]) for joint in (*HANDS, "left_foot")]
        targets.append(OrientationTarget("head", frames, turned[frames, index("head")]))
        solved = solve_ik(motion, targets, settings=IkSettings(window=0.0))
        tolerances = [IkSettings.position_tolerance] * 3 + [IkSettings.orientation_tolerance]
        misses += [outcome.misses / size for outcome, size in zip(solved.report.outcomes, tolerances)]
        chain = sorted({j for joint in (*HANDS, "left_foot", "head") for j in motion.skeleton.chain(index(joint))})
        change = rotations.angle_between(solved.motion.local_rotations, motion.local_rotations)
        ours += float((change[frames][:, chain] ** 2).sum())
        theirs += float((turns[frames][:, chain] ** 2).sum())
    return np.concatenate(misses), float(np.sqrt(ours / theirs))
