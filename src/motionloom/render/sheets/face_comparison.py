"""Compared faces: the same frames of several faces of the same markers above each other, from one side, in one scale.

The first one says how all are framed. Markers that something was asked of are of another colour; where the first one is
what was recorded, each of the others says how far its markers are from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import PointMotion, rotations
from motionloom.motion.drawn_points import DrawnPoints, describe_drawn
from motionloom.render.drawing import FAINT_INK, INK, new_page, save_page, write_text
from motionloom.render.scene.face_shots import FacePoses, bare_look, face_camera, pose_face
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.frame import render_frame
from motionloom.render.scene.point_figures import make_point_figure

if TYPE_CHECKING:
    from PIL import Image

WIDTH, MARGIN, HEADER, CAPTION, FOOT = 1600, 28, 60, 26, 18  # pixels
PAPER = (246, 247, 249)
GIVEN = (0.90, 0.42, 0.08)  # sRGB of markers that something was asked of
POSES = 8


@dataclass(frozen=True, eq=False)
class ComparedFace:
    """A face to be drawn beside others of the same markers and of as many frames."""

    title: str
    motion: PointMotion
    given: tuple[str, ...] = ()  # markers that something was asked of
    is_recorded: bool = False  # what the others should be like


@dataclass(frozen=True, eq=False)
class FaceShot:
    """How all compared faces are drawn."""

    drawn: DrawnPoints
    poses: FacePoses
    view: str

    def turned(self, motion: PointMotion) -> np.ndarray:
        """(F, M, 3) metres around the middle of the first face, which looks along +z on average."""
        upright = rotations.about_y(-self.poses.heading)
        return rotations.rotate(upright, motion.positions - self.poses.centres[:, None])

    def draw(self, positions: np.ndarray, given: Sequence[str], size: tuple[int, int]) -> np.ndarray:
        """(H, W, 3) uint8 of a face (M, 3)."""
        figure = _coloured(make_point_figure(positions, self.drawn), positions, self.drawn.names, given)
        camera = face_camera(np.zeros(3), 0.0, self.poses.height, self.view)
        return render_frame([figure], camera, size, floor=-1e3, look=bare_look())


def write_face_comparison(
    path: str | Path,
    faces: Sequence[ComparedFace],
    title: str = "",
    frames: Sequence[int] | None = None,
    *,
    view: str = "quarter",
) -> None:
    """Draw a sheet of compared faces and write it as a PNG."""
    save_page(path, draw_face_comparison(faces, title, frames, view=view))


def draw_face_comparison(
    faces: Sequence[ComparedFace], title: str = "", frames: Sequence[int] | None = None, *, view: str = "quarter"
) -> np.ndarray:
    """Draw a row for each face, (H, W, 3) uint8: its poses in the same frames.

    Args:
        faces: at least one, all of the same markers and of as many frames.
        title: of the sheet.
        frames: to draw; None for eight, evenly spaced.
        view: a name of `face_shots.VIEWS`.
    """
    shot = shot_of(faces, view)
    n_frames = faces[0].motion.n_frames
    shown = np.unique(np.linspace(0, n_frames - 1, POSES).round().astype(int)) if frames is None else np.array(frames)
    wide = (WIDTH - 2 * MARGIN) // len(shown) - 4
    high = round(wide * shot.poses.height / max(shot.poses.widths[view], 1e-6))
    row = CAPTION + high + FOOT
    page, pen = new_page(WIDTH, HEADER + len(faces) * row + MARGIN, PAPER)
    write_text(pen, (MARGIN, 18), title, 22, INK)
    for number, face in enumerate(faces):
        top, turned = HEADER + number * row, shot.turned(face.motion)
        write_text(pen, (MARGIN, top + 5), face.title, 15, INK)
        for column, frame in enumerate(shown.tolist()):
            left = MARGIN + column * (wide + 4)
            _paste(page, shot.draw(turned[frame], face.given, (wide, high)), (left, top + CAPTION))
            caption = f"{frame / face.motion.fps:.2f} s{describe_apart(faces, face, frame)}"
            write_text(pen, (left + wide / 2, top + CAPTION + high + 8), caption, 13, FAINT_INK, "ms")
    return np.asarray(page)


def shot_of(faces: Sequence[ComparedFace], view: str) -> FaceShot:
    """How faces are drawn that are of the same markers and of as many frames; framed by the first one."""
    if not faces or any(face.motion.names != faces[0].motion.names for face in faces):
        raise BadInput("faces to compare need the same markers, and at least one face")
    if len({face.motion.n_frames for face in faces}) > 1 or not faces[0].motion.n_frames:
        raise BadInput("faces to compare need as many frames each, and at least one")
    drawn = describe_drawn(faces[0].motion)
    return FaceShot(drawn, pose_face(faces[0].motion, drawn), view)


def describe_apart(faces: Sequence[ComparedFace], face: ComparedFace, frame: int) -> str:
    """How far the markers of a face are from those of the first one, if that was recorded; else nothing."""
    if not faces[0].is_recorded or face is faces[0]:
        return ""
    away = np.linalg.norm(face.motion.positions[frame] - faces[0].motion.positions[frame], axis=-1)
    return f"    {1000 * float(np.nanmean(away)):.1f} mm"


def _coloured(figure: Figure, positions: np.ndarray, names: Sequence[str], given: Sequence[str]) -> Figure:
    seen = np.flatnonzero(np.isfinite(positions).all(axis=-1))
    colours = figure.ball_colours.copy()
    colours[np.isin(np.array(names)[seen], given)] = GIVEN
    return replace(figure, ball_colours=colours)


def _paste(page: "Image.Image", picture: np.ndarray, at: tuple[int, int]) -> None:
    from PIL import Image

    page.paste(Image.fromarray(picture), at)
