"""Root demands: where the root is over the ground, how high, and which way the body looks."""

import numpy as np

from motionloom.constraints import PositionTarget
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import (
    HARD_METRES,
    HARD_SHARE,
    METRES,
    PLACE_WITHIN,
    SOFT_METRES,
    Demand,
    Finished,
    tolerance_of,
)
from motionloom.methods.dynamics.demands.paths import path_through
from motionloom.methods.dynamics.demands.pose_demands import place_demands, radians_of
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT, find_places
from motionloom.methods.dynamics.request import Root
from motionloom.methods.dynamics.terms.linear_terms import PoseTerm
from motionloom.methods.dynamics.trajectory.posed import Spot


def read_root(setting: BodySetting) -> list[Demand]:
    """What a request asks of the root."""
    demands: list[Demand] = []
    for number, asked in enumerate(setting.request.root):
        what = asked.name or f"root {number + 1}"
        frames, _ = setting.frames(asked, what)
        within = asked.within or PLACE_WITHIN
        places, heights = _wanted(setting, asked, frames, what)
        if np.isfinite(places).any():
            demands += place_demands(setting, what, frames, places, asked.hard, within)
        if heights is not None:
            demands.append(_height_demand(setting, what, frames, heights, within, asked.hard))
    return demands


def _wanted(setting: BodySetting, asked: Root, frames: np.ndarray, what: str) -> tuple[np.ndarray, np.ndarray | None]:
    """(n, 3) places and (n,) heights; nan and None where they are free."""
    places, heights = np.full((len(frames), 3), np.nan), None
    if asked.like is not None:
        motion = setting.take_from(asked.like, int(frames[-1] - frames[0]) + 1, what)
        rows = frames - frames[0]
        places, heights = find_places(motion)[rows], np.asarray(motion.root_positions[rows, 1], float)
    if asked.path is not None:
        places[:, :2] = path_through(np.array(asked.path), frames)
    if asked.position is not None:
        places[:, :2] = asked.position
    if asked.heading is not None:
        places[:, 2] = radians_of(asked.heading)
    if asked.height is not None:
        heights = np.full(len(frames), asked.height)
    return places, heights


def _height_demand(
    setting: BodySetting, what: str, frames: np.ndarray, heights: np.ndarray, within: float, is_hard: bool
) -> Demand:
    pulled, root = setting.pulled(frames), setting.codec.skeleton.names[0]
    targets = HEIGHT * heights[np.isin(frames, pulled)][:, None]
    columns, deviations = np.array([HEIGHT_AT]), np.array([HEIGHT * within * (HARD_SHARE if is_hard else 1.0)])
    free = np.full(len(frames), np.nan)
    fixed = np.stack([free, heights, free], axis=-1)  # (n, 3) metres, world

    def measure(finished: Finished) -> np.ndarray:
        return np.abs(finished.motion.root_positions[frames, 1] - heights)

    return Demand(
        f"{what}: height",
        frames,
        pulled,
        lambda rows: PoseTerm(rows, columns, targets, deviations),
        measure,
        METRES,
        tolerance_of(is_hard, within, HARD_METRES, SOFT_METRES),
        is_hard,
        lambda finished: (PositionTarget(root, frames, fixed),),
        joints=frozenset({0}),
        about=Spot(0),
        fixed=fixed,
        spots=(Spot(0),),
    )
