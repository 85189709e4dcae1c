"""Direct: joints are dragged in any frame, poses dropped, paths drawn, feet painted; by mouse, keys and touch."""

import re

import pytest
from PIL import Image
from playwright.sync_api import expect
from tests.browser.directing import LIVE, apart, go_to, joint, members, on_row, pixel, press, request, settles

TAKE = "walk/normal_1"

NOTE_OUTCOMES = """(() => {
    window.outcomes = [];
    const note = () => {
        const met = document.querySelector("[data-testid=outcome]")?.dataset.met ?? null;
        if (met !== window.outcomes.at(-1)) window.outcomes.push(met);
    };
    const seen = { subtree: true, childList: true, attributes: true, attributeFilter: ["data-met"] };
    new MutationObserver(note).observe(document.body, seen);
})()"""
LONG_BADGE = """(() => {
    const badge = document.querySelector("[data-testid=badge]");
    badge.insertAdjacentHTML("beforeend", `<span id="more">${"a long sentence ".repeat(6)}</span>`);
    return badge.getBoundingClientRect().x;
})()"""


@pytest.fixture
def direct(desk):
    desk.begin()
    desk.at("workspace-direct").click()
    expect(desk.at("direct-start")).to_be_visible()
    return desk


def open_take(desk):
    if desk.at("start-from").input_value() != TAKE:
        desk.at("start-from").select_option(TAKE)
    settles(desk)
    desk.until(desk.has_figure, "the body stands in the view")


def test_the_first_screen_says_what_to_do_and_a_take_is_opened(direct):
    expect(direct.at("direct-first-use")).to_be_visible()
    direct.picture("direct_first_use")
    open_take(direct)
    assert request(direct)["start_from"] == TAKE
    expect(direct.at("report")).to_contain_text("Feet rest as found")
    direct.picture("direct_open")


def test_a_dragged_hand_is_followed_live_and_the_motion_before_stays_as_a_ghost(direct):
    open_take(direct)
    go_to(direct, 1.0)
    x, y = pixel(direct, "right_hand")
    before = joint(direct, "right_hand")
    direct.page.mouse.move(x, y)
    direct.page.mouse.down()
    direct.page.mouse.move(x + 15, y - 50, steps=8)
    direct.until(lambda: direct.page.evaluate(LIVE), "the motion follows")
    direct.until(lambda: apart(joint(direct, "right_hand"), before) > 0.1, "the hand has come along")
    assert members(direct) == 2, "the motion before stays beside it"
    direct.picture("direct_dragging")
    direct.page.mouse.move(x + 30, y - 90, steps=8)
    direct.page.mouse.up()
    direct.until(lambda: members(direct) == 1, "the ghost goes when the hand is let go")
    (pin,) = request(direct)["points"]
    assert (pin["joint"], pin["at"], pin["hard"]) == ("right_hand", "60f", True)
    settles(direct)
    direct.until(lambda: apart(joint(direct, "right_hand"), pin["position"]) < 0.002, "the hand is where it was let go")
    expect(direct.at("outcome")).to_have_attribute("data-met", "true")
    direct.picture("direct_pinned")


def test_a_drag_is_given_up_with_escape(direct):
    go_to(direct, 0.5)
    before = request(direct)["points"]
    x, y = pixel(direct, "left_hand")
    direct.page.mouse.move(x, y)
    direct.page.mouse.down()
    direct.page.mouse.move(x - 40, y - 40, steps=5)
    direct.until(lambda: direct.page.evaluate(LIVE), "the motion follows")
    direct.page.keyboard.press("Escape")
    direct.page.mouse.up()
    assert request(direct)["points"] == before
    direct.until(lambda: members(direct) == 1, "the ghost goes")
    settles(direct)


def test_drags_are_undone_and_done_again(direct):
    (pin,) = request(direct)["points"]
    press(direct, "Control+z")
    direct.until(lambda: request(direct)["points"] == [], "undo takes the pin away")
    press(direct, "Control+Shift+z")
    direct.until(lambda: request(direct)["points"] == [pin], "redo brings it back")
    settles(direct)


def test_a_joint_is_pinned_and_moved_by_keyboard_alone(direct):
    go_to(direct, 1.5)
    direct.at("joint").select_option("head")
    press(direct, "p")
    direct.until(lambda: len(request(direct)["points"]) == 2, "the head is pinned")
    before = request(direct)["points"][1]["position"]
    for _ in range(3):
        press(direct, "Alt+ArrowUp")
    direct.until(lambda: request(direct)["points"][1]["position"][1] > before[1] + 0.05, "the pin moves up")
    direct.at("pin-height").fill(str(before[1]))
    direct.page.keyboard.press("Tab")
    direct.until(lambda: request(direct)["points"][1]["position"] == before, "and back by its number")
    press(direct, "Delete")
    direct.until(lambda: len(request(direct)["points"]) == 1, "Delete takes it away")
    settles(direct)


