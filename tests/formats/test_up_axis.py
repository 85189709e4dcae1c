"""The up axis is a convention of the file: that of its rest pose, unless gravity and feet at rest agree against it."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.unseen.conventions import SIX, UNITS, rewrite

from motionloom import formats
from motionloom.formats.detection import FileProperties, convert, turn_to_y
from motionloom.formats.options import ReadOptions
from motionloom.motion import Motion, cut, kinematics, rest_pose, rotations

AXES = ("x", "y", "z", "-x", "-y", "-z")
LYING = rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.pi / 2)


def read(motion: Motion) -> formats.Take:
    return convert(motion, ReadOptions(), FileProperties("take.bvh", "bvh", "", motion.fps))


def finding(take: formats.Take) -> formats.Finding:
    (found,) = (f for f in take.findings if f.kind == "up")
    return found


def assert_same_movement(motion: Motion, other: Motion) -> None:
    order = [other.skeleton.names.index(name) for name in motion.skeleton.names]
    there = kinematics.world_positions(other)[:, order]
    np.testing.assert_allclose(kinematics.world_positions(motion), there, atol=1e-3)


def turned_to(motion: Motion, up: str) -> Motion:
    return rest_pose.turn_world(motion, rotations.inverse(turn_to_y(up)))


def moved(motion: Motion, turn: np.ndarray) -> Motion:
    """The world turned about the body's convention: the rest pose stays, the recorded body is turned as a whole."""
    local = motion.local_rotations.copy()
    local[:, 0] = rotations.multiply(turn, local[:, 0])
    return replace(motion, root_positions=rotations.rotate(turn, motion.root_positions), local_rotations=local)


def swimming(make, fps: float = 60.0, seed: int = 0) -> Motion:
    """A body that lies in the air, face down, and kicks; nothing ever rests."""
    rng = np.random.default_rng(seed)
    motion = make.motion(n_frames=int(6 * fps), seed=seed, fps=fps, wildness=0.1)
    t = np.arange(motion.n_frames) / fps
    local = motion.local_rotations.copy()
    local[:, 0] = rotations.multiply(LYING, local[:, 0])
    for role, phase in (("left_hip", 0.0), ("right_hip", np.pi), ("left_shoulder", 0.5), ("right_shoulder", 2.0)):
        swing = rotations.about_axis(np.array([1.0, 0.0, 0.0]), 0.5 * np.sin(9 * t + phase + rng.random()))
        joint = motion.skeleton.index(role)
        local[:, joint] = rotations.multiply(local[:, joint], swing)
    return replace(motion, local_rotations=local)


@pytest.mark.parametrize("up", AXES)
@pytest.mark.parametrize("seed", range(3))
def test_someone_who_swims_through_the_whole_take_is_not_turned(make, up, seed):
    take = read(turned_to(swimming(make, seed=seed), up))
    assert take.source.up == up
    assert finding(take).is_warning and "give --up" in finding(take).message


@pytest.mark.parametrize("up", AXES)
def test_someone_who_lies_still_is_not_turned_and_the_doubt_is_reported(make, up):
    motion = make.motion(n_frames=240, wildness=0.02)
    motion = moved(motion, LYING)
    take = read(turned_to(motion, up))
    assert take.source.up == up
    assert finding(take).is_warning


@pytest.mark.parametrize("rest", ["side", "back"])
@pytest.mark.parametrize("up", ["y", "z"])
def test_a_file_whose_rest_pose_lies_is_read_by_its_resting_feet(tmp_path, walk, rest, up):
    take = formats.read(rewrite(tmp_path / "a.bvh", walk, up, "centimetres", rest))
    assert take.source.up == up
    assert finding(take).is_warning and "feet at rest" in finding(take).message
    assert_same_movement(take.motion, walk)


def test_a_file_whose_rest_pose_lies_is_read_by_gravity_too(tmp_path, jumps):
    take = formats.read(rewrite(tmp_path / "a.bvh", jumps, "y", "metres", "back"))
    assert take.source.up == "y" and "gravity" in finding(take).message


@pytest.mark.parametrize(("up", "unit", "rest"), SIX)
@pytest.mark.parametrize("name", ["walk/normal_1", "jump/up", "sit/chair_1", "stand/weight_shifts_1"])
def test_one_recording_in_six_conventions_is_the_same_take(tmp_path, make, name, up, unit, rest):
    motion = make.demo_take(name).motion
    take = formats.read(rewrite(tmp_path / "a.bvh", motion, up, unit, rest))
    assert (take.source.up, take.source.metres_per_unit) == (up, UNITS[unit])
    assert_same_movement(take.motion, motion)
    assert not [f.message for f in take.findings if f.is_warning]


@pytest.mark.parametrize("roles", [("knee",), ("knee", "hip"), ("ball", "foot"), ("shoulder", "elbow", "hand")])
@pytest.mark.parametrize("up", ["y", "z"])
def test_a_body_without_knees_or_feet_or_arms_is_read_by_its_rest_pose(walk, roles, up):
    lost = {f"{side}_{role}": None for side in ("left", "right") for role in roles}
    motion = replace(walk, skeleton=walk.skeleton.with_roles(lost))
    assert read(turned_to(motion, up)).source.up == up


@pytest.mark.parametrize("n_frames", [1, 2, 3, 5])
def test_a_take_of_a_few_frames_is_read_by_its_rest_pose(walk, n_frames):
    assert read(turned_to(cut(walk, 0, n_frames), "z")).source.up == "z"


def test_a_take_that_never_touches_the_ground_is_read_by_its_rest_pose(jumps):
    height = jumps.root_positions[:, 1]
    top = int(height.argmax())
    flight = cut(jumps, top - 6, top + 7)
    assert height[top - 6 : top + 7].min() > height[0] + 0.05
    assert read(turned_to(flight, "z")).source.up == "z"


def test_a_rest_pose_that_says_nothing_leaves_it_to_the_resting_feet(walk):
    curled = rotations.identity((walk.skeleton.n_joints,))
    for joint in range(walk.skeleton.n_joints):  # legs up beside the head: the rest pose has no direction
        chain = walk.skeleton.chain(joint)
        if walk.skeleton.index("left_hip") in chain or walk.skeleton.index("right_hip") in chain:
            curled[joint] = rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.pi)
    motion = rest_pose.rebase(walk, curled)
    for up in ("y", "z", "-x"):
        assert read(turned_to(motion, up)).source.up == up
