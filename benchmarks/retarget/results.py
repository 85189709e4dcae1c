"""How well retargeted motions keep what their sources do: feet, directions, hands, smoothness, and the way back."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.retarget.measures import (
    NEAR,
    chain_errors,
    direction_errors,
    height_error,
    highest_acceleration,
    touches,
)
from benchmarks.retarget.recordings import OTHER_SETS, SETS, Recorded, read_recordings, targets
from motionloom import formats
from motionloom.features.feet import foot_points
from motionloom.motion import Motion, Skeleton, kinematics
from motionloom.quality import measure_hinges, measure_skate
from motionloom.retarget import RetargetSettings, retarget_motion

BARE = RetargetSettings(plant=False, keep_touches=False)
LOOSE = RetargetSettings(plant=False)
STILL_MM, LEVEL_MM = 1.0, 2.0  # what planted feet may do
ROUGHER = 1.2  # times the source's acceleration
WRITTEN = 10  # every so many takes are written and read again


@dataclass(frozen=True)
class Measured:
    """One take on one skeleton."""

    take: str
    target: str
    farthest_mm: float  # of planted points from frame to frame
    height_mm: float  # that planted points leave their height, at most
    directions: dict[str, float]  # mean degrees beside the source, by bone
    flips: int  # of knees and elbows
    source_flips: int
    touching: int  # hand-frames of the source
    kept: int  # of them, in the result
    acceleration: float  # highest, relative to the source's
    angle_degrees: float  # there and back, chains of equal length
    end_degrees: float  # there and back, ends of other chains
    file_mm: float  # joints written and read again; NaN if not tried
    same_mm: float  # joints on their own skeleton; NaN if not tried


def figures(data: Path) -> list[dict]:
    """One line for each claim, over all takes and targets; and per target where that tells more."""
    rows = measure_all(data)
    names = list(dict.fromkeys(row.target for row in rows))
    figures = [figure("takes times skeletons", len(rows), "motions", "higher")]
    for name in names:
        figures += _per_target(name, [row for row in rows if row.target == name])
    return figures + _overall("all", rows) + _overall("other sets", measure_all(data, OTHER_SETS))


@cache
def measure_all(data: Path, sets: tuple[str, ...] = SETS) -> tuple[Measured, ...]:
    """Every take of some sets on every skeleton."""
    return tuple(_measure_takes(data, sets))


def _measure_takes(data: Path, sets: tuple[str, ...]) -> Iterator[Measured]:
    for number, take in enumerate(read_recordings(data, sets)):
        for name, skeleton in targets(data, take).items():
            yield _measure(take, name, skeleton, is_written=number % WRITTEN == 0)


def _measure(take: Recorded, name: str, skeleton: Skeleton, *, is_written: bool) -> Measured:
    source = take.motion
    given = {"floor_height": take.floor, "contacts": take.contacts, "footing": take.footing}
    bare, loose = (retarget_motion(source, skeleton, **given, settings=each).motion for each in (BARE, LOOSE))
    result = retarget_motion(source, skeleton, **given)
    back = retarget_motion(bare, source.skeleton, floor_height=take.floor, settings=BARE).motion
    points = foot_points(result.motion, take.floor, like=loose)
    near = touches(source, NEAR)
    ratio = skeleton.leg_length / source.skeleton.leg_length
    kept = near & touches(result.motion, NEAR * ratio)
    hinges, own = measure_hinges(result.motion, loose), measure_hinges(source)
    angle, end = chain_errors(source, back, skeleton)
    return Measured(
        take.name,
        name,
        measure_skate(result.motion, take.contacts, take.floor, points=points).farthest_mm,
        height_error(points, foot_points(source, take.floor), take.contacts, result.footing, take.footing),
        direction_errors(source, result.motion, take.contacts, near.any(axis=2)),
        0 if hinges is None else hinges.flips,
        0 if own is None else own.flips,
        int(near.sum()),
        int(kept.sum()),
        highest_acceleration(result.motion) / highest_acceleration(source),
        angle,
        end,
        _written_mm(result.motion) if is_written else float("nan"),
        _same_mm(take) if is_written else float("nan"),
    )


def _same_mm(take: Recorded) -> float:
    """Millimetres that a joint moves at most on its own skeleton."""
    same = retarget_motion(
        take.motion, take.motion.skeleton, floor_height=take.floor, contacts=take.contacts, footing=take.footing
    ).motion
    places = kinematics.world_positions(same), kinematics.world_positions(take.motion)
    return 1000 * float(np.linalg.norm(places[0] - places[1], axis=-1).max())


def _written_mm(motion: Motion) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "written.bvh"
        formats.write(path, motion)
        again = formats.read(path, formats.ReadOptions(scale="0.01", up="y", rest_frame="keep", fps=motion.fps)).motion
    assert isinstance(again, Motion)
    order = [again.skeleton.names.index(name) for name in motion.skeleton.names]
    places = kinematics.world_positions(again)[:, order], kinematics.world_positions(motion)
    return 1000 * float(np.linalg.norm(places[0] - places[1], axis=-1).max())


def _per_target(name: str, rows: list[Measured]) -> list[dict]:
    planted = [row.farthest_mm < STILL_MM and row.height_mm < LEVEL_MM for row in rows]
    means = [float(np.mean(list(row.directions.values()))) for row in rows]
    touching = sum(row.touching for row in rows)
    return [
        figure(f"{name}; takes with planted feet", 100 * float(np.mean(planted)), "%", "higher"),
        figure(f"{name}; directions of bones beside the source, mean", float(np.mean(means)), "degrees", "lower"),
        figure(f"{name}; directions of bones, worst take", max(means), "degrees", "lower"),
        figure(
            f"{name}; direction of the worst bone, {_worst_bone(rows)[0]}", _worst_bone(rows)[1], "degrees", "lower"
        ),
        figure(f"{name}; touches kept", 100 * sum(row.kept for row in rows) / max(touching, 1), "%", "higher"),
        figure(f"{name}; knees and elbows that turn over", sum(row.flips for row in rows), "times", "lower"),
        figure(f"{name}; takes rougher than 1.2 times the source", _rougher(rows), "%", "lower"),
        figure(f"{name}; highest acceleration beside the source", max(r.acceleration for r in rows), "x", "lower"),
        figure(f"{name}; there and back, joint angles", max(row.angle_degrees for row in rows), "degrees", "lower"),
        figure(f"{name}; there and back, ends of chains", max(row.end_degrees for row in rows), "degrees", "lower"),
    ]


def _worst_bone(rows: list[Measured]) -> tuple[str, float]:
    """The bone whose direction is farthest from the source's on average, left and right together, and degrees."""
    degrees: dict[str, list[float]] = {}
    for row in rows:
        for bone, error in row.directions.items():
            degrees.setdefault(bone.removeprefix("left ").removeprefix("right "), []).append(error)
    means = {bone: float(np.mean(errors)) for bone, errors in degrees.items()}
    worst = max(means, key=lambda bone: means[bone])
    return worst, means[worst]


