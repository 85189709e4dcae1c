"""The server of the Direct workspace: a model that is ready, and the motion while a joint of it is dragged."""

import asyncio
import json
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods import dynamics
from motionloom.motion import kinematics
from motionloom.studio.desks.direct import DirectDesk
from motionloom.studio.server.messages.direct import Drag
from motionloom.studio.server.packing import unpack
from motionloom.studio.server.workspaces.direct import drag
from motionloom.tasks import Stopped, Task

QUIET = Task(lambda *_: None, lambda: False)
EDIT = {"start_from": "walk/normal_1", "length": "2s"}
FRAME = 60
JOINT = "right_hand"


@pytest.fixture(scope="module")
def desk(performed):
    return DirectDesk(performed, False)


@pytest.fixture(scope="module")
def skeleton(desk):
    return desk.corpus.skeleton(desk.learn(QUIET, EDIT)["skeleton"])


@pytest.fixture(scope="module")
def before(desk):
    """The motion that is edited."""
    return desk.drag(QUIET, EDIT, 0)[1]


def joint_of(skeleton, arrays, name=JOINT):
    """(F, 3) where a joint is."""
    positions, _ = kinematics.forward(skeleton, arrays["roots"], arrays["rotations"])
    return positions[:, skeleton.index(name)]


def pin(position, **more):
    return {**EDIT, "points": [{"joint": JOINT, "at": f"{FRAME}f", "position": list(map(float, position)), **more}]}


def test_an_edit_that_asks_nothing_is_the_motion_itself(desk, skeleton, before):
    model = dynamics.prepare(desk.corpus, dynamics.material_of(desk.corpus, dynamics.Request.from_data(EDIT)))
    source = model.view.motion("walk/normal_1")
    assert len(before["roots"]) == 120
    np.testing.assert_allclose(before["roots"], source.root_positions[:120], atol=1e-5)


