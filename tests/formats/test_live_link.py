"""Live Link Face: curves in and out, byte for byte, with their timecodes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.live_link_files import NAMES, live_link_file

from motionloom import formats
from motionloom.errors import BadInput, FormatError, MotionloomError
from motionloom.motion import Curves, PointMotion


def read(folder, content, name="face.csv"):
    (folder / name).write_bytes(content)
    return formats.read_curves(folder / name)


@pytest.mark.parametrize(
    ("options", "timecode_fps", "fps"),
    [
        ({}, 60.0, 30.0),
        ({"step": 1.0}, 60.0, 60.0),
        ({"timecode_fps": 30, "step": 1.0, "begin": (23, 59, 59, 3.25)}, 30.0, 30.0),  # over midnight
        ({"timecode_fps": 24, "step": 1.0, "begin": (0, 0, 0, 0.0)}, 24.0, 24.0),
        ({"timecode_fps": 60, "step": 1.0, "n_rows": 10, "begin": (9, 0, 7, 41.0)}, 60.0, 60.0),  # less than a second
    ],
)
def test_a_file_is_read_and_comes_out_as_it_was(tmp_path, options, timecode_fps, fps):
    content = live_link_file(**options)
    curves = read(tmp_path, content)
    assert (curves.timecode_fps, curves.fps, curves.names) == (timecode_fps, fps, NAMES)
    np.testing.assert_allclose(np.diff(curves.times), options.get("step", 2.0) / timecode_fps, atol=1e-9)
    formats.write_curves(tmp_path / "out.csv", curves)
    assert (tmp_path / "out.csv").read_bytes() == content


def test_rows_without_a_face_are_missing_and_stay_so(tmp_path):
    content = live_link_file(20, untracked=(4, 5, 19))
    curves = read(tmp_path, content)
    assert np.isnan(curves.values).any(axis=1).nonzero()[0].tolist() == [4, 5, 19]
    formats.write_curves(tmp_path / "out.csv", curves)
    assert (tmp_path / "out.csv").read_bytes() == content
    short = content.replace(b",0" + b"," * len(NAMES), b",0")
    assert short != content and np.isnan(read(tmp_path, short).values).any(axis=1).sum() == 3


def test_other_numbers_of_decimals_are_the_same_numbers(tmp_path):
    curves = read(tmp_path, b"Timecode,BlendShapeCount,A\n01:02:03:04,1,0.123456789012345\n01:02:03:05,1,7e-3\n")
    formats.write_curves(tmp_path / "out.csv", curves)
    again = formats.read_curves(tmp_path / "out.csv")
    assert again.values.tolist() == curves.values.tolist() == [[0.123456789012345], [0.007]]
    assert again.frames.tolist() == curves.frames.tolist() == [4.0, 5.0]


def test_byte_order_marks_line_ends_and_other_encodings_do_not_matter(tmp_path):
    text = live_link_file(5).decode()
    plain = read(tmp_path, text.encode())
    for content in (b"\xef\xbb\xbf" + text.encode(), text.replace("\n", "\r\n").encode(), text.encode("utf-16")):
        (tmp_path / "other.csv").write_bytes(content)
        assert formats.holds_curves(tmp_path / "other.csv")
        np.testing.assert_array_equal(formats.read_curves(tmp_path / "other.csv").values, plain.values)


def test_it_is_told_apart_by_its_content(tmp_path):
    (tmp_path / "face.csv").write_bytes(live_link_file(3))
    (tmp_path / "points.csv").write_bytes(b"C7.x,C7.y,C7.z\n1,2,3\n")
    (tmp_path / "labels.csv").write_bytes(b"take,label,start,stop\n")
    (tmp_path / "body.bvh").write_bytes(live_link_file(3))
    found = {path.name for path in tmp_path.iterdir() if formats.holds_curves(path)}
    assert found == {"face.csv"}
    with pytest.raises(FormatError, match="a Live Link Face file of 61 curves, which are no points"):
        formats.read(tmp_path / "face.csv")
    with pytest.raises(BadInput, match=r"written as \.csv"):
        formats.write_curves(tmp_path / "face.txt", formats.read_curves(tmp_path / "face.csv"))


def test_npz_files_carry_curves_beside_points_and_bodies(tmp_path, make):
    curves = read(tmp_path, live_link_file(20, untracked=(3,)))
    curves = Curves(curves.names, curves.values, curves.seconds, curves.frames, 60.0, 30.0, start=0.25)
    points = PointMotion(("a",), np.zeros((4, 1, 3)), 60.0)
    for motion in (points, make.motion(5)):
        formats.write(tmp_path / "a.npz", motion, curves=curves)
        take = formats.read(tmp_path / "a.npz")
        assert take.motion.n_frames == motion.n_frames
        for name in ("values", "seconds", "frames"):
            np.testing.assert_array_equal(getattr(take.curves, name), getattr(curves, name))
        assert (take.curves.names, take.curves.start, take.curves.fps) == (curves.names, 0.25, 30.0)
        formats.write(tmp_path / "a.npz", motion)
        assert formats.read(tmp_path / "a.npz").curves is None


@given(st.data())
def test_whatever_a_file_holds_the_answer_is_curves_or_one_sentence(tmp_path_factory, data):
    content = bytearray(live_link_file(4, names=("A", "B")))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    path = tmp_path_factory.mktemp("fuzz") / "face.csv"
    path.write_bytes(bytes(content))
    try:
        curves = formats.read_curves(path)
    except MotionloomError as error:
        assert "\n" not in str(error)
    else:
        assert curves.n_rows > 0
