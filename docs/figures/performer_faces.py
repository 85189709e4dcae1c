"""The picture of faces in docs/performer.md: each expression where it is shown most; a smile that comes and goes."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from motionloom.motion import PointMotion
from motionloom.motion.drawn_points import DrawnPoints, describe_drawn
from motionloom.performer import FacePerformance, Writer, perform_face
from motionloom.performer.face.markers import NAMES, NEUTRAL
from motionloom.render import look_from, render_frame
from motionloom.render.drawing import INK, write_text
from motionloom.render.scene.face_shots import LENS, bare_look
from motionloom.render.scene.point_figures import make_point_figure

SHOWN = (  # expression, label, options
    *((word, word, {}) for word in ("happiness", "surprise", "disgust", "fear", "anger", "sadness")),
    ("speak", "speaking: a", {"sounds": ("a", "a", "a")}),
    ("eat", "eating: a bite", {"mouthful": 3.0}),
    ("snore", "snoring", {}),
)
SIZE, METRES, MIDDLE = (250, 290), 0.25, np.array([0.0, 0.0, 0.05])


def draw_face(points: np.ndarray, drawn: DrawnPoints, title: str, turn: float = 0.0) -> Image.Image:
    """A face (40, 3) metres from the front, or from radians to its left."""
    camera = look_from(MIDDLE, turn, 0.5 * METRES / np.tan(LENS / 2), elevation=0.0, field_of_view=LENS)
    figure = make_point_figure(points, drawn)
    picture = Image.fromarray(render_frame([figure], camera, SIZE, floor=-1e3, look=bare_look()))
    write_text(ImageDraw.Draw(picture), (10, 8), title, 15, INK)
    return picture


def show(action: str, seconds: float = 4.0, **options: object) -> FacePerformance:
    score = Writer(action).then("rest", 1).then(action, seconds, **options).then("rest", 1).done()
    return perform_face(score, np.random.default_rng(3))


def most_active(face: FacePerformance) -> np.ndarray:
    """(40, 3) metres of the frame, without a blink, that is farthest from the first one."""
    still, blinking = face.still.positions, face.units["left_blink"] > 0.01
    away = np.linalg.norm(still - still[0], axis=-1).sum(axis=-1)
    return still[int(np.argmax(np.where(blinking, -1.0, away)))]


def draw() -> Image.Image:
    faces = [("at rest", show("rest").still.positions[0])]
    faces += [
        (title, most_active(show(action, 14.0 if action == "snore" else 4.0, **options)))
        for action, title, options in SHOWN
    ]
    smile = show("happiness", 3.0)
    drawn = describe_drawn(PointMotion(NAMES, np.tile(NEUTRAL / 1000, (2, 1, 1)), 120.0))
    times = (1.1, 1.25, 1.5, 3.3, 3.7)
    pictures = [draw_face(points, drawn, title) for title, points in faces]
    pictures += [
        draw_face(smile.still.positions[round(120 * t)], drawn, f"a smile, {t - 1:.2f} s", 0.45) for t in times
    ]
    width, height = SIZE
    page = Image.new("RGB", (5 * width, -(-len(pictures) // 5) * height))
    for number, picture in enumerate(pictures):
        page.paste(picture, (number % 5 * width, number // 5 * height))
    return page


if __name__ == "__main__":
    draw().save(Path(__file__).with_name("performer_faces.png"), optimize=True)
