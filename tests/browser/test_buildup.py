"""Build-up: poses are dragged over the floor, accepted one by one and taken back, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

WAYS = "motionloom.stage.extras.characters.length"  # 1 where a ghost stands


@pytest.fixture
def buildup(desk):
    desk.begin()
    desk.at("workspace-buildup").click()
    expect(desk.at("palette")).to_be_visible(timeout=90_000)
    return desk


def request(desk) -> dict:
    return desk.server.get("/api/document")["content"]["buildup"]["request"]


def steps(desk) -> list[dict]:
    return request(desk)["steps"]


def press(desk, key):
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press(key)


def reached(desk, number=0):
    """The tile of a pose that can be had from the last one."""
    tiles = desk.page.locator("[data-testid=pose][data-reached=true]")
    expect(tiles.nth(number)).to_be_visible(timeout=30_000)
    return tiles.nth(number)


def floor(desk, right=0.5, down=0.7) -> tuple[float, float]:
    """A place of the floor on the screen."""
    box = desk.at("canvas").bounding_box()
    return box["x"] + box["width"] * right, box["y"] + box["height"] * down


def drag_to(desk, tile, *places):
    box = tile.bounding_box()
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.down()
    for place in places:
        desk.page.mouse.move(*place, steps=8)


def has_ghost(desk):
    return desk.page.evaluate(WAYS) == 1


def plays(desk):
    """Wait until the newest motion is there and plays."""
    expect(desk.at("badge")).to_have_attribute("data-look", re.compile("good|missed"), timeout=60_000)
    desk.until(lambda: desk.page.evaluate("motionloom.studio.length > 0.05"), "there is a motion")


def test_the_first_screen_says_what_to_do_and_shows_the_poses(buildup):
    expect(buildup.at("buildup-first-use")).to_be_visible()
    expect(reached(buildup)).to_contain_text(re.compile(r"\d\.\d s"))
    buildup.until(buildup.has_figure, "the first pose stands in the view")
    buildup.picture("buildup_first_use")


def test_a_dragged_pose_shows_its_ghost_and_one_tap_accepts_it(buildup):
    drag_to(buildup, reached(buildup, 1), floor(buildup, 0.3), floor(buildup, 0.6))
    buildup.until(lambda: has_ghost(buildup), "the ghost stands on the floor")
    expect(buildup.at("duration")).to_have_text(re.compile(r"\d+\.\d s"))
    buildup.picture("buildup_dragging")
    buildup.page.mouse.up()
    assert steps(buildup) == []
    buildup.at("accept").click()
    buildup.until(lambda: len(steps(buildup)) == 1, "the step is in the document")
    (step,) = steps(buildup)
    assert step["clips"] and step["place"] and step["pose"]
    plays(buildup)
    assert not has_ghost(buildup)
    buildup.picture("buildup_accepted")


def test_one_tap_backs_up_and_everything_is_undone(buildup):
    before = steps(buildup)
    buildup.at("back-up").click()
    buildup.until(lambda: steps(buildup) == [], "the step is taken away")
    press(buildup, "Control+z")
    buildup.until(lambda: steps(buildup) == before, "undo brings it back")
    press(buildup, "Control+z")
    buildup.until(lambda: steps(buildup) == [], "undo takes it away")
    press(buildup, "Control+Shift+z")
    buildup.until(lambda: steps(buildup) == before, "redo brings it back")
    plays(buildup)


def test_a_drag_is_given_up_with_escape(buildup):
    drag_to(buildup, reached(buildup, 1), floor(buildup, 0.5))
    buildup.until(lambda: has_ghost(buildup), "the ghost stands on the floor")
    buildup.page.keyboard.press("Escape")
    buildup.page.mouse.up()
    expect(buildup.at("accept")).to_have_count(0)
    assert not has_ghost(buildup)


def test_a_motion_is_built_by_keyboard_alone(buildup):
    count = len(steps(buildup))
    reached(buildup, 0).focus()
    buildup.page.keyboard.press("ArrowRight")
    buildup.page.keyboard.press("ArrowLeft")
    buildup.page.keyboard.press("Enter")
    buildup.until(lambda: has_ghost(buildup), "the ghost stands where the pose can be had soonest")
    buildup.page.keyboard.press("Alt+ArrowRight")
    buildup.page.keyboard.press("Alt+ArrowUp")
    buildup.page.keyboard.press("Shift+Alt+ArrowLeft")
    wish = "motionloom.stage.view.statistics() && document.querySelector('[data-testid=duration]') !== null"
    buildup.until(lambda: buildup.page.evaluate(wish), "there is a way")
    buildup.page.keyboard.press("Enter")  # the tile has the focus: again accepts
    buildup.until(lambda: len(steps(buildup)) == count + 1, "the step is in the document")
    step = steps(buildup)[-1]
    assert step["place"] is not None and step["heading"] is not None
    plays(buildup)
    press(buildup, "Backspace")
    buildup.until(lambda: len(steps(buildup)) == count, "Backspace takes it away")


def test_the_request_is_a_file_that_the_command_line_runs(buildup):
    buildup.is_saved()
    (file,) = [path for path in buildup.server.corpus.glob("studio/*.buildup.yaml") if "clips" in path.read_text()]
    assert "steps:" in file.read_text()
