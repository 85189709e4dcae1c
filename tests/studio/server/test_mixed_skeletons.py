"""A corpus of several skeletons: all takes are listed and used, one skeleton is the reference, exports go to any."""

import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.rigs import a_pose_rig

from motionloom import formats
from motionloom.corpus import Corpus, Source, Take
from motionloom.motion import PointMotion, Skeleton
from motionloom.retarget import retarget_motion

TAKE, RIG = "walk/normal_1", "rig/walk"
SOURCE = Source("x", "npz", "", 60.0, 1.0)


@pytest.fixture
def corpus_folder(corpus_folder):
    """With a take on a rig of 65 joints, one whose joints cannot be recognised, and points."""
    with Corpus.open(corpus_folder, write=True) as corpus:
        motion = corpus.take(TAKE).motion
        corpus.add(Take(RIG, retarget_motion(motion, a_pose_rig()).motion, SOURCE), floor_height=0.0)
        own = motion.skeleton
        nameless = Skeleton(tuple(f"bone {i}" for i in range(own.n_joints)), own.parents, own.offsets)
        corpus.add(Take("rig/nameless", replace(motion, skeleton=nameless), SOURCE), floor_height=0.0)
        corpus.add(Take("face", PointMotion(("p",), np.zeros((5, 1, 3)), 60.0), SOURCE), floor_height=0.0)
    return corpus_folder


def test_the_list_names_the_reference_and_what_cannot_be_shown_on_it(client):
    listed = client.get("/api/takes").json()
    rows = {row["name"]: row for row in listed["takes"]}
    assert listed["reference"]["skeleton"] == rows[TAKE]["skeleton"] and not listed["reference"]["is_chosen"]
    assert {name for name, row in rows.items() if row["left_out"]} == {"rig/nameless"}
    (body,), (points,) = listed["left_out"], listed["points_left_out"]
    assert "rig/nameless" in body and "face" in points
    named = {row["digest"]: row["take"] for row in listed["skeletons"]}
    assert named[rows[RIG]["skeleton"]] == RIG and len(named) == 3
    can_be_target = {row["take"] for row in listed["skeletons"] if row["can_be_target"]}
    assert RIG in can_be_target and "rig/nameless" not in can_be_target and len(can_be_target) == 2


def test_takes_of_every_skeleton_can_be_annotated(client):
    state = client.get("/api/annotate/state").json()
    names = [take["name"] for take in state["takes"]]
    assert RIG in names and TAKE in names and "rig/nameless" not in names
    assert any("rig/nameless" in sentence for sentence in state["left_out"])


def test_a_reference_is_chosen_and_the_one_before_comes_back_as_it_was(client, corpus_folder):
    before = client.get("/api/takes").json()["reference"]
    chosen = client.post("/api/reference", json={"take": RIG}).json()
    assert chosen["reference"]["joints"] == 65 and chosen["reference"]["is_chosen"]
    assert client.get("/api/takes").json()["reference"] == chosen["reference"]
    assert client.post("/api/reference/restore", json=chosen["before"]).json() == before
    refused = client.post("/api/reference", json={"take": "face"})
    assert refused.status_code == 400 and "points and no skeleton" in refused.json()["error"]
    refused = client.post("/api/reference", json={"take": "rig/nameless"})
    assert refused.status_code == 400 and "cannot be the reference" in refused.json()["error"]
    gone = {**chosen["before"], "content": "0", "skeleton": "0"}
    assert client.post("/api/reference/restore", json=gone).status_code == 400
    assert client.get("/api/takes").json()["reference"] == before


@pytest.mark.parametrize(("take", "skeleton", "joints"), [(TAKE, RIG, 65), (RIG, "reference", 24), (RIG, None, 65)])
def test_a_take_is_exported_on_the_skeleton_that_is_asked_for(client, tmp_path, take, skeleton, joints):
    wanted = {"takes": [take], "extension": ".bvh", "skeleton": skeleton}
    path = tmp_path / "out.bvh"
    path.write_bytes(client.get(client.post("/api/exports", json=wanted).json()["address"]).content)
    assert formats.read(path).motion.skeleton.n_joints == joints


def test_takes_that_cannot_be_carried_over_are_named_in_the_archive(client):
    wanted = {"takes": [TAKE, RIG, "rig/nameless", "face"], "extension": ".bvh", "skeleton": RIG}
    archive = client.get(client.post("/api/exports", json=wanted).json()["address"]).content
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        assert packed.namelist() == [f"{TAKE}.bvh", f"{RIG}.bvh", "not exported.txt"]
        refused = packed.read("not exported.txt").decode()
    assert "rig/nameless" in refused and "face" in refused


def test_a_skeleton_of_nobody_is_refused_before_anything_is_written(client):
    reply = client.post("/api/exports", json={"takes": [TAKE], "extension": ".bvh", "skeleton": "nobody"})
    assert reply.status_code == 400 and "nobody" in reply.json()["error"]
