"""The desk for timelines: a motion at once, then the best one, then the whole report; nothing is made twice in vain."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import realize, solve
from motionloom.corpus import Corpus, Label
from motionloom.errors import BadInput
from motionloom.methods import timeline
from motionloom.motion import cut
from motionloom.studio.desks.method import MethodDesk
from motionloom.tasks import Stopped, Task

TAKES = ("run/walk_run_walk_1", "run/run_1")
REQUEST = {"length": "4s", "labels": [{"label": "walk", "to": "2s"}, {"label": "run", "from": "2.5s"}]}


@pytest.fixture(scope="module")
def folder(make, tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


def timeline_desk(folder, can_write):
    return MethodDesk(folder, can_write, "timeline")


@pytest.fixture(scope="module")
def desk(folder):
    return timeline_desk(folder, can_write=False)


class Listener:
    """Hears what a search sends; stops it after so many parts."""

    def __init__(self, most=1000):
        self.parts, self.most = [], most

    @property
    def task(self):
        return Task(self._hear, lambda: len(self.parts) >= self.most)

    def _hear(self, kind, data):
        if kind == "part":
            self.parts.append(data)


def search(desk, request=REQUEST, **options):
    listener = Listener()
    desk.search(listener.task, request, **options)
    return listener.parts


def test_a_first_motion_comes_then_the_best_then_its_report_then_others(desk):
    parts = search(desk, others=2)
    assert parts[0]["kind"] == "first" and not parts[0]["is_whole"]
    whole = [part for part in parts if part["is_whole"]]
    assert [part["kind"] for part in whole] == ["best", "other", "other", "best"]
    assert whole[-1]["number"] == whole[0]["number"]
    assert not whole[0]["result"].report.details["alternatives"]
    assert len(whole[-1]["result"].report.details["alternatives"]) == 2
    assert whole[0]["result"].report.quality and whole[0]["number"] in [part["number"] for part in parts[:-1]]
    for part in parts:
        assert part["result"].motion.n_frames == 240
        assert part["is_whole"] or len(part["steps"]) == 1
        assert sum(part["costs"].values()) == pytest.approx(part["cost"])
    assert min(part["cost"] for part in whole if part["kind"] == "other") > whole[0]["cost"]


def test_motions_get_better_and_better(desk):
    parts = search(desk, {**REQUEST, "places": [{"position": [2.0, 1.0]}]}, others=0)
    costs = [part["cost"] for part in parts if not part["is_whole"]]
    assert (np.diff(costs) < 0).all() and len(costs) > 1
    assert parts[-1]["is_whole"] and parts[-1]["cost"] == costs[-1]


def test_the_motion_is_the_one_that_the_method_finds(desk):
    best = next(part for part in search(desk, others=0) if part["is_whole"])["result"]
    model = desk._ready_for(Listener().task, REQUEST, 0)[0].model
    plain = realize(timeline, solve(timeline, model, timeline.Request.from_data(REQUEST))[0], model)
    np.testing.assert_array_equal(best.motion.root_positions, plain.motion.root_positions)
    np.testing.assert_array_equal(best.motion.local_rotations, plain.motion.local_rotations)
    assert best.report.details == plain.report.details


def test_the_best_of_a_search_with_others_is_the_one_that_the_method_finds(desk):
    request = {**REQUEST, "places": [{"position": [1.0, 3.0]}]}
    last = {part["number"]: part for part in search(desk, request, others=2)}
    (best,) = [part for part in last.values() if part["is_whole"] and part["kind"] == "best"]
    model = desk._ready_for(Listener().task, request, 0)[0].model
    found = solve(timeline, model, timeline.Request.from_data(request), others=2)
    plain = realize(timeline, found[0], model, others=found[1:])
    np.testing.assert_array_equal(best["result"].motion.root_positions, plain.motion.root_positions)
    assert best["result"].report.details == plain.report.details
    others = sorted(part["cost"] for part in last.values() if part["kind"] == "other")
    assert others == [other.cost for other in found[1:]]


def test_what_was_found_before_does_not_change_what_is_found(desk, folder):
    changed = {**REQUEST, "labels": [{"label": "walk", "to": "1.5s"}, {"label": "run", "from": "2.5s"}]}
    search(desk, others=0)
    again, fresh = search(desk, changed, others=0), search(timeline_desk(folder, can_write=False), changed, others=0)
    np.testing.assert_array_equal(
        again[-1]["result"].motion.local_rotations, fresh[-1]["result"].motion.local_rotations
    )


def test_a_place_that_is_moved_a_little_is_reached_by_the_motion_of_before_first(desk):
    placed = {**REQUEST, "places": [{"position": [1.0, 3.0]}]}
    best = next(part for part in search(desk, placed, others=0) if part["is_whole"])
    moved = search(desk, {**REQUEST, "places": [{"position": [1.1, 3.0]}]}, others=0)
    cuts = [join["frame"] for join in moved[0]["result"].report.details["joins"]]
    assert cuts == [join["frame"] for join in best["result"].report.details["joins"]]
    (place,) = moved[0]["result"].report.details["places"]
    assert place["position"] == [1.1, 3.0] and place["position_miss"] < 0.02


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_search_that_is_not_wanted_any_more_ends(desk, most):
    listener = Listener(most)
    with pytest.raises(Stopped):
        desk.search(listener.task, REQUEST, others=3)
    assert len(listener.parts) == most


def test_new_labels_are_seen_when_the_corpus_has_changed(make, tmp_path):
    folder = tmp_path / "corpus"
    make.demo_corpus(folder, TAKES[:1]).close()
    desk = timeline_desk(folder, can_write=False)
    listener = Listener()
    asked = {"length": "1s", "labels": [{"label": "dance"}]}
    with pytest.raises(BadInput, match="nothing is labelled 'dance'"):
        desk.search(listener.task, asked, revision=1)
    with Corpus.open(folder, write=True) as corpus:
        corpus.add_labels([Label(TAKES[0], "dance", 0, 200, "person")])
    desk.search(listener.task, asked, revision=2, others=0)
    assert listener.parts[-1]["result"].report.is_met


def test_getting_ready_sends_nothing_and_a_corpus_without_takes_is_ready_at_once(desk, tmp_path):
    listener = Listener()
    desk.warm_up(listener.task)
    assert listener.parts == []
    Corpus.create(tmp_path / "empty").close()
    timeline_desk(tmp_path / "empty", can_write=False).warm_up(listener.task)


def test_statistics_are_learnt_again_at_another_desk_and_used_by_the_next_search(make, tmp_path):
    from motionloom.studio.desks.statistics import StatisticsDesk

    folder = tmp_path / "corpus"
    make.demo_corpus(folder, TAKES[:1]).close()
    owner = Corpus.open(folder, write=True)
    searching, learning = timeline_desk(folder, can_write=True), StatisticsDesk(folder, can_write=True)
    request = {"length": "2s", "labels": [{"label": "walk"}]}
    assert not searching.search(Listener().task, request, others=0)["is_learning_due"]
    info, take = owner.info(TAKES[0]), owner.take(TAKES[0])
    part = replace(take, name="more", motion=cut(take.motion, 0, take.motion.n_frames // 3))
    owner.add(part, floor_height=info.floor_height)
    old = searching._ready_for(Listener().task, request, 1)[0].model.space
    assert searching.search(Listener().task, request, revision=1, others=0)["is_learning_due"]
    with pytest.raises(Stopped):
        learning.learn_again(Task(lambda *_: None, lambda: True), "timeline", request)
    assert searching._ready_for(Listener().task, request, 2)[0].model.space == old
    learning.learn_again(Listener().task, "timeline", request)
    assert searching._ready_for(Listener().task, request, 3)[0].model.space != old
    assert not searching.search(Listener().task, request, revision=3, others=0)["is_learning_due"]
    owner.close()
