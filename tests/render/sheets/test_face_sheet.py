"""Contact sheets of faces: strong expressions, large and from the front, wherever the face is and looks."""

import numpy as np
import pytest

from motionloom.motion import Placement, PointMotion, place_points, rotations
from motionloom.motion.drawn_points import describe_drawn
from motionloom.motion.head_motion import HeadMotion, put_on_head
from motionloom.performer.face.markers import NAMES, NEUTRAL
from motionloom.render import draw_contact_sheet
from motionloom.render.scene.face_shots import pose_face
from motionloom.render.sheets.face_sheet import choose_expressions, measure_expression

INDEX = {name: number for number, name in enumerate(NAMES)}
SMILE = slice(70, 90)  # frames
LIFT = np.array([0.0, 0.012, 0.0])


def smiling(n_frames: int = 120, turned: float = 0.0) -> PointMotion:
    """A face on a head that nods, which lifts the corners of its mouth for a while."""
    positions = np.tile(NEUTRAL / 1000, (n_frames, 1, 1))
    for side, outwards in (("left", 1), ("right", -1)):
        positions[SMILE, INDEX[f"{side}_mouth_corner"]] += LIFT + [0.01 * outwards, 0, 0]
    nods = 0.05 * np.sin(np.arange(n_frames) / 9)[:, None] * [1.0, 0.3, 0.0]
    head = HeadMotion(np.tile([0.3, 1.2, 2.0], (n_frames, 1)), rotations.exp(nods))
    world = put_on_head(PointMotion(NAMES, positions, 60.0), head)
    placed = place_points(np.asarray(world.positions), Placement(turned, np.array([1.0, -2.0])))
    return PointMotion(NAMES, placed, 60.0)


def covered(sheet: np.ndarray) -> float:
    """The part of the rows of faces that is not empty."""
    paper = np.array([246, 247, 249])
    return float((np.abs(sheet[64:-300].astype(int) - paper).max(axis=-1) > 8).mean())


def test_faces_are_large_wherever_they_are():
    sheets = [draw_contact_sheet(smiling(turned=turned), n_poses=6) for turned in (0.0, 2.0)]
    assert min(map(covered, sheets)) > 0.3
    assert sheets[0].shape == sheets[1].shape
    assert np.abs(sheets[0].astype(int) - sheets[1]).mean() < 1.0


def test_the_strongest_expression_of_every_stretch_is_shown():
    motion = smiling()
    drawn = describe_drawn(motion)
    frames = choose_expressions(motion, drawn, 3)
    assert len(frames) == 3 and (np.diff(frames) > 0).all()
    assert frames[1] in range(SMILE.start, SMILE.stop) or frames[2] in range(SMILE.start, SMILE.stop)
    assert 6 <= len(choose_expressions(motion, drawn)) <= 12


def test_mouth_eyes_and_brows_are_measured_whatever_the_head_does():
    motion = smiling()
    drawn = describe_drawn(motion)
    head = drawn.find_head(motion)
    still = rotations.rotate(rotations.inverse(head.rotations)[:, None], motion.positions - head.positions[:, None])
    curves = measure_expression(still, drawn)
    assert list(curves) == ["mouth open", "mouth wide", "brows up", "eye open"]
    wider = curves["mouth wide"][SMILE].mean() - np.delete(curves["mouth wide"], np.r_[SMILE]).mean()
    assert wider == pytest.approx(20.0, abs=0.5)
    assert np.ptp(curves["brows up"]) < 0.5 and np.ptp(curves["eye open"]) < 0.5
    unnamed = PointMotion(tuple(f"m{number}" for number in range(40)), motion.positions, 60.0)
    assert list(measure_expression(still, describe_drawn(unnamed))) == ["away from rest"]


def test_poses_stay_in_their_place_and_look_ahead_on_average():
    motion = smiling(turned=-2.5)
    poses = pose_face(motion, describe_drawn(motion))
    assert np.abs(poses.positions.mean(axis=(0, 1))[[0, 1]]).max() < 0.02
    ears = poses.positions[:, [INDEX["left_ear"], INDEX["right_ear"]]]
    assert (ears[:, 0, 0] - ears[:, 1, 0] > 0.13).all()
    assert poses.height < 0.25 and max(poses.widths.values()) < 0.25


@pytest.mark.parametrize("view", ["front", "quarter", "side", "back", None])
def test_every_view_can_be_chosen(view):
    assert draw_contact_sheet(smiling(20), n_poses=2, view=view).shape[1] == 1600


def test_gaps_and_single_frames_get_a_sheet():
    positions = np.array(smiling().positions)
    positions[20:60, INDEX["upper_lip"]] = np.nan
    positions[40:44] = np.nan
    assert draw_contact_sheet(PointMotion(NAMES, positions, 60.0), title="gaps").shape[1] == 1600
    assert draw_contact_sheet(PointMotion(NAMES, positions[:1], 60.0)).shape[1] == 1600
