"""The picture of docs/kit/path_editing.md: one walk bent to three ends, seen from above with its footprints."""

from pathlib import Path

import numpy as np

from motionloom import performer
from motionloom.constraints import GroundTarget, bend_path
from motionloom.features.contacts import detect_contacts
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, kinematics
from motionloom.motion.placement import direction_of
from motionloom.render import find_footprints
from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, draw_polygon, new_page, write_text

SCALE, MARGIN = 80, 40  # pixels per metre, pixels
INKS = ((52, 110, 190), (200, 80, 60), (60, 150, 90))
PALE = ((190, 212, 236), (240, 205, 198), (196, 226, 206))


def draw(path: Path, motion: Motion, targets: list[GroundTarget]) -> None:
    """Draw a motion and its bends from above: footprints, path, and an arrow twice a second where the body faces."""
    contacts = detect_contacts(motion, 0.0)
    bent = [bend_path(motion, [target], contacts).motion for target in targets]
    grounds = [_facing(shown)[1] for shown in (motion, *bent)]
    low, high = np.concatenate(grounds).min(axis=0) - 0.4, np.concatenate(grounds).max(axis=0) + 0.4
    size = ((high - low) * SCALE).astype(int) + 2 * MARGIN

    def to_page(xz: np.ndarray) -> np.ndarray:
        return MARGIN + np.stack([high[0] - xz[..., 0], high[1] - xz[..., 1]], axis=-1) * SCALE

    page, pen = new_page(int(size[0]), int(size[1]), (255, 255, 255))
    for metre in range(int(np.floor(low[1])), int(np.ceil(high[1])) + 1):
        y = to_page(np.array([0.0, metre]))[1]
        pen.line((0, y, int(size[0]), y), fill=RULE)
    for shown, ink, pale in zip((motion, *bent), (INK, *INKS), (RULE, *PALE)):
        for footprint in find_footprints(shown, contacts):
            draw_polygon(page, to_page(footprint.outline), pale)
        headings, ground = _facing(shown)
        draw_path(page, to_page(ground), ink, 2.0)
        for frame in (*range(0, shown.n_frames, 30), shown.n_frames - 1):
            draw_path(page, to_page(ground[frame] + np.outer([0, 0.22], direction_of(headings[frame]))), ink, 2.0)
    for target, ink in zip(targets, INKS):
        x, y = to_page(np.asarray(target.position))
        pen.ellipse((x - 8, y - 8, x + 8, y + 8), outline=ink, width=3)
    write_text(pen, (12, int(size[1]) - 12), "1 m between lines; black: as performed", 14, FAINT_INK, "ls")
    page.save(path, optimize=True)


def _facing(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    return find_facing(motion.skeleton, kinematics.world_positions(motion))


if __name__ == "__main__":
    score = performer.Writer("walk").then("walk", 7).done()
    walk = performer.perform(score, np.random.default_rng(1)).motion
    headings, ground = _facing(walk)
    ends = ((1.0, 0.0, 30), (-1.0, 0.0, -30), (0.7, -0.7, -30))
    draw(
        Path(__file__).parent / "path_editing.png",
        walk,
        [GroundTarget(-1, ground[-1] + [x, z], headings[-1] + np.radians(turn)) for x, z, turn in ends],
    )
