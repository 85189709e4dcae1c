"""The pictures of docs/performer.md: a walk that becomes a run and a leap; a fight; each beside its foot contacts."""

from pathlib import Path

import numpy as np

from motionloom import render
from motionloom.motion import cut
from motionloom.performer import demo_scores, perform

PICTURES = (  # file, take, first frame, frame after the last one, title
    ("performer.png", "mixed/play", 230, 410, "walk, run, leap"),
    ("performer_fight.png", "fight/walk_up_1", 303, 615, "jab, cross, duck, kick"),
)
POINTS = ("left_heel", "left_ball", "right_heel", "right_ball")


def draw(file: str, take: str, start: int, stop: int, title: str) -> None:
    score = next(score for score in demo_scores() if score.name == take)
    performance = perform(score, np.random.default_rng(1))
    contacts = np.zeros((performance.motion.n_frames, len(POINTS)), bool)
    for contact in performance.contacts:
        contacts[contact.start : contact.stop, POINTS.index(contact.point)] = True
    render.write_contact_sheet(
        Path(__file__).with_name(file),
        cut(performance.motion, start, stop),
        contacts=contacts[start:stop],
        title=title,
        n_poses=14,
        floor=0.0,
    )


if __name__ == "__main__":
    for picture in PICTURES:
        draw(*picture)
