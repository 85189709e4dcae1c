"""The workspace Annotate: what is proposed for a take after some others were accepted."""

import re
import shutil
from pathlib import Path

from benchmarks.studio.browser import Studio, look, until, wait_for_jobs
from docs.figures.studio_screens.screen import ALL_ROWS, stand_at, take
from playwright.sync_api import Browser, Page

from motionloom.corpus import Corpus

WORDS = ("walk", "run", "jump", "turn_left", "stand", "wave")
TAUGHT = (  # takes whose labels somebody accepts in the picture of annotation; the others have none
    "walk/normal_1", "run/run_1", "wave/standing", "jump/up", "walk/circle_left", "run/walk_run_walk_1",
)  # fmt: skip
PROPOSED = "wave/walk_and_wave_1"
_VERIFIED = "document.querySelectorAll('[data-testid=annotate-takes] .tick').length"


def forget(source: Path, target: Path) -> Path:
    """A corpus in which only some takes have labels."""
    shutil.copytree(source, target)
    with Corpus.open(target, write=True) as corpus:
        corpus.remove_labels([label for label in corpus.labels() if label.take not in TAUGHT])
    return target


def draw_annotate(browser: Browser, studio: Studio, folder: Path) -> None:
    """Proposals on a take after a few were accepted."""
    with look(browser, studio) as page:
        page.evaluate(f"motionloom.studio.preferences.timelineHeight = {ALL_ROWS}")
        page.get_by_test_id("workspace-annotate").click()
        words = page.get_by_test_id("first-words")
        words.get_by_role("button", name="None", exact=True).click()
        for word in WORDS:
            words.get_by_role("button", name=re.compile(rf"^{word}\b")).first.click()
        page.get_by_test_id("use-words").click()
        for name in TAUGHT:
            choose_lesson(page, name)
            page.keyboard.press("Enter")
            until(page, f"{_VERIFIED} >= 1")  # the list shows the one that was looked for
            wait_for_jobs(page)
        choose_lesson(page, PROPOSED)
        page.get_by_test_id("annotate-search").fill("")
        stand_at(page, 3.0)
        take(page, folder / "studio_annotate.png")


def choose_lesson(page: Page, name: str) -> None:
    """Show a take among those to label."""
    page.get_by_test_id("annotate-search").fill(name)
    page.get_by_test_id("annotate-takes").get_by_role("option", name=name).click()
    until(page, f"motionloom.stage.player.motion?.info.id === 'take:{name}' && !motionloom.studio.isLoading")
    wait_for_jobs(page)
