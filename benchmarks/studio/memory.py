"""Ten minutes of playback with everything on: what the page and the server hold in the end, beside the first minute.

Takes are changed every few seconds, in turn, so that all of them were shown once in the first minute: what comes after
is nothing new and should not need more memory. The page's heap is what V8 holds after its garbage was collected, with
the frames in its array buffers; the server's is the resident memory of its process and of its desks.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import (
    Studio,
    browse,
    copy_of,
    developer,
    look,
    open_library,
    serve,
    until,
    wait_for_jobs,
)

MINUTES = 10.0
N_TAKES = 6
SECONDS = 6.0  # that a take is shown; choosing the next one takes up to three more where the page is drawn in software
MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Held:
    """Bytes in use at one moment."""

    page: int
    server: int


def figures(data: Path | None) -> list[dict]:
    """What is held after a minute of playback and after ten, on the demo corpus."""
    with copy_of(corpora.demo()) as corpus, browse() as browser, serve(corpus) as studio, look(browser, studio) as page:
        first, last = play(page, studio, MINUTES)
    return [
        *(
            figure(f"10 minutes of playback; the {name} grows by", 100 * (after / before - 1), "%", "lower")
            for name, before, after in (
                ("page's heap", first.page, last.page),
                ("server's memory", first.server, last.server),
            )
        ),
        figure("the page's heap after a minute", first.page / MEGABYTE, "MB", "lower"),
        figure("the page's heap after ten", last.page / MEGABYTE, "MB", "lower"),
        figure("the server's memory after a minute", first.server / MEGABYTE, "MB", "lower"),
        figure("the server's memory after ten", last.server / MEGABYTE, "MB", "lower"),
    ]


def play(page: Page, studio: Studio, minutes: float) -> tuple[Held, Held]:
    """Play takes in turn with trails, footprints and ghosts; what is held after a tenth of the time and at its end."""
    open_library(page)
    for name in ("view-ghosts", "view-trail"):
        page.get_by_test_id(name).click()
    takes = page.locator("[data-take]")
    takes.first.click()
    names = [takes.nth(number).get_attribute("data-take") for number in range(N_TAKES)]
    page.get_by_test_id("play").click()
    until(page, "motionloom.studio.playing && motionloom.studio.trails.length && motionloom.studio.preferences.ghosts")
    began = time.monotonic()
    held: list[Held] = []
    for moment in (6.0 * minutes, 60.0 * minutes):
        shown = 0
        while time.monotonic() - began < moment:
            shown += 1
            page.locator(f'[data-take="{names[shown % N_TAKES]}"]').click()
            page.wait_for_timeout(1000 * SECONDS * minutes / MINUTES)
        held.append(measure(page, studio))
    assert page.evaluate("motionloom.studio.playing")
    return held[0], held[1]


def measure(page: Page, studio: Studio) -> Held:
    """What is in use now, garbage left out."""
    wait_for_jobs(page)
    tools = developer(page)
    for _ in range(3):  # what finalizers let go is collected the next time
        tools.send("HeapProfiler.collectGarbage")
    heap = tools.send("Runtime.getHeapUsage")
    tools.detach()
    return Held(int(heap["usedSize"] + heap.get("backingStorageSize", 0)), studio.memory())
