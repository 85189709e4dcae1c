"""What the coordinates of a motion are relative to, between frames of the model."""

import numpy as np
import pytest

from motionloom.assembly import prepare_for, solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics.optimization import set_up


@pytest.fixture(scope="module")
def walks(tmp_path_factory, make):
    return make.demo_corpus(tmp_path_factory.mktemp("references") / "corpus", ["walk/normal_1", "walk/brisk"])


def test_places_have_no_corners_between_frames_of_the_model(walks):
    steps = [
        {"joint": f"{side}_heel", "from": f"{0.55 * n:.2f}s", "to": f"{0.55 * n + 0.45:.2f}s", "place": [x, 0.6 * n]}
        for n, (side, x) in enumerate([("left", 0.09), ("right", -0.09)] * 2)
    ]
    asked = {"length": "2.3s", "contacts": steps, "root": [{"at": "0s", "heading": 0}], "prior": {"takes": ["walk/*"]}}
    request = dynamics.Request.from_data(asked)
    model = prepare_for(dynamics, walks, request)
    assert model.step == 2
    answer = solve(dynamics, model, request)[0]
    places = answer.state.optimization.motion(answer.state.knots).root_positions[:, [0, 2]]
    bends = np.linalg.norm(np.diff(places, n=2, axis=0), axis=1) * model.fps**2
    assert bends.max() < 8.0  # metres per second squared; a walker has 4, and a corner of the reference had 100


def test_what_is_relative_to_keys_is_kept_in_frames_of_the_model(walks):
    poses = [
        {"at": f"{t}s", "pose": {"take": "walk/brisk", "frame": 100 + int(60 * t)}, "as_recorded": True} for t in (0, 1)
    ]
    request = dynamics.Request.from_data({"poses": poses, "prior": {"takes": ["walk/normal_1"]}})
    references = set_up(prepare_for(dynamics, walks, request), request).references
    again = references.curved(2)
    assert np.array_equal(again.places[::2], references.places[::2])
    assert np.array_equal(again.vectors[::2], references.vectors[::2])


@pytest.mark.parametrize("n_frames", [240, 241, 300, 301])
@pytest.mark.parametrize("take", ["walk/normal_1", "walk/brisk"])
def test_an_edit_moves_the_last_frame_as_the_ones_before_it(walks, take, n_frames):
    """Of an even number of frames, the last one of the model is after the last one of the motion."""
    moves = {"1s": (0, 0, 0), "end": (0.05, 0, 0)}
    points = [{"joint": "hips", "at": at, "moved_by": moved} for at, moved in moves.items()]
    asked = {"start_from": take, "length": f"{n_frames}f", "points": points, "prior": {"takes": ["walk/*"]}}
    request = dynamics.Request.from_data(asked)
    model = prepare_for(dynamics, walks, request)
    answer = solve(dynamics, model, request)[0]
    made, source = answer.state.optimization.motion(answer.state.knots), model.view.motion(take)
    change = made.root_positions - source.root_positions[:n_frames]
    bends = np.linalg.norm(np.diff(change, n=2, axis=0), axis=1) * model.fps**2
    assert bends[-4:].max() < 1.2 * bends[:-4].max() and bends.max() > 0.01  # metres per second squared


@pytest.mark.parametrize("n_frames", [240, 241])
def test_what_is_relative_to_an_edited_motion_has_its_velocity_to_the_end(walks, n_frames):
    asked = {"start_from": "walk/brisk", "length": f"{n_frames}f", "prior": {"takes": ["walk/*"]}}
    request = dynamics.Request.from_data(asked)
    references = set_up(prepare_for(dynamics, walks, request), request).references
    steps = np.linalg.norm(np.diff(references.places[:, :2], axis=0), axis=1)
    assert len(references.places) == 241
    np.testing.assert_allclose(steps[-1], steps[-2], rtol=0.1)
    np.testing.assert_allclose(references.vectors[-1, 0], references.vectors[-5, 0], rtol=0.1)
