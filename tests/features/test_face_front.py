"""From where a face is seen from the front, with and without names that tell left from right."""

import numpy as np
import pytest

from motionloom.features.face_front import find_face_front
from motionloom.performer.face.markers import NAMES, NEUTRAL

FACE = NEUTRAL / 1000
NAMELESS = [f"point {n}" for n in range(len(FACE))]


def turned(places, azimuth):
    c, s = np.cos(azimuth), np.sin(azimuth)
    return places @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])


@pytest.mark.parametrize("names", [NAMES, NAMELESS])
@pytest.mark.parametrize("azimuth", [0.0, 0.4, -2.0, 3.0])
def test_the_front_turns_with_the_face_wherever_it_is(names, azimuth):
    found = find_face_front(names, turned(FACE, azimuth) + (3, 1.5, -2))
    assert found is not None
    assert np.cos(found - azimuth) > np.cos(0.02)


def test_a_mirrored_face_of_named_sides_is_seen_from_where_it_looks():
    """The sides decide, and not the nose: a mask that is seen from inside is turned round."""
    inside = FACE * (1, 1, -1)
    found = find_face_front(NAMES, inside)
    assert found is not None and np.cos(found) > 0.99
    without_names = find_face_front(NAMELESS, inside)
    assert without_names is not None and np.cos(without_names) < -0.99


def test_gaps_are_left_out():
    places = FACE.copy()
    places[[0, 5, 9]] = np.nan
    found = find_face_front(NAMELESS, places)
    assert found is not None and np.cos(found) > 0.99


def test_flat_sets_look_towards_z():
    flat = np.random.default_rng(1).normal(size=(8, 3)) * (0.05, 0.08, 0)
    found = find_face_front(NAMELESS[:8], flat)
    assert found is not None and abs(found) < 1e-6


@pytest.mark.parametrize("places", [FACE[:4], FACE * 10, np.full((9, 3), np.nan)])
def test_few_markers_and_large_sets_are_no_faces(places):
    assert find_face_front(NAMELESS[: len(places)], places) is None
