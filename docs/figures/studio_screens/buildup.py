"""The workspace Build-up: poses dragged over the floor, one in the middle, and a second fighter."""

from pathlib import Path

from benchmarks.studio.browser import Studio, look, until, wait_for_jobs
from docs.figures.studio_screens.screen import open_document, take
from playwright.sync_api import Browser, Page

BUILT = ((0.62, 0.68), (0.4, 0.72), (0.66, 0.66))  # where poses are dragged to, fractions of the view
# Where the ghost stands, pixels of the window.
_FEET_OF_GHOST = """() => {
  const [wantedX, , wantedZ] = motionloom.stage.extras.characters[0].pose.root;
  const box = document.querySelector("[data-testid=canvas]").getBoundingClientRect();
  let best = [0, 0, Infinity];
  for (let x = box.left; x < box.right; x += 3)
    for (let y = box.top; y < box.bottom; y += 3) {
      const found = motionloom.stage.view.groundAt(x, y);
      const away = found === null ? Infinity : Math.hypot(found[0] - wantedX, found[1] - wantedZ);
      if (away < best[2]) best = [x, y, away];
    }
  return best.slice(0, 2);
}"""


def draw_buildup(browser: Browser, studio: Studio, folder: Path) -> None:
    """Somebody who fights: a pose dragged over the floor; one in the middle; and, in the dark, a second fighter."""
    with look(browser, studio) as page:
        build_fighter(page, "built")
        hold_pose(page, len(BUILT) - 1, BUILT[-1])
        page.wait_for_timeout(1500)  # other ways and the shading come when the hand rests
        take(page, folder / "studio_buildup.png")
        page.mouse.up()
        page.keyboard.press("Escape")
        drag_edit(page)
        take(page, folder / "studio_buildup_edit.png")
        page.mouse.up()
    with look(browser, studio, theme="dark") as page:
        build_fighter(page, "fighters")
        page.get_by_test_id("add-character").click()
        until(page, "motionloom.stage.members.length === 2")
        wait_for_jobs(page)
        accept_pose(page, 2, (0.55, 0.62))
        page.get_by_test_id("aim-at").select_option("A/head")
        page.get_by_test_id("joint-hit").wait_for()
        page.locator("[data-testid=badge][data-look=good], [data-testid=badge][data-look=missed]").wait_for()
        wait_for_jobs(page)
        page.evaluate("motionloom.stage.player.pause(); motionloom.stage.seek(motionloom.studio.length)")
        take(page, folder / "studio_buildup_hit.png")


def build_fighter(page: Page, document: str) -> None:
    """Two poses accepted and a prop, in a document of its own."""
    open_document(page, document)
    page.get_by_test_id("workspace-buildup").click()
    page.get_by_test_id("palette").wait_for()
    page.get_by_test_id("material").get_by_role("button").first.click()
    page.get_by_test_id("buildup-takes").fill("fight/*")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('[data-testid=pose]').length > 0")
    wait_for_jobs(page)
    for number, place in enumerate(BUILT[:-1]):
        accept_pose(page, number, place)
        if number == 0:
            page.get_by_test_id("add-prop").click()


def accept_pose(page: Page, number: int, place: tuple[float, float]) -> None:
    """Drag a pose over the floor, and accept it."""
    hold_pose(page, number, place)
    page.mouse.up()
    page.get_by_test_id("accept").click()
    until(page, "!document.querySelector('[data-testid=accept]')")
    wait_for_jobs(page)


def drag_edit(page: Page) -> None:
    """Put a pose in the middle, and drag its ghost until the bridge to there is known."""
    lane = page.get_by_test_id("lane-character:0").bounding_box()
    tile = page.locator("[data-testid=pose][data-reached=true]").nth(2)
    tile.scroll_into_view_if_needed()
    box = tile.bounding_box()
    assert box is not None and lane is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(lane["x"] + 0.4 * lane["width"], lane["y"] + 20, steps=8)
    page.mouse.up()
    page.get_by_test_id("chosen-edit").wait_for()
    page.get_by_test_id("bridge").wait_for()
    wait_for_jobs(page)
    page.get_by_test_id("choose-edit").click()
    until(page, "motionloom.stage.view.statistics().rests")
    x, y = page.evaluate(_FEET_OF_GHOST)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 30, steps=6)
    page.get_by_test_id("bridge").wait_for()


def hold_pose(page: Page, number: int, place: tuple[float, float]) -> None:
    """Drag a pose that can be had over the floor, to fractions of the view."""
    reached = page.locator("[data-testid=pose][data-reached=true]")
    until(page, "document.querySelectorAll('[data-testid=pose][data-reached=true]').length > 9")
    tile = reached.nth(3 * number + 1)
    tile.scroll_into_view_if_needed()
    box, view = tile.bounding_box(), page.get_by_test_id("canvas").bounding_box()
    assert box is not None and view is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(view["x"] + view["width"] * place[0], view["y"] + view["height"] * place[1], steps=8)
    until(page, "document.querySelector('[data-testid=duration]') !== null")
