"""Contacts over joins: feet that a join takes up with it do not stand."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import Generated, Piece, assemble
from motionloom.assembly.playing.join_contacts import LIFTED
from motionloom.motion import Motion

FRAMES = 60  # of each piece


@pytest.fixture
def still(make) -> Motion:
    """A person who does not move at all."""
    motion = make.motion(n_frames=FRAMES)
    return replace(
        motion,
        root_positions=np.repeat(motion.root_positions[:1], FRAMES, axis=0),
        local_rotations=np.repeat(motion.local_rotations[:1], FRAMES, axis=0),
    )


def standing(plans, still: Motion, up: float, kind: str = "displacement") -> np.ndarray:
    """(120, 4) contacts of a person who stands, and then stands so many metres higher."""
    higher = replace(still, root_positions=still.root_positions + [0.0, up, 0.0])
    always = np.ones((FRAMES, 4), bool)
    pieces = [Piece(Generated(motion, "statue", contacts=always), 0, FRAMES) for motion in (still, higher)]
    return assemble(plans.of(pieces, kind, 0.4), footplants=None).contacts


def test_feet_on_one_level_stand_through_a_join(plans, still):
    assert standing(plans, still, 0.0).all()
    assert standing(plans, still, 1.9 * LIFTED).all()  # each side goes half of the way


@pytest.mark.parametrize("kind, sides", [("displacement", "both"), ("arrive", "before"), ("inertialize", "after")])
def test_feet_that_a_join_takes_to_another_level_are_in_the_air(plans, still, kind, sides):
    contacts = standing(plans, still, 0.5, kind)
    before, after = contacts[:FRAMES], contacts[FRAMES:]
    assert before[: FRAMES - 24].all() and after[24:].all()  # as far as the join does not reach
    assert before.all() == (sides == "after") and after.all() == (sides == "before")
    flags = contacts[:, 0].astype(int)
    assert (np.abs(np.diff(flags)).sum()) == 2  # one time in the air


def test_what_is_left_of_a_contact_is_long_enough_to_be_a_step(plans, still):
    for up in np.linspace(0.1, 1.0, 10):
        column = standing(plans, still, float(up))[:, 2].astype(int)
        lengths = np.diff(np.flatnonzero(np.diff(np.concatenate([[0], column, [0]]))))[::2]
        assert (lengths >= 4).all()
