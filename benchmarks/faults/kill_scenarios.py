"""The changes that are killed: everything that motionloom writes into a corpus, and what it exports."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.faults.folder_states import authored_state, corpus_check, corpus_state, document_state
from benchmarks.faults.kills import Scenario
from motionloom import formats
from motionloom.assembly.results.kept_results import keep_characters
from motionloom.assembly.results.result import Character, HeldLabel, Report, Result
from motionloom.conform import make_view
from motionloom.corpus import Corpus, Label, Proposal, Source, Take, Verified, import_each
from motionloom.corpus.models import keep_model
from motionloom.errors import CorpusError
from motionloom.methods.snap import GraphRequest, HubGraph, prepare, write_hubs
from motionloom.methods.timeline.request import Request
from motionloom.motion import Curves, Motion, Skeleton, rotations
from motionloom.motion.provenance import recorded
from motionloom.performer import demo_scores, perform
from motionloom.studio import document

N_FRAMES = 40
LABELS = ("walk", "turn", "wave")
GRAPH_TAKES = ("walk/figure_eight", "walk/stop_and_go")
_JOINTS = "Hips LeftUpLeg LeftLeg LeftFoot RightUpLeg RightLeg RightFoot Spine Neck Head".split()
_PARENTS = [-1, 0, 1, 2, 0, 4, 5, 0, 7, 8]
_OFFSETS = [(0, 0, 0), (0.1, 0, 0), (0, -0.45, 0), (0, -0.45, 0.1), (-0.1, 0, 0), (0, -0.45, 0), (0, -0.45, 0.1)]
_OFFSETS += [(0, 0.2, 0), (0, 0.3, 0), (0, 0.15, 0)]


def make_motion(seed: int, n_frames: int = N_FRAMES) -> Motion:
    """A body of ten joints that moves smoothly about a standing pose."""
    rng = np.random.default_rng(seed)
    waves = np.sin(np.linspace(0, 3, n_frames)[:, None, None] + rng.uniform(0, 6, (1, len(_JOINTS), 3)))
    root = np.linspace((0, 0.95, 0), rng.normal(size=3) * (1, 0, 1) + (0, 0.95, 0), n_frames)
    skeleton = Skeleton(tuple(_JOINTS), np.array(_PARENTS), np.array(_OFFSETS, float))
    return Motion(skeleton, root, rotations.exp(0.3 * waves), 60.0)


def make_take(name: str, seed: int) -> Take:
    """A take with a motion of its own."""
    return Take(name, make_motion(seed), Source(name, "npz", name, 60.0, 1.0))


def begin(folder: Path) -> None:
    """Four takes with labels, and files to import beside them."""
    with Corpus.create(folder) as corpus:
        for number in range(4):
            corpus.add(make_take(f"take {number}", number), floor_height=0.0)
            corpus.add_labels([Label(f"take {number}", label, number, 30) for label in LABELS[:2]])
    for number in range(3):
        (folder / "recordings").mkdir(exist_ok=True)
        extension = ("npz", "bvh", "npz")[number]
        formats.write(folder / "recordings" / f"file {number}.{extension}", make_motion(10 + number))


def _import(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for file in import_each(corpus, [folder / "recordings"], workers=0):
            if file.status == "refused":
                raise CorpusError(file.message)
            yield


def _label(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for number in range(4):
            corpus.add_labels([Label(f"take {number}", label, 3, 20 + number) for label in LABELS])
            yield
        corpus.remove_labels([Label("take 0", "walk", 3, 20), Label("take 0", "turn", 3, 20)])
        yield
        corpus.rename_label("wave", "greet")
        yield


def _accept(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        proposed = [Proposal("take 1", "walk", 0, 9, 0.8), Proposal("take 1", "wave", 12, 30, 0.6)]
        corpus.set_proposals("take 1", ["walk", "wave"], proposed, model={"kernel": "laplace"}, code_version="1")
        yield
        accepted = corpus.accept("take 1", ["walk", "wave"], 0, 25, {"walk": [(0, 8)], "wave": [(12, 20)]})
        yield
        accepted.undo(corpus)
        yield
        corpus.accept("take 1", ["walk"], 5, 30, {"walk": [(6, 20)]})
        yield
        corpus.verify([Verified("take 2", "walk", 0, 30), Verified("take 2", "turn", 0, 30)])
        yield


def _rename(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for number in range(4):
            corpus.rename(f"take {number}", f"renamed/{number}")
            yield
        corpus.set_floor("renamed/2", 0.125)
        yield
        corpus.set_roles("renamed/1", {"left_foot": "LeftLeg"})
        yield


def _keep_curves(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for number in range(3):
            curves = Curves(("JawOpen",), np.full((5, 1), number), np.zeros(5), np.arange(5.0), 60.0, 60.0)
            corpus.set_curves(f"take {number}", curves)
            yield
        corpus.set_curves("take 0", replace(curves, start=0.5))
        yield
        corpus.set_curves("take 1", None)
        yield


def _remove(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        numbers = corpus.remove(["take 0", "take 1"])
        yield
        corpus.restore(["take 1"], numbers[1:])
        yield
        corpus.remove(["take 1", "take 2", "take 3"])
        yield
        corpus.add(make_take("take 1", 1), floor_height=0.0)
        yield


def _purge(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        corpus.layer("take 0", "contacts")
        yield
        keep_model(corpus, "test", "key", {"a": np.ones(9)}, settings={}, takes=["x"], code_version=None)
        yield
        corpus.remove(["take 0", "take 3"])
        yield
        corpus.purge()
        yield


def _layers(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for number in range(3):
            for layer in ("facing", "positions", "contacts"):
                corpus.layer(f"take {number}", layer)
                yield


def _models(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for number in range(5):
            arrays = {"a": np.full(500, number), "b": np.arange(number + 1.0)}
            keep_model(
                corpus, "test", f"key {number % 4}", arrays, settings={}, takes=["x"], code_version=None, at_most=3
            )
            yield


def _views(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for number in range(1, 4):
            make_view(corpus, ["take 0", f"take {number}"])
            yield


def _save_documents(folder: Path) -> Iterator[None]:
    for number in range(4):
        content = document.Document()
        content.library.take = f"take {number}"
        content.annotate.vocabulary = [f"word {number}"]
        content.timeline.request = Request(length=f"{number + 5}s")
        content.graph.request = GraphRequest(takes=(f"take {number}",), hubs=())
        document.save(folder, "dance", content, document.History(revision=number))
        yield
    document.rename(folder, "dance", "dance 2")
    yield
    document.save(folder, "dance 2", document.Document(), document.History(revision=9))
    yield


def _keep(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        for number in range(2):
            keep_characters(corpus, f"kept {number}", _make_result(number), method="test")
            yield


def _make_result(seed: int) -> Result:
    characters = []
    for name in ("one", "two"):
        motion = make_motion(100 + 10 * seed + len(characters))
        origin = recorded("take 0", np.arange(motion.n_frames))
        contacts = np.zeros((motion.n_frames, 4), bool)
        labels = (HeldLabel("walk", 0, 10), HeldLabel("wave", 10, 30))
        characters.append(Character(motion, origin, contacts, name, labels=labels))
    return Result(tuple(characters), Report(asked={"seed": seed}))


def begin_graph(folder: Path) -> None:
    """Two walks, and the hub graph of both."""
    with Corpus.create(folder) as corpus:
        for score in demo_scores():
            if score.name in GRAPH_TAKES:
                made = perform(score, np.random.default_rng(1))
                source = Source(score.name, "performer", score.name, made.motion.fps, 1.0)
                corpus.add(Take(score.name, made.motion, source), floor_height=0.0)
                corpus.add_labels(made.labels)
    write_hubs(folder / "walk.hubs", _build(folder))


def _build(folder: Path) -> HubGraph:
    with Corpus.open(folder) as corpus:
        return prepare(corpus, GraphRequest()).graph


def _build_graph(folder: Path) -> Iterator[None]:
    with Corpus.open(folder, write=True) as corpus:
        graph = prepare(corpus, GraphRequest(takes=GRAPH_TAKES[:1])).graph
        yield
        write_hubs(folder / "walk.hubs", graph)
        yield


def _graph_state(folder: Path) -> object:
    """The hubs file. What is cached on the way may be complete or not: it is made again where it is not."""
    left = [path.name for path in folder.glob("*.hubs")]
    return (folder / "walk.hubs").read_bytes(), left


def _export(folder: Path) -> Iterator[None]:
    for number in range(3):
        for extension in ("bvh", "npz", "glb"):
            formats.write(folder / f"motion.{extension}", make_motion(50 + number))
            yield


def _export_state(folder: Path) -> object:
    return {path.name: path.read_bytes() for path in folder.glob("motion.*")}


def _corpus_scenario(name: str, change) -> Scenario:
    return Scenario(name, begin, change, corpus_state, corpus_check)


SCENARIOS = (
    _corpus_scenario("import", _import),
    _corpus_scenario("labels", _label),
    _corpus_scenario("accept", _accept),
    _corpus_scenario("rename", _rename),
    _corpus_scenario("remove", _remove),
    _corpus_scenario("curves", _keep_curves),
    _corpus_scenario("purge", _purge),
    _corpus_scenario("layers", _layers),
    _corpus_scenario("models", _models),
    Scenario("views", begin, _views, authored_state, corpus_check),
    Scenario("saving documents", begin, _save_documents, document_state),
    _corpus_scenario("keeping results", _keep),
    Scenario("building graphs", begin_graph, _build_graph, _graph_state, corpus_check),
    Scenario("exports", begin, _export, _export_state),
)
