"""Files whose travel is not in the root: a reference above the hips changes nothing about the person."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import formats
from motionloom.formats import ReadOptions, _root_motion
from motionloom.motion import Motion, kinematics, rest_pose, rotations

KEEP = ReadOptions(scale=0.01, up="y", rest_frame="keep")
SIX = "Xposition Yposition Zposition Zrotation Yrotation Xrotation"


def put_reference_above(
    path: Path, places: np.ndarray, turns: np.ndarray, offset: str = "0 0 0", helper: str = ""
) -> Path:
    """Write a file again with `ROOT Reference` at places (F, 3), turned (F, 4), above its root; the world stays."""
    header, numbers = path.read_text().split("MOTION")
    lines = header.splitlines()
    lines[1:4] = [
        "ROOT Reference {",
        "OFFSET 0 0 0",
        f"CHANNELS 6 {SIX}",
        helper,
        "JOINT Hips",
        "{",
        f"OFFSET {offset}",
    ]
    frames = numbers.strip().splitlines()
    rows = np.array([line.split() for line in frames[2:]], float)
    back = rotations.inverse(turns)
    hips = rotations.rotate(back, rows[:, :3] - places)
    hips_turns = rotations.multiply(back, rotations.from_euler(np.radians(rows[:, 3:6]), "ZYX"))
    rows = np.hstack([places, angles(turns), hips, angles(hips_turns), rows[:, 6:]])
    body = [" ".join(f"{x:.9f}" for x in row) for row in rows]
    new = path.with_name("with_reference.bvh")
    new.write_text("\n".join([line for line in lines if line] + ["}", "MOTION", *frames[:2], *body]) + "\n")
    return new


def angles(turns: np.ndarray) -> np.ndarray:
    return np.degrees(rotations.to_euler(turns, "ZYX"))


def still(n_frames: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((n_frames, 3)), rotations.identity((n_frames,))


def written(motion: Motion, folder: Path) -> Path:
    path = folder / "plain.bvh"
    formats.write(path, motion)
    return path


def travelling(make, n_frames: int = 20, seed: int = 0) -> Motion:
    motion = make.motion(n_frames, seed=seed)
    return replace(motion, root_positions=motion.root_positions + np.linspace(0, 1, n_frames)[:, None] * [3.0, 0, 2.0])


def differ(plain: Path, changed: Path, options: ReadOptions = KEEP) -> float:
    """Metres between the joints of a file and the same joints of another one."""
    a, b = formats.read(plain, options).motion, formats.read(changed, options).motion
    joints = [b.skeleton.names.index(name) for name in a.skeleton.names]
    return float(np.abs(kinematics.world_positions(a) - kinematics.world_positions(b)[:, joints]).max())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.integers(1, 12))
def test_a_reference_above_the_hips_leaves_every_joint_where_it_was(make, tmp_path_factory, seed, moves, n_frames):
    rng = np.random.default_rng(seed)
    plain = written(travelling(make, n_frames, seed), tmp_path_factory.mktemp("law"))
    places = (
        rng.normal(scale=100, size=(n_frames, 3)) if moves else np.tile(rng.normal(scale=100, size=3), (n_frames, 1))
    )
    turns = rotations.exp(rng.normal(size=(n_frames if moves else 1, 3)))
    turns = np.broadcast_to(turns, (n_frames, 4))
    assert differ(plain, put_reference_above(plain, places, turns)) < 1e-7


def test_the_travel_below_a_reference_is_reported_and_is_no_warning(make, tmp_path):
    plain = written(travelling(make), tmp_path)
    take = formats.read(put_reference_above(plain, *still(20)), KEEP)
    (finding,) = [f for f in take.findings if f.kind == "bones"]
    assert not finding.is_warning
    assert finding.message == (
        "'Hips' moves relative to the root, so its root motion was transferred to the root: "
        "from 'Hips' down all is as in the file, above it 'Reference' moves along"
    )
    assert take.motion.skeleton.names[take.motion.skeleton.index("hips")] == "Hips"


@pytest.mark.parametrize(("offset", "start", "expected"), [("0 94 0", 0.0, 0.94), ("-812 94 0", -8.12, 0.0)])
def test_the_reference_is_under_the_hips_where_the_file_has_it_there_and_else_in_them(
    make, tmp_path, offset, start, expected
):
    motion = make.motion(20)
    travel = np.linspace(start, 9.0, 20)[:, None] * [1.0, 0, 0]
    plain = written(replace(motion, root_positions=motion.root_positions + travel), tmp_path)
    changed = put_reference_above(plain, *still(20), offset=offset)
    assert differ(plain, changed) < 1e-7
    assert np.allclose(formats.read(changed, KEEP).motion.skeleton.offsets[1], [0, expected, 0])


def test_hips_given_as_what_is_added_to_their_offset_travel_too(make, tmp_path):
    plain = written(travelling(make), tmp_path)
    changed = put_reference_above(plain, np.tile([0.0, 94, 0], (20, 1)), rotations.identity((20,)), offset="0 94 0")
    head, numbers = changed.read_text().split("Frame Time")
    rows = [line.split() for line in numbers.splitlines()[1:]]
    body = [" ".join(["0", "0", "0", *row[3:]]) for row in rows]
    changed.write_text("\n".join([head + "Frame Time" + numbers.splitlines()[0], *body]))
    assert differ(plain, changed) < 1e-7


def test_handles_beside_the_body_do_not_freeze_it(make, tmp_path):
    plain = written(travelling(make), tmp_path)
    handle = "JOINT ik_foot_root\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 0 0\n}\n}"
    assert differ(plain, put_reference_above(plain, *still(20), helper=handle)) < 1e-7


def test_everything_is_recognised_below_a_reference_as_without_it(make, tmp_path):
    motion = travelling(make, 40)
    pose = rotations.identity((1, motion.skeleton.n_joints))
    pose[:, 0] = rotations.about_y(1.0)
    motion = replace(motion, local_rotations=np.concatenate([pose, motion.local_rotations[1:]]))
    motion = rest_pose.turn_world(motion, rotations.about_axis(np.array([1.0, 0, 0]), np.pi / 2))
    plain = tmp_path / "plain.bvh"
    formats.bvh.write(plain, motion, rest="keep")  # z is up in its rest pose too: the convention of the file
    changed = put_reference_above(plain, *still(40))
    a, b = (formats.read(path, ReadOptions()) for path in (plain, changed))
    assert (b.source.up, b.source.metres_per_unit, b.source.rest_frame_dropped) == ("z", 0.01, True)
    assert (a.source.up, a.source.metres_per_unit, a.source.rest_frame_dropped) == ("z", 0.01, True)
    assert differ(plain, changed, ReadOptions()) < 1e-7


@pytest.mark.parametrize("rest", ["keep", "t_pose"])
def test_a_person_with_a_reference_is_written_and_read_again(make, tmp_path, rest):
    plain = written(travelling(make), tmp_path)
    changed = put_reference_above(plain, *still(20))
    take = formats.read(changed, KEEP)
    again = tmp_path / "again.bvh"
    formats.bvh.write(again, take.motion, take.source, rest=rest)
    assert differ(changed, again) < 1e-5
    formats.write(tmp_path / "again.glb", take.motion)


def test_joints_are_above_a_body_only_where_nothing_else_hangs_on_them():
    above = _root_motion.trunk_above_body
    assert above(("Reference", "Hips", "Spine", "LeftUpLeg"), np.array([-1, 0, 1, 1])) == [0, 1]
    assert above(("root", "mover", "pelvis", "spine_01"), np.array([-1, 0, 1, 2])) == [0, 1, 2]
    assert above(("Hips", "Spine", "LeftUpLeg"), np.array([-1, 0, 0])) == [0]
    assert above(("rope", "middle", "tip"), np.array([-1, 0, 1])) == [0]
    assert above(("a", "b", "c", "d"), np.array([-1, 0, 1, 1])) == [0, 1]
    assert above(("a", "b", "c"), np.array([-1, 0, 0])) == [0]
