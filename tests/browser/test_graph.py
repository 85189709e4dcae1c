"""Graph: from nothing to hubs whose clips play in any order, driven with a gamepad, and back again.

The gamepad is simulated: the page asks `navigator.getGamepads`, and gets what the test holds.
"""

import re

import pytest
from playwright.sync_api import expect

from motionloom.methods.snap.graph.hubs_file import read_hubs

pytestmark = pytest.mark.long

TAKES = ("walk/normal_1", "walk/stop_and_go")
BUILT = "document.querySelector('[data-testid=badge][data-look=good][data-new=true]') !== null"  # as authored

GAMEPAD = "window.pad = null; navigator.getGamepads = () => [window.pad];"
PLUG = """() => {
    const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }));
    window.pad = { id: "Pad", index: 0, mapping: "standard", connected: true, axes: [0, 0, 0, 0], buttons };
    window.dispatchEvent(Object.assign(new Event("gamepadconnected"), { gamepad: window.pad }));
}"""


@pytest.fixture(scope="module")
def window(window):
    window.page.add_init_script(GAMEPAD)
    return window


@pytest.fixture
def graph(desk):
    desk.begin()
    desk.at("workspace-graph").click()
    return desk


def request(desk) -> dict:
    return desk.server.get("/api/document")["content"]["graph"]["request"]


def press(desk, key):
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press(key)


def built(desk):
    """Wait until what is authored is built, and give how many clips there are."""
    desk.until(lambda: desk.page.evaluate(BUILT), "the graph is built", 90)
    return desk.page.evaluate("motionloom.studio.hubs.graph.clips.length")


def frames(desk) -> list[int]:
    """The match frames that the schematic shows."""
    return sorted(desk.at("match-frame").evaluate_all("all => all.map((one) => Number(one.dataset.frame))"))


def test_the_first_screen_says_what_to_do_and_takes_are_chosen(graph):
    expect(graph.at("graph-first-use")).to_be_visible()
    graph.picture("graph_first_use")
    for take in TAKES:
        graph.page.locator(f"[data-testid=graph-take][data-take='{take}']").click()
    graph.until(lambda: request(graph)["takes"] == list(TAKES), "the takes are in the document")
    expect(graph.at("distance-image")).to_have_attribute("data-ready", "true", timeout=60_000)
    expect(graph.at("take-line")).to_have_count(2)
    expect(graph.at("suggestion").first).to_be_visible()


def test_a_pair_under_the_pointer_stands_in_the_view(graph):
    box = graph.at("distance-image").bounding_box()
    graph.page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.6)
    expect(graph.at("pair")).to_be_visible()
    graph.until(lambda: graph.page.evaluate("motionloom.studio.cast.length") == 2, "two figures stand in the view")
    graph.until(graph.has_figure, "they are drawn")
    graph.picture("graph_pair")
    graph.page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] - 60)
    expect(graph.at("pair")).to_have_count(0)


def test_the_image_zooms_at_the_pointer_and_a_click_cuts_a_slice(graph):
    span = lambda: graph.page.evaluate("document.querySelector('[data-testid=image-out]').disabled")  # noqa: E731
    assert span()  # everything is seen
    box = graph.at("distance-image").bounding_box()
    graph.page.mouse.move(box["x"] + 100, box["y"] + 150)
    graph.page.mouse.wheel(0, -400)
    graph.until(lambda: not span(), "the image is zoomed")
    graph.page.mouse.click(box["x"] + 100, box["y"] + 150)
    expect(graph.at("slice")).to_have_attribute("data-frame", re.compile(r"\d+"))
    expect(graph.at("grow-hub")).to_be_visible()
    graph.page.mouse.dblclick(box["x"] + 20, box["y"] + 20)
    graph.until(span, "everything is seen again")


def test_a_suggestion_becomes_a_hub_and_the_graph_builds_itself(graph):
    press(graph, "Escape")
    graph.at("suggestion").first.click()
    graph.until(lambda: len(request(graph)["hubs"]) == 1, "the hub is in the document")
    graph.until(lambda: len(frames(graph)) >= 2, "its match frames are in the schematic")
    assert built(graph) >= 1
    expect(graph.at("graph-headline")).to_contain_text("1 hub")
    expect(graph.at("arc").first).to_be_visible()
    graph.picture("graph_built")


def test_the_threshold_is_dragged_with_a_live_preview(graph):
    expect(graph.at("hub-threshold")).to_be_visible()
    before, shown = frames(graph), graph.at("trade").inner_text()
    box = graph.at("hub-threshold").bounding_box()
    y = box["y"] + box["height"] / 2
    value = float(graph.at("hub-threshold").input_value())
    share = value / float(graph.at("hub-threshold").get_attribute("max"))
    graph.page.mouse.move(box["x"] + 8 + (box["width"] - 16) * share, y)
    graph.page.mouse.down()
    graph.page.mouse.move(box["x"] + 8 + (box["width"] - 16) * share * 0.6, y, steps=6)
    expect(graph.at("trade")).not_to_have_text(shown)
    graph.until(lambda: len(frames(graph)) < len(before), "the schematic shows fewer match frames")
    assert request(graph)["hubs"][0]["threshold"] == pytest.approx(value, rel=0.02)  # nothing is done yet
    graph.picture("graph_threshold")
    graph.page.mouse.up()
    graph.until(lambda: request(graph)["hubs"][0]["threshold"] < 0.8 * value, "the step is done")
    press(graph, "Control+z")
    graph.until(lambda: frames(graph) == before, "the match frames are back")
    built(graph)


