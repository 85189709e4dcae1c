"""From paint to motion on takes of two hierarchies, after results were kept and after the choice of takes was changed.

The demo takes and the football-like set are in one corpus. Results are kept as takes between strokes, as a person does
who collects them: the next stroke begins when the page says that the take is there. Then the takes to use are chosen,
kept results among them, and strokes go on. The clock is that of `painting`: from the last event that changed what is
asked for to the first pose of what was found for just that.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import browse, copy_of, look, serve
from benchmarks.studio.painting import STROKES, Stroke, Took, open_timeline, paint, wait_for_motion

CHOICES = (  # takes to use, one choice after another, and what is painted then
    ("football_like/*", Stroke("jump", 2.0, 2.8)),
    ("walk/*, run/*, jump/*, football_like/*", Stroke("jump", 2.0, 2.8, "erase")),
    ("*, {kept}", Stroke("turn_left", 5.0, 6.5)),  # a kept result is used where it is named in full
    ("football_like/143_*, walk/*", Stroke("walk", 8.0, 9.5)),
    ("", Stroke("stand", 4.1, 5.0, "erase")),
)

SAME = "has the same frames already"


@dataclass(frozen=True)
class Waits:
    """Seconds to the first new motion: after results were kept, for new choices of takes, and for paint on those."""

    kept: list[float]
    chosen: list[float]
    painted: list[float]


def figures(data: Path) -> list[dict]:
    """Strokes after kept results and changed choices, on the demo takes and the football-like set together."""
    with (
        copy_of(corpora.mixed(data)) as corpus,
        browse() as browser,
        serve(corpus) as studio,
        look(browser, studio) as page,
    ):
        open_timeline(page)
        page.evaluate("void (probe.draws = false)")
        waits = keep_and_paint(page)
    worst = max(waits.kept + waits.painted)
    return [
        figure("mixed takes; result kept, painted change to the first new motion; worst", worst, "s", "lower"),
        *_figures("painted change on all takes", waits.kept),
        *_figures("another choice of takes", waits.chosen),
        *_figures("painted change on another choice of takes", waits.painted),
    ]


def keep_and_paint(page: Page) -> Waits:
    """Keep a result before each stroke; then choose takes and paint on each choice."""
    paint(page, STROKES[0])  # the first motion of all prepares the corpus
    kept, last = [], ""
    for stroke in STROKES[1:]:
        last = keep(page)
        kept.append(paint(page, stroke).shown)
    chosen, painted = [], []
    for patterns, stroke in CHOICES:
        chosen.append(choose_takes(page, patterns.format(kept=last)).shown)
        last = keep(page)
        painted.append(paint(page, stroke).shown)
    return Waits(kept, chosen, painted)


def keep(page: Page) -> str:
    """Keep the motion that is shown as a take; its name, once the page says that it is there.

    A motion that was kept before is there under its other name.
    """
    button = page.get_by_test_id("save-answer")
    button.scroll_into_view_if_needed()
    name = page.get_by_test_id("save-name").get_attribute("placeholder") or ""
    page.evaluate("void (motionloom.studio.notices = [])")
    button.click()
    said = page.get_by_text(f"Saved as {name}", exact=True).or_(page.get_by_text(SAME)).first.inner_text()
    return said.split("'")[1] if SAME in said else name


def choose_takes(page: Page, patterns: str) -> Took:
    """Use other takes, and wait until the search has ended."""
    field = page.get_by_test_id("takes")
    field.fill(patterns)
    page.evaluate("void (probe.painted = performance.now())")  # no pointer is moved
    field.press("Enter")
    return wait_for_motion(page)


def _figures(name: str, seconds: list[float]) -> list[dict]:
    about = f"mixed takes; {name} to the first new motion"
    return [
        figure(f"{about}; worst", max(seconds), "s", "lower"),
        figure(f"{about}; median", float(np.median(seconds)), "s", "lower"),
    ]
