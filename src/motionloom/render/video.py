"""Videos: a motion as an MP4 (H.264), with a camera that follows it."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import numpy as np

from motionloom.body import NeutralPose, learn_neutral_pose
from motionloom.errors import BadInput
from motionloom.formats.atomic_write import replacing
from motionloom.motion import Footing, Motion, PointMotion, kinematics, sample
from motionloom.motion.drawn_points import DrawnPoints, describe_drawn, point_extent
from motionloom.render.face_video import draw_face_pictures
from motionloom.render.scene.camera import Camera, look_from
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import check_markers, make_figures, with_markers
from motionloom.render.scene.frame import Look, render_frame
from motionloom.render.scene.smoothing import smooth
from motionloom.render.scene.supports import SHOWN, make_footing
from motionloom.render.scene.trajectory import Trajectory, find_trajectory
from motionloom.render.video_overlay import draw_overlay

CHUNK = 64  # pictures that are skinned at a time
VIDEO_LOOK = Look(samples=2)
HEADROOM = 0.2  # metres from the highest joint to the top of the body
TERRAIN_SHOWN = 6.0  # metres of terrain around the body


def write_video(
    path: str | Path,
    motion: Motion | PointMotion,
    *,
    fps: float = 30,
    size: tuple[int, int] = (960, 540),
    contacts: np.ndarray | None = None,
    title: str | None = None,
    floor: float | None = None,
    colour: tuple[float, float, float] | None = None,
    footing: Footing | None = None,
    neutral: NeutralPose | None = None,
    markers: PointMotion | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Render a motion in real time to an MP4 (H.264, yuv420p).

    Args:
        path: of the file.
        motion: to render.
        fps: pictures per second.
        size: width and height in pixels, both even.
        contacts: (F, 4) bool: left heel, left ball, right heel, right ball; drawn as indicators. None for none.
        title: text in the corner.
        floor: metres, the height of the ground; None to estimate it.
        colour: of the body or the markers, sRGB, 0 to 1.
        footing: what feet stand on besides the ground; None for nothing.
        neutral: neutral pose of the body; None to learn it from the motion.
        markers: on the body, of as many frames; None for none.
        progress: called as progress(pictures_done, pictures_total).
    """
    _check(motion, fps, size, contacts)
    check_markers(motion, markers)
    n_pictures = max(1, int(np.floor(motion.n_frames / motion.fps * fps + 1e-6)))
    with replacing(path) as temporary, open_encoder(temporary, Path(path), size, fps) as sink:
        below = footing or Footing()
        pictures = _draw_pictures(
            motion, n_pictures, fps, size, contacts, title, floor, colour, below, neutral, markers
        )
        for number, picture in enumerate(pictures, start=1):
            sink.write(picture.tobytes())
            if progress is not None:
                progress(number, n_pictures)


def _check(motion: Motion | PointMotion, fps: float, size: tuple[int, int], contacts: np.ndarray | None) -> None:
    if motion.n_frames == 0:
        raise BadInput("the motion has no frames; give at least one")
    if not fps > 0:
        raise BadInput(f"fps of a video must be above 0, got {fps}")
    if size[0] % 2 or size[1] % 2 or min(size) < 16:
        raise BadInput(f"width and height of a video must be even and at least 16, got {size[0]} x {size[1]}")
    if contacts is not None and np.shape(contacts) != (motion.n_frames, 4):
        raise BadInput(f"contacts have shape {np.shape(contacts)}, expected ({motion.n_frames}, 4)")


