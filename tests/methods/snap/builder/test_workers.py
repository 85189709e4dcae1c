"""Building with worker processes: the same bits as without."""

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.methods.snap.author.match_sets import AcceptedSet
from motionloom.methods.snap.builder import hub_graph_builder
from motionloom.methods.snap.builder.hub_graph_builder import build
from motionloom.methods.snap.builder.take_bending import bend_take
from motionloom.tasks import keep_workers


@pytest.fixture(scope="module")
def idle(tmp_path_factory, make):
    corpus = make.demo_corpus(tmp_path_factory.mktemp("idle") / "corpus", ["idle/toe_taps", "idle/weight_shifts"])
    return make_view(corpus, corpus.names())


def test_worker_processes_build_the_same_bits(idle, monkeypatch):
    hubs = [AcceptedSet("one", np.array([100, 200, 400, idle.starts[1] + 100, idle.starts[1] + 300]))]
    alone = build(idle, hubs)
    reported: list[tuple[int, int]] = []
    monkeypatch.setattr(hub_graph_builder, "WORTH_WORKERS", 0)
    together = build(idle, hubs, progress=lambda done, total: reported.append((done, total)))
    for name, array in alone.graph.to_arrays().items():
        np.testing.assert_array_equal(together.graph.to_arrays()[name], array)
    assert reported[-1][0] == reported[-1][1]


def test_workers_can_be_asked_again_and_again_and_tell_what_went_wrong():
    with keep_workers(np.square, workers=2) as run:
        assert list(run([1, 2, 3])) == [1, 4, 9]
        assert list(run(list(range(10)))) == [n * n for n in range(10)]
        with pytest.raises(TypeError):
            list(run([2, "three"]))
    with keep_workers(bend_take, workers=2) as run, pytest.raises(AttributeError):
        list(run([None]))


def test_a_caller_who_stops_in_the_middle_ends_the_workers(idle, monkeypatch):
    monkeypatch.setattr(hub_graph_builder, "WORTH_WORKERS", 0)

    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        build(idle, [AcceptedSet("one", np.array([100, 200]))], progress=stop)