def test_a_dragged_hand_comes_along_and_the_rest_stays(desk, skeleton, before):
    at = joint_of(skeleton, before)[FRAME]
    for share in (0.3, 0.7, 1.0):
        header, arrays = desk.drag(QUIET, pin(at + [0, 0.2 * share, 0], hard=True), 0)
    assert np.linalg.norm(joint_of(skeleton, arrays)[FRAME] - at - [0, 0.2, 0]) < 1e-3
    (part,) = header["parts"]
    assert part["met"] and part["name"].startswith(f"point 1, {JOINT}") and part["frame"] == FRAME
    moved = joint_of(skeleton, arrays, "left_foot") - joint_of(skeleton, before, "left_foot")
    assert np.linalg.norm(moved, axis=1)[: FRAME // 2].max() < 0.01


def test_the_same_request_again_goes_on_to_what_the_method_finds(desk, skeleton, before):
    request = pin(joint_of(skeleton, before)[FRAME] + [0.05, 0.15, 0.1])
    for _ in range(6):
        _, arrays = desk.drag(QUIET, request, 0)
    model = dynamics.prepare(desk.corpus, dynamics.material_of(desk.corpus, dynamics.Request.from_data(request)))
    *_, answer = dynamics.search(model, dynamics.Request.from_data(request))
    settled = dynamics.perform(answer, model, quick=True).played[0].motion
    found = kinematics.world_positions(settled)[:, skeleton.index(JOINT)]
    assert np.linalg.norm(joint_of(skeleton, arrays) - found, axis=1).max() < 0.005


def test_a_pin_out_of_reach_says_by_how_much_and_why(desk):
    header, _ = desk.drag(QUIET, pin((0.0, 4.0, 0.0), hard=True), 0)
    (part,) = header["parts"]
    assert not part["met"] and part["value"] > 0.2 and "out of reach" in part["why_not"]


def test_a_drag_does_not_list_the_takes_again(desk, monkeypatch):
    """Corpora have thousands of them."""
    desk.drag(QUIET, pin((0.2, 1.0, 0.3)), 7)
    listed = []
    infos = type(desk.corpus).infos
    monkeypatch.setattr(type(desk.corpus), "infos", lambda self, *how: listed.append(1) or infos(self, *how))
    desk.drag(QUIET, pin((0.2, 1.1, 0.3)), 7)
    assert not listed
    desk.drag(QUIET, pin((0.2, 1.1, 0.3)), 8)
    assert listed, "the corpus has changed"
    listed.clear()
    desk.drag(QUIET, {**pin((0.2, 1.1, 0.3)), "start_from": "walk/stop_and_go"}, 8)
    assert listed, "another take is named"


def test_a_request_that_asks_nothing_is_refused_in_a_sentence_and_does_not_hinder_getting_ready(desk):
    with pytest.raises(BadInput, match="the request asks nothing: give poses"):
        desk.drag(QUIET, {}, 0)
    assert "motions" in desk.learn(QUIET, {})["about"]


def test_a_page_gets_a_model_ready_and_drags_over_the_socket(client):
    with client.websocket_connect("/api/socket") as socket:
        answer = client.post("/api/direct/ready", json={"tag": "t", "request": EDIT})
        assert answer.status_code == 200, answer.text
        while (message := socket.receive_json())["type"] != "director":
            assert message.get("job", {}).get("state") != "failed", message
        assert message["tag"] == "t" and message["director"]["fps"] == 60
        socket.send_json({"type": "drag", "tag": "a", "request": pin((0.2, 1.2, 0.3))})
        header, arrays = unpack(_bytes(socket))
        assert (header["type"], header["tag"], header["frames"]) == ("dragged", "a", 120)
        assert arrays["rotations"].dtype == np.int16 and len(arrays["rotations"]) == 120
        socket.send_json({"type": "drag", "tag": "b", "request": {**pin((0, 1, 0)), "start_from": "swim"}})
        while (message := socket.receive_json())["type"] != "not_dragged":
            pass
        assert message["tag"] == "b" and "swim" in message["error"]


class SlowDesk:
    """A studio whose desk answers when it is told to."""

    settings = SimpleNamespace(answer_limit=10.0)
    revision = 0

    def __init__(self):
        self.calls = []

    def call(self, desk, method, arguments):
        call = SimpleNamespace(future=Future(), is_cancelled=False)
        call.cancel = lambda: (setattr(call, "is_cancelled", True), call.future.set_exception(Stopped("too late")))
        self.calls.append(call)
        return call

    def explain(self, error):
        return str(error)


def test_a_drag_that_waits_is_not_done_when_a_newer_one_comes():
    """What runs goes on, so that a slow desk shows something; of what waits the newest is left."""

    async def drag_thrice():
        studio, unanswered = SlowDesk(), []
        asked = [asyncio.create_task(drag(studio, Drag(tag=tag, request=pin((0, 1, 0))), unanswered)) for tag in "abcd"]
        await asyncio.sleep(0)
        assert [call.is_cancelled for call in studio.calls] == [False, True, True, False]
        overtaken = [json.loads(await each) for each in asked[1:3]]
        assert [each["type"] for each in overtaken] == ["not_dragged"] * 2
        assert unanswered == [studio.calls[0], studio.calls[3]]
        motion = {"roots": np.zeros((1, 3)), "rotations": np.zeros((1, 2, 4))}
        header = {"fps": 60.0, "frames": 1, "skeleton": "d", "points": None, "parts": []}
        for call in (studio.calls[0], studio.calls[3]):
            call.future.set_result((header, motion))
        answered = [unpack(await asked[number])[0]["tag"] for number in (0, 3)]
        assert answered == ["a", "d"] and unanswered == []

    asyncio.run(drag_thrice())


def test_what_is_directed_is_a_file_that_the_command_runs(client):
    document = client.get("/api/document").json()
    request = dynamics.Request.from_data(pin((0.2, 1.2, 0.3), hard=True)).to_whole_data()
    document["content"]["direct"]["request"] = request
    saved = {key: document[key] for key in ("name", "revision", "content", "past", "future")}
    answer = client.put("/api/document", json=saved)
    assert answer.status_code == 200, answer.text
    file = client.app.state.studio.folder / "studio" / f"{document['name']}.dynamics.yaml"
    assert dynamics.Request.read(file).points[0].hard
    assert client.get("/api/document").json()["content"]["direct"]["request"]["points"] == request["points"]


def _bytes(socket) -> bytes:
    """The next binary message."""
    while "bytes" not in (received := socket.receive()) or received["bytes"] is None:
        pass
    return received["bytes"]
