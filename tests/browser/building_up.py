"""What the tests of the workspace Build-up do in it: poses are dragged and accepted, and motions waited for."""

import re

from playwright.sync_api import Locator, expect
from tests.browser.desk import Desk

SPOT = """(() => {
  const box = document.querySelector("[data-testid=canvas]").getBoundingClientRect();
  const best = [0, 0, Infinity];
  for (let x = box.left; x < box.right; x += 2)
    for (let y = box.top; y < box.bottom; y += 2) {
      const found = motionloom.stage.view.groundAt(x, y);
      const away = found === null ? Infinity : Math.hypot(found[0] - PLACE[0], found[1] - PLACE[1]);
      if (away < best[2]) best.splice(0, 3, x, y, away);
    }
  return best;
})()"""
WAYS = "motionloom.stage.extras.characters.length"  # 1 where a ghost stands


def request(desk: Desk) -> dict:
    """What is asked for, as the document holds it."""
    return desk.server.get("/api/document")["content"]["buildup"]["request"]


def props(desk: Desk) -> list[dict]:
    """What hangs or stands in the scene."""
    return desk.server.get("/api/document")["content"]["buildup"]["props"]


def steps(desk: Desk) -> list[dict]:
    """The poses of the first character that were accepted."""
    return request(desk)["steps"]


def press(desk: Desk, key: str) -> None:
    """Press a key while nothing has the focus."""
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press(key)


def reached(desk: Desk, number: int = 0) -> Locator:
    """The tile of a pose that can be had from the last one."""
    tiles = desk.page.locator("[data-testid=pose][data-reached=true]")
    expect(tiles.nth(number)).to_be_visible(timeout=30_000)
    return tiles.nth(number)


def floor(desk: Desk, right: float = 0.5, down: float = 0.7) -> tuple[float, float]:
    """A place of the floor on the screen."""
    box = desk.at("canvas").bounding_box()
    return box["x"] + box["width"] * right, box["y"] + box["height"] * down


def drag_to(desk: Desk, tile: Locator, *places: tuple[float, float]) -> None:
    """Drag a pose over places of the screen, and hold it."""
    box = tile.bounding_box()
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.down()
    for place in places:
        desk.page.mouse.move(*place, steps=8)


def spot(desk: Desk, x: float, z: float) -> tuple[float, float]:
    """Where a place of the floor, metres, is on the screen, once nothing plays and the camera rests."""
    desk.page.evaluate("motionloom.stage.player.pause()")
    desk.until(lambda: desk.page.evaluate("motionloom.stage.view.statistics().rests"), "the camera rests")
    found = desk.page.evaluate(SPOT.replace("PLACE", f"[{x}, {z}]"))
    return found[0], found[1]


def ghost_at(desk: Desk) -> tuple[float, float]:
    """Where the ghost stands on the floor, metres."""
    x, _, z = desk.page.evaluate("[...motionloom.stage.extras.characters[0].pose.root]")
    return x, z


def has_ghost(desk: Desk) -> bool:
    """Whether a ghost stands on the floor."""
    return desk.page.evaluate(WAYS) == 1


def plays(desk: Desk) -> None:
    """Wait until the newest motion is there and plays."""
    expect(desk.at("badge")).to_have_attribute("data-look", re.compile("good|missed"), timeout=60_000)
    desk.until(lambda: desk.page.evaluate("motionloom.studio.length > 0.05"), "there is a motion")


def build(desk: Desk, count: int) -> None:
    """Accept poses until there are some."""
    while len(before := steps(desk)) < count:
        drag_to(desk, reached(desk, 1), floor(desk, 0.5))
        desk.until(lambda: has_ghost(desk), "the ghost stands on the floor")
        desk.page.mouse.up()
        desk.at("accept").click()
        desk.until(lambda: len(steps(desk)) > len(before), "the step is in the document")
        plays(desk)
