"""What feet stand on in pictures: boxes in their frames, and the terrain around a place."""

import numpy as np
import pytest

from motionloom.motion import Box, Footing, Ground, Support
from motionloom.render import draw_contact_sheet
from motionloom.render.scene.supports import TERRAIN_COLOUR, boxes_at, make_footing, make_terrain

HILL = Ground.sample(lambda places: np.clip(0.5 - np.abs(places[:, 1]), 0, None), (-2.0, -2.0), (2.0, 2.0), 0.1)
BOX = Box((0.0, 0.0), (0.2, 0.2), 0.0, 0.3, 0.0)


def test_terrain_is_drawn_where_it_is_not_the_floor():
    figure = make_terrain(HILL, np.zeros(2), 1.0)
    assert figure.vertices[:, 1].max() == pytest.approx(0.5)
    assert np.abs(figure.vertices[:, 0]).max() < 1.2 and np.abs(figure.vertices[:, 2]).max() < 0.65
    assert figure.triangles.max() == len(figure.vertices) - 1 == len(figure.colours) - 1
    assert not len(make_terrain(HILL, np.array([0.0, 1.7]), 0.5).triangles)
    assert not len(make_terrain(Ground(), np.zeros(2), 1.0).triangles)


def test_a_footing_is_its_boxes_in_their_frames_and_its_terrain():
    footing = Footing(HILL, (Support(BOX, 10, 20),))
    early, inside = (make_footing(footing, frame, np.zeros(2), radius=1.0) for frame in (5, 15))
    assert len(inside.vertices) - len(early.vertices) == 24
    assert boxes_at(footing, 5) == [] and boxes_at(footing, 5, around=6) == [BOX]


def test_a_sheet_shows_the_hill_below_the_poses(make):
    motion = make.motion(40, seed=1)
    flat = draw_contact_sheet(motion, floor=0.0)
    same = draw_contact_sheet(motion, floor=0.0, footing=Footing())
    hill = draw_contact_sheet(motion, floor=0.0, footing=Footing(HILL))
    np.testing.assert_array_equal(flat, same)
    greenish = np.abs(hill / 255.0 - np.array(TERRAIN_COLOUR)).max(axis=-1) < 0.12
    assert greenish.mean() > 0.005
