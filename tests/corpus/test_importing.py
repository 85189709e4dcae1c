"""Importing files and folders."""

import os
import shutil
from dataclasses import replace

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import Corpus, import_each, import_files
from motionloom.errors import CorpusError
from motionloom.formats import ReadOptions
from motionloom.motion import rotations


def test_takes_are_named_by_their_path_below_the_folder_and_files_by_their_stem(corpus, takes, tmp_path):
    files = takes.write_files(tmp_path / "data", 3)
    report = import_files(corpus, [tmp_path / "data"])
    assert report.imported == ("walks/00", "walks/01", "walks/02")
    shutil.copy(files[0], tmp_path / "alone.bvh")
    assert import_files(corpus, [tmp_path / "alone.bvh"]).duplicates == ((str(tmp_path / "alone.bvh"), "walks/00"),)
    corpus.remove("walks/00")
    assert import_files(corpus, [tmp_path / "alone.bvh"]).imported == ("alone",)


@pytest.mark.parametrize(("prefix", "name"), [("cmu", "cmu/00"), ("cmu/", "cmu/00"), ("s1_", "s1_00"), ("", "00")])
def test_a_prefix_goes_in_front(corpus, takes, tmp_path, prefix, name):
    files = takes.write_files(tmp_path / "data", 1)
    assert import_files(corpus, files, prefix=prefix).imported == (name,)


def test_importing_again_imports_nothing_and_says_what_is_there(corpus, takes, tmp_path):
    files = takes.write_files(tmp_path / "data", 2)
    import_files(corpus, [tmp_path / "data"])
    again = import_files(corpus, [tmp_path / "data"])
    assert again.imported == ()
    assert again.duplicates == ((str(files[0]), "walks/00"), (str(files[1]), "walks/01"))


def test_the_same_name_with_other_content_is_refused(corpus, takes, tmp_path):
    files = takes.write_files(tmp_path / "data", 2)
    import_files(corpus, [files[0]])
    shutil.copy(files[1], tmp_path / "00.bvh")
    report = import_files(corpus, [tmp_path / "00.bvh"])
    ((path, message),) = report.refused
    assert path == str(tmp_path / "00.bvh")
    assert message.startswith(f"{path}: a take '00' with other content exists already")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bad_file_is_reported_with_file_line_and_reason_and_the_others_go_on(corpus, takes, tmp_path, workers):
    files = takes.write_files(tmp_path / "data", 3)
    lines = files[1].read_text().splitlines()
    lines[-2] = lines[-2].rsplit(maxsplit=1)[0] + " oops"
    files[1].write_text("\n".join(lines))
    report = import_files(
        corpus, [tmp_path / "data", tmp_path / "nowhere.bvh", tmp_path / "notes.txt"], workers=workers
    )
    assert report.imported == ("walks/00", "walks/02")
    (bad, message), (missing, no_file), (strange, _) = report.refused
    assert (bad, missing, strange) == (str(files[1]), str(tmp_path / "nowhere.bvh"), str(tmp_path / "notes.txt"))
    assert message.startswith(f"{files[1]} line {len(lines) - 1}: ")
    assert "no such file" in no_file


def test_folders_are_searched_for_recordings_only(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "data", 1)
    (tmp_path / "data" / "INDEX.csv").write_text("take,label\n")
    (tmp_path / "data" / "01.asf").write_text("a skeleton, not a take")
    hidden = tmp_path / "data" / ".cache"
    hidden.mkdir()
    (hidden / "x.bvh").write_text("junk")
    report = import_files(corpus, [tmp_path / "data"])
    assert (report.imported, report.refused) == (("walks/00",), ())


def test_a_folder_without_recordings_is_reported(corpus, tmp_path):
    (tmp_path / "empty").mkdir()
    ((path, message),) = import_files(corpus, [tmp_path / "empty"]).refused
    assert path == str(tmp_path / "empty")
    assert "no recordings in this folder; readable extensions are .amc, .bvh, .c3d, .csv, .npz, .trc" in message


def test_options_reach_the_reader(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "data", 1)
    import_files(corpus, [tmp_path / "data"], ReadOptions(fps=30.0))
    assert corpus.info("walks/00").fps == 30.0


