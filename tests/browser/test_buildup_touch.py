"""Build-up by touch alone."""

from playwright.sync_api import expect
from tests.browser.building_up import floor, ghost_at, has_ghost, plays, reached, request, spot, steps


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
