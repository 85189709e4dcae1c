"""ASF/AMC: what the angles of a bone mean, whatever order, unit and axis they are given in."""

from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.errors import FormatError
from motionloom.formats import ReadOptions, _amc, _asf, asfamc
from motionloom.motion import Motion, kinematics, rotations

ASF = """# made for a test
:version 1.10
:name test
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  begin and end may stand here
  and anything else
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -2 0        # not of unit length
    length 7
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-inf inf)
  end
  begin
    id 2
    name shin
    direction 0 -1 0
    length 7
    axis 30 -40 50 ZXY
    dof rz rx
  end
  begin
    id 3
    name tail
    direction 0 0 -1
    length 3
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root thigh tail
    thigh shin
  end
"""

AMC = """# comment
:FULLY-SPECIFIED
:DEGREES
1
root 1 17 2 10 20 30
thigh 40 50 60
shin 70 -80
2
root 1 17 3 10 20 31
thigh 41 51 61
shin 71 -81
"""

KEEP = ReadOptions(scale=1.0, up="y", rest_frame="keep")


def read_pair(folder: Path, asf: str = ASF, amc: str = AMC, options: ReadOptions = KEEP) -> formats.Take:
    (folder / "a.asf").write_bytes(asf.encode())
    (folder / "a_01.amc").write_bytes(amc.encode())
    return formats.read(folder / "a_01.amc", options)


def x(degrees: float) -> np.ndarray:
    return rotations.to_matrix(rotations.about_axis(np.array([1.0, 0, 0]), np.radians(degrees)))


def y(degrees: float) -> np.ndarray:
    return rotations.to_matrix(rotations.about_axis(np.array([0, 1.0, 0]), np.radians(degrees)))


def z(degrees: float) -> np.ndarray:
    return rotations.to_matrix(rotations.about_axis(np.array([0, 0, 1.0]), np.radians(degrees)))


def body(take: formats.Take) -> Motion:
    assert isinstance(take.motion, Motion)
    return take.motion


def test_bones_turn_as_the_definition_says(tmp_path: Path) -> None:
    motion = body(read_pair(tmp_path))
    assert motion.skeleton.names == ("root", "thigh", "shin", "tail")
    positions, turned = kinematics.world(motion)
    root = z(30) @ y(20) @ x(10)
    c_thigh = z(20)
    thigh = root @ c_thigh @ z(60) @ y(50) @ x(40) @ np.linalg.inv(c_thigh)
    c_shin = y(50) @ x(-40) @ z(30)
    shin = thigh @ c_shin @ x(-80) @ z(70) @ np.linalg.inv(c_shin)
    start = np.array([1.0, 17, 2])
    knee = start + thigh @ np.array([0, -7.0, 0])
    ankle = knee + shin @ np.array([0, -7.0, 0])
    assert np.allclose(positions[0, 1], start) and np.allclose(positions[0, 2], knee)
    ends = kinematics.attached_positions(positions, turned, motion.skeleton.end_parents, motion.skeleton.end_offsets)
    by_parent = dict(zip(motion.skeleton.end_parents.tolist(), ends[0]))
    assert np.allclose(by_parent[2], ankle)
    assert np.allclose(by_parent[3], start + root @ np.array([0, 0, -3.0]))


def test_angles_of_zero_give_the_rest_pose(tmp_path: Path) -> None:
    amc = ":DEGREES\n1\nroot 0 0 0 0 0 0\nthigh 0 0 0\nshin 0 0\n"
    motion = body(read_pair(tmp_path, amc=amc))
    assert np.allclose(rotations.angle(motion.local_rotations), 0, atol=1e-12)
    assert np.allclose(motion.skeleton.rest_positions[2], [0, -7, 0])


VARIANTS = {
    "crlf": (ASF.replace("\n", "\r\n"), AMC.replace("\n", "\r\n")),
    "tabs and blank lines": (
        ASF.replace("  ", "\t").replace("\n", "\n\n"),
        AMC.replace(" ", "\t").replace("\n", "\n \n"),
    ),
    "capital letters": (ASF.replace("dof rx", "DOF RX").replace(":units", ":UNITS").replace("begin", "BEGIN"), AMC),
    "no units of angles in the motion": (ASF, AMC.replace(":DEGREES\n", "")),
    "comments behind numbers": (ASF, AMC.replace("root 1 17 2", "root 1 17 2").replace("70 -80", "70 -80 # bend")),
}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_spelling_of_a_pair_gives_the_same_take(variant: str, tmp_path: Path) -> None:
    plain, other = body(read_pair(tmp_path)), body(read_pair(tmp_path, *VARIANTS[variant]))
    assert np.array_equal(plain.local_rotations, other.local_rotations) and plain.skeleton == other.skeleton


