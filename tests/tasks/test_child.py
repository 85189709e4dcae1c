"""A process of ours: it is signalled only while it is ours, and its pipes come to their end with it."""

import os
import signal
import threading
import time

import psutil
import pytest

from motionloom.tasks.child import Child

PATIENCE = 30.0  # seconds
SLEEPER = "import time; time.sleep(3600)"
FLEEING = """
import os, sys, time
from multiprocessing.connection import Connection
connection = Connection(int(sys.argv[2]))
if os.fork() == 0:
    os.setsid()  # out of reach of whoever ends the group
    connection.send(os.getpid())
time.sleep(3600)
"""


@pytest.fixture
def start(tmp_path):
    """Starts a process that runs some lines of Python."""
    children = []

    def start(lines, **options):
        script = tmp_path / f"script_{len(children)}.py"
        script.write_text(lines)
        children.append(Child(script, **options))
        return children[-1]

    yield start
    for child in children:
        child.end()
        for connection in child.connections:
            connection.close()


@pytest.fixture
def signalled(monkeypatch):
    """The process groups that were sent a signal."""
    groups, kill = [], os.killpg

    def note(group, number):
        groups.append(group)
        kill(group, number)

    monkeypatch.setattr(os, "killpg", note)
    return groups


def wait_until(holds):
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.005)


def test_ending_kills_and_reaps_the_process_once(start, signalled):
    child = start(SLEEPER)
    assert child.is_alive()
    child.end()
    child.end()
    assert not child.is_alive()
    assert not psutil.pid_exists(child.pid)
    assert signalled == [child.pid]


def test_looking_at_a_process_that_died_leaves_its_number_ours(start, signalled):
    child = start(SLEEPER)
    os.kill(child.pid, signal.SIGKILL)
    wait_until(lambda: not child.is_alive())
    assert psutil.Process(child.pid).status() == psutil.STATUS_ZOMBIE  # no other process can get its number
    child.end()
    assert signalled == [child.pid]  # for what it may have started
    assert not psutil.pid_exists(child.pid)


@pytest.mark.parametrize("who", ["itself", "somebody else"])
def test_a_group_whose_leader_was_reaped_is_not_signalled(start, signalled, who):
    child = start(SLEEPER)
    os.kill(child.pid, signal.SIGKILL)
    if who == "itself":
        assert child.wait(PATIENCE) == -signal.SIGKILL
    else:
        os.waitpid(child.pid, 0)
    assert not child.is_alive()
    child.end()
    assert signalled == []


def test_a_reader_comes_to_the_end_though_another_process_holds_the_pipe(start):
    child = start(FLEEING)
    (connection,) = child.connections
    fled = connection.recv()
    try:
        ended = threading.Event()

        def read():
            with pytest.raises(EOFError):
                connection.recv_bytes()
            ended.set()

        threading.Thread(target=read, daemon=True).start()
        child.end()
        assert ended.wait(PATIENCE)
    finally:
        os.kill(fled, signal.SIGKILL)


def test_a_process_that_cannot_be_started_leaves_no_descriptors_open(monkeypatch, tmp_path):
    before = psutil.Process().num_fds()
    monkeypatch.setattr("sys.executable", str(tmp_path / "no_python"))
    with pytest.raises(FileNotFoundError):
        Child(tmp_path / "script.py", n_pipes=3)
    assert psutil.Process().num_fds() == before


def test_descriptors_are_closed_in_the_end(start):
    before = psutil.Process().num_fds()
    child = start(SLEEPER, n_pipes=2)
    child.end()
    for connection in child.connections:
        connection.close()
    assert psutil.Process().num_fds() == before
