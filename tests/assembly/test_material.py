"""Which takes a request chooses: bodies, and points beside them, which views leave out."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import ChosenTakes, choose_material, choose_takes_of_a_kind, means_points
from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.corpus.material import COMPOSED, MADE_BY
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


@pytest.fixture
def faces(corpus):
    """The same with two more takes of points, one of them a kept result."""
    for number, source in enumerate((SOURCE, replace(SOURCE, path=COMPOSED, format=MADE_BY))):
        points = PointMotion(("p",), np.random.default_rng(2 + number).random((40, 1, 3)), 60.0)
        corpus.add(Take(("face/smile", "face/kept")[number], points, source))
    return corpus


def test_takes_of_a_kind_are_bodies_or_points(faces):
    assert choose_takes_of_a_kind(faces, None) == ChosenTakes("body", ("run", "walk/a", "walk/b"))
    assert choose_takes_of_a_kind(faces, ["walk/*"]) == ChosenTakes("body", ("walk/a", "walk/b"))
    assert choose_takes_of_a_kind(faces, ["face/*"]) == ChosenTakes("points", ("face/smile",))
    assert choose_takes_of_a_kind(faces, ["face/*", "walk/face"]) == ChosenTakes("points", ("face/smile", "walk/face"))
    assert choose_takes_of_a_kind(faces, ["face/kept"]) == ChosenTakes("points", ("face/kept",))


def test_both_kinds_together_and_names_of_nothing_are_refused(faces):
    with pytest.raises(BadInput, match=r"'face/\*' means points \(face/smile\) and 'run' bodies \(run\); .* one kind"):
        choose_takes_of_a_kind(faces, ["run", "face/*"])
    with pytest.raises(BadInput, match=r"no take is called 'dance'"):
        choose_takes_of_a_kind(faces, ["dance", "face/*"])
    with pytest.raises(BadInput, match=r"no take is called 'dance'"):
        choose_takes_of_a_kind(faces, ["dance", "run"])
    with pytest.raises(BadInput, match=r"'face/k\*' means kept results alone; name them in full .*face/kept"):
        choose_takes_of_a_kind(faces, ["face/s*", "face/k*"])
    with pytest.raises(BadInput, match="no takes are chosen"):
        choose_takes_of_a_kind(faces, [])


def test_whether_points_are_meant_is_told_without_a_word_about_what_is_wrong(faces):
    assert means_points(faces, ["face/*"]) and means_points(faces, None, ["walk/face"])
    assert means_points(faces, None) is False and means_points(faces, ["run", "face/*"]) is None
    assert means_points(faces, ["dance"]) is None


def test_where_there_is_no_body_all_takes_are_points(faces):
    for name in ("run", "walk/a", "walk/b"):
        faces.remove(name)
    assert choose_takes_of_a_kind(faces, None) == ChosenTakes("points", ("face/smile", "walk/face"))
    with pytest.raises(BadInput, match="no take is called 'run'; the corpus has face/smile, walk/face"):
        choose_takes_of_a_kind(faces, ["run"])
    with pytest.raises(BadInput, match="takes of points alone; import recordings of bodies"):
        choose_material(faces, None)
