"""Markers on the page: how they are drawn, and takes as sketches."""

import numpy as np
import pytest

from motionloom.corpus import Corpus, Source, Take
from motionloom.motion import PointMotion
from motionloom.performer.face.markers import NAMES

FACE = "face/happiness"


def sketches(client, *wanted):
    answer = client.post("/api/sketches", json={"wanted": [{"take": take, **more} for take, more in wanted]})
    assert answer.status_code == 200, answer.text
    return answer.json()["sketches"]


def studio_of(client):
    return client.app.state.studio


def test_a_face_is_joined_by_links_and_outlines_and_seen_from_the_front(face_client):
    motion = face_client.get("/api/motion", params={"id": f"take:{FACE}"}).json()
    looks = motion["looks"]
    assert motion["points"] == list(NAMES) and motion["skeleton"] is None
    assert abs(looks["front"]) < 0.2, "it sits facing +z"
    assert all(0 <= a < b < len(NAMES) for a, b in looks["links"])
    joined = {marker for pair in looks["links"] for marker in pair}
    assert {NAMES[n] for n in set(range(len(NAMES))) - joined} <= {"left_ear", "right_ear"}
    assert len(looks["triangles"]) > 30 and looks["outlines"][0][0] == looks["outlines"][0][-1]
    named = [{NAMES[n] for n in outline} for outline in looks["outlines"]]
    assert {"upper_lip", "lower_lip", "left_mouth_corner", "right_mouth_corner"} <= named[0]
    outlined = {frozenset(pair) for line in looks["outlines"] for pair in zip(line, line[1:])}
    assert not outlined & {frozenset(pair) for pair in looks["links"]}, "what is outlined is drawn once"


def test_a_body_has_no_such_looks(face_client):
    assert face_client.get("/api/motion", params={"id": "take:walk/normal_1"}).json()["looks"] is None


def test_markers_of_a_whole_body_have_no_front(face_client):
    rng = np.random.default_rng(1)
    positions = rng.uniform(0, 2, (12, 3)) + rng.normal(scale=0.05, size=(30, 12, 3))
    positions[:, 3] = np.nan  # never seen
    motion = PointMotion(tuple(f"M{n}" for n in range(12)), positions, 60.0)
    with studio_of(face_client).changing("takes") as corpus:
        corpus.add(Take("set", motion, Source("set", "test", "0" * 64, 60.0, 1.0)))
    looks = face_client.get("/api/motion", params={"id": "take:set"}).json()["looks"]
    assert looks["front"] is None and looks["outlines"] == []
    assert all(3 not in pair for pair in looks["links"])
    (sketch,) = sketches(face_client, ("set", {}))
    assert sketch["kind"] == "points" and len(sketch["dots"]) == 11


def test_takes_are_sketched_in_the_order_asked_within_their_picture(face_client):
    face, body, gone = sketches(face_client, (FACE, {}), ("walk/normal_1", {}), ("nobody", {}))
    assert (face["kind"], body["kind"], gone) == ("face", "body", None)
    assert len(face["outlines"]) == 5 and body["outlines"] == [] == body["dots"]
    for sketch in (face, body):
        places = np.array(sketch["lines"])
        assert len(places) > 15 and places.min() >= 0 and places.max() <= 1


def test_a_frame_is_sketched_as_it_is_in_the_take(face_client):
    """The smile of the most telling frame is wider than the mouth of the first."""
    telling, first = sketches(face_client, (FACE, {}), (FACE, {"frame": 0}))
    widths = [np.ptp(np.array(sketch["outlines"][0])[:, 0]) for sketch in (telling, first)]
    assert first["frame"] == 0 and telling["frame"] > 0
    assert widths[0] > 1.1 * widths[1]
    assert sketches(face_client, (FACE, {"frame": 10**6})) == [None]


def test_takes_of_the_same_markers_are_offered_as_keys_with_their_telling_frames(face_client):
    other = PointMotion(("A", "B"), np.random.default_rng(1).normal(size=(9, 2, 3)), 60.0)
    with studio_of(face_client).changing("takes") as corpus:
        corpus.add(Take("other", other, Source("other", "test", "2" * 64, 60.0, 1.0)))
    ask = lambda **like: face_client.get("/api/direct/keys", params=like)  # noqa: E731
    for found in (ask(), ask(like=FACE)):
        takes = {each["take"]: each for each in found.json()["takes"]}
        assert set(takes) == {FACE, "face/surprise"}
        frames = takes[FACE]["frames"]
        assert len(frames) == 4 and frames == sorted(set(frames)) and frames[-1] < takes[FACE]["length"]
    assert [each["take"] for each in ask(like="other").json()["takes"]] == ["other"]
    refused = ask(like="walk/normal_1")
    assert refused.status_code == 400 and "of markers" in refused.json()["error"]


def test_a_take_that_was_changed_is_sketched_anew(face_client):
    (before,) = sketches(face_client, (FACE, {}))
    with studio_of(face_client).changing("takes") as corpus:
        corpus.remove(FACE)
        corpus.rename("face/surprise", FACE)
    (after,) = sketches(face_client, (FACE, {}))
    assert after["take"] == before["take"] and after["lines"] != before["lines"]


@pytest.mark.parametrize("wanted", [[], [{"take": FACE, "frame": -1}], [{"take": FACE}] * 61])
def test_bad_wishes_are_refused(face_client, wanted):
    assert face_client.post("/api/sketches", json={"wanted": wanted}).status_code == 400


def test_gaps_are_left_out_of_a_sketch(face_client):
    folder = studio_of(face_client).folder
    with Corpus.open(folder) as corpus:
        positions = np.array(corpus.take(FACE).motion.positions)
    positions[5, NAMES.index("upper_lip")] = np.nan
    motion = PointMotion(NAMES, positions, 120.0)
    with studio_of(face_client).changing("takes") as corpus:
        corpus.add(Take("gap", motion, Source("gap", "test", "1" * 64, 120.0, 1.0)))
    whole, gap = sketches(face_client, (FACE, {"frame": 5}), ("gap", {"frame": 5}))
    assert len(gap["outlines"][0]) == len(whole["outlines"][0]) - 1
    assert len(gap["lines"]) < len(whole["lines"])
