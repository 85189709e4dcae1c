"""Paths of bridges: where the body is in frames of placed recordings, about as joins leave it, and bent to an end."""

import numpy as np

from motionloom.constraints.bend_limits import BendLimits, Distortion, measure_distortion
from motionloom.constraints.path_deformation import PathBendSettings, Pin, bend
from motionloom.methods.buildup.model import Model
from motionloom.motion import Placement
from motionloom.motion.angles import wrap_angle
from motionloom.motion.placement import turn_ground

LIMITS = BendLimits()


def placed_path(model: Model, frames: np.ndarray, placement: Placement) -> np.ndarray:
    """(F, 3) metres along x and z, radians: where the body is in frames of the view, with their recording placed."""
    own = model.facings[frames]
    ground = turn_ground(own[:, :2], placement.heading) + placement.slide
    return np.column_stack([ground, own[:, 2] + placement.heading])


def smooth_borders(path: np.ndarray, borders: np.ndarray, reach: int) -> np.ndarray:
    """A path whose jumps at borders are spread over the frames beside them, about as joins do it.

    Args:
        path: (F, 3) metres along x and z, radians.
        borders: frames that jumps lead to, ascending.
        reach: frames on each side over which they are spread, as far as there is room up to the next border.
    """
    smooth = path.copy()
    smooth[:, 2] = np.unwrap(path[:, 2])
    steps = np.diff(smooth, axis=0)
    is_jump = np.isin(np.arange(1, len(path)), borders)
    usual = np.array([_beside(steps, is_jump, border - 1) for border in borders])
    for border, step, last, following in zip(borders, usual, [0, *borders], [*borders[1:], len(path)]):
        half = (steps[border - 1] - step) / 2
        before, after = min(reach, border - last), min(reach, following - border)
        smooth[border - before : border] += half * (np.arange(1, before + 1) / before)[:, None]
        smooth[border : border + after] -= half * (np.arange(after, 0, -1) / after)[:, None]
    return smooth


def _beside(steps: np.ndarray, is_jump: np.ndarray, number: int) -> np.ndarray:
    """(3,) the mean of the nearest steps on both sides of a jump that are no jumps."""
    near = [other for other in (number - 1, number + 1) if 0 <= other < len(steps) and not is_jump[other]]
    return steps[near].mean(axis=0) if near else np.zeros(3)


def distortion_to(model: Model, path: np.ndarray, end: tuple[float, float, float]) -> Distortion:
    """What it takes to bend a path so that it ends at a place.

    Args:
        model: of the takes.
        path: (F, 3) metres along x and z, radians.
        end: the same, at its last frame.
    """
    ground, headings = path[:, :2], np.unwrap(path[:, 2])
    settings = PathBendSettings()
    turn = float(wrap_angle(end[2] - headings[-1]))
    bent = bend(ground, headings, model.fps, [Pin(len(path) - 1, np.array(end[:2]), turn)], settings=settings)
    leg = model.view.skeleton.leg_length
    return measure_distortion(ground, headings, model.fps, bent, leg, LIMITS, settings)
