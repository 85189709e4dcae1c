"""From a pointer event to what it makes of the picture: scrubbing on the ruler, and a waypoint dragged on the ground.

Real pointer events. The clock starts with the event's own time stamp, so that waiting in the browser counts, and stops
when the new pose, its frames there, or the new place is handed to the renderer. Chromium holds pointer moves back until
its renderer is ready for the next frame: drawing in software, that is the renderer's time and none of the studio's. So
everything is measured twice: with the drawing calls of the page kept from the renderer, which is what a target is set
for, and as it is here, beside the time that the renderer takes from frame to frame.
"""

from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import browse, copy_of, look, open_library, serve, until, wait_for_jobs
from benchmarks.studio.painting import drag_waypoint, open_timeline, place_waypoint

TAKE = "football_like/33_01"  # the longest of the set
N_EVENTS = 240
N_JUMPS = 60
PACE = 16  # milliseconds between two events, as a mouse sends them


def figures(data: Path) -> list[dict]:
    """Scrubbing in a take of the football set, then dragging a waypoint in a timeline on it."""
    with (
        copy_of(corpora.football(data)) as corpus,
        browse() as browser,
        serve(corpus) as studio,
        look(browser, studio) as page,
    ):
        choose_take(page, TAKE)
        drawn_scrubs = scrub(page, N_EVENTS)
        times = page.evaluate("motionloom.stage.view.statistics()")
        page.evaluate("void (probe.draws = false)")
        scrubs, jumps = scrub(page, N_EVENTS), jump(page, N_JUMPS)
        page.evaluate("void (probe.draws = true)")
        open_timeline(page)
        disc = place_waypoint(page)
        wait_for_jobs(page)
        drawn_drags = drag_waypoint(page, disc, N_EVENTS)
        page.evaluate("void (probe.draws = false)")
        drags = drag_waypoint(page, disc, N_EVENTS)
    return [
        *_figures("scrub event to the new pose", scrubs),
        *_figures("waypoint drag event to the new place", drags),
        *_figures("scrub event into frames that are not there yet to the new pose", jumps),
        *_figures("scrub event to the new pose, drawn in software", drawn_scrubs),
        *_figures("waypoint drag event to the new place, drawn in software", drawn_drags),
        figure("software renderer; frame to frame; median", _share(times["betweenMilliseconds"], 50), "ms", "lower"),
        figure("software renderer; frame to frame; 95 %", _share(times["betweenMilliseconds"], 95), "ms", "lower"),
        figure("script of a frame of the 3D view; 95 %", _share(times["frameMilliseconds"], 95), "ms", "lower"),
    ]


def choose_take(page: Page, take: str) -> None:
    """Find a take and look at it, as a person does."""
    open_library(page)
    page.get_by_test_id("search").fill(take)
    page.locator(f'[data-take="{take}"]').click()
    until(page, f"motionloom.stage.player.motion?.info.id === 'take:{take}'")
    until(page, "motionloom.stage.members[0].body && !motionloom.studio.isLoading")
    wait_for_jobs(page)


def scrub(page: Page, count: int) -> list[float]:
    """Drag the playhead to and fro over all of the take; milliseconds of each event."""
    left, width, y = _ruler(page)
    page.mouse.move(left, y)
    page.mouse.down()
    page.evaluate("void (probe.moves.length = probe.waiting.length = 0)")
    for number in range(count):
        share = 0.5 - 0.5 * np.cos(4 * np.pi * (number + 1) / count)
        page.mouse.move(left + width * share, y)
        page.wait_for_timeout(PACE)
    until(page, "probe.waiting.length === 0")  # the last pose is there, too
    moves = page.evaluate("probe.moves")
    page.mouse.up()
    return moves


def jump(page: Page, count: int) -> list[float]:
    """Move the playhead far away at once, where the page has let go of the frames; milliseconds of each event."""
    left, width, y = _ruler(page)
    rng = np.random.default_rng(4)
    page.mouse.move(left, y)
    page.mouse.down()
    page.evaluate("void (probe.moves.length = probe.waiting.length = 0)")
    for number in range(count):
        page.evaluate("motionloom.stage.members[0].store.shrink(motionloom.studio.time, 0)")
        page.mouse.move(left + width * (number % 2 * 0.6 + rng.uniform(0.02, 0.38)), y)
        until(page, f"probe.moves.length > {number}")
        page.wait_for_timeout(PACE)
    moves = page.evaluate("probe.moves")
    page.mouse.up()
    return moves


def _ruler(page: Page) -> tuple[float, float, float]:
    box = page.get_by_test_id("ruler").bounding_box()
    assert box is not None
    return box["x"] + 24, box["width"] - 48, box["y"] + box["height"] - 8


def _figures(name: str, milliseconds: list[float]) -> list[dict]:
    return [
        figure(f"{name}; 95 %", _share(milliseconds, 95), "ms", "lower"),
        figure(f"{name}; median", _share(milliseconds, 50), "ms", "lower"),
        figure(f"{name}; events", len(milliseconds), "events", "higher"),
    ]


def _share(values: list[float], percent: float) -> float:
    return float(np.percentile(values, percent))
