"""Building up by hand: from the event of a dragged pose to its ghost and way, to other ways, from accepting to motion.

Real pointer events on the boxing takes, as in `latency`: the clock starts with the event's own time stamp and stops
when the ghost, or the first pose of the new motion while it plays, is handed to the renderer; the page's drawing calls
do not reach the renderer meanwhile, which draws in software here. An event whose place a newer one has overtaken is
answered with that one. Other ways are asked for when the drag pauses; the pause counts.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import browse, copy_of, look, serve, settle, until, wait_for_jobs

SCRIPT = Path(__file__).with_name("building_up.js")
N_STEPS = 12  # poses that are built
N_EVENTS = 40  # of the drag of each
PACE = 16  # milliseconds between two events, as a mouse sends them
REST = 400  # milliseconds that a drag pauses at its end


@dataclass(frozen=True)
class Took:
    """Milliseconds."""

    drags: list[float]
    others: list[float]
    plays: list[float]


def figures(data: Path) -> list[dict]:
    """A motion of the boxing takes is built up, pose by pose."""
    with (
        copy_of(corpora.boxing(data)) as corpus,
        browse() as browser,
        serve(corpus) as studio,
        look(browser, studio, goes=False) as page,
    ):
        page.add_init_script(path=SCRIPT)
        page.goto(studio.address)
        settle(page)
        open_buildup(page)
        page.evaluate("void (probe.draws = false)")
        took = build_up(page)
    return [
        *_figures("dragged pose to its ghost and way", took.drags),
        *_figures("dragged pose to the other ways", took.others),
        *_figures("accepted way to its motion, playing", took.plays),
        figure("build-up by hand; drag events", len(took.drags), "events", "higher"),
        figure("build-up by hand; accepted ways", len(took.plays), "steps", "higher"),
    ]


def open_buildup(page: Page) -> None:
    """Go to the build-up workspace, and wait until poses can be tried and nothing runs."""
    page.get_by_test_id("workspace-buildup").click()
    page.get_by_test_id("palette").wait_for()
    until(page, "document.querySelector('[data-testid=pose][data-reached=true]') !== null")
    wait_for_jobs(page)


def build_up(page: Page) -> Took:
    """Drag poses over the floor one after another, and accept each."""
    rng = np.random.default_rng(3)
    for number in range(N_STEPS + 1):
        if number == 1:
            page.evaluate("void (built.drags.length = built.others.length = built.plays.length = 0)")  # compiled now
        drag_pose(page, rng)
        page.get_by_test_id("accept").click()
        until(page, "built.accepted === 0 && !document.querySelector('[data-testid=accept]')")
        wait_for_jobs(page)
    return Took(**page.evaluate("({ drags: built.drags, others: built.others, plays: built.plays })"))


def drag_pose(page: Page, rng: np.random.Generator) -> None:
    """Drag a pose that can be had to and fro over the floor, and let it go there."""
    tiles = page.locator("[data-testid=pose][data-reached=true]")
    tile = tiles.nth(int(rng.integers(tiles.count())))
    tile.scroll_into_view_if_needed()
    box, view = tile.bounding_box(), page.get_by_test_id("canvas").bounding_box()
    assert box is not None and view is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    across, down = rng.uniform(0.3, 0.7), rng.uniform(0.6, 0.85)
    for angle in np.linspace(0, 2 * np.pi, N_EVENTS):
        x, y = across + 0.2 * np.sin(angle), down + 0.1 * np.cos(angle)
        page.mouse.move(view["x"] + view["width"] * x, view["y"] + view["height"] * y)
        page.wait_for_timeout(PACE)
    page.wait_for_timeout(REST)
    page.mouse.up()
    until(page, "document.querySelector('[data-testid=duration]') !== null")


def _figures(name: str, milliseconds: list[float]) -> list[dict]:
    return [
        figure(f"{name}; 95 %", float(np.percentile(milliseconds, 95)), "ms", "lower"),
        figure(f"{name}; median", float(np.median(milliseconds)), "ms", "lower"),
    ]
