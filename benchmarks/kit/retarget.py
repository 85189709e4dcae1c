"""Views get their feet back: every take of subject 69 on the skeleton of subject 143."""

from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.props import ON_PROPS
from benchmarks.corpus.recordings import read_all
from benchmarks.measure import figure
from motionloom.conform import conform_motion
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.motion import Motion, Skeleton, kinematics, rotations
from motionloom.quality import measure_penetration, measure_skate

FROM, TO = "69", "football_like/143_04"
LEGS = tuple(f"{side}_{joint}" for side in ("left", "right") for joint in ("hip", "knee", "foot"))
STILL_MM, DEEP_MM, CHANGE_CM = 1.0, 5.0, 3.0  # what "planted" allows


@cache
def _measure(data: Path) -> list[tuple[float, ...]]:
    """Per take: farthest mm per frame, deepest mm, mean joint change in cm, mean angle in degrees of all joints and of
    the legs, cm of skate per contact second before."""
    takes = read_all(data)
    skeleton = takes[TO][0].skeleton
    names = [name for name in takes if name.split("/")[1].startswith(f"{FROM}_") and name not in ON_PROPS]
    return [_measure_one(takes[name][0], skeleton) for name in names]


def _measure_one(motion: Motion, skeleton: Skeleton) -> tuple[float, ...]:
    floor = estimate_floor(motion)
    contacts = detect_contacts(motion, floor)
    loose = conform_motion(motion, floor, skeleton, motion.fps)
    planted = conform_motion(motion, floor, skeleton, motion.fps, contacts=contacts)
    points = foot_points(planted, 0.0, like=loose)
    change = np.linalg.norm(kinematics.world_positions(planted) - kinematics.world_positions(loose), axis=-1)
    between = rotations.multiply(rotations.inverse(motion.local_rotations), planted.local_rotations)
    angles = np.degrees(np.linalg.norm(rotations.log(between), axis=-1))  # (F, J)
    return (
        measure_skate(planted, contacts, points=points).farthest_mm,
        measure_penetration(planted, points=points).deepest_mm,
        100 * float(change.mean()),
        float(angles.mean()),
        float(angles[:, [skeleton.index(role) for role in LEGS]].mean()),
        measure_skate(loose, contacts).cm_per_second,
    )


def figures(data: Path) -> list[dict]:
    """How well the feet of another body stand, and what that changes."""
    rows = np.array(_measure(data))
    met = (rows[:, 0] < STILL_MM) & (rows[:, 1] < DEEP_MM) & (rows[:, 2] < CHANGE_CM)
    return [
        figure("retarget; takes of 69 planted on the skeleton of 143", 100 * met.mean(), "%", "higher"),
        figure("retarget; joint angles beside the source, mean", rows[:, 3].mean(), "degrees", "lower"),
        figure("retarget; angles of the leg joints alone, mean", rows[:, 4].mean(), "degrees", "lower"),
        figure("retarget; joint angles beside the source, worst take", rows[:, 3].max(), "degrees", "lower"),
        figure("retarget; planted points, farthest in a frame", rows[:, 0].max(), "mm", "lower"),
        figure("retarget; deepest foot point below the floor", rows[:, 1].max(), "mm", "lower"),
        figure("retarget; joint change by planting, worst take", rows[:, 2].max(), "cm", "lower"),
        figure("retarget; skate before planting, mean of takes", rows[:, 5].mean(), "cm per contact second", "lower"),
    ]
