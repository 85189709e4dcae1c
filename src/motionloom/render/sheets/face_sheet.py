"""Contact sheets of faces: expressions from two sides, and how mouth, eyes and brows go over time."""

from typing import TYPE_CHECKING

import numpy as np

from motionloom.motion import PointMotion
from motionloom.motion.drawn_points import DrawnPoints
from motionloom.motion.head_motion import to_head
from motionloom.render.charts.sheet_charts import draw_face_chart
from motionloom.render.drawing import FAINT_INK, INK, new_page, write_text
from motionloom.render.scene.face_shots import FacePoses, bare_look, face_camera, pose_face
from motionloom.render.scene.frame import render_frame
from motionloom.render.scene.point_figures import make_point_figure
from motionloom.render.scene.smoothing import smooth

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH, MARGIN, HEADER, FOOTER, TIMES, GAP = 1600, 28, 64, 300, 44, 8  # pixels
PAPER = (246, 247, 249)
COLUMNS = 6
MOST_ROWS = 2
LONG = 4.0  # seconds of a row
CALM = 0.15  # seconds over which expressions are compared: a blink is none
INNER = 0.8  # of a stretch: its strongest expression is not looked for at its ends
SECOND_SIZE = 0.72  # of the faces seen from the other side


def draw_face_sheet(
    motion: PointMotion,
    drawn: DrawnPoints,
    *,
    title: str = "",
    n_poses: int | None = None,
    view: str = "front",
    colour: tuple[float, float, float] | None = None,
) -> np.ndarray:
    """Draw a contact sheet of a face as (H, W, 3) uint8; arguments as in `write_contact_sheet`.

    Poses are the strongest expressions of stretches of the same length; the head turns in them, but stays in its place.
    """
    poses = pose_face(motion, drawn)
    frames = choose_expressions(motion, drawn, n_poses)
    second = "quarter" if view != "quarter" else "front"
    columns = min(COLUMNS, len(frames))
    cell = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) // max(columns, 4)
    scale = cell / max(poses.widths[view], poses.widths[second] * SECOND_SIZE)  # pixels per metre
    large, small = round(poses.height * scale), round(poses.height * scale * SECOND_SIZE)
    row = large + small + TIMES
    rows = -(-len(frames) // columns)
    page, pen = new_page(WIDTH, HEADER + rows * (row + GAP) + FOOTER, PAPER)
    _write_header(pen, motion, title)
    for number, frame in enumerate(frames.tolist()):
        left = MARGIN + number % columns * (cell + GAP)
        top = HEADER + number // columns * (row + GAP)
        for shown, high, at in ((view, large, top), (second, small, top + large)):
            picture = _draw_pose(poses, frame, drawn, shown, (cell, high), colour)
            _paste(page, picture, (left, at))
        if number % columns == 0:
            write_text(pen, (left + 8, top + 6), view, 14, FAINT_INK)
            write_text(pen, (left + 8, top + large + 6), second, 14, FAINT_INK)
        write_text(pen, (left + cell / 2, top + row - 24), f"{frame / motion.fps:.2f} s", 14, INK, "ms")
        write_text(pen, (left + cell / 2, top + row - 9), f"{frame}", 12, FAINT_INK, "ms")
    still = to_head(motion.positions, drawn.find_head(motion))
    chart = (MARGIN, HEADER + rows * (row + GAP) + 12, WIDTH - 2 * MARGIN, FOOTER - 40)
    draw_face_chart(page, pen, motion, measure_expression(still, drawn), frames, chart)
    return np.asarray(page)


def choose_expressions(motion: PointMotion, drawn: DrawnPoints, n_poses: int | None = None) -> np.ndarray:
    """(N,) frames: of as many stretches of the same length that in which the face is farthest from rest."""
    if n_poses is None:
        n_poses = int(np.clip(round(motion.duration / LONG), 1, MOST_ROWS)) * COLUMNS
    still = to_head(motion.positions, drawn.find_head(motion))
    away = np.linalg.norm(still - drawn.rest.points, axis=-1)
    away = np.nan_to_num(away).sum(axis=1) / np.maximum(np.isfinite(away).sum(axis=1), 1)
    away = smooth(away, CALM * motion.fps)
    edges = np.unique(np.round(np.linspace(0, motion.n_frames, n_poses + 1)).astype(int))
    edge = ((1 - INNER) / 2 * np.diff(edges)).astype(int)
    ranges = zip(edges[:-1] + edge, edges[1:] - edge)
    return np.array([start + int(np.argmax(away[start:stop])) for start, stop in ranges])


def measure_expression(still: np.ndarray, drawn: DrawnPoints) -> dict[str, np.ndarray]:
    """(F,) millimetres by name: how the mouth, the eyes and the brows are; of faces whose markers tell none, one curve.

    Args:
        still: (F, M, 3) metres, in the frame of the head.
        drawn: with the outlines of the face.
    """
    parts: dict[str, list[np.ndarray]] = {}
    for outline in drawn.mesh.outlines:
        points = still[:, outline.points]
        if outline.kind == "brow":
            heights = points[..., 1] - drawn.rest.points[outline.points, 1]
            parts.setdefault("brows up", []).append(heights.mean(axis=1))
            continue
        parts.setdefault(f"{outline.kind} open", []).append(np.ptp(points[..., 1], axis=1))
        if outline.kind == "mouth":
            parts.setdefault("mouth wide", []).append(np.ptp(points[..., 0], axis=1))
    if not parts:
        away = np.linalg.norm(still - drawn.rest.points, axis=-1)
        parts["away from rest"] = [np.nan_to_num(away).max(axis=1)]
    return {name: 1000 * np.mean(values, axis=0) for name, values in parts.items()}


def _draw_pose(
    poses: FacePoses,
    frame: int,
    drawn: DrawnPoints,
    view: str,
    size: tuple[int, int],
    colour: tuple[float, float, float] | None,
) -> np.ndarray:
    figure = make_point_figure(poses.positions[frame], drawn, colour)
    return render_frame([figure], face_camera(np.zeros(3), 0.0, poses.height, view), size, floor=-1e3, look=bare_look())


def _write_header(pen: "ImageDraw.ImageDraw", motion: PointMotion, title: str) -> None:
    facts = f"{motion.duration:.2f} s    {motion.n_frames} frames at {motion.fps:g} Hz    {len(motion.names)} markers"
    write_text(pen, (MARGIN, 24), title, 24, INK, "lt")
    write_text(pen, (WIDTH - MARGIN, 30), facts, 15, FAINT_INK, "rt")


def _paste(page: "Image.Image", picture: np.ndarray, at: tuple[int, int]) -> None:
    from PIL import Image

    page.paste(Image.fromarray(picture), at)
