"""Preparing: groups of what can be reached, the same each time, and a way out where takes do not hold together."""

import re
from dataclasses import replace

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.errors import BadInput, Unsatisfiable
from motionloom.formats.take import Source, Take
from motionloom.graphs import transition_graph_of
from motionloom.graphs.holding_together import falls_apart
from motionloom.graphs.transition_graph_builder import find_threshold
from motionloom.methods.buildup import Material, Model, Settings, prepare
from motionloom.methods.buildup.holding_threshold import LOOSEST
from motionloom.methods.buildup.holding_threshold import MOST as ENOUGH
from motionloom.methods.buildup.poses.group_count import LEAST, MOST
from motionloom.methods.buildup.prepare import graph_settings, prepare_view


def view_of(folder, **motions):
    """A view of some motions."""
    corpus = Corpus.create(folder / "corpus")
    for name, motion in motions.items():
        corpus.add(Take(name, motion, Source("x", "npz", "", 60.0, 1.0)))
    return make_view(corpus)


def test_preparing_again_gives_the_same(small_corpus, model):
    assert prepare(small_corpus, Material(groups=12)).is_same(model)


def test_only_poses_that_can_be_reached_show_a_group_and_every_frame_is_in_one(model):
    assert all(model.tables.node_at(int(centre)) >= 0 for centre in model.groups.centres)
    assert model.groups.of_frame.shape == (model.view.n_frames,)
    inside = np.bincount(model.groups.of_frame[model.tables.played_frames], minlength=12)
    assert (inside > 0).all()


def test_as_many_groups_are_made_as_recordings_ask_for(small_corpus):
    model = prepare(small_corpus, Material())
    assert LEAST <= model.groups.n_groups <= MOST


def test_another_seed_may_give_other_groups_of_the_same_graph(model):
    other = prepare_view(model.view, model.material, Settings(seed=5))
    np.testing.assert_array_equal(other.graph.edges, model.graph.edges)
    assert other.groups.n_groups == model.groups.n_groups


def test_more_groups_than_frames_that_can_be_reached_are_refused(model):
    with pytest.raises(BadInput, match="frames can be reached; ask for at most so many"):
        prepare_view(model.view, replace(model.material, groups=10**6), Settings())


@pytest.mark.parametrize("measure", ["points", "angles"])
def test_takes_that_fall_apart_are_told_the_least_threshold_that_holds_them_together(model, measure):
    tight = replace(model.material, threshold=1e-4, measure=measure)
    with pytest.raises(Unsatisfiable, match="the takes cannot be connected: ") as raised:
        prepare_view(model.view, tight, Settings())
    found = re.search(r"a threshold of ([0-9.e-]+) holds them together", str(raised.value))
    assert found is not None
    threshold = float(found[1])
    held = prepare_view(model.view, replace(tight, threshold=threshold), Settings()).pruned.kept_seconds
    loosest = replace(tight, threshold=LOOSEST * _usual(model, measure))
    enough = ENOUGH * prepare_view(model.view, loosest, Settings()).pruned.kept_seconds
    assert held >= enough
    try:
        less = prepare_view(model.view, replace(tight, threshold=0.98 * threshold), Settings()).pruned.kept_seconds
    except Unsatisfiable:
        less = 0.0
    assert less < enough


def _usual(model, measure):
    return find_threshold(model.view, graph_settings(Material(measure=measure)))


def test_takes_that_would_fall_apart_are_held_together_unless_a_threshold_is_given(model):
    usual = graph_settings(Material())
    assert usual.loosest > 1 and graph_settings(Material(threshold=0.1)).loosest == 1
    assert graph_settings(Material(measure="angles")).loosest == 1, "the paper's graph is as printed"
    apart, tight = None, _usual(model, "points")
    while apart is None or not falls_apart(apart):
        tight *= 0.9
        apart = transition_graph_of(model.view, graph_settings(Material(threshold=tight)))
    assert (apart.graph.distances <= tight).all()
    held = transition_graph_of(model.view, replace(usual, threshold=tight))
    assert held.report.kept_seconds > apart.report.kept_seconds
    assert tight < held.graph.loosest <= usual.loosest * tight


def test_takes_in_which_nothing_recurs_are_told_to_choose_others(make, tmp_path):
    view = view_of(tmp_path, once=make.motion(50))
    with pytest.raises(Unsatisfiable, match="no threshold does; choose other takes") as raised:
        prepare_view(view, Material(), Settings())
    assert "larger distance" not in str(raised.value), "no way out that is none"


def test_takes_shorter_than_what_is_compared_are_refused(make, tmp_path):
    view = view_of(tmp_path, short=make.motion(3), shorter=make.motion(2))
    with pytest.raises(BadInput, match="compared over 5 frames, but the longest take has 3 at 60 frames per second"):
        prepare_view(view, Material(), Settings())


def test_a_model_is_the_same_when_it_is_read_again(model, tmp_path):
    model.save(tmp_path / "model.npz")
    assert Model.load(tmp_path / "model.npz", model.view).is_same(model)
    with pytest.raises(BadInput, match="was made from another view"):
        Model.load(tmp_path / "model.npz", replace(model.view, key="other"))
