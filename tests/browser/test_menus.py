"""Menus: every item can be seen and clicked, wherever a menu is opened and however small the window is."""

import re

import pytest
from playwright.sync_api import expect

SIZES = ((1280, 720), (1000, 480), (900, 330))
USUAL = {"width": 1280, "height": 720}

# Items of a menu that cannot be clicked, once they are scrolled to: outside of the window, cut off or covered.
HIDDEN = """(list) => [...list.querySelectorAll("button, input")].filter((item) => {
    item.scrollIntoView({ block: "nearest" });
    const box = item.getBoundingClientRect();
    const isInside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    const corners = [[box.left + 2, box.top + 2], [box.right - 2, box.bottom - 2]];
    return !isInside || !corners.every(([x, y]) => item.contains(document.elementFromPoint(x, y)));
}).map((item) => item.textContent.trim())"""
OUTSIDE = """(list) => {
    const box = list.getBoundingClientRect();
    return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
}"""


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def studio(desk, request):
    desk.begin()
    desk.page.set_viewport_size({"width": request.param[0], "height": request.param[1]})
    yield desk
    desk.page.keyboard.press("Escape")
    desk.page.set_viewport_size(USUAL)


def is_wholly_visible(desk, testid: str, items: int) -> None:
    menu = desk.at(testid)
    expect(menu).to_be_visible()
    assert menu.locator("button, input").count() >= items
    assert menu.evaluate(HIDDEN) == []
    assert not menu.evaluate(OUTSIDE)


def open_menu(desk, testid: str) -> None:
    desk.at(testid).scroll_into_view_if_needed()
    desk.at(testid).click()


def test_the_menu_of_documents_at_the_top_is_inside_the_window(studio):
    open_menu(studio, "document-menu")
    is_wholly_visible(studio, "document-menu-list", 2)


def test_the_menu_of_exports_of_the_library_is_inside_the_window(studio):
    studio.choose_take("walk/normal_1")
    open_menu(studio, "export")
    is_wholly_visible(studio, "export-list", 3)
    studio.picture("menu_library_export")


@pytest.mark.parametrize("corner", [(2, 2), (-12, -3), (2, -3)], ids=["top left", "bottom right", "bottom left"])
def test_the_context_menu_of_takes_is_inside_the_window_at_every_corner_of_the_list(studio, corner):
    studio.at("workspace-library").click()
    rows = studio.page.locator("[data-testid=take]")
    row = rows.last if corner[1] < 0 else rows.first
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    x, y = (edge if edge > 0 else length + edge for edge, length in zip(corner, (box["width"], box["height"])))
    row.click(button="right", position={"x": x, "y": y})
    is_wholly_visible(studio, "take-menu", 6)
    studio.page.keyboard.press("Escape")
    expect(studio.at("take-menu")).to_have_count(0)


def test_the_menus_of_a_found_motion_show_all_of_their_items(studio):
    """Where exporting stands at the end of a panel that scrolls."""
    studio.at("workspace-timeline").click()
    studio.page.set_viewport_size(USUAL)
    if not studio.at("lane-label:walk").count():
        studio.at("first-label").filter(has_text="walk").first.click()
        studio.drag_along("lane-label:walk", 0.04, 0.5)
    expect(studio.at("badge")).to_have_attribute("data-look", re.compile("good|missed"), timeout=60_000)
    for size in SIZES:
        studio.page.set_viewport_size({"width": size[0], "height": size[1]})
        open_menu(studio, "export-menu")
        is_wholly_visible(studio, "export-menu-list", 6)
        studio.picture(f"menu_timeline_export_{size[0]}x{size[1]}")
        studio.page.keyboard.press("Escape")
        expect(studio.at("export-menu-list")).to_have_count(0)
        open_menu(studio, "request-menu")
        is_wholly_visible(studio, "request-menu-list", 3)
        studio.page.keyboard.press("Escape")


def test_a_menu_stays_inside_the_window_while_the_window_becomes_smaller(studio):
    open_menu(studio, "document-menu")
    studio.page.set_viewport_size({"width": 820, "height": 300})
    studio.until(lambda: not studio.at("document-menu-list").evaluate(OUTSIDE), "the menu has moved in")
