"""Methods without a line of TypeScript get a workspace: a form from their schema, a search, a report, takes, files."""

import os
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from motionloom.corpus import Corpus
from motionloom.methods import MORE

TESTS = Path(__file__).parents[1]
METHODS = {"medley": TESTS / "example_method", "duet": TESTS / "studio" / "server"}


@pytest.fixture(scope="module")
def with_methods():
    """Studios that are started now know the two methods."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MORE, ",".join(f"{name}={name}" for name in METHODS))
        paths = [*map(str, METHODS.values()), os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        yield


@pytest.fixture(scope="module")
def server(start_server, small_corpus, tmp_path_factory, with_methods):
    folder = tmp_path_factory.mktemp("methods")
    shutil.copytree(small_corpus, folder / "small")
    return start_server(folder, folder / "small")


@pytest.fixture(scope="module")
def empty_server(start_server, tmp_path_factory, with_methods):
    folder = tmp_path_factory.mktemp("nobody")
    Corpus.create(folder / "empty").close()
    return start_server(folder, folder / "empty")


def open_method(desk, name):
    desk.begin()
    desk.at(f"workspace-method:{name}").click()
    expect(desk.at("request-form")).to_be_visible()


def asked(desk, method) -> dict:
    return desk.server.get("/api/document")["content"]["methods"].get(method, {}).get("request", {})


def field(desk, place):
    return desk.at(f"field-{place}").locator("input, select").first


def type_into(desk, place, text):
    field(desk, place).fill(text)
    field(desk, place).press("Tab")


def search(desk):
    desk.at("search").click()
    expect(desk.at("badge")).to_have_attribute("data-look", re.compile("good|missed"), timeout=90_000)
    expect(desk.at("headline")).to_be_visible()


def takes(desk) -> set[str]:
    return {take["name"] for take in desk.server.get("/api/takes")["takes"]}


def undo(desk):
    desk.page.evaluate("document.activeElement?.blur()")
    desk.page.keyboard.press("Control+z")


def test_methods_without_a_workspace_of_their_own_are_in_the_rail(desk):
    desk.begin()
    names = [button.get_attribute("data-testid") for button in desk.page.locator("nav button").all()]
    assert names[-2:] == ["workspace-method:medley", "workspace-method:duet"]
    assert "workspace-method:timeline" not in names and "workspace-method:snap" not in names


def test_a_request_is_filled_in_searched_and_played(desk):
    open_method(desk, "medley")
    expect(desk.at("first-use")).to_be_visible()
    desk.picture("generated_first_use")
    type_into(desk, "each", "1s")
    desk.until(lambda: asked(desk, "medley").get("each") == "1s", "the request is in the document")
    search(desk)
    expect(desk.at("report")).to_contain_text("Longest join")
    desk.until(desk.has_figure, "the character is drawn")
    expect(desk.at("lane-character:0")).to_be_visible()
    desk.picture("generated_result")


def test_what_is_asked_is_undone_and_there_after_a_reload(desk):
    open_method(desk, "medley")
    type_into(desk, "each", "1.2s")
    expect(desk.at("badge")).to_have_attribute("data-look", "old")
    expect(desk.at("search")).to_have_text(re.compile("again"))
    undo(desk)
    expect(field(desk, "each")).to_have_value("1s")
    desk.is_saved()
    desk.page.reload()
    expect(desk.at("request-form")).to_be_visible()
    expect(field(desk, "each")).to_have_value("1s")


def test_a_mistake_is_shown_at_its_field_in_the_servers_words(desk):
    open_method(desk, "medley")
    desk.watch.allow("answered 400|status of 400")
    type_into(desk, "each", "soon")
    expect(desk.at("problem-each")).to_contain_text("'soon' is not a valid time")
    expect(desk.at("form-problem")).to_contain_text("each: ")
    desk.picture("generated_mistake")
    desk.at("search").click()
    expect(desk.at("search-problem")).to_contain_text("is not a valid time")
    undo(desk)
    expect(desk.at("form-problem")).to_have_count(0)


def test_an_answer_is_kept_as_a_take_and_taken_back(desk):
    open_method(desk, "medley")
    search(desk)
    desk.at("save-name").fill("made/medley")
    desk.at("save-answer").click()
    desk.until(lambda: "made/medley" in takes(desk), "the corpus has the new take")
    undo(desk)
    desk.until(lambda: "made/medley" not in takes(desk), "the take is gone again")


def test_lists_objects_and_choices_are_filled_in_and_two_characters_dance(desk):
    open_method(desk, "duet")
    desk.watch.allow("400.*duet/text")  # a mark that was added has no name until one is typed
    desk.at("add-marks").click()
    type_into(desk, "marks[0].name", "begin")
    desk.at("add-marks").click()
    desk.at("remove-marks[1]").click()
    field(desk, "lead").select_option(label="points")
    desk.at("field-loud").locator("input").check()
    type_into(desk, "beside.position[0]", "-1")
    type_into(desk, "beside.heading", "90")
    type_into(desk, "beside.heading", "")
    wanted = {
        "lead": "points",
        "loud": True,
        "marks": [{"name": "begin", "at": "start", "weight": 1}],
        "beside": {"position": [-1, 0], "heading": None},
    }
    desk.until(lambda: {key: asked(desk, "duet").get(key) for key in wanted} == wanted, "all of it is in the document")
    search(desk)
    expect(desk.at("report")).to_contain_text("Mark begin")
    assert desk.page.evaluate("motionloom.studio.cast.length") == 2
    expect(desk.at("lane-character:1")).to_be_visible()
    desk.picture("generated_duet")


def test_a_request_file_is_loaded_and_several_characters_are_downloaded_as_an_archive(desk, tmp_path):
    open_method(desk, "duet")
    path = tmp_path / "mine.yaml"
    path.write_text("take: run/run_1\nrounds: 2\n")
    desk.at("request-file").set_input_files(path)
    expect(field(desk, "rounds")).to_have_value("2")
    expect(field(desk, "take")).to_have_value("run/run_1")
    search(desk)
    desk.at("export-menu").click()
    with desk.page.expect_download() as download:
        desk.at("export-npz").click()
    assert download.value.suggested_filename.endswith(".zip")


def test_a_server_that_was_killed_takes_the_motion_with_it_and_nothing_else(desk):
    open_method(desk, "medley")
    desk.watch.allow_lost_line()
    desk.server.restart()
    expect(desk.at("first-use")).to_be_visible()
    expect(field(desk, "each")).to_have_value("1s")
    search(desk)


def test_a_search_is_stopped_without_an_error(desk):
    open_method(desk, "medley")
    endless = {"id": 999_999, "kind": "search", "title": "", "state": "waiting"}
    desk.page.route("**/api/methods/medley/search", lambda route: route.fulfill(json=endless))
    desk.at("search").click()
    desk.at("stop-search").click()
    expect(desk.at("search")).to_be_visible()
    expect(desk.at("search-problem")).to_have_count(0)
    desk.page.unroute("**/api/methods/medley/search")


def test_a_corpus_without_bodies_says_what_to_do(empty_desk):
    empty_desk.begin()
    empty_desk.at("workspace-method:medley").click()
    expect(empty_desk.at("no-bodies")).to_be_visible()
    empty_desk.picture("generated_empty")
