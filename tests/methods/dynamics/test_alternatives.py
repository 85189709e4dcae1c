"""What stands in place of the prior, with the very same constraints."""

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.pose_vectors import find_places
from motionloom.methods.dynamics.prior.smooth_priors import METHODS
from motionloom.motion import kinematics, rotations

ALL = {
    "length": "1s",
    "points": [{"joint": "right_hand", "at": "0.5s", "position": (None, 1.25, None), "hard": True}],
    "orientations": [{"joint": "head", "at": "0.4s", "turns": (0, 20, 0), "hard": True}],
    "angles": [{"joint": "left_elbow", "at": "0.6s", "bend": 50, "hard": True}],
    "distances": [{"joint": "left_hand", "point": (0.2, 1.0, 2.0), "at": "0.3s", "metres": 0.4, "hard": True}],
    "contacts": [{"joint": "right_foot", "from": "0.2s", "to": "0.5s"}],
}
PLAIN = {"length": "61f", "feet": "free"}


def keys(*frames):
    """Poses of the walk in frames of the motion, 200 later in the recording."""
    pose = {"take": "walk/normal_1"}
    return [{"at": f"{frame}f", "pose": {**pose, "frame": 200 + frame}, "as_recorded": True} for frame in frames]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_meets_the_same_constraints(desk, method):
    done = desk.make({**ALL, "poses": [{**pose, "hard": True} for pose in desk.ends], "method": method})
    assert done.answer.is_settled and not done.missed
    assert abs(done.at("right_hand")[30, 1] - 1.25) < 1e-3
    assert done.answer.plan.pieces[0].source.model == f"dynamics ({method})"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers_trajectories_without_any_pose(desk, method):
    take = {"take": "walk/normal_1", "frame": 200}
    joints = ("head", "left_hand", "right_hand", "left_foot", "right_foot")
    points = [{"joint": joint, "from": "0s", "to": "end", "like": take} for joint in joints]
    done = desk.make(
        {"length": "1s", "points": points, "root": [{"from": "0s", "to": "end", "like": take}], "method": method}
    )
    assert np.isfinite(done.motion.root_positions).all()
    recorded = desk.corpus.take("walk/normal_1").motion
    wanted = kinematics.world_positions(recorded)[200:260]
    for joint in ("left_foot", "right_hand"):
        own = recorded.skeleton.index(joint)
        assert np.linalg.norm(done.at(joint) - wanted[:, own], axis=1).mean() < 0.05


@pytest.mark.parametrize("method", METHODS)
def test_every_method_edits(desk, method):
    point = {"joint": "right_hand", "at": "1s", "moved_by": (0, 0.1, 0), "hard": True}
    done = desk.make({"start_from": "walk/normal_1", "length": "2s", "method": method, "points": [point]})
    assert done.parts["point 1, right_hand: off by"].met


def test_linear_interpolation_is_linear_between_keys(desk):
    """Half way between two keys every joint is half way between both, and so is the root."""
    done = desk.make({**PLAIN, "poses": keys(0, 60), "method": "linear"})
    codec = desk.model(PLAIN).prior.vectors
    poses = codec.poses(done.motion, find_places(done.motion))
    first, middle, last = poses[[0, 30, 60]]
    np.testing.assert_allclose(middle, (first + last) / 2, atol=0.01)


def test_splines_pass_through_their_keys_without_corners(desk):
    done = desk.make({**PLAIN, "poses": keys(0, 20, 40, 60), "method": "spline"})
    line = desk.make({**PLAIN, "poses": keys(0, 20, 40, 60), "method": "linear"})
    recorded = desk.corpus.take("walk/normal_1").motion
    for frame in (0, 20, 40, 60):
        angles = rotations.angle_between(
            done.motion.local_rotations[frame, 1:], recorded.local_rotations[200 + frame, 1:]
        )
        assert np.degrees(angles).max() < 1.5

    def corner(motion):
        positions = kinematics.world_positions(motion)
        bends = np.linalg.norm(np.diff(positions, n=2, axis=0), axis=-1)
        return bends[[19, 39]].max()

    assert corner(done.motion) < 0.5 * corner(line.motion)


def test_trajectories_without_a_prior_change_their_velocity_least(desk):
    done = desk.make({**PLAIN, "poses": keys(0, 20, 40, 60), "method": "trajectory"})
    spline = desk.make({**PLAIN, "poses": keys(0, 20, 40, 60), "method": "spline"})
    mean = np.linalg.norm(
        kinematics.world_positions(done.motion) - kinematics.world_positions(spline.motion), axis=-1
    ).mean()
    assert mean < 0.03  # the natural spline does, but for the ties to the ground


def test_the_subspace_shows_only_what_was_learnt(desk):
    data = {**PLAIN, "poses": keys(0, 60), "method": "subspace"}
    done = desk.solve(data)
    subspace = desk.model(data).prior.subspace
    assert done.state.knots.shape[1] == subspace.size + 3
    whole = desk.solve({**data, "method": "trajectory"})
    assert whole.state.knots.shape[1] == len(subspace.middle) + 3


def test_the_prior_finds_the_walk_between_keys_better_than_all_others(desk):
    """A step apart: poses that were not given are nearest to the recorded ones."""
    recorded = desk.corpus.take("walk/normal_1").motion
    moving = desk.model(PLAIN).prior.vectors.joints
    errors = {}
    for method in METHODS:
        done = desk.make({**PLAIN, "poses": keys(0, 60), "method": method})
        apart = rotations.angle_between(
            done.motion.local_rotations[:, moving], recorded.local_rotations[200:261, moving]
        )
        errors[method] = float(np.degrees(apart).mean())
    assert errors["dynamics"] < 0.6 * min(error for method, error in errors.items() if method != "dynamics")
