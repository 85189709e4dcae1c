"""How many pose groups are suggested: more for recordings with more poses, and always what can be had."""

import numpy as np
import pytest

from motionloom.methods.buildup.poses.group_count import LEAST, MOST, suggest_group_count
from motionloom.methods.buildup.poses.pose_groups import first_centres
from motionloom.motion import rotations
from motionloom.similarity import measure_angles, natural_step


def wandering(n_keys: int, seed: int = 0):
    """A body that goes slowly from one of some poses to the next, for the same time whatever their number."""
    rng = np.random.default_rng(seed)
    keys = rng.normal(scale=0.5, size=(n_keys, 6, 3))
    path = keys[np.arange(21) % n_keys]
    times = np.linspace(0, 19.99, 2400)
    share = (times % 1.0)[:, None, None]
    turns = (1 - share) * path[times.astype(int)] + share * path[times.astype(int) + 1]
    return measure_angles(rotations.exp(turns), [0, 1400, 2400])


def test_more_poses_ask_for_more_groups():
    counts = [suggest_group_count(wandering(n), 60.0, np.random.default_rng(0)) for n in (2, 6, 20)]
    assert LEAST <= counts[0] < counts[1] < counts[2] <= MOST


def test_the_usual_pose_is_as_near_to_one_that_shows_it_as_to_itself_a_third_of_a_second_later():
    measure = wandering(15)
    count = suggest_group_count(measure, 60.0, np.random.default_rng(3))
    _, errors = first_centres(measure, count, np.random.default_rng(3))
    step = natural_step(measure, 18)
    assert LEAST < count < MOST
    assert np.sqrt(errors[count - 1] / 2400) <= step < np.sqrt(errors[count - 2] / 2400)


@pytest.mark.parametrize("lengths", [[1], [2], [1, 1, 1], [5, 3], [400]])
def test_there_are_never_more_groups_than_frames(lengths):
    starts = np.concatenate([[0], np.cumsum(lengths)])
    poses = rotations.normalize(np.random.default_rng(1).normal(size=(starts[-1], 3, 4)))
    count = suggest_group_count(measure_angles(poses, starts), 60.0, np.random.default_rng(0))
    assert 1 <= count <= min(starts[-1], MOST)


def test_a_body_that_stands_still_has_the_fewest():
    still = measure_angles(np.tile([1.0, 0, 0, 0], (100, 3, 1)), [0, 100])
    assert suggest_group_count(still, 60.0, np.random.default_rng(0)) == LEAST
