"""Head motion: put on and taken off it is nothing, however points are turned, shifted or missing."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import PointMotion, rotations
from motionloom.motion.head_motion import HeadMotion, put_on_head, take_off_head
from motionloom.motion.rest_points import find_rest
from motionloom.performer.face.markers import NAMES, NEUTRAL

REST = NEUTRAL / 1000 - (NEUTRAL / 1000).mean(axis=0)
STEADY = np.array([NAMES.index(name) for name in ("forehead_top", "nose_bridge", "left_ear", "right_ear")])
LIVELY = [NAMES.index(name) for name in NAMES if "lip" in name or "mouth" in name or name in ("chin", "left_jaw")]


def face(n_frames: int = 60, seed: int = 0) -> PointMotion:
    """A face without head motion, whose mouth and chin move by up to some centimetres and whose brow hardly does."""
    rng = np.random.default_rng(seed)
    times = np.arange(n_frames)[:, None, None] / 60
    waves = np.sin(times * rng.uniform(2, 9, (1, len(NAMES), 3)) + rng.uniform(0, 6, (1, len(NAMES), 3)))
    reach = np.full(len(NAMES), 5e-4)
    reach[LIVELY], reach[STEADY] = 0.01, 0.0
    return PointMotion(NAMES, REST + waves * reach[:, None], 60.0)


def nodding(n_frames: int = 60, seed: int = 1, scale: float = 0.3) -> HeadMotion:
    """A head that turns and goes about anywhere in the world."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(scale=0.02, size=(2, n_frames, 3)).cumsum(axis=1)
    return HeadMotion(steps[0] + rng.normal(size=3), rotations.exp(scale * steps[1] + rng.normal(size=3)))


def test_head_motion_put_on_and_taken_off_is_nothing():
    still, head = face(), nodding()
    found, moved = take_off_head(put_on_head(still, head), REST, STEADY)
    np.testing.assert_allclose(found.positions, still.positions, atol=1e-12)
    np.testing.assert_allclose(moved.positions, head.positions, atol=1e-12)
    assert rotations.angle_between(moved.rotations, head.rotations).max() < 1e-7


def test_head_motion_taken_off_and_put_back_is_nothing_whatever_points_are():
    rng = np.random.default_rng(3)
    positions = rng.normal(size=(40, len(NAMES), 3))
    positions[rng.random((40, len(NAMES))) < 0.6] = np.nan
    points = PointMotion(NAMES, positions, 60.0)
    back = put_on_head(*take_off_head(points, REST, STEADY))
    np.testing.assert_allclose(back.positions, positions, atol=1e-12)


def test_points_that_are_moved_and_turned_as_a_whole_are_the_same_on_the_head():
    points = put_on_head(face(), nodding())
    turn, shift = rotations.exp(np.array([0.4, 2.0, -0.3])), np.array([3.0, -1.0, 2.0])
    moved = PointMotion(NAMES, rotations.rotate(turn, points.positions) + shift, 60.0)
    before, _ = take_off_head(points, REST, STEADY)
    after, _ = take_off_head(moved, REST, STEADY)
    np.testing.assert_allclose(after.positions, before.positions, atol=1e-12)


def test_a_steady_point_that_is_not_seen_is_done_without():
    still, head = face(), nodding()
    world = put_on_head(still, head)
    positions = world.positions.copy()
    positions[10:30, STEADY[1]] = np.nan
    found, _ = take_off_head(PointMotion(NAMES, positions, 60.0), REST, STEADY)
    np.testing.assert_allclose(found.positions[:10], still.positions[:10], atol=1e-12)
    seen = ~np.isnan(positions)
    np.testing.assert_allclose(found.positions[seen], still.positions[seen], atol=1e-12)
    assert np.isnan(found.positions[~seen]).all()


def test_where_too_few_steady_points_are_seen_the_head_moves_evenly_and_is_still_at_the_ends():
    n_frames = 31
    turns = rotations.about_y(np.linspace(0, 0.6, n_frames))
    head = HeadMotion(np.linspace([0, 1, 0], [0.3, 1, 0], n_frames), turns)
    world = put_on_head(face(n_frames), head)
    positions = world.positions.copy()
    positions[10:20][:, STEADY[:2]] = np.nan
    positions[:3][:, STEADY] = np.nan
    points = PointMotion(NAMES, positions, 60.0)
    found, moved = take_off_head(points, REST, STEADY)
    np.testing.assert_allclose(moved.positions[3:], head.positions[3:], atol=1e-9)
    assert rotations.angle_between(moved.rotations, head.rotations)[3:].max() < 1e-6
    np.testing.assert_allclose(moved.positions[:3], np.tile(head.positions[3], (3, 1)), atol=1e-12)
    np.testing.assert_allclose(put_on_head(found, moved).positions, positions, atol=1e-12)


