"""Threads that go over tiles, and what they leave behind; and motions one after the other."""

import threading

import numpy as np
import pytest

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, resample
from motionloom.similarity import stack
from motionloom.similarity.tiles import run_tiles, split


def test_answers_come_in_the_order_of_the_jobs_and_each_thread_has_memory_of_its_own():
    seen = {}

    def square(job, scratch):
        seen.setdefault(threading.get_ident(), set()).add(id(scratch))
        return job * job

    assert run_tiles(square, list(range(50)), threads=4) == [k * k for k in range(50)]
    assert run_tiles(lambda job, _: job, []) == []
    assert all(len(scratches) == 1 for scratches in seen.values())


def test_pieces_cover_a_range_once():
    pieces = split(3, 100, 32)
    assert [(p.start, p.stop) for p in pieces] == [(3, 35), (35, 67), (67, 99), (99, 100)]
    assert split(5, 5, 10) == []


def test_motions_are_stacked_one_after_the_other(make):
    motions = [make.motion(5, seed=1), make.motion(8, seed=2)]
    stacked = stack(motions)
    assert stacked.starts.tolist() == [0, 5, 13]
    np.testing.assert_allclose(stacked.positions[5:, 0], motions[1].root_positions)
    np.testing.assert_array_equal(stacked.local_rotations[:5], motions[0].local_rotations)


def test_motions_that_do_not_belong_together_are_refused(make):
    motion = make.motion(5)
    other = Motion(make.skeleton(4), motion.root_positions, motion.local_rotations, motion.fps)
    with pytest.raises(SkeletonMismatch, match=r"of motion 1 .* differs from"):
        stack([motion, other])
    with pytest.raises(BadInput, match="frame rate 30 fps"):
        stack([motion, resample(motion, 30)])
    with pytest.raises(BadInput, match="at least one"):
        stack([])
