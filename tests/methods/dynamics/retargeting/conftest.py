"""A walk, bodies of other proportions, and a prior on each of them."""

import pytest

from motionloom.features.contacts import detect_contacts
from motionloom.methods.dynamics.prepare import thinned
from motionloom.methods.dynamics.prior.learning import LearningSettings, learn
from motionloom.motion import cut
from motionloom.retarget import retarget_motion


@pytest.fixture(scope="session")
def walk(make):
    """Three seconds of a walk, and its contacts."""
    motion = cut(make.demo_take("walk/normal_1").motion, 60, 241)
    return motion, detect_contacts(motion, 0.0)


@pytest.fixture(scope="session")
def learnt(make):
    """Learns a prior on a skeleton from a walk that is not the tested one."""
    kept = {}

    def on(skeleton, take="walk/stop_and_go"):
        key = skeleton.digest, take
        if key not in kept:
            motion = make.demo_take(take).motion
            carried = retarget_motion(motion, skeleton, contacts=detect_contacts(motion, 0.0)).motion
            kept[key] = learn([thinned(carried, 2)], LearningSettings(dimensions=20)).prior
        return kept[key]

    return on
