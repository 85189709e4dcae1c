"""Performed faces beside recorded ones: no livelier, and with as many things going on at once."""

import numpy as np
import pytest
from benchmarks.performer.faces import MEASURES, compare_faces, measure, perform_at_recorded_rate, read_markers

pytestmark = pytest.mark.real

NAMES = [name for name, _, _ in MEASURES]
EMOTIONS = [f"face/{word}" for word in ("happiness", "surprise", "disgust", "fear", "anger", "sadness")]


@pytest.fixture(scope="module")
def performed():
    return perform_at_recorded_rate()


def column(values, name):
    return values[:, NAMES.index(name)]


@pytest.mark.parametrize("name", ["fastest marker", "largest way from the median"])
def test_no_performed_marker_is_faster_or_goes_farther_than_recorded_ones(data, performed, name):
    ranges = compare_faces(data, performed.values())
    assert column(ranges.performed, name).max() <= column(ranges.recorded, name).max()


@pytest.mark.parametrize("name", ["95 % of speeds", "99 % of speeds"])
def test_emotions_are_no_faster_than_recorded_movements_of_faces(data, performed, name):
    ranges = compare_faces(data, [performed[take] for take in EMOTIONS])
    assert column(ranges.performed, name).max() <= column(ranges.recorded, name).max()


def test_a_sequence_of_all_emotions_is_within_what_was_recorded(data, performed):
    ranges = compare_faces(data, [performed["face/all_emotions"]])
    for name in ("95 % of speeds", "99 % of speeds", "largest way from the median", "components that hold 95 %"):
        recorded, (sequence,) = column(ranges.recorded, name), column(ranges.performed, name)
        assert recorded.min() <= sequence <= recorded.max(), name


def test_a_head_that_is_turned_is_taken_off_by_the_measures(data):
    points = read_markers(data / "face" / "jaw.csv")
    angle = 0.3 * np.sin(np.arange(len(points)) / 40)
    cos, sin, zero, one = np.cos(angle), np.sin(angle), np.zeros(len(points)), np.ones(len(points))
    turns = np.stack([np.stack(row, -1) for row in ((cos, zero, sin), (zero, one, zero), (-sin, zero, cos))], -2)
    turned = measure(np.einsum("fij,fmj->fmi", turns, points))
    still = [NAMES.index(name) for name in NAMES if "head" not in name]
    np.testing.assert_allclose(turned[still], measure(points)[still], rtol=1e-6)
