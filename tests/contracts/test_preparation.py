"""Preparing again after a corpus has changed: nothing is made again of what is the same, and all is as if made anew."""

import shutil
from collections import Counter, defaultdict

import numpy as np
import pytest

from motionloom.assembly import Material, is_learning_due, learn_again, learn_yardsticks
from motionloom.caching import Kind
from motionloom.conform.statistics import learning_again
from motionloom.corpus import Corpus, Label, Source, Take
from motionloom.corpus.material import COMPOSED, MADE_BY
from motionloom.corpus.models import delete_models
from motionloom.methods import buildup, snap, timeline
from motionloom.methods.annotate.labelling import sessions
from motionloom.methods.timeline.solvers.block_clusters import find_clusters
from motionloom.motion import cut

TAKES = ("run/jog", "stand/weight_shifts_1", "walk/normal_1", "walk/slow", "wave/standing")
NEW = "idle/toe_taps"
STATISTICS = {
    "usual threshold",
    "feature space",
    "yardsticks",
    "annotation embedding",
    "block clusters",
    "distance scale",
}
TOGETHER = {
    "nearest frames",
    "hub graph",
    "transition graph",
    "pose groups",
}  # made of all chosen takes together, or brought up to date with them
CELLS = {"slice minima": 3, "frame matches": 4}  # of pairs of takes: which argument says which
PARTS = {  # made of one take
    "conformed take",
    "view layer",
    "hovering",
    "feature coordinates",
    "timeline clusters",
    "annotation windows",
}


def prepare_all(corpus, takes=None):
    """What all methods prepare of some takes, by name: arrays, or for each take its arrays."""
    model = timeline.prepare(corpus, Material(takes))
    graph = snap.prepare(corpus, snap.GraphRequest(takes=takes))
    compared = snap.compare_view(graph.view)
    windows = sessions.learn(corpus, sessions.Choice(takes=takes and [*takes]), maybe_nothing=True).model.windows
    built = buildup.prepare(corpus, buildup.Material(takes, groups=6))
    yardsticks = learn_yardsticks(model.view)
    return model, {
        "names": np.array(model.view.names),
        "coordinates": model.coordinates,
        "neighbours": model.neighbours,
        "hovering": model.hovering,
        "clusters": find_clusters(model, 16, 12).cluster_of,
        "tracks": model.tracks,
        "minima starts": compared.minima.starts,
        "minima": compared.minima.frames,
        "minima distances": compared.minima.distances,
        "graph": graph.graph.frames,
        "transitions": built.graph.edges,
        "placements": built.graph.slides,
        "pose groups": built.groups.of_frame,
        "window names": np.array(windows.names),
        "windows": windows.coordinates,
        "peaks": yardsticks.peaks,
    }


class Counting:
    """Counts what is made, by kind; of pairs, the names of the takes that were compared."""

    def __init__(self, monkeypatch):
        self.made, self.compared = Counter(), defaultdict(set)
        call = Kind.__call__

        def count(kind, *args, **kwargs):
            self.made[kind.name] += 1
            if kind.name in CELLS:
                view, cells = args[0], args[CELLS[kind.name]]
                self.compared["pairs"] |= {(view.names[i], view.names[j]) for i, j in np.argwhere(cells)}
            return call(kind, *args, **kwargs)

        monkeypatch.setattr(Kind, "__call__", count)

    @property
    def of_takes(self):
        """What was made, but for what is made of all takes together."""
        return {name: count for name, count in self.made.items() if name not in TOGETHER}


@pytest.fixture(scope="module")
def prepared(make, tmp_path_factory):
    """The folder of a corpus in which everything was prepared."""
    folder = tmp_path_factory.mktemp("prepared") / "corpus"
    with make.demo_corpus(folder, TAKES) as corpus:
        prepare_all(corpus)
    return folder


@pytest.fixture
def corpus(prepared, tmp_path):
    shutil.copytree(prepared, tmp_path / "corpus")
    with Corpus.open(tmp_path / "corpus", write=True) as corpus:
        yield corpus


