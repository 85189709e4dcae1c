"""The pelvis: carried over the feet, swaying and bouncing with the steps, in free fall when both feet are up."""

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.placement import direction_of
from motionloom.performer import curves
from motionloom.performer.body.feet import FootTrack
from motionloom.performer.body.skeleton import HIP_DROP, HIP_HALF_WIDTH, LEG, STANDING_HEIGHT
from motionloom.performer.curves import GRAVITY
from motionloom.performer.gait.footsteps import Path, StepPlan
from motionloom.performer.gait.rhythm import HIGH, LOW, Rhythm, walking_steps
from motionloom.performer.noise import smooth_noise
from motionloom.performer.stage import Stage

LONGEST = 0.994 * LEG  # metres from hip to ankle: the knee never locks


def move_pelvis(
    stage: Stage, path: Path, plan: StepPlan, rhythm: Rhythm, feet: dict[str, FootTrack]
) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) metres, positions of the hips, and their (F, 4) rotations."""
    turns = _orient(stage, path, rhythm)
    ground = _ground(stage, path, rhythm)
    heights = curves.through_knots(stage.times, _height_knots(stage, path, plan, rhythm, ground, feet))
    positions = np.stack([ground[:, 0], heights, ground[:, 1]], -1)
    return within_reach(stage, positions, turns, feet), turns


def _orient(stage: Stage, path: Path, rhythm: Rhythm) -> np.ndarray:
    fps, ch, n = path.fps, path.channels, len(path.times)
    yaw = path.headings - 0.13 * ch["twist"] * np.tanh(rhythm.stride / 0.8) + 0.3 * stage.additions["twist"]
    yaw = yaw - ch["blade"] + stage.additions["hips_yaw"]
    roll = 0.075 * (2 * curves.blur(rhythm.support, 0.09, fps) - 1)
    roll += 0.25 * stage.additions["side_bend"] + 0.012 * smooth_noise(stage.rng, n, fps, 3.0)
    pitch = 0.06 + 0.25 * (ch["lean"] - 0.03) + stage.additions["hips_pitch"]
    pitch = pitch + 0.015 * np.abs(rhythm.stride)
    return rotations.from_euler(np.stack([yaw, pitch, roll], -1), "YXZ")


def _ground(stage: Stage, path: Path, rhythm: Rhythm) -> np.ndarray:
    fps, n, ch, extra = path.fps, len(path.times), path.channels, stage.additions
    forward = direction_of(path.headings)
    left = np.stack([forward[:, 1], -forward[:, 0]], -1)
    half = ch["width"] / 2 * ch["sway"] + 0.012
    side = half * (2 * curves.blur(rhythm.support, 0.11, fps) - 1) + 0.004 * smooth_noise(stage.rng, n, fps, 2.5)
    ahead = 0.006 * smooth_noise(stage.rng, n, fps, 2.2) + extra["shift_forward"]
    ahead = ahead - ch["set_back"] + ch["stagger"] / 2 * ch["sway"] * (2 * curves.blur(rhythm.support, 0.11, fps) - 1)
    return (
        path.ground
        + ahead[:, None] * forward
        + rhythm.surge[:, None] * _unit(path.velocity)
        + (side + extra["shift_left"])[:, None] * left
    )


Knot = tuple[float, float, float, float]  # time, height, its slope and its curvature


def _height_knots(
    stage: Stage, path: Path, plan: StepPlan, rhythm: Rhythm, ground: np.ndarray, feet: dict[str, FootTrack]
) -> list[Knot]:
    """Heights at the low and high points of steps and at both ends of flights; elsewhere the posture's own height."""
    base = STANDING_HEIGHT - path.channels["crouch"] + _ground_under(path, feet)
    slope = np.gradient(base, 1.0 / path.fps)

    def read(time: float, above: float = 0.0) -> Knot:
        return time, float(base[path.frame(time)] + above), float(slope[path.frame(time)]), 0.0

    knots = _flight_knots(path, rhythm, ground, feet, base)
    knots += _stance_knots(knots)
    for a, b in walking_steps(plan):
        seconds, length = b.start - a.start, float(np.linalg.norm(b.place - a.place))
        size = path.read("bounce", a.start) * 0.016 * min(length / 0.7, 1.3) ** 1.5 * min(seconds / 0.5, 1.0) ** 2
        knots += [read(a.start + LOW * seconds, -1.3 * size), read(a.start + HIGH * seconds, 0.5 * size)]
    taken = np.sort([k[0] for k in knots])
    for time in np.arange(0.0, stage.seconds + 0.2, 0.15):
        near = np.searchsorted(taken, [time - 0.32, time + 0.32])
        if near[0] == near[1]:
            knots.append(read(float(time)))
    return knots