def test_points_that_tell_no_rotation_keep_their_motion():
    line = PointMotion(("a", "b", "c"), np.outer(np.arange(3.0), [1, 1, 0])[None] + np.arange(5.0)[:, None, None], 60.0)
    still, head = take_off_head(line, line.positions[0], np.arange(3))
    np.testing.assert_array_equal(still.positions, line.positions)
    np.testing.assert_array_equal(head.positions, 0.0)


def test_head_motions_of_other_lengths_are_refused():
    with pytest.raises(BadInput, match="60 frames and a head motion of 59"):
        put_on_head(face(60), nodding(59))
    with pytest.raises(BadInput, match=r"give \(F, 3\) and \(F, 4\)"):
        HeadMotion(np.zeros((3, 3)), np.zeros((2, 4)))


def test_rest_and_what_is_steady_are_found_under_any_head_motion():
    world = put_on_head(face(240), nodding(240))
    found = find_rest(world.positions)
    assert not set(found.steady) & set(LIVELY)
    assert set(STEADY) <= set(found.steady)
    still, _ = take_off_head(world, found.points, found.steady)
    np.testing.assert_allclose(np.ptp(still.positions[:, STEADY], axis=0), 0.0, atol=1e-3)


def test_rest_stands_upright_and_looks_ahead_wherever_the_recording_looks():
    head = nodding(240, scale=0.1)
    ahead = HeadMotion(head.positions, rotations.exp(rotations.log(head.rotations) * [0.1, 1.0, 0.1]))
    found = find_rest(put_on_head(face(240), ahead).positions)
    for heading in (0.5, 2.0, -2.9):
        turned = HeadMotion(ahead.positions + 3.0, rotations.multiply(rotations.about_y(heading), ahead.rotations))
        again = find_rest(put_on_head(face(240), turned).positions)
        np.testing.assert_array_equal(again.steady, found.steady)
        np.testing.assert_allclose(again.points, found.points, atol=1e-9)
    upright = HeadMotion(np.zeros((240, 3)), rotations.about_y(np.linspace(0, 7, 240)))
    found = find_rest(put_on_head(face(240), upright).positions)
    assert found.has_front
    apart = found.points - REST - (found.points - REST)[STEADY].mean(axis=0)
    np.testing.assert_allclose(apart[STEADY], 0.0, atol=2e-4)
    np.testing.assert_allclose(apart, 0.0, atol=5e-3)  # means of mouths that move


def test_nobody_moves_because_the_next_face_is_wider():
    narrow, wide = face(120), PointMotion(NAMES, face(120, seed=5).positions * [1.1, 1.05, 1.0], 60.0)
    frames = np.concatenate(
        [put_on_head(points, nodding(120, seed)).positions for seed, points in enumerate((narrow, wide))]
    )
    found = find_rest(frames, np.repeat([0, 1], 120))
    assert not set(found.steady) & set(LIVELY)
    assert found.moves[found.steady].max() < 2e-3 < np.nanmax(find_rest(frames).moves[STEADY])


@pytest.mark.parametrize("n_points", [1, 2, 3])
def test_too_few_points_are_never_rigid(n_points):
    positions = np.random.default_rng(0).normal(size=(30, n_points, 3)).cumsum(axis=0)
    found = find_rest(positions)
    assert not len(found.steady) and not found.has_front
    np.testing.assert_allclose(found.points, positions.mean(axis=0))


def test_points_without_a_rigid_part_have_no_steady_ones():
    positions = np.random.default_rng(0).normal(size=(50, 12, 3))
    assert not len(find_rest(positions).steady)
    line = np.outer(np.arange(5.0), [1, 2, 0]) + np.random.default_rng(1).normal(size=(50, 1, 3))
    assert not len(find_rest(line).steady)


def test_a_point_that_is_never_seen_and_rare_ones_do_not_hinder_finding_rest():
    positions = put_on_head(face(240), nodding(240)).positions.copy()
    positions[:, 7] = np.nan
    positions[40:, STEADY[0]] = np.nan
    found = find_rest(positions)
    assert np.isnan(found.points[7]).all() and np.isnan(found.moves[7])
    assert not {7, STEADY[0]} & set(found.steady)
    assert np.isfinite(np.delete(found.points, 7, axis=0)).all()
