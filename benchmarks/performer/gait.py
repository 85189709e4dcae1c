"""What a way of going measures: cadence, step length, bounce, joint ranges and speeds of steady walking or running."""

from dataclasses import dataclass, fields

import numpy as np

from motionloom.features.facing import find_facing
from motionloom.motion import Motion, kinematics

RANGES = {"walk": (0.6, 1.75), "run": (2.2, 4.6)}  # metres per second


@dataclass(frozen=True)
class Gait:
    """Measures of one steady stretch; angles in degrees, speeds in degrees per second, lengths in metres."""

    speed: float  # metres per second
    cadence: float  # steps per second
    step_length: float
    bounce: float  # rise and fall of the hips within a step
    sway: float  # hips from side to side within a stride
    knee_least: float  # bend
    knee_most: float
    hip_range: float  # of the thigh, to and fro
    ankle_range: float
    foot_range: float  # of the sole's pitch, from toes up to heel up
    shoulder_range: float  # of the upper arm, to and fro
    elbow_least: float
    elbow_most: float
    hips_yaw: float  # turning to and fro about up
    shoulders_yaw: float
    lean: float  # of the trunk, forwards
    knee_speed: float  # 98 of 100 frames are slower
    hip_speed: float
    ankle_speed: float
    elbow_speed: float
    counter_turn: float  # correlation of hips' and shoulders' yaw: negative where they turn against each other
    arm_with_leg: float  # correlation of left arm and left leg: negative where they swing opposite


MEASURES = tuple(f.name for f in fields(Gait))


def measure_gaits(motion: Motion, gait: str) -> list[Gait]:
    """Measure every steady, straight stretch of walking or running forwards in a motion, one to three seconds each."""
    positions = kinematics.world_positions(motion)
    headings, ground = find_facing(motion.skeleton, positions)
    fps = motion.fps
    velocity = _smooth(np.gradient(ground, 1 / fps, axis=0), 0.25 * fps)
    forward = np.stack([np.sin(headings), np.cos(headings)], -1)
    ahead = (velocity * _smooth(forward, 0.25 * fps)).sum(-1)
    rate = np.gradient(_smooth(headings, 0.25 * fps), 1 / fps)
    low, high = RANGES[gait]
    steady = (ahead > low) & (ahead < high) & (np.abs(rate) < 0.5)
    steady &= np.abs(np.gradient(_smooth(ahead, 0.2 * fps), 1 / fps)) < (0.7 if gait == "walk" else 2.5)
    least = int((1.25 if gait == "walk" else 0.75) * fps)
    measured = []
    for start, stop in _stretches(steady, least, int(3.0 * fps)):
        result = _measure(motion, positions[start:stop], headings[start:stop])
        if result is not None:
            measured.append(result)
    return measured


def _measure(motion: Motion, positions: np.ndarray, headings: np.ndarray) -> Gait | None:
    skeleton, fps = motion.skeleton, motion.fps
    at = {role: positions[:, skeleton.index(role)] for role in skeleton.roles}
    way = at["hips"][-1, [0, 2]] - at["hips"][0, [0, 2]]
    travelled = float(np.linalg.norm(way))
    ahead, left = way / travelled, np.array([way[1], -way[0]]) / travelled
    speed = travelled / ((len(positions) - 1) / fps)
    strikes = np.sort(np.concatenate([_strikes(at, side, ahead, fps) for side in ("left", "right")]))
    steps = np.diff(strikes) / fps
    if len(steps) < (2 if speed < 2 else 1) or steps.min() < 0.15 or steps.max() > 0.9:
        return None
    seconds = float(np.mean(steps))
    knees = np.stack([_bend(at, side, "hip", "knee", "foot") for side in ("left", "right")])
    elbows = np.stack([_bend(at, side, "shoulder", "elbow", "hand") for side in ("left", "right")])
    ankles = np.stack([_bend(at, side, "knee", "foot", "ball") for side in ("left", "right")])
    thighs = np.stack([_swing(at, side, "hip", "knee", ahead) for side in ("left", "right")])
    arms = np.stack([_swing(at, side, "shoulder", "elbow", ahead) for side in ("left", "right")])
    feet = np.stack([_pitch(at, side) for side in ("left", "right")])
    hips_yaw, shoulders_yaw = (_yaw(at, part, headings) for part in ("hip", "shoulder"))
    trunk = at["neck"] - at["hips"]
    side = at["hips"][:, [0, 2]] @ left
    return Gait(
        speed=speed,
        cadence=1 / seconds,
        step_length=speed * seconds,
        bounce=_within(at["hips"][:, 1], seconds * fps),
        sway=_within(side - np.linspace(side[0], side[-1], len(side)), 2 * seconds * fps),
        knee_least=_low(knees),
        knee_most=_high(knees),
        hip_range=_range(thighs),
        ankle_range=_range(ankles),
        foot_range=_range(feet),
        shoulder_range=_range(arms),
        elbow_least=_low(elbows),
        elbow_most=_high(elbows),
        hips_yaw=_range(hips_yaw[None]),
        shoulders_yaw=_range(shoulders_yaw[None]),
        lean=float(np.degrees(np.median(np.arctan2(trunk[:, [0, 2]] @ ahead, trunk[:, 1])))),
        knee_speed=_fast(knees, fps),
        hip_speed=_fast(thighs, fps),
        ankle_speed=_fast(ankles, fps),
        elbow_speed=_fast(elbows, fps),
        counter_turn=float(np.corrcoef(hips_yaw, shoulders_yaw)[0, 1]),
        arm_with_leg=float(np.corrcoef(thighs[0], arms[0])[0, 1]),
    )


