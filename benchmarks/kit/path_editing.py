"""Path editing: ten seconds of walking, bent to end a metre and thirty degrees from where they did.

The takes, chosen by their descriptions before anything was measured: every take of the set walking that is at least ten
seconds long. From each the ten seconds from its fifth second on, where the walk is under way. Eight ends: a metre away
to the front, left, back and right of the body at the end, each turned thirty degrees to the left and to the right.
Nothing is left out, so turns in place and walks backwards and sideways count as well.

The naive way stands beside: the missing metre and turn added in proportion to the way travelled so far, feet planted
the same.
"""

from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom.constraints import plant_feet
from motionloom.constraints.path_editing import BentMotion, GroundTarget, bend_path, move_frames
from motionloom.features.contacts import detect_contacts
from motionloom.features.facing import find_facing
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.motion import Motion, cut, kinematics
from motionloom.motion.placement import turn_ground
from motionloom.quality import measure_penetration, measure_skate

TAKES = tuple(
    f"walking/{name}"
    for name in ("69_06", "69_08", "69_11", "69_12", "69_13", "69_15", "69_36", "69_39", "69_43", "144_03")
)
START, SECONDS = 5.0, 10.0
AWAY, TURN = 1.0, np.radians(30.0)
WAYS = tuple((k * np.pi / 2, side * TURN) for k in range(4) for side in (1, -1))  # where to, seen from the body; turn


def figures(data: Path) -> list[dict]:
    """How exactly ends are met, what that does to feet and paths, and how long it takes."""
    rows, naive = np.array(_measure(data)), np.array(_measure_naive(data))
    motion, contacts, floor = _walk(data, TAKES[0])
    target = _targets(motion)[0]
    return [
        figure("path editing; walks and ends", len(rows), "cases", "higher"),
        figure("path editing; end beside its place, farthest", rows[:, 0].max(), "mm", "lower"),
        figure("path editing; end beside its heading, farthest", rows[:, 1].max(), "degrees", "lower"),
        figure("path editing; start beside its place, farthest", rows[:, 2].max(), "mm", "lower"),
        figure("path editing; skate, worst ratio to the source", (rows[:, 3] / rows[:, 4]).max(), "x", "lower"),
        figure("path editing; skate, mean", rows[:, 3].mean(), "cm per contact second", "lower"),
        figure("path editing; skate of the source, mean", rows[:, 4].mean(), "cm per contact second", "lower"),
        figure("path editing; planted points, farthest in a frame", rows[:, 5].max(), "mm", "lower"),
        figure("path editing; deepest foot point below the floor", rows[:, 6].max(), "mm", "lower"),
        figure("path editing; change of speed, rms over a walk, mean", 100 * rows[:, 7].mean(), "%", "lower"),
        figure("path editing; change of speed, rms, naive way", 100 * naive[:, 0].mean(), "%", "lower"),
        figure("path editing; direction of travel beside the body, rms, mean", rows[:, 8].mean(), "degrees", "lower"),
        figure("path editing; direction of travel, rms, naive way", naive[:, 1].mean(), "degrees", "lower"),
        figure("path editing; change of turning, rms, mean", rows[:, 9].mean(), "degrees/s", "lower"),
        figure("path editing; change of turning, rms, naive way", naive[:, 2].mean(), "degrees/s", "lower"),
        figure("path editing; change of joints by planting, mean", rows[:, 10].mean(), "mm", "lower"),
        figure("path editing; change of joints by planting, naive way", naive[:, 3].mean(), "mm", "lower"),
        figure(
            "path editing; time for 10 s of motion",
            best_of(lambda: bend_path(motion, [target], contacts, floor)),
            "s",
            "lower",
        ),
    ]


@cache
def _walk(data: Path, take: str) -> tuple[Motion, np.ndarray, float]:
    """Ten seconds of a take, its contacts and its floor."""
    motion = read_all(data)[take][0]
    floor = estimate_floor(motion)
    start = round(START * motion.fps)
    stop = start + round(SECONDS * motion.fps)
    return cut(motion, start, stop), detect_contacts(motion, floor)[start:stop], floor


