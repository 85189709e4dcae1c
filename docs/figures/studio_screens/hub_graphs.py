"""The workspaces Graph and Control: hubs of those who fight, and characters that are driven."""

from pathlib import Path

from benchmarks.studio.browser import Studio, look, until
from docs.figures.studio_screens.screen import ALL_ROWS, open_document, stand_at, take
from playwright.sync_api import Browser, Page


def draw_graph(browser: Browser, studio: Studio, folder: Path) -> None:
    """Two hubs of those who fight, the first two suggestions, and a clip that plays."""
    with look(browser, studio) as page:
        open_document(page, "hubs")
        page.evaluate(f"motionloom.studio.preferences.timelineHeight = {ALL_ROWS}")
        page.evaluate("motionloom.studio.preferences.panelWidth = 400")
        page.get_by_test_id("workspace-graph").click()
        page.get_by_test_id("graph-search").fill("fight")
        page.get_by_test_id("choose-found").click()
        for hubs, name in enumerate(("left", "right"), start=1):
            page.get_by_test_id("suggestion").first.click()
            until(page, f"motionloom.studio.hubs?.graph.hubs === {hubs}")
            page.get_by_test_id("rename-hub").nth(hubs - 1).click()
            page.get_by_test_id("hub-name").fill(name)
            page.keyboard.press("Enter")
            until(page, f"motionloom.studio.hubs?.graph.nodes.some((node) => node.name === '{name}')")
        page.get_by_test_id("arc").and_(page.locator("[aria-label*=kick]")).first.focus()
        page.keyboard.press("Enter")
        until(page, "motionloom.studio.playing")
        stand_at(page, 1.1)  # in the middle of the kick
        take(page, folder / "studio_graph.png")


def draw_control(browser: Browser, studio: Studio, folder: Path) -> None:
    """Somebody who fights, with a button held; and, in the dark, somebody who is steered along a bend."""
    with look(browser, studio) as page:
        drive(page, "fight")
        page.keyboard.down("2")
        until(page, "motionloom.drive.graph.clips[motionloom.drive.clip]?.name.startsWith('kick')")
        until(page, "motionloom.drive.untilChoice < 1.3")
        page.keyboard.press("Space")
        take(page, folder / "studio_control.png")
        page.keyboard.up("2")
    with look(browser, studio, theme="dark") as page:
        drive(page, "walk")
        page.keyboard.down("a")
        until(page, "motionloom.drive.ride.seconds > 7")
        page.keyboard.press("Space")
        take(page, folder / "studio_steering.png")


def drive(page: Page, takes: str) -> None:
    """Make a graph of some takes in a document of its own, and begin to drive."""
    open_document(page, takes)
    page.get_by_test_id("workspace-control").click()
    page.get_by_test_id("make-graph").filter(has_text=takes).first.click()
    until(page, "motionloom.drive.graph !== null && motionloom.drive.ride.seconds > 1")
