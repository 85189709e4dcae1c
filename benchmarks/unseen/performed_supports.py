"""Performed walks over stones, stairs and hills, with exact contacts and the heights of what the feet stand on."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.features.contacts import CONTACT_POINTS
from motionloom.features.feet import foot_points
from motionloom.motion import Box, Ground, Motion, find_runs
from motionloom.performer import truth
from motionloom.performer.actions.stand import standing_gait
from motionloom.performer.actions.walk import walking_gait
from motionloom.performer.gait.footsteps import SIDES
from motionloom.performer.perform import Moved, move, set_stage
from motionloom.performer.scores.score import Writer
from motionloom.performer.stage import Footholds, Gait, Stage

KINDS = ("stones", "stairs", "hills")
HIGHEST = 0.6  # metres
LOWEST = 0.1
START, REST = 1.0, 1.5  # seconds of standing before and after
AROUND = 0.06  # metres of a stone or a step around the heel and the ball on it
SPACING = 0.02  # metres between the heights of a hill


@dataclass(frozen=True, eq=False)
class SupportedWalk:
    """A walk over something above the floor, and its truth."""

    motion: Motion
    contacts: np.ndarray  # (F, 4) bool
    heights: np.ndarray  # (F, 4) metres of the surface below points in contact; NaN elsewhere
    ground: Ground  # what it goes over


def perform_supports(kind: str, seed: int, fps: float = 60.0, size: float = 1.0) -> SupportedWalk:
    """Walk over stones, stairs or a hill.

    Args:
        kind: one of `KINDS`.
        seed: of heights, places and the way of walking.
        fps: frames per second.
        size: of the body, relative to the performer's; what it walks on has the stated heights all the same.
    """
    rng = np.random.default_rng([KINDS.index(kind), seed])
    gait = walking_gait(float(rng.uniform(0.6, 0.9)))
    heights = {"stones": _stones, "stairs": _stairs, "hills": lambda *_: np.zeros(9)}[kind](rng, size)
    seconds = START + (len(heights) + 1) / gait.cadence
    stage = set_stage(Writer(kind).then("stand", seconds + REST).done(), rng, fps)
    stage.set_gait(START, gait)
    stage.set_gait(seconds, standing_gait(stage))
    if kind == "hills":
        stage.ground = _hill(rng, size, gait.forward * (seconds - START))
    else:
        stage.requests.append(Footholds(START, _footholds(heights, gait, rng)))
    return _measure(stage, move(stage), size)


def _footholds(heights: np.ndarray, gait: Gait, rng: np.random.Generator) -> np.ndarray:
    """(K, 3) metres, world: one for each step, left and right in turn, as far apart as the gait's steps are long."""
    width, stride = rng.uniform(0.06, 0.1), gait.forward / gait.cadence
    steps = np.arange(len(heights))
    return np.stack([width * (-1.0) ** steps, heights, stride * (steps + 1)], axis=-1)


def _stones(rng: np.random.Generator, size: float) -> np.ndarray:
    """(K,) metres for a body of size 1: anything from 0.1 to 0.6, no more than a high step from one to the next."""
    heights, last = [], 0.0
    for _ in range(8):
        low, high = max(LOWEST / size, last - 0.3), min(HIGHEST / size, last + 0.3)
        last = float(rng.uniform(low, max(high, low)))
        heights.append(last)
    return np.array([*heights, last / 2])


def _stairs(rng: np.random.Generator, size: float) -> np.ndarray:
    """(K,) metres: up equal steps, over a landing and down again."""
    rise = float(rng.uniform(0.1, 0.2)) / size
    up = rise * np.arange(1, int(max(LOWEST, rng.uniform(0.2, HIGHEST)) / size / rise) + 1)
    return np.concatenate([up, up[-1:], up[::-1]])


def _hill(rng: np.random.Generator, size: float, length: float) -> Callable[[np.ndarray], np.ndarray]:
    """Heights of a hill that begins at the origin, as `Stage.ground` has them."""
    height = float(rng.uniform(LOWEST, HIGHEST)) / size

    def heights(xz: np.ndarray) -> np.ndarray:
        along = np.clip(xz[:, 1] / length, 0.0, 1.0)
        return 0.5 * height * (1 - np.cos(2 * np.pi * along))

    return heights


def _measure(stage: Stage, moved: Moved, size: float) -> SupportedWalk:
    motion, n_frames = moved.motion, moved.motion.n_frames
    contacts, heights = np.zeros((n_frames, 4), bool), np.full((n_frames, 4), np.nan)
    for side in SIDES:
        for plant in moved.plan.plants[side]:
            for point, (begin, end) in (("heel", truth.heel_span(plant)), ("ball", truth.ball_span(plant))):
                first, last = truth.frames_in(begin, end, n_frames, stage.fps)
                column = CONTACT_POINTS.index(f"{side}_{point}")
                contacts[first:last, column] = True
                heights[first:last, column] = plant.height * size
    scaled = Motion(motion.skeleton.scaled(size), motion.root_positions * size, motion.local_rotations, motion.fps)
    ground = _boxes(scaled, contacts, heights) if stage.ground is None else _terrain(stage, moved).scaled(size)
    return SupportedWalk(scaled, contacts, heights, ground)


def _terrain(stage: Stage, moved: Moved) -> Ground:
    """The hill, around all places where the body was, for a body of size 1."""
    assert stage.ground is not None
    places = moved.motion.root_positions[:, [0, 2]]
    first, last = places.min(axis=0) - 1.0, places.max(axis=0) + 1.0
    return Ground.sample(stage.ground, (first[0], first[1]), (last[0], last[1]), SPACING)


def _boxes(motion: Motion, contacts: np.ndarray, heights: np.ndarray) -> Ground:
    """A box under each foot that stands above the floor."""
    points, boxes = foot_points(motion, 0.0)[..., [0, 2]], []
    for first in (0, 2):
        own = np.where(contacts[:, first : first + 2], heights[:, first : first + 2], 0.0).max(axis=1)
        for start, stop in find_runs(own > 0):
            rests = contacts[start:stop, first : first + 2]
            places = points[start:stop, first : first + 2][rests]
            box = Box((float(places[0, 0]), float(places[0, 1])), (0.01, 0.01), 0.0, float(own[start]), 0.0)
            boxes.append(box.extended(places, AROUND))
    return Ground(0.0, tuple(boxes))
