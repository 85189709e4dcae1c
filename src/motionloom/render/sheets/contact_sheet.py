"""Contact sheets: poses of a motion in one picture, with its path and foot contacts."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.body import NeutralPose
from motionloom.errors import BadInput
from motionloom.motion import Footing, Motion, PointMotion
from motionloom.motion.drawn_points import describe_drawn
from motionloom.render.charts.sheet_charts import draw_ground_plan, draw_time_chart
from motionloom.render.drawing import FAINT_INK, INK, new_page, save_page, write_text
from motionloom.render.scene.camera import look_from
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import check_markers, make_figures, with_markers
from motionloom.render.scene.frame import Look, render_frame
from motionloom.render.scene.supports import make_footing
from motionloom.render.scene.trajectory import Trajectory, find_trajectory
from motionloom.render.sheets.face_sheet import draw_face_sheet

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

VIEWS = {
    "side": -np.pi / 2,
    "front": 0.0,
    "back": np.pi,
    "quarter": -np.pi / 5,
}  # heading of the camera relative to the motion's direction
WIDTH, MARGIN, HEADER, FOOTER = 1600, 28, 64, 300  # pixels
PAPER = (246, 247, 249)
GUTTER = 0.22  # of a figure's height, at the left for the name of the view
TERRAIN_SHOWN = 0.5  # metres of terrain around a pose
SECOND_SIZE = 0.62  # of the poses seen from the other side
LENS = 0.12  # radians of field of view: narrow, against perspective distortion at the edges


@dataclass(frozen=True, eq=False)
class _Strip:
    """Poses side by side, from one view."""

    frames: np.ndarray  # (N,) int
    places: np.ndarray  # (N,) metres from the left edge
    view: str
    is_main: bool  # large, with times below
    metres_wide: float
    low: float  # metres below the floor at the lower edge
    high: float  # metres above the floor at the upper edge


def write_contact_sheet(
    path: str | Path,
    motion: Motion | PointMotion,
    *,
    contacts: np.ndarray | None = None,
    title: str | None = None,
    n_poses: int | None = None,
    view: str | None = None,
    floor: float | None = None,
    colour: tuple[float, float, float] | None = None,
    footing: Footing | None = None,
    neutral: NeutralPose | None = None,
    markers: PointMotion | None = None,
) -> None:
    """Draw a contact sheet and write it as a PNG: poses, the path from above, and foot contacts.

    Args:
        path: of the file.
        motion: to draw.
        contacts: (F, 4) bool: left heel, left ball, right heel, right ball; None for no bars.
        title: of the sheet; None for the file's stem.
        n_poses: number of poses; None for about four per second, of a face for its strongest expressions.
        view: of the large poses: side, front, back or quarter; None for the front of a face, else the side.
        floor: metres, the height of the ground; None to estimate it.
        colour: of the body or the markers, sRGB, 0 to 1.
        footing: what feet stand on besides the ground; None for nothing.
        neutral: neutral pose of the body; None to learn it from the motion.
        markers: on the body, of as many frames; None for none.
    """
    page = draw_contact_sheet(
        motion,
        contacts=contacts,
        title=Path(path).stem if title is None else title,
        n_poses=n_poses,
        view=view,
        floor=floor,
        colour=colour,
        footing=footing,
        neutral=neutral,
        markers=markers,
    )
    save_page(path, page)


def draw_contact_sheet(
    motion: Motion | PointMotion,
    *,
    contacts: np.ndarray | None = None,
    title: str = "",
    n_poses: int | None = None,
    view: str | None = None,
    floor: float | None = None,
    colour: tuple[float, float, float] | None = None,
    footing: Footing | None = None,
    neutral: NeutralPose | None = None,
    markers: PointMotion | None = None,
) -> np.ndarray:
    """Draw a contact sheet as (H, W, 3) uint8; see `write_contact_sheet`."""
    _check(motion, contacts, n_poses, view)
    check_markers(motion, markers)
    drawn = describe_drawn(motion) if isinstance(motion, PointMotion) else None
    if isinstance(motion, PointMotion) and drawn is not None and drawn.is_face:
        return draw_face_sheet(motion, drawn, title=title, n_poses=n_poses, view=view or "front", colour=colour)
    view = view or "side"
    trajectory = find_trajectory(motion, floor, neutral)
    frames = _choose_frames(motion, n_poses)
    figures = make_figures(motion, frames, colour, neutral=neutral, drawn=drawn)
    if markers is not None:
        figures = with_markers(figures, markers, frames)
    if footing is not None and not footing.is_flat:
        figures = [
            figure.joined(make_footing(footing, frame, trajectory.centres[frame, [0, 2]], radius=TERRAIN_SHOWN))
            for figure, frame in zip(figures, frames.tolist())
        ]
    strips = _lay_out(trajectory, frames, figures, view)
    pictures = [_draw_strip(trajectory, strip, dict(zip(frames.tolist(), figures))) for strip in strips]
    page, pen = new_page(WIDTH, HEADER + sum(picture.shape[0] + 7 for picture in pictures) + FOOTER, PAPER)
    _write_header(pen, motion, trajectory, title)
    top = HEADER
    for strip, picture in zip(strips, pictures):
        _paste_strip(page, pen, motion, strip, picture, top)
        top += picture.shape[0] + (2 if strip.is_main else 12)
    plan = (MARGIN, top + 12, 380, FOOTER - 40)
    chart = (MARGIN + 420, top + 12, WIDTH - 2 * MARGIN - 420, FOOTER - 40)
    draw_ground_plan(page, pen, motion, trajectory, contacts, frames, plan)
    draw_time_chart(page, pen, motion, trajectory, contacts, frames, chart)
    return np.asarray(page)


def _check(motion: Motion | PointMotion, contacts: np.ndarray | None, n_poses: int | None, view: str | None) -> None:
    if motion.n_frames == 0:
        raise BadInput("the motion has no frames; give at least one")
    if view is not None and view not in VIEWS:
        raise BadInput(f"no view '{view}'; the views are {', '.join(VIEWS)}")
    if n_poses is not None and n_poses < 1:
        raise BadInput(f"n_poses must be at least 1, got {n_poses}")
    if contacts is not None and np.shape(contacts) != (motion.n_frames, 4):
        raise BadInput(f"contacts have shape {np.shape(contacts)}, expected ({motion.n_frames}, 4)")


def _choose_frames(motion: Motion | PointMotion, n_poses: int | None) -> np.ndarray:
    if n_poses is None:
        n_poses = int(np.clip(round(4 * motion.duration), 10, 33))
    return np.unique(np.round(np.linspace(0, motion.n_frames - 1, n_poses)).astype(int))


def _lay_out(trajectory: Trajectory, frames: np.ndarray, figures: list[Figure], view: str) -> list[_Strip]:
    """Distribute the poses over rows, each from the chosen view and, smaller, from the front (or the side)."""
    heights = np.concatenate([figure.points[:, 1] for figure in figures]) - trajectory.floor
    high, low = float(heights.max(initial=0.0)), float(heights.min(initial=0.0))
    unit = max(high - low, 1e-3)
    second = "front" if view != "front" else "side"
    reaches = np.stack(
        [_reach(trajectory, frames, figures, view), SECOND_SIZE * _reach(trajectory, frames, figures, second)]
    )
    spans = np.stack([reaches[..., 0].min(axis=0), reaches[..., 1].max(axis=0)], axis=-1)  # (N, 2)
    gap, row_width, gutter = 0.12 * unit, 6.9 * unit, GUTTER * unit
    strips = []
    for row in _break_rows(spans, gap, max(row_width, float(np.ptp(spans, axis=1).max()) + gap)):
        places = gutter + _spread_out(spans[row], gap, row_width)
        width = max(row_width + gutter, float(places[-1] + spans[row][-1, 1] + gap)) + 0.5 * gap
        strips.append(_Strip(frames[row], places, view, True, width, -low + 0.2 * unit, high + 0.08 * unit))
        small_places, small_width = places / SECOND_SIZE, width / SECOND_SIZE
        margins = (-low + 0.06 * unit, high + 0.08 * unit)
        strips.append(_Strip(frames[row], small_places, second, False, small_width, *margins))
    return strips


def _reach(trajectory: Trajectory, frames: np.ndarray, figures: list[Figure], view: str) -> np.ndarray:
    """The extent of each pose to the left (negative) and right of its centre in the picture: (N, 2) metres."""
    right = _right_of(trajectory.direction + VIEWS[view])
    across = [(figure.points - centre) @ right for figure, centre in zip(figures, trajectory.centres[frames])]
    return np.array([(a.min(), a.max()) if len(a) else (-0.1, 0.1) for a in across])


def _right_of(camera_heading: float) -> np.ndarray:
    """The world direction, (3,) unit, that points right in the picture of a camera at this heading."""
    return np.array([np.cos(camera_heading), 0.0, -np.sin(camera_heading)])


def _break_rows(spans: np.ndarray, gap: float, width: float) -> list[np.ndarray]:
    widths = spans[:, 1] - spans[:, 0] + gap
    n_rows = max(1, int(np.ceil(widths.sum() / width)))
    filled = np.cumsum(widths) - widths / 2
    row_of = np.minimum((filled / (widths.sum() / n_rows)).astype(int), n_rows - 1)
    return [np.flatnonzero(row_of == row) for row in range(n_rows) if (row_of == row).any()]


def _spread_out(spans: np.ndarray, gap: float, width: float) -> np.ndarray:
    """Positions (N,) of poses in a row, metres from its left edge: without overlap, evenly spaced."""
    widths = spans[:, 1] - spans[:, 0]
    spare = max(gap, (width - widths.sum()) / len(widths))
    left_edges = spare / 2 + np.concatenate([[0.0], np.cumsum(widths[:-1] + spare)])
    return left_edges - spans[:, 0]


def _draw_strip(trajectory: Trajectory, strip: _Strip, figures: dict[int, Figure]) -> np.ndarray:
    """Render the poses of a strip side by side on one floor with a narrow field of view."""
    scale = (WIDTH - 2 * MARGIN) / strip.metres_wide  # pixels per metre
    size = (WIDTH - 2 * MARGIN, round((strip.low + strip.high) * scale))
    heading = trajectory.direction + VIEWS[strip.view]
    moved = []
    for frame, place in zip(strip.frames.tolist(), strip.places):
        stand = _right_of(heading) * (place - strip.metres_wide / 2)
        moved.append(figures[frame].moved(stand - trajectory.centres[frame] * np.array([1.0, 0.0, 1.0])))
    distance = 0.5 * size[1] / scale / np.tan(LENS / 2)
    target = np.array([0.0, trajectory.floor + (strip.high - strip.low) / 2, 0.0])
    camera = look_from(target, heading, distance, elevation=0.14, field_of_view=LENS)
    return render_frame(moved, camera, size, floor=trajectory.floor, look=Look(grid=0.0, fade=50.0))


def _write_header(pen: "ImageDraw.ImageDraw", motion: Motion | PointMotion, trajectory: Trajectory, title: str) -> None:
    travelled = float(np.linalg.norm(np.diff(trajectory.centres[:, [0, 2]], axis=0), axis=-1).sum())
    facts = f"{motion.duration:.2f} s    {motion.n_frames} frames at {motion.fps:g} Hz    {travelled:.1f} m travelled"
    write_text(pen, (MARGIN, 24), title, 24, INK, "lt")
    write_text(pen, (WIDTH - MARGIN, 30), facts, 15, FAINT_INK, "rt")


def _paste_strip(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    motion: Motion | PointMotion,
    strip: _Strip,
    picture: np.ndarray,
    top: int,
) -> None:
    from PIL import Image

    page.paste(Image.fromarray(picture), (MARGIN, top))
    write_text(pen, (MARGIN + 10, top + 8), strip.view, 14, FAINT_INK)
    if not strip.is_main:
        return  # the smaller poses are below the larger ones of the same time
    scale, bottom = picture.shape[1] / strip.metres_wide, top + picture.shape[0]
    for frame, place in zip(strip.frames.tolist(), strip.places):
        x = MARGIN + place * scale
        write_text(pen, (x, bottom - 20), f"{frame / motion.fps:.2f} s", 14, INK, "ms")
        write_text(pen, (x, bottom - 5), f"{frame}", 12, FAINT_INK, "ms")
