"""Removing takes, bringing them back, and deleting them for good."""

import pytest

from motionloom.corpus import Contact, Corpus, Event, Label
from motionloom.errors import BadInput, CorpusError


def test_removed_takes_come_back_with_everything_known_about_them(corpus, takes):
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    label, event = Label("a", "walk", 0, 5, "user"), Event("a", "catch", 3, "user", {"hand": "left"})
    contact = Contact("a", "left_heel", 1, 4, "performer")
    corpus.add_labels([label])
    corpus.add_events([event])
    corpus.add_contacts([contact])
    corpus.remove(["a", "b"])
    assert (corpus.names(), corpus.labels(), corpus.events(), corpus.contacts()) == ([], [], [], [])
    assert [info.name for info in corpus.infos(removed=True)] == ["a", "b"]
    corpus.restore("a")
    assert corpus.names() == ["a"]
    assert (corpus.labels("a"), corpus.events("a"), corpus.contacts("a")) == ([label], [event], [contact])
    assert corpus.take("a").motion.n_frames == 12


def test_removing_is_all_or_nothing(corpus, takes):
    corpus.add(takes.body("a"))
    with pytest.raises(CorpusError, match="no take 'b'"):
        corpus.remove(["a", "b"])
    assert corpus.names() == ["a"]
    corpus.remove("a")
    with pytest.raises(CorpusError, match="no removed take 'b'; removed are: a"):
        corpus.restore(["a", "b"])
    assert corpus.names() == []


def test_a_removed_take_can_be_added_again_and_does_not_come_back_twice(corpus, takes):
    corpus.add(takes.body("a"))
    corpus.remove("a")
    assert corpus.add(takes.body("again")).status == "imported"
    with pytest.raises(CorpusError, match="added again as 'again'"):
        corpus.restore("a")


def test_a_name_taken_meanwhile_is_not_overwritten_by_restoring(corpus, takes):
    corpus.add(takes.body("a", seed=1))
    corpus.remove("a")
    corpus.add(takes.body("a", seed=2))
    with pytest.raises(CorpusError, match="other content"):
        corpus.restore("a")


def test_of_takes_of_one_name_the_one_comes_back_that_was_meant(corpus, takes):
    corpus.add(takes.body("a", seed=1))
    first = corpus.info("a").digest
    numbers = corpus.remove("a")
    corpus.add(takes.body("a", seed=2))
    corpus.remove("a")
    corpus.restore("a", numbers)
    assert corpus.info("a").digest == first
    with pytest.raises(BadInput, match="one for each"):
        corpus.restore("a", [])


def test_purging_deletes_removed_takes_and_only_their_arrays(corpus, takes):
    corpus.add(takes.body("keep", seed=1))
    corpus.add(takes.body("go", seed=2))
    corpus.remove("go")
    assert len(list(corpus.arrays.iterdir())) == 2
    assert corpus.purge() == ["go"]
    assert len(list(corpus.arrays.iterdir())) == 1
    assert corpus.take("keep").motion.n_frames == 12
    with pytest.raises(CorpusError, match="removed are: none"):
        corpus.restore("go")


def test_purging_keeps_arrays_that_a_take_added_again_shares(corpus, takes):
    corpus.add(takes.body("a"))
    corpus.remove("a")
    corpus.add(takes.body("b"))
    corpus.purge()
    assert corpus.take("b").motion.n_frames == 12


def test_a_full_disk_does_not_keep_takes_from_being_removed(corpus, takes, monkeypatch):
    corpus.add(takes.body("a"))
    corpus.close()
    monkeypatch.setattr("os.pwrite", lambda *_: _full(0))
    with Corpus.open(corpus.folder, write=True) as writer:
        writer.remove("a")
        assert writer.purge() == ["a"]


def _full(_):
    raise OSError(28, "No space left on device")
