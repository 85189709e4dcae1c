"""GLB files: accepted by the Khronos validator, and saying what the motion says."""

from pathlib import Path

import numpy as np
import pytest
from tests.formats.glb_reading import Glb, validate

from motionloom import body, formats
from motionloom.errors import BadInput
from motionloom.formats import glb
from motionloom.motion import (
    Box,
    Footing,
    Ground,
    Motion,
    PointMotion,
    Skeleton,
    Support,
    Terrain,
    kinematics,
    rotations,
)


@pytest.fixture(scope="module")
def written(make, tmp_path_factory) -> tuple[Motion, Glb, Path]:
    motion = make.motion(50, seed=4, fps=60.0)
    path = tmp_path_factory.mktemp("glb") / "swing.glb"
    formats.write(path, motion)
    return motion, Glb(path), path


def test_the_validator_has_nothing_to_say_against_our_files(make, written, tmp_path):
    skeletons = {
        "lone": Skeleton(("only",), np.array([-1]), np.zeros((1, 3))),
        "fork": Skeleton(
            ("a", "a_end", "c"), np.array([-1, 0, 0]), np.array([(0, 0, 0), (0, 1, 0), (1, 0, 0)], float),
            np.array([0, 0]), np.array([(0, 0.5, 0), (0.5, 0, 0)]),
        ),
        "uneven": make.skeleton(5),
    }  # fmt: skip
    paths = [written[2]]
    for name, skeleton in skeletons.items():
        for n_frames in (1, 3):
            still = Motion(skeleton, np.zeros((n_frames, 3)), rotations.identity((n_frames, skeleton.n_joints)), 30.0)
            paths.append(tmp_path / f"{name}_{n_frames}.glb")
            glb.write(paths[-1], still)
    for report in validate(*paths):
        assert (report["numErrors"], report["numWarnings"]) == (0, 0), report


def test_nodes_move_as_the_joints_do(written):
    motion, file, _ = written
    expected, turned = kinematics.world(motion)
    ends = kinematics.attached_positions(expected, turned, motion.skeleton.end_parents, motion.skeleton.end_offsets)
    expected = np.concatenate([expected, ends], axis=1)
    for frame in (0, 17, 49):
        np.testing.assert_allclose(file.matrices(frame)[: expected.shape[1], :3, 3], expected[frame], atol=1e-4)


def test_names_and_hierarchy_are_kept_and_end_sites_are_leaves(written):
    motion, file, _ = written
    nodes, skeleton = file.document["nodes"], motion.skeleton
    assert tuple(node["name"] for node in nodes[: skeleton.n_joints]) == skeleton.names
    parent_of = {child: number for number, node in enumerate(nodes) for child in node.get("children", ())}
    assert [parent_of.get(joint, -1) for joint in range(skeleton.n_joints)] == skeleton.parents.tolist()
    for number, joint in enumerate(skeleton.end_parents):
        leaf = skeleton.n_joints + number
        assert parent_of[leaf] == joint and "children" not in nodes[leaf]
    names = [node["name"] for node in nodes]
    assert len(set(names)) == len(names)


def test_the_skin_without_animation_is_the_body_in_its_bind_pose_on_the_ground(written):
    motion, file, _ = written
    skin = body.build(motion.skeleton)
    expected = skin.vertices - np.array([0.0, skin.vertices[:, 1].min(), 0.0])
    np.testing.assert_allclose(file.skinned(None), expected, atol=1e-5)


def test_a_viewer_sees_the_body_where_we_draw_it(written):
    motion, file, _ = written
    expected = body.skin(body.build(motion.skeleton), *kinematics.world(motion))
    for frame in (3, 30):
        np.testing.assert_allclose(file.skinned(frame), expected[frame], atol=1e-4)


def test_the_animation_has_the_length_and_rate_of_the_motion(written):
    motion, file, _ = written
    animation = file.document["animations"][0]
    times = [file.array(sampler["input"])[:, 0] for sampler in animation["samplers"]]
    longest = max(times, key=len)
    np.testing.assert_allclose(longest, np.arange(motion.n_frames) / motion.fps, atol=1e-6)
    assert animation["name"] == "swing" and animation["extras"]["fps"] == motion.fps


def test_rotations_are_unit_and_never_jump_to_the_other_sign(make, tmp_path):
    motion = make.motion(40, seed=9, wildness=2.0)
    flipped = motion.local_rotations * np.where(np.arange(40) % 2, -1.0, 1.0)[:, None, None]
    glb.write(tmp_path / "a.glb", Motion(motion.skeleton, motion.root_positions, flipped, motion.fps))
    file = Glb(tmp_path / "a.glb")
    animation = file.document["animations"][0]
    for channel in animation["channels"]:
        if channel["target"]["path"] == "rotation":
            keys = file.array(animation["samplers"][channel["sampler"]]["output"]).astype(float)
            np.testing.assert_allclose(np.linalg.norm(keys, axis=-1), 1.0, atol=1e-6)
            assert ((keys[1:] * keys[:-1]).sum(axis=-1) > 0).all()


