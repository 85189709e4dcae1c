"""The whole of the recordings in one corpus."""

import csv

import numpy as np
import pytest

from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus, check, import_files, import_labels
from motionloom.formats.options import CMU_UNIT
from motionloom.motion import kinematics

pytestmark = [pytest.mark.real, pytest.mark.long]


@pytest.fixture(scope="module")
def imported(data, tmp_path_factory):
    """A corpus of everything below cmu/, and what importing it reported."""
    with Corpus.create(tmp_path_factory.mktemp("real") / "corpus") as corpus:
        report = import_files(corpus, [data / "cmu"])
        yield corpus, report


@pytest.fixture(scope="module")
def index(data):
    with (data / "cmu" / "INDEX.csv").open() as file:
        return {row["file"].removesuffix(".bvh"): row for row in csv.DictReader(file)}


def test_every_take_of_the_nine_sets_is_imported_under_its_path(imported, index):
    corpus, report = imported
    assert report.refused == ()
    assert report.duplicates == ()
    assert set(index) <= set(corpus.names())
    assert sorted(report.imported) == corpus.names()
    assert {"original/143_06", "asf_amc/01_01", "asf_amc/11_01"} <= set(corpus.names())
    for name, row in index.items():
        info = corpus.info(name)
        assert (info.n_frames, round(info.fps, 3)) == (int(row["frames"]), 60.0)


def test_a_corpus_of_all_recordings_is_whole(imported):
    assert check(imported[0].folder).problems == ()


def test_floors_are_where_the_index_says(imported, index):
    corpus, _ = imported
    off = [abs(corpus.info(name).floor_height - float(row["floor_y_units"]) * CMU_UNIT) for name, row in index.items()]
    assert np.median(off) < 0.006  # metres; 0.47 cm when this was written
    assert np.percentile(off, 90) < 0.018  # 1.6 cm
    assert max(off) < 0.055


def test_every_reference_label_finds_its_take_and_a_second_import_adds_none(imported, data):
    corpus, _ = imported
    report = import_labels(corpus, data / "cmu" / "labels.csv")
    assert report.refused == ()
    assert report.added == len((data / "cmu" / "labels.csv").read_text().splitlines()) - 1
    assert import_labels(corpus, data / "cmu" / "labels.csv").added == 0


def test_people_of_all_sizes_come_into_one_view_on_the_floor(imported, index):
    corpus, _ = imported
    names = [name for name in index if name.startswith(("sneak/", "boxing/", "football_like/"))]
    view = make_view(corpus, names)
    assert len({corpus.info(name).skeleton for name in names}) > 5
    assert view.n_frames == sum(int(index[name]["frames"]) for name in names)
    for name in names:
        heights = view.layer(name, "positions")[..., 1]
        lowest_foot = heights[:, [view.skeleton.index("left_ball"), view.skeleton.index("right_ball")]].min(axis=1)
        assert abs(np.percentile(lowest_foot, 15)) < 0.035


def test_a_recording_at_120_hz_is_halved_in_a_view(imported):
    corpus, _ = imported
    view = make_view(corpus, ["original/01_01"], ViewSettings(reference="original/01_01"))
    take = corpus.take("original/01_01").motion
    assert view.n_frames == (take.n_frames + 1) // 2
    np.testing.assert_allclose(view.motion("original/01_01").local_rotations, take.local_rotations[::2], atol=1e-5)


def test_the_same_recording_in_two_hierarchies_is_the_same_motion_in_a_view(imported):
    corpus, _ = imported
    view = make_view(corpus, ["original/01_01", "asf_amc/01_01"])
    assert view.names == ("original/01_01", "asf_amc/01_01") and not view.left_out
    shown = [kinematics.world_positions(view.motion(name)) for name in view.names]
    joints = [view.skeleton.index(f"{side}_{role}") for side in ("left", "right") for role in ("knee", "foot")]
    n_frames = min(len(positions) for positions in shown)
    first, second = (positions[:n_frames][:, joints] - positions[:n_frames, :1] for positions in shown)
    assert np.median(np.linalg.norm(first - second, axis=-1)) < 0.02
