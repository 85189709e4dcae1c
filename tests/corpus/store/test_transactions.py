"""Changes of one block are one step: all of them are there, or none."""

import threading

import numpy as np
import pytest

from motionloom.corpus import Corpus, Label, check
from motionloom.corpus.models import find_model, keep_model
from motionloom.corpus.store.connection import transaction
from motionloom.errors import CorpusError


def keep(corpus, value):
    arrays = {"a": value}
    keep_model(corpus, "kind", "key", arrays, settings={}, takes=["x"], code_version=None)


def test_everything_of_a_block_is_there_when_it_ends_and_nothing_before(corpus, takes):
    with Corpus.open(corpus.folder) as reader:
        with corpus.transaction():
            corpus.add(takes.body("walk"))
            corpus.add_labels([Label("walk", "walk", 0, 5)])
            assert reader.names() == []
        assert reader.names() == ["walk"]
        assert len(reader.labels("walk")) == 1


def test_nothing_of_a_block_that_raises_is_there(corpus, takes):
    with pytest.raises(ZeroDivisionError), corpus.transaction():
        corpus.add(takes.body("walk"))
        corpus.add_labels([Label("walk", "walk", 0, 5)])
        raise ZeroDivisionError
    assert corpus.names() == []
    corpus.add(takes.body("run", seed=2))
    assert corpus.names() == ["run"]


def test_a_part_that_fails_and_is_caught_leaves_the_rest(corpus, takes):
    with corpus.transaction():
        corpus.add(takes.body("walk"))
        with pytest.raises(ZeroDivisionError), corpus.transaction():
            corpus.add_labels([Label("walk", "run", 0, 3)])
            raise ZeroDivisionError
        corpus.add_labels([Label("walk", "walk", 0, 3)])
    assert [label.label for label in corpus.labels("walk")] == ["walk"]


def test_the_array_of_a_replaced_model_stays_until_the_block_has_ended(corpus):
    keep(corpus, np.zeros(3))
    with pytest.raises(ZeroDivisionError), corpus.transaction():
        keep(corpus, np.ones(4))
        raise ZeroDivisionError
    assert find_model(corpus, "kind", "key")["a"].tolist() == [0, 0, 0]
    keep(corpus, np.ones(4))
    assert find_model(corpus, "kind", "key")["a"].tolist() == [1, 1, 1, 1]
    assert [problem.message for problem in check(corpus.folder).problems] == []


def test_another_thread_does_not_slip_into_a_block(corpus):
    errors = []

    def work():
        try:
            with transaction(corpus.connection):
                pass
        except CorpusError as error:
            errors.append(error)

    with corpus.transaction():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join(30)
    assert len(errors) == 1
