"""Preparing: groups of what can be reached, the same each time, and a way out where takes do not hold together."""

import re
from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.methods.buildup import Material, Model, Settings, prepare
from motionloom.methods.buildup.poses.group_count import LEAST, MOST
from motionloom.methods.buildup.prepare import prepare_view


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


def test_takes_that_fall_apart_are_told_a_threshold_that_holds_them_together(model):
    tight = replace(model.material, threshold=0.4 * model.graph.threshold)
    try:
        prepare_view(model.view, tight, Settings())
    except Unsatisfiable as error:
        message = str(error)
    else:
        message = ""
        tight = replace(tight, threshold=1e-4)
        with pytest.raises(Unsatisfiable) as raised:
            prepare_view(model.view, tight, Settings())
        message = str(raised.value)
    assert message.startswith("the takes cannot be connected: ")
    found = re.search(r"a threshold of ([0-9.e-]+) holds it together", message)
    if found is not None:
        enough = replace(model.material, threshold=1.01 * float(found[1]))
        assert prepare_view(model.view, enough, Settings()).graph.n_nodes > 0


def test_a_model_is_the_same_when_it_is_read_again(model, tmp_path):
    model.save(tmp_path / "model.npz")
    assert Model.load(tmp_path / "model.npz", model.view).is_same(model)
    with pytest.raises(BadInput, match="was made from another view"):
        Model.load(tmp_path / "model.npz", replace(model.view, key="other"))
