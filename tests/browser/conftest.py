"""A real browser on a real server: Chromium with WebGL in software, and `motionloom studio` in a process of its own.

A test fails when the page logs an error, throws one, or a request of it fails, unless the test allows it. A
picture of every failed test is left in .cache/browser; with MOTIONLOOM_PICTURES=FOLDER the pictures that tests take of
the screens go there, to be looked at.
"""

import contextlib
import http.client
import io
import json
import os
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

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
START = 60.0  # seconds that a server may take to start on a busy machine
PORTS = range(20_000, 32_000)  # below those that systems give to whoever asks for any: nobody sits on one in between
PACE = Path(__file__).with_name("pace.js")
PATIENCE = 20_000  # milliseconds that anything on the page may take


RESTS = """(async () => {
    const { studio, stage } = motionloom;
    const rests = () => !studio.playing && !studio.isLoading && stage.view.statistics().rests;
    if (!rests()) return false;
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))); // what was just done is drawn
    return rests();
})()"""


class Server:
    """`motionloom studio` as people start it; the same port every time, as a restarted one has."""

    def __init__(self, folder: Path, corpus: Path | None, static: Path) -> None:
        self.corpus = corpus
        self.folder = folder  # where it is started
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.arguments: list[str] = []  # more of them
        self.entry = ""  # the address with the token, as it is printed
        places = {"MOTIONLOOM_STUDIO_STATIC": str(static), "XDG_STATE_HOME": str(folder / "state")}
        self._environment = {**os.environ, **places, "PYTHONUNBUFFERED": "1"}
        self._process: subprocess.Popen | None = None

    def start(self) -> str:
        """Start it and wait until it answers; the address that it prints."""
        corpus = [str(self.corpus)] if self.corpus else []
        arguments = [*corpus, "--port", str(self.port), "--no-open", *self.arguments]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "motionloom", "studio", *arguments],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "server.log").open("ab"),
            start_new_session=True,
        )
        assert self._process.stdout is not None
        readable, _, _ = select.select([self._process.stdout], [], [], START)
        line = self._process.stdout.readline().decode().strip() if readable else ""
        assert line.startswith(self.address), f"the server did not start: {line!r} {self.log()}"
        self.entry = line
        return line

    def kill(self) -> None:
        """End it without a warning, as a crash or an empty battery does."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End it as Ctrl-C does; its exit code."""
        return self._end(signal.SIGINT)

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    def log(self) -> str:
        """What it wrote for the person who started it."""
        path = self.folder / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def token(self) -> str:
        """What the printed address lets in with."""
        return self.entry.partition("?token=")[2]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def get(self, path: str) -> object:
        """Ask it for a JSON value, without the page."""
        status, body = self.ask("GET", path)
        assert status == 200, body
        return json.loads(body)

    def send(self, path: str, value: object) -> tuple[int, str]:
        """Send it a JSON value, without the page."""
        return self.ask("POST", path, json.dumps(value), Content_Type="application/json")

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        """Send one request with the headers given, `_` for `-`; the status and the body of the answer.

        It carries the token, unless another Authorization is given; "" for none.
        """
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        named = {name.replace("_", "-"): value for name, value in headers.items() if value}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START)
        with contextlib.closing(connection):
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            return process.wait(START / 4)
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


@dataclass
class Watch:
    """Hears everything that goes wrong on a page."""

    heard: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    under_way: list[str] = field(default_factory=list)  # addresses that the page waits for

    def begin(self) -> None:
        """Forget what was, for a new test."""
        self.heard.clear()
        self.allowed.clear()

    def allow(self, pattern: str) -> None:
        """Say that something of this kind is expected from now on."""
        self.allowed.append(pattern)

    def allow_lost_line(self) -> None:
        """Say that the server is about to end: whatever is under way then fails in one way or another."""
        self.allow(r"WebSocket|net::ERR_|409.*/api/document")  # saved, but nobody heard it: the page saves it again

    def waits_for(self, pattern: str) -> bool:
        """Whether an answer of this kind is still to come."""
        return any(re.search(pattern, address) for address in self.under_way)

    def listen(self, page: Page) -> None:
        """Begin to hear."""
        page.on("request", lambda request: self.under_way.append(request.url))
        page.on("requestfinished", lambda request: self._ended(request.url))
        page.on("requestfailed", lambda request: self._ended(request.url))
        page.on("console", lambda message: self._console(message.type, message.text, message.location.get("url", "")))
        page.on("pageerror", lambda error: self.heard.append(f"thrown: {error.stack or error.message}"))
        page.on("requestfailed", lambda request: self._failed(request.method, request.url, request.failure or ""))
        page.on("response", lambda answer: answer.status >= 400 and self._refused(answer.status, answer.url))

    def unexpected(self) -> list[str]:
        """What nobody had announced."""
        return [message for message in self.heard if not any(re.search(pattern, message) for pattern in self.allowed)]

    def _console(self, kind: str, text: str, where: str) -> None:
        if kind in ("error", "warning") and not _DRIVER.search(text):
            self.heard.append(f"console {kind}: {text} ({where})")

    def _failed(self, method: str, url: str, why: str) -> None:
        if why != "net::ERR_ABORTED":  # the page itself lost interest: a reload, a newer request
            self.heard.append(f"failed: {method} {url} {why}")

    def _ended(self, url: str) -> None:
        with contextlib.suppress(ValueError):  # begun before anybody listened
            self.under_way.remove(url)

    def _refused(self, status: int, url: str) -> None:
        self.heard.append(f"answered {status}: {url}")


