"""Every request of examples/sequences gives the motion it asks for; among them are the figures of the paper."""

from pathlib import Path

import pytest

from motionloom.assembly import prepare_for, realize, solve
from motionloom.methods import buildup
from motionloom.methods.buildup import Request

pytestmark = pytest.mark.long
REQUESTS = sorted((Path(__file__).resolve().parents[2] / "examples" / "sequences").glob("*.yaml"))
TAKES = (
    "fight/left_stance fight/sparring fight/walk_up_1 fight/right_stance fight/switches fight/walk_up_2 walk/normal_1 "
    "walk/slow walk/about_face_1 walk/about_face_2 walk/about_face_3 stand/weight_shifts_1 stand/weight_shifts_2 "
    "pick_up/one_hand pick_up/pick_and_place_1 pick_up/pick_and_place_2 pick_up/pick_and_place_3 crouch/crouch_1 "
    "crouch/crouch_2 wave/walk_and_wave_1"
).split()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    """A part of the demo corpus."""
    return make.demo_corpus(tmp_path_factory.mktemp("sequences") / "corpus", TAKES)


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_request_is_met(corpus, path):
    request = Request.read(path)
    model = prepare_for(buildup, corpus, request)
    report = realize(buildup, solve(buildup, model, request)[0], model).report
    assert not [f"{part.name}: {part.why_not}" for part in report.parts if not part.met]
