"""What is seen first: no corpus yet, one that is made, the sheet of keys, and a server that has ended."""

import re
from pathlib import Path

from benchmarks.studio.browser import look, serve, settle
from docs.figures.studio_screens.screen import take
from playwright.sync_api import Browser


def draw_beginnings(browser: Browser, home: Path, folder: Path) -> None:
    """Empty, loading and error, and the sheet of keys; the demo corpus is made meanwhile."""
    with serve(None, home) as studio, look(browser, studio, goes=False) as page:
        page.goto(studio.address)
        page.get_by_test_id("open-demo").wait_for()
        take(page, folder / "studio_empty.png")
        page.get_by_test_id("open-demo").click()
        page.get_by_text(re.compile(r"\b[1-9]\d* of \d+")).first.wait_for()
        take(page, folder / "studio_loading.png")
        page.get_by_test_id("canvas").wait_for(timeout=600_000)
        settle(page)
        page.keyboard.press("h")
        page.get_by_test_id("help-sheet").wait_for()
        take(page, folder / "studio_help.png")
        page.route("**/api/session", lambda route: route.abort())  # as when the server has ended
        page.reload()
        page.get_by_test_id("failure").wait_for()
        take(page, folder / "studio_error.png")
