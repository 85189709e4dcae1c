"""Control: a graph from nothing, driven with a gamepad, with keys and with the mouse; buttons that people change.

The gamepad is simulated: the page asks `navigator.getGamepads` for every frame, and gets what the test holds.
"""

import math
import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.long

GAMEPAD = """
window.pad = null;
navigator.getGamepads = () => [window.pad];
window.plug = (isThere) => {
    const nothing = () => ({ pressed: false, value: 0 });
    const made = { id: "Test pad (STANDARD GAMEPAD)", index: 0, mapping: "standard" };
    const gone = window.pad;
    window.pad = isThere
        ? { ...made, connected: true, axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, nothing) }
        : null;
    const event = new Event(isThere ? "gamepadconnected" : "gamepaddisconnected");
    event.gamepad = window.pad ?? gone;
    window.dispatchEvent(event);
};
"""
STATE = """(() => {
    const { drive } = motionloom;
    const { clips } = drive.graph;
    return {
        clip: clips[drive.clip]?.name ?? null, next: clips[drive.next]?.name ?? null, heading: drive.ride.heading,
        seconds: drive.ride.seconds, root: [...drive.ride.pose.root], pressed: drive.pressed, goal: drive.goal,
        asked: { ...drive.asked }, way: drive.way,
    };
})()"""
NOTE_ARRIVAL = """(() => {
    const { drive } = motionloom;
    const stop = drive.stopGoing;
    drive.stopGoing = () => {
        if (drive.goal !== null) window.arrival = drive.ride.player.arrive(); // where the last clip of the way leads
        stop.call(drive);
    };
})()"""
BUTTONS = (
    "Object.fromEntries(motionloom.drive.buttons.map((one) => [one.id, { name: one.name, clips: one.clips.length }]))"
)


@pytest.fixture(scope="module")
def window(window):
    window.page.add_init_script(GAMEPAD)
    return window


@pytest.fixture
def control(desk):
    """The workspace, with nobody's hands on anything and what is on the buttons as the test before left it."""
    desk.begin()
    desk.at("workspace-control").click()
    desk.page.evaluate("pad && (pad.axes[0] = pad.axes[1] = 0)")
    return desk


def state(desk) -> dict:
    return desk.page.evaluate(STATE)


def asked(desk) -> dict:
    return state(desk)["asked"]


def push(desk, x: float, y: float) -> None:
    desk.page.evaluate("([x, y]) => { pad.axes[0] = x; pad.axes[1] = y; }", [x, y])


def hold(desk, button: int, is_down: bool) -> None:
    desk.page.evaluate("([n, down]) => { pad.buttons[n] = { pressed: down, value: down ? 1 : 0 }; }", [button, is_down])


def press(desk, button: int, bit: int) -> None:
    """Press a button for as long as the page needs to see it, which draws slowly here."""
    hold(desk, button, True)
    desk.until(lambda: state(desk)["pressed"] & (1 << bit), "the button lights up")
    hold(desk, button, False)
    desk.until(lambda: not state(desk)["pressed"] & (1 << bit), "the button is let go")


def clip_named(desk, name: str):
    return desk.page.locator(f"[data-testid=clip][data-clip='{name}']")


def drop(desk, source, target) -> None:
    source.scroll_into_view_if_needed()
    source.drag_to(target)
    desk.is_saved()


def test_without_a_graph_it_says_how_to_get_one_and_makes_it_with_one_click(control):
    expect(control.at("first-drive")).to_be_visible()
    control.picture("control_empty")
    control.at("make-graph").filter(has_text="walk").click()
    control.until(lambda: control.page.evaluate("motionloom.drive.graph !== null"), "the graph is there", 120)
    expect(control.at("screen-pad")).to_be_visible()
    control.until(lambda: state(control)["seconds"] > 0.5, "the character goes")
    assert control.has_figure()
    assert control.page.evaluate("motionloom.studio.past.length") == 1


def test_a_gamepad_is_noticed_and_the_stick_turned_left_goes_left(control):
    control.page.evaluate("plug(true)")
    expect(control.at("pad-state")).to_contain_text("Test pad")
    push(control, -1, 0)
    control.until(lambda: state(control)["asked"]["curvature"] > 0.1, "a turn to the left is asked")
    before = turned(control)
    control.until(lambda: turned(control) - before > math.radians(60), "the heading grows", 60)
    expect(control.at("asked-curvature")).not_to_have_text("0.00")
    control.picture("control_left")
    push(control, 0, 0)
    control.until(lambda: state(control)["asked"]["curvature"] == 0, "straight on is asked")


