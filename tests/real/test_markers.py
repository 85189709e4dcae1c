"""Bodies from markers on recordings: markers put on them, spoilt and fitted."""

import numpy as np
import pytest
from benchmarks.faces.fitting import SIX, joint_errors, measure, read, spoil
from benchmarks.faces.upper_body import upper_body_markers

from motionloom import formats
from motionloom.markers import fit_markers, full_body_markers, put_on
from motionloom.motion import cut


@pytest.mark.parametrize("take", ["16_21", "14_02"])
def test_joints_of_spoilt_markers_are_within_eight_millimetres(data, take):
    assert measure(data, (take,)).errors.mean() < 0.008


def test_lying_bodies_are_found_too(data):
    assert measure(data, ("16_21",), lies=True).errors.mean() < 0.008


def test_bodies_that_roll_over_the_floor_are_followed(data):
    motion = formats.read(data / "odd" / "90_18.bvh").motion
    motion = cut(motion, 1, min(motion.n_frames, 900))
    markers = full_body_markers(motion.skeleton)
    fitted = fit_markers(motion.skeleton, spoil(put_on(motion, markers), np.random.default_rng(0)), markers)
    errors = joint_errors(fitted, motion)
    assert errors.mean() < 0.008
    assert np.percentile(errors, 99) < 0.06


def test_six_markers_are_met_though_they_do_not_tell_the_body(data):
    motion = read(data, "16_21")
    markers = full_body_markers(motion.skeleton).only(SIX)
    fitted = fit_markers(motion.skeleton, put_on(motion, markers), markers)
    assert fitted.report.mean < 0.01
    assert joint_errors(fitted, motion).mean() < 0.1


def test_an_incomplete_set_tells_what_it_carries_and_the_rest_is_named(data):
    motion = read(data, "14_02")
    motion = cut(motion, 0, 600)
    markers = upper_body_markers(motion.skeleton)
    fitted = fit_markers(motion.skeleton, spoil(put_on(motion, markers), np.random.default_rng(0)), markers)
    assert joint_errors(fitted, motion).mean() < 0.008
    assert {"LeftLeg", "RightLeg", "Head", "LeftForeArm"} <= set(fitted.report.held)
    assert not {"Hips", "RightArm", "RightForeArm"} & set(fitted.report.held)
