"""Videos of compared faces: several of them beside each other on one clock."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from motionloom.formats.atomic_write import replacing
from motionloom.render.drawing import FAINT_INK, INK, new_page, write_text
from motionloom.render.sheets.face_comparison import PAPER, ComparedFace, FaceShot, describe_apart, shot_of
from motionloom.render.video import open_encoder

CELL, HEADER = (320, 400), 60  # pixels of a face, and of what is written above


def write_face_comparison_video(
    path: str | Path, faces: Sequence[ComparedFace], title: str = "", *, fps: float = 30.0, view: str = "quarter"
) -> None:
    """Render faces beside each other in real time to an MP4.

    Args:
        path: of the file.
        faces: at least one, all of the same markers and of as many frames.
        title: of the video.
        fps: pictures per second.
        view: a name of `face_shots.VIEWS`.
    """
    shot = shot_of(faces, view)
    size = (len(faces) * CELL[0], CELL[1] + HEADER)
    with replacing(path) as temporary, open_encoder(temporary, Path(path), size, fps) as sink:
        for picture in _pictures(faces, shot, title, fps, size):
            sink.write(picture.tobytes())


def _pictures(
    faces: Sequence[ComparedFace], shot: FaceShot, title: str, fps: float, size: tuple[int, int]
) -> Iterator[np.ndarray]:
    from PIL import Image

    first = faces[0].motion
    turned = [shot.turned(face.motion) for face in faces]
    for time in np.arange(max(1, int(first.n_frames / first.fps * fps + 1e-6))) / fps:
        frame = min(int(time * first.fps + 0.5), first.n_frames - 1)
        page, pen = new_page(*size, PAPER)
        write_text(pen, (12, 8), f"{title}    {time:.2f} s", 16, INK)
        for number, face in enumerate(faces):
            left = number * CELL[0]
            page.paste(Image.fromarray(shot.draw(turned[number][frame], face.given, CELL)), (left, HEADER))
            write_text(pen, (left + 12, 36), face.title + describe_apart(faces, face, frame), 14, FAINT_INK)
        yield np.asarray(page)
