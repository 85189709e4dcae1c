"""A library of ten thousand takes: how soon a keystroke has filtered the list, and what scrolling it costs.

A keystroke counts from its event to the list in the document being the one that it asks for, layout included. Scrolling
turns a real mouse wheel; script is what Chromium's own trace says that ran on the page's main thread between two of its
frames: event handlers, animation frames, timers and microtasks, with all that they make happen at once. The time that
the thread itself ran is counted; what it waited for a core is reported apart. Meanwhile the server still measures the
takes, and their badges come in.
"""

import json
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import browse, copy_of, look, open_library, serve, until

WORDS = ("walk/take", "boxing 0042", "turn_left", "take_0999", "punch kick", "sit/take_000")
PACE = 120  # milliseconds between two keys of somebody who types fast
TURNS = 240  # of the wheel
NOTCH = 240  # pixels
SCRIPT = {"FunctionCall", "EvaluateScript", "FireAnimationFrame", "TimerFire", "EventDispatch", "RunMicrotasks"}
FRAME = "BeginMainThreadFrame"
CATEGORIES = [f"{kind}devtools.timeline{part}" for kind in ("", "disabled-by-default-") for part in ("", ".frame")]
_WATCH = """() => {
  const [list, count] = ["take-list", "take-count"].map((name) => document.querySelector(`[data-testid=${name}]`));
  window.filtered = [];
  let stamp = null;
  addEventListener("keydown", (event) => (stamp = event.timeStamp), true);
  const observer = new MutationObserver(() => {
    if (stamp === null) return;
    list.getBoundingClientRect(); // the layout belongs to it
    filtered.push(performance.now() - stamp);
    stamp = null;
  });
  for (const one of [list, count]) {
    observer.observe(one, { attributes: true, characterData: true, childList: true, subtree: true });
  }
}"""


def figures(data: Path | None) -> list[dict]:
    """Filtering by words, letter by letter, and scrolling far."""
    with (
        copy_of(corpora.many()) as corpus,
        browse() as browser,
        serve(corpus) as studio,
        look(browser, studio, goes=False) as page,
    ):
        page.goto(studio.address)
        until(page, "probe.listed && probe.drawn")
        filters = filter_list(page)
        frames = scroll_list(browser, page)
        until(page, "document.querySelector('[data-testid=take-list]').scrollTop > 1000")  # it did scroll
    return [
        figure("10,000 takes; keystroke to the filtered list; worst", max(filters), "ms", "lower"),
        figure("10,000 takes; keystroke to the filtered list; median", float(np.median(filters)), "ms", "lower"),
        figure("10,000 takes; keystrokes", len(filters), "keys", "higher"),
        figure("10,000 takes; script per frame while scrolling; worst", frames[:, 0].max(), "ms", "lower"),
        figure("10,000 takes; script per frame while scrolling; median", np.median(frames[:, 0]), "ms", "lower"),
        figure("10,000 takes; the same with waiting for a core; worst", frames[:, 1].max(), "ms", "lower"),
        figure("10,000 takes; the same with waiting for a core; 95 %", np.percentile(frames[:, 1], 95), "ms", "lower"),
        figure("10,000 takes; frames while scrolling", len(frames), "frames", "higher"),
    ]


def filter_list(page: Page, words: tuple[str, ...] = WORDS) -> list[float]:
    """Type words into the search box and take them back letter by letter; milliseconds of each keystroke."""
    open_library(page)
    page.evaluate(_WATCH)
    page.get_by_test_id("search").focus()
    for word in words:
        for key in [*word, *["Backspace"] * len(word)]:
            page.keyboard.press(key)
            page.wait_for_timeout(PACE)
    return page.evaluate("filtered")


def scroll_list(browser: Browser, page: Page, turns: int = TURNS) -> np.ndarray:
    """Turn the wheel down and up again over the list; see `script_of_frames`."""
    page.get_by_test_id("take-list").hover()
    browser.start_tracing(page=page, categories=CATEGORIES)
    for number in range(turns):
        page.mouse.wheel(0, NOTCH if number < 0.75 * turns else -NOTCH)
        page.wait_for_timeout(16)
    return script_of_frames(json.loads(browser.stop_tracing())["traceEvents"])


def script_of_frames(events: list[dict]) -> np.ndarray:
    """Script from the beginning of each frame of a page to the next, in the time of its thread and by the clock.

    Args:
        events: of a trace; times in microseconds.

    Returns:
        (F, 2) milliseconds.
    """
    starts: dict[tuple[int, int], list[int]] = {}
    for event in events:
        if event["name"] == FRAME:
            starts.setdefault((event["pid"], event["tid"]), []).append(event["ts"])
    thread, begins = max(starts.items(), key=lambda item: len(item[1]))
    begins.sort()
    spent = np.zeros((len(begins) + 1, 2))
    ended = 0
    ran = [
        event
        for event in events
        if event["name"] in SCRIPT and (event["pid"], event["tid"]) == thread and event["ph"] == "X"
    ]
    for event in sorted(ran, key=lambda event: event["ts"]):
        if event["ts"] >= ended:  # else it ran inside of another one
            spent[np.searchsorted(begins, event["ts"], side="right")] += event.get("tdur", event["dur"]), event["dur"]
            ended = event["ts"] + event["dur"]
    return spent[1:-1] / 1000  # without what lies before the first frame and after the last
