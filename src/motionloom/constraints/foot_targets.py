"""Foot trajectories that keep planted points in place, with the smallest and smoothest change (Newton's method).

The foot is one rigid body: ankle, heel and ball. Its change in a frame is a translation of the ankle and a rotation
about it. Constraints: planted points do not move, they are at their height, and no point penetrates the floor; the
objective is the least change. So positions of plants need not be chosen before: the distance of heel and ball is
preserved, each plant is as near as possible to all of its frames and compatible with adjacent plants, and the roll of
a foot that stands on heel and ball stays that of the source.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.banded_least_squares import CLOSED, Bounds, NormalEquations, smallest_change
from motionloom.motion import rotations

FIRM = 1e8  # weight of a planted point, relative to the size of the change; leaves micrometres
LEVEL = 1e7  # weight of a height
ELSEWHERE = 1e3  # weight of a height above the floor
MAX_ITERATIONS = 40  # of Newton's method; about twelve are typical
FARTHEST_TURN = 0.5  # radians: maximum rotation in one step
SETTLED = 1e-3  # metres: tolerance of the step
CYCLING = 16  # iterations after which steps are halved: some legs at the end of their reach go to and fro
PATIENT = 8  # iterations after which the tolerance grows: later ones change little


@dataclass(frozen=True)
class FootStiffness:
    """Costs of a change of a foot."""

    spread: float  # seconds over which it fades out around a plant
    pitch_lever: float  # metres of translation that cost as much as pitching the foot by one radian
    lever: float  # metres of translation that cost as much as one radian about another axis
    reach_weight: float  # weight of a translation beyond the leg's reach
    far_turn: float  # radians of rotation beyond which it costs more
    turn_weight: float  # square metres per cubic radian beyond


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot over time, and its leg."""

    ankles: np.ndarray  # (F, 3) metres, world
    axes: np.ndarray  # (F, 3, 3) foot to world, as matrices
    arms: np.ndarray  # (F, K, 3) metres in the foot's frame: from the ankle to its points
    hips: np.ndarray  # (F, 3) metres, world
    reaches: np.ndarray  # (F,) metres: maximum distance of the ankle from the hip

    def scaled(self, factor: float) -> "Foot":
        """The foot scaled by a factor."""
        ankles, arms, hips, reaches = (factor * a for a in (self.ankles, self.arms, self.hips, self.reaches))
        return Foot(ankles, self.axes, arms, hips, reaches)


@dataclass(frozen=True, eq=False)
class FootDemands:
    """Constraints on the K points of a foot."""

    planted: np.ndarray  # (F, K) bool
    steps: np.ndarray  # (F - 1, K, 3) metres: displacement of points that are planted in both frames
    heights: np.ndarray  # (F, K) metres, world, of planted points; NaN if free
    elsewhere: np.ndarray  # (F, K) bool: points that do not rest on the floor; their height is a soft constraint
    lowest: np.ndarray  # (F, K) metres, world: lower bound of points; NaN for none
    held: np.ndarray  # (F,) bool: frames without change

    def scaled(self, factor: float) -> "FootDemands":
        """The constraints for a foot scaled by a factor."""
        return replace(self, steps=factor * self.steps, heights=factor * self.heights, lowest=factor * self.lowest)


def correct_foot(
    foot: Foot, demands: FootDemands, stiffness: FootStiffness, fps: float, max_iterations: int = MAX_ITERATIONS
) -> tuple[np.ndarray, np.ndarray]:
    """Find the least change of a foot that plants its points, by Newton's method.

    Returns:
        (F, 3) metres, world: the new ankles, and (F, 4) rotations of the foot in its local frame.
    """
    axes = _axes(foot.arms, stiffness)
    held = np.flatnonzero(demands.held)
    change = np.zeros((len(foot.ankles), 6))  # translation in the world, rotation in the foot's frame, all in metres
    points, rows, turners = _points_of(foot, change, axes)
    floor = Bounds.of(points[..., 1] - demands.lowest, ~np.isnan(demands.lowest))
    bending = np.zeros((len(change), 3, 3))
    for iteration in range(max_iterations):
        gaps = points[..., 1] - demands.lowest
        equations = smallest_change(change, stiffness.spread, fps)
        equations.diagonal[:, 3:, 3:] += bending
        _plant(equations, rows, points, demands)
        _hold_back(equations, foot, change, stiffness.reach_weight)
        _hold_turns(equations, change, axes, stiffness)
        equations.hold(held, -change[held], FIRM)
        floor.push(equations, rows[:, :, 1], gaps)
        step = equations.solve()
        arms = points - (foot.ankles + change[:, :3])[:, None]
        bending = _bending(turners, arms, _pulls(rows, points, step, demands))
        taken = _shortened(step, axes) * floor.follow(rows[:, :, 1], gaps, step)
        change = change + (taken if iteration < CYCLING else 0.5 * taken)
        points, rows, turners = _points_of(foot, change, axes)
        if np.abs(step).max() < SETTLED * max(1.0, iteration / PATIENT) and floor.openness < CLOSED:
            break
    change[held] = 0.0
    return foot.ankles + change[:, :3], rotations.exp(change[:, 3:] @ axes.T)


