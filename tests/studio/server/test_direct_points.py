"""The server of the Direct workspace on faces: what a page needs of the model, and a face whose marker is dragged."""

import asyncio
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.studio.desks.direct import DirectDesk
from motionloom.studio.server.messages.direct import Director, Drag
from motionloom.studio.server.packing import unpack
from motionloom.studio.server.workspaces.direct import drag
from motionloom.tasks import Task

QUIET = Task(lambda *_: None, lambda: False)
EDIT = {"start_from": "face/happiness", "length": "3s"}
FRAME = 90
MARKER = "left_mouth_corner"


@pytest.fixture(scope="module")
def desk(performed_faces):
    return DirectDesk(performed_faces, False)


@pytest.fixture(scope="module")
def before(desk):
    """The face that is edited, without anything asked of it."""
    return desk.drag(QUIET, EDIT, 0)


def places_of(answer, marker=MARKER):
    """(F, 3) where a marker is."""
    header, arrays = answer
    return arrays["points"][:, header["points"].index(marker)]


def apart(answer, one, other):
    return float(np.linalg.norm(places_of(answer, one)[FRAME] - places_of(answer, other)[FRAME]))


def test_the_model_of_faces_is_described_with_their_looks_and_distances(desk):
    director = Director.model_validate(desk.learn(QUIET, EDIT))
    assert (director.kind, director.skeleton) == ("points", None)
    assert director.joints[MARKER] == MARKER and len(director.joints) == 40
    assert director.looks is not None and director.looks.triangles and director.looks.front is not None
    names = [distance.name for distance in director.distances]
    assert names == ["mouth width", "mouth height", "left eye", "right eye", "left brow", "right brow"]
    assert all(0 < distance.least < distance.most < 0.2 for distance in director.distances)


def test_a_body_is_described_as_one(desk):
    director = Director.model_validate(desk.learn(QUIET, {"start_from": "walk/normal_1", "length": "1s"}))
    assert (director.kind, director.looks, director.distances) == ("body", None, [])
    assert director.skeleton


def test_a_dragged_lip_comes_along_and_the_rest_of_time_stays(desk, before):
    header, arrays = before
    assert header["frames"] == len(arrays["points"]) == 180 and header["skeleton"] is None
    at = places_of(before)[FRAME] + (0.006, 0.008, 0.0)
    pin = {"joint": MARKER, "at": f"{FRAME}f", "position": at.tolist(), "hard": True}
    dragged = desk.drag(QUIET, {**EDIT, "points": [pin]}, 0)
    assert np.linalg.norm(places_of(dragged)[FRAME] - at) < 1e-4
    (part,) = dragged[0]["parts"]
    assert part["name"].startswith(f"point 1, {MARKER}") and part["met"]
    changed = np.linalg.norm(dragged[1]["points"] - arrays["points"], axis=-1)
    assert changed[FRAME, header["points"].index("left_ear")] < 1e-3, "the head stays"
    assert changed[-5:].max() < 1e-4, "so does what is a second and a half away"


def test_a_distance_is_set_at_a_frame(desk, before):
    ends = ("left_mouth_corner", "right_mouth_corner")
    wanted = 1.15 * apart(before, *ends)
    asked = {"joint": ends[0], "other": ends[1], "at": f"{FRAME}f", "metres": wanted, "hard": True}
    dragged = desk.drag(QUIET, {**EDIT, "distances": [asked]}, 0)
    assert apart(dragged, *ends) == pytest.approx(wanted, abs=1e-4)


def test_what_is_let_go_of_goes_back_to_where_it_was(desk, before):
    at = places_of(before)[FRAME] + (0.006, 0.008, 0.0)
    desk.drag(QUIET, {**EDIT, "points": [{"joint": MARKER, "at": f"{FRAME}f", "position": at.tolist()}]}, 0)
    header, arrays = desk.drag(QUIET, EDIT, 0)
    assert header["parts"] == []
    np.testing.assert_allclose(arrays["points"], before[1]["points"], atol=1e-5)


def test_what_only_bodies_have_is_refused_in_a_sentence(performed_faces):
    desk = DirectDesk(performed_faces, False)
    with pytest.raises(BadInput, match="points have no feet"):
        desk.drag(QUIET, {**EDIT, "contacts": [{"joint": "left_foot", "from": "0s", "to": "1s"}]}, 0)


def test_a_page_gets_the_face_as_a_binary_message(desk):
    answered: Future = Future()
    answered.set_result(desk.drag(QUIET, EDIT, 0))
    call = SimpleNamespace(future=answered, cancel=answered.cancel)
    studio = SimpleNamespace(call=lambda *_: call, revision=0, settings=SimpleNamespace(answer_limit=5.0))
    message = asyncio.run(drag(studio, Drag.model_validate({"tag": "7", "request": EDIT}), []))
    header, arrays = unpack(message)
    assert (header["type"], header["tag"], header["frames"]) == ("dragged", "7", 180)
    assert header["points"][0] == "forehead_top"
    assert arrays["points"].dtype == np.float32 and arrays["points"].shape == (180, 40, 3)
