"""Models of a view: made once, kept by whoever may write, made again when anything they depend on changes."""

import numpy as np
import pytest

from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus
from motionloom.formats.take import Source, Take


@pytest.fixture
def corpus(tmp_path, make):
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed in (0, 1):
            take = Take(f"take_{seed}", make.motion(n_frames=20, seed=seed), Source("x", "npz", "", 60.0, 1.0))
            corpus.add(take, floor_height=0.0)
        yield corpus


class Counted:
    """Makes arrays and counts how often."""

    def __init__(self, **arrays):
        self.arrays, self.times = arrays, 0

    def __call__(self):
        self.times += 1
        return self.arrays


def test_a_model_is_made_once_and_read_afterwards(corpus):
    make_sums = Counted(sums=np.arange(3.0))
    for _ in range(2):
        view = make_view(corpus)
        np.testing.assert_array_equal(view.model("sums", {"a": 1}, make_sums)["sums"], np.arange(3.0))
    assert make_sums.times == 1


def test_other_settings_takes_kinds_or_code_make_another_model(corpus):
    make_sums = Counted(sums=np.arange(3.0))
    view = make_view(corpus)
    view.model("sums", {"a": 1}, make_sums)
    view.model("sums", {"a": 2}, make_sums)
    view.model("totals", {"a": 1}, make_sums)
    view.model("sums", {"a": 1}, make_sums, rooms=("motion",))
    make_view(corpus, ["take_0"]).model("sums", {"a": 1}, make_sums)
    make_view(corpus, settings=ViewSettings(fps=30.0)).model("sums", {"a": 1}, make_sums)
    assert make_sums.times == 6


def test_empty_arrays_are_left_out_whether_a_model_is_made_or_read(corpus):
    make_some = Counted(some=np.ones(2), none=np.zeros(0))
    view = make_view(corpus)
    assert set(view.model("some", {}, make_some)) == set(view.model("some", {}, make_some)) == {"some"}


def test_readers_make_models_in_memory(corpus):
    folder = corpus.folder
    corpus.close()
    make_sums = Counted(sums=np.arange(3.0))
    with Corpus.open(folder) as reading:
        for _ in range(2):
            make_view(reading).model("sums", {}, make_sums)
        assert not reading.connection.execute("SELECT * FROM models").fetchall()
    assert make_sums.times == 2
