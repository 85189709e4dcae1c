"""How much bending changes steps."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import GroundTarget
from motionloom.features.facing import find_facing
from motionloom.methods.buildup.hits.step_change import most_changed
from motionloom.motion import kinematics


@pytest.fixture
def walk(make):
    """A body that glides along z at 1.2 m/s."""
    motion = make.motion(121, wildness=0.0)
    root = np.repeat(motion.root_positions[:1], 121, axis=0) + np.arange(121)[:, None] * [0, 0, 0.02]
    return replace(motion, root_positions=root, local_rotations=np.repeat(motion.local_rotations[:1], 121, axis=0))


def places(walk, by):
    headings, ground = find_facing(walk.skeleton, kinematics.world_positions(walk))
    ends = ((0, 0.0), (120, by))
    return [GroundTarget(frame, ground[frame] + [0, more], float(headings[frame])) for frame, more in ends]


def test_nothing_changes_where_nothing_is_bent(walk):
    assert most_changed(walk, []) == 0
    assert most_changed(walk, places(walk, 0.0)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("by", [0.24, -0.24])
def test_a_way_that_is_a_tenth_longer_or_shorter_has_such_steps(walk, by):
    assert most_changed(walk, places(walk, by)) == pytest.approx(0.1, abs=0.02)
