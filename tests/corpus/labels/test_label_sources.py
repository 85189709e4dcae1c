"""Sources of labels, contacts and events are words, as labels are: no control characters come in by any way."""

from dataclasses import asdict

import pytest

from motionloom.corpus import Contact, Event, Label, Verified, import_labels
from motionloom.corpus.labels.acceptance import Acceptance, accept
from motionloom.errors import BadInput

BAD = ["\x1b[2J", "a\nb", "a\tb", "\0", "\x7f", "\u2028", " padded ", "\ud800"]


@pytest.fixture
def take(corpus, takes):
    return corpus.add(takes.body("walk")).name


@pytest.mark.parametrize("source", BAD)
def test_a_source_that_is_no_word_is_refused(corpus, take, source):
    for add in (
        lambda: corpus.add_labels([Label(take, "walk", 0, 2, source)]),
        lambda: corpus.add_contacts([Contact(take, "left foot", 0, 2, source)]),
        lambda: corpus.add_events([Event(take, "strike", 1, source, {})]),
    ):
        with pytest.raises(BadInput, match="is not a valid source") as caught:
            add()
        assert str(caught.value).isprintable()
    assert not corpus.labels() and not corpus.contacts() and not corpus.events()


@pytest.mark.parametrize("source", BAD[:3])
def test_a_source_of_a_file_is_refused_with_its_line(corpus, take, tmp_path, source):
    path = tmp_path / "labels.csv"
    path.write_text(f'take,label,start,stop,source\n{take},walk,0,2,me\n{take},run,0,2,"{source}"\n')
    report = import_labels(corpus, path)
    assert report.added == 1 and len(report.refused) == 1 and "source" in report.refused[0]
    assert [label.source for label in corpus.labels()] == ["me"]


def test_what_is_restored_is_checked_too(corpus, take):
    done = accept(corpus, take, ["walk"], 0, 2, {"walk": [(0, 2)]})
    forged = Acceptance.from_plain(
        {**asdict(done), "replaced": [{"take": take, "label": "walk", "start": 0, "stop": 1, "source": "\x1b"}]}
    )
    with pytest.raises(BadInput, match="is not a valid source"):
        forged.undo(corpus)
    assert [label.source for label in corpus.labels()] == ["user"]
    assert Verified(take, "walk", 0, 2) in corpus.verified()


def test_words_of_all_languages_are_sources(corpus, take):
    assert corpus.add_labels([Label(take, "walk", 0, 2, "Jürgen 走, by hand (2nd look)")]) == 1
