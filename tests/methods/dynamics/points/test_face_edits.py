"""Edits of faces: what is asked is met, points beside it go along, all else stays, smoothly in time."""

import numpy as np
import pytest

from motionloom.corpus import Source, Take
from motionloom.motion import PointMotion

TAKE = "face/happiness"
UP = [0.002, 0.004, 0.0]
CAMERA = {"position": [0.1, 1.25, 0.7], "look_at": [0.0, 1.23, 0.0], "field_of_view": 30, "size": [1000, 1000]}


def edit(**asked) -> dict:
    return {"start_from": TAKE, "length": "4s", **asked}


def corner(hard: bool, **more) -> dict:
    return {"at": "2s", "joint": "left_mouth_corner", "moved_by": UP, "hard": hard, **more}


@pytest.mark.parametrize("hard", [False, True])
def test_a_corner_of_the_mouth_takes_its_neighbours_along_and_leaves_brows_and_other_times(faces, hard):
    was = faces.recorded(TAKE, 0.0, 4.0)[:240]
    done = faces.make(edit(points=[corner(hard)]))
    assert not done.missed
    moved = done.motion.positions - was
    along = dict(zip(done.motion.names, np.linalg.norm(moved[120], axis=-1)))
    np.testing.assert_allclose(moved[120, done.motion.names.index("left_mouth_corner")], UP, atol=1e-5)
    assert along["left_side_lower_lip"] > 0.001
    assert max(along[name] for name in along if "brow" in name or "forehead" in name) < 1e-4
    assert np.linalg.norm(moved[:30], axis=-1).max() < 1e-4, "a second and a half before"
    bends = np.linalg.norm(np.diff(moved, 2, axis=0), axis=-1).max() * 60**2
    assert bends < 1.0, "metres per second squared, where the whole way is 4.5 mm"


def test_hard_demands_of_every_kind_are_met_together(faces):
    done = faces.make(
        edit(
            points=[{"from": "1s", "to": "1.5s", "joint": "chin", "moved_by": [0, -0.004, 0], "hard": True}],
            distances=[
                {
                    "from": "1.2s",
                    "to": "2.5s",
                    "joint": "left_mouth_corner",
                    "other": "right_mouth_corner",
                    "metres": 0.061,
                    "hard": True,
                },
                {"at": "2s", "joint": "left_upper_lid", "other": "left_lower_lid", "metres": 0.004, "hard": True},
            ],
            projections=[{"at": "2s", "joint": "nose_tip", "camera": "c", "pixel": [400, 480], "hard": True}],
            cameras={"c": CAMERA},
        )
    )
    assert not done.missed
    apart = np.linalg.norm(done.at("left_mouth_corner") - done.at("right_mouth_corner"), axis=1)
    np.testing.assert_allclose(apart[72:151], 0.061, atol=1e-5)
    assert np.linalg.norm(done.at("left_upper_lid") - done.at("left_lower_lid"), axis=1)[120] == pytest.approx(
        0.004, abs=1e-5
    )
    assert all(part.tolerance < 1.2e-5 for part in done.parts.values())


def test_a_whole_pose_in_an_edit_is_met_and_comes_and_goes_smoothly(faces):
    was = faces.recorded(TAKE, 0.0, 4.0)[:240]
    pose = {"at": "2s", "pose": {"take": "face/anger", "frame": 300}, "hard": True}
    done = faces.make(edit(poses=[pose]))
    assert not done.missed and done.parts["pose 1: off by"].value <= 1e-6
    moved = np.linalg.norm(done.motion.positions - was, axis=-1)
    assert moved[120].max() > 0.005
    assert moved[: 120 - 30].max() < 1e-9 and moved[120 + 30 :].max() < 1e-9
    bends = np.linalg.norm(np.diff(done.motion.positions - was, 2, axis=0), axis=-1).max() * 60**2
    assert bends < 10.0


def test_some_points_of_a_pose_leave_the_others(faces):
    was = faces.recorded(TAKE, 0.0, 4.0)[:240]
    lids = ["left_upper_lid", "right_upper_lid", "left_lower_lid", "right_lower_lid"]
    done = faces.make(edit(poses=[{"at": "2s", "pose": {"take": "face/anger", "frame": 300}, "joints": lids}]))
    assert not done.missed
    moved = dict(zip(done.motion.names, np.linalg.norm(done.motion.positions - was, axis=-1).max(axis=0)))
    assert {name for name in moved if moved[name] > 1e-9} == set(lids)


def test_points_that_are_named_free_are_moved_instead(faces):
    """What is asked of the chin alone may be met by the lower lip going along as a point of its own."""
    asked = edit(points=[{"at": "2s", "joint": "chin", "moved_by": [0, -0.004, 0]}], hold={"free": ["chin"]})
    assert not faces.make(asked).missed
    held = edit(points=[{"at": "2s", "joint": "chin", "moved_by": [0, -0.004, 0]}], hold={"free": ["left_ear"]})
    assert faces.make(held).missed


@pytest.mark.parametrize("method", ["linear", "spline", "trajectory", "subspace"])
def test_an_edit_without_the_prior_is_met_too(faces, method):
    assert not faces.make(edit(points=[corner(False)], method=method)).missed


@pytest.fixture(scope="module")
def gappy(tmp_path_factory, make, faces):
    """A take whose left brow is missing for a second."""
    corpus = make.face_corpus(tmp_path_factory.mktemp("gaps") / "corpus", ("face/disgust", "face/happiness"))
    motion = corpus.take(TAKE).motion
    positions = np.array(motion.positions)
    positions[120:240, motion.names.index("left_middle_brow")] = np.nan
    gone = PointMotion(motion.names, positions, motion.fps)
    corpus.add(Take("face/gappy", gone, Source("gappy", "performer", "gappy", motion.fps, 1.0)), floor_height=0.0)
    return type(faces)(corpus)


def test_points_that_are_missing_stay_missing_unless_they_are_asked_for(gappy):
    brow = {"at": "1.5s", "joint": "left_middle_brow", "moved_by": [0, 0.003, 0]}
    base = {"start_from": "face/gappy", "prior": {"takes": ["face/disgust", "face/happiness"]}}
    done = gappy.make({**base, "points": [corner(True)]})
    gone = np.isnan(done.at("left_middle_brow")).any(axis=1)
    assert np.flatnonzero(gone).tolist() == list(range(60, 120)) and not done.missed
    assert any("left_middle_brow is missing in some frames, as in face/gappy" in n for n in done.result.report.notes)
    asked = gappy.make({**base, "points": [brow]})
    assert np.isfinite(asked.motion.positions).all() and not asked.missed
    was = gappy.recorded(TAKE, 0.0, 4.0)[90, asked.motion.names.index("left_middle_brow")]
    assert np.linalg.norm(asked.at("left_middle_brow")[90] - was - [0, 0.003, 0]) < 0.0015


def test_a_take_with_gaps_is_learnt_from_where_all_points_are_seen(gappy):
    model = gappy.model({"start_from": "face/gappy", "prior": {"takes": ["face/gappy"]}})
    whole = gappy.model({"start_from": TAKE, "prior": {"takes": [TAKE]}})
    assert model.facts["left_out"] == 30 and whole.facts["left_out"] == 0
    assert whole.facts["frames"] - model.facts["frames"] == 30
    assert "30 frames with longer ones left out" in model.describe()
