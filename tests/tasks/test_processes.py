"""Running work here and in worker processes."""

import math
import os
import signal
import subprocess
import sys
import time
import types
from functools import partial
from multiprocessing.connection import Connection

import psutil
import pytest

from motionloom.tasks import Outcome, run_all, try_all, worker_pool
from motionloom.tasks.worker_pool import WorkerDied, WorkersFailed

PATIENCE = 60.0  # seconds
FOREVER = 3600.0  # seconds: longer than any test waits


@pytest.mark.parametrize("workers", [0, 1, 2, 5, None])
def test_results_come_in_the_order_of_the_items_however_many_workers_there_are(workers):
    items = list(range(23))
    assert list(run_all(math.sqrt, items, workers=workers)) == [math.sqrt(i) for i in items]


def test_results_come_in_order_when_the_first_item_takes_longest():
    commands = ["sleep 0.3; exit 1", *(f"exit {i}" for i in range(2, 9))]
    codes = [os.waitstatus_to_exitcode(status) for status in run_all(os.system, commands, workers=2)]
    assert codes == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("workers", [1, 2])
def test_no_items_give_no_results(workers):
    assert list(run_all(math.sqrt, [], workers=workers)) == []


@pytest.mark.parametrize("workers", [0, 2])
def test_an_item_that_fails_brings_its_error_and_does_not_stop_the_others(workers):
    good, bad, also_good = try_all(math.sqrt, [4, -1, 9], workers=workers)
    assert (good, also_good) == (Outcome(4, 2.0), Outcome(9, 3.0))
    assert bad.item == -1
    assert isinstance(bad.error, ValueError)


@pytest.mark.parametrize("workers", [0, 2])
def test_run_all_raises_the_error_of_the_first_item_that_fails(workers):
    results = run_all(math.sqrt, [4, -1, 9], workers=workers)
    assert next(results) == 2.0
    with pytest.raises(ValueError, match="math domain"):
        next(results)


@pytest.mark.parametrize("workers", [0, 2])
def test_progress_counts_every_item_once(workers):
    seen = []
    list(run_all(math.sqrt, range(7), workers=workers, progress=lambda done, total: seen.append((done, total))))
    assert seen == [(i, 7) for i in range(1, 8)]


def test_a_preparation_that_fails_does_not_stop_the_work():
    assert list(run_all(math.sqrt, [1, 4], workers=2, prepare=math.sqrt)) == [1.0, 2.0]


