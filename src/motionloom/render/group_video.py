"""Group videos: several bodies on one floor and clock as one MP4, from a side on which nobody hides another."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from motionloom.body import NeutralPose, learn_neutral_pose
from motionloom.errors import BadInput
from motionloom.formats.atomic_write import replacing
from motionloom.motion import Motion, kinematics, sample
from motionloom.render.scene.camera import Camera, look_from
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import make_figures
from motionloom.render.scene.frame import render_frame
from motionloom.render.scene.smoothing import smooth
from motionloom.render.scene.trajectory import find_centres
from motionloom.render.video import CHUNK, HEADROOM, VIDEO_LOOK, open_encoder
from motionloom.render.video_overlay import draw_overlay

COLOURS = (
    (0.80, 0.43, 0.36),
    (0.38, 0.52, 0.74),
    (0.42, 0.62, 0.44),
    (0.72, 0.60, 0.34),
)  # sRGB, one body after another
SIDEWAYS = np.pi / 2 - 0.35  # radians from the line between bodies to where the camera is
ROOM = 0.9  # metres beside the outermost body
WIDTH_SEEN = 0.42  # of the distance to the camera, to either side, in the narrowest picture that is usual
SETTLES = 0.6  # seconds over which the camera follows


def write_group_video(
    path: str | Path,
    motions: Sequence[Motion],
    *,
    fps: float = 30,
    size: tuple[int, int] = (960, 540),
    title: str | None = None,
    floor: float = 0.0,
    neutrals: Sequence[NeutralPose | None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Render bodies together in real time to an MP4; who is done stays in its last pose.

    Args:
        path: of the file.
        motions: bodies on the same floor and clock, at one rate.
        fps: pictures per second.
        size: width and height in pixels, both even.
        title: text in the corner.
        floor: metres, the height of the ground.
        neutrals: neutral pose of each body; None, for all or one, to learn it from the motion.
        progress: called as progress(pictures_done, pictures_total).
    """
    if not motions or min(motion.n_frames for motion in motions) == 0:
        raise BadInput("a motion has no frames; give at least one body, and a frame of each")
    if len({motion.fps for motion in motions}) > 1:
        raise BadInput("bodies in one video need one rate; resample them first")
    seconds = max(motion.n_frames for motion in motions) / motions[0].fps
    times = np.arange(max(1, int(np.floor(seconds * fps + 1e-6)))) * (motions[0].fps / fps)  # in frames
    known = [None] * len(motions) if neutrals is None else list(neutrals)
    skins = [neutral or learn_neutral_pose([motion]) for neutral, motion in zip(known, motions)]
    cameras = _follow(motions, times, floor, fps)
    with replacing(path) as temporary, open_encoder(temporary, Path(path), size, fps) as sink:
        for start in range(0, len(times), CHUNK):
            part = times[start : start + CHUNK]
            every = [_figures_at(*each, part) for each in zip(motions, skins, _colours(len(motions)))]
            for number, figures in enumerate(zip(*every)):
                picture = render_frame(figures, cameras[start + number], size, floor=floor, look=VIDEO_LOOK)
                time = part[number]
                drawn = draw_overlay(picture, time / motions[0].fps, int(time + 0.5), title, None)
                sink.write(drawn.tobytes())
                if progress is not None:
                    progress(start + number + 1, len(times))


def _figures_at(
    motion: Motion, neutral: NeutralPose, colour: tuple[float, float, float], times: np.ndarray
) -> list[Figure]:
    shown = sample(motion, np.minimum(times, motion.n_frames - 1))
    return make_figures(shown, np.arange(len(times)), colour, side_tint=0.0, neutral=neutral)


def _colours(count: int) -> list[tuple[float, float, float]]:
    return [COLOURS[number % len(COLOURS)] for number in range(count)]


def _follow(motions: Sequence[Motion], times: np.ndarray, floor: float, fps: float) -> list[Camera]:
    """A camera that follows the middle of all bodies, in a constant direction, from so far that all are seen."""
    frames = np.round(times).astype(int)
    centres = [find_centres(motion)[np.minimum(frames, motion.n_frames - 1)] for motion in motions]
    middle = np.mean(centres, axis=0)
    at = np.stack([smooth(middle[:, c], fps * SETTLES) for c in (0, 2)], axis=-1)
    away = max(float(np.linalg.norm(own[:, [0, 2]] - at, axis=1).max()) for own in centres)
    highest = max(float(kinematics.world_positions(motion)[..., 1].max()) for motion in motions)
    tall = max(highest + HEADROOM - floor, 0.5)
    between = (centres[-1] - centres[0])[:, [0, 2]].mean(axis=0)
    heading = float(np.arctan2(between[0], between[1])) + SIDEWAYS
    distance = max(2.5 * tall, (away + ROOM) / WIDTH_SEEN)
    return [
        look_from(np.array([x, floor + 0.44 * tall, z]), heading, distance, elevation=0.22, field_of_view=0.5)
        for x, z in at
    ]
