"""Feet: positions of ankles and toes in every frame from footsteps, planted exactly and rolling from heel to toe."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.placement import direction_of
from motionloom.performer import curves
from motionloom.performer.body.skeleton import ANKLE, BALL_DROP, BALL_REACH, TOE_REACH, build_skeleton
from motionloom.performer.gait.footsteps import Plant
from motionloom.performer.stage import FootTask, Stage

X = np.array([1.0, 0.0, 0.0])

MAX_TOE_BEND = 1.05  # radians
SOLE = 0.01  # metres from ball joint and toe tip down to the floor


@dataclass(frozen=True)
class FootTrack:
    """The trajectory of a foot."""

    ankles: np.ndarray  # (F, 3) metres, world
    foot_turns: np.ndarray  # (F, 4) foot to world
    toe_turns: np.ndarray  # (F, 4) toes to foot
    headings: np.ndarray  # (F,) radians
    down: np.ndarray  # (F,) bool: some point of the foot is on the floor
    swing: np.ndarray  # (F,) phase of the swing, 0 to 1; 0 while the foot is down
    flat_ground: np.ndarray  # (F, 2) metres: the ankle's place on the ground if the sole were flat
    floor: np.ndarray  # (F,) metres: height of the ground under it, interpolated in swings
    knees: np.ndarray | None = None  # (F, 4) direction of the knee that tasks ask for, world, and its weight, 0 to 1
    bends: np.ndarray | None = None  # (F, 2) radians of plantar flexion that tasks ask for, and its weight


def track_foot(
    side: str,
    plants: list[Plant],
    flights: list[tuple[float, float]],
    times: np.ndarray,
    heel_up: np.ndarray,
    toes_up: np.ndarray | None = None,
    pivot: np.ndarray | None = None,
) -> FootTrack:
    """Put a foot through its plants and the swings between them.

    While some point is down the foot turns about exactly that point: the heel, then the ball. In a swing the pivot
    glides from one to the other while the flat footprint travels, so that nothing jumps when the foot comes down.

    Args:
        side: left or right.
        plants: in order of time.
        flights: (off, land) seconds in which both feet are in the air.
        times: (F,) seconds.
        heel_up: (F,) radians by which the heel of a standing foot is raised, 0 where its plants decide.
        toes_up: (F,) radians by which its toes are raised instead, the heel staying where it is; None: nowhere.
        pivot: (F,) radians by which it turns to the left about its ball; None: nowhere.
    """
    i, u, fps = *_where(plants, times), 1.0 / (times[1] - times[0])
    j = np.minimum(i + 1, len(plants) - 1)
    places, headings = np.array([p.place for p in plants]), np.array([p.heading for p in plants])
    moved = curves.travel(u, np.array([p.swing_rise for p in plants])[j])
    ground = places[i] + (places[j] - places[i]) * moved[:, None]
    heading = headings[i] + (headings[j] - headings[i]) * moved
    pitch = curves.through_knots(times, _pitch_knots(plants)) + heel_up
    on_ball = np.where(heel_up > 1e-9, 1.0, _ball_pivots(plants, times, i, j, u))
    if toes_up is not None and toes_up.any():
        pitch, on_ball = pitch - toes_up, np.where(toes_up > 1e-9, 0.0, on_ball)
    if pivot is not None and pivot.any():
        ground = ground + BALL_REACH * (direction_of(heading) - direction_of(heading + pivot))
        heading = heading + pivot
    lifts, peaks = np.array([p.lift for p in plants]), np.array([p.lift_peak for p in plants])
    height = lifts[j] * curves.bump(u, peaks[j])
    floor, climb = _floors(plants, i, j, u)
    height += climb
    for off, land in flights:
        height += curves.throw(times, off, land)  # feet in the air fly with the body
    offset = _pivot_offset(side, pitch, on_ball)  # (F, 3) ankle from the flat footprint
    turned = rotations.about_y(heading)
    ankles = np.stack([ground[:, 0], ANKLE + height, ground[:, 1]], -1) + rotations.rotate(turned, offset)
    foot_turns = rotations.multiply(turned, rotations.about_axis(np.array([1.0, 0.0, 0.0]), pitch))
    toe_turns = rotations.about_axis(np.array([1.0, 0.0, 0.0]), curves.blur(_toe_bends(pitch, u), 0.012, fps))
    ankles[:, 1] += floor + _clearance(side, ankles, foot_turns, toe_turns, u, fps)
    starts, stops = np.array([p.start for p in plants]), np.array([p.stop for p in plants])
    down = (times >= starts[i] - 1e-9) & (times <= stops[i] + 1e-9)
    return FootTrack(ankles, foot_turns, toe_turns, heading, down, u, ground, floor)


def follow_points(side: str, foot: FootTrack, stage: Stage, headings: np.ndarray, roots: np.ndarray) -> FootTrack:
    """Lead a foot through the points of its tasks; headings (F,) radians and roots (F, 3) metres of the body."""
    turned = rotations.about_y(headings)
    for task in stage.requests:
        if isinstance(task, FootTask) and task.side == side:
            weight = curves.pulse(
                stage.times, task.off, task.land, task.times[0] - task.off, task.land - task.times[-1]
            )
            through = curves.through_points if task.flowing else curves.through_stops
            points = through(stage.times, task.times, task.points)
            ankles = foot.ankles + (roots + rotations.rotate(turned, points) - foot.ankles) * weight[:, None]
            foot = replace(_aim_leg(foot, task, stage.times, turned, weight), ankles=ankles)
    return foot


def _aim_leg(foot: FootTrack, task: FootTask, times: np.ndarray, turned: np.ndarray, weight: np.ndarray) -> FootTrack:
    """Set the directions of foot and knee that a task asks for."""
    if task.knee is not None:
        knees = rotations.rotate(turned, curves.through_stops(times, task.times, task.knee))
        knees = np.concatenate([knees, weight[:, None]], -1)
        foot = replace(foot, knees=knees if foot.knees is None else _heavier(foot.knees, knees))
    if task.ankle is not None:
        bends = np.stack([np.full(len(weight), task.ankle), weight], -1)
        return replace(foot, bends=bends if foot.bends is None else _heavier(foot.bends, bends))
    aim = rotations.multiply(turned, rotations.about_axis(X, np.full(len(weight), task.pitch)))
    return replace(foot, foot_turns=rotations.slerp(foot.foot_turns, aim, weight))


def _heavier(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Of two (F, K) targets with their weight in the last column, the one with the higher weight in each frame."""
    return np.where(first[:, -1:] >= second[:, -1:], first, second)


