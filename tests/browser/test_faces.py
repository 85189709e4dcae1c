"""Faces: seen in the Library, and directed by their markers, by sliders, on pictures and with keys of other takes."""

import io
import re
import shutil

import pytest
from PIL import Image
from playwright.sync_api import expect
from tests.browser.directing import LIVE, apart, go_to, joint, members, on_row, pixel, press, request, settles

from motionloom import formats
from motionloom.corpus import Corpus

SMILE, ANGER = "face/happiness", "face/anger"
LIP, CHIN = "left_mouth_corner", "chin"


@pytest.fixture(scope="module")
def server(small_corpus, make, start_server, tmp_path_factory):
    """With three faces beside the bodies."""
    folder = tmp_path_factory.mktemp("faces")
    shutil.copytree(small_corpus, folder / "faces")
    with Corpus.open(folder / "faces", write=True) as corpus:
        make.add_faces(corpus, (SMILE, ANGER, "face/surprise"))
    return start_server(folder, folder / "faces")


@pytest.fixture
def studio(desk):
    desk.begin()
    return desk


@pytest.fixture
def face(studio):
    """A face that is directed."""
    studio.at("workspace-direct").click()
    if studio.at("start-from").input_value() != SMILE:
        studio.at("start-from").select_option(SMILE)
    settles(studio)
    return studio


def row(desk, take):
    return desk.page.locator(f"[data-testid=take][data-take='{take}']")


def ink(locator) -> int:
    """Pixels of something on the page that are not as its corner is."""
    picture = Image.open(io.BytesIO(locator.screenshot())).convert("L")
    paper = picture.getpixel((0, 0))
    return sum(picture.point(lambda value: 255 if abs(value - paper) > 20 else 0).histogram()[255:])


def is_drawn(desk) -> bool:
    """Whether a face is seen in the view: markers and outlines are darker than what is behind them."""
    return sum(desk.view().histogram()[:140]) > 600


def undo_all(desk):
    """Take back what a test has asked."""
    for _ in range(10):
        asked = request(desk)
        if not any(asked[part] for part in ("points", "distances", "projections", "poses", "cameras")):
            break
        press(desk, "Control+z")
        desk.until(lambda asked=asked: request(desk) != asked, "a step is undone")
    settles(desk)


def slide_lip(desk, right, up):
    """Press on the lip and drag it so far, pixels; the hand stays down."""
    x, y = pixel(desk, LIP)
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x + right, y - up, steps=8)


def distance(desk, name):
    return desk.page.locator(f"[data-testid=distance][data-name='{name}']")


def millimetres(desk, name) -> float:
    """What the slider of a distance shows."""
    return float(distance(desk, name).locator("output").inner_text().removesuffix(" mm"))


def test_every_take_has_a_sketch_in_the_list_faces_and_bodies(studio):
    for take, kind in ((SMILE, "face"), ("walk/circle_left", "body")):
        row(studio, take).scroll_into_view_if_needed()
        sketch = row(studio, take).get_by_test_id("sketch")
        expect(sketch).to_have_attribute("data-kind", kind)
        assert ink(sketch) > 60, "something is drawn"
    paths = [row(studio, take).locator("path.outlines").get_attribute("d") for take in (SMILE, ANGER)]
    assert paths[0] != paths[1], "another expression is another picture"
    studio.picture("faces_library")


def test_a_face_is_seen_from_the_front_from_near_and_a_body_as_before(studio):
    studio.choose_take("walk/normal_1")
    studio.until(studio.has_figure, "the body stands in the view")
    before = studio.page.evaluate("motionloom.stage.view.lens().position")
    studio.choose_take(SMILE)
    studio.still()
    studio.until(lambda: is_drawn(studio), "the face is in the view")
    ears, tip = [joint(studio, f"{side}_ear") for side in ("left", "right")], joint(studio, "nose_tip")
    lens = studio.page.evaluate("motionloom.stage.view.lens()")
    assert apart(lens["position"], tip) < 1.0 < lens["position"][2] + 1.0
    assert abs(apart(lens["position"], ears[0]) - apart(lens["position"], ears[1])) < 0.03, "as much of both sides"
    expect(studio.at("view-footprints")).to_be_disabled()
    studio.choose_take("walk/normal_1")
    studio.still()
    after = studio.page.evaluate("motionloom.stage.view.lens().position")
    assert apart(before, after) < 0.3, "bodies are seen from where they were seen before"


