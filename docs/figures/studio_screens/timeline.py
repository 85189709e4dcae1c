"""The workspace Timeline: a motion with one stretch that cannot be met, and a waypoint in the hand."""

from dataclasses import replace
from pathlib import Path

from benchmarks.studio import painting
from benchmarks.studio.browser import Studio, look, until, wait_for_jobs
from docs.figures.studio_screens.screen import ALL_ROWS, stand_at, take
from playwright.sync_api import Browser

UNMET = (
    painting.Stroke("walk", 0.0, 4.0),
    painting.Stroke("wave", 1.5, 3.5),
    painting.Stroke("sneak", 4.0, 6.0),
    painting.Stroke("jump", 4.6, 5.6),  # nobody jumps while sneaking
    painting.Stroke("run", 6.0, 10.0),
    painting.Stroke("turn_left", 7.0, 9.0, "must_not"),
)


def draw_timeline(browser: Browser, studio: Studio, folder: Path) -> None:
    """A result with one stretch that cannot be met; and a waypoint in the hand."""
    with look(browser, studio) as page:
        page.evaluate(f"motionloom.studio.preferences.timelineHeight = {ALL_ROWS}")
        painting.open_timeline(page, tuple(dict.fromkeys(stroke.label for stroke in UNMET)))
        for stroke in UNMET:
            painting.draw_stroke(page, stroke)  # each replaces the search of the one before
        until(page, painting.SHOWN)
        wait_for_jobs(page)
        stand_at(page, 2.4)  # in the middle of the wave
        take(page, folder / "studio_timeline.png")
        for stroke in UNMET[2:4]:
            painting.draw_stroke(page, replace(stroke, tool="erase"))
        stand_at(page, 4.5)
        disc = painting.place_waypoint(page)
        until(page, painting.SHOWN)
        wait_for_jobs(page)
        painting.drag_waypoint(page, disc, 40, lets_go=False)
        page.wait_for_timeout(1500)
        take(page, folder / "studio_waypoint.png")
        page.mouse.up()
