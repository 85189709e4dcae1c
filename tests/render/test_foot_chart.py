"""The foot chart: tracks, speeds and heights of planted points, before and after."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.render import FootTracks, draw_foot_chart, write_foot_chart
from motionloom.render.charts import LEFT_BYTES
from motionloom.render.foot_chart import BEFORE


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
