"""Timeline: painted labels become motion at once, targets are dragged, results are kept and everything is undone."""

import re

import pytest
from playwright.sync_api import expect

NOTHING_RUNS = """!motionloom.studio.jobs.some(
    (job) => job.kind === "search" && (job.state === "running" || job.state === "waiting"))"""


@pytest.fixture
def timeline(desk):
    desk.begin()
    desk.at("workspace-timeline").click()
    return desk


def document(desk) -> dict:
    return desk.server.get("/api/document")["content"]["timeline"]


def press(desk, key):
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press(key)


def paint(desk, label, start, stop):
    desk.drag_along(f"lane-label:{label}", start, stop)


def found(desk):
    """Wait until a motion is found for what is painted now."""
    expect(desk.at("badge")).to_have_attribute("data-look", re.compile("good|warning|missed"), timeout=60_000)


def test_the_first_screen_says_what_to_do(timeline):
    expect(timeline.at("first-use")).to_be_visible()
    timeline.picture("timeline_first_use")
    timeline.at("first-label").filter(has_text="walk").first.click()
    expect(timeline.at("lane-label:walk")).to_be_visible()


def test_a_painted_label_becomes_a_motion(timeline):
    paint(timeline, "walk", 0.04, 0.5)  # time begins a little inside the lane
    timeline.until(lambda: document(timeline)["request"]["labels"], "the paint is in the document")
    (label,) = document(timeline)["request"]["labels"]
    assert (label["label"], label["value"]) == ("walk", "must")
    found(timeline)
    expect(timeline.at("headline")).to_be_visible()
    timeline.until(timeline.has_figure, "the character is drawn")
    timeline.picture("timeline_result")


def test_a_second_label_changes_the_motion_on_the_fly(timeline):
    timeline.at("paintable").filter(has_text="run").first.click()
    expect(timeline.at("lane-label:run")).to_be_visible()
    paint(timeline, "run", 0.6, 0.9)
    timeline.until(lambda: len(document(timeline)["request"]["labels"]) == 2, "both are in the document")
    found(timeline)
    expect(timeline.at("report")).to_contain_text("run")
    timeline.picture("timeline_two_labels")


def test_the_badge_and_the_report_say_the_same_whichever_motion_plays(timeline):
    found(timeline)
    expect(timeline.at("others")).to_be_visible()
    timeline.until(lambda: timeline.page.evaluate(NOTHING_RUNS), "all motions are found")
    for number in range(timeline.at("other").count()):
        timeline.at("other").nth(number).click()
        expect(timeline.at("other").nth(number)).to_have_attribute("aria-pressed", "true")
        badge = timeline.at("badge").inner_text().strip().removeprefix("another motion plays: ")
        assert badge.lower() == timeline.at("headline").inner_text().strip().lower()
        assert "% of the paint holds" in badge
    expect(timeline.at("no-reason-yet")).to_have_count(0)
    timeline.at("other").first.click()


def test_a_shorter_timeline_hides_what_lies_beyond_and_a_longer_one_brings_it_back(timeline):
    before = document(timeline)["request"]
    sent: list[str] = []
    timeline.page.on("request", lambda request: "/search" in request.url and sent.append(request.post_data or ""))
    resize(timeline, "3")
    timeline.until(lambda: document(timeline)["request"]["length"] == "3s", "it is shorter")
    short = document(timeline)
    assert [label["label"] for label in short["request"]["labels"]] == ["walk"]
    assert {label["label"] for label in short["beyond"]["labels"]} == {"walk", "run"}
    expect(timeline.at("beyond")).to_contain_text("beyond the end")
    found(timeline)
    assert all("run" not in request for request in sent), "what is hidden is not asked for"
    timeline.picture("timeline_shortened")
    timeline.is_saved()
    timeline.page.reload()
    expect(timeline.at("beyond")).to_be_visible()
    resize(timeline, "10")
    timeline.until(lambda: document(timeline)["request"] == before, "everything is back")
    expect(timeline.at("beyond")).to_have_count(0)
    press(timeline, "Control+z")
    timeline.until(lambda: document(timeline) == short, "undo makes it short again")
    press(timeline, "Control+z")
    timeline.until(lambda: document(timeline)["request"] == before, "and long again")
    found(timeline)


