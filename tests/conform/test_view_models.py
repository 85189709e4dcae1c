"""Models of a view: made once, kept by whoever may write, made again when anything they depend on changes."""

import numpy as np
import pytest

from motionloom.caching import Kind
from motionloom.conform import ViewSettings, make_view, view_builder
from motionloom.conform.base_view import KEPT
from motionloom.corpus import Corpus
from motionloom.corpus.models import delete_models, find_model, keep_model
from motionloom.corpus.store import array_files
from motionloom.formats.take import Source, Take


@pytest.fixture
def corpus(tmp_path, make):
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed in (0, 1):
            take = Take(f"take_{seed}", make.motion(n_frames=20, seed=seed), Source("x", "npz", "", 60.0, 1.0))
            corpus.add(take, floor_height=0.0)
        yield corpus


class Counted(Kind):
    """A kind of arrays that counts how often it makes some."""

    def __init__(self, name, at_most=64, **arrays):
        super().__init__(name, make_nothing, at_most=at_most)
        object.__setattr__(self, "arrays", arrays)
        object.__setattr__(self, "times", 0)

    def __call__(self):
        object.__setattr__(self, "times", self.times + 1)
        return self.arrays


def make_nothing():
    """What the code of these kinds is found by."""


def test_a_model_is_made_once_and_read_afterwards(corpus):
    sums = Counted("sums", sums=np.arange(3.0))
    for _ in range(2):
        view = make_view(corpus)
        np.testing.assert_array_equal(view.model(sums, {"a": 1})["sums"], np.arange(3.0))
    assert sums.times == 1


def test_other_settings_takes_kinds_or_code_make_another_model(corpus, monkeypatch):
    sums, totals = Counted("sums", sums=np.arange(3.0)), Counted("totals", sums=np.arange(3.0))
    view = make_view(corpus)
    view.model(sums, {"a": 1})
    view.model(sums, {"a": 2})
    view.model(totals, {"a": 1})
    assert (sums.times, totals.times) == (2, 1)
    make_view(corpus, ["take_0"]).model(sums, {"a": 1})
    make_view(corpus, settings=ViewSettings(fps=30.0)).model(sums, {"a": 1})
    assert sums.times == 4
    monkeypatch.setattr(Kind, "code_version", "other")
    view.model(sums, {"a": 1})
    assert sums.times == 5


def test_empty_arrays_are_left_out_whether_a_model_is_made_or_read(corpus):
    some = Counted("some", some=np.ones(2), none=np.zeros(0))
    view = make_view(corpus)
    assert set(view.model(some, {})) == set(view.model(some, {})) == {"some"}


def test_readers_make_models_in_memory(corpus):
    folder = corpus.folder
    corpus.close()
    sums = Counted("sums", sums=np.arange(3.0))
    with Corpus.open(folder) as reading:
        for _ in range(2):
            make_view(reading).model(sums, {})
        assert not reading.connection.execute("SELECT * FROM models").fetchall()
    assert sums.times == 2


PACKED = "('conformed take', 'view layer')"  # kinds that are kept for each take, however many views show it


def kept(corpus) -> list[tuple[str, int]]:
    """How many models of views there are, by kind; the arrays in the folder are those of all rows."""
    rows = corpus.connection.execute(
        "SELECT file FROM takes UNION SELECT file FROM layers UNION SELECT file FROM model_arrays"
    )
    assert {path.name for path in corpus.arrays.iterdir()} == {file for (file,) in rows}
    return corpus.connection.execute(
        f"SELECT kind, count(*) FROM models WHERE kind NOT IN {PACKED} GROUP BY kind ORDER BY kind"
    ).fetchall()


def test_old_views_go_with_all_that_was_made_of_them(corpus):
    sums = Counted("sums", sums=np.arange(3.0))
    for number in range(KEPT + 3):
        view = make_view(corpus, settings=ViewSettings(fps=30.0 + number))
        view.model(sums, {"number": number})
        view.whole_layer("facing")
    assert kept(corpus) == [("sums", KEPT), ("view", KEPT)]
    assert sums.times == KEPT + 3


def test_views_that_are_used_stay_however_old_they_are(corpus, monkeypatch):
    first = make_view(corpus)
    for number in range(3 * KEPT):
        make_view(corpus, settings=ViewSettings(fps=30.0 + number))
        make_view(corpus)
    monkeypatch.setattr(view_builder, "conform", None)
    assert make_view(corpus).key == first.key
    assert kept(corpus) == [("view", KEPT)]


def test_views_that_models_are_made_of_stay_too(corpus):
    first = make_view(corpus)
    for number in range(2 * KEPT):
        first.model(Counted("sums", sums=np.arange(3.0 + number)), {"number": number})
        make_view(corpus, settings=ViewSettings(fps=30.0 + number))
    assert kept(corpus) == [("sums", 2 * KEPT), ("view", KEPT)]