def test_progress_counts_files_and_takes_are_there_when_they_are_counted(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "data", 4)
    seen = []
    import_files(corpus, [tmp_path / "data"], workers=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_what_is_reported_as_imported_can_be_read_by_others_at_once(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "data", 3)
    with Corpus.open(corpus.folder) as reader:
        for outcome in import_each(corpus, [tmp_path / "data"], workers=1):
            assert reader.take(outcome.name).motion.n_frames == 12


def test_an_interrupt_keeps_what_was_imported_and_nothing_half(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "data", 4)

    def interrupt(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_files(corpus, [tmp_path / "data"], workers=1, progress=interrupt)
    assert corpus.names() == ["walks/00", "walks/01"]
    assert import_files(corpus, [tmp_path / "data"]).imported == ("walks/02", "walks/03")


def test_importing_needs_the_write_lock(corpus, tmp_path):
    with Corpus.open(corpus.folder) as reader, pytest.raises(CorpusError, match="open for reading"):
        import_files(reader, [tmp_path])


def test_a_file_or_folder_that_may_not_be_looked_at_is_refused_and_the_others_go_on(
    corpus, takes, tmp_path, monkeypatch
):
    files = takes.write_files(tmp_path / "data", 2)
    closed = tmp_path / "data" / "closed"
    closed.mkdir()
    real_scan, real_stat = os.scandir, os.stat

    def scan(path):
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(path))
        return real_scan(path)

    def stat(path, **how):
        if str(path).startswith(f"{closed}/"):
            raise PermissionError(13, "Permission denied", str(path))
        return real_stat(path, **how)

    monkeypatch.setattr("os.scandir", scan)
    monkeypatch.setattr("os.stat", stat)
    report = import_files(corpus, [files[0], closed / "x.bvh", tmp_path / "data"], workers=1)
    assert report.imported == ("00", "walks/01")
    assert report.refused == (
        (str(closed / "x.bvh"), f"{closed / 'x.bvh'}: cannot be read (Permission denied)"),
        (str(closed), f"{closed}: cannot be read (Permission denied)"),
    )


def test_what_refuses_to_be_read_says_why(corpus, takes, tmp_path, monkeypatch):
    files = takes.write_files(tmp_path / "data", 2)
    real = formats.read

    def read(path, options):
        if path == files[0]:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, options)

    monkeypatch.setattr("motionloom.formats.read", read)
    report = import_files(corpus, [tmp_path / "data"], workers=1)
    assert report.imported == ("walks/01",)
    assert report.refused == ((str(files[0]), f"{files[0]}: cannot be read (Permission denied)"),)


def test_files_in_a_hidden_folder_are_called_by_their_path_below_it(tmp_path, takes):
    folder = tmp_path / "uploads" / "secret"
    takes.write_files(folder, 1)
    (folder / "walks" / "bad.bvh").write_text("HIERARCHY\nnonsense")
    with Corpus.create(tmp_path / "corpus") as corpus:
        files = sorted(folder.rglob("*.bvh"))
        outcomes = list(import_each(corpus, files, below=folder, hidden=folder, workers=1))
        assert [(outcome.path, outcome.name, outcome.status) for outcome in outcomes] == [
            ("walks/00.bvh", "walks/00", "imported"),
            ("walks/bad.bvh", "walks/bad", "refused"),
        ]
        assert "secret" not in outcomes[1].message
        assert corpus.info("walks/00").source.path == "walks/00.bvh"


def test_a_linked_folder_is_followed_and_named_by_its_link(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "elsewhere", 2)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "monday").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert import_files(corpus, [tmp_path / "data"]).imported == ("monday/walks/00", "monday/walks/01")


def test_no_folder_is_read_twice_and_links_in_a_ring_end(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "data", 2)
    (tmp_path / "data" / "walks" / "up").symlink_to(tmp_path / "data", target_is_directory=True)
    (tmp_path / "data" / "again").symlink_to(tmp_path / "data" / "walks", target_is_directory=True)
    (tmp_path / "data" / "itself").symlink_to(tmp_path / "data" / "itself")
    report = import_files(corpus, [tmp_path / "data"])
    assert report.imported == ("walks/00", "walks/01")
    assert (report.duplicates, report.refused) == ((), ())


def test_two_links_to_one_folder_are_followed_once(corpus, takes, tmp_path):
    takes.write_files(tmp_path / "elsewhere", 1)
    (tmp_path / "data").mkdir()
    for name in ("b", "a"):
        (tmp_path / "data" / name).symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    report = import_files(corpus, [tmp_path / "data"])
    assert (report.imported, report.duplicates) == (("a/walks/00",), ())


def test_joints_that_turn_over_are_reported_with_frame_and_joint(corpus, make, tmp_path):
    motion = make.motion(n_frames=120, seed=3, wildness=0.2)
    local = motion.local_rotations.copy()
    knee = motion.skeleton.index("left_knee")
    local[60:, knee] = rotations.multiply(
        local[60:, knee], rotations.about_axis(np.array([1.0, 0, 0]), np.radians(160))
    )
    formats.write(tmp_path / "good.bvh", motion)
    formats.write(tmp_path / "flipped.bvh", replace(motion, local_rotations=local))
    import_files(corpus, [tmp_path / "good.bvh", tmp_path / "flipped.bvh"])
    assert not [flag for flag in corpus.info("good").flags if flag.kind == "flip"]
    (flag,) = (flag for flag in corpus.info("flipped").flags if flag.kind == "flip")
    assert "LeftLeg turns over" in flag.message and "after frame 59" in flag.message
