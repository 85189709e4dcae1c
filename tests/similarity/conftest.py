"""Motions for the tests of this room: a few takes of one person that come back to where they were."""

import numpy as np
import pytest

from motionloom.motion import Placement, concatenate, cut, place
from motionloom.similarity import Stack, stack


@pytest.fixture(scope="session")
def some(make) -> Stack:
    """Four takes of 37 to 90 frames; the third is the first one again, elsewhere, and 3 frames long is the last."""
    first = make.motion(90, seed=1, wildness=0.4)
    other = make.motion(61, seed=2, wildness=0.4)
    again = place(cut(first, 20, 57), Placement(2.5, np.array([4.0, -7.0])))
    return stack([first, other, again, cut(other, 10, 13)])


@pytest.fixture(scope="session")
def still(make) -> Stack:
    """Two takes with a pose that is held: many pairs are exactly as far apart as their neighbours."""
    moving = make.motion(30, seed=3)
    held = concatenate([cut(moving, 12, 13)] * 25)
    return stack([concatenate([cut(moving, 0, 12), held, cut(moving, 12, 30)]), concatenate([held, moving])])
