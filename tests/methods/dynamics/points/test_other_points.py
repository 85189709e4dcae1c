"""Points that are no face: one alone, three in a line, markers of a body with a box; nothing is rigid in them."""

import numpy as np
import pytest

from motionloom.corpus import Corpus, Source, Take
from motionloom.motion import PointMotion


@pytest.fixture(scope="module")
def desk(tmp_path_factory, faces):
    """A point that circles, three in a line that swing, and two clouds that pass each other."""
    t = np.arange(240)[:, None] / 60
    one = np.stack([np.sin(t), 1 + 0 * t, np.cos(t)], -1)
    line = np.concatenate(
        [np.stack([k + 0.2 * np.sin(2 * t), 1 + 0.1 * k * np.cos(3 * t), 0 * t], -1) for k in range(3)], 1
    )
    cloud = np.random.default_rng(0).normal(size=(1, 6, 3))
    passing = np.concatenate([cloud + 0.3 * t[..., None], cloud[:, ::-1] - 0.3 * t[..., None]], axis=1)
    corpus = Corpus.create(tmp_path_factory.mktemp("others") / "corpus")
    for name, positions in (("one", one), ("line", line), ("passing", passing)):
        names = tuple(f"{name}_{number}" for number in range(positions.shape[1]))
        source = Source(name, "csv", name, 60.0, 1.0)
        corpus.add(Take(name, PointMotion(names, positions, 60.0), source), floor_height=0.0)
    return type(faces)(corpus)


@pytest.mark.parametrize("take", ["one", "line", "passing"])
def test_points_without_a_head_are_edited_and_made_of_keys_in_the_world(desk, take):
    prior = {"takes": [take]}
    was = desk.corpus.take(take).motion
    asked = {"at": "2s", "joint": was.names[-1], "moved_by": [0, 0.05, 0], "hard": True}
    edited = desk.make({"start_from": take, "points": [asked], "prior": prior})
    assert not edited.missed
    np.testing.assert_allclose(edited.motion.positions[120, -1] - was.positions[120, -1], [0, 0.05, 0], atol=1e-3)
    np.testing.assert_allclose(edited.motion.positions[0], was.positions[0], atol=1e-4)
    keys = [{"at": f"{at}s", "pose": {"take": take, "frame": 60 * at}} for at in (0, 1, 2)]
    made = desk.make({"poses": keys, "prior": prior})
    assert not made.missed
    np.testing.assert_allclose(made.motion.positions[60], was.positions[60], atol=0.01)
    assert "head motion stays in: no part of the markers is rigid" in desk.model({"prior": prior}).describe()
