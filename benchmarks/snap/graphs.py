"""The graphs that are built: which takes, which hubs are accepted, what is dragged onto buttons."""

import csv
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from motionloom.assembly.derived.derived_takes import trim_take
from motionloom.corpus import Corpus, Label
from motionloom.corpus.importing import import_files
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.snap.graph.hubs_file import hubs_bytes
from motionloom.methods.snap.model import Model
from motionloom.methods.snap.play.player import Player
from motionloom.methods.snap.prepare import prepare

_folders: list[tempfile.TemporaryDirectory] = []  # kept until the benchmark ends


@dataclass(frozen=True)
class Graph:
    """One graph, as somebody would author it."""

    name: str
    files: Sequence[str]  # below the folder of the CMU recordings
    hubs: Sequence[Mapping[str, Any]]
    trims: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)  # new take: take, first frame, last + 1
    threshold: float | None = None  # metres; None for what the system proposes
    buttons: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=dict)  # by hand: clips with (take, frame)
    limit: float = 10.0  # seconds from raw files to playable

    @property
    def takes(self) -> list[str]:
        """What it is made from: the takes as recorded, or those that were trimmed."""
        trimmed = {take for take, _, _ in self.trims.values()}
        return [*(Path(file).stem for file in self.files if Path(file).stem not in trimmed), *self.trims]

    @property
    def user_actions(self) -> int:
        """What a person does: choose the takes, trim, set a threshold, accept hubs and fixes, fill buttons."""
        thresholds = (self.threshold is not None) + sum("threshold" in hub for hub in self.hubs)
        accepted = len(self.hubs) + sum(len(hub.get("add", ())) for hub in self.hubs)
        return 1 + len(self.trims) + thresholds + accepted + sum(len(clips) for clips in self.buttons.values())

    def request(self) -> GraphRequest:
        """As `snap build` takes it."""
        data = {"takes": self.takes, "hubs": list(self.hubs)}
        return GraphRequest.from_data(data | ({} if self.threshold is None else {"threshold": self.threshold}))


WALKING = ("08", "13", "20", "22", "24", "26")  # of subject 69: walking with turns, and sharp ones
FIGHTING = ("boxing/13_18.bvh", "martial_arts/144_05.bvh")
KICKS = {"kicks": ("144_05", 430, 830)}
LARGEST = {"largest": True}
PAPERS = (
    Graph("sneak", ["sneak/77_32.bvh"], [{"name": "sneak", **LARGEST}], threshold=0.033),
    Graph(
        "martial arts",
        FIGHTING,
        [{"name": "left forward", **LARGEST}, {"name": "right forward", **LARGEST}],
        KICKS,
        buttons={
            "punch": (("13_18", 62), ("13_18", 615), ("13_18", 721), ("13_18", 775)),
            "kick": (("kicks", 190), ("kicks", 290)),
            "dodge": (("13_18", 400), ("13_18", 1316)),
            "shuffle": (("13_18", 587),),
            "switch": (("13_18", 512), ("13_18", 1409)),
        },
    ),
    Graph("walking", [f"walking/69_{number}.bvh" for number in WALKING], [{"name": "walk", **LARGEST}]),
    Graph(
        "walking and fighting",
        [*(f"walking/69_{number}.bvh" for number in WALKING), *FIGHTING, "martial_arts/144_20.bvh"],
        [
            {"name": "walk", "threshold": 0.06, "add": [{"take": "144_20", "frame": 36}], **LARGEST},  # as proposed
            {"name": "left forward", **LARGEST},
            {"name": "right forward", "like": {"take": "13_18", "frame": 671}},  # as suggested for fighting alone
        ],
        KICKS,
        threshold=0.084,
    ),
)


def whole_sets(data: Path) -> tuple[Graph, ...]:
    """All takes of three sets."""
    wanted = {"sneak": 4, "martial_arts": 4, "walking": 2}  # hubs
    rows = list(csv.DictReader((data / "cmu" / "INDEX.csv").open()))
    return tuple(
        Graph(
            f"whole set {name.replace('_', ' ')}",
            [row["file"] for row in rows if row["set"] == name],
            [{"name": f"hub {number + 1}", **LARGEST} for number in range(hubs)],
            limit=120.0,
        )
        for name, hubs in wanted.items()
    )


@dataclass(frozen=True, eq=False)
class Made:
    """A graph from raw files to playable."""

    graph: Graph
    corpus: Corpus  # open for writing, so that what is found out is kept
    model: Model
    seconds: float


@cache
def made(data: Path, graph_name: str) -> Made:
    """One of the graphs, built once."""
    return make(data, next(graph for graph in (*PAPERS, *whole_sets(data)) if graph.name == graph_name))


def make(data: Path, graph: Graph) -> Made:
    """Build a graph from raw files: import, trim, compare, find match sets, build, write the file, play one frame."""
    _folders.append(tempfile.TemporaryDirectory(prefix="motionloom-bench-"))
    begun = time.perf_counter()
    corpus = Corpus.create(Path(_folders[-1].name) / "corpus")
    import_files(corpus, [data / "cmu" / file for file in graph.files])
    _label(data, corpus)
    for new, (take, start, stop) in graph.trims.items():
        trim_take(corpus, take, start, stop, new)
    model = prepare(corpus, graph.request())
    hubs_bytes(model.graph)
    Player(model.graph).step()
    return Made(graph, corpus, model, time.perf_counter() - begun)


def _label(data: Path, corpus: Corpus) -> None:
    names = set(corpus.names())
    rows = csv.DictReader((data / "cmu" / "labels.csv").open())
    corpus.add_labels(
        Label(Path(row["take"]).name, row["label"], int(row["start"]), int(row["stop"]), row["source"])
        for row in rows
        if Path(row["take"]).name in names
    )