def test_match_frames_are_dropped_and_added_by_clicks(graph):
    before = frames(graph)
    dropped = int(graph.at("match-frame").nth(1).get_attribute("data-frame"))
    graph.at("match-frame").nth(1).click()
    graph.until(lambda: frames(graph) == sorted(set(before) - {dropped}), "the match frame is gone")
    graph.until(lambda: len(request(graph)["hubs"][0]["drop"]) == 1, "the document knows")
    fewer = built(graph)
    press(graph, "Control+z")
    graph.until(lambda: frames(graph) == before, "it is back")
    assert built(graph) == fewer + 1
    gap = widest_gap(graph)
    graph.at("match-frame").nth(gap).click()
    graph.until(lambda: len(frames(graph)) == len(before) - 1, "one is gone")
    line = graph.at("take-line").first.bounding_box()
    tick = graph.at("match-frame").nth(gap - 1).bounding_box()
    follower = graph.at("match-frame").nth(gap).bounding_box()
    middle = (tick["x"] + follower["x"] + follower["width"]) / 2
    graph.page.mouse.move(middle, line["y"] + 6)
    graph.page.mouse.click(middle, line["y"] + 6)
    graph.until(lambda: len(frames(graph)) == len(before), "a frame was added in the gap")
    press(graph, "Control+z")
    press(graph, "Control+z")
    graph.until(lambda: frames(graph) == before, "everything is as before")
    built(graph)


def widest_gap(desk) -> int:
    """Of the match frames of the first take, the one in the middle that has most room around it."""
    found = desk.at("match-frame").evaluate_all("all => all.map((one) => one.getBoundingClientRect().x)")
    return max(range(1, 4), key=lambda k: found[k + 1] - found[k - 1])


def test_a_clip_and_a_transition_are_played(graph):
    segment = graph.page.locator("[data-testid=segment]:not([data-clip=''])").first
    segment.click()
    expect(graph.at("this-clip")).to_be_visible()
    graph.until(lambda: graph.page.evaluate("motionloom.studio.playing"), "the clip plays")
    name = graph.at("clip-name").inner_text()
    short = graph.page.evaluate("motionloom.studio.length")
    graph.at("follower").first.click()
    expect(graph.at("clip-name")).to_contain_text(f"{name}, then ")
    graph.until(lambda: graph.page.evaluate("motionloom.studio.length") > short, "both clips play, one after another")
    graph.until(graph.has_figure, "somebody is drawn")
    graph.picture("graph_transition")
    box = graph.at("distance-image").bounding_box()
    graph.page.mouse.move(box["x"] + 80, box["y"] + 120)
    expect(graph.at("pair")).to_be_visible()
    graph.page.mouse.move(box["x"] + 80, box["y"] - 60)
    going_on = "motionloom.studio.playing && motionloom.studio.cast[0].motion.startsWith('page:clips')"
    graph.until(lambda: graph.page.evaluate(going_on), "what played before the pair was shown goes on")


def test_a_transition_opens_in_direct_as_a_take_and_undo_comes_back(graph):
    graph.page.locator("[data-testid=segment]:not([data-clip=''])").first.click()
    graph.at("follower").first.click()
    going_on = "motionloom.studio.cast[0]?.motion.startsWith('page:clips') && motionloom.studio.length > 0"
    graph.until(lambda: graph.page.evaluate(going_on), "both clips are shown")
    frames = graph.page.evaluate("motionloom.studio.length * motionloom.studio.fps")
    past = graph.page.evaluate("motionloom.studio.past.length")
    graph.at("direct-walk").click()
    expect(graph.at("direct-start")).to_be_visible(timeout=60_000)
    name = graph.page.evaluate("motionloom.studio.document.direct.request.start_from")
    assert name.startswith("snap/")
    shown = "motionloom.studio.cast[0]?.motion !== undefined && !motionloom.studio.cast[0].motion.startsWith('page:')"
    graph.until(lambda: graph.page.evaluate(shown), "it is shown", 120)
    shown = graph.page.evaluate("motionloom.studio.length * motionloom.studio.fps")
    assert abs(shown - frames) <= 2
    graph.picture("graph_direct")
    for _ in range(graph.page.evaluate("motionloom.studio.past.length") - past):
        graph.page.evaluate("motionloom.studio.playing = false")
        press(graph, "Control+z")
    graph.at("workspace-graph").click()
    expect(graph.at("distance-image")).to_be_visible()


