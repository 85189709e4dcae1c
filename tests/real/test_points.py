"""Real recordings of points: faces as tables, an upper body with a box as C3D."""

import csv
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import Corpus, import_files
from motionloom.errors import FormatError
from motionloom.formats import ReadOptions
from motionloom.motion import PointMotion
from motionloom.motion.point_gaps import fill_gaps, find_gaps

pytestmark = pytest.mark.real

FACES = ("cheeks", "eyebrows", "jaw", "nose")
MISSING_SAMPLES, GAPS = 305, 34  # of the C3D file, counted with ezc3d


def read_points(path: Path, **options: object) -> PointMotion:
    motion = formats.read(path, ReadOptions(**options)).motion  # type: ignore[arg-type]
    assert isinstance(motion, PointMotion)
    return motion


def numbers(path: Path, skipped: int) -> np.ndarray:
    return np.loadtxt(path, delimiter=",", skiprows=1)[:, skipped:]


@pytest.fixture(scope="module")
def c3d(data: Path) -> Path:
    return data / "c3d" / "upper_body_box.c3d"


def test_faces_are_as_their_index_says(data: Path) -> None:
    with (data / "face" / "INDEX.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(FACES)
    for row in rows:
        take = formats.read(data / "face" / row["file"])
        motion = take.motion
        assert isinstance(motion, PointMotion)
        assert (motion.n_frames, len(motion.names)) == (int(row["frames"]), int(row["markers"]))
        assert motion.fps == float(row["fps"]) and (take.source.metres_per_unit, take.source.up) == (0.01, "y")
        assert [finding.kind for finding in take.findings if finding.is_warning] == ["rate"]  # which the file lacks


@pytest.mark.parametrize("name", FACES)
def test_a_face_comes_out_of_a_corpus_number_by_number(name: str, data: Path, tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "corpus") as corpus:
        assert import_files(corpus, [data / "face" / f"{name}.csv"]).imported == (name,)
        take = corpus.take(name)
        formats.write(tmp_path / "a.csv", take.motion, take.source)
        formats.write(tmp_path / "a.c3d", take.motion, take.source)
    expected = numbers(data / "face" / f"{name}.csv", 1)
    np.testing.assert_array_equal(numbers(tmp_path / "a.csv", 2), expected)
    as_c3d = read_points(tmp_path / "a.c3d").positions.reshape(len(expected), -1) * 100
    assert np.abs(as_c3d - expected).max() < 1e-5  # centimetres: a tenth of a micrometre


def test_the_c3d_file_is_read_as_it_is(c3d: Path) -> None:
    take = formats.read(c3d)
    motion = take.motion
    assert isinstance(motion, PointMotion)
    assert (motion.n_frames, len(motion.names), motion.fps) == (580, 51, 100)
    assert (take.source.metres_per_unit, take.source.up) == (0.001, "z")
    assert motion.names[:2] == ("boite:gauche_ext", "boite:gauche_int")
    assert np.isnan(motion.positions).any(axis=2).sum() == MISSING_SAMPLES and len(find_gaps(motion)) == GAPS
    found = {finding.kind: finding.message for finding in take.findings}
    assert found["analog"] == "38 analog channels at 2000 per second are left out"
    assert "the longest, of 'Daphnee:SCAP_CP', lasts 0.71 s, frames 339 to 409" in found["gaps"]
    chest, hips = (
        np.nanmean(motion.positions[:, motion.names.index(f"Daphnee:{name}"), 1]) for name in ("T1", "PSISr")
    )
    assert 0.3 < chest - hips < 0.6  # metres: upright


def test_the_c3d_file_comes_back_exactly(c3d: Path, tmp_path: Path) -> None:
    take = formats.read(c3d)
    for name in ("a.c3d", "a.csv"):
        formats.write(tmp_path / name, take.motion, take.source)
        again = formats.read(tmp_path / name, ReadOptions(up="z"))
        assert isinstance(take.motion, PointMotion) and isinstance(again.motion, PointMotion)
        assert (again.motion.names, again.motion.fps) == (take.motion.names, take.motion.fps)
        np.testing.assert_array_equal(again.motion.positions, take.motion.positions)


def test_gaps_that_are_filled_are_near_what_was_there(c3d: Path) -> None:
    """Samples taken away where all are there, 0.1 s at a time, are filled to within millimetres."""
    motion = read_points(c3d)
    positions, n_off = motion.positions.copy(), 10
    starts = np.arange(20, motion.n_frames - 30, 40)
    for point in range(len(motion.names)):
        for start in starts + point % 20:
            if not np.isnan(motion.positions[start - 2 : start + n_off + 2, point]).any():
                positions[start : start + n_off, point] = np.nan
    lost = np.isnan(positions) & ~np.isnan(motion.positions)
    filled, _ = fill_gaps(PointMotion(motion.names, positions, motion.fps), 0.1)
    off = np.linalg.norm((filled.positions - motion.positions)[lost].reshape(-1, 3), axis=1)
    assert len(off) > 5000 and np.sqrt((off**2).mean()) < 0.002


def test_a_cut_off_c3d_file_is_refused_in_a_sentence(c3d: Path, tmp_path: Path) -> None:
    content = c3d.read_bytes()
    for size, sentence in (
        (len(content) // 2, r"it states 580 frames and ends after 288\. Is the file cut off\?"),
        (5000, r"its header and parameters cannot be read\. Is the file cut off or damaged\?"),
    ):
        (tmp_path / "a.c3d").write_bytes(content[:size])
        with pytest.raises(FormatError, match=sentence):
            formats.read(tmp_path / "a.c3d")


def test_a_face_read_in_metres_is_doubted_and_curves_are_no_points(data: Path) -> None:
    take = formats.read(data / "face" / "jaw.csv", ReadOptions(scale=1.0))
    (message,) = [finding.message for finding in take.findings if finding.kind == "unit" and finding.is_warning]
    assert "the points span 18.7 m, but those of a face span 0.19 m" in message
    with pytest.raises(FormatError, match=r"61 curves, which are no points\. Import it beside a take"):
        formats.read(data / "face" / "livelink" / "arkit_range_of_motion.csv")


def test_recorded_curves_of_a_face_come_out_byte_for_byte(data: Path, tmp_path: Path) -> None:
    path = data / "face" / "livelink" / "arkit_range_of_motion.csv"
    curves = formats.read_curves(path)
    assert (len(curves.names), curves.n_rows, curves.fps, curves.timecode_fps) == (61, 3809, 30.0, 60.0)
    assert curves.duration == pytest.approx(127.016, abs=1e-3)
    formats.write_curves(tmp_path / "again.csv", curves)
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()
