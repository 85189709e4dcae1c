"""From a corpus to a graph: what is kept, what is named and connected, and that nothing half-built is left."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from motionloom.corpus import Label
from motionloom.errors import BadInput
from motionloom.methods import snap
from motionloom.methods.snap.model import Model

EXACT = ("frames", "clip_starts", "contacts", "hub_frames", "placements")


def kept(corpus, kind):
    return corpus.connection.execute("SELECT count(*) FROM models WHERE kind = ?", [kind]).fetchone()[0]


def refuse(*arguments, **options):
    raise AssertionError("built again")


def module():
    return import_module("motionloom.methods.snap.prepare")  # the package has a function of that name


def test_every_clip_begins_with_the_common_pose_of_its_hub(walking):
    graph = walking.graph
    assert len(graph.clips) > 10
    for number, clip in enumerate(graph.clips):
        np.testing.assert_array_equal(graph.frames[graph.clip_starts[number]], graph.hub_frames[clip.source, 1])


def test_a_frame_of_a_take_that_the_graph_does_not_use_says_so(walking):
    away = snap.Hub(frames=(snap.TakeFrame("walk/stop_and_go", 200), snap.TakeFrame("walk/stop_and_go", 300)))
    with pytest.raises(BadInput, match="walk/stop_and_go is not among the takes of the graph"):
        snap.prepare(walking.view.corpus, snap.GraphRequest(takes=("walk/figure_eight",), hubs=(away,)))


def test_match_frames_that_were_left_out_are_reported(walking):
    dropped = walking.report.build.dropped
    assert dropped
    assert f"left out: {len(dropped)} match frame" in walking.describe()


def test_a_graph_that_was_built_is_not_built_again(walking, monkeypatch):
    snap.prepare(walking.view.corpus)  # where other tests made it go
    monkeypatch.setattr(module(), "build", refuse)
    again = snap.prepare(walking.view.corpus)
    for name in EXACT:
        np.testing.assert_array_equal(getattr(again.graph, name), getattr(walking.graph, name))
    assert [clip.name for clip in again.graph.clips] == [clip.name for clip in walking.graph.clips]
    assert replace(again.report.build, seconds=0.0) == replace(walking.report.build, seconds=0.0)
    with pytest.raises(AssertionError, match="built again"):
        snap.prepare(walking.view.corpus, snap.GraphRequest(w_min=0.6))


def test_a_renamed_take_is_in_the_graph_under_its_new_name(walking, tmp_path):
    corpus = walking.view.corpus
    walking.save(tmp_path / "graph.npz")
    corpus.rename("walk/figure_eight", "walk/figure_8")
    try:
        renamed = snap.prepare(corpus)
        assert {clip.motion for clip in renamed.graph.clips} == {"walk/figure_8", "walk/stop_and_go"}
        assert "figure_eight" not in renamed.describe() + str(renamed.report.to_data())
        assert renamed.view.key == walking.view.key and not renamed.is_same(walking)
        with pytest.raises(BadInput, match="was made before takes were renamed"):
            Model.load(tmp_path / "graph.npz", renamed.view)
    finally:
        corpus.rename("walk/figure_8", "walk/figure_eight")


def test_only_the_newest_graphs_are_kept(walking, monkeypatch):
    corpus = walking.view.corpus
    monkeypatch.setattr(module(), "_build_arrays", replace(module()._build_arrays, at_most=2))
    for w_min in (0.55, 0.6, 0.65):
        snap.prepare(corpus, snap.GraphRequest(w_min=w_min))
    assert kept(corpus, "hub graph") == 2
    monkeypatch.setattr(module(), "build", refuse)
    snap.prepare(corpus, snap.GraphRequest(w_min=0.65))
    with pytest.raises(AssertionError, match="built again"):
        snap.prepare(corpus, snap.GraphRequest(w_min=0.55))


def test_labels_count_as_soon_as_they_are_there(walking):
    corpus = walking.view.corpus
    clip = walking.graph.clips[0]
    label = Label(clip.motion, "first of all", clip.start, clip.stop)
    corpus.add_labels([label])
    try:
        again = snap.prepare(corpus)
        assert again.graph.clips[0].name.startswith("first of all")
        assert "first of all" in [action.name for action in again.graph.actions]
    finally:
        corpus.remove_labels([label])


def test_loose_clips_are_kept_where_that_is_wanted(walking):
    kept_all = snap.prepare(walking.view.corpus, snap.GraphRequest(mend="keep"))
    assert len(kept_all.graph.clips) == len(walking.graph.clips) + walking.report.connectivity.loose_clips
    assert kept_all.report.connectivity.loose_clips > 0
    assert not kept_all.report.is_mended
    assert all(node.kind == "hub" for node in walking.graph.nodes)


def test_a_graph_that_cannot_be_built_leaves_nothing_behind(walking):
    corpus = walking.view.corpus
    before = kept(corpus, "hub graph")
    hubs = [{"largest": True}, {"like": {"take": "figure_eight", "frame": 300}, "threshold": 1e-6}]
    with pytest.raises(BadInput, match="hub 2: a threshold of 1e-06 m matches nothing"):
        snap.prepare(corpus, snap.GraphRequest.from_data({"hubs": hubs}))
    assert kept(corpus, "hub graph") == before


def test_unknown_takes_are_named(walking):
    with pytest.raises(BadInput, match=r"no take is called 'swim/\*'"):
        snap.prepare(walking.view.corpus, snap.GraphRequest(takes=("swim/*",)))


def test_actions_are_those_that_a_person_wants(walking):
    name = walking.graph.clips[3].name
    request = snap.GraphRequest.from_data({"actions": [{"name": "mine", "clips": [name]}]})
    made = snap.prepare(walking.view.corpus, request)
    assert [(action.name, action.clips) for action in made.graph.actions] == [("mine", (3,))]


def test_a_model_comes_back_from_a_file(walking, tmp_path):
    walking.save(tmp_path / "graph.npz")
    again = Model.load(tmp_path / "graph.npz", walking.view)
    for name in EXACT:
        np.testing.assert_array_equal(getattr(again.graph, name), getattr(walking.graph, name))
    assert (again.graph.clips, again.graph.actions) == (walking.graph.clips, walking.graph.actions)
    assert replace(again.report.build, seconds=0.0) == replace(walking.report.build, seconds=0.0)
    assert again.describe() == walking.describe()


def test_a_description_names_hubs_displacements_and_times(walking):
    text = walking.describe()
    for part in ("1 hub,", "match frames, moved", "planted feet move", "left out:", "building"):
        assert part in text
