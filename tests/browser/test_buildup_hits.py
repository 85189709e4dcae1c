"""Hits in Build-up: props and the joints of a second character are hit exactly, or it is said what is missed."""

import re

from playwright.sync_api import expect
from tests.browser.building_up import (
    build,
    drag_to,
    floor,
    has_ghost,
    plays,
    press,
    props,
    reached,
    request,
    spot,
    steps,
)


def test_a_prop_shows_its_distance_moves_and_is_hit_exactly(buildup):
    build(buildup, 2)
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
    ((x, _, z),) = buildup.until(lambda: [prop["position"] for prop in props(buildup)], "the prop is in the document")
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
    build(buildup, 1)
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
