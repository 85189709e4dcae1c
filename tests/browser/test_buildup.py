"""Build-up: poses are dragged over the floor, accepted one by one and taken back, by mouse, keys and touch."""

import math
import re

import pytest
from playwright.sync_api import Route, expect

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


@pytest.fixture
def buildup(desk):
    desk.begin()
    desk.at("workspace-buildup").click()
    expect(desk.at("palette")).to_be_visible(timeout=90_000)
    return desk


def request(desk) -> dict:
    return desk.server.get("/api/document")["content"]["buildup"]["request"]


def props(desk) -> list[dict]:
    return desk.server.get("/api/document")["content"]["buildup"]["props"]


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


def spot(desk, x, z) -> tuple[float, float]:
    """Where a place of the floor, metres, is on the screen, once nothing plays and the camera rests."""
    desk.page.evaluate("motionloom.stage.player.pause()")
    desk.until(lambda: desk.page.evaluate("motionloom.stage.view.statistics().rests"), "the camera rests")
    found = desk.page.evaluate(SPOT.replace("PLACE", f"[{x}, {z}]"))
    return found[0], found[1]


def ghost_at(desk) -> tuple[float, float]:
    x, _, z = desk.page.evaluate("[...motionloom.stage.extras.characters[0].pose.root]")
    return x, z


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


def has_ghost(desk):
    return desk.page.evaluate(WAYS) == 1


def plays(desk):
    """Wait until the newest motion is there and plays."""
    expect(desk.at("badge")).to_have_attribute("data-look", re.compile("good|missed"), timeout=60_000)
    desk.until(lambda: desk.page.evaluate("motionloom.studio.length > 0.05"), "there is a motion")


def build(desk, count):
    """Accept poses until there are some."""
    while len(before := steps(desk)) < count:
        drag_to(desk, reached(desk, 1), floor(desk, 0.5))
        desk.until(lambda: has_ghost(desk), "the ghost stands on the floor")
        desk.page.mouse.up()
        desk.at("accept").click()
        desk.until(lambda: len(steps(desk)) > len(before), "the step is in the document")
        plays(desk)


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
    lane = buildup.resting_box("lane-character:0")
    drag_to(buildup, reached(buildup, 1), (lane["x"] + lane["width"] - 32, lane["y"] + 20))
    buildup.page.mouse.up()
    buildup.until(lambda: has_ghost(buildup), "its ghost stands")
    buildup.page.keyboard.press("Escape")
    buildup.until(lambda: not has_ghost(buildup), "it is given up")


def test_a_prop_shows_its_distance_moves_and_is_hit_exactly(buildup):
    buildup.at("add-prop").click()
    expect(buildup.at("prop")).to_have_count(1)
    expect(buildup.at("distance")).to_have_text(re.compile(r"(hand|foot) \d+ cm"))
    buildup.at("prop-height").fill("1.3")
    buildup.page.keyboard.press("Tab")
    buildup.until(lambda: props(buildup)[0]["position"][1] == 1.3, "it hangs higher")
    buildup.at("hit").select_option("right_hand")
    buildup.until(lambda: request(buildup)["hits"], "the hit is in the document")
    (hit,) = request(buildup)["hits"]
    assert (hit["joint"], hit["step"], hit["exact"]) == ("right_hand", len(steps(buildup)), True)
    assert steps(buildup)[-1]["clips"]
    plays(buildup)
    expect(buildup.at("report")).to_contain_text("right_hand")
    buildup.picture("buildup_prop")
    press(buildup, "Control+z")
    buildup.until(lambda: request(buildup)["hits"] == [], "undo takes the hit away")
    for _ in range(2):
        press(buildup, "Control+z")
    expect(buildup.at("prop")).to_have_count(0)


