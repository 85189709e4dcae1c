"""Ctrl-C at any step of a change leaves the change complete, and is answered right after it."""

import os
import signal
import sys
import threading

import numpy as np
import pytest

from motionloom.corpus import check
from motionloom.corpus.layers import make_layers
from motionloom.corpus.models import keep_model
from motionloom.corpus.store.interrupts import uninterrupted

STEPS = [
    "os.fsync",
    "os.replace",
    "motionloom.corpus.store.array_files.sync_folder",
    "motionloom.corpus.store.array_files.write_array",
    "motionloom.corpus.store.catalogue.transaction",
]


@pytest.fixture
def press_ctrl_c(monkeypatch):
    """Press Ctrl-C once, after a step was called."""

    def arrange(step: str) -> None:
        module, _, function = step.rpartition(".")
        real = getattr(sys.modules[module], function)
        presses = []

        def call(*arguments):
            result = real(*arguments)
            if not presses:
                presses.append(step)
                os.kill(os.getpid(), signal.SIGINT)
            return result

        monkeypatch.setattr(sys.modules[module], function, call)

    return arrange


@pytest.mark.parametrize("step", STEPS)
def test_a_take_is_added_whole(corpus, takes, press_ctrl_c, step):
    press_ctrl_c(step)
    with pytest.raises(KeyboardInterrupt):
        corpus.add(takes.body("walk"))
    assert corpus.names() == ["walk"]
    assert check(corpus.folder).problems == ()


@pytest.mark.parametrize("step", STEPS)
def test_layers_are_kept_whole(corpus, takes, press_ctrl_c, step):
    corpus.add(takes.body("walk"))
    press_ctrl_c(step)
    with pytest.raises(KeyboardInterrupt):
        make_layers(corpus, ["walk"], ["facing"], workers=0)
    assert check(corpus.folder).problems == ()
    assert make_layers(corpus, ["walk"], ["facing"], workers=0).made == 0


@pytest.mark.parametrize("step", STEPS)
def test_a_model_is_kept_whole(corpus, press_ctrl_c, step):
    press_ctrl_c(step)
    with pytest.raises(KeyboardInterrupt):
        keep_model(corpus, "kind", "key", {"a": np.ones(3), "b": np.zeros(4)}, settings={}, takes=[], code_version="1")
    assert check(corpus.folder).problems == ()
    (count,) = corpus.connection.execute("SELECT count(*) FROM model_arrays").fetchone()
    assert count == 2


def test_an_error_inside_is_not_hidden_and_the_usual_answer_comes_back():
    usual = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="own"), uninterrupted():
        raise ValueError("own")
    assert signal.getsignal(signal.SIGINT) is usual


def test_in_another_thread_nothing_is_held_back():
    handlers = []

    def work():
        with uninterrupted():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(30)
    assert handlers == [signal.getsignal(signal.SIGINT)]
