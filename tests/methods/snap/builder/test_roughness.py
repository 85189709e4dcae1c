"""Roughness: jolts are seen, and what a take is by itself is not held against it."""

import numpy as np
import pytest

from motionloom.methods.snap.builder.roughness import Roughness, join_roughness, learn_bar, passage_excess
from motionloom.motion import kinematics


def jolted(motion, frame: int, metres: float):
    """The motion with its root pushed in one frame."""
    root = motion.root_positions.copy()
    root[frame, 1] += metres
    return type(motion)(motion.skeleton, root, motion.local_rotations, motion.fps)


def test_roughness_is_the_second_and_third_difference_of_the_hardest_joint(make):
    motion = make.motion(40, seed=1)
    positions = kinematics.world_positions(motion)
    second = np.linalg.norm(positions[2:] - 2 * positions[1:-1] + positions[:-2], axis=-1) * motion.fps**2
    own = join_roughness(motion, 20)
    assert own.acceleration == pytest.approx(second[16:22].max())  # of frames 16 .. 23
    assert join_roughness(jolted(motion, 20, 0.01), 20).acceleration > own.acceleration + 0.5 * 0.01 * motion.fps**2
    assert join_roughness(jolted(motion, 30, 0.01), 20) == own


def test_a_bar_is_what_so_many_percent_of_the_places_do_not_exceed(make):
    takes = [make.motion(120, seed=seed) for seed in (1, 2)]
    bar = learn_bar(takes)
    places = [join_roughness(take, frame) for take in takes for frame in range(4, 117)]
    shares = [
        np.mean([roughness.acceleration <= bar.acceleration for roughness in places]),
        np.mean([roughness.jerk <= bar.jerk for roughness in places]),
    ]
    assert shares == pytest.approx([0.9, 0.9], abs=0.01)
    assert learn_bar([make.motion(5, seed=1)]) == Roughness(np.inf, np.inf)


def test_bending_is_held_against_the_recording_about_there(make):
    take = make.motion(100, seed=3)
    bar = learn_bar([take], 100)
    assert passage_excess(take, take, 50, 18, bar) <= 1
    push = 2.5 * bar.acceleration / take.fps**2
    assert passage_excess(jolted(take, 62, push), take, 50, 18, bar) > 1  # where it was bent
    assert passage_excess(jolted(take, 90, push), take, 50, 18, bar) <= 1  # elsewhere
    rough = jolted(take, 62, push)
    assert passage_excess(rough, rough, 50, 18, bar) <= 1  # the recording is as rough itself
    assert passage_excess(jolted(take, 51, push), jolted(take, 51, push), 50, 18, bar) > 1  # but not at the join
