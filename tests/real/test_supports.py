"""What feet stand on in real recordings: steps, ladders, stools; and nothing where they stand on the floor."""

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import compute_layers
from motionloom.features.contacts import detect_contacts
from motionloom.features.floor import estimate_floor
from motionloom.features.foot_strikes import feet_down

pytestmark = pytest.mark.real

LAYERS = ("contacts", "contact_heights", "supports")
STEPS = ("everyday/13_35", "everyday/13_36", "everyday/13_37", "everyday/143_17", "everyday/114_08")
CLIMBS = (*STEPS, "everyday/13_33", "everyday/143_37", "everyday/36_37", "everyday/40_09")
LEVEL = (  # kicks, sneaking, a high stool to sit on, lunges, a leg held up, breakdance, hops, jumps, an uneven floor
    "everyday/143_24",
    "sneak/77_29",
    "everyday/13_01",
    "everyday/13_02",
    "martial_arts/144_11",
    "styles/136_17",
    "breakdance/85_05",
    "breakdance/85_12",
    "locomotion_optim/49_02",
    "football_like/143_05",
    "everyday/56_08",
)


def layers_of(data, name):
    motion = formats.read(data / "cmu" / f"{name}.bvh").motion
    floor = estimate_floor(motion)
    return motion, floor, compute_layers(motion, floor, LAYERS)


@pytest.mark.parametrize("name", STEPS)
def test_each_foot_rests_on_steps_about_as_long_as_it_does_in_walking(data, name):
    *_, layers = layers_of(data, name)
    shares = feet_down(layers["contacts"]).mean(axis=0)
    assert (shares > 0.5).all() and (shares < 0.85).all(), shares
    assert feet_down(layers["contacts"]).any(axis=1).mean() > 0.95


@pytest.mark.parametrize("name", CLIMBS)
def test_what_feet_climb_on_is_found(data, name):
    _, floor, layers = layers_of(data, name)
    tops = layers["supports"][:, 5] - floor
    assert len(tops) >= 2 and (tops > 0.1).all() and (tops < 1.0).all(), tops
    resting = layers["contact_heights"][layers["contacts"]]
    assert np.isfinite(resting).all() and np.isnan(layers["contact_heights"][~layers["contacts"]]).all()
    assert set(np.round(np.unique(resting), 4)) == set(np.round([np.float32(floor), *layers["supports"][:, 5]], 4))


def test_three_steps_are_three_supports(data):
    for name in STEPS[:3]:
        _, floor, layers = layers_of(data, name)
        np.testing.assert_allclose(np.sort(layers["supports"][:, 5]) - floor, [0.2, 0.4, 0.62], atol=0.03)


@pytest.mark.parametrize("name", LEVEL)
def test_where_feet_stand_on_the_floor_alone_contacts_are_what_they_were(data, name):
    motion, floor, layers = layers_of(data, name)
    assert layers["supports"].shape == (0, 7)
    np.testing.assert_array_equal(layers["contacts"], detect_contacts(motion, floor))
    np.testing.assert_array_equal(
        layers["contact_heights"], np.where(layers["contacts"], np.float32(floor), np.float32(np.nan))
    )
