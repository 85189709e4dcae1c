"""Annotate: words are chosen, a first take is labelled, proposals come and are accepted."""

import re

import pytest
from playwright.sync_api import expect

LEARNING = 60_000  # milliseconds that a slow machine may learn


@pytest.fixture
def lesson(desk):
    desk.begin()
    desk.at("workspace-annotate").click()
    return desk


def verified(desk) -> float:
    """Seconds that a person has verified, as the server has them."""
    return desk.server.get("/api/annotate/state")["verified"]


def press(desk, key):
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press(key)


def test_words_are_chosen_first(lesson):
    expect(lesson.at("first-words")).to_be_visible()
    lesson.picture("annotate_first_words")
    lesson.at("use-words").click()
    expect(lesson.at("first-words")).to_have_count(0)
    expect(lesson.at("track-walk")).to_be_visible()
    expect(lesson.at("verified")).to_contain_text("0.0 of")


def test_what_is_painted_is_shown_and_undone(lesson):
    expect(lesson.at("offer")).to_contain_text("Teaches most next")  # another take may be in view until then
    expect(lesson.at("lane-wave")).to_be_visible()
    expect(lesson.at("accept")).to_be_enabled()  # the tracks of the take are there
    lesson.drag_along("lane-wave", 0.3, 0.5)
    expect(lesson.at("discard")).to_be_visible()
    lesson.picture("annotate_painted")
    press(lesson, "Control+z")
    expect(lesson.at("discard")).to_have_count(0)
    press(lesson, "Control+Shift+z")
    expect(lesson.at("discard")).to_be_visible()
    lesson.at("discard").click()
    expect(lesson.at("discard")).to_have_count(0)


def test_accepting_one_take_brings_proposals_for_the_others(lesson):
    expect(lesson.at("accept")).to_be_enabled()
    before = verified(lesson)
    press(lesson, "Enter")
    lesson.until(lambda: verified(lesson) > before + 5, "one take, of more than 5 s, is verified")
    expect(lesson.at("annotate-takes")).to_contain_text(re.compile(r"\d+ ?% sure"), timeout=LEARNING)
    lesson.picture("annotate_proposals")


def test_a_proposal_is_accepted_by_keyboard_and_taken_back_by_undo(lesson):
    expect(lesson.at("offer")).to_contain_text("Teaches most next")
    if lesson.at("go-to-offer").count():
        lesson.at("go-to-offer").click()
    expect(lesson.at("accept")).to_be_enabled()
    before = verified(lesson)
    press(lesson, "Enter")
    lesson.until(lambda: verified(lesson) > before + 1, "more is verified")
    lesson.is_saved()
    after = verified(lesson)
    lesson.page.reload()
    expect(lesson.at("verified")).to_contain_text(f"{after / 60:.1f} of")
    expect(lesson.at("undo")).to_be_enabled()
    press(lesson, "Control+z")
    lesson.until(lambda: abs(verified(lesson) - before) < 1e-6, "it is as it was before")
    expect(lesson.at("verified")).to_contain_text(f"{before / 60:.1f} of")


def test_tab_leads_to_the_next_unclear_stretch(lesson):
    take = lesson.at("this-stretch").inner_text()
    press(lesson, "Tab")
    lesson.until(
        lambda: (
            lesson.at("this-stretch").inner_text() != take
            or lesson.at("notices").get_by_text(re.compile("Nothing is unclear")).count()
        ),
        "another stretch is shown, or there is none",
    )
