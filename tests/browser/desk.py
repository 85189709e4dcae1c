"""A desk: a page of the studio, the server it talks to, and what tests do with both."""

import io
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops
from playwright.sync_api import Page, expect
from tests.browser.server import Server
from tests.browser.watch import Watch

PATIENCE = 20_000  # milliseconds that anything on the page may take
RESTS = """(async () => {
    const { studio, stage } = motionloom;
    const rests = () => !studio.playing && !studio.isLoading && stage.view.statistics().rests;
    if (!rests()) return false;
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))); // what was just done is drawn
    return rests();
})()"""


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


def slide_finger(
    desk: Desk,
    start: tuple[float, float],
    stop: tuple[float, float],
    holds: Callable[[], bool],
    aside: tuple[float, float] | None = None,
) -> None:
    """Slide one finger over the screen and lift it when something holds.

    It goes straight, or by a place aside: a finger that begins up or down scrolls the palette.
    """
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
