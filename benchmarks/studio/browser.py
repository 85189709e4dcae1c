"""A studio as a person has it: `motionloom studio` in a process of its own, and Chromium, which draws in software."""

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from motionloom.errors import BadInput

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox --disable-dev-shm-usage --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist "
    "--disable-gpu-compositing --disable-background-networking --disable-component-update --disable-sync "
    "--no-first-run --enable-precise-memory-info"
).split()
SCREEN = (1600, 1000)  # pixels
START = 120.0  # seconds that a server may take on a busy machine
PATIENCE = 900.0  # seconds that anything else may take
PROBE = Path(__file__).with_name("probe.js")


@dataclass(frozen=True)
class Studio:
    """A running server."""

    address: str
    process: psutil.Process

    def memory(self) -> int:
        """Bytes that the server and its desks hold."""
        family = [self.process, *self.process.children(recursive=True)]
        return sum(process.memory_info().rss for process in family if process.is_running())


@contextmanager
def serve(corpus: Path | None, home: Path | None = None, more: Mapping[str, str] | None = None) -> Iterator[Studio]:
    """Run the studio on a corpus, or on none in a folder, until the block ends; with more in its environment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]  # not the usual one, where a person may have a studio open
    words = [sys.executable, "-m", "motionloom", "studio", *([str(corpus)] if corpus else [])]
    words += ["--no-open", "--port", str(port)]
    environment = {**os.environ, "MOTIONLOOM_STUDIO_STATIC": str(built()), "PYTHONUNBUFFERED": "1", **(more or {})}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            words, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=log, start_new_session=True
        )
        try:
            assert process.stdout is not None
            readable, _, _ = select.select([process.stdout], [], [], START)
            address = process.stdout.readline().decode().strip() if readable else ""
            if not address.startswith("http"):
                log.seek(0)
                raise BadInput(f"the studio did not start: {log.read().decode()[-2000:]}")
            yield Studio(address, psutil.Process(process.pid))
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()


@cache
def built() -> Path:
    """The built front end, as its sources are now; another build where MOTIONLOOM_STUDIO_STATIC names one."""
    from motionloom.studio.front_end import ensure_built

    chosen = os.environ.get("MOTIONLOOM_STUDIO_STATIC")
    return Path(chosen).resolve() if chosen else ensure_built()


@contextmanager
def browse() -> Iterator[Browser]:
    """A Chromium without a window."""
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        raise BadInput("the studio is measured in Chromium: apt-get install -y chromium fonts-dejavu-core")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def look(
    browser: Browser, studio: Studio, *, screen: tuple[int, int] = SCREEN, theme: str = "light", goes: bool = True
) -> Iterator[Page]:
    """A window of its own on a studio, with the probe in it."""
    context = browser.new_context(viewport={"width": screen[0], "height": screen[1]}, color_scheme=theme)
    context.set_default_timeout(1000 * PATIENCE)
    try:
        page = context.new_page()
        page.add_init_script(path=PROBE)
        if goes:
            page.goto(studio.address)
            settle(page)
        yield page
    finally:
        context.close()


def settle(page: Page) -> None:
    """Wait until the document is there, in the library a take with its body too, and no desk warms up any more."""
    until(page, "window.motionloom?.studio.isLoaded && (motionloom.studio.workspace !== 'library' || probe.drawn)")
    wait_for_jobs(page)


def open_library(page: Page) -> None:
    """Go to the library, wherever the document was left."""
    page.get_by_test_id("workspace-library").click()
    page.get_by_test_id("take-list").wait_for()


def wait_for_jobs(page: Page) -> None:
    """Wait until nothing runs in the background, nor for half a second after: desks warm up one after another."""
    busy = "motionloom.studio.jobs.some((job) => job.state === 'running' || job.state === 'waiting')"
    until(page, f"({busy}) ? void (probe.busy = performance.now()) : performance.now() - (probe.busy ?? 0) > 500")


def until(page: Page, claim: str) -> None:
    """Wait until something holds on the page. (Playwright's own way needs `eval`, which the studio forbids.)"""
    stop = time.monotonic() + PATIENCE
    while not page.evaluate(claim):
        if time.monotonic() > stop:
            raise BadInput(f"waited {PATIENCE:.0f} s in vain until {claim}")
        page.wait_for_timeout(20)


def developer(page: Page) -> CDPSession:
    """The tools that a developer has in Chromium."""
    return page.context.new_cdp_session(page)


@contextmanager
def copy_of(corpus: Path) -> Iterator[Path]:
    """A corpus to write in."""
    with tempfile.TemporaryDirectory(prefix="motionloom-studio-") as folder:
        yield Path(shutil.copytree(corpus, Path(folder) / corpus.name))
