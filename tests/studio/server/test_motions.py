"""Motions reach the page as they are in the corpus."""

import json

import numpy as np

from motionloom.corpus import Corpus
from motionloom.studio.server.motions import CHUNK, WHOLE
from motionloom.studio.server.packing import unpack

MOTION = "take:walk/normal_1"


def test_a_motion_and_its_skeleton_are_described(client):
    motion = client.get("/api/motion", params={"id": MOTION}).json()
    skeleton = client.get(f"/api/skeletons/{motion['skeleton']}").json()
    assert motion["kind"] == "body"
    assert len(skeleton["names"]) == len(skeleton["parents"]) == len(skeleton["offsets"])
    assert skeleton["names"][skeleton["roles"]["head"]] == "Head"


def test_frames_come_over_the_socket_in_chunks_as_the_corpus_has_them(client, corpus_folder):
    with Corpus.open(corpus_folder) as corpus:
        stored = np.array(corpus.frames("walk/normal_1"))
    with client.websocket_connect("/api/socket") as socket:
        socket.send_text(json.dumps({"type": "frames", "motion": MOTION, "start": 10, "stop": 10_000}))
        header, arrays = unpack(socket.receive_bytes())
    count = min(CHUNK, len(stored) - 10)
    assert (header["motion"], header["start"], header["count"]) == (MOTION, 10, count)
    np.testing.assert_array_equal(arrays["roots"], stored[10 : 10 + count, :3])
    rotations = arrays["rotations"].reshape(count, -1) / WHOLE
    assert np.abs(rotations - stored[10 : 10 + count, 3:]).max() <= 0.5 / WHOLE + 1e-7


def test_a_request_for_frames_that_are_not_there_is_refused_and_the_socket_stays_open(client):
    with client.websocket_connect("/api/socket") as socket:
        socket.send_text(json.dumps({"type": "frames", "motion": "take:nobody", "start": 0, "stop": 9}))
        assert "no take" in socket.receive_json()["error"]
        socket.send_text("no message at all")
        assert socket.receive_json()["type"] == "refused"
        socket.send_text(json.dumps({"type": "ping"}))
        assert socket.receive_json()["type"] == "pong"


def test_bodies_and_steps_come_from_a_desk(client):
    motion = client.get("/api/motion", params={"id": MOTION}).json()
    header, arrays = unpack(client.get(f"/api/bodies/{motion['skeleton']}").content)
    assert header["digest"] == motion["skeleton"]
    assert arrays["triangles"].max() < len(arrays["vertices"])
    np.testing.assert_allclose(arrays["weights"].sum(axis=1), 1.0, atol=1e-5)
    steps = client.get("/api/steps", params={"id": MOTION}).json()
    sides = [footprint["side"] for footprint in steps["footprints"]]
    assert {"left", "right"} == set(sides)
    assert all(0 <= a < b <= motion["frames"] for ranges in steps["contacts"].values() for a, b in ranges)