def test_a_prop_to_hit_has_the_way_chosen_for_it_and_says_what_is_missed(buildup):
    build(buildup, 1)
    accepted = steps(buildup)[-1]["clips"]
    buildup.at("add-prop").click()
    x, _, z = props(buildup)[0]["position"]
    for axis, value in (("x", x + 1.1), ("z", z + 0.8)):  # farther than an arm from where the way ends
        buildup.at(f"prop-{axis}").fill(f"{value:.2f}")
        buildup.page.keyboard.press("Tab")
    buildup.until(lambda: abs(props(buildup)[0]["position"][2] - z - 0.8) < 0.01, "it hangs farther away")
    buildup.at("hit").select_option("right_hand")
    buildup.until(lambda: request(buildup)["hits"], "the hit is in the document")
    assert steps(buildup)[-1]["clips"] != accepted
    plays(buildup)
    buildup.picture("buildup_hit_chosen")
    press(buildup, "Control+z")
    buildup.until(lambda: request(buildup)["hits"] == [], "undo takes the hit away")
    assert steps(buildup)[-1]["clips"] == accepted
    buildup.at("prop-z").fill("-40")
    buildup.page.keyboard.press("Tab")
    buildup.until(lambda: props(buildup)[0]["position"][2] == -40, "it hangs out of reach")
    buildup.at("hit").select_option("right_hand")
    expect(buildup.at("hit-outcome")).to_contain_text(re.compile(r"Missed by \d+\.\d\d m: .*a step to"), timeout=60_000)
    plays(buildup)
    buildup.picture("buildup_hit_missed")
    past = buildup.page.evaluate("motionloom.studio.past.length")
    buildup.at("hit-again").click()
    expect(buildup.at("hit")).to_be_enabled()
    assert buildup.page.evaluate("motionloom.studio.past.length") == past  # it is the best way there is
    for _ in range(5):
        press(buildup, "Control+z")
    expect(buildup.at("prop")).to_have_count(0)


def test_two_characters_stand_on_one_floor(buildup):
    buildup.at("add-character").click()
    buildup.until(lambda: len(request(buildup)["characters"]) == 2, "both are in the document")
    expect(buildup.at("lane-character:1")).to_be_visible()
    count = "motionloom.stage.members.length"
    buildup.until(lambda: buildup.page.evaluate(count) == 2, "both stand in the view")
    drag_to(buildup, reached(buildup, 1), floor(buildup, 0.5))
    buildup.until(lambda: has_ghost(buildup), "the ghost of the second")
    buildup.page.mouse.up()
    buildup.at("accept").click()
    buildup.until(lambda: len(request(buildup)["characters"][1]["steps"]) == 1, "the second goes on")
    plays(buildup)
    buildup.picture("buildup_two")
    assert buildup.page.evaluate("motionloom.stage.followed") == "character:1", "the camera goes with the second"
    hit_a_joint_of_the_first(buildup)
    for _ in range(2):
        press(buildup, "Control+z")
    buildup.until(lambda: request(buildup)["characters"] == [], "undo leaves one")
    plays(buildup)


def hits(desk) -> list[dict]:
    return request(desk)["characters"][1]["hits"]


def tap_body(desk, click):
    """Tap the first character in the view, up from where it stands, until a joint is picked."""
    x, _, z = desk.page.evaluate("[...motionloom.stage.poseOf(0).root]")
    right, down = spot(desk, x, z)
    for up in range(10, 300, 12):
        click(right, down - up)
        if desk.page.evaluate("motionloom.studio.picked?.motion === motionloom.studio.cast[0].motion"):
            return
    raise AssertionError("no joint of the first character was picked")


