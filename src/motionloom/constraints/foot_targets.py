"""Where a foot goes so that its planted points stay in place: the smallest and smoothest change of the foot.

The foot is one rigid thing: ankle, heel and ball. Its change in a frame is a shift of the ankle and a turn about it.
Asked is that planted points do not move, that they are at their height, and that nothing sinks; the rest is least
change. So positions of plants need not be chosen before: heel and ball of one foot come out as far apart as they are,
each plant as near as possible to all of its frames and to what its neighbours in time need, and the roll of a foot
that stands on heel and ball stays that of the source.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.constraints.smallest_change import NormalEquations, smallest_change
from motionloom.motion import rotations

FIRM = 1e7  # weight of a point that does not move, against the size of the change; leaves micrometres
LEVEL = 1e6  # weight of a height
DRY = 1e5  # weight of not sinking
TURNS_AT_MOST = 20  # of Newton's method; five to eight are usual
SETTLED = 2e-5  # metres: a smaller step ends it


@dataclass(frozen=True)
class FootStiffness:
    """What a change of a foot costs."""

    spread: float  # seconds over which it fades out of a plant
    pitch_lever: float  # metres of shift that are as bad as pitching the foot by one radian
    lever: float  # metres of shift that are as bad as turning it otherwise
    reach_weight: float  # how much worse than elsewhere a shift is that takes the foot out of the leg's reach


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot over time, and the leg it hangs on."""

    ankles: np.ndarray  # (F, 3) metres, world
    turned: np.ndarray  # (F, 4) foot to world
    arms: np.ndarray  # (F, K, 3) metres in the foot's frame: from the ankle to its points
    hips: np.ndarray  # (F, 3) metres, world
    reaches: np.ndarray  # (F,) metres from the hip, that the ankle should not be beyond


@dataclass(frozen=True, eq=False)
class FootDemands:
    """What is asked of the K points of a foot."""

    planted: np.ndarray  # (F, K) bool
    steps: np.ndarray  # (F - 1, K, 3) metres by which points move that are planted in both frames
    heights: np.ndarray  # (F, K) metres, world, of planted points; NaN where free
    held: np.ndarray  # (F,) bool: frames without any change
    lowest: float  # metres, world: no point goes below


def correct_foot(
    foot: Foot, demands: FootDemands, stiffness: FootStiffness, fps: float
) -> tuple[np.ndarray, np.ndarray]:
    """Find the least change of a foot that plants its points: (F, 3) metres of its ankles, (F, 4) foot to world."""
    axes = _axes(foot.arms, stiffness)
    change = np.zeros((len(foot.ankles), 6))  # shift in the world, and turn in the foot's frame, all in metres
    for _ in range(TURNS_AT_MOST):
        points, rows = _points_of(foot, change, axes)
        equations = smallest_change(change, stiffness.spread, fps)
        _plant(equations, rows, points, demands)
        _hold_back(equations, foot, change, stiffness.reach_weight)
        held = np.flatnonzero(demands.held)
        equations.add(held, np.tile(np.eye(6), (len(held), 1, 1)), -change[held], FIRM)
        step = equations.solve()
        change = change + step
        if np.abs(step).max() < SETTLED:
            break
    change[demands.held] = 0.0
    turns = rotations.exp(change[:, 3:] @ axes.T)
    return foot.ankles + change[:, :3], rotations.multiply(foot.turned, turns)


def _axes(arms: np.ndarray, stiffness: FootStiffness) -> np.ndarray:
    """(3, 3) columns in the foot's frame: radians per metre of change about its sideways axis and two more."""
    arm = arms.mean(axis=0)  # (K, 3)
    sideways = np.cross(arm[0], arm[-1]) if len(arm) else np.zeros(3)
    if np.linalg.norm(sideways) < 1e-6:
        return np.eye(3) / stiffness.lever
    frame = np.linalg.qr(np.column_stack([sideways, np.eye(3)]))[0]  # its first column is sideways
    return frame / np.array([stiffness.pitch_lever, stiffness.lever, stiffness.lever])


def _points_of(foot: Foot, change: np.ndarray, axes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the points are (F, K, 3), and how they change with the unknowns (F, K, 3, 6)."""
    turns = change[:, 3:] @ axes.T
    arms = rotations.rotate(rotations.exp(turns)[:, None], foot.arms)
    points = (foot.ankles + change[:, :3])[:, None] + rotations.rotate(foot.turned[:, None], arms)
    rows = np.empty((*arms.shape, 6))
    rows[..., :3] = np.eye(3)
    rates = _turn_rates(turns) @ axes
    rows[..., 3:] = -(rotations.to_matrix(foot.turned)[:, None] @ (_cross_matrix(arms) @ rates[:, None]))
    return points, rows


def _plant(equations: NormalEquations, rows: np.ndarray, points: np.ndarray, demands: FootDemands) -> None:
    """Ask planted points to move by their steps and to be at their height, and all points not to sink."""
    for k in range(points.shape[1]):
        planted, heights, place = demands.planted[:, k], demands.heights[:, k], points[:, k]
        both = np.flatnonzero(planted[:-1] & planted[1:])
        missing = demands.steps[both, k] - (place[both + 1] - place[both])
        equations.add_steps(both, rows[both, k], rows[both + 1, k], missing, FIRM)
        level = np.flatnonzero(~np.isnan(heights))
        equations.add(level, rows[level, k, 1:2], (heights[level] - place[level, 1])[:, None], LEVEL)
        sunk = np.flatnonzero((place[:, 1] < demands.lowest) & ~demands.held)
        equations.add(sunk, rows[sunk, k, 1:2], demands.lowest - place[sunk, 1:2], DRY)


def _hold_back(equations: NormalEquations, foot: Foot, change: np.ndarray, weight: float) -> None:
    """Make it costly to take the ankle beyond the leg's reach."""
    legs = foot.ankles + change[:, :3] - foot.hips
    lengths = np.linalg.norm(legs, axis=-1)
    beyond = np.flatnonzero(lengths > foot.reaches)
    rows = np.zeros((len(beyond), 1, 6))
    rows[:, 0, :3] = legs[beyond] / lengths[beyond, None]
    equations.add(beyond, rows, (foot.reaches - lengths)[beyond, None], weight)


def _cross_matrix(vectors: np.ndarray) -> np.ndarray:
    """(..., 3, 3) matrices whose product with w is the cross product of vectors with w."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    return np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1), np.stack([-y, x, zero], -1)], -2)


def _turn_rates(turns: np.ndarray) -> np.ndarray:
    """(F, 3, 3): how fast a rotation turns as its rotation vector changes, on its left (the left Jacobian)."""
    angle = np.linalg.norm(turns, axis=-1)[..., None, None]
    safe = np.maximum(angle, 1e-4)
    first = np.where(angle > 1e-4, (1 - np.cos(safe)) / safe**2, 0.5)
    second = np.where(angle > 1e-4, (safe - np.sin(safe)) / safe**3, 1 / 6)
    cross = _cross_matrix(turns)
    return np.eye(3) + first * cross + second * (cross @ cross)
