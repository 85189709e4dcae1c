"""Footprints lie on what they rest on: level on the floor and on boxes, sloping on terrain."""

import numpy as np
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.assembly import clean_feet
from motionloom.features.supported_contacts import detect_footing
from motionloom.render.scene.footprints import find_footprints, make_footprints


def test_footprints_lie_on_the_slope_of_a_hill():
    walk = perform_supports("hills", 122)
    contacts, footing = detect_footing(walk.motion, 0.0, ground=walk.ground)
    prints = find_footprints(clean_feet(walk.motion, contacts, footing=footing).motion, contacts, footing)
    assert max(abs(footprint.slope[1]) for footprint in prints) > 0.05
    for footprint in prints:
        corners = footprint.corners
        assert np.abs(corners[:, 1] - walk.ground.heights(corners[:, [0, 2]])).max() < 0.006
    drawn = make_footprints(prints).vertices
    np.testing.assert_allclose(drawn[:, 1], np.concatenate([p.corners for p in prints])[:, 1], atol=0.02)


def test_footprints_on_stairs_and_the_floor_are_level():
    walk = perform_supports("stairs", 123)
    contacts, footing = detect_footing(walk.motion, 0.0, ground=walk.ground)
    for known in (footing, None):
        prints = find_footprints(walk.motion, contacts, known)
        assert all(footprint.slope == (0.0, 0.0) and np.ptp(footprint.corners[:, 1]) == 0 for footprint in prints)
    assert {round(p.height, 3) for p in find_footprints(walk.motion, contacts, footing)} > {0.0}
