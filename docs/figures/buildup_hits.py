"""Draw buildup_three_targets.png, buildup_pick_up_targets.png and buildup_two_boxers.png: the moments of exact hits."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from motionloom.assembly import Result, prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import buildup
from motionloom.motion import Motion
from motionloom.performer import make_demo_corpus
from motionloom.render import Camera, Figure, Look, look_from, make_figures, render_frame
from motionloom.render.drawing import FAINT_INK, INK, new_page, write_text

FOLDER = Path(__file__).parent
REQUESTS = FOLDER.parents[1] / "examples" / "sequences"
PICTURES = {  # title, and in radians from where it is seen: the direction on the ground, 0 from +z, and how high
    "three_targets": ("three targets are punched one after another", 2.5, 0.24),
    "pick_up_targets": ("three targets on the floor, with the hand that is nearer", 1.9, 0.38),
    "two_boxers": ("three punches at the chin of somebody who steps back in the moment of each", 1.57, 0.2),
}
PANEL, GAP, HEADER, CAPTION = (464, 400), 4, 52, 34  # pixels
PAPER, COLOURS_KEPT = (246, 247, 249), 256
WAITING, HIT = (0.86, 0.33, 0.22), (0.62, 0.64, 0.68)  # sRGB, 0 to 1
BODIES = (((0.70, 0.71, 0.74),), ((0.80, 0.43, 0.36), (0.38, 0.52, 0.74)))  # of one body, of two
TRAILS = (((0.24, 0.47, 0.75),), BODIES[1])
BALL, DOT = (0.055, 0.03), 0.014  # metres, radii of targets that stay or move, and of trails
EVERY, SECONDS = 0.05, 4.0  # seconds between the dots of a trail, and that it is long
BEFORE, GHOST = (0.4, 0.9), 0.22  # seconds before a hit that are shown too, and their opacity
ROOM, HALF_WIDTH, VIEW = 0.55, 0.247, 0.42  # metres around all; tangent of half the view across; radians of it upright


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, make_demo_corpus(Path(folder) / "corpus") as corpus:
        for name, (title, heading, elevation) in PICTURES.items():
            draw_hits(FOLDER / f"buildup_{name}.png", make(corpus, name), title, heading, elevation)


def make(corpus: Corpus, name: str) -> Result:
    """The result of a request of the examples."""
    request = buildup.Request.read(REQUESTS / f"{name}.yaml")
    model = prepare_for(buildup, corpus, request)
    return realize(buildup, solve(buildup, model, request)[0], model)


def draw_hits(path: Path, result: Result, title: str, heading: float, elevation: float) -> None:
    """Draw a panel for each hit of a result, all seen from the same place."""
    hits = sorted(result.report.details["hits"], key=lambda hit: hit["frame"])
    motions = [character.motion for character in result.characters if isinstance(character.motion, Motion)]
    camera = _camera(hits, motions, heading, elevation)
    page, pen = new_page(len(hits) * (PANEL[0] + GAP) - GAP, HEADER + PANEL[1] + CAPTION, PAPER)
    write_text(pen, (16, 15), title, 19, INK)
    for number, hit in enumerate(hits):
        left = number * (PANEL[0] + GAP)
        page.paste(Image.fromarray(_draw_panel(hits, number, motions, camera)), (left, HEADER))
        when = f"{hit['joint'].replace('_', ' ')}, {hit['frame'] / motions[0].fps:.1f} s"
        write_text(pen, (left + 16, HEADER + PANEL[1] + 8), when, 14, FAINT_INK)
    page.quantize(COLOURS_KEPT).save(path, optimize=True)


def _camera(hits: Sequence[Mapping[str, Any]], motions: Sequence[Motion], heading: float, elevation: float) -> Camera:
    """From where all targets are seen, and all bodies in the moments of their hits."""
    stands = [motion.root_positions[min(hit["frame"], motion.n_frames - 1)] for motion in motions for hit in hits]
    seen = np.array([*(hit["point"] for hit in hits), *stands])
    across = seen @ np.array([np.cos(heading), 0.0, -np.sin(heading)])
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    middle[1] = 0.8
    return look_from(
        middle, heading, (np.ptp(across) / 2 + ROOM) / HALF_WIDTH + 1.0, elevation=elevation, field_of_view=VIEW
    )


def _draw_panel(
    hits: Sequence[Mapping[str, Any]], number: int, motions: Sequence[Motion], camera: Camera
) -> np.ndarray:
    """The moment of a hit; what one body did just before is faint."""
    is_alone = len(motions) == 1
    figures = [_targets(hits, number, is_alone)]
    for motion, colour, trail in zip(motions, BODIES[not is_alone], TRAILS[not is_alone]):
        frame = min(hits[number]["frame"], motion.n_frames - 1)
        before = [max(frame - round(back * motion.fps), 0) for back in BEFORE] if is_alone else []
        now, *ghosts = make_figures(motion, [frame, *before], colour, side_tint=0.3 * is_alone)
        figures += [now, _trail(motion, frame, trail)]
        figures += [replace(ghost, opacity=GHOST, casts_shadow=False) for ghost in ghosts]
    return render_frame(figures, camera, PANEL, look=Look(fade=3.5, samples=4))


def _targets(hits: Sequence[Mapping[str, Any]], number: int, is_alone: bool) -> Figure:
    """The targets, grey once they were hit, as in the studio; one that moves is shown in its moment alone."""
    shown = list(hits) if is_alone else [hits[number]]
    return Figure(
        balls=np.array([hit["point"] for hit in shown], float),
        ball_radii=np.full(len(shown), BALL[0] if is_alone else BALL[1]),
        ball_colours=np.array([HIT if hit["frame"] < hits[number]["frame"] else WAITING for hit in shown]),
    )


def _trail(motion: Motion, frame: int, colour: tuple[float, float, float]) -> Figure:
    """Where the hips were over the ground."""
    frames = np.arange(frame, max(frame - round(SECONDS * motion.fps), -1), -max(round(EVERY * motion.fps), 1))
    dots = motion.root_positions[frames] * [1.0, 0.0, 1.0] + [0.0, 0.008, 0.0]
    return Figure(
        balls=dots,
        ball_radii=np.full(len(dots), DOT),
        ball_colours=np.tile(colour, (len(dots), 1)),
        casts_shadow=False,
    )


if __name__ == "__main__":
    main()
