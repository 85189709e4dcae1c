"""The workspace of the example method: a form made from the schema of its requests."""

from pathlib import Path

from benchmarks.studio.browser import Studio, look
from docs.figures.studio_screens.screen import open_document, stand_at, take
from playwright.sync_api import Browser


def draw_generated(browser: Browser, studio: Studio, folder: Path) -> None:
    """The workspace of the example method: a form made from the schema of its requests, and an answer."""
    with look(browser, studio) as page:
        open_document(page, "medley")
        page.get_by_test_id("workspace-method:medley").click()
        page.get_by_test_id("add-takes").click()
        page.get_by_test_id("field-takes[0]").wait_for()
        for number, pattern in enumerate(("walk/normal_1", "run/run_1", "jump/*")):
            field = page.get_by_test_id(f"field-takes[{number}]").locator("input")
            if not field.count():
                page.get_by_test_id("add-takes").click()
            field.fill(pattern)
            field.press("Tab")
        page.get_by_test_id("search").click()
        page.locator("[data-testid=badge][data-look=good], [data-testid=badge][data-look=missed]").wait_for()
        stand_at(page, 3.0)
        take(page, folder / "studio_generated.png")