def test_what_older_code_made_goes_when_newer_code_keeps_something(corpus, monkeypatch):
    sums, totals = Counted("sums", sums=np.arange(3.0)), Counted("totals", totals=np.arange(4.0))
    for code in ("old", "new"):
        monkeypatch.setattr(Kind, "code_version", code)
        view = make_view(corpus)
        view.model(sums, {})
        if code == "old":
            view.model(totals, {})  # nobody asks for it any more
    assert kept(corpus) == [("sums", 1), ("view", 1)]
    assert corpus.connection.execute("SELECT DISTINCT code_version FROM models").fetchall() == [("new",)]


class Process:
    """A process that works on a corpus with a version of the code that only it has."""

    def __init__(self, folder, number: int, monkeypatch) -> None:
        self.corpus = Corpus.open(folder, write=True, lent=True)
        self._version, self._monkeypatch = f"code~{number}", monkeypatch

    def make(self, kind: Kind) -> None:
        """A view, a layer of it and a model of it."""
        self._monkeypatch.setattr(Kind, "code_version", self._version)
        view = make_view(self.corpus)
        view.model(kind, {})
        view.whole_layer("facing")


def test_processes_whose_sources_change_leave_the_models_of_others_alone(corpus, monkeypatch):
    sums = Counted("sums", sums=np.arange(3.0))
    make_view(corpus).model(sums, {})
    before = corpus.connection.execute("SELECT * FROM models").fetchall()
    one, other = (Process(corpus.folder, number, monkeypatch) for number in (1, 2))
    for process in (one, other, one, other):
        process.make(sums)
    assert sums.times == 3  # once by each, and before
    assert corpus.connection.execute("SELECT * FROM models").fetchall() == before
    one.corpus.close()
    other.corpus.close()


def test_models_of_a_view_that_the_corpus_does_not_have_stay_in_memory(corpus, monkeypatch):
    sums = Counted("sums", sums=np.arange(3.0))
    monkeypatch.setattr(Kind, "code_version", "code~1")
    view = make_view(corpus)
    monkeypatch.setattr(Kind, "code_version", "code")  # what makes the view has changed, and what makes sums has not
    view.model(sums, {})
    assert not view.model(sums, {})["sums"].flags.writeable
    assert sums.times == 1 and kept(corpus) == []


def test_models_of_a_kind_are_bounded(corpus):
    sums = Counted("sums", at_most=3, sums=np.arange(3.0))
    view = make_view(corpus)
    for number in range(5):
        view.model(sums, {"number": number})
        view.model(sums, {"number": 0})
    assert kept(corpus) == [("sums", 3), ("view", 1)]
    assert sums.times == 5  # number 0 was always used, so it stayed


def test_results_that_people_kept_do_not_go(corpus):
    about = {"settings": {"name": "x"}, "takes": [], "code_version": None}
    for key in ("key", "other"):
        keep_model(corpus, "result", key, {"a": np.ones(3)}, **about)
    keep_model(corpus, "other kind", "key", {"a": np.ones(3)}, settings={}, takes=[], code_version="new")
    for number in range(KEPT + 1):
        make_view(corpus, settings=ViewSettings(fps=30.0 + number))
    assert find_model(corpus, "result", "key") is not None and find_model(corpus, "result", "other") is not None


def test_readers_keep_what_they_have_mapped_and_make_what_is_gone(corpus):
    sums = Counted("sums", sums=np.arange(3.0))
    view = make_view(corpus)
    frames = np.array(view.frames)
    view.model(sums, {})
    with Corpus.open(corpus.folder) as reader:
        mapped = make_view(reader)
        read = mapped.model(sums, {})["sums"]
        assert isinstance(mapped.frames, np.memmap) and isinstance(read, np.memmap)
        for number in range(KEPT):
            make_view(corpus, settings=ViewSettings(fps=30.0 + number))
        assert kept(corpus) == [("view", KEPT)]
        np.testing.assert_array_equal(mapped.frames, frames)
        np.testing.assert_array_equal(read, np.arange(3.0))
        np.testing.assert_array_equal(mapped.model(sums, {})["sums"], np.arange(3.0))
        keys = [key for (key,) in corpus.connection.execute("SELECT key FROM models WHERE kind = 'conformed take'")]
        delete_models(corpus, "conformed take", keys)
        again = make_view(reader)
        assert not isinstance(again.frames, np.memmap)
        np.testing.assert_array_equal(again.frames, frames)
        assert kept(corpus) == [("view", KEPT)]  # readers delete nothing and keep nothing


def test_an_array_that_another_process_deletes_before_its_row_is_written_is_written_again(corpus, monkeypatch):
    """Two workers share the lock: one has just found an array that the other one's change leaves without a row."""
    array = np.arange(5.0)
    keep_model(corpus, "old", "key", {"a": array}, settings={}, takes=[], code_version="1")
    real = array_files.write_array

    def write_then_lose(folder, written):
        stored = real(folder, written)
        monkeypatch.setattr(array_files, "write_array", real)
        (folder / stored.file).unlink()
        return stored

    monkeypatch.setattr(array_files, "write_array", write_then_lose)
    keep_model(corpus, "new", "key", {"a": array}, settings={}, takes=[], code_version="1")
    np.testing.assert_array_equal(find_model(corpus, "new", "key")["a"], array)
