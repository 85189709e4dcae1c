"""Assistants: a process that keeps an object and runs its methods, tells of progress, stops when asked."""

import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection

import pytest

from motionloom.errors import BadInput
from motionloom.tasks import Assistant, AssistantDied, Stopped, channel
from motionloom.tasks.child import Child

PATIENCE = 30.0  # seconds
LONG = 1 << 24  # bytes of a message that is read in many pieces


class Desk:
    """What the tests let an assistant do."""

    def __init__(self, start=0):
        self.total = start

    def add(self, task, number):
        self.total += number
        return self.total

    def count(self, task, upto):
        for number in range(upto):
            task.progress(number, upto, "counting")
            task.send(number * number)
        return upto

    def wait(self, task):
        task.send("begun")
        while not task.stop():
            time.sleep(0.005)
        task.progress(0, 1)

    def fail(self, task, sentence):
        raise BadInput(sentence)

    def pid(self, task):
        return os.getpid()

    def stumble(self, task):
        return {}["nothing"]

    def unpicklable(self, task):
        return lambda: None

    def long_answer(self, task):
        return bytes(LONG)

    def unreadable(self, task):
        return OnlyAtHome()

    def weigh(self, task, load):
        return len(load)

    def end(self, task):
        os.kill(os.getpid(), signal.SIGKILL)


class OnlyAtHome:
    """Can be pickled anywhere, and loaded only in the process that made it."""

    def __init__(self):
        self.home = os.getpid()

    def __reduce__(self):
        return load_at_home, (self.home,)


def load_at_home(home):
    if os.getpid() != home:
        raise RuntimeError("far from home")
    return OnlyAtHome()


class Refusing:
    def __init__(self):
        raise BadInput("no room for a desk")


@pytest.fixture
def assistant():
    assistant = Assistant(Desk, 5)
    yield assistant
    assistant.close()


def answer(call):
    return call.future.result(PATIENCE)


def wait_until(holds):
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.005)


def test_the_object_keeps_what_it_has_between_calls(assistant):
    assert answer(assistant.call("add", {"number": 2})) == 7
    assert answer(assistant.call("add", {"number": 3})) == 10


def test_work_is_done_in_another_process(assistant):
    assert answer(assistant.call("pid")) == assistant.pid != os.getpid()


def test_progress_and_parts_are_heard_in_order_before_the_answer(assistant):
    heard = []
    call = assistant.call("count", {"upto": 4}, listener=lambda kind, data: heard.append((kind, data)))
    assert answer(call) == 4
    assert [data for kind, data in heard if kind == "part"] == [0, 1, 4, 9]
    assert [data for kind, data in heard if kind == "progress"] == [(float(n), 4.0, "counting") for n in range(4)]


def test_an_error_arrives_as_what_it_was(assistant):
    with pytest.raises(BadInput, match="that is no good"):
        answer(assistant.call("fail", {"sentence": "that is no good"}))
    assert answer(assistant.call("add", {"number": 1})) == 6


def test_a_listener_that_stumbles_fails_its_own_work_alone(assistant):
    def stumble(kind, data):
        raise ValueError("the page knows no such message")

    with pytest.raises(ValueError, match="no such message"):
        answer(assistant.call("count", {"upto": 3}, listener=stumble))
    assert answer(assistant.call("add", {"number": 1})) == 6


def test_a_bug_is_seen_in_the_terminal_and_a_refusal_is_not(assistant, capfd):
    with pytest.raises(KeyError):
        answer(assistant.call("stumble"))
    assert "in stumble" in capfd.readouterr().err
    with pytest.raises(BadInput):
        answer(assistant.call("fail", {"sentence": "that is no good"}))
    assert capfd.readouterr().err == ""


def test_an_answer_that_cannot_travel_is_an_error_and_not_the_end(assistant):
    with pytest.raises(RuntimeError):
        answer(assistant.call("unpicklable"))
    assert answer(assistant.call("add", {"number": 0})) == 5


def test_work_that_is_cancelled_stops_and_the_next_goes_on(assistant):
    heard = []
    call = assistant.call("wait", listener=lambda kind, data: heard.append(data))
    waiting = assistant.call("add", {"number": 1})
    wait_until(lambda: heard)
    call.cancel()
    with pytest.raises(Stopped):
        answer(call)
    assert answer(waiting) == 6


def test_work_that_is_cancelled_before_its_turn_never_begins(assistant):
    first = assistant.call("wait")
    second = assistant.call("add", {"number": 100})
    second.cancel()
    first.cancel()
    for call in (first, second):
        with pytest.raises(Stopped):
            answer(call)
    assert answer(assistant.call("add", {"number": 0})) == 5


def test_a_process_that_dies_fails_its_work_and_a_new_one_begins(assistant):
    with pytest.raises(AssistantDied):
        answer(assistant.call("end"))
    assert answer(assistant.call("add", {"number": 1})) == 6


def test_a_process_that_is_killed_fails_what_runs_and_a_new_one_begins(assistant):
    answer(assistant.call("add", {"number": 1}))
    running = assistant.call("wait")
    before = assistant.pid
    os.kill(before, signal.SIGKILL)
    with pytest.raises(AssistantDied):
        answer(running)
    assert answer(assistant.call("add", {"number": 1})) == 6
    assert assistant.pid != before


