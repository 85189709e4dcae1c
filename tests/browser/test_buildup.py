"""Build-up: poses are dragged over the floor, accepted one by one and taken back, by mouse and keys."""

import math
import re

from playwright.sync_api import expect
from tests.browser.building_up import drag_to, floor, has_ghost, plays, press, reached, request, spot, steps


def test_the_first_screen_says_what_to_do_and_shows_the_poses(buildup):
    expect(buildup.at("buildup-first-use")).to_be_visible()
    expect(reached(buildup)).to_contain_text(re.compile(r"\d\.\d s"))
    buildup.until(buildup.has_figure, "the first pose stands in the view")
    buildup.picture("buildup_first_use")


def test_the_first_pose_is_placed_anywhere(buildup):
    start = lambda: request(buildup)["start"]  # noqa: E731
    x, y = spot(buildup, 0, 0)
    buildup.page.mouse.move(x, y)
    buildup.page.mouse.down()
    buildup.page.mouse.move(x + 70, y - 10, steps=6)
    buildup.until(lambda: has_ghost(buildup), "the first pose follows")
    buildup.picture("buildup_start")
    buildup.page.mouse.up()
    buildup.until(lambda: start()["position"] is not None, "it begins there")
    buildup.until(lambda: not has_ghost(buildup), "and stands there")
    (x, _, z), position = buildup.page.evaluate("[...motionloom.stage.poseOf(0).root]"), start()["position"]
    assert math.dist((x, z), position) < 0.1 < math.hypot(*position)
    press(buildup, "Shift+Alt+ArrowLeft")
    buildup.until(lambda: start()["heading"] == 15, "a key turns it")
    drag_to(buildup, reached(buildup, 1), floor(buildup, 0.35))
    buildup.until(lambda: has_ghost(buildup), "another pose is tried")
    buildup.page.mouse.up()
    buildup.at("begin-with").click()
    buildup.until(lambda: start()["pose"] is not None, "it begins with that one")
    assert math.dist(start()["position"], position) > 0.1, "where its disc is"
    for _ in range(3):
        press(buildup, "Control+z")
    buildup.until(lambda: start() == {"pose": None, "position": None, "heading": None}, "all of it is undone")


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


def test_the_request_is_a_file_that_the_command_line_runs(buildup, new_document):
    buildup.is_saved()
    text = (buildup.server.corpus / "studio" / f"{new_document}.buildup.yaml").read_text()
    assert "steps:" in text and "clips:" in text
