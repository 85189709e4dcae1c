"""The frame around all workspaces: it starts, shows what is open, remembers, and survives a server that goes away."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.long

# Buttons of bars and toolbars that nobody can click because something else is over them, or because they are outside.
CUT_OFF = """() => [...document.querySelectorAll("header button, nav button, [role=toolbar] *, [role=group] button")]
    .filter((one) => one.matches("button"))
    .filter((one) => one.checkVisibility())
    .filter((one) => {
        const box = one.getBoundingClientRect();
        const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        return !(hit && (one.contains(hit) || hit.contains(one)));
    })
    .map((one) => one.ariaLabel || one.textContent.trim())"""
WORKSPACES = ("library", "annotate", "timeline")


def test_the_studio_starts_and_says_what_is_open(desk):
    desk.begin()
    expect(desk.at("corpus-name")).to_contain_text("small")
    expect(desk.at("corpus-name")).to_contain_text("8 takes")
    for name in WORKSPACES:
        expect(desk.at(f"workspace-{name}")).to_be_visible()
    expect(desk.at("canvas")).to_be_visible()
    expect(desk.at("inspector")).to_be_visible()
    expect(desk.at("undo")).to_be_disabled()
    expect(desk.page).to_have_title(re.compile("motionloom"))


def test_everything_fits_on_a_small_screen(desk):
    desk.begin()
    for name in WORKSPACES:
        desk.at(f"workspace-{name}").click()
        expect(desk.at(f"workspace-{name}")).to_have_attribute("aria-current", "page")
        size = desk.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [1280, 720]
        expect(desk.at("play")).to_be_in_viewport()
        cut = desk.page.evaluate(CUT_OFF)
        assert cut == [], f"{name}: cut off or covered: {cut}"
        desk.picture(f"{name}_1280x720")


def test_a_workspace_that_was_chosen_is_there_after_a_reload(desk):
    desk.begin()
    for name in ("timeline", "library"):
        desk.at(f"workspace-{name}").click()
        expect(desk.at(f"workspace-{name}")).to_have_attribute("aria-current", "page")
        desk.is_saved()
        desk.page.reload()
        expect(desk.at(f"workspace-{name}")).to_have_attribute("aria-current", "page")


def test_the_theme_changes_and_is_remembered(desk):
    def background():
        return desk.page.evaluate("getComputedStyle(document.querySelector('header')).backgroundColor")

    desk.begin()
    light = background()
    desk.at("theme").click()
    desk.until(lambda: background() != light, "the theme is another one")
    desk.picture("dark")
    dark = background()
    desk.page.reload()
    desk.until(lambda: background() == dark, "the theme is the chosen one again")
    desk.at("theme").click()
    desk.until(lambda: background() == light, "the theme is the first one again")


def test_keys_open_and_close_the_help_sheet(desk):
    desk.begin()
    desk.page.keyboard.press("h")
    expect(desk.at("help-sheet")).to_be_visible()
    expect(desk.at("help-sheet")).to_contain_text("Play or pause")
    desk.picture("help_sheet")
    desk.page.keyboard.press("Escape")
    expect(desk.at("help-sheet")).to_have_count(0)
    desk.at("help").click()
    expect(desk.at("help-sheet")).to_be_visible()
    desk.page.keyboard.press("h")
    expect(desk.at("help-sheet")).to_have_count(0)


def test_everything_can_be_reached_by_keyboard_and_has_a_name(desk):
    desk.begin()
    nameless = desk.page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, [role=button], [role=slider]")]
            .filter((one) => one.checkVisibility() && !(one.ariaLabel || one.title || one.textContent.trim()
                || one.labels?.length || one.getAttribute("aria-labelledby")))
            .map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert nameless == []
    reached = set()
    for _ in range(12):
        desk.page.keyboard.press("Tab")
        reached.add(desk.page.evaluate("document.activeElement.dataset.testid ?? document.activeElement.tagName"))
    assert {f"workspace-{name}" for name in WORKSPACES} <= reached


def test_a_killed_and_restarted_server_is_noticed_and_forgiven(desk):
    desk.begin()
    desk.watch.allow_lost_line()
    desk.server.kill()
    expect(desk.at("lost")).to_be_visible()
    desk.picture("server_lost")
    desk.at("workspace-timeline").click()  # goes on working
    expect(desk.at("workspace-timeline")).to_have_attribute("aria-current", "page")
    desk.server.start()
    expect(desk.at("lost")).to_have_count(0)
    expect(desk.at("notices")).to_contain_text("The server is back")
    desk.is_saved()
    desk.page.reload()
    expect(desk.at("workspace-timeline")).to_have_attribute("aria-current", "page")
    desk.at("workspace-library").click()
    desk.is_saved()


def test_what_was_done_while_the_server_was_away_is_brought_by_the_next_page(desk):
    desk.begin()
    desk.watch.allow_lost_line()
    desk.watch.allow("answered 503|status of 503")  # a call that waited for a desk fails when the desk has ended
    assert desk.server.stop() == 0, "Ctrl-C ends it cleanly while a page is open"
    expect(desk.at("lost")).to_be_visible()
    desk.at("workspace-annotate").click()
    expect(desk.at("saving")).to_have_text(re.compile("not saved"))
    desk.page.goto("about:blank")
    desk.server.start()
    desk.open()
    expect(desk.at("workspace-annotate")).to_have_attribute("aria-current", "page")
    desk.is_saved()
    desk.at("workspace-library").click()
    desk.is_saved()


def test_without_a_corpus_three_ways_to_begin_are_offered(empty_desk):
    empty_desk.open()
    expect(empty_desk.at("welcome")).to_be_visible()
    expect(empty_desk.at("open-demo")).to_be_enabled()
    expect(empty_desk.at("choose-files")).to_be_enabled()
    expect(empty_desk.at("welcome")).to_contain_text("motionloom studio CORPUS")
    empty_desk.picture("empty")


def test_the_demo_corpus_is_made_and_opened_with_one_click(empty_desk):
    empty_desk.open()
    empty_desk.at("open-demo").click()
    expect(empty_desk.at("welcome").get_by_role("progressbar")).to_be_visible()
    empty_desk.picture("making_the_demo")
    expect(empty_desk.at("corpus-menu")).to_contain_text("demo", timeout=120_000)
    expect(empty_desk.at("corpus-menu")).to_contain_text("102 takes")
    empty_desk.is_saved()