def hit_a_joint_of_the_first(desk):
    """By a tap in the view, then by keys alone."""
    tap_body(desk, desk.page.mouse.click)
    expect(desk.at("tapped-joint")).to_be_visible()
    desk.picture("buildup_tapped_joint")
    desk.at("hit-with").first.click()
    desk.until(lambda: len(hits(desk)) == 1, "the hit is in the document")
    (hit,) = hits(desk)
    assert (hit["target"]["character"], hit["step"], hit["exact"], hit["point"]) == ("A", 1, True, None)
    expect(desk.at("joint-hit")).to_have_count(1)
    plays(desk)
    desk.picture("buildup_joint_hit")
    press(desk, "Delete")
    desk.until(lambda: hits(desk) == [], "Delete takes it away")
    desk.at("aim-at").focus()
    desk.page.keyboard.press("ArrowDown")
    desk.until(lambda: len(hits(desk)) == 1, "a key chooses a joint")
    assert hits(desk)[0]["target"] == {"character": "A", "joint": "head"}
    plays(desk)
    desk.at("hits-with").select_option("left_hand")
    desk.until(lambda: hits(desk)[0]["joint"] == "left_hand", "with the left hand")
    for _ in range(4):
        press(desk, "Control+z")
    desk.until(lambda: hits(desk) == [], "all of it is undone")
    plays(desk)


def test_a_motion_is_built_by_touch_alone(tablet, slide):
    tablet.begin()
    tablet.at("workspace-buildup").tap()
    expect(tablet.at("palette")).to_be_visible(timeout=90_000)
    count = len(steps(tablet))
    tile = reached(tablet, 1)
    box = tile.bounding_box()
    start, stop = (box["x"] + box["width"] / 2, box["y"] + 40), floor(tablet, 0.55)
    slide(tablet, start, stop, lambda: has_ghost(tablet))
    tablet.picture("buildup_touch")
    tablet.at("accept").tap()
    tablet.until(lambda: len(steps(tablet)) == count + 1, "the step is in the document")
    plays(tablet)
    reached(tablet, 0).tap()
    tablet.until(lambda: has_ghost(tablet), "a tap tries a pose")
    tablet.at("accept").tap()
    tablet.until(lambda: len(steps(tablet)) == count + 2, "and a second one accepts it")
    plays(tablet)
    tablet.at("back-up").tap()
    tablet.until(lambda: len(steps(tablet)) == count + 1, "one tap backs up")
    assert tablet.watch.unexpected() == []


def test_the_ghost_of_an_edit_is_moved_by_touch_alone(tablet, slide):
    for _ in range(3):  # long enough for a pose in the middle
        count = len(steps(tablet))
        reached(tablet, 1).tap()
        tablet.until(lambda: has_ghost(tablet), "a tap tries a pose")
        tablet.at("accept").tap()
        tablet.until(lambda before=count: len(steps(tablet)) == before + 1, "and a second one accepts it")
        plays(tablet)
    lane = tablet.resting_box("lane-character:0")
    box = reached(tablet, 2).bounding_box()
    middle = (lane["x"] + lane["width"] * 0.3, lane["y"] + 20)
    start = (box["x"] + box["width"] / 2, box["y"] + 40)
    slide(tablet, start, middle, lambda: True, aside=(middle[0], start[1]))
    tablet.picture("buildup_touch_edit")
    tablet.until(lambda: len(request(tablet)["edits"]) == 1, "the edit is in the document")
    tablet.until(lambda: has_ghost(tablet), "its ghost stands on the floor")
    plays(tablet)
    x, y = spot(tablet, *ghost_at(tablet))
    before = ghost_at(tablet)
    slide(tablet, (x, y), (x - 60, y + 25), lambda: ghost_at(tablet) != before)
    tablet.until(lambda: request(tablet)["edits"][0]["place"] is not None, "it is moved")
    plays(tablet)
    tablet.at("leave-edit").tap()
    expect(tablet.at("chosen-edit")).to_have_count(0)
    tablet.at("choose-edit").tap()
    expect(tablet.at("chosen-edit")).to_be_visible()
    tablet.at("drop-edit").tap()
    tablet.until(lambda: request(tablet)["edits"] == [], "it is taken back")
    plays(tablet)
    assert tablet.watch.unexpected() == []


def test_the_request_is_a_file_that_the_command_line_runs(buildup):
    buildup.is_saved()
    (file,) = [path for path in buildup.server.corpus.glob("studio/*.buildup.yaml") if "clips" in path.read_text()]
    assert "steps:" in file.read_text()
