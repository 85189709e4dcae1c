"""Supports travel with the frames of a piece: cut, placed, joined, bent and kept with the result."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Bent, Piece, play, read_result, write_result
from motionloom.assembly.plans.plan_files import pack_plan, unpack_plan
from motionloom.assembly.playing.assemble import join_pieces, measure_played
from motionloom.assembly.playing.bend_and_plant import USUAL_FEET, bend_and_plant
from motionloom.constraints import GroundTarget
from motionloom.constraints.carried_supports import carry_to
from motionloom.features.feet import foot_points
from motionloom.motion import Box, Footing, Support, cut, place, place_points
from motionloom.motion.footing import COLUMNS
from motionloom.motion.placement import Placement

BOX = Box((0.3, 0.2), (0.5, 0.4), 0.3, 0.25, 0.0)


@pytest.fixture
def stepped(view):
    """The view, with a step under frames 20 to 40 of its first motion and 0 to 30 of its second."""
    rows = [[0.0, *Support(BOX, 20, 40).to_row()], [1.0, *Support(BOX, 0, 30).to_row()]]
    return replace(view, supports=np.array(rows))


def test_a_view_knows_the_supports_of_each_motion(stepped):
    first, second, *others = stepped.names
    assert stepped.footing(first).supports == (Support(BOX, 20, 40),)
    assert stepped.footing(second).supports == (Support(BOX, 0, 30),)
    assert all(stepped.footing(name).is_flat for name in others)
    assert stepped.supports.shape[1] == 1 + len(COLUMNS)


def test_supports_are_cut_and_placed_with_their_frames(stepped, plans):
    plan = plans.recorded((stepped.names[0], 30, 50), kind="cut")
    placement = Placement(1.1, np.array([2.0, -1.0]))
    moved = replace(plan, pieces=(replace(plan.pieces[0], placement=placement),))
    (support,) = join_pieces(moved, stepped).footing.supports
    assert (support.start, support.stop) == (0, 10)
    assert support.box == BOX.moved(placement)


@pytest.mark.parametrize("kind", ["cut", "crossfade"])
def test_supports_of_both_sides_of_a_join_keep_their_frames(stepped, plans, kind):
    plan = plans.recorded((stepped.names[0], 10, 50), (stepped.names[1], 5, 45), kind=kind)
    joined = join_pieces(plan, stepped)
    assert [(support.start, support.stop) for support in joined.footing.supports] == [(10, 30), (40, 65)]


def test_a_warped_piece_has_its_support_in_the_frames_that_show_it(stepped, plans):
    plan = plans.recorded((stepped.names[0], 10, 50))
    slow = replace(plan.pieces[0], time_warp=np.linspace(10, 49, 79))
    (support,) = join_pieces(replace(plan, pieces=(slow,)), stepped).footing.supports
    assert (support.start, support.stop) == pytest.approx((20, 59), abs=1)


def test_bending_takes_supports_along_and_a_result_keeps_them(stepped, plans, tmp_path):
    plan = plans.recorded((stepped.names[0], 0, 60))
    end = play(plan, stepped).motion.root_positions[-1, [0, 2]]
    played = play(plan, stepped, targets=[GroundTarget(-1, position=end + np.array([0.08, 0.04]))])
    (before,), (after,) = play(plan, stepped).footing.supports, played.footing.supports
    assert (after.start, after.stop) == (20, 40)
    assert np.linalg.norm(np.subtract(after.box.centre, before.box.centre)) > 0.005
    result = measure_played(played)
    write_result(tmp_path / "kept.npz", result)
    assert read_result(tmp_path / "kept.npz").character.footing == result.character.footing == played.footing


def test_without_supports_nothing_changes(view, plans):
    plan = plans.recorded((view.names[0], 0, 40), (view.names[1], 5, 45))
    assert play(plan, view).footing == Footing()


def test_a_box_under_a_foot_is_under_it_wherever_the_piece_is_placed(stepped, plans):
    points = np.array([[[0.3, 0.26, 0.2]]])
    placement = Placement(-2.0, np.array([5.0, 1.0]))
    footing = stepped.footing(stepped.names[0]).cut(25, 26)
    assert footing.under(points) == footing.moved(placement).under(place_points(points, placement)) == 0.25


def test_a_bent_piece_brings_its_own_supports_and_a_plan_file_keeps_them(view, plans, make, tmp_path):
    motion = make.motion(n_frames=40, seed=3, wildness=0.2)
    footing = Footing(supports=(Support(BOX, 5, 25),))
    bent = Bent(view.names[0], motion, np.arange(40), np.ones((40, 4), bool), footing)
    placement = Placement(0.4, np.array([1.0, 2.0]))
    plan = plans.of([Piece(bent, 10, 40, placement)])
    (support,) = join_pieces(plan, view).footing.supports
    assert (support.start, support.stop, support.box) == (0, 15, BOX.moved(placement))
    assert unpack_plan(pack_plan(plan)).pieces[0].source.footing == footing


def test_supports_of_a_motion_that_was_moved_frame_by_frame_go_with_the_feet(make):
    before = make.motion(n_frames=60, seed=1, wildness=0.1)
    placement = Placement(0.8, np.array([3.0, -2.0]))
    footing = Footing(supports=(Support(BOX, 10, 50),))
    contacts = np.zeros((60, 4), bool)
    (support,) = carry_to(footing, before, place(before, placement), contacts).supports
    expected = BOX.moved(placement)
    assert support.box.centre == pytest.approx(expected.centre, abs=1e-6)
    assert support.box.half == expected.half and support.box.turn == pytest.approx(expected.turn, abs=1e-6)


@pytest.mark.parametrize("is_bent", [False, True])
def test_steps_stay_under_feet_that_rest_through_a_cut(floors, is_bent):
    """Half of the frames stand on one step and half on another, 0.3 m beside it: planting needs one place for both."""
    still, top = cut(floors.moved(floors.standing, 0.4), 0, 60), 0.4
    roots = still.root_positions.copy()
    roots[30:, 0] += 0.3
    motion, contacts = replace(still, root_positions=roots), np.ones((60, 4), bool)
    points = foot_points(motion, 0.0)
    feet = [points[at][:, [0, 2]] for at in (0, 59)]
    boxes = [Box(tuple(each.mean(axis=0)), tuple(np.ptp(each, axis=0) / 2 + 0.1), 0.0, top, 0.0) for each in feet]
    footing = Footing(supports=(Support(boxes[0], 0, 30), Support(boxes[1], 30, 60)))
    targets = [GroundTarget(59, motion.root_positions[59, [0, 2]] + [0.2, 0.0])] if is_bent else []
    planted = bend_and_plant(motion, contacts, USUAL_FEET, targets, footing=footing)
    after = foot_points(planted.motion, 0.0, like=motion)
    np.testing.assert_allclose(planted.footing.under(after, contacts), top, atol=1e-9)
