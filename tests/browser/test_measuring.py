"""What `motionloom bench studio` does, in small: its probe sits in the page as it is, so it must go with it."""

import psutil
import pytest
from benchmarks.studio import first_page, latency, many_takes_bench, memory, painting
from benchmarks.studio.browser import Studio, look, open_library, wait_for_jobs

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def studio(server, new_document):
    return Studio(server.entry, psutil.Process(server.pid))


@pytest.fixture(scope="module")
def window(browser, studio):
    """A window with the probe in it, for all tests here."""
    with look(browser, studio, screen=(1280, 720)) as page:
        yield page


@pytest.fixture
def page(window):
    """The window, at the library, with nothing searched for and nothing playing."""
    open_library(window)
    window.get_by_test_id("search").fill("")
    window.get_by_test_id("search").blur()
    if window.evaluate("motionloom.studio.playing"):
        window.keyboard.press("Space")
    return window


def test_loading_a_page_is_measured_step_by_step(browser, studio):
    times = first_page.open_window(browser, studio)
    assert 0 < times["stick figure drawn"] <= times["body drawn"]
    assert min(times["takes listed"], times["key answered"]) > 0


def test_every_scrub_has_its_time(page):
    latency.choose_take(page, "walk/normal_1")
    assert len(latency.scrub(page, 8)) == 8
    page.evaluate("void (probe.draws = false)")
    jumps = latency.jump(page, 3)
    page.evaluate("void (probe.draws = true)")
    assert len(jumps) == 3
    assert min(jumps) > 0


def test_paint_and_a_dragged_waypoint_have_their_times(page):
    page.evaluate("void (probe.draws = false)")  # as the benchmark does where a renderer in software would decide
    painting.open_timeline(page, ("walk", "run"))
    for stroke in (painting.Stroke("walk", 0.0, 4.0), painting.Stroke("run", 5.0, 9.0)):
        took = painting.paint(page, stroke)
        assert 0 < took.asked < took.sent < took.shown
    request = page.evaluate("motionloom.studio.document.timeline.request")
    assert [(label["label"], label["value"]) for label in request["labels"]] == [("walk", "must"), ("run", "must")]
    disc = painting.place_waypoint(page)
    wait_for_jobs(page)
    assert len(painting.drag_waypoint(page, disc, 8)) >= 8 - 2  # the first ones only begin the drag
    page.evaluate("void (probe.draws = true)")


def test_keystrokes_and_scrolling_have_their_times(browser, page):
    assert len(many_takes_bench.filter_list(page, ("run",))) >= 2
    assert len(many_takes_bench.scroll_list(browser, page, 30)) > 0


def test_script_is_counted_once_and_in_its_frame():
    def event(name, start, length=0):
        return {"name": name, "ts": start, "dur": length, "tdur": length // 2, "ph": "X", "pid": 1, "tid": 1}

    events = [
        event("BeginMainThreadFrame", 0),
        event("EventDispatch", 1_000, 4_000),
        event("FunctionCall", 2_000, 1_000),  # inside of the one before
        event("BeginMainThreadFrame", 10_000),
        event("Layout", 11_000, 5_000),
        event("FireAnimationFrame", 17_000, 2_000),
        event("BeginMainThreadFrame", 20_000),
        event("FunctionCall", 21_000, 7_000),  # of a frame that is not over
        {**event("FunctionCall", 3_000, 9_000), "tid": 2},
    ]
    assert many_takes_bench.script_of_frames(events).tolist() == [[2.0, 4.0], [1.0, 2.0]]


def test_memory_is_measured_while_takes_play(page, studio):
    first, last = memory.play(page, studio, 0.03)
    assert min(first.page, first.server, last.page, last.server) > 1_000_000
