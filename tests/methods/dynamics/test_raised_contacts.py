"""Feet that rest above the floor."""

import numpy as np
import pytest

from motionloom.assembly import prepare_for, realize, solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics.demands.contact_demands import Contacts, RestingPoint
from motionloom.methods.dynamics.demands.raised_contacts import ground_levels
from motionloom.methods.dynamics.trajectory.posed import Spot

STEP = 0.6  # metres from one place to the next
RISE = 0.12  # metres of each stair


@pytest.fixture(scope="module")
def walks(tmp_path_factory, make):
    return make.demo_corpus(tmp_path_factory.mktemp("raised") / "corpus", ["walk/normal_1", "walk/brisk"])


def stairs(rise):
    """Steps of alternate feet, a stair each, that look along +z; nothing else is asked."""
    contacts = []
    for number, side in enumerate(("left", "right", "left", "right")):
        begins, x, height = 0.55 * number, 0.09 if side == "left" else -0.09, rise * number
        heel = {"joint": f"{side}_heel", "from": f"{begins:.2f}s", "to": f"{begins + 0.45:.2f}s"}
        ball = {"joint": f"{side}_ball", "from": f"{begins + 0.05:.2f}s", "to": f"{begins + 0.65:.2f}s"}
        contacts += [heel | {"place": [x, STEP * number], "height": height}, ball | {"height": height}]
    return dynamics.Request.from_data(
        {
            "length": "2.3s",
            "contacts": contacts,
            "root": [{"at": ["0s", "1.1s", "end"], "heading": 0}],
            "prior": {"takes": ["walk/*"]},
        }
    )


def test_a_walk_goes_up_stairs_that_contacts_ask_for(walks):
    flat, up = stairs(0.0), stairs(RISE)
    model = prepare_for(dynamics, walks, up)
    made = realize(dynamics, solve(dynamics, model, up)[0], model)
    level = realize(dynamics, solve(dynamics, model, flat)[0], model)

    heights = made.motion.root_positions[:, 1] - level.motion.root_positions[:, 1]
    assert heights[-1] - heights[0] == pytest.approx(3 * RISE, abs=0.06)
    assert not [part.name for part in made.report.parts if not part.met]
    assert sorted({round(support.box.top, 3) for support in made.character.footing.supports}) == [0.12, 0.24, 0.36]
    assert not level.character.footing.supports


def test_the_ground_rises_between_the_heights_that_were_asked_for():
    def resting(start, stop, height):
        return RestingPoint("foot", Spot(0), start, stop, 0, (np.nan, height, np.nan))

    low, high, anywhere = resting(0, 11, 0.0), resting(20, 31, 0.4), resting(40, 51, np.nan)
    levels = ground_levels(Contacts(60, (low, high, anywhere), True), 0.0, 60)
    assert levels[:6].tolist() == [0.0] * 6
    assert levels[15] == pytest.approx(0.2)
    assert (levels[25:] == 0.4).all()
    assert not ground_levels(Contacts(60, (resting(0, 11, 0.02), anywhere), True), 0.0, 60).any()
