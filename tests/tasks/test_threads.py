"""Threads that run compiled work, and what they leave behind."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from motionloom.errors import BadInput
from motionloom.tasks import count_cores, count_threads, one_thread_per_product, run_threads, threads

PATIENCE = 60.0  # seconds


def blas_threads():
    return {info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"}


@pytest.mark.parametrize("n_threads", [1, 4])
def test_results_come_in_the_order_of_the_items(n_threads):
    assert run_threads(lambda job: job * job, list(range(50)), threads=n_threads) == [k * k for k in range(50)]
    assert run_threads(lambda job: job, []) == []


def test_an_error_in_a_thread_reaches_the_caller():
    def fail(job):
        raise BadInput(f"job {job}")

    for n_threads in (1, 2):
        with pytest.raises(BadInput, match="job 0"):
            run_threads(fail, [0, 1, 2], threads=n_threads)


def test_who_watches_the_progress_can_stop_the_work(monkeypatch):
    ran, may_go_on = [], threading.Event()

    class Gated(ThreadPoolExecutor):
        """Lets the jobs that have begun go on once the others have been called off."""

        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            may_go_on.set()
            super().shutdown(wait=wait)

    def run(job):
        assert job == 0 or may_go_on.wait(PATIENCE)
        ran.append(job)

    def stop(done, total):
        raise KeyboardInterrupt

    monkeypatch.setattr(threads, "ThreadPoolExecutor", Gated)
    with pytest.raises(KeyboardInterrupt):
        run_threads(run, list(range(2000)), threads=2, progress=stop)
    assert set(ran) <= {0, 1, 2}  # the first, and those that the two threads had begun


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