def _axes(arms: np.ndarray, stiffness: FootStiffness) -> np.ndarray:
    """(3, 3) columns in the foot's frame: radians per metre of change about its pitch axis and two more."""
    arm = arms.mean(axis=0)  # (K, 3)
    sideways = np.cross(arm[0], arm[-1]) if len(arm) else np.zeros(3)
    if np.linalg.norm(sideways) < 1e-6:
        return np.eye(3) / stiffness.lever
    frame = np.linalg.qr(np.column_stack([sideways, np.eye(3)]))[0]  # its first column is sideways
    return frame / np.array([stiffness.pitch_lever, stiffness.lever, stiffness.lever])


def _points_of(foot: Foot, change: np.ndarray, axes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The points (F, K, 3), their Jacobian by the unknowns (F, K, 3, 6), and that of the foot's rotation (F, 3, 3).

    The last is in radians in the world per metre of the three unknowns of rotation.
    """
    from motionloom.constraints._kernels import turn_foot

    points, rows, turners = np.empty_like(foot.arms), np.empty((*foot.arms.shape, 6)), np.empty((len(change), 3, 3))
    turn_foot(foot.ankles, foot.axes, foot.arms, change, axes, points, rows, turners)
    return points, rows, turners


def _plant(equations: NormalEquations, rows: np.ndarray, points: np.ndarray, demands: FootDemands) -> None:
    """Add rows for planted points: they move by their steps and are at their height."""
    for k in range(points.shape[1]):
        planted, heights, place = demands.planted[:, k], demands.heights[:, k], points[:, k]
        both = np.flatnonzero(planted[:-1] & planted[1:])
        missing = demands.steps[both, k] - (place[both + 1] - place[both])
        equations.add_steps(both, rows[both, k], rows[both + 1, k], missing, FIRM)
        level = np.flatnonzero(~np.isnan(heights))
        weights = np.where(demands.elsewhere[level, k], ELSEWHERE, LEVEL)
        equations.add(level, rows[level, k, 1], heights[level] - place[level, 1], weights)


def _pulls(rows: np.ndarray, points: np.ndarray, step: np.ndarray, demands: FootDemands) -> np.ndarray:
    """(F, K, 3) forces of the plant constraints at the points of a foot after a step."""
    after = points + (rows @ step[:, None, :, None])[..., 0]
    both = (demands.planted[:-1] & demands.planted[1:])[..., None]
    missing = FIRM * np.where(both, demands.steps - np.diff(after, axis=0), 0.0)
    pulls = np.zeros_like(points)
    pulls[1:] += missing
    pulls[:-1] -= missing
    weights = np.where(demands.elsewhere, ELSEWHERE, LEVEL)
    pulls[..., 1] += weights * np.nan_to_num(demands.heights - after[..., 1])
    return pulls


def _bending(turners: np.ndarray, arms: np.ndarray, pulls: np.ndarray) -> np.ndarray:
    """(F, 3, 3) second-order terms of the rotation: the points move on arcs.

    A force g at an arm a adds (g.a) I - (g a' + a g') / 2 to the Hessian. Only its positive eigenvalues are used: with
    them steps do not overshoot, with the negative ones they might ascend.
    """
    from motionloom.constraints._kernels import bend_turns

    bending = np.empty_like(turners)
    bend_turns(turners, arms, pulls, bending)
    return bending


def _shortened(step: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """A step scaled so that no foot rotates by more than `FARTHEST_TURN`, within which it is nearly linear."""
    angles = np.linalg.norm(step[:, 3:] @ axes.T, axis=-1)
    return step * min(1.0, FARTHEST_TURN / max(float(angles.max()), 1e-9))


def _hold_back(equations: NormalEquations, foot: Foot, change: np.ndarray, weight: float) -> None:
    """Penalize ankles beyond the leg's reach."""
    legs = foot.ankles + change[:, :3] - foot.hips
    lengths = np.linalg.norm(legs, axis=-1)
    beyond = np.flatnonzero(lengths > foot.reaches)
    rows = np.zeros((len(beyond), 6))
    rows[:, :3] = legs[beyond] / lengths[beyond, None]
    equations.add(beyond, rows, (foot.reaches - lengths)[beyond], weight)


def _hold_turns(equations: NormalEquations, change: np.ndarray, axes: np.ndarray, stiffness: FootStiffness) -> None:
    """Penalize large rotations of the foot by the third power of the excess, which is twice differentiable.

    Without it feet would rotate by up to a right angle, into poses in which plants are met by cheap pitch.
    """
    turns = change[:, 3:] @ axes.T
    angles = np.linalg.norm(turns, axis=-1)
    frames = np.flatnonzero(angles > stiffness.far_turn)
    angles, towards = angles[frames, None], turns[frames] / angles[frames, None]
    beyond = angles - stiffness.far_turn
    slopes, along = 3 * stiffness.turn_weight * beyond**2, 6 * stiffness.turn_weight * beyond
    across = slopes / angles
    curves = across[..., None] * np.eye(3) + (along - across)[..., None] * towards[:, :, None] * towards[:, None, :]
    equations.diagonal[frames, 3:, 3:] += axes.T @ curves @ axes
    equations.right[frames, 3:] -= (slopes * towards) @ axes
