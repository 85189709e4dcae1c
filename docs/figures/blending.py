"""The picture of docs/kit/blending.md: one cut between two takes, joined in every way, frame by frame."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from motionloom import blending, performer
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, Placement, compose, invert, kinematics
from motionloom.render import Look, look_from, make_figures, render_frame
from motionloom.render.drawing import FAINT_INK, RULE, draw_path, new_page, write_text

KINDS = {
    "plain cut": lambda *motions, **frames: blending.spread_offset(*motions, seconds=0.0, **frames),
    "spread offset": blending.spread_offset,
    "crossfade": blending.crossfade,
    "inertia": blending.inertialize,
    "displacement": blending.displace_join,
}
INKS = {
    "plain cut": (200, 60, 50),
    "spread offset": (214, 150, 40),
    "crossfade": (60, 150, 90),
    "inertia": (50, 110, 200),
    "displacement": (120, 70, 170),
}
REACH = 18  # frames to either side that are drawn
TILE = (104, 170)
LEFT, CHART = 110, 200  # pixels


def draw(
    path: Path, motions: tuple[Motion, Motion], frames: tuple[int, int], *, joint: str = "left_hand", every: int = 3
) -> None:
    """Draw one cut joined in every way: poses from the side, then the speed of one joint through the join."""
    first, second = motions
    leave, enter = frames
    placement = compose(_facing(first, leave), invert(_facing(second, enter)))
    joined = {
        name: join(first, second, leave=leave, enter=enter, placement=placement).motion for name, join in KINDS.items()
    }
    shown = np.arange(leave - REACH, leave + REACH + 1, every)
    page, pen = new_page(LEFT + len(shown) * TILE[0], len(KINDS) * TILE[1] + CHART, (255, 255, 255))
    centres = joined["displacement"].root_positions
    side = _facing(first, leave).heading - np.pi / 2
    for row, (name, motion) in enumerate(joined.items()):
        write_text(pen, (LEFT - 10, (row + 0.5) * TILE[1]), name, 14, INKS[name], "rm")
        for column, figure in enumerate(make_figures(motion, shown)):
            target = centres[shown[column]] * [1, 0, 1] + [0, 0.85, 0]
            camera = look_from(target, side, 9.0, elevation=0.12, field_of_view=0.24)
            tile = render_frame([figure], camera, TILE, look=Look(grid=0.5))
            page.paste(Image.fromarray(tile), (LEFT + column * TILE[0], row * TILE[1]))
    _chart(page, pen, joined, joint, leave, (LEFT, len(KINDS) * TILE[1] + 30, len(shown) * TILE[0], CHART - 60))
    page.save(path, optimize=True)


def _chart(
    page: Image.Image,
    pen: ImageDraw.ImageDraw,
    joined: dict[str, Motion],
    joint: str,
    leave: int,
    box: tuple[int, int, int, int],
) -> None:
    left, top, width, height = box
    shown = np.arange(leave - REACH, leave + REACH + 1)
    speeds = {name: _speeds(motion, joint)[shown] for name, motion in joined.items()}
    highest = max(np.percentile(values, 98) for values in speeds.values()) * 1.1
    pen.line((left + width / 2, top, left + width / 2, top + height), fill=RULE, width=2)
    pen.line((left, top + height, left + width, top + height), fill=RULE)
    for name, values in speeds.items():
        x = left + (np.arange(len(shown)) + 0.5) / len(shown) * width
        y = top + height * (1 - np.minimum(values / highest, 1.0))
        draw_path(page, np.stack([x, y], axis=-1), INKS[name], 2.0)
    write_text(pen, (left - 10, top + height / 2), f"speed, {joint.replace('_', ' ')}", 12, FAINT_INK, "rm")
    write_text(pen, (left - 10, top), f"{highest:.1f} m/s", 11, FAINT_INK, "rm")
    write_text(pen, (left + width / 2, top + height + 6), "the join", 12, FAINT_INK, "ma")
    write_text(pen, (left + width, top + height + 6), f"+{REACH} frames", 12, FAINT_INK, "ra")


def _speeds(motion: Motion, joint: str) -> np.ndarray:
    positions = kinematics.world_positions(motion)[:, motion.skeleton.index(joint)]
    return np.linalg.norm(np.gradient(positions, 1 / motion.fps, axis=0), axis=-1)


def _facing(motion: Motion, frame: int) -> Placement:
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    return Placement(float(headings[frame]), ground[frame])


if __name__ == "__main__":
    takes = {p.name: p.motion for p in performer.perform_demo(seed=1)}
    draw(Path(__file__).with_suffix(".png"), (takes["walk/brisk"], takes["run/jog"]), (285, 293))
