"""Thresholds in metres are scaled for bodies that are no adults."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import KINDS, perform_supports

from motionloom.features.body_size import ADULT_LEGS, body_height, size_factor
from motionloom.features.contacts import ContactSettings, detect_contacts
from motionloom.features.flips import find_flips
from motionloom.features.supported_contacts import SupportSettings, detect_supports
from motionloom.motion import Motion, Skeleton, kinematics, rotations


def with_legs(make, metres):
    skeleton = make.skeleton()
    return skeleton.scaled(metres / skeleton.leg_length)


def scaled(motion, factor):
    return replace(motion, skeleton=motion.skeleton.scaled(factor), root_positions=motion.root_positions * factor)


def test_adults_have_the_size_of_one_and_others_are_continuous_with_them(make):
    for leg in np.linspace(*ADULT_LEGS, 9):
        assert size_factor(with_legs(make, leg)) == pytest.approx(1.0, abs=1e-12)
    factors = [size_factor(with_legs(make, leg)) for leg in np.linspace(0.2, 2.0, 400)]
    assert (np.diff(factors) > -1e-12).all() and np.diff(factors).max() < 0.01
    assert size_factor(with_legs(make, ADULT_LEGS[0] / 2)) == pytest.approx(0.5)
    assert size_factor(with_legs(make, ADULT_LEGS[1] * 2)) == pytest.approx(2.0)
    assert size_factor(Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))) == 1.0


def test_thresholds_of_adults_and_giants_are_the_very_same(make):
    for settings in (ContactSettings(), SupportSettings()):
        for leg in (0.72, 0.85, 1.04, 1.5):
            assert settings.for_body(with_legs(make, leg)) is settings
        assert settings.for_body(with_legs(make, 0.35)) != settings
    half = SupportSettings().for_body(with_legs(make, ADULT_LEGS[0] / 2))
    assert half.clear == pytest.approx(0.025) and half.contacts.slow == pytest.approx(0.1)
    assert (half.stretched, half.alone, half.contacts.near) == (0.75, 0.15, 0.25)  # shares, seconds, the floor's error


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [0.5, 0.6, 0.7])
def test_supports_of_small_bodies_are_found_as_those_of_adults(kind, size):
    scores = []
    for seed in (80, 81, 82, 83):
        walk = perform_supports(kind, seed, size=size)
        found = detect_supports(walk.motion, 0.0).contacts
        hits = (found & walk.contacts).sum()
        scores.append(2 * hits / (2 * hits + (found ^ walk.contacts).sum()))
    assert np.mean(scores) >= 0.97


@pytest.mark.parametrize("factor", [0.3, 0.6])
def test_contacts_do_not_depend_on_the_size_of_small_bodies(make_walk, factor):
    """A body of half the size of another small one, with half its speeds, has the same contacts."""
    motion = scaled(make_walk().motion, 0.7)
    smaller = scaled(motion, factor)
    np.testing.assert_array_equal(detect_contacts(smaller, 0.0), detect_contacts(motion, 0.0))


@pytest.mark.parametrize("size", [0.2, 0.4, 2.0, 4.0])
def test_flips_of_children_and_giants_are_those_of_adults(make, size):
    motion = make.motion(60, seed=1, wildness=0.3)
    local = motion.local_rotations.copy()
    for joint, degrees in (("left_hand", 60.0), ("right_knee", 14.0), ("left_shoulder", 80.0), ("head", 50.0)):
        index = motion.skeleton.index(joint)
        local[30:33, index] = rotations.multiply(local[30:33, index], rotations.exp(np.radians([degrees, 0, 0])))
    adult = Motion(motion.skeleton, motion.root_positions, local, motion.fps)
    # thresholds are those of the nearest adult
    nearest = scaled(adult, np.clip(size, *np.array(ADULT_LEGS) / adult.skeleton.leg_length))
    named = [(flip.joint, flip.frame, flip.is_short) for flip in find_flips(nearest)]
    assert named
    assert [(flip.joint, flip.frame, flip.is_short) for flip in find_flips(scaled(adult, size))] == named


def test_height_goes_with_the_legs_and_is_about_that_of_the_head(make):
    assert body_height(with_legs(make, 0.982)) == pytest.approx(2.0)
    person = make.skeleton()
    top = kinematics.world_positions(make.motion(1, wildness=0.0))[0, :, 1]
    assert body_height(person) == pytest.approx(top.max() - top.min(), rel=0.15)
    assert body_height(person.scaled(0.5)) == pytest.approx(0.5 * body_height(person))
