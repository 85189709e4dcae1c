"""What an input goes through in motionloom: its reader, and whatever uses the result first.

`take_in` returns "read" or "refused"; whatever else a reader does with an input is a finding.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.faults import seeds
from motionloom import formats
from motionloom.corpus import Corpus, Source, Take, check
from motionloom.corpus.labels.label_files import import_labels, read_label_file
from motionloom.errors import MotionloomError
from motionloom.methods.snap import read_hubs
from motionloom.methods.snap import request as snap_request
from motionloom.methods.snap.graph.hubs_file import hubs_bytes
from motionloom.methods.snap.graph.statistics import describe_statistics, measure_graph
from motionloom.methods.snap.play.player import Player
from motionloom.methods.timeline import request as timeline_request

READ, REFUSED = "read", "refused"
STEPS = 60  # frames that a player plays of a graph that was read
FEET = np.zeros((8, 4, 3))  # metres: points that stand on what a clip has below it


class NotClean(Exception):
    """A take that was added, and that the check of the corpus calls damaged."""


def take_in(kind: str, content: bytes, folder: Path) -> str:
    """Give an input to its reader, and what is read to its users.

    Args:
        kind: of `mutations.KINDS`.
        content: of the file.
        folder: for the file and what is made of it; files in it are replaced.
    """
    return _outcome(lambda: _USERS[kind](content, folder))


def _outcome(use: Callable[[], None]) -> str:
    try:
        use()
    except MotionloomError as refusal:
        sentence = str(refusal)
        assert sentence and "\n" not in sentence and len(sentence) < 1500, f"not one sentence: {sentence[:3000]!r}"
        assert sentence.isprintable(), f"not printable: {sentence!r}"
        return REFUSED
    return READ


def take_in_files(files: dict[str, bytes], folder: Path) -> str:
    """As `take_in`, of files by name; the last of them is read with the others beside it."""
    for file, content in files.items():
        (folder / file).write_bytes(content)
    name = list(files)[-1]
    kind = Path(name).suffix[1:]
    if kind in ("csv", "hubs"):
        return take_in(kind, files[name], folder)
    return _outcome(lambda: _use_take(folder, name))


def _read_bvh(content: bytes, folder: Path) -> None:
    _read_take(folder, "a.bvh", {"a.bvh": content})


def _read_asf(content: bytes, folder: Path) -> None:
    _read_take(folder, "a.amc", {"a.asf": content, "a.amc": seeds.AMC})


def _read_amc(content: bytes, folder: Path) -> None:
    _read_take(folder, "a.amc", {"a.asf": seeds.ASF, "a.amc": content})


def _read_npz(content: bytes, folder: Path) -> None:
    _read_take(folder, "a.npz", {"a.npz": content})


def _read_markers(content: bytes, folder: Path) -> None:
    _read_take(folder, "a.csv", {"a.csv": content})


def _read_trc(content: bytes, folder: Path) -> None:
    _read_take(folder, "a.trc", {"a.trc": content})


def _read_c3d(content: bytes, folder: Path) -> None:
    _read_take(folder, "a.c3d", {"a.c3d": content})


def _read_take(folder: Path, name: str, files: dict[str, bytes]) -> None:
    for file, content in files.items():
        (folder / file).write_bytes(content)
    _use_take(folder, name)


def _use_take(folder: Path, name: str) -> None:
    take = formats.read(folder / name)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        with Corpus.create(Path(place) / "corpus") as corpus:
            corpus.add(take, name="take")
            corpus.take("take")
        found = check(Path(place) / "corpus")
        if not found.is_clean or found.problems:
            raise NotClean("; ".join(map(str, found.problems)))


def _read_curves(content: bytes, folder: Path) -> None:
    """Curves of a face, kept beside a take and written again."""
    (folder / "a.csv").write_bytes(content)
    curves = formats.read_curves(folder / "a.csv")
    with tempfile.TemporaryDirectory(dir=folder) as place:
        with Corpus.create(Path(place) / "corpus") as corpus:
            corpus.add(Take("walk", seeds.make_motion(), Source("walk.bvh", "bvh", "0123", 60.0, 0.01)))
            corpus.set_curves("walk", curves)
            kept = corpus.curves("walk")
        assert kept is not None
        formats.write_curves(Path(place) / "again.csv", kept)
        found = check(Path(place) / "corpus")
        if found.problems:
            raise NotClean("; ".join(map(str, found.problems)))


def _read_csv(content: bytes, folder: Path) -> None:
    path = folder / "labels.csv"
    path.write_bytes(content)
    read_label_file(path)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        with Corpus.create(Path(place) / "corpus") as corpus:
            corpus.add(Take("walk", seeds.make_motion(), Source("walk.bvh", "bvh", "0123", 60.0, 0.01)))
            report = import_labels(corpus, path)
            assert all("\n" not in refusal for refusal in report.refused)
        found = check(Path(place) / "corpus")
        if found.problems:
            raise NotClean("; ".join(map(str, found.problems)))


def _read_yaml(content: bytes, folder: Path) -> None:
    path = folder / "a.request.yaml"
    path.write_bytes(content)
    errors = []
    for kind in (timeline_request.Request, snap_request.Request):
        try:
            request = kind.read(path)
            kind.parse(request.to_text())
        except MotionloomError as error:
            errors.append(error)
    if len(errors) == 2:
        raise errors[0]


def _read_hubs(content: bytes, folder: Path) -> None:
    path = folder / "a.hubs"
    path.write_bytes(content)
    graph = read_hubs(path)
    describe_statistics(measure_graph(graph))
    player = Player(graph)
    for _ in range(STEPS):
        player.step()
        player.pose()
        player.footing.under(FEET)
    for action in graph.actions:
        player.steer(word=action.name)
        player.step()
    hubs_bytes(graph)


_USERS = {
    "bvh": _read_bvh,
    "asf": _read_asf,
    "amc": _read_amc,
    "npz": _read_npz,
    "csv": _read_csv,
    "yaml": _read_yaml,
    "hubs": _read_hubs,
    "markers": _read_markers,
    "trc": _read_trc,
    "c3d": _read_c3d,
    "curves": _read_curves,
}