def test_a_hub_that_cannot_be_is_reported_and_the_previous_graph_plays_on(graph):
    clips = graph.page.evaluate("motionloom.studio.hubs.graph.clips.length")
    graph.at("hub-threshold").focus()
    graph.page.keyboard.press("Home")  # so little that nothing is alike
    expect(graph.at("hub-problem")).to_contain_text("raise the threshold")
    expect(graph.at("badge")).to_have_attribute("data-look", "failed")
    assert graph.page.evaluate("motionloom.studio.hubs.graph.clips.length") == clips
    graph.picture("graph_problem")
    press(graph, "Control+z")
    expect(graph.at("hub-problem")).to_have_count(0)
    built(graph)


def test_a_graph_that_would_end_is_reported_and_the_previous_one_plays_on(graph):
    clips = graph.page.evaluate("motionloom.studio.hubs.graph.clips.length")
    graph.at("w-min").fill("5")  # hardly any match frame has so much room
    graph.at("w-min").press("Enter")
    expect(graph.at("build-problem")).to_be_visible(timeout=60_000)
    assert graph.page.evaluate("motionloom.studio.hubs.graph.clips.length") == clips
    press(graph, "Control+z")
    expect(graph.at("build-problem")).to_have_count(0)
    assert built(graph) == clips


def test_a_hub_is_renamed_and_all_is_there_after_a_reload(graph):
    graph.at("rename-hub").first.click()
    graph.at("hub-name").fill("step")
    graph.at("hub-name").press("Enter")
    graph.until(lambda: request(graph)["hubs"][0]["name"] == "step", "the document knows the name")
    graph.is_saved()
    before = frames(graph)
    graph.page.reload()
    expect(graph.at("hub")).to_contain_text("step")
    graph.until(lambda: frames(graph) == before, "the match frames are there")
    built(graph)
    assert graph.page.evaluate("motionloom.studio.hubs.graph.nodes[0].name") == "step"


def test_a_take_that_is_deleted_is_reported_and_the_graph_goes_on_without_it_or_with_it_again(graph):
    before, hub = frames(graph), request(graph)["hubs"]
    gone = next(take for take in TAKES if take != hub[0]["like"]["take"])
    assert graph.server.send("/api/takes/remove", {"takes": [gone]})[0] == 200
    expect(graph.at("gone-takes")).to_contain_text(gone)
    graph.at("without-gone").click()
    graph.until(lambda: request(graph)["takes"] == [take for take in TAKES if take != gone], "it goes without")
    expect(graph.at("take-line")).to_have_count(1)
    expect(graph.at("gone-takes")).to_have_count(0)
    assert graph.server.send("/api/takes/restore", {"takes": [gone], "numbers": None})[0] == 200
    press(graph, "Control+z")
    graph.until(lambda: frames(graph) == before, "all match frames are there again")
    built(graph)


def test_the_graph_is_saved_as_the_file_that_plays(graph):
    with graph.page.expect_download() as saved:
        graph.at("save-hubs").click()
    assert saved.value.suggested_filename == "test_graph.hubs"
    graph_file = read_hubs(saved.value.path())
    assert len(graph_file.clips) == graph.page.evaluate("motionloom.studio.hubs.graph.clips.length")


def test_what_was_built_is_driven_with_a_gamepad(graph):
    bytes_of = "motionloom.studio.hubs.bytes.byteLength"
    before = graph.page.evaluate(bytes_of)
    graph.at("drive-graph").click()
    graph.until(lambda: graph.page.evaluate("motionloom.drive.graph !== null"), "the graph is driven")
    assert graph.page.evaluate(bytes_of) == before
    names = graph.page.evaluate("motionloom.drive.graph.clips.map((clip) => clip.name)")
    assert names == graph.page.evaluate("motionloom.studio.hubs.graph.clips.map((clip) => clip.name)")
    graph.page.evaluate(PLUG)
    graph.page.evaluate("pad.axes[0] = -1")
    graph.until(lambda: graph.page.evaluate("motionloom.drive.asked.curvature") > 0, "a turn to the left is asked")
    graph.until(lambda: graph.page.evaluate("motionloom.drive.played.length") >= 3, "clip follows clip", 60)
    graph.picture("graph_driven")
    graph.page.evaluate("pad.axes[0] = 0")


def test_undo_takes_everything_back_step_by_step(graph):
    for _ in range(4):
        press(graph, "Control+z")
    graph.until(lambda: request(graph)["takes"] == [], "nothing is authored")
    assert request(graph)["hubs"] == []
    expect(graph.at("graph-first-use")).to_be_visible()
    press(graph, "Control+Shift+z")
    press(graph, "Control+Shift+z")
    press(graph, "Control+Shift+z")
    graph.until(lambda: len(request(graph)["hubs"]) == 1, "the hub is authored again")
    built(graph)
