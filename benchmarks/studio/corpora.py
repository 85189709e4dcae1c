"""The corpora that the studio is measured on, as closed folders; whoever writes in one takes a copy."""

import tempfile
from functools import cache
from pathlib import Path

from benchmarks.studio.many_takes import make_corpus
from benchmarks.timeline.corpora import fill_football, fill_mixed, fill_set

_folders: list[tempfile.TemporaryDirectory] = []  # kept until the benchmark ends


@cache
def demo() -> Path:
    """The demo corpus."""
    from motionloom.performer import make_demo_corpus

    with make_demo_corpus(_folder("demo")) as corpus:
        return corpus.folder


@cache
def football(data: Path) -> Path:
    """The 7.5 minutes of the football-like set, with labels."""
    with fill_football(data, _folder("football")) as corpus:
        return corpus.folder


@cache
def mixed(data: Path) -> Path:
    """The demo corpus and the football-like set in one: takes of two hierarchies."""
    with fill_mixed(data, _folder("mixed")) as corpus:
        return corpus.folder


@cache
def boxing(data: Path) -> Path:
    """The boxing takes that are built up from."""
    with fill_set(data, "boxing", _folder("boxing")) as corpus:
        return corpus.folder


@cache
def locomotion(data: Path) -> Path:
    """The walks, runs and jumps that motions are directed on."""
    with fill_set(data, "locomotion_optim", _folder("locomotion")) as corpus:
        return corpus.folder


@cache
def faces(data: Path) -> Path:
    """The recorded faces that are directed by their markers."""
    from motionloom.corpus import Corpus, import_files

    with Corpus.create(_folder("faces")) as corpus:
        import_files(corpus, sorted(path for path in (data / "face").glob("*.csv") if path.name != "INDEX.csv"))
        return corpus.folder


@cache
def many() -> Path:
    """Ten thousand takes."""
    return make_corpus(_folder("many"))


def _folder(name: str) -> Path:
    _folders.append(tempfile.TemporaryDirectory(prefix="motionloom-bench-"))
    return Path(_folders[-1].name) / name