# What Chromium says about drawing in software; real trouble with WebGL is an error of three's or ours.
_DRIVER = re.compile(r"GPU stall due to ReadPixels|GL Driver Message|Automatic fallback to software WebGL")


@dataclass
class Desk:
    """A page, the server it talks to, and what tests do with both."""

    page: Page
    server: Server
    watch: Watch

    def open(self) -> None:
        """Load the studio, again where it is loaded."""
        self.page.goto(self.server.entry)

    def begin(self) -> None:
        """Be at the studio, with everything loaded and saved."""
        if not self.page.url.startswith(self.server.address):
            self.open()
        self.is_saved()

    def at(self, testid: str):
        """What is marked with this name."""
        return self.page.get_by_test_id(testid)

    def is_saved(self) -> None:
        """Wait until no step is under way any more and the page says that everything is saved."""
        self.until(lambda: self.page.evaluate("window.motionloom && !motionloom.studio.isBusy"), "all steps are done")
        expect(self.at("saving")).to_have_text(re.compile("saved$", re.IGNORECASE))

    def until(self, claim, what: str, seconds: float = PATIENCE / 1000):
        """Wait until a claim holds, and give what it gives."""
        stop = time.monotonic() + seconds
        while not (value := claim()):
            assert time.monotonic() < stop, f"waited {seconds:.0f} s in vain until {what}"
            self.page.wait_for_timeout(50)
        return value

    def choose_take(self, name: str) -> None:
        """Show a take in the library."""
        self.at("workspace-library").click()
        self.page.locator(f"[data-testid=take][data-take='{name}']").click()

    def drag_along(self, testid: str, start: float, stop: float) -> None:
        """Drag with the mouse along something, from and to fractions of its width."""
        box = self.resting_box(testid)
        y = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + box["width"] * start + 1, y)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + box["width"] * stop, y, steps=6)
        self.page.mouse.up()

    def resting_box(self, testid: str) -> dict[str, float]:
        """Where something is when the page has come to rest: while rows and panels appear, others move."""
        self.at(testid).scroll_into_view_if_needed()
        boxes = [self.at(testid).bounding_box()]

        def rests() -> bool:
            self.page.wait_for_timeout(150)
            boxes.append(self.at(testid).bounding_box())
            return boxes[-1] is not None and boxes[-1] == boxes[-2]

        self.until(rests, f"{testid} rests")
        return boxes[-1]

    def view(self) -> Image.Image:
        """The 3D view as it is drawn now, without what floats over it."""
        expect(self.at("canvas")).to_be_visible()
        box = self.at("canvas").bounding_box()
        assert box is not None
        clip = {**box, "height": box["height"] - 60}
        return Image.open(io.BytesIO(self.page.screenshot(clip=clip))).convert("L")

    def still(self) -> Image.Image:
        """The 3D view when it has come to rest: a moving camera arrives, a slow machine draws coarser until then."""
        self.until(lambda: self.page.evaluate(RESTS), "the view rests")
        return self.view()

    def has_figure(self) -> bool:
        """Whether something stands in the middle of the view: it is not as even as the sky and the ground are."""
        picture = self.view()
        middle = picture.crop((picture.width // 3, picture.height // 5, 2 * picture.width // 3, picture.height))
        return sum(middle.histogram()[:170]) > 400

    @staticmethod
    def differs(one: Image.Image, other: Image.Image) -> bool:
        """Whether two pictures of the view show something else; noise at edges does not count."""
        changed = ImageChops.difference(one, other).point(lambda value: 255 if value > 24 else 0)
        return changed.histogram()[255] > 150

    def picture(self, name: str) -> None:
        """Leave a picture for people, where they asked for some."""
        folder = os.environ.get("MOTIONLOOM_PICTURES")
        if folder:
            self.page.screenshot(path=Path(folder) / f"{name}.png")


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


@pytest.fixture
def desk(window, request) -> Iterator[Desk]:
    """The window of this file, watched; it is as the test before left it."""
    yield from _watch_over(window, request)


@pytest.fixture
def empty_desk(empty_window, request) -> Iterator[Desk]:
    """The window without a corpus, watched."""
    yield from _watch_over(empty_window, request)


@pytest.fixture(scope="session")
def slide() -> Callable[..., None]:
    """Slides one finger over the screen of a desk, and lifts it when something holds."""
    return _slide


def _slide(
    desk: Desk,
    start: tuple[float, float],
    stop: tuple[float, float],
    holds: Callable[[], bool],
    aside: tuple[float, float] | None = None,
) -> None:
    """Straight, or by a place aside: a finger that begins up or down scrolls the palette."""
    fingers = desk.page.context.new_cdp_session(desk.page)

    def touch(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start)
    corners = [start, stop] if aside is None else [start, aside, stop]
    for begin, end in zip(corners, corners[1:]):
        for share in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0):
            touch("touchMove", tuple(a + (b - a) * share for a, b in zip(begin, end)))
            desk.page.wait_for_timeout(30)
    desk.until(holds, "something follows the finger")
    touch("touchEnd")


@contextlib.contextmanager
def _open_window(browser: Browser, server: Server) -> Iterator[Desk]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
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


def _free_port() -> int:
    while True:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", random.choice(PORTS))) as probe:
            return probe.getsockname()[1]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if report.failed:
        item.has_failed = True  # the window is still open: its picture can be taken
    return report


expect.set_options(timeout=PATIENCE)
