"""Files that commands write: one for each character, but one video of all, in the format of their extension."""

import errno
import os
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly import Character, Report, Result, read_result
from motionloom.cli.outputs import check_kind, check_outputs, numbered, write_result_files
from motionloom.errors import BadInput
from motionloom.formats import read
from motionloom.motion import PointMotion, provenance


@pytest.fixture
def body(make):
    motion = make.motion(n_frames=12)
    return Character(motion, provenance.generated("still", 12), np.zeros((12, 4), bool), "leader")


@pytest.fixture
def face():
    return Character(
        PointMotion(("a", "b"), np.zeros((12, 2, 3)), 60.0), provenance.generated("still", 12), name="face"
    )


@pytest.mark.parametrize("extension", [".bvh", ".glb", ".npz", ".png"])
def test_a_body_is_written_in_every_format(body, tmp_path, extension):
    out = tmp_path / "below" / f"out{extension}"
    assert write_result_files(out, Result((body,), Report())) == [out]
    assert out.stat().st_size > 100
    if extension in (".bvh", ".npz"):
        assert read(out).motion.n_frames == 12


def test_several_characters_have_a_file_each_with_their_name(body, face, tmp_path):
    written = write_result_files(tmp_path / "duet.npz", Result((body, face), Report()))
    assert [path.name for path in written] == ["duet_leader.npz", "duet_face.npz"]
    assert read_result(written[1]).character.motion.names == ("a", "b")


def test_several_bodies_are_in_one_video_and_a_body_and_a_face_in_two(body, face, tmp_path):
    both = Result((body, replace(body, name="follower")), Report())
    assert write_result_files(tmp_path / "duet.mp4", both) == [tmp_path / "duet.mp4"]
    assert (tmp_path / "duet.mp4").stat().st_size > 100
    written = write_result_files(tmp_path / "talk.mp4", Result((body, face), Report()))
    assert [path.name for path in written] == ["talk_leader.mp4", "talk_face.mp4"]


@pytest.mark.parametrize("extension", [".csv", ".c3d", ".glb", ".npz", ".png", ".mp4"])
def test_points_are_written_in_every_format(face, tmp_path, extension):
    moving = replace(face.motion, positions=np.arange(72.0).reshape(12, 2, 3) / 100)
    out = tmp_path / "below" / f"out{extension}"
    assert write_result_files(out, Result((replace(face, motion=moving),), Report())) == [out]
    if extension in (".csv", ".c3d", ".npz"):
        again = read(out).motion
        assert again.names == ("a", "b") and again.fps == 60.0
        np.testing.assert_allclose(again.positions, moving.positions, atol=1e-6)


def test_files_that_cannot_hold_what_is_made_are_refused(tmp_path):
    for name in ("a.csv", "a.c3d"):
        with pytest.raises(BadInput, match=r"holds points, and the request makes bodies; .* \.bvh, \.glb, \.npz"):
            check_kind(tmp_path / name, of_points=False)
        check_kind(tmp_path / name, of_points=True)
    with pytest.raises(BadInput, match=r"a \.bvh holds bodies, and the request makes points; .* \.csv, \.c3d, \.glb"):
        check_kind(tmp_path / "a.bvh", of_points=True)
    for name in ("a.glb", "a.npz", "a.png", "a.mp4"):
        check_kind(tmp_path / name, of_points=False)
        check_kind(tmp_path / name, of_points=True)
    with pytest.raises(BadInput, match="--skeleton walk: the request makes points, which have no skeleton"):
        check_kind(tmp_path / "a.glb", of_points=True, skeleton="walk")
    check_kind(tmp_path / "a.glb", of_points=False, skeleton="walk")


def test_outputs_are_refused_before_anything_is_made(tmp_path):
    check_outputs(tmp_path / "out.bvh", {"--report": tmp_path / "report.json"})
    with pytest.raises(BadInput, match=r"cannot write '\.doc'"):
        check_outputs(tmp_path / "out.doc", {})
    with pytest.raises(BadInput, match="a file of its own"):
        check_outputs(tmp_path / "out.bvh", {"--report": tmp_path / "out.bvh"})


def test_folders_that_hold_no_files_are_found_out_before_anything_is_made(tmp_path, monkeypatch):
    def refuse(**_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(
        BadInput, match=r"out.bvh cannot be written: no file can be made in .* \(Operation not permitted"
    ):
        check_outputs(tmp_path / "out.bvh", {"--report": tmp_path / "report.json"})


def test_devices_are_not_replaced(tmp_path):
    with pytest.raises(BadInput, match=f"{os.devnull} is a device or a pipe, which a file would replace"):
        check_outputs(tmp_path / "out.bvh", {"--report": Path(os.devnull)})
    assert not Path(os.devnull).is_file()


def test_other_motions_are_numbered_from_two(tmp_path):
    assert [numbered(tmp_path / "out.bvh", n).name for n in range(3)] == ["out.bvh", "out_2.bvh", "out_3.bvh"]
