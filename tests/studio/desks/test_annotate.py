"""The desk that learns labels: what it keeps, and that it sees what changed elsewhere."""

import shutil

import pytest

from motionloom.corpus import Corpus, Take, Verified
from motionloom.methods.annotate.labelling import learning_curve, sessions
from motionloom.studio.desks.annotate import AnnotateDesk
from motionloom.tasks import Stopped

TAKES = ("walk/normal_1", "walk/stop_and_go", "run/run_1", "run/run_2")
WORDS = ["stand", "walk", "run"]


class Task:
    """Notes what a desk tells; cancels it after some words."""

    def __init__(self, patience=10_000):
        self.reported, self.patience = [], patience

    def progress(self, done, total, note=""):
        self.reported.append((done, total, note))
        if len(self.reported) > self.patience:
            raise Stopped


@pytest.fixture(scope="module")
def bare_folder(make, tmp_path_factory):
    """A corpus without labels, and what would be right."""
    folder = tmp_path_factory.mktemp("annotate") / "corpus"
    with make.demo_corpus(folder, TAKES) as corpus:
        truth = [label for label in corpus.labels() if label.label in WORDS]
        corpus.remove_labels(corpus.labels())
        sessions.learn(corpus, sessions.Choice(), maybe_nothing=True)  # conforms the takes once
    return folder, truth


@pytest.fixture
def held(bare_folder, tmp_path):
    """The corpus as the server holds it, and what would be right."""
    folder, truth = bare_folder
    shutil.copytree(folder, tmp_path / "corpus")
    with Corpus.open(tmp_path / "corpus", write=True) as corpus:
        yield corpus, truth


def accept(held, take):
    corpus, truth = held
    ranges = {word: [(x.start, x.stop) for x in truth if (x.take, x.label) == (take, word)] for word in WORDS}
    return learning_curve.accept_and_note(corpus, take, WORDS, 0, corpus.info(take).n_frames, ranges)


def learn(desk, labels=WORDS, **changes):
    return desk.learn(Task(), {"labels": labels, **changes})


def test_before_anything_is_verified_the_most_typical_take_is_offered_and_nothing_is_proposed(held):
    answer = learn(AnnotateDesk(held[0].folder, True))
    assert sorted(answer["ranking"]) == sorted(TAKES)
    assert "most like all others" in answer["offers"][0]["why"]
    assert answer["learnt"] == []
    assert held[0].proposals() == []


def test_after_an_acceptance_all_other_takes_get_proposals_and_the_next_one_is_offered(held):
    desk = AnnotateDesk(held[0].folder, True)
    learn(desk)
    accept(held, "walk/normal_1")
    answer = learn(desk)
    assert set(answer["learnt"]) == set(WORDS)
    assert "walk/normal_1" not in answer["ranking"]
    assert {range_.take for range_ in held[0].classified()} == set(TAKES) - {"walk/normal_1"}
    assert set(answer["confidences"]) == set(TAKES) - {"walk/normal_1"}
    assert all(0 < value <= 1 for value in answer["confidences"].values())


def test_learning_goes_on_from_where_it_was_and_finds_what_learning_anew_finds(held):
    desk = AnnotateDesk(held[0].folder, True)
    accept(held, "walk/normal_1")
    learn(desk)
    before = desk.session
    accept(held, "run/run_1")
    learn(desk)
    kept = held[0].proposals()
    assert desk.session.model.windows is before.model.windows
    learn(AnnotateDesk(held[0].folder, True))
    fresh = held[0].proposals()
    assert [(x.take, x.label) for x in kept] == [(x.take, x.label) for x in fresh]
    assert all(abs(a.start - b.start) <= 6 and abs(a.stop - b.stop) <= 6 for a, b in zip(kept, fresh))


def test_takes_labels_and_words_that_changed_elsewhere_are_noticed(held):
    corpus, _ = held
    desk = AnnotateDesk(corpus.folder, True)
    accept(held, "walk/normal_1")
    learn(desk)
    corpus.remove("run/run_2")
    corpus.verify([Verified("run/run_1", word, 0, corpus.info("run/run_1").n_frames) for word in WORDS])
    answer = learn(desk)
    assert answer["ranking"] == ["walk/stop_and_go"]
    assert learn(desk, labels=["walk"])["learnt"] == ["walk"]
    assert set(learn(desk, labels=["walk", "wave"])["ranking"]) == {"walk/normal_1", "walk/stop_and_go", "run/run_1"}


def test_other_settings_are_learnt_with(held):
    desk = AnnotateDesk(held[0].folder, True)
    accept(held, "walk/normal_1")
    learn(desk, classifier="paper", kernel="gauss", gamma=0.5)
    settings = desk.session.model.settings
    assert (settings.features, settings.kernel, settings.gamma) == ("positions", "gauss", 0.5)


def test_takes_of_other_skeletons_are_learnt_from_too(held, make):
    corpus, _ = held
    info = corpus.info("walk/normal_1")
    corpus.add(Take("stranger", make.motion(n_frames=90), info.source), floor_height=0.0)
    desk = AnnotateDesk(corpus.folder, True)
    assert "stranger" in learn(desk)["takes"]


def test_a_test_leaves_verified_takes_out_and_is_kept(held):
    desk = AnnotateDesk(held[0].folder, True)
    accept(held, "walk/normal_1")
    learn(desk)
    assert desk.try_out(Task()) is None  # one take alone tells nothing
    accept(held, "run/run_1")
    accept(held, "walk/stop_and_go")
    learn(desk)
    answer = desk.try_out(Task())
    assert 0.5 < answer["agreement"] <= 1
    assert [vars(trial) for trial in learning_curve.read_trials(held[0])] == [answer]


def test_a_desk_that_may_only_read_learns_and_writes_nothing(held):
    accept(held, "walk/normal_1")
    answer = learn(AnnotateDesk(held[0].folder, False))
    assert set(answer["learnt"]) == set(WORDS)
    assert held[0].proposals() == []


def test_learning_can_be_stopped_between_takes(held):
    desk = AnnotateDesk(held[0].folder, True)
    accept(held, "walk/normal_1")
    learn(desk)
    with pytest.raises(Stopped):
        desk.learn(Task(patience=2), {"labels": WORDS})


def test_warming_up_makes_the_windows_ready(held):
    desk = AnnotateDesk(held[0].folder, True)
    desk.warm_up(Task())
    windows = desk.session.model.windows
    learn(desk)
    assert desk.session.model.windows is windows
