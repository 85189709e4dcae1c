"""Graph walks over steps: what feet stand on comes along into results, reports and files."""

import json

import numpy as np
import pytest

from motionloom.assembly import read_result, realize, solve, write_result
from motionloom.features.feet import foot_points
from motionloom.formats import write
from motionloom.methods import snap
from motionloom.motion import Footing
from motionloom.quality.air import measure_air
from motionloom.quality.penetration import measure_penetration


@pytest.fixture(scope="module")
def result(stairs):
    """Fifteen seconds of clips by chance, somewhere else in the world."""
    data = {"length": "15s", "steps": [], "start": {"position": [3.0, -2.0], "heading": 70}}
    return realize(snap, solve(snap, stairs, snap.Request.from_data(data), seed=3)[0], stairs)


def test_a_walk_over_steps_is_on_them_and_not_in_the_air(result):
    character = result.character
    assert {round(support.box.top, 1) for support in character.footing.supports} >= {0.3}
    assert measure_air(character.motion).hovers, "without what it stands on it is in the air"
    assert not measure_air(character.motion, footing=character.footing).hovers
    deepest = measure_penetration(character.motion, footing=character.footing, contacts=character.contacts)
    assert deepest.deepest_mm < 10


def test_planted_feet_of_a_walk_stand_at_the_height_of_their_step(result):
    character = result.character
    points = foot_points(character.motion, 0.0)
    above = points[..., 1] - character.footing.under(points, character.contacts)
    assert np.abs(above[character.contacts]).max() < 0.08
    assert (points[..., 1][character.contacts] > 0.25).sum() > 100


def test_the_same_feet_are_planted_across_joins_on_one_height(stairs, result):
    """No step up or down where one clip follows another."""
    character = result.character
    under = character.footing.under(foot_points(character.motion, 0.0), character.contacts)
    joins = result.character.plan.begins[1:]
    assert len(joins) > 5
    for frame in joins:
        both = character.contacts[frame - 1] & character.contacts[frame]
        np.testing.assert_allclose(under[frame - 1, both], under[frame, both], atol=1e-6)


def test_files_of_a_walk_keep_what_it_stands_on(result, tmp_path):
    write_result(tmp_path / "walk.npz", result)
    assert read_result(tmp_path / "walk.npz").character.footing == result.character.footing
    write(tmp_path / "walk.glb", result.motion, name="walk", footing=result.character.footing)
    write(tmp_path / "flat.glb", result.motion, name="walk", footing=Footing())
    content = (tmp_path / "walk.glb").read_bytes()
    nodes = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])["nodes"]
    flat = (tmp_path / "flat.glb").read_bytes()
    before = json.loads(flat[20 : 20 + int.from_bytes(flat[12:16], "little")])["nodes"]
    assert len(nodes) > len(before)


def test_a_model_that_was_saved_has_its_steps(stairs, tmp_path):
    stairs.save(tmp_path / "model.npz")
    loaded = snap.Model.load(tmp_path / "model.npz", stairs.view)
    assert loaded.is_same(stairs)
    np.testing.assert_array_equal(loaded.graph.supports, stairs.graph.supports)


def test_a_flat_walk_has_none(walking):
    answer = solve(snap, walking, snap.Request.from_data({"length": "3s", "steps": []}))[0]
    assert realize(snap, answer, walking).character.footing == Footing()
    assert "supports" not in walking.graph.to_arrays()
