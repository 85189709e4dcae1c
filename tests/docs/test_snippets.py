"""The Python of the README and the docs runs as it is printed, page by page, and links lead somewhere."""

import re
from pathlib import Path

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import Corpus, Source, Take
from motionloom.performer import Writer, demo_scores, perform

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
WITH_PYTHON = [page for page in PAGES if "```python" in page.read_text()]


@pytest.fixture
def workplace(tmp_path, monkeypatch, make):
    """A folder with what the pages speak of: a demo corpus, and recordings of one's own."""
    performance = perform(Writer("walk/normal_1").then("stand", 1).then("walk", 2).done(), np.random.default_rng(1))
    with Corpus.create(tmp_path / "demo" / "corpus") as corpus:
        source = Source("demo", "performer", "0", performance.motion.fps, 1.0)
        corpus.add(Take("walk/normal_1", performance.motion, source), floor_height=0.0)
        corpus.add_labels(performance.labels)
    for i, name in enumerate(("walks/monday_03", "walks/tall_01")):
        path = tmp_path / "recordings" / f"{name}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        formats.write(path, make.motion(700, seed=i, wildness=0.2))
    formats.write(tmp_path / "walk.bvh", make.motion(60))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def performed(monkeypatch, make):
    """The demo takes are performed already: the tests of the performer watch them being made."""
    takes = lambda seed, progress: (make.demo_take(score.name) for score in demo_scores())  # noqa: E731
    monkeypatch.setattr("motionloom.performer.demo.perform_demo", takes)


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_the_python_of_a_page_runs(page, workplace, performed):
    names: dict = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL):
        exec(compile(block, page.name, "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_links_between_pages_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert (page.parent / link).exists(), f"{page.name} links to {link}"
