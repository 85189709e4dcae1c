"""How high what carries a body is, frame by frame."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.conform.carried_heights import carried_heights
from motionloom.corpus import Corpus
from motionloom.features.feet import foot_points
from motionloom.formats.take import Source, Take
from motionloom.graphs.view_measures import LEVEL, measure_view_features
from motionloom.motion import Box, Support


@pytest.fixture
def stepped(tmp_path, make):
    """Two takes; the first rests on a step in frames 30 to 50, and on the floor in frames 70 to 80."""
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed, name in enumerate("ab"):
            motion = make.motion(n_frames=100, seed=seed, wildness=0.1, hinged=True)
            corpus.add(Take(name, motion, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
        view = make_view(corpus)
        frames = np.array(view.frames)
        frames[:, 1] += 1.0  # the feet are above the floor, wherever such motions have them
        view = replace(view, frames=frames)
        feet = foot_points(view.motion("a"), 0.0)
        top = float(feet[..., 1].min()) - 0.001
        box = Box((0.0, 0.0), (9.0, 9.0), 0.0, top, 0.0)
        contacts = np.zeros((view.n_frames, 4), bool)
        contacts[30:50] = contacts[70:80] = True
        rows = [[0.0, *Support(box, 30, 50).to_row()]]
        yield replace(view, supports=np.array(rows), source_contacts=contacts), top


def test_it_is_the_step_while_feet_rest_on_it_and_changes_evenly_between(stepped):
    view, top = stepped
    heights = carried_heights(view)
    assert heights[:50] == pytest.approx(np.full(50, top)) and heights[70:80] == pytest.approx(np.zeros(10))
    assert heights[50:70] == pytest.approx(top * (1 - np.arange(1, 21) / 21))
    assert not heights[100:].any()  # the other take has no step


def test_frames_on_a_step_are_far_from_frames_on_the_floor(stepped):
    view, top = stepped
    flat = measure_view_features(replace(view, supports=np.zeros((0, 10)))).coordinates
    raised = measure_view_features(view).coordinates
    assert np.array_equal(raised[:, :-1], flat[:, :-1]) and not flat[:, -1].any()
    away = np.linalg.norm(raised[40] - raised[75])
    assert away == pytest.approx(np.hypot(np.linalg.norm(flat[40] - flat[75]), LEVEL * top))
