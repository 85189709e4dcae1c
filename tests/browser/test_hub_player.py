"""The example page: a character in a page of one's own, with nothing of the studio but one file."""

import functools
import http.server
import io
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops

REPOSITORY = Path(__file__).resolve().parents[2]
PLAYER = REPOSITORY / "src/motionloom/studio/web/src/player"
GRAPH, STEPS = PLAYER / "player.fixture.hubs", PLAYER / "steps.fixture.hubs"


BOX_LINES = (138, 131, 120)  # their colour in the page


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


@pytest.fixture(scope="module")
def folder(static, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    shutil.copy(REPOSITORY / "examples/hub_player/index.html", folder)
    shutil.copy(static / "hub_player.js", folder)
    shutil.copy(GRAPH, folder / "graph.hubs")
    shutil.copy(STEPS, folder / "steps.hubs")
    (folder / "cut_off.hubs").write_bytes(GRAPH.read_bytes()[:5000])
    return folder


@pytest.fixture(scope="module")
def address(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 900, "height": 600})
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    yield page
    page.close()


def test_a_character_is_driven_in_a_page_of_ones_own(page, address, tmp_path):
    page.goto(address)
    page.wait_for_function("globalThis.player && player.clip >= 0")
    before = Image.open(io.BytesIO(page.screenshot())).convert("L")
    assert sum(before.histogram()[:130]) > 300, "a figure is drawn"
    page.keyboard.press("3")
    page.wait_for_function("player.graph.clips[player.clip].labels.punch === 1")
    page.keyboard.down("ArrowLeft")
    assert page.evaluate("player.control.curvature > 0")
    page.keyboard.up("ArrowLeft")
    assert page.evaluate("player.control.curvature === undefined")
    page.evaluate("addEventListener('pointerdown', () => (globalThis.planned = player.coming.length))")
    page.mouse.click(500, 420)
    assert page.evaluate("planned > 0")  # as it was right after the click: a short way is soon gone
    page.wait_for_function("player.coming.length === 0")
    after = Image.open(io.BytesIO(page.screenshot())).convert("L")
    assert ImageChops.difference(before, after).getbbox() is not None
    assert page.problems == []


def test_a_file_that_is_not_whole_is_reported_in_one_sentence(page, address):
    page.goto(address + "?graph=cut_off.hubs")
    page.wait_for_function("document.querySelector('p').textContent.includes('is cut off: 5000 of ')")
    assert page.problems == []


def test_steps_are_drawn_below_a_character(page, address):
    for graph, is_stepped in (("steps.hubs", True), ("graph.hubs", False)):
        page.goto(f"{address}?graph={graph}")
        wanted = "player.supports.length > 0" if is_stepped else "player.clip >= 0"
        page.wait_for_function(f"globalThis.player && {wanted}")
        page.wait_for_function("new Promise((go) => requestAnimationFrame(() => go(true)))")
        drawn = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)
        lines = (np.abs(drawn - BOX_LINES).max(axis=-1) <= 2).sum()
        assert lines > 100 if is_stepped else lines < 20
    assert page.problems == []