def test_workers_have_one_blas_thread():
    assert set(run_all(os.getenv, ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"], workers=2)) == {"1"}


def test_a_worker_that_dies_is_reported_with_its_item_and_the_others_go_on():
    outcomes = list(try_all(os.system, ["true", "kill -9 $PPID", "true", "true"], workers=2))
    assert [outcome.item for outcome in outcomes] == ["true", "kill -9 $PPID", "true", "true"]
    assert isinstance(outcomes[1].error, WorkerDied)
    assert [outcome.error for outcome in outcomes if outcome.item == "true"] == [None, None, None]


def test_when_all_workers_die_every_item_says_so():
    outcomes = list(try_all(os.system, ["kill -9 $PPID"] * 5, workers=2))
    assert all(isinstance(outcome.error, WorkerDied) for outcome in outcomes)
    assert len(outcomes) == 5


def test_a_function_or_an_item_that_cannot_travel_is_an_error_and_leaves_nothing_running():
    with pytest.raises((AttributeError, TypeError)):
        list(run_all(lambda x: x, [1, 2], workers=2))
    outcomes = list(try_all(repr, [1, lambda x: x, 3], workers=2))
    assert [outcome.result for outcome in outcomes] == ["1", None, "3"]
    assert outcomes[1].error is not None
    assert not psutil.Process().children(recursive=True)


def test_nothing_is_left_running_when_the_results_are_not_taken():
    results = run_all(time.sleep, [0.0] + [FOREVER] * 5, workers=2)
    next(results)
    children = psutil.Process().children(recursive=True)
    assert len(children) == 3  # one that forks, two that work
    results.close()
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert not alive


SLEEPER = f"""
import time
from motionloom.tasks import run_all
for result in run_all(time.sleep, [0.0, {FOREVER}, {FOREVER}], workers=2):
    print("one", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_boss_however_it_ends(how):
    boss = subprocess.Popen(
        [sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with boss:
        assert boss.stdout.readline() == "one\n"
        crew = psutil.Process(boss.pid).children(recursive=True)
        assert len(crew) == 3
        boss.send_signal(how)
        boss.wait(timeout=PATIENCE)
    assert not _still_working(crew, seconds=PATIENCE)


def _still_working(processes, seconds):
    """Those that do not end in time; one that nobody waited for has ended all the same."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(_works(process) for process in processes):
        time.sleep(0.02)
    return [process for process in processes if _works(process)]


def _works(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_script_without_a_main_guard_can_use_workers_and_its_own_functions(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import math\n"
        "from motionloom.tasks import run_all\n"
        "def own(x): return x + 1\n"
        "print(sum(run_all(math.sqrt, [1, 4, 9], workers=2)))\n"
        "print(list(run_all(own, [1, 2], workers=2)))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout.splitlines() == ["6.0", "[2, 3]"]


def test_workers_import_nothing_from_the_current_folder_by_accident(tmp_path):
    for module in ("random", "pickle", "signal", "numpy", "motionloom"):
        (tmp_path / f"{module}.py").write_text("raise RuntimeError('not this one')\n")
    script = "import math; from motionloom.tasks import run_all; print(sum(run_all(math.sqrt, [1, 4, 9], workers=2)))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True, timeout=PATIENCE, cwd=tmp_path
    )
    assert (done.stdout, done.stderr) == ("6.0\n", "")


@pytest.mark.parametrize("way", ["beside the script", "in the current folder", "on a path of its own"])
def test_functions_are_found_where_the_boss_found_them(tmp_path, way):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "own.py").write_text("def double(x): return 2 * x\n")
    work = "from motionloom.tasks import run_all; import own; print(list(run_all(own.double, [1, 2], workers=2)))"
    command, cwd = ["-c", work], folder
    if way == "beside the script":
        (folder / "script.py").write_text(work)
        command, cwd = [str(folder / "script.py")], tmp_path
    elif way == "on a path of its own":
        command, cwd = ["-c", f"import sys; sys.path.insert(0, {str(folder)!r}); {work}"], tmp_path
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=True, timeout=PATIENCE, cwd=cwd
    )
    assert done.stdout == "[2, 4]\n"


def test_workers_that_cannot_begin_say_so_once(tmp_path, monkeypatch):
    module = types.ModuleType("only_here")
    exec("def double(x): return 2 * x", module.__dict__)
    monkeypatch.setitem(sys.modules, "only_here", module)
    with pytest.raises(WorkersFailed, match=r"only_here.*workers=1") as error:
        list(try_all(module.double, [1, 2, 3], workers=2))
    assert "\n" not in str(error.value)
    assert not psutil.Process().children(recursive=True)


def test_workers_that_do_not_begin_in_time_say_so_once(monkeypatch):
    monkeypatch.setattr(worker_pool, "GREETING_LIMIT", 0.2)
    with pytest.raises(WorkersFailed, match=r"did not begin within 0\.2 seconds.*workers=1"):
        list(try_all(math.sqrt, [1, 2, 3], workers=2, prepare=partial(time.sleep, FOREVER)))
    assert not psutil.Process().children(recursive=True)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryError])
def test_nothing_is_left_running_when_the_workers_cannot_be_set_up(monkeypatch, error):
    def fail(connection, content):
        raise error

    monkeypatch.setattr(Connection, "send_bytes", fail)
    with pytest.raises(error):
        list(try_all(math.sqrt, [1, 2, 3], workers=2))
    assert not psutil.Process().children(recursive=True)


LEAVES_SOMETHING_BEHIND = f"""
import os
from motionloom.tasks import try_all
for outcome in try_all(os.system, ["sleep {FOREVER:.0f} & kill -9 $PPID", "true", "true"], workers=2):
    print(type(outcome.error).__name__, flush=True)
"""


def test_a_worker_that_dies_is_noticed_though_what_it_has_started_lives_on():
    done = subprocess.run(
        [sys.executable, "-c", LEAVES_SOMETHING_BEHIND], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout.split() == ["WorkerDied", "NoneType", "NoneType"]


def test_workers_that_end_at_once_say_so_once(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(WorkersFailed, match="ended before they began"):
        list(try_all(math.sqrt, [1, 2, 3], workers=2))
