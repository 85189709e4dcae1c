"""The reference skeleton of a corpus: chosen once, kept, changed only by a person."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.conform import choose_reference, find_reference, make_view
from motionloom.corpus import Corpus
from motionloom.errors import BadInput
from motionloom.formats.take import Source, Take
from motionloom.motion import PointMotion, Skeleton

SOURCE = Source("x", "npz", "", 60.0, 1.0)


def add(corpus, make, name, size, n_frames=60, seed=0):
    motion = make.motion(n_frames=n_frames, seed=seed, wildness=0.2, hinged=True)
    sized = replace(motion, skeleton=motion.skeleton.scaled(size), root_positions=motion.root_positions * size)
    corpus.add(Take(name, sized, SOURCE), floor_height=0.0)


@pytest.fixture
def corpus(tmp_path, make):
    with Corpus.create(tmp_path / "corpus") as corpus:
        for seed, (name, size) in enumerate((("a", 0.9), ("b", 1.0), ("c", 1.2))):
            add(corpus, make, name, size, seed=seed)
        yield corpus


def test_the_usual_reference_is_stored_at_first_use_and_stays_when_takes_come(corpus, make):
    assert find_reference(corpus).take == "b"
    add(corpus, make, "d", 1.5, n_frames=900, seed=7)
    found = find_reference(corpus)
    assert (found.take, found.is_chosen, found.is_removed) == ("b", False, False)
    assert make_view(corpus).skeleton == corpus.take("b").motion.skeleton
    assert choose_reference(corpus, None).take == "d"


def test_readers_find_the_usual_reference_and_store_nothing(corpus):
    with Corpus.open(corpus.folder) as reader:
        assert find_reference(reader).take == "b"
    assert corpus.remembered("reference") is None


def test_a_person_chooses_the_reference_and_views_follow(corpus):
    make_view(corpus)
    assert choose_reference(corpus, "c").is_chosen
    assert make_view(corpus).skeleton == corpus.take("c").motion.skeleton
    corpus.rename("c", "tall one")
    assert find_reference(corpus).take == "tall one"


def test_a_reference_whose_take_was_removed_stays_and_says_so(corpus):
    skeleton = choose_reference(corpus, "c").skeleton
    corpus.remove("c")
    found = find_reference(corpus)
    assert found.is_removed and found.skeleton == skeleton and found.take == "c"
    assert make_view(corpus).skeleton == skeleton


def test_a_reference_that_is_not_in_the_catalogue_is_named_with_what_to_do(corpus):
    choose_reference(corpus, "c")
    corpus.remember("reference", {**corpus.remembered("reference"), "content": "gone", "skeleton": "gone"})
    with pytest.raises(BadInput, match=r"the reference skeleton is that of c, which is no longer in .* choose another"):
        make_view(corpus)


def test_roles_that_were_corrected_count_in_the_reference(corpus):
    choose_reference(corpus, "c")
    corpus.set_roles("c", {"left_ball": None})
    assert "left_ball" not in find_reference(corpus).skeleton.roles


def test_a_body_that_nobody_can_be_shown_on_is_no_reference_beside_others(corpus, tmp_path):
    motion = corpus.take("a").motion
    names = tuple(f"bone {joint}" for joint in range(motion.skeleton.n_joints))
    skeleton = Skeleton(names, motion.skeleton.parents, motion.skeleton.offsets)
    nameless = replace(motion, skeleton=skeleton)
    corpus.add(Take("nameless", nameless, SOURCE), floor_height=0.0)
    before = find_reference(corpus).take
    with pytest.raises(BadInput, match=r"nameless cannot be the reference: .* has no legs"):
        choose_reference(corpus, "nameless")
    assert find_reference(corpus).take == before
    with Corpus.create(tmp_path / "alone") as alone:
        alone.add(Take("nameless", nameless, SOURCE), floor_height=0.0)
        assert choose_reference(alone, "nameless").is_chosen


def test_a_body_that_nobody_can_be_shown_on_gives_way_to_the_first_that_others_can(corpus, tmp_path):
    motion = corpus.take("a").motion
    names = tuple(f"bone {joint}" for joint in range(motion.skeleton.n_joints))
    nameless = replace(motion, skeleton=Skeleton(names, motion.skeleton.parents, motion.skeleton.offsets))
    with Corpus.create(tmp_path / "grown") as grown:
        grown.add(Take("nameless", nameless, SOURCE), floor_height=0.0)
        assert find_reference(grown).take == "nameless" and make_view(grown).names == ("nameless",)
        grown.add(Take("body", motion, SOURCE), floor_height=0.0)
        assert find_reference(grown).take == "body" and make_view(grown).names == ("body",)


def test_points_are_no_reference(corpus, tmp_path):
    points = PointMotion(("p",), np.zeros((5, 1, 3)), 60.0)
    corpus.add(Take("face", points, SOURCE), floor_height=0.0)
    with pytest.raises(BadInput, match="face has points and no skeleton"):
        choose_reference(corpus, "face")
    with Corpus.create(tmp_path / "points") as alone:
        alone.add(Take("face", points, SOURCE), floor_height=0.0)
        with pytest.raises(BadInput, match="has no recordings of bodies"):
            find_reference(alone)
