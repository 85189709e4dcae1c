"""Threads that go over tiles, and what they leave behind; and motions one after the other."""

import threading
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, resample
from motionloom.similarity import stack
from motionloom.similarity.tiles import one_thread_per_product, run_threads, split


def blas_threads():
    return {info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"}


def test_answers_come_in_the_order_of_the_jobs():
    assert run_threads(lambda job, _: job * job, list(range(50)), threads=4) == [k * k for k in range(50)]
    assert run_threads(lambda job, _: job, []) == []


def test_an_error_in_a_thread_reaches_the_caller():
    def fail(job, _):
        raise BadInput(f"job {job}")

    with pytest.raises(BadInput, match="job 0"):
        run_threads(fail, [0, 1, 2])


def test_who_watches_the_progress_can_stop_the_work():
    ran = []

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_threads(lambda job, _: (time.sleep(0.001), ran.append(job)), list(range(2000)), threads=2, progress=stop)
    assert len(ran) < 1000


def test_worker_processes_stay_on_one_thread(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    names = run_threads(lambda job, _: threading.current_thread().name, list(range(20)))
    assert len(set(names)) == 1


def test_products_have_their_threads_back_afterwards_even_when_calls_overlap():
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        one, other = one_thread_per_product(), one_thread_per_product()
        one.__enter__()
        other.__enter__()
        assert blas_threads() == {1}
        one.__exit__(None, None, None)
        assert blas_threads() == {1}  # the other still counts on it
        other.__exit__(None, None, None)
        assert blas_threads() == before


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
    with pytest.raises(SkeletonMismatch, match="motion 1 has the skeleton"):
        stack([motion, other])
    with pytest.raises(BadInput, match="30 frames per second"):
        stack([motion, resample(motion, 30)])
    with pytest.raises(BadInput, match="at least one"):
        stack([])