def test_radians_are_read_in_both_files(tmp_path: Path) -> None:
    asf = ASF.replace("angle deg", "angle rad")
    for degrees in ("0 0 20 XYZ", "30 -40 50 ZXY"):
        numbers = [repr(float(np.radians(float(n)))) for n in degrees.split()[:3]]
        asf = asf.replace(degrees, " ".join([*numbers, degrees.split()[3]]))
    lines = []
    for line in AMC.replace(":DEGREES", ":RADIANS").splitlines():
        words = line.split()
        first = 4 if words and words[0] == "root" else 1
        if len(words) > 1 and words[0] != "#":
            words[first:] = [repr(float(np.radians(float(n)))) for n in words[first:]]
        lines.append(" ".join(words))
    plain, other = body(read_pair(tmp_path)), body(read_pair(tmp_path, asf, "\n".join(lines)))
    assert np.allclose(plain.local_rotations, other.local_rotations, atol=1e-12)


def test_the_order_of_the_root_is_free(tmp_path: Path) -> None:
    asf = ASF.replace("order TX TY TZ RX RY RZ", "order RZ TX RX TY RY TZ")
    amc = AMC.replace("root 1 17 2 10 20 30", "root 30 1 10 17 20 2").replace(
        "root 1 17 3 10 20 31", "root 31 1 10 17 20 3"
    )
    motion = body(read_pair(tmp_path, asf, amc))
    assert motion.root_positions[0].tolist() == [1, 17, 2]
    assert np.allclose(rotations.to_matrix(motion.local_rotations[0, 0]), y(20) @ x(10) @ z(30))


def test_the_length_unit_of_the_file_is_believed_where_legs_allow_it(tmp_path: Path) -> None:
    take = read_pair(tmp_path, options=ReadOptions(up="y"))
    assert take.source.metres_per_unit == pytest.approx(0.0254 / 0.45)


def test_bones_that_move_or_stretch_stay_rigid_and_it_is_reported(tmp_path: Path) -> None:
    asf = ASF.replace("dof rz rx", "dof rz rx tx ty tz l")
    amc = AMC.replace("shin 70 -80", "shin 70 -80 0 0 0 1").replace("shin 71 -81", "shin 71 -81 0 0 0 3")
    take = read_pair(tmp_path, asf, amc)
    (finding,) = [f for f in take.findings if f.kind == "bones"]
    assert finding.is_warning and "1 file units in 'shin'" in finding.message
    motion = body(take)
    assert np.allclose(motion.skeleton.end_offsets[motion.skeleton.end_parents == 2], [[0, -9, 0]])


def test_very_many_dofs_are_refused_in_a_short_sentence(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="named twice") as refused:
        read_pair(tmp_path, ASF.replace("dof rz rx", "dof" + " tx ty tz" * 900))
    assert len(str(refused.value)) < 1000


def test_a_constant_translation_of_a_bone_is_part_of_its_offset(tmp_path: Path) -> None:
    asf = ASF.replace("dof rz rx", "dof tx ty tz rz rx").replace("axis 30 -40 50 ZXY", "axis 0 0 90 XYZ")
    amc = AMC.replace("shin 70", "shin 1 2 3 70").replace("shin 71", "shin 1 2 3 71")
    take = read_pair(tmp_path, asf, amc)
    assert not [f for f in take.findings if f.kind == "bones"]
    assert np.allclose(body(take).skeleton.offsets[2], np.array([0, -7, 0]) + z(90) @ np.array([1, 2, 3]))


def test_bones_without_values_keep_their_rest_pose_and_it_is_reported(tmp_path: Path) -> None:
    amc = "".join(line + "\n" for line in AMC.splitlines() if not line.startswith("shin"))
    take = read_pair(tmp_path, amc=amc)
    assert any(f.kind == "bones" and f.is_warning and "shin" in f.message for f in take.findings)
    assert np.allclose(rotations.angle(body(take).local_rotations[:, 2]), 0)


