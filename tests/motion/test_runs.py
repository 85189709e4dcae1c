"""Runs of frames in which something is true, or stays the same."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from motionloom.motion import find_runs
from motionloom.motion.runs import find_equal_runs


@given(hnp.arrays(bool, st.integers(0, 40)))
def test_runs_rebuild_the_flags_they_came_from(flags):
    rebuilt = np.zeros_like(flags)
    for start, stop in find_runs(flags):
        assert start < stop
        assert not rebuilt[max(start - 1, 0) : stop].any()  # runs come in order and do not touch
        rebuilt[start:stop] = True
    np.testing.assert_array_equal(rebuilt, flags)


@given(hnp.arrays(int, st.integers(0, 40), elements=st.integers(-1, 1)))
def test_equal_runs_rebuild_the_values_they_came_from(values):
    runs = find_equal_runs(values)
    assert [value for start, stop, value in runs for _ in range(start, stop)] == values.tolist()
    assert [stop for _, stop, _ in runs[:-1]] == [start for start, _, _ in runs[1:]]
    assert all(first != second for (*_, first), (*_, second) in zip(runs, runs[1:]))  # no run could be longer
