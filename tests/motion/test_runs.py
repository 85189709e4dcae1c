"""Runs of frames in which something is true."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from motionloom.motion import find_runs


@given(hnp.arrays(bool, st.integers(0, 40)))
def test_runs_rebuild_the_flags_they_came_from(flags):
    rebuilt = np.zeros_like(flags)
    for start, stop in find_runs(flags):
        assert start < stop
        assert not rebuilt[max(start - 1, 0) : stop].any()  # runs come in order and do not touch
        rebuilt[start:stop] = True
    np.testing.assert_array_equal(rebuilt, flags)