def test_a_pin_out_of_reach_says_by_how_much_and_why(direct):
    direct.page.mouse.click(*on_row(direct, "joint:right_hand", 1.0))
    expect(direct.at("selected")).to_be_visible()
    go_to(direct, 0.2)
    direct.at("met-part").filter(has_text="Right hand").click()
    assert direct.page.evaluate("motionloom.studio.frame") == 60, "a click on the report goes there"
    direct.page.evaluate(NOTE_OUTCOMES)
    direct.at("pin-height").fill("9")
    direct.page.keyboard.press("Tab")
    settles(direct)
    expect(direct.at("outcome")).to_have_attribute("data-met", "false")
    seen = direct.page.evaluate("outcomes")
    assert "pending" in seen, f"what was true before the change is not said of it: {seen}"
    expect(direct.at("outcome")).to_contain_text(re.compile(r"off by [\d.]+ (cm|m)\. .*out of reach"))
    direct.picture("direct_missed")
    direct.at("hard").uncheck()
    direct.until(lambda: not request(direct)["points"][0]["hard"], "it is weighted")
    direct.at("within").fill("0.05")
    direct.page.keyboard.press("Tab")
    direct.until(lambda: request(direct)["points"][0]["within"] == 0.05, "by its usual deviation")
    for _ in range(3):
        press(direct, "Control+z")
    direct.until(lambda: request(direct)["points"][0]["position"][1] < 2, "undo")
    settles(direct)


def test_the_badge_leaves_the_modes_free_however_long_it_is(direct):
    direct.at("mode-ground").click()  # the widest
    modes = direct.at("direct-bar").locator(".modes").bounding_box()
    assert modes["x"] + modes["width"] < direct.page.evaluate(LONG_BADGE)
    direct.picture("direct_badge")
    direct.page.evaluate("document.getElementById('more').remove()")
    direct.at("mode-drag").click()


def test_the_prior_is_switched_and_weighed_with_the_change_seen_at_once(direct):
    go_to(direct, 0.7)
    direct.at("prior-method").select_option("linear")
    direct.until(lambda: request(direct)["method"] == "linear", "another prior")
    settles(direct)
    direct.at("prior-method").select_option("dynamics")
    direct.at("prior-weight").focus()
    direct.page.keyboard.press("End")
    direct.until(lambda: request(direct)["prior_weight"] > 50, "it counts more")
    settles(direct)
    for _ in range(3):
        press(direct, "Control+z")
    direct.until(lambda: request(direct)["prior_weight"] == 1, "undone")
    settles(direct)


def test_feet_are_painted_as_labels_are(direct):
    direct.page.get_by_role("radio", name="Rest a foot").or_(
        direct.page.get_by_role("button", name="Rest a foot")
    ).first.click()
    direct.drag_along("lane-foot:left", 0.3, 0.5)
    direct.until(lambda: len(request(direct)["contacts"]) == 1, "the left foot rests")
    (contact,) = request(direct)["contacts"]
    assert contact["joint"] == "left_foot" and contact["place"] is None
    settles(direct)
    expect(direct.page.get_by_label("Track Right foot, let go")).to_be_visible()
    direct.picture("direct_contacts")
    press(direct, "Control+z")
    direct.until(lambda: request(direct)["contacts"] == [], "undone")
    press(direct, "v")
    settles(direct)


def test_paths_are_drawn_in_the_air_and_on_the_ground(direct):
    go_to(direct, 1.6)
    direct.at("joint").select_option("left_hand")
    direct.at("mode-air").click()
    x, y = pixel(direct, "left_hand")
    direct.page.mouse.move(x, y)
    direct.page.mouse.down()
    for k in range(12):
        direct.page.mouse.move(x + 6 * k, y - 5 * k)
        direct.page.wait_for_timeout(40)
    direct.picture("direct_air_path")
    direct.page.mouse.up()
    direct.until(lambda: len(request(direct)["points"]) == 2, "the hand goes along it")
    path = request(direct)["points"][1]
    assert path["joint"] == "left_hand" and len(path["path"]) >= 2 and path["from"] == "96f"
    settles(direct)
    press(direct, "Control+z")
    direct.until(lambda: len(request(direct)["points"]) == 1, "undone")
    direct.at("start-from").select_option("")
    direct.until(lambda: request(direct)["start_from"] is None, "a new motion")


