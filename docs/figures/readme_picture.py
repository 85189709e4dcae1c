"""Draw the picture of the README: one take of the demo corpus over time, with its footprints."""

from pathlib import Path

import numpy as np
from PIL import Image

from motionloom import performer
from motionloom.features.contacts import CONTACT_POINTS
from motionloom.motion import Motion, Placement, place
from motionloom.render import Figure, Look, find_footprints, look_from, make_figures, make_footprints, render_frame

TAKE = "jump/run_and_jump_1"
SECONDS = (1.1, 3.5)  # of the take
N_POSES = 10
SIZE = (1400, 460)
TARGET = Path(__file__).with_name("motionloom.png")


def main() -> None:
    performance = next(p for p in performer.perform_demo(seed=1) if p.name == TAKE)
    motion = _along_x(performance.motion)
    frames = np.round(np.linspace(*SECONDS, N_POSES) * motion.fps).astype(int)
    figures = [*make_figures(motion, frames, side_tint=0.45), _footprints(motion, performance.contacts)]
    middle = (motion.root_positions[frames[0]] + motion.root_positions[frames[-1]]) / 2
    way = float(np.linalg.norm(motion.root_positions[frames[-1]] - motion.root_positions[frames[0]]))
    camera = look_from(
        np.array([middle[0], 0.78, middle[2]]), 0.12, 2.35 * (way + 1.2), elevation=0.2, field_of_view=0.155
    )
    picture = render_frame(figures, camera, SIZE, look=Look(fade=0.75 * way, samples=4))
    Image.fromarray(picture).quantize(200, dither=Image.Dither.FLOYDSTEINBERG).save(TARGET, optimize=True)


def _along_x(motion: Motion) -> Motion:
    """Turn a motion so that it runs from left to right, and let it pass the origin."""
    first, last = motion.root_positions[0], motion.root_positions[-1]
    heading = np.arctan2(last[0] - first[0], last[2] - first[2])
    turned = place(motion, Placement(float(np.pi / 2 - heading), np.zeros(2)))
    return place(turned, Placement(0.0, -turned.root_positions[0][[0, 2]]))


def _footprints(motion: Motion, contacts: list) -> Figure:
    resting = np.zeros((motion.n_frames, 4), bool)
    for contact in contacts:
        if contact.point in CONTACT_POINTS:
            resting[contact.start : contact.stop, CONTACT_POINTS.index(contact.point)] = True
    return make_footprints(find_footprints(motion, resting))


if __name__ == "__main__":
    main()
