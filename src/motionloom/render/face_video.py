"""Pictures of a face for videos: from the front and from a quarter side by side, framed on it wherever it goes."""

from collections.abc import Iterator

import numpy as np

from motionloom.motion import PointMotion
from motionloom.motion.drawn_points import DrawnPoints
from motionloom.render.scene.face_shots import FacePoses, bare_look, face_camera, pose_face
from motionloom.render.scene.frame import render_frame
from motionloom.render.scene.point_figures import make_point_figure
from motionloom.render.scene.smoothing import smooth

SETTLES = 0.6  # seconds over which the camera follows a face
TURNING = np.pi / 2  # radians: only a face that turns farther is walked around
TURNS = 1.2  # seconds over which that is done
FARTHEST = 0.1  # of the height of the face that it gets away from the middle of the picture before the camera follows
SWAY = 1.2  # of what a still camera needs to show


def draw_face_pictures(
    motion: PointMotion,
    drawn: DrawnPoints,
    times: np.ndarray,
    size: tuple[int, int],
    colour: tuple[float, float, float] | None,
    samples: int,
) -> Iterator[np.ndarray]:
    """Draw a face at (N,) times in frames, each (H, W, 3) uint8; a wide picture shows it from two sides.

    Args:
        motion: of the face.
        drawn: what joins its markers.
        times: in frames of the motion.
        size: width and height in pixels.
        colour: of the markers, sRGB, 0 to 1; None for blue.
        samples: per pixel and axis.
    """
    poses, look = pose_face(motion, drawn), bare_look(samples)
    views = ("front", "quarter") if size[0] >= 1.3 * size[1] else ("front",)
    part = (size[0] // len(views), size[1])
    height = SWAY * max(poses.height, *(poses.widths[view] * part[1] / part[0] for view in views))
    centres, headings = _follow(motion, poses)
    for frame in np.minimum(times + 0.5, motion.n_frames - 1).astype(int).tolist():
        figure = make_point_figure(np.asarray(motion.positions[frame], float), drawn, colour)
        shots = [face_camera(centres[frame], headings[frame], height, view) for view in views]
        pictures = [render_frame([figure], shot, part, floor=-1e3, look=look) for shot in shots]
        yield _beside(pictures, size, look.backdrop)


def _follow(motion: PointMotion, poses: FacePoses) -> tuple[np.ndarray, np.ndarray]:
    """Where the camera looks (F, 3), and which heading (F,) it takes for the front."""
    calm = np.stack([smooth(poses.centres[:, axis], SETTLES * motion.fps) for axis in range(3)], axis=-1)
    behind = calm - poses.centres
    far = np.linalg.norm(behind, axis=1, keepdims=True) / (FARTHEST * poses.height)
    centres = poses.centres + behind / np.maximum(far, 1.0)
    if np.ptp(poses.headings) < TURNING:
        return centres, np.full(motion.n_frames, poses.heading)
    return centres, smooth(poses.headings, TURNS * motion.fps)


def _beside(pictures: list[np.ndarray], size: tuple[int, int], backdrop: tuple[float, float, float]) -> np.ndarray:
    """Pictures side by side, in the middle of one that may be a pixel wider."""
    page = np.empty((size[1], size[0], 3), np.uint8)
    page[:] = np.round(255 * np.array(backdrop))
    left = (size[0] - sum(picture.shape[1] for picture in pictures)) // 2
    for picture in pictures:
        page[:, left : left + picture.shape[1]] = picture
        left += picture.shape[1]
    return page
