"""The timeline sheet: painted labels, poses of the result over time, and their provenance."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Footing, Motion, find_runs
from motionloom.render.charts.sheet_charts import Box, draw_ground_plan, draw_seconds
from motionloom.render.drawing import FAINT_INK, INK, RULE, new_page, save_page, write_text
from motionloom.render.scene.camera import look_from
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import make_figures
from motionloom.render.scene.frame import Look, render_frame
from motionloom.render.scene.supports import make_footing
from motionloom.render.scene.trajectory import Trajectory, find_trajectory

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH, MARGIN, HEADER, LABELS, ROW, PLAN = 1600, 28, 64, 130, 30, 330  # pixels
STRIP = 250  # pixels: height of the poses
PAPER = (246, 247, 249)
MUST, MUST_NOT, MISSED, HOLDS = (120, 190, 130), (132, 168, 222), (226, 150, 40), (60, 66, 76)
TAKES = ((150, 166, 190), (190, 170, 150), (160, 184, 160), (184, 160, 184), (188, 188, 148), (150, 184, 188))
N_POSES = 15
TERRAIN_SHOWN = 0.5  # metres of terrain around a pose
METRES_HIGH = 2.35  # of the room that poses are drawn in, unless they are higher
LENS = 0.12  # radians of field of view: narrow, against perspective distortion at the edges


@dataclass(frozen=True, eq=False)
class PaintedTrack:
    """One label: the paint of the request, and the label's track in the motion."""

    label: str
    paint: np.ndarray  # (F,) int: +1 must, -1 must not, 0 do not care
    holds: np.ndarray  # (F,) int: +1 holds, -1 does not, 0 unknown


@dataclass(frozen=True)
class PlayedRun:
    """Frames [start, stop) of the motion that come from one clip."""

    start: int
    stop: int
    take: str


@dataclass(frozen=True, eq=False)
class TimelineSheet:
    """The content of a timeline sheet."""

    motion: Motion  # on the floor y = 0
    tracks: Sequence[PaintedTrack]
    runs: Sequence[PlayedRun]  # in temporal order
    contacts: np.ndarray | None = None  # (F, 4) bool
    places: Sequence[tuple[float, float, float | None]] = ()  # metres along x and z, heading in radians or None
    forced: Sequence[tuple[int, int]] = ()  # frames [start, stop) that the request forces
    sentences: Sequence[str] = ()  # further text
    footing: Footing = field(default_factory=Footing)  # what feet stand on besides the floor


def write_timeline_sheet(path: str | Path, sheet: TimelineSheet, title: str = "") -> None:
    """Draw a timeline sheet and write it as a PNG."""
    save_page(path, draw_timeline_sheet(sheet, title))


def draw_timeline_sheet(sheet: TimelineSheet, title: str = "") -> np.ndarray:
    """Draw a timeline sheet as (H, W, 3) uint8: green must hold, blue must not, orange is missed, dark holds."""
    _check(sheet)
    trajectory = find_trajectory(sheet.motion, 0.0)
    rows = len(sheet.tracks) + 1
    height = HEADER + STRIP + 18 + rows * ROW + 40 + PLAN
    page, pen = new_page(WIDTH, height, PAPER)
    write_text(pen, (MARGIN, 20), title, 22, INK)
    legend = "green: must   blue: must not   dark: holds   orange: missed"
    write_text(pen, (WIDTH - MARGIN, 28), legend, 14, FAINT_INK, "ra")
    inner: Box = (MARGIN + LABELS, HEADER, WIDTH - 2 * MARGIN - LABELS, STRIP)
    frames = _choose_frames(sheet.motion.n_frames)
    _paste_poses(page, pen, sheet, trajectory, frames, inner)
    top = HEADER + STRIP + 18
    for row, track in enumerate(sheet.tracks):
        _draw_track(pen, track, (inner[0], top + row * ROW, inner[2], ROW - 8))
    _draw_runs(pen, sheet, (inner[0], top + len(sheet.tracks) * ROW, inner[2], ROW - 8))
    draw_seconds(pen, sheet.motion.duration, (inner[0], top, inner[2], rows * ROW))
    below = top + rows * ROW + 40
    _draw_plan(page, pen, sheet, trajectory, frames, (MARGIN, below, 520, PLAN - 28))
    _write_sentences(pen, sheet.sentences, (MARGIN + 560, below, WIDTH - 2 * MARGIN - 560, PLAN - 28))
    return np.asarray(page)


def _check(sheet: TimelineSheet) -> None:
    n_frames = sheet.motion.n_frames
    for track in sheet.tracks:
        if np.shape(track.paint) != (n_frames,) or np.shape(track.holds) != (n_frames,):
            raise BadInput(f"track '{track.label}' is not as long as the motion, which has {n_frames} frames")


def _choose_frames(n_frames: int) -> np.ndarray:
    return np.unique(((np.arange(N_POSES) + 0.5) / N_POSES * n_frames).astype(int))


