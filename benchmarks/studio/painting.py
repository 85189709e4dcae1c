"""From paint to motion: the end of a stroke on the timeline to the first pose of a motion that was searched for it.

Strokes are real drags over the rows of a ten-second timeline on the football set; what was painted before stays, so
that the later ones ask for a lot. The clock starts with the last pointer event that changed the paint, because motions
are searched while the pointer is still down, and stops when the renderer is handed the first pose of what was found for
just that paint. As in `latency`, everything is measured twice: with the drawing calls kept from the renderer, because
drawing in software takes both cores from the search, and as it is here.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import Studio, browse, copy_of, look, serve, settle, until, wait_for_jobs

LABELS = ("walk", "run", "turn_left", "stand", "jump", "crouch")
STEPS = {
    "the first new motion": "shown",
    "the question being asked": "asked",
    "the answer being sent": "sent",
    "the answer, its search alone": "searched",
}
SHOWN = "probe.asked.length && probe.motions.some(([, motion]) => probe.answers[motion]?.tag === probe.asked.at(-1)[1])"
PACE = 16  # milliseconds between two events of a drag


@dataclass(frozen=True)
class Stroke:
    """A drag over the row of a label; seconds of the timeline."""

    label: str
    start: float
    stop: float
    tool: str = "must"


STROKES = (
    Stroke("walk", 0.0, 4.0),
    Stroke("run", 5.0, 9.5),
    Stroke("turn_left", 1.0, 2.5),
    Stroke("jump", 6.5, 7.3),
    Stroke("run", 5.0, 6.0, "erase"),
    Stroke("stand", 4.1, 5.0),
    Stroke("walk", 3.0, 4.0, "must_not"),
    Stroke("crouch", 8.0, 9.0),
    Stroke("crouch", 8.0, 9.0, "erase"),
    Stroke("turn_left", 7.5, 9.0),
    Stroke("walk", 0.0, 2.0, "erase"),
    Stroke("run", 0.0, 2.0),
    Stroke("jump", 6.5, 7.3, "must_not"),
    Stroke("stand", 9.5, 10.0),
)


def figures(data: Path) -> list[dict]:
    """Strokes on a timeline whose desk is warm; and the first one of all on a corpus that nobody has searched in."""
    with copy_of(corpora.football(data)) as corpus, browse() as browser, serve(corpus) as studio:
        with look(browser, studio, goes=False) as page:
            page.goto(studio.address)
            open_timeline(page)
            first = paint(page, STROKES[0]).shown
        took, drawn = (paint_all(browser, studio, draws) for draws in (False, True))
    drawn_shown = [change.shown for change in drawn]
    return [
        figure("painted change to the first new motion; worst", max(change.shown for change in took), "s", "lower"),
        *(
            figure(
                f"painted change to {name}; median",
                float(np.median([getattr(change, key) for change in took])),
                "s",
                "lower",
            )
            for name, key in STEPS.items()
        ),
        figure("painted changes", len(took), "strokes", "higher"),
        figure("painted change to the first new motion, drawn in software; worst", max(drawn_shown), "s", "lower"),
        figure(
            "painted change to the first new motion, drawn in software; median",
            float(np.median(drawn_shown)),
            "s",
            "lower",
        ),
        figure("the very first paint on a new corpus, at once after the start, to its motion", first, "s", "lower"),
    ]


def paint_all(browser: Browser, studio: Studio, draws: bool) -> list["Took"]:
    """Paint all strokes in a document of their own; what the first one took is left out, it meets an empty timeline."""
    with look(browser, studio) as page:
        page.evaluate(_NEW_DOCUMENT, f"strokes {'drawn' if draws else 'not drawn'}")
        page.reload()
        settle(page)
        open_timeline(page)
        page.evaluate(f"void (probe.draws = {str(draws).lower()})")
        return [paint(page, stroke) for stroke in STROKES][1:]


def open_timeline(page: Page, labels: tuple[str, ...] = LABELS) -> None:
    """Go to the timeline and give some labels rows."""
    page.get_by_test_id("workspace-timeline").click()
    for label in labels:
        if page.get_by_test_id(f"lane-label:{label}").count() == 0:
            page.locator(f'[data-testid=paintable][data-label="{label}"]').click()
            page.get_by_test_id(f"lane-label:{label}").wait_for()


@dataclass(frozen=True)
class Took:
    """Seconds from the end of a stroke until something."""

    asked: float  # the page asks the server
    sent: float  # the first answer is sent
    shown: float  # its first pose is handed to the renderer
    searched: float  # what the search itself took of it


def paint(page: Page, stroke: Stroke) -> Took:
    """Paint, and wait until the search has ended."""
    draw_stroke(page, stroke)
    return wait_for_motion(page)


def wait_for_motion(page: Page) -> Took:
    """Wait until the search for what was asked last has ended."""
    until(page, SHOWN)
    wait_for_jobs(page)
    until(page, SHOWN)  # of the last question: a drag asks several
    probe = page.evaluate("({ ...probe })")
    asked, tag = probe["asked"][-1]
    answers = {motion: answer for motion, answer in probe["answers"].items() if answer["tag"] == tag}
    first = min(answers.values(), key=lambda answer: answer["at"])
    shown = min(moment for moment, motion in probe["motions"] if motion in answers)
    moments = [(moment - probe["painted"]) / 1000 for moment in (asked, first["at"], shown)]
    return Took(*moments, searched=first["seconds"])


def draw_stroke(page: Page, stroke: Stroke) -> None:
    """Paint, and wait for nothing."""
    page.get_by_test_id(f"tool-{stroke.tool}").click()
    drag_over(page, stroke)
    page.mouse.up()


def drag_over(page: Page, stroke: Stroke) -> None:
    """Draw a stroke, and keep the button down."""
    lane = page.get_by_test_id(f"lane-label:{stroke.label}")
    lane.scroll_into_view_if_needed()
    box = lane.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    start, stop = (_pixel(page, seconds) for seconds in (stroke.start, stroke.stop))
    page.mouse.move(start, y)
    page.mouse.down()
    for share in np.linspace(0, 1, 12)[1:]:
        page.mouse.move(start + (stop - start) * share, y)
        page.wait_for_timeout(PACE)


def place_waypoint(page: Page) -> tuple[float, float]:
    """Ask to be somewhere on the ground; where the disc is on the screen, in pixels.

    Nothing plays meanwhile and the camera stands still, so that the disc stays where it is.
    """
    if page.evaluate("motionloom.studio.playing"):
        page.keyboard.press("Space")
    if page.evaluate("motionloom.studio.preferences.follow"):
        page.get_by_test_id("view-follow").click()
    box = page.get_by_test_id("canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + 0.68 * box["width"], box["y"] + 0.72 * box["height"]
    page.mouse.dblclick(x, y)
    until(page, "motionloom.studio.document.timeline.request.places.length > 0")
    return x, y


def drag_waypoint(page: Page, at: tuple[float, float], count: int, lets_go: bool = True) -> list[float]:
    """Drag a disc over the ground; milliseconds of each event."""
    page.mouse.move(*at)
    page.mouse.down()
    page.evaluate("void (probe.drags.length = 0)")
    for angle in np.linspace(0, 4 * np.pi, count):
        page.mouse.move(at[0] + 60 * np.sin(angle), at[1] + 25 * (1 - np.cos(angle)))
        page.wait_for_timeout(PACE)
    drags = page.evaluate("probe.drags")
    if lets_go:
        page.mouse.up()
    return drags


def _pixel(page: Page, seconds: float) -> float:
    """Where a time is on the screen: on the line through the playhead, which may be running, and the timeline's end."""
    now, length, here, end = page.evaluate(_SPOTS)
    return here + (seconds - now) * (end - here) / (float(length.removesuffix("s")) - now)


_SPOTS = """(() => {
  const [here, end] = ["playhead", "timeline-end"].map((name) => {
    const one = document.querySelector(`[data-testid=${name}]`);
    return one.parentElement.getBoundingClientRect().left + new DOMMatrix(getComputedStyle(one).transform).e;
  });
  return [motionloom.studio.time, motionloom.studio.document.timeline.request.length, here, end];
})()"""
_NEW_DOCUMENT = """(name) => fetch("/api/document/new", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ name }),
})"""