def resize(desk, seconds):
    """Type another length."""
    desk.at("length").fill(seconds)
    desk.page.keyboard.press("Enter")


def test_a_place_on_the_ground_is_set_dragged_and_undone(timeline):
    timeline.until(lambda: timeline.page.evaluate(NOTHING_RUNS), "all motions are found")
    if timeline.at("play").get_attribute("aria-label") == "Pause":
        press(timeline, "Space")
    timeline.at("view-follow").click()
    timeline.still()  # and so does the ground, from now on
    box = timeline.at("canvas").bounding_box()
    x, y = box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.75
    timeline.page.mouse.dblclick(x, y)
    timeline.until(lambda: document(timeline)["request"]["places"], "there is a place")
    (before,) = document(timeline)["request"]["places"]
    timeline.still()
    timeline.page.mouse.move(x, y)
    timeline.page.mouse.down()
    timeline.page.mouse.move(x + 40, y - 20, steps=5)
    timeline.picture("waypoint_dragged")
    timeline.page.mouse.move(x + 80, y - 20, steps=5)
    timeline.page.mouse.up()
    timeline.until(lambda: document(timeline)["request"]["places"] != [before], "the place has moved")
    found(timeline)
    press(timeline, "Control+z")
    timeline.until(lambda: document(timeline)["request"]["places"] == [before], "the place is back")
    press(timeline, "Control+z")
    timeline.until(lambda: not document(timeline)["request"]["places"], "there is no place")


def test_what_was_painted_is_there_after_a_reload_and_a_killed_server(timeline):
    timeline.is_saved()
    painted = document(timeline)
    timeline.watch.allow_lost_line()
    timeline.server.restart()
    timeline.page.reload()
    expect(timeline.at("lane-label:run")).to_be_visible()
    assert document(timeline) == painted
    found(timeline)


def test_a_motion_is_kept_as_a_take_and_the_take_taken_back(timeline):
    found(timeline)
    timeline.at("save-name").fill("made/first")
    timeline.at("save-answer").click()
    takes = lambda: {take["name"] for take in timeline.server.get("/api/takes")["takes"]}  # noqa: E731
    timeline.until(lambda: "made/first" in takes(), "the corpus has the new take")
    expect(timeline.at("undo")).to_have_attribute("title", re.compile("made/first"))
    press(timeline, "Control+z")
    timeline.until(lambda: "made/first" not in takes(), "the take is gone again")


def test_the_name_that_is_proposed_for_a_kept_motion_is_free(timeline):
    found(timeline)
    proposed = timeline.at("save-name").get_attribute("placeholder")
    timeline.at("save-answer").click()
    expect(timeline.at("save-name")).to_have_attribute("placeholder", f"{proposed}_2")
    press(timeline, "Control+z")
    expect(timeline.at("save-name")).to_have_attribute("placeholder", proposed)


def test_undo_takes_back_step_by_step_and_redo_brings_it_again(timeline):
    """Two strokes and two rows were made, one after the other."""
    for strokes, rows in [(1, 2), (1, 1), (0, 1), (0, 0)]:
        press(timeline, "Control+z")
        wanted = (strokes, rows)
        timeline.until(lambda wanted=wanted: authored(timeline) == wanted, f"strokes and rows are {wanted}")
    expect(timeline.at("first-use")).to_be_visible()
    for _ in range(4):
        press(timeline, "Control+Shift+z")
    timeline.until(lambda: authored(timeline) == (2, 2), "everything is there again")


def authored(desk) -> tuple[int, int]:
    part = document(desk)
    return len(part["request"]["labels"]), len(part["tracks"])
