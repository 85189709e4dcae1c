"""Unit and up axis of points: by their spread and their names, and a doubt where these say nothing."""

from dataclasses import replace

import numpy as np
import pytest
from tests.formats.point_sets import body_points, face_points, with_gaps

from motionloom.formats import ReadOptions
from motionloom.formats.detection import point_units, point_up
from motionloom.formats.detection.point_conversion import turn
from motionloom.motion import PointMotion

NAMELESS = tuple(f"M{index:03}" for index in range(6))


def in_units(motion: PointMotion, metres: float) -> PointMotion:
    return replace(motion, positions=motion.positions / metres)


@pytest.mark.parametrize("metres", [1.0, 0.01, 0.001])
def test_a_body_with_names_has_one_likely_unit(metres):
    found, (finding,) = point_units.find(in_units(body_points(), metres), ReadOptions())
    assert found == metres and "the points span 1.65 m" in finding.message


def test_a_body_in_inches_may_be_half_of_one_in_centimetres():
    _, (finding,) = point_units.find(in_units(body_points(), 0.0254), ReadOptions())
    assert finding.is_warning and "centimetres" in finding.message and "they may be inches" in finding.message


@pytest.mark.parametrize(("points", "metres"), [(body_points(), 0.01), (face_points(), 0.001)])
def test_points_without_names_may_be_a_body_in_centimetres_or_a_face_in_millimetres(points, metres):
    found, (finding,) = point_units.find(in_units(replace(points, names=NAMELESS), metres), ReadOptions())
    assert found == metres and finding.is_warning
    assert "but they may be" in finding.message and "--scale" in finding.message


def test_a_spread_that_fits_no_unit_is_a_guess():
    found, (finding,) = point_units.find(in_units(face_points(), 1e-7), ReadOptions())
    assert found == 0.001 and finding.is_warning and "unusual in any unit" in finding.message


def test_points_at_one_place_tell_no_unit():
    found, (finding,) = point_units.find(PointMotion(("C7",), np.ones((5, 1, 3)), 60), ReadOptions())
    assert found == 1.0 and finding.is_warning and "no spread" in finding.message


def test_the_spread_is_that_of_frames_in_which_most_points_are_there():
    motion = with_gaps(body_points(400), *((point, 50, 350) for point in range(1, 6)))
    assert point_units.measure_spread(motion) == pytest.approx(point_units.measure_spread(body_points(400)), rel=0.01)


def test_a_given_unit_comes_before_that_of_the_file_and_both_are_doubted_where_no_face_is_so_large():
    motion = in_units(face_points(), 0.01)
    assert point_units.find(motion, ReadOptions(scale=0.02), 0.01)[0] == 0.02
    found, (finding,) = point_units.find(motion, ReadOptions(), 1.0)
    assert found == 1.0 and finding.is_warning and "as the file states" in finding.message
    assert not point_units.find(motion, ReadOptions(), 0.01)[1][0].is_warning


@pytest.mark.parametrize("up", ["x", "y", "z", "-x", "-y", "-z"])
@pytest.mark.parametrize("make_points", [body_points, face_points])
def test_heads_are_above_feet_and_brows_above_chins(make_points, up):
    motion = make_points()
    motion = replace(motion, positions=turn(motion.positions, up, back=True))
    found, (finding,) = point_up.find(motion, ReadOptions(), None)
    assert found == up and not finding.is_warning
    np.testing.assert_array_equal(turn(motion.positions, up), make_points().positions)


def test_an_axis_that_is_stated_or_given_is_taken_and_doubted_where_names_contradict():
    motion = body_points()
    assert point_up.find(motion, ReadOptions(), "y")[1][0].is_warning is False
    for options, stated in ((ReadOptions(), "z"), (ReadOptions(up="z"), "y")):
        up, (finding,) = point_up.find(motion, options, stated)
        assert up == "z" and finding.is_warning and "'LFHD' is above 'LANK' along y" in finding.message


def test_without_telling_names_y_is_assumed():
    up, (finding,) = point_up.find(replace(body_points(), names=NAMELESS), ReadOptions(), None)
    assert up == "y" and finding.is_warning
    turned = body_points().positions @ np.array([[1, 0, 0], [0, 0.7071, 0.7071], [0, -0.7071, 0.7071]])
    assert point_up.find(replace(body_points(), positions=turned), ReadOptions(), None)[1][
        0
    ].is_warning  # neither along y nor along z


def test_turning_there_and_back_changes_no_digit_and_keeps_hands():
    points = np.random.default_rng(0).normal(size=(4, 5, 3))
    for up in ("x", "y", "z", "-x", "-y", "-z"):
        np.testing.assert_array_equal(turn(turn(points, up), up, back=True), points)
        assert np.linalg.det(turn(np.eye(3), up)) == pytest.approx(1.0)