def test_what_never_moves_gets_a_single_key(make, tmp_path):
    motion = make.motion(30)
    still = motion.local_rotations.copy()
    still[:, 4] = still[0, 4]
    glb.write(tmp_path / "a.glb", Motion(motion.skeleton, motion.root_positions, still, motion.fps))
    file = Glb(tmp_path / "a.glb")
    animation = file.document["animations"][0]
    keys = {
        channel["target"]["node"]: len(file.array(animation["samplers"][channel["sampler"]]["output"]))
        for channel in animation["channels"]
        if channel["target"]["path"] == "rotation"
    }
    assert keys[4] == 1 and keys[5] == 30


def test_the_same_motion_gives_the_same_bytes(make):
    assert glb.encode(make.motion(5), "a") == glb.encode(make.motion(5), "a")


def test_broken_numbers_and_points_of_nothing_are_refused_in_a_sentence(make, tmp_path):
    for value, words in ((np.nan, "no point is ever seen"), (np.inf, "frame 0 has a value that is not finite")):
        with pytest.raises(BadInput, match=words):
            formats.write(tmp_path / "a.glb", PointMotion(("a",), np.full((2, 1, 3), value), 30.0))
    motion = make.motion(5)
    roots = motion.root_positions.copy()
    roots[3, 1] = np.nan
    with pytest.raises(BadInput, match="frame 3 has a value that is not finite"):
        glb.write(tmp_path / "a.glb", Motion(motion.skeleton, roots, motion.local_rotations, 30.0))
    assert not (tmp_path / "a.glb").exists()


def test_supports_are_boxes_that_are_shown_around_their_frames(make, tmp_path):
    motion = make.motion(300, seed=2, fps=60.0)
    box = Box((1.0, -0.5), (0.4, 0.2), 0.7, 0.5, 0.3)
    always, late, early = Box((0.0, 2.0), (0.1, 0.1), 0.0, 0.2, 0.2), Support(box, 120, 150), Support(box, 0, 300)
    path = tmp_path / "steps.glb"
    formats.write(path, motion, footing=Footing(Ground(0.0, (always,)), (late, early)))
    (report,) = validate(path)
    assert (report["numErrors"], report["numWarnings"]) == (0, 0), report
    file = Glb(path)
    nodes = [node for node in file.document["nodes"] if node["name"].startswith("support ")]
    cube = file.array(file.document["meshes"][nodes[1]["mesh"]]["primitives"][0]["attributes"]["POSITION"])
    turn = rotations.to_matrix(np.array(nodes[1]["rotation"])[[3, 0, 1, 2]])
    corners = (cube * nodes[1]["scale"]) @ turn.T + nodes[1]["translation"]
    assert {tuple(corner) for corner in corners[:, [0, 2]].round(4)} == {tuple(c) for c in box.corners.round(4)}
    assert (corners[:, 1].min(), corners[:, 1].max()) == pytest.approx((0.3, 0.5))
    animation = file.document["animations"][0]
    (channel,) = (channel for channel in animation["channels"] if channel["target"]["path"] == "scale")
    assert file.document["nodes"][channel["target"]["node"]] == nodes[1]  # the others are always there
    sampler = animation["samplers"][channel["sampler"]]
    assert sampler["interpolation"] == "STEP"
    assert file.array(sampler["input"])[:, 0] == pytest.approx([0.0, 1.0, 3.5])
    assert file.array(sampler["output"]).any(axis=1).tolist() == [False, True, False]


def test_terrain_is_a_mesh_of_its_own(make, tmp_path):
    motion, path = make.motion(30, seed=3), tmp_path / "hill.glb"
    box = Box((0.0, 2.0), (0.1, 0.1), 0.0, 0.2, 0.0)
    terrain = Terrain((-1.0, 0.5), 0.5, np.random.default_rng(0).uniform(0, 0.5, (6, 9)), 0.4)
    formats.write(path, motion, footing=Footing(Ground(0.0, (box,), terrain)))
    (report,) = validate(path)
    assert (report["numErrors"], report["numWarnings"]) == (0, 0), report
    file = Glb(path)
    number, node = next((n, node) for n, node in enumerate(file.document["nodes"]) if node["name"] == "terrain")
    assert number in file.document["scenes"][0]["nodes"]
    mesh = file.document["meshes"][node["mesh"]]["primitives"][0]
    corners = file.array(mesh["attributes"]["POSITION"])[: terrain.heights.size]
    np.testing.assert_allclose(corners[:, 1].reshape(terrain.heights.shape), terrain.heights, atol=1e-6)
    np.testing.assert_allclose(corners[[0, 45, 53, 8]][:, [0, 2]], terrain.corners, atol=1e-5)
    assert file.array(mesh["indices"]).max() < len(file.array(mesh["attributes"]["POSITION"]))
    line = Footing(Ground(0.0, (), Terrain((0, 0), 1.0, [[0.3, 0.2]])))  # has no area
    assert glb.encode(motion, "x", line) == glb.encode(motion, "x")


def test_without_supports_the_file_is_the_same(make, tmp_path):
    motion = make.motion(20)
    assert glb.encode(motion, "x", Footing()) == glb.encode(motion, "x")