def _paste_poses(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    sheet: TimelineSheet,
    trajectory: Trajectory,
    frames: np.ndarray,
    box: Box,
) -> None:
    """Render poses on one floor, each above its time; the camera is perpendicular to the main direction of travel."""
    from PIL import Image

    left, top, width, height = box
    motion, figures = sheet.motion, make_figures(sheet.motion, frames, None)
    figures = [
        figure.joined(make_footing(sheet.footing, frame, trajectory.centres[frame, [0, 2]], radius=TERRAIN_SHOWN))
        for figure, frame in zip(figures, frames.tolist())
    ]
    highest = max(float(figure.points[:, 1].max()) for figure in figures)
    metres_high = max(METRES_HIGH, highest + 0.2)
    scale = height / metres_high
    heading = trajectory.direction - np.pi / 2.6
    right = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    moved: list[Figure] = []
    for frame, figure in zip(frames.tolist(), figures):
        across = ((frame + 0.5) / motion.n_frames - 0.5) * width / scale
        moved.append(figure.moved(right * across - trajectory.centres[frame] * np.array([1.0, 0.0, 1.0])))
    distance = 0.5 * metres_high / np.tan(LENS / 2)
    camera = look_from(
        np.array([0.0, 0.95 * metres_high / METRES_HIGH, 0.0]), heading, distance, elevation=0.16, field_of_view=LENS
    )
    picture = render_frame(moved, camera, (width, height), floor=0.0, look=Look(grid=0.0, fade=60.0))
    page.paste(Image.fromarray(picture), (left, top))
    for frame in frames:
        x = left + (frame + 0.5) / motion.n_frames * width
        pen.polygon([(x - 3, top + height + 4), (x + 3, top + height + 4), (x, top + height + 10)], fill=FAINT_INK)


def _draw_track(pen: "ImageDraw.ImageDraw", track: PaintedTrack, box: Box) -> None:
    """Paint as a bar, with a dark line where the label holds and orange hatching where the paint is not met."""
    left, top, width, height = box
    n_frames = len(track.paint)
    write_text(pen, (left - 10, top + height / 2), track.label, 14, INK, "rm")
    pen.rectangle((left, top, left + width, top + height), outline=RULE, fill=(255, 255, 255))
    for value, colour in ((1, MUST), (-1, MUST_NOT)):
        for start, stop in find_runs(track.paint == value):
            x0, x1 = (left + i / n_frames * width for i in (start, stop))
            pen.rectangle((x0, top + 1, x1, top + height - 1), fill=colour)
    for start, stop in find_runs((track.paint != 0) & (track.paint != track.holds)):
        x0, x1 = (left + i / n_frames * width for i in (start, stop))
        for x in np.arange(x0, x1, 10):
            pen.line((x, top + height - 1, min(x + height - 2, x1), top + 1), fill=MISSED, width=2)
        pen.rectangle((x0, top + 1, x1, top + height - 1), outline=MISSED, width=2)
    for start, stop in find_runs(track.holds == 1):
        x0, x1 = (left + i / n_frames * width for i in (start, stop))
        pen.rectangle((x0, top + height - 6, x1, top + height - 3), fill=HOLDS)


def _draw_runs(pen: "ImageDraw.ImageDraw", sheet: TimelineSheet, box: Box) -> None:
    """The clips that are played, a colour for each take, with their names where there is space."""
    left, top, width, height = box
    n_frames = sheet.motion.n_frames
    colours = {take: TAKES[i % len(TAKES)] for i, take in enumerate(dict.fromkeys(run.take for run in sheet.runs))}
    write_text(pen, (left - 10, top + height / 2), "comes from", 14, FAINT_INK, "rm")
    for run in sheet.runs:
        x0, x1 = (left + i / n_frames * width for i in (run.start, run.stop))
        pen.rectangle((x0, top, x1 - 1, top + height), fill=colours[run.take], outline=PAPER)
        name = run.take.split("/")[-1]
        if x1 - x0 > 8 * len(name):
            write_text(pen, ((x0 + x1) / 2, top + height / 2), name, 12, (255, 255, 255), "mm")
    for start, stop in sheet.forced:
        x0, x1 = (left + i / n_frames * width for i in (start, stop))
        pen.rectangle((x0 - 1, top - 2, max(x1, x0 + 2), top + height + 2), outline=(180, 40, 40), width=2)


def _draw_plan(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    sheet: TimelineSheet,
    trajectory: Trajectory,
    frames: np.ndarray,
    box: Box,
) -> None:
    targets = np.array([(x, z) for x, z, _ in sheet.places]).reshape(-1, 2)
    to_page = draw_ground_plan(page, pen, sheet.motion, trajectory, sheet.contacts, frames, box, also=targets)
    for x, z, heading in sheet.places:
        px, py = to_page(np.array([x, z]))
        pen.ellipse((px - 9, py - 9, px + 9, py + 9), outline=(30, 140, 60), width=3)
        if heading is not None:
            pen.line((px, py, px - 26 * np.sin(heading), py - 26 * np.cos(heading)), fill=(30, 140, 60), width=3)


def _write_sentences(pen: "ImageDraw.ImageDraw", sentences: Sequence[str], box: Box) -> None:
    import textwrap

    left, top, width, height = box
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, width=width // 8)]
    fitting = max(1, height // 20)
    if len(lines) > fitting:
        lines = [*lines[: fitting - 1], "..."]
    for number, line in enumerate(lines):
        write_text(pen, (left, top + 20 * number), line, 14, INK)
