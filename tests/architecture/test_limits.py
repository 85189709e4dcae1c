"""No test waits for ever, and Ctrl-C reaches all of them."""

import signal
import subprocess
import sys
import time

import pytest

REPORT = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"


def test_every_test_has_a_limit_and_shows_where_it_stands_before(pytestconfig):
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < float(pytestconfig.getini("faulthandler_timeout")) < left


def test_a_test_that_waits_for_ever_fails():
    limit = signal.getitimer(signal.ITIMER_REAL)
    with pytest.raises(TimeoutError, match="test_a_test_that_waits_for_ever_fails takes longer"):
        signal.setitimer(signal.ITIMER_REAL, 0.01, 10.0)
        time.sleep(60)
    signal.setitimer(signal.ITIMER_REAL, *limit)


def test_ctrl_c_is_not_ignored_here_nor_in_what_tests_start():
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    started = subprocess.run([sys.executable, "-c", REPORT], capture_output=True, text=True, timeout=60, check=True)
    assert started.stdout == "True\n"
