"""Plans of points: pieces one after another, placed on the ground, with where their frames come from."""

import numpy as np
import pytest

from motionloom.assembly import Generated, Join, Piece, Plan, Recorded, assemble, read_plan, write_plan
from motionloom.errors import BadInput
from motionloom.motion import Placement, PointMotion

CUT = Join("cut", 0.0)


def moving(n_frames, names=("brow", "chin"), seed=0):
    rng = np.random.default_rng(seed)
    return PointMotion(names, rng.normal(size=(n_frames, len(names), 3)), 30.0)


def plan_of(*pieces, joins=None, skeleton=""):
    return Plan(pieces, (CUT,) * (len(pieces) - 1) if joins is None else joins, 30.0, skeleton)


def test_pieces_play_one_after_another_each_in_its_place():
    first, second = moving(8), moving(6, seed=1)
    there = Placement(np.pi / 2, np.array([1.0, 2.0]))
    plan = plan_of(Piece(Generated(first, "face", {"style": 1}), 2, 7), Piece(Generated(second, "face"), 0, 6, there))
    result = assemble(plan)
    positions = result.character.motion.positions
    np.testing.assert_array_equal(positions[:5], first.positions[2:7])
    x, y, z = np.moveaxis(second.positions, -1, 0)
    np.testing.assert_allclose(positions[5:], np.stack([z + 1.0, y, -x + 2.0], axis=-1), atol=1e-12)
    ((source, frame, weight),) = result.provenance.of_frame(1)
    assert (source.name, dict(source.details), frame, weight) == ("face", {"style": 1}, 3, 1)
    assert result.character.contacts is None and result.character.plan is plan


def test_a_time_warp_shows_what_is_between_two_frames_and_a_point_that_was_not_seen_stays_unseen():
    motion = moving(4)
    positions = motion.positions.copy()
    positions[2, 1] = np.nan
    motion = PointMotion(motion.names, positions, 30.0)
    shown = assemble(plan_of(Piece(Generated(motion, "face"), 0, 4, time_warp=[0.0, 0.5, 1.0, 3.0])))
    found = shown.character.motion.positions
    np.testing.assert_allclose(found[1], (positions[0] + positions[1]) / 2)
    np.testing.assert_array_equal(found[[0, 2, 3]], positions[[0, 1, 3]])
    unseen = assemble(plan_of(Piece(Generated(motion, "face"), 0, 4))).character.motion.positions
    np.testing.assert_array_equal(np.isnan(unseen), np.isnan(positions))


def test_a_plan_of_points_comes_back_from_a_file(tmp_path):
    plan = plan_of(
        Piece(Generated(moving(8), "face", {"style": 1}), 2, 7), Piece(Generated(moving(5, seed=2), "face"), 0, 5)
    )
    write_plan(tmp_path / "plan.npz", plan)
    again = assemble(read_plan(tmp_path / "plan.npz")).character.motion
    np.testing.assert_array_equal(again.positions, assemble(plan).character.motion.positions)
    assert again.names == ("brow", "chin")


def test_what_does_not_fit_together_is_refused():
    points = Piece(Generated(moving(5), "face"), 0, 5)
    with pytest.raises(BadInput, match="joined by plain cuts"):
        plan_of(points, points, joins=(Join("crossfade", 0.1),))
    with pytest.raises(BadInput, match="without a skeleton"):
        plan_of(points, skeleton="abc")
    with pytest.raises(BadInput, match="the plan begins with"):
        assemble(plan_of(points, Piece(Generated(moving(5, names=("nose", "chin")), "other"), 0, 5)))
    with pytest.raises(BadInput, match="a body in a plan of points"):
        assemble(plan_of(points, Piece(Recorded("walk"), 0, 5)))
    positions = moving(5).positions.copy()
    positions[3, 0, 1] = np.inf
    with pytest.raises(BadInput, match="positions of frame 3 are not finite"):
        Piece(Generated(PointMotion(("brow", "chin"), positions, 30.0), "face"), 0, 5)
