"""Reading BVH: every spelling that real files use, and angles exactly as the file means them."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import formats
from motionloom.formats import ReadOptions, bvh
from motionloom.motion import kinematics, rotations

KEEP = ReadOptions(scale=1.0, up="y", rest_frame="keep")  # nothing is left to be recognised

SMALL = """HIERARCHY
ROOT Hips
{
	OFFSET 0.0 0.0 0.0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
	JOINT Left Up Leg
	{
		OFFSET 10 -5 0
		CHANNELS 3 Zrotation Yrotation Xrotation
		End Site
		{
			OFFSET 0 -40 2.5
		}
	}
	JOINT Chest
	{
		OFFSET 0 20 0
		CHANNELS 3 Xrotation Yrotation Zrotation
		End Site
		{
			OFFSET 0 10 0
		}
		End Site
		{
			OFFSET 3 10 0
		}
	}
}
MOTION
Frames: 3
Frame Time: 0.0083333
1 90 2 10 20 30 1 2 3 4 5 6
2 91 3 11 21 31 2 3 4 5 6 7
3 92 4 12 22 32 3 4 5 6 7 8
"""


def read_text(folder: Path, text: str | bytes, options: ReadOptions = KEEP) -> formats.Take:
    path = folder / "take.bvh"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return bvh.read(path, options)


def same(a: formats.Take, b: formats.Take) -> bool:
    return (
        a.motion.skeleton == b.motion.skeleton
        and np.array_equal(a.motion.root_positions, b.motion.root_positions)
        and np.array_equal(a.motion.local_rotations, b.motion.local_rotations)
    )


def test_a_file_is_read_as_it_stands(tmp_path: Path) -> None:
    take = read_text(tmp_path, SMALL)
    skeleton = take.motion.skeleton
    assert take.name == "take" and skeleton.names == ("Hips", "Left Up Leg", "Chest")
    assert skeleton.parents.tolist() == [-1, 0, 0]
    assert skeleton.offsets.tolist() == [[0, 0, 0], [10, -5, 0], [0, 20, 0]]
    assert skeleton.end_parents.tolist() == [1, 2, 2]
    assert skeleton.end_offsets.tolist() == [[0, -40, 2.5], [0, 10, 0], [3, 10, 0]]
    assert take.motion.root_positions.tolist() == [[1, 90, 2], [2, 91, 3], [3, 92, 4]]
    assert take.motion.fps == 120.0 and take.source.fps == 120.0
    assert take.source.rotation_orders == ("ZYX", "ZYX", "XYZ")
    expected = rotations.from_euler(np.radians([[1.0, 2, 3], [2, 3, 4], [3, 4, 5]]), "ZYX")
    assert np.allclose(take.motion.local_rotations[:, 1], expected, atol=1e-12)


VARIANTS = {
    "crlf": SMALL.replace("\n", "\r\n"),
    "old Mac line ends": SMALL.replace("\n", "\r"),
    "byte order mark": b"\xef\xbb\xbf" + SMALL.encode(),
    "UTF-16": SMALL.encode("utf-16"),
    "spaces for tabs": SMALL.replace("\t", "    "),
    "tabs between numbers": SMALL.replace("1 90 2 10", "1\t90\t2 \t 10"),
    "blank lines": SMALL.replace("\n", "\n\n \t\n"),
    "lower case": SMALL.replace("Left Up Leg", "@")
    .lower()
    .replace("hips", "Hips")
    .replace("chest", "Chest")
    .replace("@", "Left Up Leg"),
    "mixed case": SMALL.replace("OFFSET", "Offset").replace("rotation", "ROTATION").replace("End Site", "end site"),
    "brace on the line of the name": SMALL.replace("ROOT Hips\n{", "ROOT Hips {").replace(
        "JOINT Chest\n\t{", "JOINT Chest {"
    ),
    "braces together": SMALL.replace("\n\t}\n}\n", "}}\n"),
    "named end sites": SMALL.replace("End Site", "End Site toe tip"),
    "scientific notation": SMALL.replace("1 90 2 10", "1.0e0 9.0E+1 +2e-0 1000e-2"),
    "leading points": SMALL.replace("Frame Time: 0.0083333", "Frame Time: .0083333").replace("OFFSET 0.0", "OFFSET .0"),
    "no space after colons": SMALL.replace("Frames: 3", "Frames:3").replace("Frame Time: ", "Frame Time:"),
    "spaces before colons": SMALL.replace("Frames:", "Frames :").replace("Frame Time:", "Frame  Time :"),
    "trailing spaces": SMALL.replace("\n", "  \n"),
    "no line end at the end": SMALL.rstrip(),
    "offset and channels on one line": SMALL.replace("OFFSET 0 20 0\n\t\tCHANNELS", "OFFSET 0 20 0 CHANNELS"),
    "long decimals": SMALL.replace("1 90 2 10", "1.00000000000000000000000 90.0000000000 2 000000000000000000000010"),
    "numbers broken over lines": SMALL.replace("1 90 2 10", "1 90\n2 10").replace("11 21 31 2", "11\n21\n31 2"),
}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_spelling_of_a_file_gives_the_same_take(variant: str, tmp_path: Path) -> None:
    take = read_text(tmp_path, VARIANTS[variant])
    assert same(take, read_text(tmp_path, SMALL)) and take.motion.fps == 120.0


def test_numbers_broken_over_lines_are_reported(tmp_path: Path) -> None:
    take = read_text(tmp_path, VARIANTS["numbers broken over lines"])
    messages = [f.message for f in take.findings if f.kind == "numbers"]
    assert messages == ["the 36 numbers are on 6 lines instead of 3; they were read in order"]


def test_joint_names_that_occur_twice_are_made_unique_and_reported(tmp_path: Path) -> None:
    take = read_text(tmp_path, SMALL.replace("Chest", "Hips"))
    assert take.motion.skeleton.names == ("Hips", "Left Up Leg", "Hips_2")
    assert any(f.kind == "names" and f.is_warning and "Hips -> Hips_2" in f.message for f in take.findings)


def make_file(orders: list[str], angles: np.ndarray) -> str:
    """A chain of joints with the given rotation orders; angles (F, total letters) degrees."""
    lines = ["HIERARCHY"]
    for i, order in enumerate(orders):
        lines += [f"{'JOINT' if i else 'ROOT'} j{i}", "{", f"OFFSET {i} {1 + i} {-i}"]
        channels = ([] if i else ["Xposition", "Yposition", "Zposition"]) + [f"{axis}rotation" for axis in order]
        lines.append(f"CHANNELS {len(channels)} {' '.join(channels)}")
    lines += ["End Site {", "OFFSET 0 1 0", "}"] + ["}"] * len(orders)
    lines += ["MOTION", f"Frames: {len(angles)}", "Frame Time: 0.02"]
    lines += ["1 2 3 " + " ".join(repr(float(a)) for a in row) for row in angles]
    return "\n".join(lines)


ALL_ORDERS = ["", "X", "Y", "Z"]
ALL_ORDERS += [
    "".join(p)
    for n in (2, 3)
    for p in itertools.product("XYZ", repeat=n)
    if all(a != b for a, b in itertools.pairwise(p))
]


def test_any_rotation_order_and_number_of_channels_is_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    n_angles = sum(len(order) for order in ALL_ORDERS)
    angles = rng.uniform(-400, 400, (5, n_angles)).round(4)
    take = read_text(tmp_path, make_file(ALL_ORDERS, angles))
    start = 0
    for joint, order in enumerate(ALL_ORDERS):
        expected = rotations.from_euler(np.radians(angles[:, start : start + len(order)]), order)
        start += len(order)
        assert (rotations.angle_between(take.motion.local_rotations[:, joint], expected) < 1e-9).all(), order
    assert take.source.rotation_orders == tuple(ALL_ORDERS)


def test_quaternions_of_neighbouring_frames_have_the_nearer_sign(tmp_path: Path) -> None:
    angles = np.linspace(0, 1000, 60)[:, None]
    take = read_text(tmp_path, make_file(["Y"], angles))
    assert ((take.motion.local_rotations[1:] * take.motion.local_rotations[:-1]).sum(-1) > 0).all()


CHANNELS_WITH_POSITIONS = "CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation"


def with_joint_positions(rows: list[str]) -> str:
    text = SMALL.replace("CHANNELS 3 Xrotation Yrotation Zrotation", CHANNELS_WITH_POSITIONS)
    head = text[: text.index("1 90 2")]
    return head + "".join(f"0 90 0 0 0 0 0 0 0 {row} 0 0 0\n" for row in rows)


def test_constant_positions_of_a_joint_are_its_offset(tmp_path: Path) -> None:
    take = read_text(tmp_path, with_joint_positions(["1 25 0"] * 3))
    assert take.motion.skeleton.offsets[2].tolist() == [1, 25, 0]
    assert not [f for f in take.findings if f.kind == "bones"]


def test_positions_near_zero_are_added_to_the_offset(tmp_path: Path) -> None:
    take = read_text(tmp_path, with_joint_positions(["0.5 0 0"] * 3))
    assert take.motion.skeleton.offsets[2].tolist() == [0.5, 20, 0]


def test_bones_stay_rigid_and_a_change_of_length_is_reported(tmp_path: Path) -> None:
    take = read_text(tmp_path, with_joint_positions(["0 20 0", "0 21 0", "0 26 0"]))
    assert take.motion.skeleton.offsets[2].tolist() == [0, 21, 0]
    (finding,) = [f for f in take.findings if f.kind == "bones"]
    assert finding.is_warning and "5 file units in 'Chest'" in finding.message


def test_a_root_without_position_channels_stays_at_its_offset(tmp_path: Path) -> None:
    text = "HIERARCHY ROOT r {\nOFFSET 1 2 3\nCHANNELS 1 Xrotation }\nMOTION\nFrames: 2\nFrame Time: 0.1\n1\n2\n"
    take = read_text(tmp_path, text.replace("HIERARCHY ROOT", "HIERARCHY\nROOT"))
    assert take.motion.root_positions.tolist() == [[1, 2, 3], [1, 2, 3]]


@pytest.mark.parametrize(
    ("written", "fps"),
    [("0.0083333", 120), (".0083333", 120), ("0.00833333", 120), ("0.0166667", 60), ("0.016667", 60), ("0.0333333", 30)]
    + [
        ("0.033333", 30),
        ("0.0333667", 30000 / 1001),
        ("0.04", 25),
        ("0.01", 100),
        ("0.0078125", 128),
        ("1.6666667e-2", 60),
    ]
    + [("0.041667", 24), ("0.005", 200), ("0.0041667", 240), ("0.017", 60), ("0.02", 50)],
)
def test_the_rate_survives_a_rounded_frame_time(written: str, fps: float, tmp_path: Path) -> None:
    assert read_text(tmp_path, SMALL.replace("0.0083333", written)).motion.fps == pytest.approx(fps, rel=1e-6)


def test_a_given_rate_replaces_the_stated_one_even_where_that_is_nonsense(tmp_path: Path) -> None:
    take = read_text(tmp_path, SMALL.replace("0.0083333", "0"), ReadOptions(fps=50, scale=1.0, up="y"))
    assert take.motion.fps == 50
    take = read_text(tmp_path, SMALL, ReadOptions(fps=60, scale=1.0, up="y"))
    assert (take.motion.fps, take.source.fps) == (60, 120)
    assert "60 frames per second, as given; the file states 120" in [f.message for f in take.findings]


def test_an_unusual_rate_is_doubted(tmp_path: Path) -> None:
    take = read_text(tmp_path, SMALL.replace("0.0083333", "8.3333"))
    assert any(f.kind == "rate" and f.is_warning for f in take.findings)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1e4, 1e4), min_size=9, max_size=9), st.integers(0, 12))
def test_numbers_are_read_as_written(numbers: list[float], decimals: int) -> None:
    import tempfile

    rows = [" ".join(f"{x:.{decimals}f}" for x in numbers)]
    text = make_file(["XYZ", "ZXY"], np.zeros((0, 6))).replace("Frames: 0", "Frames: 1") + "\n" + rows[0] + "\n"
    with tempfile.TemporaryDirectory() as folder:
        take = read_text(Path(folder), text)
    assert take.motion.root_positions[0].tolist() == [float(word) for word in rows[0].split()[:3]]


def test_the_digest_tells_contents_apart(tmp_path: Path) -> None:
    first, second = read_text(tmp_path, SMALL), read_text(tmp_path, SMALL + "\n")
    assert first.source.digest != second.source.digest and len(first.source.digest) == 64


def test_positions_in_the_world_follow_the_chain(tmp_path: Path) -> None:
    text = make_file(["Z", "Z"], np.array([[90.0, -90.0]]))
    take = read_text(tmp_path, text)
    positions, turned = kinematics.world(take.motion)
    assert np.allclose(positions[0], [[1, 2, 3], [1 - 2, 2 + 1, 3 - 1]])
    end = kinematics.attached_positions(
        positions, turned, take.motion.skeleton.end_parents, take.motion.skeleton.end_offsets
    )
    assert np.allclose(end[0, 0], [-1, 4, 2])
