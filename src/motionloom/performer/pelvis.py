"""The pelvis: carried over the feet, swaying and bouncing with the steps, in free fall when both feet are up."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.placement import direction_of
from motionloom.performer import curves
from motionloom.performer.curves import GRAVITY
from motionloom.performer.feet import FootTrack
from motionloom.performer.footsteps import Path, Plan
from motionloom.performer.noise import smooth_noise
from motionloom.performer.skeleton import HIP_DROP, HIP_HALF_WIDTH, LEG, STANDING_HEIGHT
from motionloom.performer.stage import Stage

LONGEST = 0.994 * LEG  # metres from hip to ankle: the knee never locks
SOON = 1.3  # seconds: steps closer than this belong to one walk


@dataclass(frozen=True)
class Rhythm:
    """What the steps do to the body, over time."""

    stride: np.ndarray  # (F,) metres that the left foot is ahead of the right when it lands, minus the opposite, smooth
    support: np.ndarray  # (F,) 1 on the left foot, 0 on the right, 0.5 on both
    flights: list[tuple[float, float]]  # (off, land) seconds in which no foot is down


def find_rhythm(stage: Stage, path: Path, plan: Plan) -> Rhythm:
    """Read the beat of the steps from the footsteps."""
    return Rhythm(_stride(path, plan), _support(stage, path, plan), plan.flights())


def move_pelvis(
    stage: Stage, path: Path, plan: Plan, rhythm: Rhythm, feet: dict[str, FootTrack]
) -> tuple[np.ndarray, np.ndarray]:
    """Where the hips are, (F, 3) metres, and how they are turned, (F, 4)."""
    turns = _orient(stage, path, rhythm)
    ground = _ground(stage, path, rhythm)
    heights = curves.through_knots(stage.times, _height_knots(stage, path, plan, rhythm, ground, feet))
    positions = np.stack([ground[:, 0], heights, ground[:, 1]], -1)
    return within_reach(stage, positions, turns, feet), turns


def _stride(path: Path, plan: Plan) -> np.ndarray:
    steps = plan.steps()
    knots = [(-1.0, 0.0, 0.0, 0.0)]
    places = {side: plants[0].place for side, plants in plan.plants.items()}
    last = -10.0
    for k, step in enumerate(steps):
        off = step.start - 0.35
        if off - last > 0.7:
            knots.append((off - 0.1, 0.0, 0.0, 0.0))
        places[step.side] = step.place
        forward = direction_of(path.headings[path.frame(step.start)])
        knots.append((step.start + 0.02, float((places["left"] - places["right"]) @ forward), 0.0, 0.0))
        last = step.start
        if k + 1 == len(steps) or steps[k + 1].start - step.start > SOON:
            knots.append((step.start + 0.6, 0.0, 0.0, 0.0))
            last = step.start + 0.6
    return curves.blur(curves.through_knots(path.times, knots), 0.04, path.fps)


def _support(stage: Stage, path: Path, plan: Plan) -> np.ndarray:
    points: list[tuple[float, float]] = [(-2.0, 0.5)]
    swings = [(a.stop, b.start, b.side) for plants in plan.plants.values() for a, b in zip(plants, plants[1:])]
    for off, land, side in sorted(swings):
        other_jumps = any(s != side and abs(o - off) < 1e-6 for o, _, s in swings)
        value = 0.5 if other_jumps else 0.0 if side == "left" else 1.0
        if off - points[-1][0] > 0.9:
            points += [(points[-1][0] + 0.45, 0.5), (off - 0.45, 0.5)]
        start, stop = (off, land) if land - off > 0.04 else (off, off + 0.04)
        start = max(start, points[-1][0] + 1e-3)
        points += [(start, value), (max(stop, start + 1e-3), value)]
    points.append((points[-1][0] + 0.45, 0.5))
    times, values = np.array(points).T
    still = curves.blur((np.interp(path.times, times, np.abs(values - 0.5)) < 0.02).astype(float), 0.25, path.fps)
    wander = 0.16 * smooth_noise(stage.rng, len(path.times), path.fps, 3.5) * path.channels["idle"]
    wander = np.clip(wander, -0.34, 0.34) * still**2
    return np.interp(path.times, times, values) + wander


def _orient(stage: Stage, path: Path, rhythm: Rhythm) -> np.ndarray:
    fps, ch, n = path.fps, path.channels, len(path.times)
    yaw = path.headings - 0.13 * ch["twist"] * np.tanh(rhythm.stride / 0.8) + 0.3 * stage.additions["twist"]
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
    return path.ground + ahead[:, None] * forward + (side + extra["shift_left"])[:, None] * left


def _height_knots(
    stage: Stage, path: Path, plan: Plan, rhythm: Rhythm, ground: np.ndarray, feet: dict[str, FootTrack]
) -> list[tuple[float, float, float, float]]:
    """Heights at the low and high points of steps and at both ends of flights; elsewhere the posture's own height."""
    base = STANDING_HEIGHT - path.channels["crouch"] + _ground_under(path, rhythm, feet)
    slope = np.gradient(base, 1.0 / path.fps)
    knots: list[tuple[float, float, float, float]] = []

    def read(time: float, above: float = 0.0) -> tuple[float, float, float, float]:
        return time, float(base[path.frame(time)] + above), float(slope[path.frame(time)]), 0.0

    for off, land in rhythm.flights:
        ends = [_flight_height(path, ground, feet, base, *end) for end in ((off, 0.96), (land, 0.935))]
        sinks = _sinks(off, land, rhythm.flights)
        ends = [min(ends[0], ends[1] + 0.02) - sinks[0], ends[1] - sinks[1]]
        ends[0] = min(ends[0], ends[1] + 0.06)  # nobody falls much deeper than they rose
        rise = (ends[1] - ends[0]) / (land - off) + GRAVITY * (land - off) / 2
        knots += [(off, ends[0], rise, -GRAVITY), (land, ends[1], rise - GRAVITY * (land - off), -GRAVITY)]
    knots += _stance_knots(knots)
    steps = plan.steps()
    for a, b in zip(steps, steps[1:]):
        seconds = b.start - a.start
        aloft = any(off < b.start + 0.2 and land > a.start - 0.2 for off, land in rhythm.flights)
        if 0.1 < seconds < SOON and not aloft:
            length = float(np.linalg.norm(b.place - a.place))
            size = path.read("bounce", a.start) * 0.016 * min(length / 0.7, 1.3) ** 1.5 * min(seconds / 0.5, 1.0) ** 2
            knots += [read(a.start + 0.12 * seconds, -1.3 * size), read(a.start + 0.62 * seconds, 0.5 * size)]
    taken = np.sort([k[0] for k in knots])
    for time in np.arange(0.0, stage.seconds + 0.2, 0.15):
        near = np.searchsorted(taken, [time - 0.32, time + 0.32])
        if near[0] == near[1]:
            knots.append(read(float(time)))
    return knots


