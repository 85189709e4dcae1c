"""Draw the picture of the README: one take of the demo corpus over time, with its footprints."""

from pathlib import Path

import numpy as np
from PIL import Image

from motionloom import performer
from motionloom.features.contacts import CONTACT_POINTS
from motionloom.motion import Motion, Placement, place
from motionloom.performer import Performance
from motionloom.render import Figure, Look, find_footprints, look_from, make_figures, make_footprints, render_frame

TAKE, LABEL = "jump/run_and_jump_1", "jump"
BEFORE, AFTER = 1.0, 0.7  # seconds around the first time that the label holds
N_POSES = 9
SIZE = (1400, 470)
TARGET = Path(__file__).with_name("motionloom.png")


def main() -> None:
    performance = next(p for p in performer.perform_demo(seed=1) if p.name == TAKE)
    label = next(label for label in performance.labels if label.label == LABEL)
    motion = _along_x(performance.motion)
    start, stop = label.start - BEFORE * motion.fps, label.stop + AFTER * motion.fps
    frames = np.linspace(max(start, 0), min(stop, motion.n_frames - 1), N_POSES).round().astype(int)
    ground = motion.root_positions[frames][:, [0, 2]]
    (middle_x, middle_z), way = (ground[0] + ground[-1]) / 2, float(np.linalg.norm(ground[-1] - ground[0]))
    camera = look_from(
        np.array([middle_x + 0.1, 0.7, middle_z]), 0.25, 2.2 * (way + 1.6), elevation=0.3, field_of_view=0.16
    )
    figures = [*make_figures(motion, frames, side_tint=0.45), _footprints(motion, performance)]
    picture = render_frame(figures, camera, SIZE, look=Look(fade=0.8 * way, samples=4))
    Image.fromarray(picture).save(TARGET, optimize=True)


def _along_x(motion: Motion) -> Motion:
    """Turn a motion so that it runs from left to right."""
    first, last = motion.root_positions[0], motion.root_positions[-1]
    heading = np.arctan2(last[0] - first[0], last[2] - first[2])
    return place(motion, Placement(float(np.pi / 2 - heading), np.zeros(2)))


def _footprints(motion: Motion, performance: Performance) -> Figure:
    resting = np.zeros((motion.n_frames, len(CONTACT_POINTS)), bool)
    for contact in performance.contacts:
        if contact.point in CONTACT_POINTS:
            resting[contact.start : contact.stop, CONTACT_POINTS.index(contact.point)] = True
    return make_footprints(find_footprints(motion, resting), opacity=0.65)


if __name__ == "__main__":
    main()
