"""A label has one colour: in every workspace and every document, whatever is labelled or typed in between."""

import pytest
from playwright.sync_api import expect

# The colour of the dot, swatch or chip beside the text of a label, as the browser draws it; null where there is none.
COLOUR = """([selector, label]) => {
    const shown = [...document.querySelectorAll(selector)].find((one) => one.textContent.trim().startsWith(label));
    if (!shown) return null;
    const dot = shown.querySelector(".dot, .swatch");
    if (dot) return getComputedStyle(dot).backgroundColor;
    const probe = document.createElement("i");
    probe.style.color = getComputedStyle(shown).getPropertyValue("--label");
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
}"""
PLACES = {
    "library": "[data-testid=take] .label",
    "annotate": "[data-testid=first-words] .chip, td button",
    "timeline": "[data-testid=paintable]",
}


@pytest.fixture
def studio(desk):
    desk.begin()
    return desk


def colours_of(desk, label: str) -> dict[str, str]:
    """The colour of a label in each workspace."""
    found = {}
    for name, selector in PLACES.items():
        desk.at(f"workspace-{name}").click()
        found[name] = desk.until(
            lambda selector=selector: desk.page.evaluate(COLOUR, [selector, label]), f"{label} is in {name}"
        )
    return found


def test_labels_have_the_same_colours_everywhere_whatever_the_vocabulary_is(studio):
    before = {label: colours_of(studio, label) for label in ("walk", "run", "wave")}
    assert [len(set(found.values())) for found in before.values()] == [1, 1, 1]
    assert len({found["library"] for found in before.values()}) == 3
    studio.at("workspace-annotate").click()
    studio.at("use-words").click()
    expect(studio.at("add-word")).to_be_visible()
    studio.at("add-word").fill("aardvark")  # first in the alphabet
    studio.page.keyboard.press("Enter")
    added = studio.until(lambda: studio.page.evaluate(COLOUR, [PLACES["annotate"], "aardvark"]), "it is there")
    assert {label: colours_of(studio, label) for label in before} == before
    studio.is_saved()
    status, body = studio.server.send("/api/document/new", {"name": "another_document"})
    assert status == 200, body
    studio.page.reload()
    studio.is_saved()
    assert {label: colours_of(studio, label) for label in before} == before
    numbers = studio.server.get("/api/labels/colours")["numbers"]
    assert "aardvark" in numbers
    assert added not in [found["library"] for found in before.values()]
