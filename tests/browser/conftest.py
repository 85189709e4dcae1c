"""A real browser on a real server: Chromium with WebGL in software, and `motionloom studio` in a process of its own.

A test fails when the page logs an error, throws one, or a request of it fails, unless the test allows it. A
picture of every failed test is left in .cache/browser; with MOTIONLOOM_PICTURES=FOLDER the pictures that tests take of
the screens go there, to be looked at.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright
from tests.browser.desk import PATIENCE, Desk, slide_finger
from tests.browser.server import Server
from tests.browser.watch import Watch

REPOSITORY = Path(__file__).resolve().parents[2]
FAILURES = REPOSITORY / ".cache" / "browser"
TAKES = (
    "walk/normal_1", "walk/stop_and_go", "walk/circle_left", "run/run_1", "run/walk_run_walk_1", "wave/standing",
    "wave/walk_and_wave_1", "stand/weight_shifts_1",
)  # fmt: skip
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox --disable-dev-shm-usage --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist "
    "--disable-gpu-compositing --disable-background-networking --disable-component-update --disable-sync --no-first-run"
).split()
SCREEN = {"width": 1280, "height": 720}  # pixels
PACE = Path(__file__).with_name("pace.js")


@pytest.fixture(scope="session")
def static() -> Path:
    """The built front end, as the sources are now; another build where MOTIONLOOM_STUDIO_STATIC names one."""
    from motionloom.studio.front_end import ensure_built

    chosen = os.environ.get("MOTIONLOOM_STUDIO_STATIC")
    return Path(chosen).resolve() if chosen else ensure_built()


@pytest.fixture(scope="session")
def small_corpus(make, tmp_path_factory) -> Path:
    """Some takes of the demo corpus, made once; tests get copies."""
    folder = tmp_path_factory.mktemp("original") / "small"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    assert program, "the browser tests need Chromium: apt-get install -y chromium fonts-dejavu-core"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(small_corpus, static, tmp_path_factory) -> Iterator[Server]:
    """A server with a copy of the small corpus; one for all tests: its desks take long to get ready.

    Every file of tests begins a document of its own, and leaves the eight takes as it found them.
    """
    folder = tmp_path_factory.mktemp("studio")
    shutil.copytree(small_corpus, folder / "small")
    server = Server(folder, folder / "small", static)
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def start_server(static) -> Iterator[Callable[[Path, Path | None], Server]]:
    """Starts servers that only this file has, in a folder, with a corpus or none."""
    with contextlib.ExitStack() as ends:

        def start(folder: Path, corpus: Path | None) -> Server:
            server = Server(folder, corpus, static)
            server.start()
            ends.callback(server.kill)
            return server

        yield start


@pytest.fixture(scope="module")
def empty_server(start_server, tmp_path_factory) -> Server:
    """A server that was started without a corpus, in a folder that has none."""
    return start_server(tmp_path_factory.mktemp("home"), None)


@pytest.fixture(scope="module")
def new_document(server, request) -> str:
    """A document of this file's own, named like it, is open on the server."""
    status, body = server.send("/api/document/new", {"name": request.path.stem})
    assert status == 200, body
    return request.path.stem


@pytest.fixture(scope="module")
def window(browser, server, new_document) -> Iterator[Desk]:
    """A browser window on the server, for all tests of a file: drawing in software, a page takes long to open."""
    with _open_window(browser, server) as desk:
        yield desk


@pytest.fixture(scope="module")
def empty_window(browser, empty_server) -> Iterator[Desk]:
    """A browser window on the server without a corpus."""
    with _open_window(browser, empty_server) as desk:
        yield desk


@pytest.fixture(scope="module")
def tablet(browser, server, new_document) -> Iterator[Desk]:
    """A window that is touched, on the document of this file."""
    context = browser.new_context(viewport=SCREEN, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    desk = Desk(context.new_page(), server, Watch())
    desk.watch.listen(desk.page)
    yield desk
    context.close()


@pytest.fixture
def desk(window, request) -> Iterator[Desk]:
    """The window of this file, watched; it is as the test before left it."""
    yield from _watch_over(window, request)


@pytest.fixture
def empty_desk(empty_window, request) -> Iterator[Desk]:
    """The window without a corpus, watched."""
    yield from _watch_over(empty_window, request)


@pytest.fixture
def buildup(desk) -> Desk:
    """The window in the workspace Build-up, with poses to choose from."""
    desk.begin()
    desk.at("workspace-buildup").click()
    expect(desk.at("palette")).to_be_visible(timeout=90_000)
    return desk


@pytest.fixture(scope="session")
def slide() -> Callable[..., None]:
    """Slides one finger over the screen of a desk, and lifts it when something holds."""
    return slide_finger


@contextlib.contextmanager
def _open_window(browser: Browser, server: Server) -> Iterator[Desk]:
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(path=PACE)
    page = context.new_page()
    desk = Desk(page, server, Watch())
    desk.watch.listen(page)
    yield desk
    context.close()


def _watch_over(desk: Desk, request: pytest.FixtureRequest) -> Iterator[Desk]:
    desk.watch.begin()
    log = len(desk.server.log())
    yield desk
    problems = desk.watch.unexpected() + _tracebacks(desk.server.log()[log:])
    if problems or getattr(request.node, "has_failed", False):
        _leave_picture(desk, request.node.name)
        desk.page.goto("about:blank")  # the next test begins anew
    assert not problems, "\n".join(problems)


def _leave_picture(desk: Desk, test: str) -> None:
    FAILURES.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(Error):
        desk.page.screenshot(path=FAILURES / f"{test}.png")
    (FAILURES / f"{test}.txt").write_text("\n".join([*desk.watch.heard, desk.server.log()]))


def _tracebacks(log: str) -> list[str]:
    return [f"the server logged: {log[-3000:]}"] if "Traceback" in log else []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if report.failed:
        item.has_failed = True  # the window is still open: its picture can be taken
    return report


expect.set_options(timeout=PATIENCE)
