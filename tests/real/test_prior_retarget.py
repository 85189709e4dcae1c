"""Retargeting of recorded walks with a prior: feet at their scaled places, poses of the source, nothing kept back."""

from functools import cache

import numpy as np
import pytest
from benchmarks.dynamics.bodies import with_limbs
from benchmarks.dynamics.retargeting import feet_error
from benchmarks.retarget.rigs import RIGS

from motionloom import formats
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_footing, find_floor
from motionloom.methods.dynamics.prepare import thinned
from motionloom.methods.dynamics.prior.learning import LearningSettings, learn
from motionloom.methods.dynamics.retargeting.comparison import bone_errors
from motionloom.methods.dynamics.retargeting.prior_retarget import retarget_with_prior
from motionloom.retarget import retarget_motion

pytestmark = pytest.mark.real
LEARNT = ("16_24", "16_33")  # turning walks that are not retargeted
# A heel that slides in the kit's own motion, hands that swing past the hips, and a jolt of the recording's hips.
WALKS = {
    "legs 1.25 times": ("16_29", lambda skeleton: with_limbs(skeleton, legs=1.25)),
    "arms 1.3 times": ("16_17", lambda skeleton: with_limbs(skeleton, arms=1.3)),
    "child": ("16_17", lambda skeleton: RIGS["child"]()),
    "legs 0.7 times": ("16_22", lambda skeleton: with_limbs(skeleton, legs=0.7)),
}


@pytest.fixture(scope="module", params=WALKS)
def walk(request, data):
    """A source, its contacts and floor, the kit's own motion and the one with a prior."""
    take, build = WALKS[request.param]
    source, floor, contacts, kit = _retargeted(data, take, build)
    learnt = [thinned(_retargeted(data, other, build)[3].motion, 2) for other in LEARNT]
    prior = learn(learnt, LearningSettings(dimensions=20)).prior
    return source, contacts, floor, kit, retarget_with_prior(source, kit, prior, contacts=contacts)


def _retargeted(data, take, build):
    source = _read(data / "cmu" / "locomotion_optim" / f"{take}.bvh")
    floor = find_floor(source)
    contacts, footing = detect_footing(source, floor)
    body = build(source.skeleton)
    return (
        source,
        floor,
        contacts,
        retarget_motion(source, body, floor_height=floor, contacts=contacts, footing=footing),
    )


@cache
def _read(path):
    return formats.read(path).motion


def test_feet_of_recorded_walks_are_at_their_scaled_places(walk):
    source, contacts, floor, kit, made = walk
    assert not made.is_kept
    errors = [feet_error(source, each, contacts, floor, like=kit.motion) for each in (made.motion, kit.motion)]
    assert errors[0] < 1e-3 < errors[1]


def test_feet_in_the_air_are_no_deeper_in_the_floor_than_the_kits(walk):
    _, _, floor, kit, made = walk
    own, heights = (foot_points(each, floor, like=kit.motion)[..., 1] - floor for each in (kit.motion, made.motion))
    assert (heights >= np.minimum(own, 0.0) - 1e-3).all()


def test_bones_of_recorded_walks_point_as_they_did(walk):
    source, _, _, _, made = walk
    assert bone_errors(source, made.motion) < 3.0