def test_what_only_bodies_can_do_is_off_and_markers_are_exported(studio, tmp_path):
    studio.choose_take(SMILE)
    row(studio, SMILE).click(button="right")
    mirror = studio.page.get_by_role("menuitem", name="Mirror")
    expect(mirror).to_be_disabled()
    expect(mirror).to_have_attribute("title", "Markers have no body")
    expect(studio.page.get_by_role("menuitem", name="Export as bvh")).to_have_count(0)
    with studio.page.expect_download() as waiting:
        studio.page.get_by_role("menuitem", name="Export as csv").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert len(formats.read(path).motion.names) == 40


def test_a_face_is_opened_from_the_library_to_be_directed(studio):
    studio.choose_take(SMILE)
    row(studio, SMILE).click(button="right")
    studio.page.get_by_role("menuitem", name="Direct this").click()
    expect(studio.at("start-from")).to_have_value(SMILE)
    settles(studio)
    expect(studio.at("mode-ground")).to_have_count(0)
    expect(studio.page.get_by_label(re.compile("Track Left foot"))).to_have_count(0)
    expect(studio.at("feet")).to_have_count(0)
    studio.picture("faces_open")


def test_a_dragged_lip_is_followed_live_and_the_face_before_stays_as_a_ghost(face):
    go_to(face, 5.0)
    before, ear = joint(face, LIP), joint(face, "left_ear")
    slide_lip(face, 12, 15)
    face.until(lambda: face.page.evaluate(LIVE), "the face follows")
    face.until(lambda: apart(joint(face, LIP), before) > 0.005, "the lip has come along")
    assert members(face) == 2, "the face before stays beside it"
    face.picture("faces_dragging")
    face.page.mouse.up()
    face.until(lambda: members(face) == 1, "the ghost goes when the hand is let go")
    (pin,) = request(face)["points"]
    assert (pin["joint"], pin["at"], pin["hard"]) == (LIP, "300f", True)
    settles(face)
    face.until(lambda: apart(joint(face, LIP), pin["position"]) < 1e-4, "the lip is where it was let go")
    assert apart(joint(face, "left_ear"), ear) < 0.002, "the head stays"
    expect(face.at("outcome")).to_have_attribute("data-met", "true")
    face.picture("faces_pinned")
    undo_all(face)


def test_a_drag_is_given_up_with_escape(face):
    go_to(face, 5.0)
    slide_lip(face, -15, 10)
    face.until(lambda: face.page.evaluate(LIVE), "the face follows")
    face.page.keyboard.press("Escape")
    face.page.mouse.up()
    face.until(lambda: members(face) == 1, "the ghost goes")
    settles(face)
    assert request(face)["points"] == []


def test_a_marker_is_pinned_and_moved_by_keyboard_alone(face):
    go_to(face, 2.0)
    face.at("joint").select_option(CHIN)
    press(face, "p")
    face.until(lambda: len(request(face)["points"]) == 1, "the chin is pinned")
    before = request(face)["points"][0]["position"]
    for _ in range(3):
        press(face, "Alt+ArrowDown")
    face.until(lambda: request(face)["points"][0]["position"][1] < before[1] - 0.002, "the pin moves down")
    settles(face)
    undo_all(face)


def test_a_slider_opens_the_mouth_at_the_playhead_and_lets_it_go(face):
    go_to(face, 5.0)
    before = millimetres(face, "mouth height")
    slider = distance(face, "mouth height").get_by_test_id("distance-slider")
    slider.focus()
    for _ in range(30):
        face.page.keyboard.press("ArrowRight")
    face.until(lambda: len(request(face)["distances"]) == 1, "the distance is asked for")
    (asked,) = request(face)["distances"]
    assert (asked["joint"], asked["other"], asked["at"]) == ("upper_lip", "lower_lip", "300f")
    assert 1000 * asked["metres"] == pytest.approx(before + 3, abs=0.2), "a tenth of a millimetre a step"
    settles(face)
    lips = lambda: apart(joint(face, "upper_lip"), joint(face, "lower_lip"))  # noqa: E731
    face.until(lambda: abs(lips() - asked["metres"]) < 2e-4, "the lips are so far apart")
    expect(face.at("met-part").filter(has_text="Mouth height")).to_be_visible()
    face.picture("faces_slider")
    distance(face, "mouth height").get_by_test_id("release-distance").click()
    face.until(lambda: request(face)["distances"] == [], "nothing is asked any more")
    settles(face)
    face.until(lambda: abs(1000 * lips() - before) < 0.3, "the mouth is as it was")


