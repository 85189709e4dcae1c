"""Contact sheets: written for every kind of motion, with what was asked for on them."""

import numpy as np
import pytest
from PIL import Image

from motionloom.errors import BadInput
from motionloom.motion import Motion, PointMotion, cut
from motionloom.render import draw_contact_sheet, find_footprints, make_footprints, write_contact_sheet
from motionloom.render.charts.sheet_charts import LEFT_BYTES, RIGHT_BYTES


@pytest.fixture(scope="module")
def walk(make) -> Motion:
    motion = make.motion(90, seed=2, wildness=0.2)
    way = np.linspace(0, 2.0, 90)[:, None] * np.array([1.0, 0.0, 0.5])
    return Motion(motion.skeleton, motion.root_positions + way, motion.local_rotations, 60.0)


def markers(n_frames: int = 20) -> PointMotion:
    rng = np.random.default_rng(1)
    positions = rng.random((n_frames, 12, 3)) + np.linspace(0, 1, n_frames)[:, None, None]
    positions[3, 2] = np.nan
    positions[7] = np.nan
    return PointMotion(tuple(f"m{k}" for k in range(12)), positions, 100.0)


def count(sheet: np.ndarray, colour: tuple[int, ...]) -> int:
    return int((np.abs(sheet.astype(int) - np.array(colour)).max(axis=-1) <= 2).sum())


def test_a_sheet_is_a_png_of_good_width(walk, tmp_path):
    write_contact_sheet(tmp_path / "walk.png", walk)
    with Image.open(tmp_path / "walk.png") as picture:
        assert picture.format == "PNG" and picture.size[0] == 1600 and 500 < picture.size[1] < 2500


def test_the_same_motion_gives_the_same_sheet(walk):
    np.testing.assert_array_equal(draw_contact_sheet(walk, n_poses=4), draw_contact_sheet(walk, n_poses=4))


def test_contacts_are_bars_in_the_colours_of_their_side(walk):
    contacts = np.zeros((walk.n_frames, 4), bool)
    without = draw_contact_sheet(walk, contacts=contacts, n_poses=3)
    contacts[10:40, 0] = True
    left = draw_contact_sheet(walk, contacts=contacts, n_poses=3)
    contacts[50:80, 3] = True
    both = draw_contact_sheet(walk, contacts=contacts, n_poses=3)
    assert count(left, LEFT_BYTES) > count(without, LEFT_BYTES) + 1000
    assert count(left, RIGHT_BYTES) == count(without, RIGHT_BYTES)
    assert count(both, RIGHT_BYTES) > count(without, RIGHT_BYTES) + 1000


def test_twice_as_long_a_contact_is_twice_as_long_a_bar(walk):
    areas = []
    for stop in (30, 50):
        contacts = np.zeros((walk.n_frames, 4), bool)
        contacts[10:stop, 2] = True
        areas.append(count(draw_contact_sheet(walk, contacts=contacts, n_poses=2), RIGHT_BYTES))
    assert areas[1] / areas[0] == pytest.approx(2.0, rel=0.06)


@pytest.mark.parametrize("n_frames", [1, 2, 7])
def test_very_short_motions_get_a_sheet(walk, n_frames):
    sheet = draw_contact_sheet(cut(walk, 0, n_frames), contacts=np.ones((n_frames, 4), bool))
    assert sheet.shape[1] == 1600


def test_markers_with_gaps_get_a_sheet():
    assert draw_contact_sheet(markers()).shape[1] == 1600


def test_markers_that_were_never_seen_get_a_sheet():
    unseen = PointMotion(("a", "b"), np.full((5, 2, 3), np.nan), 100.0)
    assert draw_contact_sheet(unseen).shape[1] == 1600


def test_all_views_can_be_chosen_and_differ(walk):
    sheets = [draw_contact_sheet(walk, n_poses=3, view=view) for view in ("side", "front", "back", "quarter")]
    for one, other in zip(sheets, sheets[1:]):
        assert one.shape != other.shape or (one != other).any()


def test_wrong_requests_are_refused_in_a_sentence(walk, tmp_path):
    with pytest.raises(BadInput, match="no view 'top'; the views are side"):
        draw_contact_sheet(walk, view="top")
    with pytest.raises(BadInput, match=r"expected \(90, 4\)"):
        draw_contact_sheet(walk, contacts=np.zeros((3, 4), bool))
    with pytest.raises(BadInput, match="at least 1"):
        draw_contact_sheet(walk, n_poses=0)
    with pytest.raises(BadInput, match="cannot be written"):
        write_contact_sheet(tmp_path / "no_such_folder" / "a.png", walk, n_poses=1)


def test_one_footprint_is_left_for_each_rest_of_a_foot(walk):
    contacts = np.zeros((walk.n_frames, 4), bool)
    contacts[5:30, 0] = contacts[10:40, 1] = True  # one rest: first the heel, then the ball
    contacts[50:60, 3] = contacts[70:80, 3] = True
    prints = find_footprints(walk, contacts)
    assert [footprint.side for footprint in prints] == ["left", "right", "right"]
    assert 10 <= prints[0].frame < 30
    figure = make_footprints(prints, floor=0.1)
    assert (figure.vertices[:, 1] < 0.11).all() and not figure.casts_shadow
    assert 0.15 < np.linalg.norm(np.ptp(prints[0].outline, axis=0)) < 0.45
