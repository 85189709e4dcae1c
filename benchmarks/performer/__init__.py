"""How fast the performer makes the demo takes, and how like recorded walks and runs its own are."""

import time
from pathlib import Path

import numpy as np

from benchmarks.measure import calibration, figure
from benchmarks.performer.compare import compare, knee_jerkiness, read_recordings
from motionloom.features.contacts import CONTACT_POINTS, detect_contacts
from motionloom.features.foot_strikes import feet_down
from motionloom.motion import kinematics
from motionloom.performer import Performance, perform_demo


def figures(data: Path | None) -> list[dict]:
    """Seconds to perform the demo, its length, and how many measures of its walks and runs are like recorded ones."""
    seconds, performances = _perform()
    result = [
        calibration(),
        figure("demo takes; time to perform them", seconds, "s", "lower"),
        figure("demo takes; length", sum(p.motion.duration for p in performances) / 60, "min", "higher"),
        figure("planted feet; farthest slide in a frame", max(map(_slide, performances)) * 1000, "mm", "lower"),
    ]
    result += _double_support([p for p in performances if p.name.startswith("walk/normal")])
    if data is not None:
        for gait in ("walk", "run"):
            rows = compare(data, performances, gait)
            inside, wholly = sum(row.is_inside for row in rows), sum(row.is_wholly_inside for row in rows)
            result += [
                figure(f"{gait}; measures compared with recordings", len(rows), "measures", "higher"),
                figure(f"{gait}; median inside the recorded range", inside, "measures", "higher"),
                figure(f"{gait}; 5 to 95 % inside the recorded range", wholly, "measures", "higher"),
            ]
        performed = knee_jerkiness(p.motion for p in performances)
        recorded = knee_jerkiness(read_recordings(data))
        for word, summarize in (("median", np.median), ("largest", np.max)):
            name = f"largest angular acceleration of a knee in a take; {word}"
            result += [
                figure(f"{name}, performed", summarize(performed), "rad/s2", "lower"),
                figure(f"{name}, recorded", summarize(recorded), "rad/s2", "lower"),
            ]
    return result


def _perform() -> tuple[float, list[Performance]]:
    start = time.perf_counter()
    performances = list(perform_demo(seed=1))
    return time.perf_counter() - start, performances


def _slide(performance: Performance) -> float:
    """Metres that a heel or ball moves over the floor from one frame of contact to the next, at the most."""
    motion = performance.motion
    skeleton = motion.skeleton
    positions, turned = kinematics.world(motion)
    farthest = 0.0
    for contact in performance.contacts:
        side, part = contact.point.split("_")
        joint = skeleton.index(f"{side}_ball" if part == "ball" else f"{side}_foot")
        offset = np.zeros(3) if part == "ball" else skeleton.heel_offset(side)
        points = kinematics.attached_positions(positions, turned, np.array([joint]), offset[None])[:, 0]
        steps = np.diff(points[contact.start : contact.stop][:, [0, 2]], axis=0)
        farthest = max(farthest, float(np.linalg.norm(steps, axis=-1).max(initial=0.0)))
    return farthest


def _double_support(walks: list[Performance]) -> list[dict]:
    """Percent of walking with both feet down: as planned, and as the detector for recordings sees it."""
    shares = {"planned": [], "detected": []}
    for performance in walks:
        walking = np.zeros(performance.motion.n_frames, bool)
        for label in performance.labels:
            if label.label == "walk":
                walking[label.start : label.stop] = True
        planned = np.zeros((len(walking), len(CONTACT_POINTS)), bool)
        for contact in performance.contacts:
            planned[contact.start : contact.stop, CONTACT_POINTS.index(contact.point)] = True
        for kind, contacts in (("planned", planned), ("detected", detect_contacts(performance.motion, 0.0))):
            shares[kind].append(feet_down(contacts).all(axis=1)[walking])
    return [
        figure(f"double support of normal walks; {kind}", 100 * np.concatenate(flags).mean(), "%", "higher")
        for kind, flags in shares.items()
    ]