class Gate:
    """Reading from pipes, as `os.read` does; the first thread to be inside a long message waits there.

    Others that read then wait until that thread has read once more, so that whatever it could take from them, it does.
    """

    def __init__(self):
        self.is_inside, self.may_go_on, self.has_gone_on = threading.Event(), threading.Event(), threading.Event()
        self._thread = None

    def read(self, number, size):
        thread = threading.current_thread()
        if self._thread is None:
            chunk = os.read(number, size)
            if size > LONG // 2:
                self._thread = thread
                self.is_inside.set()
                self.may_go_on.wait(PATIENCE)
            return chunk
        if thread is not self._thread:
            self.has_gone_on.wait(PATIENCE)
            return os.read(number, size)
        try:
            return os.read(number, size)
        finally:
            self.has_gone_on.set()


def test_a_listener_inside_a_long_message_takes_nothing_from_the_next_process(assistant, monkeypatch):
    gate = Gate()
    monkeypatch.setattr(Connection._recv, "__defaults__", (gate.read,))
    first = assistant.call("long_answer")
    assert gate.is_inside.wait(PATIENCE)
    os.kill(assistant.pid, signal.SIGKILL)
    wait_until(lambda: assistant.pid is None)
    second = assistant.call("add", {"number": 1})
    wait_until(lambda: assistant.pid is not None)  # its pipe is open: whose number did it get?
    gate.may_go_on.set()
    assert answer(second) == 6
    with pytest.raises(AssistantDied):
        answer(first)


def test_an_answer_that_cannot_be_read_fails_in_words_and_the_next_call_begins_anew(assistant, caplog):
    before = answer(assistant.call("pid"))
    first = assistant.call("wait")  # until both others are in the queue behind it
    calls = [assistant.call("unreadable"), assistant.call("wait")]
    first.cancel()
    for call in calls:
        with pytest.raises(AssistantDied, match="could not be read"):
            answer(call)
    assert "far from home" in caplog.text  # with its traceback, in the terminal
    assert answer(assistant.call("pid")) != before


def test_why_a_process_is_given_up_is_known_before_the_next_one_takes_over(assistant, monkeypatch):
    following, is_first = [], threading.Lock()

    def end(child):
        end_child(child)
        if is_first.acquire(blocking=False):  # the thread that reads: somebody calls before it goes on
            following.append(assistant.call("pid"))
            wait_until(lambda: assistant.pid is not None)

    answer(assistant.call("pid"))
    end_child = Child.end
    monkeypatch.setattr(Child, "end", end)
    with pytest.raises(AssistantDied, match="could not be read"):
        answer(assistant.call("unreadable"))
    assert answer(following[0]) == assistant.pid


def test_arguments_that_cannot_be_read_fail_their_call_alone(assistant):
    with pytest.raises(RuntimeError, match="far from home"):
        answer(assistant.call("weigh", {"load": OnlyAtHome()}))
    assert answer(assistant.call("add", {"number": 1})) == 6


def test_calling_does_not_wait_for_the_process_to_start(assistant, monkeypatch):
    may_start = threading.Event()

    def start(*arguments):
        assert may_start.wait(PATIENCE)
        return Child(*arguments)

    monkeypatch.setattr(channel, "Child", start)
    calls = [assistant.call("add", {"number": 1}), assistant.call("wait")]
    calls[1].cancel()
    assert assistant.pid is None
    may_start.set()
    assert answer(calls[0]) == 6
    with pytest.raises(Stopped):
        answer(calls[1])


def test_a_process_that_was_closed_before_it_had_started_ends(assistant, monkeypatch):
    may_start, started = threading.Event(), []

    def start(*arguments):
        assert may_start.wait(PATIENCE)
        started.append(Child(*arguments))
        return started[0]

    monkeypatch.setattr(channel, "Child", start)
    call = assistant.call("wait")
    assistant.close()
    may_start.set()
    with pytest.raises(Stopped):
        answer(call)
    assert not started[0].is_alive()


def test_a_process_that_cannot_be_started_says_why_and_is_tried_again(assistant, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/no/such/python")
        with pytest.raises(FileNotFoundError):
            answer(assistant.call("add", {"number": 1}))
    assert answer(assistant.call("add", {"number": 1})) == 6


def test_a_process_that_stands_still_keeps_nobody_from_calling_or_closing(assistant):
    pid = answer(assistant.call("pid"))
    os.kill(pid, signal.SIGSTOP)
    call = assistant.call("weigh", {"load": bytes(LONG)})  # more than a pipe holds
    call.cancel()
    assistant.close()
    with pytest.raises(Stopped):
        answer(call)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_object_that_cannot_be_made_says_why_at_every_call():
    assistant = Assistant(Refusing)
    try:
        for _ in range(2):
            with pytest.raises(BadInput, match="no room"):
                answer(assistant.call("anything"))
    finally:
        assistant.close()


def test_closing_ends_the_process_and_cancels_its_work():
    assistant = Assistant(Desk)
    pid = answer(assistant.call("pid"))
    call = assistant.call("wait")
    assistant.close()
    with pytest.raises(Stopped):
        answer(call)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(Stopped):
        assistant.call("pid")


def test_joining_waits_until_all_have_been_answered_and_no_longer_than_its_limit():
    assistant, may_answer, answered = Assistant(Desk), threading.Event(), []
    call = assistant.call("pid")
    answer(call)
    waiting = assistant.call("wait")
    waiting.future.add_done_callback(lambda _: answered.append(may_answer.wait(PATIENCE)))
    assistant.close()
    assistant.join(0.01)
    assert answered == []
    may_answer.set()
    assistant.join(PATIENCE)
    assert answered == [True]
