"""The tour ends with files that a newcomer can open."""

import re

import numpy as np
import pytest

from motionloom import render
from motionloom.cli.tour import tour
from motionloom.corpus import Corpus, Source, Take
from motionloom.motion import PointMotion


@pytest.fixture
def small_videos(monkeypatch):
    """All videos after the first are small, of few pictures: drawing all of them is half of the tour's time."""
    sizes = []
    write = render.write_video

    def write_small(path, motion, *, size, **options) -> None:
        write(path, motion, **options | {"size": (160, 90) if sizes else size, "fps": 3 if sizes else 30})
        sizes.append(size)

    monkeypatch.setattr(render, "write_video", write_small)
    yield
    assert len(sizes) > 5 and set(sizes) == {(640, 360)}  # as they were asked for


@pytest.mark.long
@pytest.mark.usefixtures("small_videos")
def test_the_tour_makes_a_corpus_and_a_gallery_whose_links_all_lead_somewhere(motionloom, tmp_path, monkeypatch):
    monkeypatch.setattr(tour, "_favourites", lambda names: names[:1])
    folder = tmp_path / "demo"
    ran = motionloom("demo", folder, "--seed", 3)
    assert ran.code == 0
    assert "try next:" in ran.out and f"motionloom studio {folder / 'corpus'}" in ran.out
    with Corpus.open(folder / "corpus") as corpus:
        assert sum(info.duration for info in corpus.infos()) >= 12 * 60
    page = (folder / "gallery.html").read_text()
    links = set(re.findall(r'(?:href|src)="([^"]+)"', page))
    assert {link.rsplit(".")[-1] for link in links} == {"csv", "png", "mp4", "glb", "bvh", "json", "hubs"}
    assert all((folder / link).stat().st_size > 100 for link in links)
    assert "http" not in page
    tour._clear(folder)  # a folder of the tour's own may be made anew
    assert [path.name for path in folder.iterdir()] == [tour.MARK]


def test_takes_of_points_are_shown_beside_takes_of_bodies(tmp_path):
    positions = np.random.default_rng(1).normal(0, 0.05, (1, 20, 3)) + np.linspace(0, 0.01, 90)[:, None, None]
    points = PointMotion(tuple("abcdefghijklmnopqrst"), positions, 60.0)
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("face/one", points, Source("one.csv", "csv", "0", 60.0, 1.0)), floor_height=0.0)
    exhibit = tour._make_exhibit((tmp_path, "face/one"))
    assert [path.suffix for path in exhibit.files] == [".glb", ".csv"]
    assert all(path.stat().st_size > 1000 for path in (exhibit.sheet, exhibit.video, *exhibit.files))


def test_the_tour_shows_one_take_of_every_kind():
    names = ["run/fast", "walk/a", "walk/b"]
    assert tour._favourites(names) == ["run/fast", "walk/a"]
