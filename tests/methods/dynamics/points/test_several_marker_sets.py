"""A corpus of two marker sets: without patterns, a request learns from the set of the takes that it names."""

from dataclasses import replace

import pytest

from motionloom.assembly import prepare_for
from motionloom.corpus import Source, Take
from motionloom.errors import BadInput
from motionloom.methods import dynamics

OTHERS = ("face/happiness", "face/surprise")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory, make):
    """Two faces, and a shorter one whose markers have other names."""
    corpus = make.face_corpus(tmp_path_factory.mktemp("mixed") / "corpus", OTHERS)
    motion = make.face_take("face/anger").motion
    renamed = replace(motion, names=tuple(f"M{n}" for n in range(len(motion.names))))
    corpus.add(Take("other/anger", renamed, Source("other/anger", "test", "", motion.fps, 1.0)), floor_height=0.0)
    with corpus:
        yield corpus


@pytest.mark.parametrize(("take", "learnt"), [("other/anger", ("other/anger",)), (OTHERS[0], OTHERS)])
def test_a_request_learns_from_takes_with_the_markers_of_those_it_names(mixed, take, learnt):
    model = prepare_for(dynamics, mixed, dynamics.Request.from_data({"start_from": take}))
    assert model.learnt_from == learnt
    assert model.points.markers == mixed.point_names(take)


def test_patterns_of_another_set_are_refused_by_name(mixed):
    request = dynamics.Request.from_data({"start_from": "other/anger", "prior": {"takes": ["face/*"]}})
    with pytest.raises(BadInput, match="other/anger"):
        prepare_for(dynamics, mixed, request)
