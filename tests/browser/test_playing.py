"""A take plays: by mouse and by keyboard, in the 3D view and on the clock."""

import itertools
import re

import pytest
from playwright.sync_api import expect

TAKE = "walk/normal_1"


@pytest.fixture
def playing(desk):
    """A window with a take in the view, at its start, and the keyboard's focus nowhere."""
    desk.begin()
    desk.choose_take(TAKE)
    expect(desk.at("clock")).to_contain_text("/ 14.0 s")
    desk.page.evaluate("document.activeElement?.blur()")
    if desk.at("play").get_attribute("aria-label") == "Pause":
        desk.page.keyboard.press("Space")
    desk.page.keyboard.press("Home")
    desk.until(lambda: frame(desk) == 0, "the playhead is at the start")
    desk.until(lambda: desk.page.evaluate("Boolean(motionloom.stage.members[0]?.body)"), "the body has come")
    return desk


def frame(desk) -> int:
    return int(desk.at("frame").input_value())


def test_space_plays_and_pauses_and_the_picture_moves(playing):
    playing.until(playing.has_figure, "the character is drawn")
    before = playing.still()
    playing.page.keyboard.press("Space")
    expect(playing.at("play")).to_have_attribute("aria-label", "Pause")
    playing.until(lambda: frame(playing) > 20, "frames go by")
    playing.page.keyboard.press("Space")
    expect(playing.at("play")).to_have_attribute("aria-label", "Play")
    assert playing.differs(before, playing.still())
    stopped = frame(playing)
    playing.page.wait_for_timeout(300)
    assert frame(playing) == stopped
    playing.picture("playing")


def test_the_play_button_starts_from_the_beginning_when_the_take_has_ended(playing):
    playing.page.keyboard.press("End")
    playing.until(lambda: frame(playing) > 800, "the playhead is at the end")
    playing.at("play").click()
    playing.until(lambda: 0 < frame(playing) < 700, "it plays from the start")
    playing.at("play").click()


def test_keys_step_by_frames_and_seconds(playing):
    press = playing.page.keyboard.press
    for key, wanted in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Shift+ArrowRight", 61)]:
        press(key)
        playing.until(lambda wanted=wanted: frame(playing) == wanted, f"{key} leads to frame {wanted}")
    press("End")
    playing.until(lambda: frame(playing) >= 839, "the end")


def test_a_number_in_the_frame_field_leads_there(playing):
    before = playing.still()
    playing.at("frame").fill("300")
    playing.at("frame").press("Enter")
    expect(playing.at("clock")).to_contain_text("00:05.0")
    playing.until(lambda: playing.differs(before, playing.view()), "another pose is drawn")


def test_playing_stays_inside_the_loop_range(playing):
    playing.at("frame").fill("60")
    playing.at("frame").press("Enter")
    playing.page.keyboard.press("[")
    playing.at("frame").fill("90")
    playing.at("frame").press("Enter")
    playing.page.keyboard.press("]")
    playing.page.keyboard.press("Space")
    seen = []

    def has_looped() -> bool:
        """Twice back to the start, and far enough in between to be sure that it played."""
        seen.append(frame(playing))
        backwards = sum(later < earlier for earlier, later in itertools.pairwise(seen))
        return backwards >= 2 and max(seen) - min(seen) > 10

    playing.until(has_looped, "it has played the range more than once")
    playing.page.keyboard.press("Space")
    playing.page.keyboard.press("l")  # everything again
    assert min(seen) >= 59 and max(seen) <= 91


def test_keys_change_what_the_view_shows(playing):
    for key, testid in [("s", "view-style"), ("g", "view-grid")]:
        before = playing.still()
        playing.page.keyboard.press(key)
        playing.until(lambda before=before: playing.differs(before, playing.still()), f"{key} changes the picture")
        playing.at(testid).click()
        playing.until(lambda before=before: not playing.differs(before, playing.still()), f"{testid} changes it back")
    playing.at("view-ghosts").click()
    playing.picture("onion_skins")
    expect(playing.at("view-ghosts")).to_have_attribute("aria-pressed", "true")


def test_dragging_turns_the_camera_and_the_wheel_comes_closer(playing):
    box = playing.at("canvas").bounding_box()
    x, y = box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.25
    before = playing.still()
    playing.page.mouse.move(x, y)
    playing.page.mouse.down()
    playing.page.mouse.move(x + 120, y + 20, steps=4)
    playing.page.mouse.up()
    playing.until(lambda: playing.differs(before, playing.view()), "the camera has turned")
    turned = playing.still()
    playing.page.mouse.wheel(0, -400)
    playing.until(lambda: playing.differs(turned, playing.view()), "the camera is closer")


def test_frames_come_as_binary_and_at_most_once(playing):
    """A take of 14 s is 840 frames: four messages, however often it is played."""
    received = []
    playing.page.on("websocket", lambda socket: socket.on("framereceived", lambda data: received.append(data)))
    playing.page.reload()
    playing.until(playing.has_figure, "the character is drawn")
    for key, is_end in [("Home", False), ("End", True), ("Home", False), ("End", True)]:
        playing.page.keyboard.press(key)
        playing.until(lambda is_end=is_end: (frame(playing) >= 839) is is_end, f"{key} leads there")
        playing.still()  # with the frames that are needed there
    chunks = [message for message in received if isinstance(message, bytes)]
    assert 2 <= len(chunks) <= 6
    assert max(len(chunk) for chunk in chunks) < 256 * (3 * 4 + 40 * 8) + 2000
    assert not [
        message for message in received if isinstance(message, str) and re.search(r'"(root|rotations)"', message)
    ]
