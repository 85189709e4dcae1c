"""The library's desk: importing, measuring, making takes, writing files."""

import pytest

from motionloom import formats
from motionloom.corpus import Corpus
from motionloom.errors import BadInput
from motionloom.studio.desks.library import SEND_PAUSE, UPLOADS, LibraryDesk
from motionloom.tasks import Stopped, Task


class Boss:
    """Listens to a desk, and stops it after some words about progress."""

    def __init__(self, patience=10**9):
        self.parts, self.progress, self.patience = [], [], patience

    @property
    def task(self):
        def tell(kind, data):
            (self.parts if kind == "part" else self.progress).append(data)

        return Task(tell, lambda: len(self.progress) >= self.patience)


@pytest.fixture
def corpus(corpus_folder):
    """Open as the server has it open while its desks work."""
    with Corpus.open(corpus_folder, write=True) as corpus:
        yield corpus


@pytest.fixture
def desk(corpus):
    desk = LibraryDesk(corpus.folder, can_write=True)
    yield desk
    desk.corpus.close()


class Clock:
    """Goes on by the same seconds every time that somebody looks."""

    def __init__(self, seconds):
        self.seconds, self.now = seconds, 0.0

    def __call__(self):
        self.now += self.seconds
        return self.now


@pytest.fixture
def upload(corpus, make):
    """A batch of two good files and two bad ones."""
    folder = corpus.folder / "studio" / UPLOADS / "batch0001"
    (folder / "monday").mkdir(parents=True)
    formats.write(folder / "monday" / "a.bvh", make.motion(n_frames=40, seed=1))
    formats.write(folder / "b.npz", make.motion(n_frames=30, seed=2))
    (folder / "bad.bvh").write_text("HIERARCHY\nROOT\n")
    (folder / "alone.asf").write_text(":version 1.10\n")
    return folder


def test_every_file_of_a_batch_has_its_outcome_and_the_folder_goes(desk, corpus, upload):
    boss = Boss()
    outcomes = {outcome["file"]: outcome for outcome in desk.import_files(boss.task, str(upload))}
    assert {file: outcome["status"] for file, outcome in outcomes.items()} == {
        "monday/a.bvh": "imported",
        "b.npz": "imported",
        "bad.bvh": "refused",
        "alone.asf": "refused",
    }
    assert outcomes["monday/a.bvh"]["take"] == "monday/a"
    assert "line" in outcomes["bad.bvh"]["message"]
    assert str(upload) not in str(outcomes)
    assert boss.parts == list(outcomes.values())
    assert boss.progress[-1][:2] == (3.0, 3.0)
    assert not upload.exists()
    assert {"monday/a", "b"} <= set(corpus.names())
    assert corpus.info("monday/a").source.path == "monday/a.bvh"


def test_a_stopped_import_keeps_what_it_has_and_throws_the_files_away(desk, corpus, upload):
    before = len(corpus.names())
    with pytest.raises(Stopped):
        desk.import_files(Boss(patience=2).task, str(upload))
    assert len(corpus.names()) == before + 1
    assert not upload.exists()


def test_files_uploaded_long_ago_go_when_the_desk_begins(desk, upload):
    import os

    fresh = upload.with_name("batch0002")
    fresh.mkdir()
    os.utime(upload, (0, 0))
    desk.warm_up(Boss().task)
    assert not upload.exists()
    assert fresh.exists()


def test_badges_are_sent_as_they_are_measured_and_remembered(desk, corpus):
    boss = Boss()
    assert desk.measure(boss.task) == 3
    sent = {name: values for part in boss.parts for name, values in part.items()}
    assert set(sent) == set(corpus.names())
    assert all(len(values) == 3 for values in sent.values())
    again = Boss()
    assert desk.measure(again.task) == 0
    assert again.parts == []


@pytest.mark.parametrize(("seconds", "n_parts"), [(0.0, 1), (1.1 * SEND_PAUSE, 2)])
def test_measuring_that_gives_way_has_sent_what_it_measured(corpus, seconds, n_parts):
    """Where time stands still, all in one part; where a take is slow, each in a part of its own."""
    desk = LibraryDesk(corpus.folder, can_write=True, clock=Clock(seconds))
    boss = Boss(patience=1)
    try:
        with pytest.raises(Stopped):
            desk.measure(boss.task)
        assert len(boss.parts) == n_parts
        assert desk.measure(Boss().task) == 3 - sum(len(part) for part in boss.parts) == 1
    finally:
        desk.corpus.close()


def test_takes_are_mirrored_and_what_cannot_be_is_reported(desk, corpus):
    first, second = desk.mirror(Boss().task, ["walk/normal_1", "nobody"])
    assert first == {"take": "walk/normal_1", "made": "walk/normal_1 mirrored"}
    assert "no take 'nobody'" in second["error"]
    with pytest.raises(BadInput, match="none of the 2 takes could be mirrored"):
        desk.mirror(Boss().task, ["nobody", "nobody else"])


def test_trimming_and_cleaning_say_what_they_made(desk, corpus):
    (trimmed,) = desk.trim(Boss().task, "run/run_1", 10, 90)
    assert corpus.info(trimmed["made"]).n_frames == 80
    (cleaned,) = desk.clean(Boss().task, [trimmed["made"]], feet=True, spikes=True)
    assert corpus.info(cleaned["made"]).n_frames == 80
    assert set(cleaned["before"]) == set(cleaned["after"]) == {"skate", "floor", "spikes"}


def test_cleaning_that_is_stopped_keeps_nothing(desk, corpus):
    before = corpus.names()
    with pytest.raises(Stopped):
        desk.clean(Boss(patience=1).task, ["run/run_1"], feet=True, spikes=True)
    assert corpus.names() == before


def test_what_was_made_before_a_stop_is_reported_so_that_it_can_be_undone(desk, corpus):
    made = desk.mirror(Boss(patience=1).task, ["walk/normal_1", "run/run_1"])
    assert made == [{"take": "walk/normal_1", "made": "walk/normal_1 mirrored"}]
    assert "run/run_1 mirrored" not in corpus.names()


@pytest.mark.parametrize("extension", [".bvh", ".npz", ".glb"])
def test_takes_are_written_as_files(desk, tmp_path, extension):
    path = desk.export(Boss().task, "walk/normal_1", extension, str(tmp_path))
    assert path == str(tmp_path / f"normal_1{extension}")
    if extension != ".glb":
        assert formats.read(path).motion.n_frames == desk.corpus.info("walk/normal_1").n_frames


def test_an_extension_that_cannot_be_written_is_refused(desk, tmp_path):
    with pytest.raises(BadInput, match=r"'\.exe' cannot be written"):
        desk.export(Boss().task, "walk/normal_1", ".exe", str(tmp_path))
