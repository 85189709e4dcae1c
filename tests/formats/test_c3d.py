"""C3D files: those of another program, of every processor, and that nothing is lost on the way."""

import struct
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.malformed.points import c3d_file
from tests.formats.point_sets import body_points, messages, points_of, with_gaps

from motionloom import formats
from motionloom.errors import BadInput
from motionloom.formats import ReadOptions, Source
from motionloom.motion import PointMotion

BY_EZC3D = Path(__file__).parent / "whole" / "by_ezc3d.c3d"
MILLIMETRES = Source("", "c3d", "", 100.0, 0.001)


def test_a_file_of_ezc3d_is_read_as_it_was_written() -> None:
    """Five frames of numpy's generator 3, z up, the second point missing in the third frame, two analog channels."""
    expected = np.round(1000 * np.random.default_rng(3).normal(size=(3, 3, 5)), 2).transpose(2, 1, 0)
    expected[2, 1] = np.nan
    take = formats.read(BY_EZC3D)
    motion = points_of(take)
    assert (motion.names, motion.fps, take.source.up) == (("C7", "LANK", "RANK"), 120, "z")
    x, y, z = np.moveaxis(motion.positions, 2, 0)
    np.testing.assert_allclose(np.stack([x, -z, y], axis=2) * 1000, expected, rtol=1e-7)
    assert messages(take, "analog") == ["2 analog channels at 240 per second are left out"]
    assert messages(take, "gaps")[0].startswith("1 gap in 1 of 3 points, 6.7 % of all samples; the longest, of 'LANK'")


@pytest.mark.parametrize("up", ["x", "y", "z"])
@pytest.mark.parametrize("metres", [0.001, 0.01, 1.0, 0.0254])
def test_a_file_comes_back_bit_for_bit(up: str, metres: float, tmp_path: Path) -> None:
    motion = with_gaps(body_points(70), (0, 3, 9), (4, 0, 2))
    formats.write(tmp_path / "a.c3d", motion, Source("", "c3d", "", 100.0, metres, up=up))
    first = formats.read(tmp_path / "a.c3d")
    np.testing.assert_allclose(points_of(first).positions, motion.positions, rtol=1e-6, atol=1e-7)
    assert (first.source.up, first.source.metres_per_unit) == (up, metres)
    formats.write(tmp_path / "b.c3d", first.motion, first.source)
    assert (tmp_path / "a.c3d").read_bytes() == (tmp_path / "b.c3d").read_bytes()
    again = points_of(formats.read(tmp_path / "b.c3d"))
    np.testing.assert_array_equal(again.positions, points_of(first).positions)
    assert (again.names, again.fps) == (motion.names, motion.fps)


@pytest.mark.parametrize("processor", ["INTEL", "DEC", "MIPS"])
@pytest.mark.parametrize("scale", [-1.0, 0.1])
def test_every_processor_is_read(processor: str, scale: float, tmp_path: Path) -> None:
    values = np.arange(24).reshape(4, 2, 3) * 12.5 - 100
    (tmp_path / "a.c3d").write_bytes(c3d_file(values, processor=processor, scale=scale, missing=(2, 1), n_analog=3))
    take = formats.read(tmp_path / "a.c3d", ReadOptions(scale=0.001, up="y"))
    motion = points_of(take)
    assert motion.names == ("C7", "LANK") and motion.fps == 50
    values[2, 1] = np.nan
    np.testing.assert_allclose(motion.positions * 1000, values, rtol=1e-6)
    assert messages(take, "analog") == ["3 analog channels at 100 per second are left out"]


def test_results_of_a_model_are_no_points(tmp_path: Path) -> None:
    values = np.arange(27.0).reshape(3, 3, 3)
    content = c3d_file(values, labels=("C7", "LKneeAngles", "LANK"), lists={"ANGLES": ("LKneeAngles",)})
    (tmp_path / "a.c3d").write_bytes(content)
    take = formats.read(tmp_path / "a.c3d", ReadOptions(scale=0.001, up="y"))
    assert points_of(take).names == ("C7", "LANK")
    np.testing.assert_allclose(points_of(take).positions * 1000, values[:, [0, 2]], rtol=1e-6)
    assert "1 results of a model" in messages(take, "points")[0]


def test_points_without_labels_and_with_the_same_get_names(tmp_path: Path) -> None:
    values = np.arange(45.0).reshape(3, 5, 3)
    (tmp_path / "a.c3d").write_bytes(c3d_file(values, labels=("C7", "", "C7", "C7 (2)")))
    take = formats.read(tmp_path / "a.c3d", ReadOptions(scale=0.001, up="y"))
    assert points_of(take).names == ("C7", "point 2", "C7 (3)", "C7 (2)", "point 5")
    assert "3 points had no label, or that of another" in messages(take, "points")[0]


@pytest.mark.parametrize("n_points", [1, 255, 256, 600])
def test_any_number_of_points_is_written(n_points: int, tmp_path: Path) -> None:
    names = tuple(f"märker {index}" for index in range(n_points))
    positions = np.random.default_rng(0).normal(size=(3, n_points, 3)).astype(np.float32).astype(float)
    formats.write(tmp_path / "a.c3d", PointMotion(names, positions, 59.94), Source("", "", "", 60, 1.0))
    motion = points_of(formats.read(tmp_path / "a.c3d"))
    assert motion.names == names and motion.fps == 59.94
    np.testing.assert_array_equal(motion.positions, positions)


