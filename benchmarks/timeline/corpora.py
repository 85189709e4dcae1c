"""The corpora that the timeline and annotation are measured on: F (football-like), D (demo), and all recordings."""

import csv
import tempfile
from functools import cache
from pathlib import Path

from motionloom import formats
from motionloom.corpus import Corpus, Label, Take

FOOTBALL = "football_like"
MAIN_LABELS = tuple("run walk stand turn_left turn_right jump backwards crouch".split())
FOOTBALL_LABELS = (*MAIN_LABELS, *"sideways_left sideways_right carry pick_up put_down".split())
PAPER_LABELS = tuple(
    "run walk wave jump turn_left turn_right catch reach carry backwards crouch stand pick_up".split()
)  # Arikan et al. 2003, section 3.1

_folders: list[tempfile.TemporaryDirectory] = []  # kept until the benchmark ends


@cache
def football(data: Path) -> Corpus:
    """Corpus F: the takes of the football-like set, those in other folders too, with its labels; for writing."""
    return fill_football(data, folder_for("football"))


def fill_football(data: Path, folder: Path) -> Corpus:
    """Corpus F in a folder of its own; for writing."""
    chosen = [row for row in _index(data) if FOOTBALL in (row["set"], *_also_in(row))]
    return _make(data, folder, chosen, FOOTBALL_LABELS)


@cache
def set_of(data: Path, name: str) -> Corpus:
    """One of the other sets, with all its labels; for writing."""
    return fill_set(data, name, folder_for(name))


def fill_set(data: Path, name: str, folder: Path) -> Corpus:
    """One of the other sets in a new corpus."""
    return _make(data, folder, [row for row in _index(data) if name in (row["set"], *_also_in(row))], None)


@cache
def everything(data: Path) -> Corpus:
    """All 47 minutes, with all labels; for writing."""
    return _make(data, folder_for("everything"), _index(data), None)


@cache
def mixed(data: Path) -> Corpus:
    """Corpora D and F in one; for writing."""
    return fill_mixed(data, folder_for("mixed"))


def fill_mixed(data: Path, folder: Path) -> Corpus:
    """Corpora D and F in one, in a folder of its own; for writing."""
    from motionloom.performer import make_demo_corpus

    make_demo_corpus(folder).close()
    chosen = [row for row in _index(data) if FOOTBALL in (row["set"], *_also_in(row))]
    return _fill(Corpus.open(folder, write=True), data, chosen, FOOTBALL_LABELS)


@cache
def demo() -> Corpus:
    """Corpus D: the demo corpus; for writing."""
    from motionloom.performer import make_demo_corpus

    return make_demo_corpus(folder_for("demo"))


def _make(data: Path, folder: Path, rows: list[dict[str, str]], labels: tuple[str, ...] | None) -> Corpus:
    return _fill(Corpus.create(folder), data, rows, labels)


def _fill(corpus: Corpus, data: Path, rows: list[dict[str, str]], labels: tuple[str, ...] | None) -> Corpus:
    names = {}
    for row in rows:
        take = formats.read(data / "cmu" / row["file"])
        names[Path(row["file"]).stem] = stem = row["file"].removesuffix(".bvh")
        corpus.add(Take(stem, take.motion, take.source, take.findings))
    rows = csv.DictReader((data / "cmu" / "labels.csv").open())
    corpus.add_labels(
        Label(names[Path(row["take"]).name], row["label"], int(row["start"]), int(row["stop"]), row["source"])
        for row in rows
        if Path(row["take"]).name in names and (labels is None or row["label"] in labels)
    )
    return corpus


def folder_for(name: str) -> Path:
    """A folder of this name that is there until the benchmark ends."""
    _folders.append(tempfile.TemporaryDirectory(prefix="motionloom-bench-"))
    return Path(_folders[-1].name) / name


def _index(data: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((data / "cmu" / "INDEX.csv").open()))


def _also_in(row: dict[str, str]) -> list[str]:
    return row["also_in"].replace(";", " ").replace(",", " ").split()