def _targets(motion: Motion) -> list[GroundTarget]:
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    return [
        GroundTarget(-1, ground[-1] + turn_ground(np.array([0.0, AWAY]), headings[-1] + where), headings[-1] + turn)
        for where, turn in WAYS
    ]


@cache
def _measure(data: Path) -> list[tuple[float, ...]]:
    rows = []
    for take in TAKES:
        motion, contacts, floor = _walk(data, take)
        before = measure_skate(motion, contacts, floor).cm_per_second
        for target in _targets(motion):
            bent = bend_path(motion, [target], contacts, floor)
            points = foot_points(bent.motion, floor, like=motion)
            skate = measure_skate(bent.motion, contacts, floor, points=points)
            rows.append(
                (
                    *_misses(motion, bent, target),
                    skate.cm_per_second,
                    before,
                    skate.farthest_mm,
                    measure_penetration(bent.motion, floor, points=points).deepest_mm,
                    *_distortion(motion, bend_path(motion, [target]).motion),
                    bent.report.planting.mean_change_mm if bent.report.planting else 0.0,
                )
            )
    return rows


def _misses(motion: Motion, bent: BentMotion, target: GroundTarget) -> tuple[float, float, float]:
    """Millimetres and degrees at the end, millimetres at the start, by the facing of the result."""
    headings, ground = find_facing(bent.motion.skeleton, kinematics.world_positions(bent.motion))
    _, source = find_facing(motion.skeleton, kinematics.world_positions(motion))
    off = (headings[-1] - float(target.heading or 0.0) + np.pi) % (2 * np.pi) - np.pi
    return (
        1000 * float(np.linalg.norm(ground[-1] - np.asarray(target.position))),
        abs(float(np.degrees(off))),
        1000 * float(np.linalg.norm(ground[0] - source[0])),
    )


@cache
def _measure_naive(data: Path) -> list[tuple[float, ...]]:
    rows = []
    for take in TAKES:
        motion, contacts, floor = _walk(data, take)
        for target in _targets(motion):
            bent = _bend_naively(motion, target)
            planted = plant_feet(bent, contacts, floor)
            rows.append((*_distortion(motion, bent), planted.report.mean_change_mm))
    return rows


def _bend_naively(motion: Motion, target: GroundTarget) -> Motion:
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    travelled = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(ground, axis=0), axis=1))])
    share = travelled / travelled[-1]
    missing = np.asarray(target.position) - ground[-1]
    turn = (float(target.heading or 0.0) - headings[-1] + np.pi) % (2 * np.pi) - np.pi
    return move_frames(motion, ground, share * turn, ground + share[:, None] * missing)


def _distortion(motion: Motion, bent: Motion) -> tuple[float, float, float]:
    """How the way travelled changes as the body sees it: share of speed, degrees, and degrees per second of turning.

    Root mean squares over the walk, weighted by how far the body goes in a frame.
    """
    steps, turns = [], []
    for compared in (motion, bent):
        headings, ground = find_facing(compared.skeleton, kinematics.world_positions(compared))
        steps.append(turn_ground(np.diff(ground, axis=0), -(headings[1:] + headings[:-1]) / 2))
        turns.append(np.diff(headings) * motion.fps)
    lengths = np.linalg.norm(steps[0], axis=1)
    moving = lengths * motion.fps > 0.3
    ratio = np.linalg.norm(steps[1], axis=1)[moving] / lengths[moving] - 1
    cosine = (steps[0] * steps[1]).sum(axis=1)[moving]
    sine = (steps[0][:, 0] * steps[1][:, 1] - steps[0][:, 1] * steps[1][:, 0])[moving]
    weights = lengths[moving] / lengths[moving].sum()
    astray = np.degrees(np.arctan2(sine, cosine))
    turning = np.degrees(turns[1] - turns[0])[moving]
    return tuple(float(np.sqrt((weights * values**2).sum())) for values in (ratio, astray, turning))  # type: ignore[return-value]
