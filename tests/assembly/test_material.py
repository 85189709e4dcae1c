"""Which takes a request chooses: bodies, and points beside them, which views leave out."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import choose_material
from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.errors import BadInput
from motionloom.formats.take import Source, Take
from motionloom.motion import PointMotion

SOURCE = Source("x", "npz", "", 60.0, 1.0)


@pytest.fixture
def corpus(tmp_path, make):
    motion = make.motion(40, seed=1, hinged=True)
    with Corpus.create(tmp_path / "corpus") as corpus:
        for number, name in enumerate(("walk/a", "walk/b", "run")):
            raised = motion.root_positions + 0.01 * number
            corpus.add(Take(name, replace(motion, root_positions=raised), SOURCE), floor_height=0.0)
        points = PointMotion(("p",), np.random.default_rng(1).random((40, 1, 3)), 60.0)
        corpus.add(Take("walk/face", points, SOURCE), floor_height=0.0)
        yield corpus


def test_patterns_choose_bodies_and_none_means_all_of_them(corpus):
    assert sorted(choose_material(corpus, ["walk/*"])) == ["walk/a", "walk/b"]
    assert sorted(choose_material(corpus, None)) == ["run", "walk/a", "walk/b"]


def test_points_that_are_named_beside_bodies_are_left_out_of_the_view_with_the_reason(corpus):
    chosen = choose_material(corpus, ["walk/face", "run"])
    assert sorted(chosen) == ["run", "walk/face"]
    view = make_view(corpus, chosen)
    assert view.names == ("run",)
    assert [(left.take, left.reason) for left in view.left_out] == [("walk/face", "it has points and no skeleton")]


def test_points_alone_are_refused_as_what_they_are(corpus):
    with pytest.raises(BadInput, match="walk/face: points without a skeleton; choose takes of bodies as well"):
        choose_material(corpus, ["walk/face"])
    with pytest.raises(BadInput, match=r"no take is called 'dance/\*'"):
        choose_material(corpus, ["dance/*", "run"])
