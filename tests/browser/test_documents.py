"""The files of a document, edited by hand while its page is open: they come in, and are not overwritten unasked."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.long

LENGTH = "motionloom.studio.document.timeline.request.length"


def file_of(desk, extension):
    name = desk.server.get("/api/document")["name"]
    return desk.server.corpus / "studio" / f"{name}{extension}"


def come_back(desk):
    """As a person who was at an editor and returns to the browser."""
    desk.page.evaluate("window.dispatchEvent(new Event('focus'))")


def test_a_request_that_is_edited_by_hand_comes_in_when_the_page_gets_the_focus(desk):
    desk.begin()
    desk.at("workspace-timeline").click()
    desk.is_saved()
    request = file_of(desk, ".request.yaml")
    request.write_text("length: 6s\n")
    come_back(desk)
    desk.until(lambda: desk.page.evaluate(LENGTH) == "6s", "the page shows what is on disk")
    expect(desk.at("notices")).to_contain_text(f"another program has changed {request.name} on disk")
    request.write_text("length: six\n")  # a typo
    come_back(desk)
    expect(desk.at("notices")).to_contain_text(f"{request.name} line 1")
    expect(desk.at("notices")).to_contain_text(f"kept as studio/{request.name}.unreadable-1")
    desk.picture("unreadable_request")
    assert desk.page.evaluate(LENGTH) == "6s"
    desk.at("workspace-library").click()
    desk.is_saved()
    assert request.with_name(f"{request.name}.unreadable-1").read_text() == "length: six\n"
    assert "6s" in request.read_text()


@pytest.mark.parametrize("choice", ["reload", "save-over"])
def test_a_page_asks_before_it_saves_over_what_was_edited_meanwhile(desk, choice):
    desk.begin()
    desk.watch.allow("answered 412|status of 412")
    request = file_of(desk, ".request.yaml")
    desk.at("workspace-timeline").click()
    desk.is_saved()
    edited = f"length: {4 if choice == 'reload' else 5}s\n"
    request.write_text(edited)
    field = desk.at("length")
    field.fill("9")
    field.press("Enter")
    expect(desk.at("on-disk")).to_be_visible()
    expect(desk.at("on-disk")).to_contain_text(f"another program has changed {request.name} on disk")
    desk.picture("changed_on_disk")
    assert request.read_text() == edited
    desk.at(choice).click()
    expect(desk.at("on-disk")).to_have_count(0)
    desk.is_saved()
    shown = desk.page.evaluate(LENGTH)
    if choice == "reload":
        assert shown == "4s"
        expect(desk.at("notices")).to_contain_text("Bring it back")
    else:
        expect(desk.at("notices")).to_contain_text(f"studio/{request.name}.edited-1")
        assert request.with_name(f"{request.name}.edited-1").read_text() == edited
        assert "9" in shown
    desk.at("workspace-library").click()
    desk.is_saved()