def test_a_slider_is_dragged_over_the_loop_range(face):
    face.page.evaluate("motionloom.studio.loop = [1, 2]")
    slider = distance(face, "mouth width").get_by_test_id("distance-slider")
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    face.page.mouse.move(box["x"] + box["width"] * 0.5, y)
    face.page.mouse.down()
    face.page.mouse.move(box["x"] + box["width"] * 0.7, y, steps=6)
    face.until(lambda: face.page.evaluate(LIVE), "the face follows")
    face.page.mouse.up()
    face.until(lambda: len(request(face)["distances"]) == 1, "it is asked for")
    (asked,) = request(face)["distances"]
    assert (asked["at"], asked["from"], asked["to"]) == (None, "60f", "120f")
    face.page.evaluate("motionloom.studio.loop = null")
    settles(face)
    undo_all(face)


def test_two_markers_without_a_name_get_a_slider(face):
    face.at("pair-one").select_option("nose_tip")
    face.at("pair-other").select_option(CHIN)
    face.at("add-pair").click()
    expect(distance(face, "nose tip to chin")).to_be_visible()
    shown = apart(joint(face, "nose_tip"), joint(face, CHIN))
    assert millimetres(face, "nose tip to chin") == pytest.approx(1000 * shown, abs=0.2)


def test_a_point_on_a_picture_is_placed_and_dragged(face, tmp_path):
    file = tmp_path / "face.png"
    Image.new("RGB", (640, 480), (200, 210, 220)).save(file)
    go_to(face, 3.0)
    face.still()
    with face.page.expect_file_chooser() as chooser:
        face.at("add-picture").click()
    chooser.value.set_files(file)
    expect(face.at("picture")).to_be_visible()
    face.until(lambda: request(face)["cameras"], "its camera is in the request")
    camera = request(face)["cameras"]["picture 1"]
    lens = face.page.evaluate("motionloom.stage.view.lens()")
    assert camera["size"] == [640, 480] and apart(camera["position"], lens["position"]) < 1e-3
    face.at("joint").select_option("lower_lip")
    before = joint(face, "lower_lip")
    box = face.at("picture").bounding_box()
    x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.7
    face.page.mouse.click(x, y)
    face.until(lambda: len(request(face)["projections"]) == 1, "the point is on the picture")
    assert request(face)["projections"][0]["pixel"] == pytest.approx([320, 336], abs=8)
    face.page.mouse.move(x, y)
    face.page.mouse.down()
    face.page.mouse.move(x + 4, y + 8, steps=6)
    face.until(lambda: face.page.evaluate(LIVE), "the face follows")
    face.page.mouse.up()
    scale = 640 / box["width"]
    moved = [320 + 4 * scale, 336 + 8 * scale]
    face.until(lambda: request(face)["projections"][0]["pixel"] == pytest.approx(moved, abs=8), "the point was moved")
    (point,) = request(face)["projections"]
    assert (point["joint"], point["at"], point["camera"]) == ("lower_lip", "180f", "picture 1")
    settles(face)
    assert apart(joint(face, "lower_lip"), before) > 0.002
    face.picture("faces_picture")
    undo_all(face)


def test_a_face_of_another_take_is_a_key_by_a_tap_and_by_a_drop(face):
    go_to(face, 4.0)
    expect(face.at("key-face").first).to_be_visible()
    key = face.page.locator(f"[data-testid=key-face][data-take='{ANGER}']").nth(1)
    frame = int(key.get_attribute("data-frame"))
    key.click()
    face.until(lambda: len(request(face)["poses"]) == 1, "it is asked for at the playhead")
    (pose,) = request(face)["poses"]
    assert (pose["at"], pose["pose"], pose["hard"]) == ("240f", {"take": ANGER, "frame": frame}, True)
    settles(face)
    x, y = on_row(face, "poses", 8.0)
    lane = face.at("lane-poses").bounding_box()
    key.drag_to(face.at("lane-poses"), target_position={"x": x - lane["x"], "y": y - lane["y"]})
    face.until(lambda: len(request(face)["poses"]) == 2, "another one is dropped later")
    at = int(request(face)["poses"][1]["at"].removesuffix("f"))
    assert at == pytest.approx(480, abs=8)
    settles(face)
    face.picture("faces_keys")
    undo_all(face)