def _rougher(rows: list[Measured]) -> float:
    return 100 * float(np.mean([row.acceleration > ROUGHER for row in rows]))


def _overall(title: str, rows: tuple[Measured, ...]) -> list[dict]:
    means = [float(np.mean(list(row.directions.values()))) for row in rows]
    touching = max(sum(row.touching for row in rows), 1)
    planted = [row.farthest_mm < STILL_MM and row.height_mm < LEVEL_MM for row in rows]
    return [
        figure(f"{title}; takes with planted feet", 100 * float(np.mean(planted)), "%", "higher"),
        figure(
            f"{title}; planted points still",
            100 * float(np.mean([r.farthest_mm < STILL_MM for r in rows])),
            "%",
            "higher",
        ),
        figure(
            f"{title}; planted points level",
            100 * float(np.mean([r.height_mm < LEVEL_MM for r in rows])),
            "%",
            "higher",
        ),
        figure(f"{title}; directions of bones beside the source, mean", float(np.mean(means)), "degrees", "lower"),
        figure(f"{title}; touches kept", 100 * sum(r.kept for r in rows) / touching, "%", "higher"),
        figure(f"{title}; touching hands in frames", sum(row.touching for row in rows), "hands", "higher"),
        figure(f"{title}; knees and elbows that turn over", sum(row.flips for row in rows), "times", "lower"),
        figure(f"{title}; the same in the sources", sum(row.source_flips for row in rows), "times", "lower"),
        figure(f"{title}; takes rougher than 1.2 times the source", _rougher(list(rows)), "%", "lower"),
        figure(f"{title}; the same skeleton, farthest joint", np.nanmax([r.same_mm for r in rows]), "mm", "lower"),
        figure(f"{title}; written and read again, farthest joint", np.nanmax([r.file_mm for r in rows]), "mm", "lower"),
    ]
