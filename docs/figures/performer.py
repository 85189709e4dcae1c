"""The picture at the head of docs/performer.md: a walk that becomes a run and a leap, beside its foot contacts."""

from pathlib import Path

import numpy as np

from motionloom import render
from motionloom.motion import cut
from motionloom.performer import demo_scores, perform

TAKE, START, STOP = "mixed/play", 230, 410
POINTS = ("left_heel", "left_ball", "right_heel", "right_ball")

if __name__ == "__main__":
    score = next(score for score in demo_scores() if score.name == TAKE)
    performance = perform(score, np.random.default_rng(1))
    contacts = np.zeros((performance.motion.n_frames, len(POINTS)), bool)
    for contact in performance.contacts:
        contacts[contact.start : contact.stop, POINTS.index(contact.point)] = True
    render.write_contact_sheet(
        Path(__file__).with_suffix(".png"),
        cut(performance.motion, START, STOP),
        contacts=contacts[START:STOP],
        title="walk, run, leap",
        n_poses=14,
        floor=0.0,
    )
