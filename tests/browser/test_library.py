"""The library: files become takes, takes are found, changed, thrown away and brought back."""

import base64
import re

import pytest
from playwright.sync_api import expect

from motionloom import formats

DROP = """([files]) => {
    const carried = new DataTransfer();
    for (const [name, content] of files) {
        const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
        carried.items.add(new File([bytes], name));
    }
    const target = document.querySelector("[data-testid=view]");
    for (const kind of ["dragenter", "dragover", "drop"])
        target.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def library(desk):
    desk.begin()
    desk.at("workspace-library").click()
    expect(desk.at("take-list")).to_be_visible()
    return desk


@pytest.fixture(scope="module")
def recording(make, tmp_path_factory):
    path = tmp_path_factory.mktemp("recordings") / "swing.bvh"
    formats.write(path, make.motion(90, seed=5))
    return path


def row(desk, name):
    return desk.page.locator(f"[data-testid=take][data-take='{name}']")


def takes(desk) -> set[str]:
    return {take["name"] for take in desk.server.get("/api/takes")["takes"]}


def undo(desk):
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press("Control+z")


def no_curves_are_under_way(desk):
    """The curves of a take that has gone are refused in the test that allows it, not in a later one."""
    desk.until(lambda: not desk.watch.waits_for("/api/takes/plots"), "no curves are under way")


def test_dropped_files_become_takes_and_bad_ones_say_why(library, recording):
    good = base64.b64encode(recording.read_bytes()).decode()
    bad = base64.b64encode(b"HIERARCHY\nROOT Hips\n{\n").decode()
    library.page.evaluate(DROP, [[["swing.bvh", good], ["broken.bvh", bad]]])
    expect(library.at("import-summary")).to_have_text(re.compile("1.*imported.*1.*refused|1 of 2"))
    files = library.at("imported-file")
    expect(files.filter(has_text="broken.bvh")).to_contain_text("refused")
    expect(files.filter(has_text="swing.bvh")).to_contain_text("imported")
    expect(row(library, "swing")).to_be_visible()
    library.picture("import")
    assert "swing" in takes(library)
    row(library, "swing").click()
    expect(library.at("take-name")).to_have_text("swing")
    expect(library.at("clock")).to_contain_text("/ 1.5 s")
    library.until(library.has_figure, "the new take is drawn")


def test_an_import_can_be_undone_and_done_again(library):
    library.watch.allow("take.*swing")  # its curves may be under way while it goes
    expect(library.at("undo")).to_have_attribute("title", re.compile("swing|Import"))
    undo(library)
    expect(row(library, "swing")).to_have_count(0)
    library.until(lambda: "swing" not in takes(library), "the server has it no more")
    library.at("redo").click()
    expect(row(library, "swing")).to_be_visible()
    expect(library.at("undo")).to_have_attribute("title", re.compile("swing|Import"))
    undo(library)
    expect(row(library, "swing")).to_have_count(0)
    library.at("dismiss-import").click()
    expect(library.at("import")).to_have_count(0)
    no_curves_are_under_way(library)


def test_takes_are_found_by_name_and_label(library):
    library.at("search").fill("wave")
    expect(library.at("take-count")).to_have_text(re.compile(r"2 of 8 takes"))
    library.at("search").fill("no such take")
    expect(library.at("library-none")).to_be_visible()
    library.picture("nothing_found")
    library.at("search").fill("")
    library.page.get_by_role("button", name="turn_left", exact=True).click()
    expect(library.at("take-count")).to_have_text(re.compile(r"1 of 8 takes"))
    expect(row(library, "walk/circle_left")).to_be_visible()
    library.at("clear-filter").click()
    expect(library.at("take-count")).to_have_text(re.compile(r"8 takes"))


def test_a_deleted_take_comes_back_with_undo_even_after_a_reload(library):
    library.choose_take("run/run_1")
    expect(library.at("take-name")).to_have_text("run/run_1")
    library.watch.allow("400.*run%2Frun_1")  # its curves may be under way while it goes
    library.at("remove").click()
    expect(row(library, "run/run_1")).to_have_count(0)
    library.until(lambda: "run/run_1" not in takes(library), "the server has it no more")
    library.is_saved()
    library.page.reload()
    expect(row(library, "walk/circle_left")).to_be_visible()
    expect(row(library, "run/run_1")).to_have_count(0)
    expect(library.at("undo")).to_be_enabled()
    undo(library)
    expect(row(library, "run/run_1")).to_be_visible()
    library.until(lambda: "run/run_1" in takes(library), "the server has it again")
    no_curves_are_under_way(library)


def test_a_take_is_mirrored_into_a_new_one(library):
    before = takes(library)
    library.choose_take("walk/circle_left")
    expect(library.at("take-name")).to_have_text("walk/circle_left")
    library.at("mirror").click()
    made = library.until(lambda: takes(library) - before, "there is a new take")
    assert len(made) == 1
    expect(row(library, next(iter(made)))).to_be_visible()
    library.watch.allow("circle_left.*mirrored")  # its curves may be under way while it goes
    expect(library.at("undo")).to_have_attribute("title", re.compile("Mirror"))
    undo(library)
    library.until(lambda: takes(library) == before, "it is gone again")
    expect(row(library, next(iter(made)))).to_have_count(0)
    no_curves_are_under_way(library)


def test_the_second_take_of_a_comparison_is_translucent_and_goes_when_another_is_chosen(library):
    cast = "motionloom.studio.cast.map(({ motion, isBeside }) => [motion, isBeside ?? false])"
    row = lambda name: library.page.locator(f"[data-testid=take][data-take='{name}']")  # noqa: E731
    row("walk/normal_1").click()
    row("run/run_1").click(modifiers=["Control"])
    library.at("compare").click()
    both = [["take:run/run_1", False], ["take:walk/normal_1", True]]
    library.until(lambda: library.page.evaluate(cast) == both, "both are shown, the second one beside")
    expect(library.at("compared")).to_be_visible()
    library.still()
    library.picture("library_compared")
    row("wave/standing").click()
    library.until(lambda: library.page.evaluate(cast) == [["take:wave/standing", False]], "only the new one is shown")
    expect(library.at("compared")).to_have_count(0)
    row("run/run_1").click()
    library.until(lambda: library.page.evaluate(cast) == [["take:run/run_1", False]], "the comparison stays away")


def test_a_take_is_written_as_a_file(library, tmp_path):
    library.choose_take("wave/standing")
    library.at("export").click()
    with library.page.expect_download() as waiting:
        library.at("export.bvh").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.suffix == ".bvh"
    assert formats.read(path).motion.duration == pytest.approx(12, abs=0.1)


def test_the_curves_of_a_take_are_drawn(library):
    library.choose_take("walk/normal_1")
    expect(library.at("timeline")).to_contain_text("Speed")
    expect(library.at("timeline")).to_contain_text("Heading")
    expect(library.at("quality")).to_contain_text("Foot skate")
    library.picture("take_with_plots")
