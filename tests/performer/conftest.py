"""The demo performances, made once for all tests."""

from dataclasses import dataclass

import numpy as np
import pytest

from motionloom.motion import kinematics
from motionloom.performer import Performance, demo_scores


@dataclass(frozen=True, eq=False)
class Seen:
    """A performance with the world positions that tests look at."""

    performance: Performance
    positions: np.ndarray  # (F, J, 3) metres
    world_rotations: np.ndarray  # (F, J, 4)
    points: dict[
        str, np.ndarray
    ]  # left_heel, left_ball, left_toe, ... -> (F, 3) metres; the height is that of the sole


@pytest.fixture(scope="session")
def demo(make) -> list[Seen]:
    return [look_at(make.demo_take(score.name)) for score in demo_scores()]


@pytest.fixture(scope="session")
def demo_by_name(demo: list[Seen]) -> dict[str, Seen]:
    return {seen.performance.name: seen for seen in demo}


def look_at(performance: Performance) -> Seen:
    skeleton = performance.motion.skeleton
    positions, turned = kinematics.world(performance.motion)
    sole = np.array([0.0, 0.01, 0.0])  # the ball joint and the toe tip rest 1 cm above the floor
    points = {}
    for side in ("left", "right"):
        foot, ball = skeleton.index(f"{side}_foot"), skeleton.index(f"{side}_ball")
        toe = skeleton.end_offsets[list(skeleton.end_parents).index(ball)]
        carried = kinematics.attached_positions(
            positions, turned, np.array([foot, ball, ball]), np.stack([skeleton.heel_offset(side), np.zeros(3), toe])
        )
        points |= {
            f"{side}_heel": carried[:, 0],
            f"{side}_ball": carried[:, 1] - sole,
            f"{side}_toe": carried[:, 2] - sole,
        }
    return Seen(performance, positions, turned, points)
