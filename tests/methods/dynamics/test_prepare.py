"""Preparing: which takes and labels are learnt from, mirrored copies, and models that are kept."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.dynamics import Material, Model, prepare
from motionloom.methods.dynamics.prepare import material_of, step_of, thinned, training_motions
from motionloom.methods.dynamics.request import Prior


def test_takes_and_their_mirrored_copies_are_learnt_from_and_others_only_shown(desk, model):
    walks = ("walk/normal_1", "walk/stop_and_go")
    assert model.learnt_from == (*walks, *(f"{name}~mirrored" for name in walks))
    asked = desk.request({"start_from": "wave/walk_and_wave_1"})
    material = material_of(desk.corpus, asked)
    assert material.shown == ("wave/walk_and_wave_1",) and material.takes == ("walk/*",)
    shown = prepare(desk.corpus, material)
    assert "wave/walk_and_wave_1" in shown.view.names and shown.learnt_from == model.learnt_from
    np.testing.assert_allclose(shown.prior.transitions, model.prior.transitions, atol=1e-12)


def test_only_frames_with_a_label_are_learnt_from_and_nothing_across_their_borders(desk, model):
    view, settings = model.view, model.settings
    motions = training_motions(view, ["walk/stop_and_go"], ["walk"], settings)
    held = [(label.start, label.stop) for label in view.labels("walk/stop_and_go") if label.label == "walk"]
    assert len(motions) == len(held) == 3
    for motion, (start, stop) in zip(motions, sorted(held)):
        assert motion.n_frames == len(range(start, stop, model.step)) and motion.fps == 30.0
        recorded = view.motion("walk/stop_and_go").root_positions[start : stop : model.step]
        np.testing.assert_allclose(motion.root_positions, recorded)


def test_labels_that_touch_are_one_stretch(desk, model):
    motions = training_motions(model.view, ["walk/stop_and_go"], ["walk", "stand"], model.settings)
    assert len(motions) == 1


def test_a_prior_of_a_label_is_another_than_that_of_all(desk):
    walks = prepare(desk.corpus, Material(("walk/*",), prior=Prior(labels=("walk",))))
    everything = prepare(desk.corpus, Material(("walk/*",)))
    assert walks.facts["frames"] < everything.facts["frames"]
    assert not walks.is_same(everything)


def test_a_label_that_nothing_has_is_refused(desk):
    with pytest.raises(BadInput, match="no frame of the chosen takes has one of the labels dance, fly"):
        prepare(desk.corpus, Material(("walk/*",), prior=Prior(labels=("dance", "fly"))))


def test_preparing_again_gives_the_same(desk, model):
    assert prepare(desk.corpus, material_of(desk.corpus, desk.request({"poses": desk.ends}))).is_same(model)


def test_a_model_is_the_same_when_it_is_read_again(model, tmp_path):
    model.save(tmp_path / "model.npz")
    again = Model.load(tmp_path / "model.npz", model.view)
    assert again.is_same(model) and again.learnt_from == model.learnt_from
    assert again.describe() == model.describe()
    with pytest.raises(BadInput, match="was made from another view"):
        Model.load(tmp_path / "model.npz", replace(model.view, key="other"))


@pytest.mark.parametrize(
    ("fps", "step"),
    [(24.0, 1), (25.0, 1), (30.0, 1), (59.94, 2), (60.0, 2), (90.0, 3), (120.0, 4), (240.0, 8), (10.0, 1)],
)
def test_the_rate_of_the_model_is_a_divisor_of_the_rate_of_the_motion(fps, step):
    assert step_of(fps, 30.0) == step


def test_thinned_motions_have_every_so_many_th_frame(make):
    motion = make.motion(31)
    few = thinned(motion, 4)
    assert few.n_frames == 8 and few.fps == 15.0
    np.testing.assert_array_equal(few.root_positions, motion.root_positions[::4])


def test_the_model_says_what_it_was_made_from(model):
    text = model.describe()
    assert f"{model.facts['frames']:.0f} frames at 30 per second" in text and "4 motions" in text
    assert f"{model.prior.size} of {model.prior.vectors.size} dimensions" in text