def test_poses_are_dropped_on_the_timeline_and_moved_in_time(direct):
    expect(direct.at("palette")).to_be_visible(timeout=120_000)
    tiles = direct.page.locator("[data-testid=pose]")
    tiles.first.focus()
    direct.page.keyboard.press("Enter")
    direct.until(lambda: len(request(direct)["poses"]) == 1, "the first pose begins the motion")
    assert request(direct)["poses"][0]["at"] == "0f" and request(direct)["length"] == "2s"
    box = tiles.nth(1).bounding_box()
    direct.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    direct.page.mouse.down()
    direct.page.mouse.move(*on_row(direct, "poses", 1.4), steps=8)
    direct.page.mouse.up()
    direct.until(lambda: len(request(direct)["poses"]) == 2, "the second is dropped later")
    settles(direct)
    direct.picture("direct_poses")
    frame = int(request(direct)["poses"][1]["at"].removesuffix("f"))
    direct.page.mouse.move(*on_row(direct, "poses", frame / 60))
    direct.page.mouse.down()
    direct.page.mouse.move(*on_row(direct, "poses", frame / 60 - 0.5), steps=8)
    direct.page.mouse.up()
    direct.until(lambda: int(request(direct)["poses"][1]["at"].removesuffix("f")) < frame - 15, "it comes sooner")
    settles(direct)


def test_a_path_on_the_ground_is_followed(direct):
    direct.at("mode-ground").click()
    box = direct.at("canvas").bounding_box()
    x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.75
    direct.page.mouse.move(x, y)
    direct.page.mouse.down()
    direct.page.mouse.move(x + 150, y - 60, steps=20)
    direct.page.mouse.up()
    direct.until(lambda: len(request(direct)["root"]) == 1, "the root goes along it")
    path = request(direct)["root"][0]["path"]
    settles(direct)
    go_to(direct, 99)
    direct.until(lambda: apart(joint(direct, "hips")[::2], path[-1]) < 0.3, "the body ends where the path does")
    direct.picture("direct_ground_path")


def test_points_on_a_picture_pull_joints(direct, tmp_path):
    file = tmp_path / "stand.png"
    Image.new("RGB", (640, 480), (200, 210, 220)).save(file)
    go_to(direct, 1.0)
    with direct.page.expect_file_chooser() as chooser:
        direct.at("add-picture").click()
    chooser.value.set_files(file)
    expect(direct.at("picture")).to_be_visible()
    direct.until(lambda: request(direct)["cameras"], "its camera is in the request")
    assert request(direct)["cameras"]["picture 1"]["size"] == [640, 480]
    direct.at("joint").select_option("right_hand")
    box = direct.at("picture").bounding_box()
    x, y = box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.4
    direct.page.mouse.move(x, y)
    direct.page.mouse.down()
    direct.page.mouse.move(x + 6, y - 6, steps=4)
    direct.page.mouse.up()
    direct.until(lambda: len(request(direct)["projections"]) == 1, "the point is in the request")
    assert request(direct)["projections"][0]["pixel"] == pytest.approx([395, 180], abs=12)
    settles(direct)
    direct.picture("direct_picture")
    press(direct, "Control+z")
    direct.until(lambda: request(direct)["projections"] == [], "undone")


def test_what_is_asked_is_a_file_and_the_motion_is_kept(direct):
    settles(direct)
    direct.at("save-name").fill("directed/once")
    direct.at("save-answer").click()
    takes = lambda: [take["name"] for take in direct.server.get("/api/takes")["takes"]]  # noqa: E731
    direct.until(lambda: "directed/once" in takes(), "it is a take")
    press(direct, "Control+z")
    direct.until(lambda: "directed/once" not in takes(), "undo removes it")
    direct.is_saved()
    (file,) = [path for path in direct.server.corpus.glob("studio/*.dynamics.yaml") if "poses" in path.read_text()]
    assert "root:" in file.read_text()


def test_a_take_is_opened_from_the_library(direct):
    direct.choose_take("run/run_1")
    direct.page.locator("[data-testid=take][data-take='run/run_1']").click(button="right")
    direct.page.get_by_role("menuitem", name="Direct this").click()
    expect(direct.at("start-from")).to_have_value("run/run_1")
    settles(direct)
    direct.at("start-from").select_option("")


def test_a_hand_is_dragged_by_touch(tablet, slide):
    tablet.begin()
    tablet.at("workspace-direct").tap()
    tablet.at("start-from").select_option(TAKE)
    settles(tablet)
    go_to(tablet, 0.8)
    x, y = pixel(tablet, "right_hand")
    before = joint(tablet, "right_hand")
    follows = lambda: tablet.page.evaluate(LIVE) and apart(joint(tablet, "right_hand"), before) > 0.1  # noqa: E731
    slide(tablet, (x, y), (x + 20, y - 90), follows)
    tablet.picture("direct_touch")
    tablet.until(lambda: len(request(tablet)["points"]) == 1, "the pin stays")
    settles(tablet)
    (pin,) = request(tablet)["points"]
    tablet.until(lambda: apart(joint(tablet, "right_hand"), pin["position"]) < 0.002, "the hand is where it was let go")
    assert tablet.watch.unexpected() == []
