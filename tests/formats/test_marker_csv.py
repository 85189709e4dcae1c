"""Marker tables: what is understood, and that nothing is lost on the way."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.point_sets import body_points, face_points, messages, points_of, read_table, with_gaps

from motionloom import formats
from motionloom.errors import BadInput, FormatError
from motionloom.formats import Source
from motionloom.motion import PointMotion

HEAD = "C7.x,C7.y,C7.z,LANK.x,LANK.y,LANK.z"
ROWS = ("0,150,1,2,9,3", "0.5,150,1,2,8,3", "1,151,1,2,9,3")


def table(*rows: str, head: str = HEAD) -> str:
    return "\n".join([head, *rows]) + "\n"


def test_a_table_is_read_in_metres_with_its_names(tmp_path: Path) -> None:
    motion = points_of(read_table(tmp_path, table(*ROWS), fps=50))
    assert motion.names == ("C7", "LANK") and motion.fps == 50
    np.testing.assert_allclose(motion.positions[1], [[0.005, 1.5, 0.01], [0.02, 0.08, 0.03]], atol=1e-15)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends_make_no_difference(delimiter: str, end: str, tmp_path: Path) -> None:
    expected = points_of(read_table(tmp_path, table(*ROWS), fps=50)).positions
    text = table(*ROWS[:2], "").replace(",", delimiter).replace("\n", end) + ROWS[2].replace(",", delimiter)
    np.testing.assert_array_equal(points_of(read_table(tmp_path, text, fps=50)).positions, expected)


def test_empty_cells_and_nan_are_gaps_and_so_is_half_a_point(tmp_path: Path) -> None:
    text = table("0,150,1,,,", "nan,NaN,nan,2,9,3", "0,,1,2,9,3", "0,150,1,2,9,3")
    for delimiter in (",", "\t"):
        motion = points_of(read_table(tmp_path, text.replace(",", delimiter), fps=50))
        missing = np.isnan(motion.positions)
        assert missing.all(axis=2).tolist() == [[False, True], [True, False], [True, False], [False, False]]
        assert (missing.all(axis=2) == missing.any(axis=2)).all()


def test_the_rate_is_that_of_the_times(tmp_path: Path) -> None:
    for step, head, fps in (
        (0.0083333, "time", 120.0),
        (0.04, "Time (s)", 25.0),
        (33.3666667, "time_ms", 30000 / 1001),
    ):
        rows = [f"{index * step:.7f},{ROWS[0]}" for index in range(40)]
        take = read_table(tmp_path, table(*rows, head=f"{head},{HEAD}"))
        assert take.motion.fps == pytest.approx(fps, rel=1e-12) and not messages(take, "rate")


def test_without_times_a_rate_is_assumed_and_said_so(tmp_path: Path) -> None:
    take = read_table(tmp_path, table(*(f"{k},{ROWS[0]}" for k in range(3)), head=f"frame,{HEAD}"))
    assert take.motion.fps == 60 and "60 frames per second assumed" in messages(take, "rate")[0]
    given_rate = read_table(tmp_path, table(*ROWS), fps=100)
    assert given_rate.motion.fps == 100 and not any(finding.is_warning for finding in given_rate.findings[:1])


def test_rows_that_are_missing_are_gaps(tmp_path: Path) -> None:
    rows = [f"{frame},{frame / 50:.3f},{ROWS[0]}" for frame in (10, 12, 14, 20, 22)]
    motion = points_of(read_table(tmp_path, table(*rows, head=f"Frame,Time,{HEAD}")))
    assert motion.n_frames == 7 and motion.fps == 25
    assert np.isnan(motion.positions).all(axis=(1, 2)).tolist() == [False, False, False, True, True, False, False]


def test_other_columns_are_left_out_and_named(tmp_path: Path) -> None:
    take = read_table(tmp_path, table(*(f"{row},7" for row in ROWS), head=f"{HEAD},force"), fps=50)
    assert points_of(take).names == ("C7", "LANK") and "left out: force" in messages(take, "columns")[0]


def test_a_table_comes_back_number_by_number(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    numbers = np.round(rng.normal(scale=20, size=(50, 6)) + [0, 150, 0, 0, 9, 0], 4)
    rows = [f"{index},{index / 60:.9f}," + ",".join(map(str, row)) for index, row in enumerate(numbers)]
    take = read_table(tmp_path, table(*rows, head=f"frame,time,{HEAD}"))
    assert take.source.metres_per_unit == 0.01
    formats.write(tmp_path / "b.csv", take.motion, take.source)
    written = np.loadtxt(tmp_path / "b.csv", delimiter=",", skiprows=1)[:, 2:]
    np.testing.assert_array_equal(written, numbers)


def test_a_table_that_was_kept_in_float32_comes_back_too(tmp_path: Path) -> None:
    numbers = np.round(np.random.default_rng(6).normal(scale=20, size=(50, 6)) + [0, 150, 0, 0, 9, 0], 4)
    stored = (numbers * 0.01).astype(np.float32).astype(float).reshape(50, 2, 3)
    formats.write(tmp_path / "b.csv", PointMotion(("C7", "LANK"), stored, 60), Source("", "", "", 60, 0.01))
    np.testing.assert_array_equal(np.loadtxt(tmp_path / "b.csv", delimiter=",", skiprows=1)[:, 2:], numbers)


@pytest.mark.parametrize("up", ["y", "z", "x", "-y"])
@pytest.mark.parametrize("metres", [1.0, 0.01, 0.001])
def test_units_and_axes_are_restored_and_found_again(up: str, metres: float, tmp_path: Path) -> None:
    motion = with_gaps(body_points(), (0, 3, 9), (4, 0, 2))
    formats.write(tmp_path / "a.csv", motion, Source("", "c3d", "", 100.0, metres, up=up))
    take = formats.read(tmp_path / "a.csv")
    assert (take.source.up, take.source.metres_per_unit, take.motion.fps) == (up, metres, 100)
    np.testing.assert_allclose(points_of(take).positions, motion.positions, rtol=1e-15, atol=0)


def test_a_face_is_found_to_be_one_in_any_unit(tmp_path: Path) -> None:
    for metres in (1.0, 0.01, 0.001):
        formats.write(tmp_path / "a.csv", face_points(), Source("", "", "", 60.0, metres))
        take = formats.read(tmp_path / "a.csv")
        assert take.source.metres_per_unit == metres and not [f for f in take.findings if f.is_warning]


def test_a_face_of_eighteen_metres_is_doubted(tmp_path: Path) -> None:
    formats.write(tmp_path / "a.csv", face_points(), Source("", "", "", 60.0, 0.01))
    take = formats.read(tmp_path / "a.csv", formats.ReadOptions(scale=1.0))
    (message,) = messages(take, "unit")
    assert "the points span 19" in message and "those of a face span 0.19 m or so, please check it" in message
    assert any(finding.is_warning for finding in take.findings if finding.kind == "unit")


def test_names_of_every_kind_come_back(tmp_path: Path) -> None:
    names = ("a b", "a,b", 'say "x"', "x", "a.x", " led", "ärm", "", "k;l", "m\tn", "frame", "time")
    motion = PointMotion(names, np.random.default_rng(0).normal(size=(3, len(names), 3)), 60)
    formats.write(tmp_path / "a.csv", motion)
    take = formats.read(tmp_path / "a.csv", formats.ReadOptions(scale=1, up="y"))
    assert points_of(take).names == names
    np.testing.assert_array_equal(points_of(take).positions, motion.positions)


def test_bodies_and_odd_names_are_refused(make, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"holds points, and this is the motion of a body"):
        formats.write(tmp_path / "a.csv", make.motion(3))
    with pytest.raises(BadInput, match="line break"):
        formats.write(tmp_path / "a.csv", PointMotion(("a\nb",), np.zeros((2, 1, 3)), 60))
    assert not (tmp_path / "a.csv").exists()


def test_files_are_told_apart_by_what_is_in_them(tmp_path: Path) -> None:
    motion = body_points()
    formats.write(tmp_path / "a.c3d", motion)
    (tmp_path / "renamed.csv").write_bytes((tmp_path / "a.c3d").read_bytes())
    formats.write(tmp_path / "b.csv", motion)
    (tmp_path / "renamed.trc").write_bytes((tmp_path / "b.csv").read_bytes())
    assert formats.read(tmp_path / "renamed.csv").source.format == "c3d"
    assert formats.read(tmp_path / "renamed.trc").source.format == "marker_csv"
    (tmp_path / "walk.csv").write_text("HIERARCHY\nROOT Hips\n")
    with pytest.raises(FormatError, match=r"this is a BVH file\. Please rename it so that it ends in \.bvh\."):
        formats.read(tmp_path / "walk.csv")


def test_a_folder_gives_its_tables_of_points_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "markers.csv").write_text(table(*ROWS))
    (tmp_path / "labels.csv").write_text("take,label,start,stop\nwalk,x,0,1\n")
    (tmp_path / "faces.csv").write_text("Timecode,BlendShapeCount,EyeBlinkLeft\n")
    (tmp_path / "walk.bvh").write_text("")
    found = {name for name in ("markers", "labels", "faces") if formats.looks_readable(tmp_path / f"{name}.csv")}
    assert found == {"markers", "faces"} and formats.looks_readable(tmp_path / "walk.bvh")


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 9), st.integers(1, 4), st.floats(1, 1000), st.sampled_from([1.0, 0.01, 0.001, 0.0254]),
    st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_any_points_come_back_as_they_are_kept(n_frames: int, n: int, fps: float, metres: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(n_frames, n, 3)).astype(np.float32).astype(float)  # as a corpus keeps them
    positions[rng.random((n_frames, n)) < 0.3] = np.nan
    positions[0, 0] = 1.25
    motion = PointMotion(tuple(f"p{k}" for k in range(n)), positions, fps)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        formats.write(path, motion, Source("", "", "", fps, metres, up="z"))
        read = points_of(formats.read(path, formats.ReadOptions(scale=metres, up="z")))
    np.testing.assert_array_equal(read.positions.astype(np.float32), positions.astype(np.float32))
    assert n_frames == 1 or read.fps == pytest.approx(fps, rel=1e-8)