def _strikes(at: dict[str, np.ndarray], side: str, ahead: np.ndarray, fps: float) -> np.ndarray:
    """Frames in which a foot is furthest ahead of the hips."""
    from scipy.signal import find_peaks

    return find_peaks((at[f"{side}_foot"] - at["hips"])[:, [0, 2]] @ ahead, prominence=0.15, distance=0.35 * fps)[0]


def _bend(at: dict[str, np.ndarray], side: str, upper: str, middle: str, lower: str) -> np.ndarray:
    """Degrees, (F,), by which a joint is not straight."""
    a = at[f"{side}_{middle}"] - at[f"{side}_{upper}"]
    b = at[f"{side}_{lower}"] - at[f"{side}_{middle}"]
    cosine = (a * b).sum(-1) / np.maximum(np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1), 1e-9)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def _swing(at: dict[str, np.ndarray], side: str, upper: str, lower: str, ahead: np.ndarray) -> np.ndarray:
    """Degrees, (F,), by which a bone that hangs swings ahead."""
    bone = at[f"{side}_{lower}"] - at[f"{side}_{upper}"]
    return np.degrees(np.unwrap(np.arctan2(bone[:, [0, 2]] @ ahead, -bone[:, 1])))


def _pitch(at: dict[str, np.ndarray], side: str) -> np.ndarray:
    bone = at[f"{side}_ball"] - at[f"{side}_foot"]
    return np.degrees(np.arctan2(-bone[:, 1], np.linalg.norm(bone[:, [0, 2]], axis=-1)))


def _yaw(at: dict[str, np.ndarray], part: str, headings: np.ndarray) -> np.ndarray:
    line = at[f"left_{part}"] - at[f"right_{part}"]
    yaw = np.degrees(np.unwrap(np.arctan2(-line[:, 2], line[:, 0])))
    return yaw - np.polyval(np.polyfit(np.arange(len(yaw)), yaw, 1), np.arange(len(yaw)))


def _within(values: np.ndarray, frames: float) -> float:
    """How far (F,) values go up and down within so many frames, on average."""
    size = round(frames) + 1
    windows = np.lib.stride_tricks.sliding_window_view(values, min(size, len(values)))
    return float(np.median(windows.max(-1) - windows.min(-1)))


def _low(values: np.ndarray) -> float:
    return float(np.percentile(values, 2, axis=-1).mean())


def _high(values: np.ndarray) -> float:
    return float(np.percentile(values, 98, axis=-1).mean())


def _range(values: np.ndarray) -> float:
    return _high(values) - _low(values)


def _fast(values: np.ndarray, fps: float) -> float:
    return float(np.percentile(np.abs(np.gradient(values, 1 / fps, axis=-1)), 98, axis=-1).mean())


def _smooth(values: np.ndarray, sigma: float) -> np.ndarray:
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(values, sigma, axis=0, mode="nearest")


def _stretches(claims: np.ndarray, least: int, most: int) -> list[tuple[int, int]]:
    """The [start, stop) runs of True in (F,) claims, cut into pieces of `least` to `most` frames."""
    edges = np.diff(np.concatenate([[0], claims.astype(int), [0]]))
    pieces = []
    for start, stop in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)):
        n = max((stop - start) // most, 1)
        cuts = np.linspace(start, stop, n + 1).astype(int)
        pieces += [(int(a), int(b)) for a, b in zip(cuts, cuts[1:]) if b - a >= least]
    return pieces
