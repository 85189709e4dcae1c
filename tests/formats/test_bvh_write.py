"""Writing BVH: joint positions survive, and the file is one that other tools take."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.errors import BadInput
from motionloom.formats import ReadOptions, Source, bvh
from motionloom.motion import Motion, PointMotion, Skeleton, kinematics, rest_pose, rotations

TENTH_OF_A_MILLIMETRE = 1e-4  # metres

# name, parent, offset in metres: a small person in T-pose, listed breadth first on purpose
PERSON = [
    ("Hips", -1, (0, 0, 0)),
    ("Spine", 0, (0, 0.1, 0)),
    ("LeftUpLeg", 0, (0.1, -0.05, 0)),
    ("RightUpLeg", 0, (-0.1, -0.05, 0)),
    ("Neck", 1, (0, 0.4, 0)),
    ("LeftLeg", 2, (0, -0.42, 0)),
    ("RightLeg", 3, (0, -0.42, 0)),
    ("Head", 4, (0, 0.1, 0)),
    ("LeftFoot", 5, (0, -0.4, 0)),
    ("RightFoot", 6, (0, -0.4, 0)),
    ("LeftArm", 1, (0.2, 0.35, 0)),
    ("RightArm", 1, (-0.2, 0.35, 0)),
    ("LeftForeArm", 10, (0.28, 0, 0)),
    ("RightForeArm", 11, (-0.28, 0, 0)),
    ("LeftHand", 12, (0.25, 0, 0)),
    ("RightHand", 13, (-0.25, 0, 0)),
]


def make_motion(n_frames: int = 30, seed: int = 0, fps: float = 60.0) -> Motion:
    names, parents, offsets = zip(*PERSON)
    ends = {"Head": (0, 0.2, 0), "LeftFoot": (0, -0.05, 0.15), "RightFoot": (0, -0.05, 0.15)}
    skeleton = Skeleton(
        names=names,
        parents=np.array(parents),
        offsets=np.array(offsets, float),
        end_parents=np.array([names.index(n) for n in ends]),
        end_offsets=np.array(list(ends.values()), float),
    )
    rng = np.random.default_rng(seed)
    turns = rng.normal(0, 0.6, (1, len(names), 3)) + rng.normal(0, 0.05, (n_frames, len(names), 3)).cumsum(axis=0)
    turns[:, 0] *= 0.2
    positions = np.array([0, 0.95, 0]) + rng.normal(0, 0.01, (n_frames, 3)).cumsum(axis=0)
    return Motion(skeleton, positions, rotations.exp(turns), fps)


def positions_by_name(motion: Motion) -> dict[str, np.ndarray]:
    positions, turned = kinematics.world(motion)
    skeleton = motion.skeleton
    ends = kinematics.attached_positions(positions, turned, skeleton.end_parents, skeleton.end_offsets)
    named = {name: positions[:, i] for i, name in enumerate(skeleton.names)}
    for i, parent in enumerate(skeleton.end_parents):
        if np.linalg.norm(skeleton.end_offsets[i]) > 0:
            named[f"end of {skeleton.names[parent]}"] = ends[:, i]
    return named


def largest_difference(a: Motion, b: Motion) -> float:
    ours, theirs = positions_by_name(a), positions_by_name(b)
    assert ours.keys() == theirs.keys()
    return max(float(np.linalg.norm(ours[name] - theirs[name], axis=-1).max()) for name in ours)


def make_source(**changes: object) -> Source:
    return replace(Source(path="x.bvh", format="bvh", digest="", fps=60, metres_per_unit=0.01), **changes)


@pytest.mark.parametrize("order", rotations.TAIT_BRYAN_ORDERS + rotations.PROPER_ORDERS)
def test_joint_positions_survive_in_every_rotation_order(order: str, tmp_path: Path) -> None:
    motion = make_motion()
    source = make_source(rotation_orders=(order,) * motion.skeleton.n_joints)
    formats.write(tmp_path / "a.bvh", motion, source)
    take = formats.read(tmp_path / "a.bvh", ReadOptions(scale=0.01, rest_frame="keep"))
    assert set(take.source.rotation_orders) == {order}
    assert largest_difference(motion, take.motion) < TENTH_OF_A_MILLIMETRE / 10


@pytest.mark.parametrize("rest", ["auto", "keep", "t_pose"])
@pytest.mark.parametrize("up", ["x", "y", "z", "-x", "-y", "-z"])
@pytest.mark.parametrize("metres_per_unit", [1.0, 0.01, 0.001, 0.0254 / 0.45])
def test_joint_positions_survive_in_every_unit_and_axis(
    rest: str, up: str, metres_per_unit: float, tmp_path: Path
) -> None:
    motion = make_motion()
    bvh.write(tmp_path / "a.bvh", motion, make_source(up=up, metres_per_unit=metres_per_unit), rest=rest)
    take = formats.read(tmp_path / "a.bvh", ReadOptions(rest_frame="keep"))
    assert take.source.up == up and take.source.metres_per_unit == pytest.approx(metres_per_unit)
    assert largest_difference(motion, take.motion) < TENTH_OF_A_MILLIMETRE / 10


def test_without_a_source_a_file_is_in_centimetres_y_up_and_zyx(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.bvh", make_motion())
    text = (tmp_path / "a.bvh").read_text()
    take = formats.read(tmp_path / "a.bvh", ReadOptions(rest_frame="keep"))
    assert take.source.metres_per_unit == 0.01 and take.source.up == "y"
    assert "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation" in text


@pytest.mark.parametrize("fps", [24.0, 30000 / 1001, 60.0, 119.88, 120.0, 128.0, 123.456789, 1000.0])
def test_the_rate_survives(fps: float, tmp_path: Path) -> None:
    formats.write(tmp_path / "a.bvh", make_motion(3, fps=fps))
    assert formats.read(tmp_path / "a.bvh").motion.fps == pytest.approx(fps, rel=1e-9)


def test_a_rest_pose_that_does_not_stand_is_replaced_by_a_t_pose(tmp_path: Path) -> None:
    motion = make_motion()
    lying = rotations.about_axis(np.array([1.0, 0, 0]), np.full(motion.skeleton.n_joints, 1.5))
    tangled = rest_pose.rebase(
        motion, rotations.multiply(lying, rotations.exp(np.random.default_rng(1).normal(0, 1, (16, 3))))
    )
    assert not bvh.stands_upright(tangled.skeleton) and bvh.stands_upright(motion.skeleton)
    formats.write(tmp_path / "a.bvh", tangled)
    take = formats.read(tmp_path / "a.bvh", ReadOptions(scale=0.01, up="y", rest_frame="keep"))
    assert bvh.stands_upright(take.motion.skeleton)
    assert largest_difference(motion, take.motion) < TENTH_OF_A_MILLIMETRE / 10
    rest = take.motion.skeleton.rest_positions
    arm = rest[take.motion.skeleton.index("left_hand")] - rest[take.motion.skeleton.index("left_shoulder")]
    assert arm[0] > 0.99 * np.linalg.norm(arm)


def test_an_upright_rest_pose_is_kept(tmp_path: Path) -> None:
    motion = make_motion()
    formats.write(tmp_path / "a.bvh", motion)
    take = formats.read(tmp_path / "a.bvh", ReadOptions(rest_frame="keep"))
    for name in motion.skeleton.names:
        ours, theirs = motion.skeleton.index(name), take.motion.skeleton.index(name)
        assert np.allclose(motion.skeleton.offsets[ours], take.motion.skeleton.offsets[theirs], atol=1e-6)


def test_joints_keep_their_few_channels_while_that_is_exact(tmp_path: Path) -> None:
    motion = make_motion(10)
    local = motion.local_rotations.copy()
    knee, elbow = motion.skeleton.index("LeftLeg"), motion.skeleton.index("LeftForeArm")
    local[:, knee] = rotations.about_axis(np.array([1.0, 0, 0]), np.linspace(0, 1, 10))
    orders = ["ZYX"] * motion.skeleton.n_joints
    orders[knee], orders[elbow], orders[0] = "X", "Y", "YXZ"
    motion = replace(motion, local_rotations=local)
    formats.write(tmp_path / "a.bvh", motion, make_source(rotation_orders=tuple(orders)))
    take = formats.read(tmp_path / "a.bvh", ReadOptions(scale=0.01, rest_frame="keep"))
    written = dict(zip(take.motion.skeleton.names, take.source.rotation_orders))
    assert written["LeftLeg"] == "X" and written["Hips"] == "YXZ" and len(written["LeftForeArm"]) == 3
    assert largest_difference(motion, take.motion) < TENTH_OF_A_MILLIMETRE / 10


def test_a_file_that_was_written_is_written_again_the_same(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.bvh", make_motion(), make_source())
    take = formats.read(tmp_path / "a.bvh", ReadOptions(rest_frame="keep"))
    formats.write(tmp_path / "b.bvh", take.motion, take.source)
    assert (tmp_path / "a.bvh").read_bytes() == (tmp_path / "b.bvh").read_bytes()


def test_every_last_joint_carries_an_end_site(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.bvh", make_motion(2))
    take = formats.read(tmp_path / "a.bvh")
    skeleton = take.motion.skeleton
    leaves = set(range(skeleton.n_joints)) - set(skeleton.parents.tolist())
    assert leaves <= set(skeleton.end_parents.tolist())


def test_points_and_unknown_rest_poses_are_refused(tmp_path: Path) -> None:
    points = PointMotion(("a",), np.zeros((2, 1, 3)), 60)
    with pytest.raises(BadInput, match=r"points have no skeleton.*write \.npz instead"):
        formats.write(tmp_path / "a.bvh", points)
    with pytest.raises(BadInput, match="rest pose must be auto, keep or t_pose, got 'a_pose'"):
        bvh.write(tmp_path / "a.bvh", make_motion(), rest="a_pose")
    with pytest.raises(BadInput, match="cannot be written"):
        formats.write(tmp_path / "no" / "folder.bvh", make_motion())
    assert list(tmp_path.iterdir()) == []


def test_endings_pick_the_format_and_unknown_ones_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"'\.fbx' cannot be read; the extensions are \.bvh, \.amc, \.npz"):
        formats.read(tmp_path / "a.fbx")
    with pytest.raises(BadInput, match=r"'no extension' cannot be written; the extensions are \.bvh, \.glb, \.npz"):
        formats.write(tmp_path / "a", make_motion())
