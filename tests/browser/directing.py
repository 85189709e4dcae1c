"""What tests of the Direct workspace do on its page, with bodies and with faces."""

import re

from playwright.sync_api import expect

LIVE = "motionloom.stage.members[0]?.motion.id.startsWith('answer:live')"


def request(desk) -> dict:
    desk.is_saved()
    return desk.server.get("/api/document")["content"]["direct"]["request"]


def press(desk, key):
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press(key)


def settles(desk):
    """Wait until the search has settled, its report is whole, and its motion plays."""
    expect(desk.at("badge")).to_have_attribute("data-look", re.compile("good|missed"), timeout=120_000)
    desk.until(lambda: desk.page.evaluate(f"!({LIVE})"), "the settled motion plays", 60)


def joint(desk, name) -> list[float]:
    """Where a joint is now, metres."""
    return desk.page.evaluate("(name) => motionloom.stage.placeOf(name)", name)


def pixel(desk, name) -> tuple[float, float]:
    """Where a joint is on the screen."""
    desk.still()
    box = desk.at("canvas").bounding_box()
    at = "(name) => motionloom.stage.view.pixelAt(motionloom.stage.placeOf(name))"
    x, y = desk.page.evaluate(at, name)
    return box["x"] + x, box["y"] + y


def on_row(desk, row, seconds) -> tuple[float, float]:
    """Where a time is on a row of the timeline, which shows all of the motion."""
    lane = desk.resting_box(f"lane-{row}")
    before, behind = 10, 28  # pixels beside the motion
    share = seconds / desk.page.evaluate("motionloom.studio.length")
    return lane["x"] + before + (lane["width"] - before - behind) * share, lane["y"] + lane["height"] / 2


def go_to(desk, seconds):
    desk.page.evaluate(f"motionloom.stage.player.pause(); motionloom.stage.seek({seconds})")


def apart(one, other) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, other)) ** 0.5


def members(desk) -> int:
    return desk.page.evaluate("motionloom.stage.members.length")
