"""Edits in Build-up: poses are put in the middle of what is built, moved, turned and taken back."""

import math
import re

import pytest
from playwright.sync_api import Route, expect
from tests.browser.building_up import (
    build,
    drag_to,
    ghost_at,
    has_ghost,
    plays,
    press,
    reached,
    request,
    spot,
)


def put_in(desk) -> dict:
    """Drop a pose in the middle of what is built; the edit, made."""
    build(desk, 2)
    lane = desk.resting_box("lane-character:0")
    drag_to(desk, reached(desk, 2), (lane["x"] + lane["width"] * 0.3, lane["y"] + 20))
    desk.page.mouse.up()
    desk.until(lambda: len(request(desk)["edits"]) == 1, "the edit is in the document")
    plays(desk)
    desk.until(lambda: has_ghost(desk), "its ghost stands on the floor")
    return request(desk)["edits"][0]


def take_back(desk):
    """Undo until no edit is left."""
    for _ in range(6):
        if request(desk)["edits"]:
            press(desk, "Control+z")
            desk.page.wait_for_timeout(300)
    desk.until(lambda: request(desk)["edits"] == [], "undo takes all steps back")
    plays(desk)


def test_a_pose_dropped_on_the_timeline_is_put_in_and_taken_back(buildup):
    build(buildup, 2)
    lane = buildup.resting_box("lane-character:0")
    held: list[Route] = []
    buildup.page.route("**/api/buildup/standing", lambda route: held.append(route))
    drag_to(buildup, reached(buildup, 2), (lane["x"] + lane["width"] * 0.3, lane["y"] + 20))
    buildup.page.mouse.up()
    buildup.until(lambda: len(request(buildup)["edits"]) == 1, "the edit is in the document")
    assert request(buildup)["edits"][0]["kind"] == "insert"
    expect(buildup.at("lane-character:0")).to_have_attribute("aria-label", re.compile("…"))
    buildup.picture("buildup_edit_pending")
    for route in held:
        route.continue_()
    buildup.page.unroute("**/api/buildup/standing")
    expect(buildup.at("lane-character:0")).not_to_have_attribute("aria-label", re.compile("…"))
    plays(buildup)
    expect(buildup.at("edit")).to_have_count(1)
    buildup.picture("buildup_edited")
    buildup.at("drop-edit").click()
    buildup.until(lambda: request(buildup)["edits"] == [], "it is taken back")
    plays(buildup)


def test_the_ghost_of_an_edit_is_dragged_over_the_floor_and_turned(buildup):
    assert put_in(buildup)["place"] is None
    expect(buildup.at("chosen-edit")).to_be_visible()
    before = ghost_at(buildup)
    x, y = spot(buildup, *before)
    buildup.page.mouse.move(x, y)
    buildup.page.mouse.down()
    buildup.page.mouse.move(x + 60, y + 20, steps=6)
    assert abs(ghost_at(buildup)[0] - before[0]) + abs(ghost_at(buildup)[1] - before[1]) > 0.1, "it follows at once"
    buildup.picture("buildup_edit_dragged")
    buildup.page.mouse.up()
    buildup.until(lambda: request(buildup)["edits"][0]["place"] is not None, "it is moved")
    place = request(buildup)["edits"][0]["place"]
    plays(buildup)
    press(buildup, "Shift+Alt+ArrowLeft")
    buildup.until(lambda: request(buildup)["edits"][0]["heading"] is not None, "a key turns it")
    plays(buildup)
    heading = math.radians(request(buildup)["edits"][0]["heading"])
    tip = spot(buildup, place[0] + 0.4 * math.sin(heading), place[1] + 0.4 * math.cos(heading))
    aside = spot(buildup, place[0] + 0.5 * math.cos(heading), place[1] - 0.5 * math.sin(heading))
    buildup.page.mouse.move(*tip)
    buildup.page.mouse.down()
    buildup.page.mouse.move(*aside, steps=6)
    buildup.page.mouse.up()
    buildup.until(
        lambda: abs(request(buildup)["edits"][0]["heading"] - math.degrees(heading)) > 40, "its arrow turns it"
    )
    turned = request(buildup)["edits"][0]
    assert abs((turned["heading"] - math.degrees(heading) - 90 + 180) % 360 - 180) < 15
    assert turned["place"] == pytest.approx(place, abs=0.011)
    buildup.picture("buildup_edit_turned")
    plays(buildup)
    press(buildup, "Alt+ArrowRight")
    buildup.until(lambda: request(buildup)["edits"][0]["place"] != turned["place"], "a key moves it")
    press(buildup, "Escape")
    expect(buildup.at("chosen-edit")).to_have_count(0)
    assert not has_ghost(buildup)
    buildup.at("choose-edit").click()
    expect(buildup.at("chosen-edit")).to_be_visible()
    take_back(buildup)


def test_a_pose_is_put_in_at_the_playhead_by_keyboard(buildup):
    build(buildup, 2)
    reached(buildup, 0).focus()
    buildup.page.keyboard.press("Enter")
    buildup.until(lambda: has_ghost(buildup), "a pose is tried")
    press(buildup, "Home")
    for _ in range(10):
        press(buildup, "ArrowRight")
    press(buildup, "p")
    buildup.until(lambda: [edit["kind"] for edit in request(buildup)["edits"]] == ["insert"], "it is put in")
    press(buildup, "Control+z")
    buildup.until(lambda: request(buildup)["edits"] == [], "and undone")
    plays(buildup)


def test_a_pose_dropped_behind_the_timeline_is_tried_where_it_can_be_had_soonest(buildup):
    build(buildup, 2)
    lane = buildup.resting_box("lane-character:0")
    drag_to(buildup, reached(buildup, 1), (lane["x"] + lane["width"] - 32, lane["y"] + 20))
    buildup.page.mouse.up()
    buildup.until(lambda: has_ghost(buildup), "its ghost stands")
    buildup.page.keyboard.press("Escape")
    buildup.until(lambda: not has_ghost(buildup), "it is given up")
