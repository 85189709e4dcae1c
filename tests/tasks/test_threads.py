"""Threads that run compiled work, and what they leave behind."""

import threading
import time

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from motionloom.errors import BadInput
from motionloom.tasks import count_cores, count_threads, one_thread_per_product, run_threads


def blas_threads():
    return {info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"}


@pytest.mark.parametrize("threads", [1, 4])
def test_results_come_in_the_order_of_the_items(threads):
    assert run_threads(lambda job: job * job, list(range(50)), threads=threads) == [k * k for k in range(50)]
    assert run_threads(lambda job: job, []) == []


def test_an_error_in_a_thread_reaches_the_caller():
    def fail(job):
        raise BadInput(f"job {job}")

    for threads in (1, 2):
        with pytest.raises(BadInput, match="job 0"):
            run_threads(fail, [0, 1, 2], threads=threads)


def test_who_watches_the_progress_can_stop_the_work():
    ran = []

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_threads(lambda job: (time.sleep(0.001), ran.append(job)), list(range(2000)), threads=2, progress=stop)
    assert len(ran) < 1000


def test_worker_processes_stay_on_one_thread(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    names = run_threads(lambda job: threading.current_thread().name, list(range(20)))
    assert len(set(names)) == 1
    assert count_threads() == 1 <= count_cores()


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
