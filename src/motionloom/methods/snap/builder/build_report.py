"""The report of building a hub graph: how far takes were displaced, and whether planted feet stay in place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import POINTS, foot_points
from motionloom.methods.snap.builder.hub_poses import Feet, Passage
from motionloom.motion import Motion, kinematics

SLIDES_MM = 1.0  # millimetres per frame: a planted point that moves more is reported as sliding


@dataclass(frozen=True)
class HubReport:
    """The report of a hub."""

    name: str
    match_frames: int
    planted: tuple[str, ...]  # planted points of the feet in the common pose
    mean_displacement: float  # metres, over all joints in the match frames
    worst_displacement: float  # metres, of a joint in a match frame
    level: float = 0.0  # metres: height of what its higher foot stands on


@dataclass(frozen=True)
class BuildReport:
    """The report of building."""

    hubs: tuple[HubReport, ...]
    mean_displacement: float  # metres, over all joints and frames of takes that have match frames
    worst_displacement: float  # metres, of a joint in a frame
    worst_where: str
    planted_step_mm: float  # millimetres per frame: maximum movement of a planted point
    classes: tuple[tuple[str, ...], ...]  # hubs that share a stance because they are linked on both feet
    seconds: float
    dropped: tuple[str, ...] = ()  # match frames that were removed because joins there would be rough
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class TakeChange:
    """A take before and after bending."""

    name: str
    take: Motion  # as recorded
    bent: Motion
    passages: Sequence[Passage]
    contacts: np.ndarray  # (F, 4) bool


def measure_building(
    changes: Sequence[TakeChange], hubs: Sequence[str], planted: Sequence[np.ndarray], levels: np.ndarray, feet: Feet
) -> BuildReport:
    """Measure displacements of joints, and steps of planted points.

    Args:
        changes: of all takes.
        hubs: names of the hubs.
        planted: (4,) bool of each hub.
        levels: (H, 4) metres: heights of what their planted points stand on.
        feet: of the view.
    """
    moved: list[list[np.ndarray]] = [[] for _ in hubs]
    total, count, worst, where, step_mm, notes = 0.0, 0, 0.0, "", 0.0, list[str]()
    for change in changes:
        steps = _planted_steps(change, feet)
        step_mm = max(step_mm, float(steps.max(initial=0.0)))
        notes += _sliding(change.name, steps)
        if not change.passages:
            continue
        away = _displacements(change)
        total, count = total + float(away.sum()), count + away.size
        if away.max() > worst:
            frame, joint = np.unravel_index(int(away.argmax()), away.shape)
            worst, where = float(away.max()), f"{change.name}, frame {frame}, {change.take.skeleton.names[joint]}"
        for passage in change.passages:
            moved[passage.hub].append(away[passage.frame])
    reports = [_hub_report(*of_hub) for of_hub in zip(hubs, planted, levels, moved)]
    return BuildReport(tuple(reports), total / max(count, 1), worst, where, step_mm, (), 0.0, notes=tuple(notes))


def _planted_steps(change: TakeChange, feet: Feet) -> np.ndarray:
    """(F - 1,) millimetres that the fastest planted point moves between two frames."""
    points = foot_points(change.bent, 0.0, heels=feet.heels)
    steps = 1000 * np.linalg.norm(np.diff(points, axis=0), axis=-1)
    is_planted = change.contacts[1:] & change.contacts[:-1]
    return np.where(is_planted, steps, 0.0).max(axis=1, initial=0.0)


def _sliding(name: str, steps: np.ndarray) -> list[str]:
    """A sentence if planted feet slide."""
    if steps.max(initial=0.0) <= SLIDES_MM:
        return []
    return [
        f"{name}: planted feet slide by up to {steps.max():.0f} mm in frame {int(steps.argmax()) + 1}, because "
        "legs are too short for where its hubs are; choose other match frames near it"
    ]


def _displacements(change: TakeChange) -> np.ndarray:
    """(F, J) metres between joints of the recorded and of the bent take."""
    before, after = (kinematics.world_positions(motion) for motion in (change.take, change.bent))
    return np.linalg.norm(before - after, axis=-1)


def _hub_report(name: str, planted: np.ndarray, levels: np.ndarray, displacements: Sequence[np.ndarray]) -> HubReport:
    points = tuple(point for point, is_planted in zip(POINTS, planted) if is_planted)
    mean, worst = float(np.mean(displacements)), float(np.max(displacements))
    return HubReport(name, len(displacements), points, mean, worst, float(levels.max()))