def _ground_under(path: Path, rhythm: Rhythm, feet: dict[str, FootTrack]) -> np.ndarray:
    """Height of the ground under the body, (F,) metres: that of the lower foot, until it has left."""
    lower = np.minimum(feet["left"].floor, feet["right"].floor)
    upper = np.maximum(feet["left"].floor, feet["right"].floor)
    return curves.blur(0.6 * lower + 0.4 * upper, 0.12, path.fps) if upper.any() else lower


def _stance_knots(flight_ends: list[tuple[float, float, float, float]]) -> list[tuple[float, float, float, float]]:
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
    """Where a hip joint is, (F, 3) metres, given the hips' (F, 3) positions and (F, 4) rotations."""
    offset = np.array([HIP_HALF_WIDTH if side == "left" else -HIP_HALF_WIDTH, -HIP_DROP, 0.0])
    return roots + rotations.rotate(hips, np.broadcast_to(offset, roots.shape))


def within_reach(stage: Stage, positions: np.ndarray, turns: np.ndarray, feet: dict[str, FootTrack]) -> np.ndarray:
    """Lower the hips softly where a leg would have to be longer than it is."""
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


def _soft_cover(excess: np.ndarray, fps: float) -> np.ndarray:
    """A smooth curve that lies on or above (F,) peaks."""
    from scipy.ndimage import maximum_filter1d

    reach = int(0.09 * fps)
    return curves.blur(maximum_filter1d(excess, 2 * reach + 1), 0.045, fps) * 1.02