def test_any_frame_of_a_take_is_a_key(face):
    face.at("any-take").select_option("face/surprise")
    face.at("any-number").fill("400")
    expect(face.at("any-frame").get_by_test_id("key-face")).to_have_attribute("data-frame", "400")
    face.at("put-any").click()
    face.until(lambda: len(request(face)["poses"]) == 1, "it is asked for")
    assert request(face)["poses"][0]["pose"] == {"take": "face/surprise", "frame": 400}
    settles(face)
    undo_all(face)


def test_before_and_after_are_switched_where_time_stands_still(face):
    go_to(face, 5.0)
    before = joint(face, LIP)
    slide_lip(face, 12, 15)
    face.until(lambda: apart(joint(face, LIP), before) > 0.005, "the lip has come along")
    face.page.mouse.up()
    settles(face)
    after = joint(face, LIP)
    press(face, "b")
    expect(face.at("compare-before")).to_have_attribute("aria-checked", "true")
    face.until(lambda: apart(joint(face, LIP), before) < 5e-4, "the face as it was")
    assert face.page.evaluate("motionloom.studio.frame") in (300, 600), "at the same moment"
    press(face, "b")
    face.until(lambda: apart(joint(face, LIP), after) < 5e-4, "and as it is")
    face.at("compare-both").click()
    face.until(lambda: members(face) == 2, "both at once")
    face.picture("faces_both")
    face.at("compare-after").click()
    undo_all(face)


def test_a_directed_face_is_kept_and_exported_as_markers(face, tmp_path):
    go_to(face, 5.0)
    face.at("joint").select_option(LIP)
    press(face, "p")
    face.until(lambda: len(request(face)["points"]) == 1, "the lip is pinned")
    settles(face)
    face.at("export-menu").click()
    expect(face.at("export-bvh")).to_have_count(0)
    with face.page.expect_download() as download:
        face.at("export-c3d").click()
    path = tmp_path / "face.c3d"
    download.value.save_as(path)
    assert LIP in formats.read(path).motion.names
    face.at("save-name").fill("directed/face")
    face.at("save-answer").click()
    kinds = lambda: {take["name"]: take["kind"] for take in face.server.get("/api/takes")["takes"]}  # noqa: E731
    face.until(lambda: kinds().get("directed/face") == "points", "it is a take of markers")
    press(face, "Control+z")
    face.until(lambda: "directed/face" not in kinds(), "undo removes it")
    undo_all(face)


def test_a_new_face_begins_with_a_key(face):
    face.at("start-from").select_option(label="a new face")
    face.until(lambda: request(face)["start_from"] is None, "a new motion")
    face.until(lambda: members(face) == 0, "what was there before is gone")
    expect(face.at("direct-first-use")).to_be_visible()
    expect(face.at("report").get_by_test_id("met-part")).to_have_count(0)
    face.page.locator(f"[data-testid=key-face][data-take='{SMILE}']").first.click()
    face.until(lambda: len(request(face)["poses"]) == 1, "the first face begins the motion")
    assert (request(face)["poses"][0]["at"], request(face)["length"]) == ("0f", "2s")
    settles(face)
    face.until(lambda: is_drawn(face), "the face is in the view")
    face.picture("faces_new")
    face.at("start-from").select_option("walk/normal_1")
    settles(face)
    expect(face.at("distances")).to_have_count(0)
    expect(face.at("feet")).to_be_visible()


def test_a_lip_is_dragged_by_touch(tablet, slide):
    tablet.begin()
    tablet.at("workspace-direct").tap()
    tablet.at("start-from").select_option(SMILE)
    settles(tablet)
    go_to(tablet, 5.0)
    x, y = pixel(tablet, LIP)
    before = joint(tablet, LIP)
    follows = lambda: tablet.page.evaluate(LIVE) and apart(joint(tablet, LIP), before) > 0.005  # noqa: E731
    slide(tablet, (x, y), (x + 12, y - 15), follows)
    tablet.until(lambda: len(request(tablet)["points"]) == 1, "the pin stays")
    settles(tablet)
    tablet.picture("faces_touch")
    assert tablet.watch.unexpected() == []
