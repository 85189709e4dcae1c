"""Sheets of common poses and charts of turns: what is drawn where."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Box, concatenate, cut
from motionloom.render import HubPoses, TurnFan, draw_pose_sheet, draw_turn_chart, write_pose_sheet, write_turn_chart
from motionloom.render.charts.turn_chart import GAP
from motionloom.render.sheets.pose_sheet import HEADER, MARGIN, ROW, WIDTH, WORDS


def hub(make, frames):
    motion = make.motion(30, wildness=0.1)
    laid = concatenate([cut(motion, frame, frame + 1) for frame in frames])
    return HubPoses("hub", laid, cut(motion, frames[0], frames[0] + 1), "facts")


def panel(page, column):
    width = (WIDTH - 2 * MARGIN) // 4
    left, top = MARGIN + column * width, HEADER + WORDS
    return page[top + 30 : top + ROW, left : left + width - 6].astype(int)


def test_a_sheet_has_a_row_for_each_hub(make):
    one, two = draw_pose_sheet([hub(make, [3, 4])]), draw_pose_sheet([hub(make, [3, 4])] * 2)
    assert one.shape[1] == WIDTH
    assert two.shape[0] - one.shape[0] == ROW + WORDS


def test_match_frames_that_are_all_alike_look_like_the_common_pose(make):
    page = draw_pose_sheet([hub(make, [5, 5, 5])])
    assert np.abs(panel(page, 0) - panel(page, 1)).max() <= 1
    different = draw_pose_sheet([hub(make, [5, 25])])
    assert np.abs(panel(different, 0) - panel(different, 1)).max() > 20


def test_a_hub_above_the_floor_is_drawn_whole_and_on_its_step(make):
    low = hub(make, [5, 5])
    lift = np.array([0.0, 0.5, 0.0])
    raised = [replace(m, root_positions=m.root_positions + lift) for m in (low.match_frames, low.common_pose)]
    step = Box((0.0, 0.0), (0.3, 0.3), 0.0, 0.5, 0.0)
    flat, stepped = (panel(draw_pose_sheet([drawn]), 1) for drawn in (low, HubPoses("hub", *raised, "", (step,))))
    blank = panel(draw_pose_sheet([HubPoses("hub", *raised)]), 1)
    rows = [
        np.flatnonzero((np.abs(drawn - drawn[0, 0]).max(axis=-1) > 40).any(axis=1)) for drawn in (flat, stepped, blank)
    ]
    assert rows[1].min() > 5 and rows[2].min() < 3, "the head is in the picture only where the camera knows the step"
    assert len(rows[1]) < len(rows[0]) * 1.5
    brown = (stepped[..., 0] - stepped[..., 2] > 30).sum()
    assert brown > (flat[..., 0] - flat[..., 2] > 30).sum() + 500, "the step is drawn"


def test_the_widest_gap_is_shaded_where_no_turn_is(tmp_path):
    ways = [np.array([[0.0, 0.0], [0.0, 1.0]])] * 3
    turns = np.array([-80.0, 0.0, 80.0])
    page = draw_turn_chart([TurnFan("hub", ways, turns.tolist(), turns, turns)], "title")
    shaded = np.flatnonzero((page == np.array(GAP)).all(axis=-1).any(axis=0))
    middle = (page.shape[1] - MARGIN + MARGIN + 460 + 130) / 2
    assert shaded.min() < middle - 300 and shaded.max() > middle + 300
    assert not ((shaded > middle - 150) & (shaded < middle + 150)).any()
    write_turn_chart(tmp_path / "turns.png", [TurnFan("hub", ways, turns.tolist(), turns, turns)])
    assert (tmp_path / "turns.png").read_bytes().startswith(b"\x89PNG")


def test_hubs_that_lead_nowhere_can_be_drawn():
    nothing = np.zeros(0)
    assert draw_turn_chart([TurnFan("hub", [], [], nothing, nothing)]).ndim == 3


def test_sheets_of_nothing_are_refused(tmp_path):
    with pytest.raises(BadInput, match="no hubs"):
        write_pose_sheet(tmp_path / "a.png", [])
    with pytest.raises(BadInput, match="no hubs"):
        draw_turn_chart([])
