"""The foot chart: tracks, speeds and heights of planted points, before and after."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.render import FootTracks, draw_foot_chart, write_foot_chart
from motionloom.render.charts.foot_chart import BEFORE, HEADER, LABELS, MARGIN, PLAN_WIDTH, ROW, WIDTH
from motionloom.render.charts.sheet_charts import LEFT_BYTES


def tracks_of(n_frames: int = 60, slide: float = 0.3) -> FootTracks:
    """Feet that slide before and stand after."""
    after = np.zeros((n_frames, 4, 3))
    after[:, :, 0] = [0.1, 0.1, -0.1, -0.1]
    after[:, :, 2] = [0.0, 0.2, 0.0, 0.2]
    before = after + np.linspace(0, slide, n_frames)[:, None, None] * [0, 0, 1]
    return FootTracks(before, after, np.ones((n_frames, 4), bool), 0.0, 60.0)


def n_pixels(page: np.ndarray, colour) -> int:
    return int((page == np.array(colour)).all(axis=-1).sum())


def test_a_slide_shows_in_grey_and_feet_that_stand_in_colour():
    sliding, still = draw_foot_chart(tracks_of()), draw_foot_chart(tracks_of(slide=0.0))
    assert n_pixels(sliding, BEFORE) > n_pixels(still, BEFORE) + 200
    assert n_pixels(sliding, LEFT_BYTES) > 0


def highest_change(tracks: FootTracks, other: FootTracks, row: int) -> int:
    """The first row of pixels, from the top, in which the curves of one row of two charts differ."""
    here = slice(HEADER + row * ROW, HEADER + (row + 1) * ROW), slice(MARGIN + PLAN_WIDTH + LABELS, WIDTH - MARGIN)
    return int((draw_foot_chart(tracks)[here] != draw_foot_chart(other)[here]).any(axis=(1, 2)).argmax())


def test_faster_points_and_higher_feet_are_drawn_higher():
    still = tracks_of(slide=0.0)
    slow, fast = (highest_change(tracks_of(slide=slide), still, row=0) for slide in (0.1, 0.4))
    assert 0 < fast < slow - 20
    low, high = (
        highest_change(FootTracks(still.before + [0, up, 0], still.after, still.contacts, 0.0, 60.0), still, row=4)
        for up in (0.03, 0.12)
    )
    assert 0 < high < low - 20


def test_planted_points_lie_in_their_box_wherever_the_motion_plays():
    tracks = tracks_of()
    away = FootTracks(tracks.before + [8.0, 0, -4.0], tracks.after + [8.0, 0, -4.0], tracks.contacts, 0.0, 60.0)
    box = slice(HEADER, None), slice(MARGIN, MARGIN + PLAN_WIDTH)
    here, there = (n_pixels(draw_foot_chart(drawn)[box], LEFT_BYTES) for drawn in (tracks, away))
    assert here > 30
    assert there == pytest.approx(here, rel=0.2)  # lines at the edge of a pixel, by rounding


@pytest.mark.parametrize("n_frames", [1, 2, 3000])
def test_motions_of_any_length_are_drawn(n_frames):
    assert draw_foot_chart(tracks_of(n_frames)).shape[1:] == (1600, 3)


def test_feet_that_never_rest_and_feet_that_do_not_exist_are_drawn_as_nothing():
    tracks = tracks_of()
    before, after = tracks.before.copy(), tracks.after.copy()
    before[:, 2:], after[:, 2:] = np.nan, np.nan
    page = draw_foot_chart(FootTracks(before, after, np.zeros((60, 4), bool), 0.0, 60.0))
    assert page.std() > 0


def test_arrays_that_do_not_fit_are_refused():
    tracks = tracks_of()
    with pytest.raises(BadInput, match="contacts"):
        FootTracks(tracks.before, tracks.after, tracks.contacts[:-1], 0.0, 60.0)
    with pytest.raises(BadInput, match="points"):
        FootTracks(tracks.before, tracks.after[:-1], tracks.contacts, 0.0, 60.0)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match="cannot be written"):
        write_foot_chart(tmp_path / "no" / "feet.png", tracks_of())