def turned(desk) -> float:
    """Radians that the clips played so far have turned the character, all the way round."""
    return desk.page.evaluate(
        "motionloom.drive.played.slice(0, -1)"
        ".reduce((sum, { clip }) => sum + motionloom.drive.graph.clips[clip].turn, 0)"
    )


def test_a_gamepad_that_goes_is_noticed_and_its_stick_let_go(control):
    push(control, -1, -1)
    control.until(lambda: state(control)["asked"]["curvature"] > 0, "it steers")
    control.page.evaluate("plug(false)")
    control.until(lambda: state(control)["asked"]["curvature"] == 0, "nobody steers any more")
    expect(control.at("pad-state")).to_contain_text("No gamepad")
    control.page.evaluate("plug(true)")


def test_keys_steer_and_do_nothing_else(control):
    style = control.page.evaluate("motionloom.studio.preferences.style")
    control.until(lambda: asked(control)["curvature"] == 0, "nothing steers")
    usual = asked(control)["speed"]
    control.page.keyboard.down("a")
    control.until(lambda: asked(control)["curvature"] > 0.1, "A asks for left")
    control.page.keyboard.up("a")
    control.page.keyboard.down("s")
    control.until(lambda: asked(control)["curvature"] == 0 and asked(control)["speed"] < usual, "S asks for slow")
    control.page.keyboard.up("s")
    control.until(lambda: asked(control)["speed"] == usual, "usual speed again")
    assert control.page.evaluate("motionloom.studio.preferences.style") == style


def test_the_stick_on_the_screen_steers(control):
    box = control.at("screen-stick").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    control.page.mouse.move(x, y)
    control.page.mouse.down()
    control.page.mouse.move(x - 40, y, steps=4)
    control.until(lambda: state(control)["asked"]["curvature"] > 0.1, "left is asked")
    control.page.mouse.up()
    control.until(lambda: state(control)["asked"]["curvature"] == 0, "it springs back")


def test_a_clip_dropped_on_a_button_is_played_by_it_and_undo_takes_it_off(control):
    name = control.page.evaluate("motionloom.drive.graph.clips.find((one) => one.labels.turn_left > 0.9).name")
    assert control.page.evaluate(BUTTONS)["a"]["clips"] == 0
    drop(control, clip_named(control, name), control.at("pad-a"))
    control.until(lambda: control.page.evaluate(BUTTONS)["a"]["clips"] == 1, "the clip is on A")
    press(control, 0, 0)
    control.until(lambda: state(control)["clip"] == name, "A plays it", 60)
    expect(control.at("waited")).to_have_text(re.compile(r"\d\.\d\d s"))
    control.picture("control_button")
    control.page.keyboard.press("Control+z")
    control.until(lambda: control.page.evaluate(BUTTONS)["a"]["clips"] == 0, "the button is empty again")
    control.page.keyboard.press("Control+Shift+z")
    control.until(lambda: control.page.evaluate(BUTTONS)["a"]["clips"] == 1, "and has it again")


def test_a_key_that_is_tapped_between_two_frames_counts_once(control):
    """Pressed and let go at once: no look at the keys, one a frame, falls in between."""
    (clip,) = control.page.evaluate("motionloom.drive.buttons.find((one) => one.id === 'a').clips")
    times = f"motionloom.drive.played.filter((one) => one.clip === {clip}).length"
    control.until(lambda: control.page.evaluate("motionloom.drive.wished === null"), "nothing waits")
    before = control.page.evaluate(times)
    control.page.evaluate(
        """() => ["keydown", "keyup"].forEach((kind) =>
            document.body.dispatchEvent(new KeyboardEvent(kind, { code: "Digit1", key: "1", bubbles: true })))"""
    )
    control.until(lambda: control.page.evaluate(times) > before, "A plays its clip", 60)
    control.until(lambda: control.page.evaluate("motionloom.drive.wished === null"), "nothing waits any more")
    assert control.page.evaluate(times) == before + 1