def relabel(corpus):
    corpus.remove_labels(corpus.labels("walk/slow"))
    corpus.add_labels([Label("run/jog", "hurry", 10, 90)])


def restore(corpus):
    corpus.remove("run/jog")
    prepare_all(corpus)
    corpus.restore("run/jog")


def keep(corpus):
    motion = cut(corpus.take("walk/slow").motion, 20, 140)
    source = Source(COMPOSED, MADE_BY, "", motion.fps, 1.0)
    corpus.add(Take("made/one", motion, source), floor_height=0.0)


CHANGES = {
    "remove": lambda corpus: corpus.remove("walk/slow"),
    "restore": restore,
    "rename": lambda corpus: corpus.rename("run/jog", "zigzag/jog"),
    "relabel": relabel,
    "keep": keep,
    "nothing": lambda corpus: None,
}


def add_new(corpus, make):
    motion = make.demo_take(NEW).motion
    corpus.add(Take(NEW, motion, Source(NEW, "performer", NEW, motion.fps, 1.0)), floor_height=0.0)


def prepare_anew(corpus, takes=None):
    """As `prepare_all`, with the statistics that there are and nothing else that is kept."""
    rows = corpus.connection.execute("SELECT kind, key FROM models").fetchall()
    for kind, key in rows:
        if kind not in STATISTICS:
            delete_models(corpus, kind, [key])
    return prepare_all(corpus, takes)[1]


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        if name == "neighbours":  # what a search of an index finds is nearly all, and depends a little on what it knew
            assert one[name].shape == other[name].shape and (one[name] == other[name]).mean() > 0.99
            continue
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.mark.parametrize("change", list(CHANGES))
def test_changes_of_a_corpus_make_nothing_of_takes_that_are_the_same(corpus, change, monkeypatch):
    CHANGES[change](corpus)
    counting = Counting(monkeypatch)
    _, found = prepare_all(corpus)
    assert counting.of_takes == {}
    assert_same(found, prepare_anew(corpus))


def test_another_choice_of_takes_makes_nothing(corpus, monkeypatch):
    counting = Counting(monkeypatch)
    chosen = ("walk/normal_1", "wave/standing")
    _, found = prepare_all(corpus, chosen)
    assert counting.of_takes == {}
    assert_same(found, prepare_anew(corpus, chosen))


def test_a_new_take_is_conformed_placed_and_compared_with_the_others_and_nothing_else_is(corpus, make, monkeypatch):
    counting = Counting(monkeypatch)
    add_new(corpus, make)
    _, found = prepare_all(corpus)
    layers = {name for name in counting.of_takes if name.startswith("layer ")}  # of the take itself
    assert all(counting.of_takes[name] == 1 for name in layers)
    assert {n: c for n, c in counting.of_takes.items() if n not in layers} == dict.fromkeys([*PARTS, *CELLS], 1)
    pairs = counting.compared["pairs"]
    assert pairs == {(NEW, NEW), *((NEW, name) for name in TAKES), *((name, NEW) for name in TAKES)}
    assert_same(found, prepare_anew(corpus))


def test_statistics_that_are_due_are_learnt_again_after_an_answer_and_used_by_the_next(corpus, make, monkeypatch):
    add_new(corpus, make)
    model, before = prepare_all(corpus)
    assert is_learning_due(model.view)
    with pytest.raises(KeyboardInterrupt), learning_again(corpus):
        timeline.prepare(corpus)
        raise KeyboardInterrupt
    assert_same(prepare_all(corpus)[1], before)
    learn_again(corpus, timeline, Material())
    counting = Counting(monkeypatch)
    again = timeline.prepare(corpus)
    learn_yardsticks(again.view)
    assert counting.made == {} and not is_learning_due(again.view)
    assert again.space != model.space and not again.is_same(model)


def test_readers_do_not_learn_again(corpus, make):
    add_new(corpus, make)
    timeline.prepare(corpus)
    with Corpus.open(corpus.folder) as reader:
        model = timeline.prepare(reader)
        assert any(used.is_due for used in model.view.statistics.values())
        assert not is_learning_due(model.view)
