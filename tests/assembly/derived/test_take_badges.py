"""Badges of takes are measured once and remembered."""

import pytest

from motionloom.assembly.derived.take_badges import REMEMBERED, badge_key, measure_takes, remembered_badges
from motionloom.caching import Kind
from motionloom.corpus import Corpus, Source, Take
from motionloom.corpus.take_list import list_takes
from motionloom.motion import Box, Ground


@pytest.fixture
def corpus(make, tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed, name in enumerate("abc"):
            motion = make.motion(n_frames=60, seed=seed, wildness=0.2)
            corpus.add(Take(name, motion, Source("x", "npz", "", 60.0, 1.0)))
        yield corpus


def test_badges_are_measured_once_for_each_content_and_floor(corpus):
    measured = []
    on_measured = lambda name, badges, done, total: measured.append((name, done, total))  # noqa: E731
    first = measure_takes(corpus, corpus.infos(), on_measured)
    assert measured == [("a", 1, 3), ("b", 2, 3), ("c", 3, 3)]
    measured.clear()
    corpus.rename("a", "z")
    assert measure_takes(corpus, corpus.infos(), on_measured) == first
    assert measured == []
    corpus.set_floor("b", 0.3)
    measure_takes(corpus, corpus.infos(), on_measured)
    assert measured == [("b", 1, 1)]


def test_badges_are_measured_again_when_a_ground_is_given(corpus):
    before = measure_takes(corpus, corpus.infos())
    corpus.set_ground("b", Ground(corpus.info("b").floor_height, (Box((0.0, 0.0), (5.0, 5.0), 0.0, 0.4, 0.0),)))
    measured = []
    after = measure_takes(corpus, corpus.infos(), lambda name, *_: measured.append(name))
    assert measured == ["b"] and after.keys() != before.keys()
    assert {badge_key(take) for take in list_takes(corpus)} == after.keys()


def test_what_was_measured_is_there_when_the_corpus_is_opened_again(corpus):
    measured = measure_takes(corpus, corpus.infos())
    with Corpus.open(corpus.folder) as reader:
        assert remembered_badges(reader) == measured
        assert all(badge_key(info) in measured for info in reader.infos())


def test_what_was_measured_before_a_stop_is_kept(corpus):
    def stop_at_two(name, badges, done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_takes(corpus, corpus.infos(), stop_at_two)
    assert len(remembered_badges(corpus)) == 2


def test_other_code_measures_anew(corpus, monkeypatch):
    measure_takes(corpus, corpus.infos())
    monkeypatch.setattr(Kind, "code_version", "other")
    assert remembered_badges(corpus) == {}
    assert len(measure_takes(corpus, corpus.infos())) == len(remembered_badges(corpus)) == 3


def test_a_process_whose_sources_change_leaves_the_badges_of_others_alone(corpus, monkeypatch):
    first = measure_takes(corpus, corpus.infos())
    before = corpus.remembered(REMEMBERED)
    monkeypatch.setattr(Kind, "code_version", "other~1")
    assert measure_takes(corpus, corpus.infos()) == first == remembered_badges(corpus)  # measured, and in memory
    assert corpus.remembered(REMEMBERED) == before


def test_badges_of_what_takes_were_before_do_not_pile_up(corpus):
    measure_takes(corpus, corpus.infos())
    corpus.remove("c")
    for floor in (0.1, 0.2, 0.3):
        corpus.set_floor("a", floor)
        measure_takes(corpus, corpus.infos())
    assert len(remembered_badges(corpus)) == 3  # c may come back


def test_who_may_only_read_measures_and_keeps_nothing(corpus):
    with Corpus.open(corpus.folder) as reader:
        assert len(measure_takes(reader, reader.infos())) == 3
        assert reader.remembered(REMEMBERED) is None
