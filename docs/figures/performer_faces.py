"""The picture of faces in docs/performer.md: each expression where it is shown most; a smile that comes and goes."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from motionloom.performer import FacePerformance, Writer, perform_face
from motionloom.performer.face.markers import INDEX, NAMES, SIDES

SHOWN = (  # expression, label, options
    *((word, word, {}) for word in ("happiness", "surprise", "disgust", "fear", "anger", "sadness")),
    ("speak", "speaking: a", {"sounds": ("a", "a", "a")}),
    ("eat", "eating: a bite", {"mouthful": 3.0}),
    ("snore", "snoring", {}),
)
SIZE, MILLIMETRES, INK, LIPS, DOTS = (250, 290), 215.0, (90, 96, 110), (196, 72, 66), (44, 102, 176)
MOUTH = ("left_mouth_corner", "left_side_upper_lip", "upper_lip", "right_side_upper_lip", "right_mouth_corner")
LOWER = ("right_side_lower_lip", "lower_lip", "left_side_lower_lip", "left_mouth_corner")
LINES = (
    *(tuple(f"{side}_{part}_brow" for part in ("outer", "middle", "inner")) for side in SIDES),
    *(
        tuple(f"{side}_{part}" for part in ("outer_eye", "upper_lid", "inner_eye", "lower_lid", "outer_eye"))
        for side in SIDES
    ),
    ("glabella", "nose_bridge", "nose_tip"),
    ("left_nostril", "nose_tip", "right_nostril"),
    ("left_ear", "left_jaw", "chin", "right_jaw", "right_ear"),
    ("left_ear", "left_forehead", "forehead_top", "right_forehead", "right_ear"),
)


def draw_face(points: np.ndarray, title: str, turn: float = 0.0) -> Image.Image:
    """A face (40, 3) metres from the front, or turned by radians."""
    width, height = SIZE
    picture = Image.new("RGB", SIZE, (246, 247, 249))
    pen = ImageDraw.Draw(picture)
    across = points[:, 0] * np.cos(turn) - points[:, 2] * np.sin(turn)
    scale = 1000 * width / MILLIMETRES
    places = np.stack([width / 2 + scale * across, 0.54 * height - scale * (points[:, 1] - 0.005)], axis=-1)
    for line, colour in [(line, INK) for line in LINES] + [((*MOUTH, *LOWER), LIPS)]:
        pen.line([tuple(places[INDEX[name]]) for name in line], fill=colour, width=2)
    for x, y in places:
        pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=DOTS)
    pen.text((10, 8), title, fill=(40, 44, 52), font=ImageFont.load_default(15))
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
    times = (1.1, 1.25, 1.5, 3.3, 3.7)
    pictures = [draw_face(points, title) for title, points in faces]
    pictures += [draw_face(smile.still.positions[round(120 * t)], f"a smile, {t - 1:.2f} s", 0.45) for t in times]
    width, height = SIZE
    page = Image.new("RGB", (5 * width, -(-len(pictures) // 5) * height), (246, 247, 249))
    for number, picture in enumerate(pictures):
        page.paste(picture, (number % 5 * width, number // 5 * height))
    return page


if __name__ == "__main__":
    assert {name for line in (*LINES, MOUTH, LOWER) for name in line} <= set(NAMES)
    draw().save(Path(__file__).with_name("performer_faces.png"), optimize=True)