def test_more_frames_than_sixteen_bits_count_come_back(tmp_path: Path) -> None:
    positions = np.random.default_rng(0).normal(size=(70_000, 1, 3)).astype(np.float32).astype(float)
    formats.write(tmp_path / "a.c3d", PointMotion(("C7",), positions, 1000), Source("", "", "", 1000, 1.0))
    motion = points_of(formats.read(tmp_path / "a.c3d", ReadOptions(scale=1.0)))
    np.testing.assert_array_equal(motion.positions, positions)


def test_a_recording_cut_out_of_a_long_one_keeps_its_length(tmp_path: Path) -> None:
    (tmp_path / "a.c3d").write_bytes(c3d_file(np.ones((5, 2, 3)), first_frame=131_072))
    assert formats.read(tmp_path / "a.c3d").motion.n_frames == 5


@pytest.mark.parametrize("wrong", ["header", "parameters"])
def test_analog_channels_are_passed_over_whoever_counts_them_wrong(wrong: str, tmp_path: Path) -> None:
    values = np.arange(600.0).reshape(100, 2, 3)
    content = bytearray(c3d_file(values, n_analog=3))
    if wrong == "header":
        content[4:6] = struct.pack("<H", 5)
    else:  # a rate of analog channels three times that of points, where there are two samples a frame
        at = content.index(struct.pack("<f", 100.0), 512)
        content[at : at + 4] = struct.pack("<f", 150.0)
    (tmp_path / "a.c3d").write_bytes(content)
    motion = points_of(formats.read(tmp_path / "a.c3d", ReadOptions(scale=0.001, up="y")))
    np.testing.assert_allclose(motion.positions * 1000, values, rtol=1e-6)


def test_a_unit_that_c3d_does_not_know_becomes_millimetres(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.c3d", body_points(), Source("", "bvh", "", 100.0, 0.0564, up="-z"))
    take = formats.read(tmp_path / "a.c3d")
    assert (take.source.metres_per_unit, take.source.up) == (0.001, "y")
    np.testing.assert_allclose(points_of(take).positions, body_points().positions, atol=2e-7)


def test_bodies_and_what_does_not_fit_are_refused(make, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"holds points, and this is the motion of a body"):
        formats.write(tmp_path / "a.c3d", make.motion(3))
    for names in (("a" * 300,), tuple(f"{index:0200}" for index in range(700))):
        with pytest.raises(BadInput, match=r"names of points are too long for a C3D file"):
            formats.write(tmp_path / "a.c3d", PointMotion(names, np.zeros((2, len(names), 3)), 60))
    with pytest.raises(BadInput, match="no points to be written"):
        formats.write(tmp_path / "a.c3d", PointMotion((), np.zeros((2, 0, 3)), 60))
    assert not (tmp_path / "a.c3d").exists()


def test_short_gaps_are_filled_on_request_and_marked(tmp_path: Path) -> None:
    motion = with_gaps(body_points(), (0, 3, 6), (4, 10, 30), (1, 0, 2))
    formats.write(tmp_path / "a.c3d", motion, MILLIMETRES)
    left = formats.read(tmp_path / "a.c3d")
    assert left.source.filled == () and not messages(left, "filled")
    take = formats.read(tmp_path / "a.c3d", ReadOptions(fill_gaps=0.05))
    assert take.source.filled == (("LFHD", 3, 6),)
    assert messages(take, "filled")[0].startswith("1 gap of up to 0.05 s filled, 3 samples of LFHD")
    np.testing.assert_allclose(points_of(take).positions[3:6, 0], body_points().positions[3:6, 0], atol=1e-3)
    assert np.isnan(points_of(take).positions[10:30, 4]).all()
    for seconds in (-0.1, 1.5, float("nan")):
        with pytest.raises(BadInput, match="gaps to be filled must be 0 to 1 seconds long"):
            ReadOptions(fill_gaps=seconds)


def test_a_stated_axis_that_the_points_contradict_is_doubted(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.c3d", body_points(), MILLIMETRES)
    content = (tmp_path / "a.c3d").read_bytes()
    assert content.count(b"+Y") == 1
    (tmp_path / "b.c3d").write_bytes(content.replace(b"+Y", b"+Z"))
    take = formats.read(tmp_path / "b.c3d")
    assert take.source.up == "z" and "is above" in messages(take, "up")[0] and "give --up" in messages(take, "up")[0]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 9), st.integers(1, 5), st.floats(1, 1000), st.integers(0, 2**32 - 1))
def test_any_points_come_back(n_frames: int, n: int, fps: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(n_frames, n, 3)).astype(np.float32).astype(float)
    positions[rng.random((n_frames, n)) < 0.3] = np.nan
    positions[0, 0] = 1.25
    motion = PointMotion(tuple(f"p{k}" for k in range(n)), positions, struct.unpack("f", struct.pack("f", fps))[0])
    with tempfile.TemporaryDirectory() as folder:
        formats.write(Path(folder) / "a.c3d", motion, Source("", "", "", fps, 1.0))
        read = points_of(formats.read(Path(folder) / "a.c3d"))
    np.testing.assert_array_equal(read.positions, positions)
    assert np.float32(read.fps) == np.float32(motion.fps)
