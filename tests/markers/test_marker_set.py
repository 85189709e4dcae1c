"""Marker sets: where markers are on bones, put on bodies and learnt from known poses."""

import numpy as np
import pytest
from tests.markers.spoilt import three_on_each

from motionloom.errors import BadInput
from motionloom.features.body_size import body_height
from motionloom.markers import (
    MarkerSet,
    Place,
    full_body_markers,
    full_body_places,
    learn_offsets,
    place_markers,
    put_on,
)
from motionloom.motion import Motion, PointMotion, kinematics, rotations


def in_t_pose(skeleton):
    """Points and joints of a body in T-pose: names to (3,) metres."""
    from motionloom.motion.rest_pose import t_pose

    local = kinematics.to_local(skeleton, t_pose(skeleton))[None]
    motion = Motion(skeleton, np.zeros((1, 3)), local, 60.0)
    markers = full_body_markers(skeleton)
    return dict(zip(markers.names, put_on(motion, markers).positions[0])), kinematics.world_positions(motion)[0]


@pytest.mark.parametrize("seed", [None, 4])
def test_the_full_body_set_has_41_markers_on_the_side_of_their_name(make, seed):
    skeleton = make.skeleton(seed)
    places, joints = in_t_pose(skeleton)
    assert tuple(places) == tuple(full_body_places()) and len(places) == 41
    for name, place in places.items():
        if f"R{name[1:]}" in places and name.startswith("L"):
            assert place[0] > places[f"R{name[1:]}"][0] + 0.02
    height = body_height(skeleton)
    nearest = np.array([np.linalg.norm(joints - place, axis=-1).min() for place in places.values()])
    assert nearest.max() < 0.2 * height
    assert places["CLAV"][2] > places["C7"][2] and places["LASI"][2] > places["LPSI"][2]
    assert places["LTOE"][2] > places["LHEE"][2] and places["LANK"][1] < places["LKNE"][1] < places["LTHI"][1]


def test_the_rest_pose_of_a_skeleton_does_not_matter_for_where_markers_are(make):
    from motionloom.motion.rest_pose import rebase_skeleton

    skeleton = make.skeleton()
    turned = rebase_skeleton(skeleton, rotations.exp(np.random.default_rng(0).normal(scale=0.3, size=(21, 3))))
    straight, other = (in_t_pose(s)[0] for s in (skeleton, turned))
    assert all(np.linalg.norm(other[name] - straight[name]) < 0.12 for name in straight)
    lengths = [np.linalg.norm(p["LWRA"] - p["LFRM"]) for p in (straight, other)]
    assert lengths[0] == pytest.approx(lengths[1], abs=0.02)


def test_markers_without_a_bone_are_left_out(make):
    skeleton = make.skeleton().with_roles({"left_hand": None, "left_elbow": None})
    names = full_body_markers(skeleton).names
    assert {"LFIN", "LWRA", "LFRM", "LELB"}.isdisjoint(names)
    assert {"LSHO", "RFIN"} <= set(names)


def test_a_skeleton_without_legs_needs_a_set_of_its_own(make):
    skeleton = make.skeleton().with_roles({"left_foot": None, "right_foot": None})
    with pytest.raises(BadInput, match="no legs that tell its size"):
        full_body_markers(skeleton)


def test_offsets_and_bones_are_learnt_from_known_poses(make):
    motion = make.motion(60, seed=2)
    markers = three_on_each(motion.skeleton)
    points = put_on(motion, markers)
    positions = points.positions + np.random.default_rng(0).normal(scale=0.001, size=points.positions.shape)
    positions[10:30, 3] = np.nan
    learnt = learn_offsets(motion, PointMotion(points.names, positions, 60.0))
    assert learnt.joints == markers.joints
    assert np.abs(learnt.offsets - markers.offsets).max() < 0.002


def test_given_bones_are_kept_and_unseen_markers_left_out(make):
    motion = make.motion(20)
    points = put_on(motion, three_on_each(motion.skeleton).only(["Head0", "Head1"]))
    positions = points.positions.copy()
    positions[:, 1] = np.nan
    learnt = learn_offsets(motion, PointMotion(points.names, positions, 60.0), {"Head0": "neck"})
    assert (learnt.names, learnt.joints) == (("Head0",), ("Neck",))


@pytest.mark.parametrize(
    ("names", "joints", "offsets", "message"),
    [
        (("a", "a"), ("Hips", "Hips"), np.zeros((2, 3)), "unique"),
        (("a",), ("Hips", "Head"), np.zeros((1, 3)), "1 names, 2 joints"),
        (("a",), ("Hips",), np.full((1, 3), np.nan), "'a' is not finite"),
    ],
)
def test_a_broken_set_is_refused(names, joints, offsets, message):
    with pytest.raises(BadInput, match=message):
        MarkerSet(names, joints, offsets)


def test_unknown_markers_and_other_frames_are_refused(make):
    motion = make.motion(20)
    markers = three_on_each(motion.skeleton)
    with pytest.raises(BadInput, match="no marker Nose"):
        markers.only(["Nose"])
    with pytest.raises(BadInput, match="20 frames and the markers 19"):
        learn_offsets(motion, PointMotion(markers.names, put_on(motion, markers).positions[1:], 60.0))
    with pytest.raises(BadInput, match="no marker Nose"):
        learn_offsets(motion, put_on(motion, markers), {"Nose": "Head"})


def test_markers_of_any_set_are_placed_by_proportions(make):
    knee = Place(("left_hip",), "left_hip", "left_knee", 1.0, (0.05, 0.0, 0.0))
    beard = Place(("beard",), "head", "head", 0.0, (0.0, 0.0, 0.0))
    small, large = make.skeleton(), make.skeleton().scaled(1.5)
    placed = [place_markers(skeleton, {"knee": knee, "beard": beard}) for skeleton in (small, large)]
    assert placed[0].names == ("knee",) and placed[0].joints == ("LeftUpLeg",)
    assert np.allclose(placed[1].offsets, 1.5 * placed[0].offsets)
    assert np.allclose(placed[0].offsets, [[0.05 * body_height(small), -0.42, 0.0]], atol=1e-9)
    with pytest.raises(BadInput, match="no bone for any marker"):
        place_markers(small, {"beard": beard})
