"""Draw index_growth.png: how long the lists of nearest frames take, beside the search of all pairs.

Needs the recordings (MOTIONLOOM_DATA); without them the picture stays as it is.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from benchmarks.timeline.index_growth import all_pairs, grow, mirrored_takes, standing_takes

from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, new_page, write_text

INKS = ((200, 80, 60), (52, 110, 190), (60, 150, 90))
MINUTES = (12, 24, 47, 94)
SECONDS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200)
WIDTH, HEIGHT, TOP, BOTTOM, LEFT, BESIDE = 460, 360, 64, 56, 64, 300  # pixels of the chart and about it
FRAMES_PER_MINUTE = 3600

Curve = tuple[np.ndarray, np.ndarray]  # minutes, seconds


def main() -> None:
    data = os.environ.get("MOTIONLOOM_DATA")
    if data is None:
        return
    page = _draw(_measure(Path(data)))
    page.save(Path(__file__).with_suffix(".png"), optimize=True)


def _measure(data: Path) -> dict[str, Curve]:
    curves = {}
    for name, measure in (
        ("index", mirrored_takes(data)),
        ("index, half of the frames standing still", standing_takes(data)),
    ):
        growth = grow(measure)
        curves[name] = (np.array(growth.frames), np.array(growth.processor))
    sizes, seconds = all_pairs(mirrored_takes(data))
    curves = {"all pairs of frames": (np.array(sizes), np.array(seconds)), **curves}
    return {name: (frames / FRAMES_PER_MINUTE, seconds) for name, (frames, seconds) in curves.items()}


def _draw(curves: Mapping[str, Curve]):  # type: ignore[no-untyped-def]  # a page of Pillow, which is imported late
    page, pen = new_page(LEFT + WIDTH + BESIDE, TOP + HEIGHT + BOTTOM, (255, 255, 255))

    def to_page(minutes: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        x = LEFT + WIDTH * np.log(np.asarray(minutes) / MINUTES[0] / 0.95) / np.log(MINUTES[-1] / MINUTES[0] / 0.9)
        y = TOP + HEIGHT * np.log(SECONDS[-1] / np.asarray(seconds)) / np.log(SECONDS[-1] / SECONDS[0])
        return np.stack(np.broadcast_arrays(x, y), axis=-1)

    write_text(pen, (LEFT - 40, 8), "lists of nearest frames: processor seconds, against minutes of takes", 15, INK)
    for seconds in SECONDS:
        _, y = to_page(np.array(MINUTES[0]), np.array(seconds))
        pen.line((LEFT, y, LEFT + WIDTH, y), fill=RULE)
        write_text(pen, (LEFT - 8, y), f"{seconds:g}", 12, FAINT_INK, "rm")
    for minutes in MINUTES:
        x, y = to_page(np.array(minutes), np.array(SECONDS[0]))
        pen.line((x, y, x, y + 4), fill=FAINT_INK)
        write_text(pen, (x, y + 8), f"{minutes}", 12, FAINT_INK, "ma")
    write_text(pen, (LEFT + WIDTH / 2, TOP + HEIGHT + 28), "minutes", 12, FAINT_INK, "ma")
    lowest = -np.inf
    for (name, (minutes, seconds)), ink in zip(sorted(curves.items(), key=lambda named: -named[1][1][-1]), INKS):
        points = to_page(minutes, seconds)
        draw_path(page, points, ink, 2.0)
        for x, y in points:
            pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=ink)
        exponent = np.polyfit(np.log(minutes), np.log(seconds), 1)[0]
        lowest = max(float(points[-1, 1]), lowest + 16)  # names do not stand on each other
        write_text(pen, (points[-1, 0] + 8, lowest), f"{name}: exponent {exponent:.2f}", 12, ink, "lm")
    return page


if __name__ == "__main__":
    main()