def _draw_pictures(
    motion: Motion | PointMotion,
    n_pictures: int,
    fps: float,
    size: tuple[int, int],
    contacts: np.ndarray | None,
    title: str | None,
    floor: float | None,
    colour: tuple[float, float, float] | None,
    footing: Footing,
    neutral: NeutralPose | None,
    markers: PointMotion | None,
) -> Iterator[np.ndarray]:
    times = np.minimum(np.arange(n_pictures) * (motion.fps / fps), motion.n_frames - 1)  # in frames
    drawn = describe_drawn(motion) if isinstance(motion, PointMotion) else None
    if isinstance(motion, PointMotion) and drawn is not None and drawn.is_face:
        faces = draw_face_pictures(motion, drawn, times, size, colour, VIDEO_LOOK.samples)
        for picture, time in zip(faces, times):
            yield draw_overlay(picture, time / motion.fps, int(time + 0.5), title, None)
        return
    if neutral is None and isinstance(motion, Motion):
        neutral = learn_neutral_pose([motion])  # of the whole motion: pictures are made of parts of it
    trajectory = find_trajectory(motion, floor, neutral)
    cameras = _follow(motion, trajectory, times)
    for start in range(0, n_pictures, CHUNK):
        part = times[start : start + CHUNK]
        shown = _figures_at(motion, part, colour, neutral, drawn, markers)
        for figure, camera, time in zip(shown, cameras[start:], part):
            place = trajectory.centres[min(int(time + 0.5), motion.n_frames - 1), [0, 2]]
            below = make_footing(footing, time, place, radius=TERRAIN_SHOWN, around=SHOWN * motion.fps)
            figures = [figure, below] if len(below.triangles) else [figure]
            picture = render_frame(figures, camera, size, floor=trajectory.floor, look=VIDEO_LOOK)
            frame = int(time + 0.5)
            resting = None if contacts is None else contacts[min(frame, motion.n_frames - 1)]
            yield draw_overlay(picture, time / motion.fps, frame, title, resting)


def _figures_at(
    motion: Motion | PointMotion,
    times: np.ndarray,
    colour: tuple[float, float, float] | None,
    neutral: NeutralPose | None,
    drawn: DrawnPoints | None,
    markers: PointMotion | None,
) -> list[Figure]:
    if isinstance(motion, PointMotion):
        return make_figures(motion, np.round(times).astype(int), colour, drawn=drawn)
    figures = make_figures(sample(motion, times), np.arange(len(times)), colour, neutral=neutral)
    return figures if markers is None else with_markers(figures, markers, np.round(times).astype(int))


def _follow(motion: Motion | PointMotion, trajectory: Trajectory, times: np.ndarray) -> list[Camera]:
    """A camera diagonally in front that follows the figure smoothly at constant direction and distance."""
    centres, floor = trajectory.centres, trajectory.floor
    spread = motion.fps * 0.6  # frames: standard deviation of the smoothing, against shaking
    calm = np.stack([smooth(centres[:, c], spread) for c in range(3)], axis=-1)
    at = np.stack([np.interp(times, np.arange(motion.n_frames), calm[:, c]) for c in range(3)], axis=-1)
    heading = trajectory.direction - 0.9
    if isinstance(motion, PointMotion):
        tall = max(point_extent(motion), 0.05)
        return [look_from(point, heading, 2.5 * tall, elevation=0.2, field_of_view=0.5) for point in at]
    highest = float(kinematics.world_positions(motion)[..., 1].max()) + HEADROOM  # of jumps and raised hands too
    tall = max(highest - floor, 0.5)
    targets = np.stack([at[:, 0], np.full(len(at), floor + 0.44 * tall), at[:, 2]], axis=-1)
    return [look_from(target, heading, 2.5 * tall, elevation=0.22, field_of_view=0.5) for target in targets]


@contextmanager
def open_encoder(temporary: Path, path: Path, size: tuple[int, int], fps: float) -> Iterator[IO[bytes]]:
    """Start ffmpeg, which reads raw pictures from a pipe; its stderr becomes the error if it fails.

    Args:
        temporary: what it writes.
        path: what the file will be called, for the error.
        size: width and height in pixels.
        fps: pictures per second.
    """
    process = subprocess.Popen(
        _encoder_command(temporary, size, fps), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    try:
        with suppress(BrokenPipeError):  # it stopped early: its stderr is raised below
            yield process.stdin
    finally:
        words = (process.communicate()[1] or b"").decode(errors="replace").strip()
    if process.returncode != 0:
        reason = words.replace(str(temporary), str(path)) or "the encoder stopped"
        raise BadInput(f"{path} cannot be written as a video: {reason}")


def _encoder_command(path: str | Path, size: tuple[int, int], fps: float) -> list[str]:
    from imageio_ffmpeg import get_ffmpeg_exe

    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", f"{fps:g}", "-i", "-"]
    coding = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p"]
    tidy = ["-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-threads", "1"]
    return [get_ffmpeg_exe(), "-y", "-loglevel", "error", *source, *coding, *tidy, "-f", "mp4", str(path)]
