"""The head that carries the face: where it is in every frame, and the face put on it and taken off again."""

from collections.abc import Mapping

import numpy as np

from motionloom.motion import rotations
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.noise import smooth_noise

PIVOT = np.array([0.0, -0.07, -0.025])  # metres from between the ears to where the head turns on the neck
PLACE = np.array([0.0, 1.25, 0.0])  # metres, world: between the ears of somebody who sits
SWAY = {  # root mean square of small movements, radians or metres, and their period in seconds
    "pitch": (0.012, 3.0),
    "yaw": (0.011, 3.5),
    "roll": (0.008, 4.0),
    "left": (0.0010, 3.0),
    "up": (0.0006, 4.0),
    "forward": (0.0012, 3.5),
}


def sway(stage: FaceStage, part: float = 1.0) -> None:
    """Add the small movements of a head that nobody holds."""
    for axis, (amount, period) in SWAY.items():
        noise = smooth_noise(stage.rng, len(stage.times), stage.fps, period)
        stage.head[axis] += part * amount * noise


def place_head(head: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Rotations (F, 4) wxyz and positions (F, 3) metres of the head in the world: of the point between the ears."""
    yaw, pitch, roll = (
        rotations.about_axis(np.array(axis), head[name])
        for name, axis in (("yaw", (0.0, 1.0, 0.0)), ("pitch", (1.0, 0.0, 0.0)), ("roll", (0.0, 0.0, 1.0)))
    )
    turned = rotations.multiply(rotations.multiply(yaw, pitch), roll)
    slide = np.stack([head["left"], head["up"], head["forward"]], axis=-1)
    return turned, PLACE + PIVOT + slide - rotations.rotate(turned, np.broadcast_to(PIVOT, slide.shape))


def put_on(face: np.ndarray, turned: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(F, M, 3) metres in the world of points in the frame of a head that has rotations (F, 4) and positions (F, 3)."""
    return rotations.rotate(turned[:, None], face) + places[:, None]


def take_off(points: np.ndarray, turned: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The points in the frame of the head: the inverse of `put_on`."""
    return rotations.rotate(rotations.inverse(turned)[:, None], points - places[:, None])