def _floors(plants: list[Plant], i: np.ndarray, j: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Height of the ground, (F,) metres, rising early and sinking late in a swing; and how much more to lift."""
    heights = np.array([p.height for p in plants])
    change = heights[j] - heights[i]
    floor = heights[i] + change * np.where(change > 0, curves.ease(u / 0.6), curves.ease((u - 0.4) / 0.6))
    return floor, 0.4 * np.abs(change) * curves.bump(u, 0.5)


def _where(plants: list[Plant], times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each frame, the index of its last plant, and the phase of the swing after it, 0 to 1."""
    starts, stops = np.array([p.start for p in plants]), np.array([p.stop for p in plants])
    i = np.clip(np.searchsorted(starts, times + 1e-9, side="right") - 1, 0, len(plants) - 1)
    j = np.minimum(i + 1, len(plants) - 1)
    return i, np.clip((times - stops[i]) / np.maximum(starts[j] - stops[i], 1e-6), 0.0, 1.0)


def _pitch_knots(plants: list[Plant]) -> list[tuple[float, float, float, float]]:
    """Knots of how far the heel is up over time, radians; negative where the toes are up."""
    knots: list[tuple[float, float, float, float]] = []
    for plant, after in zip(plants, [*plants[1:], None]):
        leaving = 0.0
        if after is not None:
            swing = after.start - plant.stop
            late = after.swing_rise - 0.3  # in running the foot trails for longer
            peak = plant.stop + (0.18 + 1.0 * max(late, 0.0)) * swing
            if after.kick * plant.off_pitch > 0:
                before, later = plant.off_pitch / (plant.stop - plant.flat_stop), after.kick / (peak - plant.stop)
                leaving = np.sign(before) * min(1.6 * abs(before), 2.0 * abs(later))  # heels rise ever faster
            aloft = 0.15 * after.land_pitch if after.land_pitch < 0 else after.land_pitch
            knots += [
                (peak, plant.off_pitch + after.kick, 0.0, 0.0),
                (plant.stop + (0.75 + 0.5 * late) * swing, aloft, 0.0, 0.0),
            ]
        knots += [(plant.start, plant.land_pitch, 0.0, 0.0), (plant.flat_start, 0.0, 0.0, 0.0)]
        knots += [(plant.flat_stop, 0.0, 0.0, 0.0), (plant.stop, plant.off_pitch, leaving, 0.0)]
    return knots


def _ball_pivots(plants: list[Plant], times: np.ndarray, i: np.ndarray, j: np.ndarray, u: np.ndarray) -> np.ndarray:
    """1 where the foot turns about its ball, 0 where about its heel, (F,); between them in a swing."""
    lands = np.array([1.0 if p.land_pitch >= 0 else 0.0 for p in plants])
    leaves = np.array([1.0 if p.off_pitch >= 0 else 0.0 for p in plants])
    middles = np.array([(p.flat_start + p.flat_stop) / 2 for p in plants])
    standing = np.where(times < middles[i], lands[i], leaves[i])
    return np.where(u > 0, leaves[i] + (lands[j] - leaves[i]) * curves.ease(u), standing)


def _pivot_offset(side: str, pitch: np.ndarray, on_ball: np.ndarray) -> np.ndarray:
    """How the ankle moves, (F, 3) metres in the foot's heading, when the foot pitches about its ball or its heel."""
    heel = build_skeleton().heel_offset(side)
    ball = np.array([0.0, -BALL_DROP, BALL_REACH])
    turn = rotations.about_axis(np.array([1.0, 0.0, 0.0]), pitch)
    about = [pivot - rotations.rotate(turn, np.broadcast_to(pivot, (len(pitch), 3))) for pivot in (heel, ball)]
    return about[0] + (about[1] - about[0]) * on_ball[:, None]


def _toe_bends(pitch: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Toes stay flat while the heel rises and relax in the swing; (F,) radians, negative is up."""
    relaxed = 1.0 - 0.7 * curves.bump((u - 0.08) / 0.84, 0.5)
    raised = np.maximum(pitch, 0.0)
    return np.where(
        u > 0, -MAX_TOE_BEND * np.tanh(raised * relaxed / MAX_TOE_BEND) * (1 - relaxed) - raised * relaxed**2, -raised
    )


def _clearance(
    side: str, ankles: np.ndarray, foot_turns: np.ndarray, toe_turns: np.ndarray, u: np.ndarray, fps: float
) -> np.ndarray:
    """Metres, (F,), by which a swinging foot has to be raised so that heel, ball and toes stay above the floor."""
    from scipy.ndimage import maximum_filter1d

    skeleton = build_skeleton()
    place = [
        np.broadcast_to(offset, ankles.shape)
        for offset in (skeleton.heel_offset(side), skeleton.offsets[skeleton.index(f"{side}_ball")])
    ]
    heel, ball = (ankles + rotations.rotate(foot_turns, offset) for offset in place)
    toe_offset = np.broadcast_to(np.array([0.0, 0.0, TOE_REACH]), ankles.shape)
    toe = ball + rotations.rotate(rotations.multiply(foot_turns, toe_turns), toe_offset)
    lowest = np.minimum(np.minimum(ball[:, 1], toe[:, 1]) - SOLE, heel[:, 1])
    wanted = 0.012 * curves.bump(u, 0.5)
    need = np.where(u > 0, np.maximum(wanted - lowest, 0.0), 0.0)
    cover = curves.blur(maximum_filter1d(need, 2 * int(0.04 * fps) + 1), 0.03, fps)
    return cover * curves.ease(u / 0.2) * curves.ease((1 - u) / 0.2)