def test_frame_numbers_with_gaps_are_reported(tmp_path: Path) -> None:
    take = read_pair(tmp_path, amc=AMC.replace("\n2\n", "\n5\n"))
    assert take.motion.n_frames == 2 and any(f.kind == "numbers" and f.is_warning for f in take.findings)


def test_the_skeleton_is_found_beside_the_motion(tmp_path: Path) -> None:
    (tmp_path / "07_02.amc").write_text(AMC)
    with pytest.raises(FormatError, match=r"no skeleton '07\.asf' beside it \(no \.asf is there\)"):
        formats.read(tmp_path / "07_02.amc")
    (tmp_path / "other.ASF").write_text(ASF)
    assert asfamc.find_skeleton(tmp_path / "07_02.amc", KEEP).name == "other.ASF"
    (tmp_path / "08.asf").write_text(ASF)
    with pytest.raises(FormatError, match=r"2 others are there"):
        formats.read(tmp_path / "07_02.amc")
    (tmp_path / "07.asf").write_text(ASF)
    assert asfamc.find_skeleton(tmp_path / "07_02.amc", KEEP).name == "07.asf"
    (tmp_path / "07_02.asf").write_text(ASF)
    assert asfamc.find_skeleton(tmp_path / "07_02.amc", KEEP).name == "07_02.asf"
    given = ReadOptions(skeleton=tmp_path / "08.asf", scale=1.0)
    assert "skeleton from 08.asf" in [f.message for f in formats.read(tmp_path / "07_02.amc", given).findings]
    with pytest.raises(FormatError, match=r"gone\.asf: cannot be read"):
        formats.read(tmp_path / "07_02.amc", ReadOptions(skeleton=tmp_path / "gone.asf"))


@pytest.mark.parametrize("seed", range(5))
def test_reading_in_one_sweep_gives_what_reading_line_by_line_gives(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    (tmp_path / "a.asf").write_text(ASF)
    asf = _asf.read(tmp_path / "a.asf")
    numbers = rng.normal(0, 100, (20, 11)).round(5)
    frames = [
        f"{i + 1}\nroot {' '.join(map(str, row[:6]))}\nthigh {' '.join(map(str, row[6:9]))}\nshin {row[9]} {row[10]}"
        for i, row in enumerate(numbers)
    ]
    body = (rng.choice([":DEGREES\n", ":RADIANS\n", ""]) + "\n".join(frames)).encode()
    fast, slow = _amc.parse("a.amc", body, asf), _amc.parse_carefully("a.amc", body, asf)
    assert fast.in_degrees == slow.in_degrees and fast.findings == slow.findings
    assert fast.values.keys() == slow.values.keys()
    assert all(np.array_equal(fast.values[name], slow.values[name]) for name in fast.values)


def test_an_amc_file_has_no_rate_and_that_is_reported(tmp_path: Path) -> None:
    take = read_pair(tmp_path)
    assert take.motion.fps == 120 and any("120 frames per second assumed" in f.message for f in take.findings)
    assert read_pair(tmp_path, options=ReadOptions(fps=60, scale=1.0)).motion.fps == 60


def test_a_bone_above_the_body_gives_its_travel_to_the_root(tmp_path: Path) -> None:
    hips = "  begin\n id 4\n name hips\n direction 0 1 0\n length 2\n axis 0 0 90 XYZ\n dof tx ty tz rz\n  end\n"
    asf = ASF.replace(":hierarchy", hips + ":hierarchy").replace("root thigh tail", "root hips\n    hips thigh tail")
    amc = AMC.replace("thigh 40", "hips 1 2 3 30\nthigh 40").replace("thigh 41", "hips 101 -20 30 35\nthigh 41")
    still = read_pair(tmp_path, asf, amc.replace("101 -20 30 35", "1 2 3 35"))
    take = read_pair(tmp_path, asf, amc)
    expected = kinematics.world_positions(body(still)).copy()
    shift = rotations.rotate(body(take).local_rotations[1, 0], z(90) @ np.array([100.0, -22.0, 27.0]))
    expected[1, 1:] += shift
    assert np.allclose(kinematics.world_positions(body(take))[:, 1:], expected[:, 1:])
    (finding,) = [f for f in take.findings if f.kind == "bones"]
    assert not finding.is_warning and "'hips' moves relative to the root" in finding.message
