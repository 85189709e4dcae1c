"""Comparison sheets: several bodies in the same frames."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Motion
from motionloom.render import ComparedBody, draw_comparison_sheet


def test_bodies_are_drawn_in_one_scale(make):
    motion = make.motion(20, wildness=0.1)
    small = Motion(motion.skeleton.scaled(0.5), 0.5 * motion.root_positions, motion.local_rotations, motion.fps)
    page = draw_comparison_sheet([ComparedBody("large", motion), ComparedBody("small", small)], "two", frames=[0, 10])
    assert page.dtype == np.uint8
    assert page.shape[1] == 1600
    upper, lower = np.array_split(page[64:].astype(int), 2)
    inked = [int((np.ptp(half, axis=-1) > 25).sum()) for half in (upper, lower)]  # tinted limbs
    assert inked[1] < 0.5 * inked[0]


def test_bodies_of_other_numbers_of_frames_are_refused(make):
    with pytest.raises(BadInput, match="as many frames"):
        draw_comparison_sheet([ComparedBody("one", make.motion(20)), ComparedBody("other", make.motion(21))])
    with pytest.raises(BadInput, match="as many frames"):
        draw_comparison_sheet([])
