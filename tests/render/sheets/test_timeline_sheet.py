"""The timeline sheet shows what was painted, what holds and what is missed."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.render import PaintedTrack, PlayedRun, TimelineSheet, draw_timeline_sheet, write_timeline_sheet
from motionloom.render.sheets.timeline_sheet import MISSED, MUST, MUST_NOT


@pytest.fixture
def sheet(make):
    motion = make.motion(60)
    paint = np.zeros(60, int)
    paint[:30] = 1
    holds = np.where(np.arange(60) < 20, 1, -1)
    runs = (PlayedRun(0, 25, "a"), PlayedRun(25, 60, "b"))
    return TimelineSheet(motion, (PaintedTrack("walk", paint, holds),), runs, places=((1.0, 2.0, 0.5),))


def count_pixels(picture, colour):
    return int((picture == np.array(colour)).all(axis=-1).sum())


def test_paint_is_green_where_a_label_must_hold_and_blue_where_it_must_not(sheet):
    picture = draw_timeline_sheet(sheet, "walk")
    assert count_pixels(picture, MUST) > 1000
    assert count_pixels(picture, MUST_NOT) == 0
    track = sheet.tracks[0]
    other = draw_timeline_sheet(replace(sheet, tracks=(replace(track, paint=-track.paint),)))
    assert count_pixels(other, MUST) == 0
    assert count_pixels(other, MUST_NOT) > 1000


def test_orange_marks_only_what_is_missed(sheet):
    track = sheet.tracks[0]
    met = replace(sheet, tracks=(replace(track, holds=np.where(track.paint, track.paint, 1)),))
    assert count_pixels(draw_timeline_sheet(sheet), MISSED) > 50
    assert count_pixels(draw_timeline_sheet(met), MISSED) == 0


def test_a_track_of_another_length_is_refused(sheet):
    wrong = replace(sheet, tracks=(PaintedTrack("walk", np.zeros(59, int), np.zeros(59, int)),))
    with pytest.raises(BadInput, match="'walk' is not as long as the motion, which has 60 frames"):
        draw_timeline_sheet(wrong)


def test_a_sheet_is_written_as_a_png_and_a_missing_folder_is_named(sheet, tmp_path):
    write_timeline_sheet(tmp_path / "sheet.png", sheet)
    assert (tmp_path / "sheet.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInput, match="cannot be written"):
        write_timeline_sheet(tmp_path / "no" / "sheet.png", sheet)
