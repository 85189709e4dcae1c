"""Units of children, adults and giants; a stated unit wins."""

import numpy as np
import pytest

from motionloom.formats.detection import units
from motionloom.formats.options import CMU_UNIT, ReadOptions
from motionloom.motion import Motion, rotations


def body(make, leg: float, metres_per_unit: float) -> Motion:
    """Somebody with legs of a length in metres, in a file with a unit."""
    skeleton = make.skeleton()
    skeleton = skeleton.scaled(leg / skeleton.leg_length / metres_per_unit)
    return Motion(skeleton, np.zeros((2, 3)), rotations.identity((2, skeleton.n_joints)), 60.0)


def found(motion: Motion, stated: float | None = None) -> tuple[float, bool]:
    metres, (finding,) = units.find(motion, ReadOptions(), stated)
    return metres, finding.is_warning


@pytest.mark.parametrize("leg", [0.43, 0.48, 0.55, 0.62, 0.70])
@pytest.mark.parametrize("metres_per_unit", [1.0, 0.01, 0.001], ids=["m", "cm", "mm"])
def test_children_are_not_turned_into_inches(make, leg, metres_per_unit):
    metres, is_warning = found(body(make, leg, metres_per_unit))
    assert metres == metres_per_unit
    assert is_warning == (leg < 0.6)


@pytest.mark.parametrize("leg", [1.0, 1.1, 1.2, 1.4, 1.8])
@pytest.mark.parametrize("metres_per_unit", [1.0, 0.01, 0.001], ids=["m", "cm", "mm"])
def test_giants_are_not_turned_into_feet_or_inches(make, leg, metres_per_unit):
    assert found(body(make, leg, metres_per_unit))[0] == metres_per_unit


@pytest.mark.parametrize("leg", [1.0, 1.1, 1.2])
def test_a_tall_body_in_cmu_units_is_not_turned_into_inches(make, leg):
    assert found(body(make, leg, CMU_UNIT))[0] == CMU_UNIT


@pytest.mark.parametrize("leg", np.round(np.random.default_rng(5).uniform(0.72, 0.96, 12), 3))
@pytest.mark.parametrize("metres_per_unit", [1.0, 0.01, 0.001, 0.0254, CMU_UNIT], ids=["m", "cm", "mm", "in", "cmu"])
def test_adults_are_recognised_in_every_unit_without_a_warning(make, leg, metres_per_unit):
    assert found(body(make, leg, metres_per_unit)) == (pytest.approx(metres_per_unit), False)


@pytest.mark.parametrize("leg", [0.3, 0.45, 0.8, 1.3, 1.9])
@pytest.mark.parametrize("stated", [0.01, 0.0254, CMU_UNIT])
def test_a_stated_unit_wins_for_every_body_that_there_is(make, leg, stated):
    metres, is_warning = found(body(make, leg, stated), stated)
    assert metres == stated and is_warning == (not 0.6 <= leg <= 1.06)


def test_a_stated_unit_that_gives_no_body_is_not_believed(make):
    assert found(body(make, 0.8, 0.01), 1.0)[0] == 0.01


def test_where_two_units_are_likely_both_are_named(make):
    _, (finding,) = units.find(body(make, 0.40, 0.01), ReadOptions())
    assert finding.is_warning and "inches" in finding.message and "centimetres" in finding.message


@pytest.mark.parametrize("metres_per_unit", [1.0, 0.01, 0.0254])
def test_a_skeleton_without_knees_is_measured_from_hip_to_ankle(make, metres_per_unit):
    motion = body(make, 0.83, metres_per_unit)
    lost = {"left_knee": None, "right_knee": None}
    kneeless = Motion(motion.skeleton.with_roles(lost), motion.root_positions, motion.local_rotations, 60.0)
    assert found(kneeless) == (metres_per_unit, False)