def test_a_button_can_be_called_something_else_and_its_clip_moved_to_another(control):
    row = control.page.locator("[data-testid=button-row][data-button=a]")
    row.get_by_test_id("rename-button").click()
    control.at("button-name").fill("bend")
    control.page.keyboard.press("Enter")
    control.until(lambda: control.page.evaluate(BUTTONS)["a"]["name"] == "bend", "A is called so")
    chip = row.get_by_test_id("button-clip").first
    drop(control, chip, control.page.locator("[data-testid=button-row][data-button=y]"))
    buttons = control.page.evaluate(BUTTONS)
    assert (buttons["a"]["clips"], buttons["y"]["clips"]) == (0, 1)
    control.page.keyboard.press("Control+z")
    control.until(lambda: control.page.evaluate(BUTTONS)["a"] == {"name": "bend", "clips": 1}, "one step back")


def test_a_button_says_what_comes_before_it(control):
    """A clip that leaves the other hub: one has to be gone through first."""
    control.until(lambda: state(control)["next"], "something comes next")
    control.page.keyboard.press("Space")
    name = control.page.evaluate(
        "(() => { const d = motionloom.drive; return d.graph.clips.find((one) => one.source !== d.node).name; })()"
    )
    clip_named(control, name).get_by_test_id("put-on").select_option("x")
    control.until(lambda: control.page.evaluate(BUTTONS)["x"]["clips"] == 1, "the clip is on X")
    hold(control, 2, True)
    expect(control.at("control-way")).to_have_text(re.compile(r"^\s*.+, then .+: \d+\.\d s$"))
    control.page.keyboard.press("Space")
    control.until(lambda: state(control)["clip"] == name, "it gets there", 60)
    hold(control, 2, False)


def test_what_is_on_the_buttons_is_there_after_a_reload(control):
    control.is_saved()
    before = control.page.evaluate(BUTTONS)
    control.page.reload()
    control.until(lambda: control.page.evaluate("window.motionloom?.drive?.graph != null"), "it drives again", 60)
    assert control.page.evaluate(BUTTONS) == before
    control.page.evaluate("plug(true)")
    control.at("propose-buttons").click()
    control.until(lambda: control.page.evaluate(BUTTONS)["a"]["clips"] == 0, "as proposed")


def test_a_double_click_on_the_ground_sends_it_there(control):
    control.page.keyboard.press("Space")
    control.until(lambda: not control.page.evaluate("motionloom.studio.playing"), "it is paused")
    control.page.keyboard.press("r")
    control.until(lambda: state(control)["seconds"] == 0, "it is back at the start")
    control.still()
    control.page.evaluate(NOTE_ARRIVAL)
    box = control.at("canvas").bounding_box()
    control.page.mouse.dblclick(box["x"] + box["width"] * 0.44, box["y"] + box["height"] * 0.5)
    goal = control.until(lambda: state(control)["goal"], "there is a place to go to")
    assert math.dist(goal, [state(control)["root"][0], state(control)["root"][2]]) > 2
    expect(control.at("control-way")).to_have_text(re.compile(r"there in \d+\.\d s"))
    control.page.keyboard.press("Space")
    arrival = control.until(lambda: control.page.evaluate("window.arrival"), "it has arrived", 120)
    assert state(control)["goal"] is None
    assert math.dist(goal, arrival[:2]) < 0.3


def test_what_was_driven_opens_in_direct_as_a_take(control):
    control.until(lambda: state(control)["seconds"] > 1.0, "it was driven for a while")
    control.page.evaluate("motionloom.drive.pause()")
    seconds = state(control)["seconds"]
    control.at("direct-walk").click()
    expect(control.at("direct-start")).to_be_visible(timeout=60_000)
    name = control.page.evaluate("motionloom.studio.document.direct.request.start_from")
    control.until(lambda: control.page.evaluate("motionloom.studio.length > 0"), "it is shown", 120)
    control.until(control.has_figure, "somebody is drawn")
    assert abs(control.page.evaluate("motionloom.studio.length") - seconds) < 0.1
    control.picture("control_direct")
    control.page.keyboard.press("Control+z")
    control.page.keyboard.press("Control+z")
    control.until(
        lambda: not control.page.evaluate(f"motionloom.studio.document.direct.request.start_from === '{name}'"), ""
    )


def test_paused_it_stands_still_and_leaving_gives_the_stage_back(control):
    control.page.keyboard.press("Space")
    control.until(lambda: not control.page.evaluate("motionloom.studio.playing"), "it is paused")
    before = state(control)["seconds"]
    control.page.wait_for_timeout(300)
    assert state(control)["seconds"] == before
    control.choose_take("walk/normal_1")
    control.until(
        lambda: control.page.evaluate("motionloom.stage.player.motion?.info.id") == "take:walk/normal_1",
        "the take is there",
    )
    control.still()
    assert control.has_figure()
