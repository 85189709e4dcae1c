"""How soon a person can work: takes listed, a character with its body drawn, and a key answered by a new pose."""

import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import Studio, browse, copy_of, look, serve

LOADS = 5
PAUSE = 40  # milliseconds between two presses of a key, until one is answered
STEPS = {  # what the probe keeps
    "takes listed": "listed",
    "stick figure drawn": "stick",
    "body drawn": "drawn",
    "key answered": "answered",
}
Times = dict[str, float]  # milliseconds from the beginning of navigation, by step


def figures(data: Path | None) -> list[dict]:
    """A running studio, opened in windows that know nothing of it; then loaded again; then started for the page."""
    with copy_of(corpora.demo()) as corpus, browse() as browser:
        with serve(corpus) as studio:
            with look(browser, studio):  # until it is warm
                pass
            fresh = [open_window(browser, studio) for _ in range(LOADS)]
            with look(browser, studio) as page:
                again = [reload(page) for _ in range(LOADS)]
        started = start(browser, corpus)
    return [
        figure("first page usable on the demo corpus; median", float(np.median(usable(fresh))), "s", "lower"),
        figure("first page usable on the demo corpus; worst", max(usable(fresh)), "s", "lower"),
        *(
            figure(f"first page; {step}; median", float(np.median([load[step] for load in fresh])) / 1000, "s", "lower")
            for step in STEPS
        ),
        figure("first page loaded again; median", float(np.median(usable(again))), "s", "lower"),
        figure("from `motionloom studio` to a usable page", started, "s", "lower"),
    ]


def usable(loads: list[Times]) -> list[float]:
    """Seconds until the last step of each load."""
    return [max(load.values()) / 1000 for load in loads]


def open_window(browser: Browser, studio: Studio) -> Times:
    """Open the studio in a window whose cache is empty."""
    with look(browser, studio, goes=False) as page:
        page.goto(studio.address, wait_until="commit")
        return watch(page)


def reload(page: Page) -> Times:
    """Load the page again, as a person does."""
    page.reload(wait_until="commit")
    return watch(page)


def start(browser: Browser, corpus: Path) -> float:
    """Seconds from starting the program, which also warms up, to a page that can be worked with."""
    began = time.time()
    with serve(corpus) as studio, look(browser, studio, goes=False) as page:
        page.goto(studio.address, wait_until="commit")
        steps = watch(page)
        return page.evaluate("performance.timeOrigin") / 1000 - began + max(steps.values()) / 1000


def watch(page: Page) -> Times:
    """Press a key again and again until everything is there and one press was answered."""
    while not page.evaluate("Boolean(window.probe?.answered && window.probe.listed && window.probe.drawn)"):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(PAUSE)
    return {step: page.evaluate(f"window.probe.{name}") for step, name in STEPS.items()}
