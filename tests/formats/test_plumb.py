"""Laws of the plumb line: it turns with the world, and neither unit nor frame rate matter to balance."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.formats.detection import plumb, turn_to_y
from motionloom.motion import Motion, rest_pose, rotations

AXES = ("x", "y", "z", "-x", "-y", "-z")


def turned_to(motion: Motion, up: str) -> Motion:
    return rest_pose.turn_world(motion, rotations.inverse(turn_to_y(up)))


@pytest.mark.parametrize("seed", range(8))
def test_balance_and_free_fall_turn_with_the_world_and_ignore_unit_and_rate(walk, jumps, seed):
    rng = np.random.default_rng(seed)
    up = AXES[rng.integers(6)]
    scale, rate = rng.uniform(0.01, 100.0), rng.choice([0.25, 0.5, 2.0, 4.0])
    turned = turned_to(walk, up)
    turned = replace(turned, skeleton=turned.skeleton.scaled(scale), root_positions=turned.root_positions * scale)
    balance = plumb.find_balance(replace(turned, fps=turned.fps * rate))
    assert balance is not None and balance.is_clear and balance.axis == up
    free_fall = plumb.find_free_fall(turned_to(jumps, up))
    assert free_fall is not None and free_fall.is_clear and free_fall.axis == up


def test_someone_who_walks_does_not_fall(walk):
    assert plumb.find_free_fall(walk) is None


def test_someone_on_hands_and_feet_is_not_balanced_over_the_feet(walk):
    """Hands that stand still as feet do carry the body too, so it says nothing about what is above the feet."""
    assert plumb.find_balance(walk) is not None
    skeleton, pairs = walk.skeleton, {"hand": "ball", "elbow": "foot"}
    roles = {
        f"{side}_{arm}": skeleton.names[skeleton.index(f"{side}_{leg}")]
        for side in ("left", "right")
        for arm, leg in pairs.items()
    }
    assert plumb.find_balance(replace(walk, skeleton=skeleton.with_roles(roles))) is None
