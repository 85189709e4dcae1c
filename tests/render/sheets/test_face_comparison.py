"""Compared faces: rows of the same frames in one scale, marked where something was asked, with distances from truth."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import PointMotion
from motionloom.performer.face.markers import NAMES, NEUTRAL
from motionloom.render import ComparedFace, draw_face_comparison, write_face_comparison, write_face_comparison_video
from motionloom.render.sheets import face_comparison
from motionloom.render.sheets.face_comparison import describe_apart

LOWER = [number for number, name in enumerate(NAMES) if name in ("lower_lip", "chin")]


def face(opened: float = 0.0, away=(0.0, 1.2, 0.0), n_frames: int = 31) -> PointMotion:
    """A face that opens its mouth by some metres and closes it."""
    positions = np.tile(NEUTRAL / 1000 + away, (n_frames, 1, 1))
    positions[:, LOWER, 1] -= opened * np.sin(np.linspace(0, np.pi, n_frames))[:, None]
    return PointMotion(NAMES, positions, 30.0)


def row(page: np.ndarray, number: int, count: int) -> np.ndarray:
    """The pictures of a row."""
    high = (len(page) - face_comparison.HEADER - face_comparison.MARGIN) // count
    top = face_comparison.HEADER + number * high + face_comparison.CAPTION
    return page[top : top + high - face_comparison.CAPTION - face_comparison.FOOT]


def test_faces_that_are_alike_look_alike_wherever_they_are():
    here = draw_face_comparison([ComparedFace("one", face(0.01)), ComparedFace("two", face(0.01))])
    there = draw_face_comparison([ComparedFace(each, face(0.01, (3.0, 0.4, -2.0))) for each in ("one", "two")])
    assert np.array_equal(row(here, 0, 2), row(here, 1, 2))
    assert np.mean(np.abs(here.astype(int) - there)) < 0.2


def test_faces_differ_in_the_frames_in_which_their_mouths_do():
    page = draw_face_comparison([ComparedFace("open", face(0.015)), ComparedFace("shut", face())], frames=[0, 15])
    first, second = row(page, 0, 2).astype(int), row(page, 1, 2)
    apart = np.abs(first - second).max(axis=(0, 2)) > 20
    half = page.shape[1] // 2
    assert not apart[:half].any() and apart[half:].any()


def test_markers_that_were_asked_for_are_of_another_colour():
    plain, marked = (
        draw_face_comparison([ComparedFace("", face(), given)], frames=[0], view="front") for given in ((), ("chin",))
    )
    changed = np.argwhere(np.abs(plain.astype(int) - marked).max(axis=-1) > 20)
    assert len(changed) > 0 and np.ptp(changed, axis=0).max() < 60


@pytest.mark.parametrize("is_recorded", [True, False])
def test_only_beside_what_was_recorded_faces_say_how_far_they_are_from_it(is_recorded):
    moved = replace(face(), positions=face().positions + [0.0, 0.0025, 0.0])
    faces = [ComparedFace("true", face(), is_recorded=is_recorded), ComparedFace("made", moved)]
    assert describe_apart(faces, faces[1], 3) == ("    2.5 mm" if is_recorded else "")
    assert describe_apart(faces, faces[0], 3) == ""


def test_faces_of_other_markers_or_lengths_are_refused():
    fewer = PointMotion(NAMES[1:], face().positions[:, 1:], 30.0)
    with pytest.raises(BadInput, match="same markers"):
        draw_face_comparison([ComparedFace("", face()), ComparedFace("", fewer)])
    with pytest.raises(BadInput, match="as many frames"):
        draw_face_comparison([ComparedFace("", face()), ComparedFace("", face(n_frames=30))])
    with pytest.raises(BadInput, match="at least one face"):
        draw_face_comparison([])


def test_sheets_and_videos_are_written(tmp_path):
    faces = [ComparedFace("one", face(0.01)), ComparedFace("two", face())]
    write_face_comparison(tmp_path / "faces.png", faces, "a title")
    write_face_comparison_video(tmp_path / "faces.mp4", faces, "a title", fps=10.0)
    assert (tmp_path / "faces.png").read_bytes().startswith(b"\x89PNG")
    assert b"ftyp" in (tmp_path / "faces.mp4").read_bytes()[:16]
