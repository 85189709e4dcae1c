"""Assistants: a process that keeps an object and runs its methods, tells of progress, stops when asked."""

import os
import signal
import time

import pytest

from motionloom.errors import BadInput
from motionloom.tasks import Assistant, AssistantDied, Cancelled

PATIENCE = 30.0  # seconds


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

    def end(self, task):
        os.kill(os.getpid(), signal.SIGKILL)


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
    while not heard:
        time.sleep(0.005)
    call.cancel()
    with pytest.raises(Cancelled):
        answer(call)
    assert answer(waiting) == 6


def test_work_that_is_cancelled_before_its_turn_never_begins(assistant):
    first = assistant.call("wait")
    second = assistant.call("add", {"number": 100})
    second.cancel()
    first.cancel()
    for call in (first, second):
        with pytest.raises(Cancelled):
            answer(call)
    assert answer(assistant.call("add", {"number": 0})) == 5


def test_a_process_that_dies_fails_its_work_and_a_new_one_begins(assistant):
    with pytest.raises(AssistantDied):
        answer(assistant.call("end"))
    assert answer(assistant.call("add", {"number": 1})) == 6


def test_a_restart_fails_what_runs_and_begins_anew(assistant):
    answer(assistant.call("add", {"number": 1}))
    running = assistant.call("wait")
    before = assistant.pid
    assistant.restart()
    with pytest.raises(AssistantDied):
        answer(running)
    assert answer(assistant.call("add", {"number": 1})) == 6
    assert assistant.pid != before


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
    with pytest.raises(Cancelled):
        answer(call)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(Cancelled):
        assistant.call("pid")
