"""The library: many takes, one that runs, on a large screen, on a small one and in the dark, and a face."""

import shutil
from pathlib import Path

from benchmarks.studio.browser import Studio, look, until
from docs.figures.studio_screens.screen import stand_at, take
from playwright.sync_api import Browser, Page

from motionloom.corpus import Corpus

SMALL = (1280, 720)  # the least that the studio asks for
RUNS = 4.6  # seconds into a take of somebody who walks, runs and walks
SMILES = 5.2  # seconds into a take of somebody who smiles
TAKES = 200  # in the picture of a full library


def fill(source: Path, target: Path) -> Path:
    """A corpus of many takes: those of the demo, and parts of them."""
    from motionloom.assembly.derived.derived_takes import trim_take

    shutil.copytree(source, target)
    with Corpus.open(target, write=True) as corpus:
        infos = [info for info in corpus.infos() if info.n_frames > 480]
        for number in range(TAKES - len(corpus.infos())):
            info = infos[number % len(infos)]
            start = 60 * (1 + number // len(infos))  # frames
            trim_take(corpus, info.name, start, start + 180)
    return target


def draw_library(browser: Browser, studio: Studio, folder: Path) -> None:
    """Many takes; one of somebody who runs, with its plots; the same in the dark."""
    with look(browser, studio) as page:
        take(page, folder / "studio_library.png")
        show_runner(page)
        take(page, folder / "studio_take.png")
    with look(browser, studio, theme="dark") as page:
        show_runner(page)
        take(page, folder / "studio_dark.png")
    with look(browser, studio, theme="dark") as page:
        show_face(page)
        take(page, folder / "studio_faces.png")


def draw_small(browser: Browser, studio: Studio, folder: Path) -> None:
    """Somebody who runs, on a small screen."""
    with look(browser, studio, screen=SMALL) as page:
        show_runner(page)
        take(page, folder / "studio_small.png")


def show_face(page: Page) -> None:
    """Look at somebody who smiles."""
    page.get_by_test_id("search").fill("face")
    page.locator("[data-take='face/happiness']").click()
    until(page, "motionloom.stage.player.motion?.info.id.includes('face/happiness') && !motionloom.studio.isLoading")
    stand_at(page, SMILES)


def show_runner(page: Page) -> None:
    """Look at somebody who walks and runs, with onion skins and plots."""
    page.get_by_test_id("search").fill("walk_run_walk_1")
    page.locator("[data-take]").first.click()
    until(page, "motionloom.stage.player.motion?.info.id.includes('walk_run_walk_1') && !motionloom.studio.isLoading")
    page.get_by_test_id("search").fill("")
    page.locator("[data-testid^=lane-]").nth(3).wait_for()
    for name in ("view-ghosts", "view-trail"):
        page.get_by_test_id(name).click()
    stand_at(page, RUNS)
    page.locator("[data-testid^=lane-]").last.scroll_into_view_if_needed()
