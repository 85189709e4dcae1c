"""The workspace Direct: a walk with pins and a hand that is dragged, a face with a key and a lip that is dragged."""

from pathlib import Path

from benchmarks.studio.browser import Studio, look, until, wait_for_jobs
from docs.figures.studio_screens.screen import open_document, take
from playwright.sync_api import Browser, Page

DIRECTED = "walk/circle_left"
PINNED = ((1.6, "left_hand", 20, 110), (2.9, "right_hand", -30, 60))  # seconds, joints, and by how many pixels
HELD = (2.2, "right_hand", -60, 150)
FACE, KEY = "face/conversation", "face/surprise"
LIP = (3.4, "left_mouth_corner", 26, 20)


def draw_direct(browser: Browser, studio: Studio, folder: Path) -> None:
    """A walk with pins in some frames, and a hand that is dragged."""
    with look(browser, studio) as page:
        open_document(page, "directed")
        page.get_by_test_id("workspace-direct").click()
        page.get_by_test_id("start-from").select_option(DIRECTED)
        until(page, "motionloom.stage.members[0]?.body && document.querySelector('[data-testid=pose]') !== null")
        wait_for_jobs(page)
        for seconds, joint, across, up in PINNED:
            hold_joint(page, seconds, joint, across, up)
            page.mouse.up()
            wait_for_jobs(page)
        hold_joint(page, *HELD)
        page.wait_for_timeout(1000)
        take(page, folder / "studio_direct.png")
        page.mouse.up()
    with look(browser, studio) as page:
        direct_face(page, "directed face")
        take(page, folder / "studio_direct_face.png")
        page.mouse.up()


def direct_face(page: Page, document: str) -> None:
    """A face with a key of another take and an opened mouth; a corner of its mouth is dragged, and the hand is down."""
    open_document(page, document)
    page.get_by_test_id("workspace-direct").click()
    page.get_by_test_id("start-from").select_option(FACE)
    until(page, "motionloom.stage.members[0]?.motion.id.startsWith('answer:')")
    wait_for_jobs(page)
    page.evaluate("motionloom.stage.player.pause(); motionloom.stage.seek(7)")
    page.locator(f"[data-testid=key-face][data-take='{KEY}']").nth(1).click()
    page.evaluate("motionloom.stage.seek(1.5)")
    slider = page.locator("[data-testid=distance][data-name='mouth height'] input")
    slider.focus()
    for _ in range(60):
        page.keyboard.press("ArrowRight")
    page.evaluate("document.activeElement.blur()")
    wait_for_jobs(page)
    page.get_by_test_id("direct-start").scroll_into_view_if_needed()
    hold_joint(page, *LIP)
    page.wait_for_timeout(1000)


def hold_joint(page: Page, seconds: float, joint: str, across: int, up: int) -> None:
    """Go to a time and drag a joint by some pixels."""
    page.evaluate(f"motionloom.stage.player.pause(); motionloom.stage.seek({seconds})")
    page.wait_for_timeout(1000)
    view = page.get_by_test_id("canvas").bounding_box()
    assert view is not None
    x, y = page.evaluate(f"motionloom.stage.view.pixelAt(motionloom.stage.placeOf('{joint}'))")
    page.mouse.move(view["x"] + x, view["y"] + y)
    page.mouse.down()
    page.mouse.move(view["x"] + x + across, view["y"] + y - up, steps=12)