def _flight_knots(
    path: Path, rhythm: Rhythm, ground: np.ndarray, feet: dict[str, FootTrack], base: np.ndarray
) -> list[Knot]:
    """Both ends of every flight, so that the hips fall freely between them."""
    knots: list[Knot] = []
    for off, land in rhythm.flights:
        leaving = _flight_height(path, ground, feet, base, off, 0.96)
        landing = _flight_height(path, ground, feet, base, land, 0.935)
        sinks = _sinks(off, land, rhythm.flights)
        leaving, landing = min(leaving, landing + 0.02) - sinks[0], landing - sinks[1]
        leaving = min(leaving, landing + 0.06)  # a fall is not much deeper than the rise
        rise = (landing - leaving) / (land - off) + GRAVITY * (land - off) / 2
        knots += [(off, leaving, rise, -GRAVITY), (land, landing, rise - GRAVITY * (land - off), -GRAVITY)]
    return knots


def _ground_under(path: Path, feet: dict[str, FootTrack]) -> np.ndarray:
    """Height of the ground under the body, (F,) metres: that of the lower foot, until it has left."""
    lower = np.minimum(feet["left"].floor, feet["right"].floor)
    upper = np.maximum(feet["left"].floor, feet["right"].floor)
    return curves.blur(0.6 * lower + 0.4 * upper, 0.12, path.fps) if upper.any() else lower


def _stance_knots(flight_ends: list[Knot]) -> list[Knot]:
    """The lowest points of stances between two flights: the leg gives like a spring."""
    lowest = []
    for (land, low, falling, _), (off, high, rising, _) in zip(flight_ends[1::2], flight_ends[2::2]):
        stance = off - land
        if 0.08 < stance < 0.6:
            share = float(np.clip(-falling / (rising - falling), 0.25, 0.75))
            dip = min(0.3 * stance * min(abs(falling), abs(rising)), 0.08)
            lowest.append((land + stance * (0.25 + 0.5 * share), min(low, high) - dip, 0.0, 8 * dip / stance**2))
    return lowest


def _sinks(off: float, land: float, flights: list[tuple[float, float]]) -> tuple[float, float]:
    """Metres that the hips are lower when leaving after, and landing before, a longer flight: the legs bend more."""

    def sink(longer: float, stance: float) -> float:
        return 0.18 * GRAVITY / 2 * max(longer - (land - off), 0.0) * stance

    before = [(b - a, off - b) for a, b in flights if 0 < off - b < 0.5]
    after = [(b - a, a - land) for a, b in flights if 0 < a - land < 0.5]
    return sink(*before[-1]) if before else 0.0, sink(*after[0]) if after else 0.0


def _flight_height(
    path: Path, ground: np.ndarray, feet: dict[str, FootTrack], base: np.ndarray, time: float, stretch: float
) -> float:
    """Height of the hips when the feet leave or reach the floor: what a leg, stretched so far, allows."""
    i = path.frame(time)
    reach = []
    for track in feet.values():
        away = np.linalg.norm(track.ankles[i, [0, 2]] - ground[i])
        if track.ankles[i, 1] < track.floor[i] + 0.25 and away < 0.8 * LEG:
            reach.append(track.ankles[i, 1] + np.sqrt((stretch * LEG) ** 2 - away**2) + HIP_DROP)
    return float(min([base[i] + 0.12, *reach]))


def hip_positions(side: str, roots: np.ndarray, hips: np.ndarray) -> np.ndarray:
    """(F, 3) metres, positions of a hip joint, given the hips' (F, 3) positions and (F, 4) rotations."""
    offset = np.array([HIP_HALF_WIDTH if side == "left" else -HIP_HALF_WIDTH, -HIP_DROP, 0.0])
    return roots + rotations.rotate(hips, np.broadcast_to(offset, roots.shape))


def within_reach(stage: Stage, positions: np.ndarray, turns: np.ndarray, feet: dict[str, FootTrack]) -> np.ndarray:
    """Lower the hips smoothly where a leg would be overstretched."""
    result = positions.copy()
    for _ in range(4):
        excess = np.zeros(len(positions))
        for side, track in feet.items():
            hip = hip_positions(side, result, turns)
            away = np.linalg.norm((hip - track.ankles)[:, [0, 2]], axis=-1)
            highest = track.ankles[:, 1] + np.sqrt(np.maximum(LONGEST**2 - away**2, 0.01))
            excess = np.maximum(excess, np.where(track.down, hip[:, 1] - highest, 0.0))
        if excess.max() < 1e-4:
            break
        result[:, 1] -= _soft_cover(excess, stage.fps)
    return result


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 0.1)


def _soft_cover(excess: np.ndarray, fps: float) -> np.ndarray:
    """A smooth curve that lies on or above (F,) peaks."""
    from scipy.ndimage import maximum_filter1d

    reach = int(0.09 * fps)
    return curves.blur(maximum_filter1d(excess, 2 * reach + 1), 0.045, fps) * 1.02
