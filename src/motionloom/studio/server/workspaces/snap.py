"""Hub graphs on the server: distances and match sets for the page, and the last graphs that were built."""

from typing import Any

from motionloom.assembly.material import choose_material
from motionloom.caching import Recent
from motionloom.errors import BadInput
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.studio.server.answers import FoundAnswer, answers_of
from motionloom.studio.server.messages import snap as m
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.packing import pack
from motionloom.studio.server.studio import Studio

DESK, BUILDER = "snap", "hubs"
METHOD = "snap"
MATERIAL, BUILD = "comparing frames", "hub graph"  # kinds of jobs, and their keys: a newer one replaces what still runs
KEPT = 4  # built graphs


class Files:
    """The files of the last graphs that were built, by digest."""

    def __init__(self) -> None:
        self._kept: Recent[str, bytes] = Recent(KEPT)

    def keep(self, digest: str, content: bytes) -> None:
        """Keep a file."""
        self._kept.put(digest, content)

    def find(self, digest: str) -> bytes:
        """A file by its digest."""
        content = self._kept.get(digest)
        if content is None:
            raise BadInput("this graph is no longer kept; it is built again when something is changed")
        return content


def files_of(studio: Studio) -> Files:
    """The built graphs of the open corpus."""
    return studio.kept.setdefault("hubs", Files())


def start_material(studio: Studio, wanted: m.GetMaterial) -> Job:
    """Let the desk compare takes; pages get the result when it is done."""

    def send(found: dict[str, Any]) -> None:
        studio.broadcast.send(m.MaterialReady(tag=wanted.tag, material=m.MaterialState.model_validate(found)))

    job = studio.start(
        DESK,
        "compare",
        {"takes": wanted.takes, "fps": wanted.fps, "revision": studio.revision},
        kind=MATERIAL,
        title="comparing frames",
        key=MATERIAL,
        quiet=True,
        after=send,
    )
    return job.status


def draw_image(studio: Studio, wanted: m.DistanceImage) -> bytes:
    """A part of the distance image as a binary message."""
    pixels = studio.ask(DESK, "image", wanted.model_dump())
    return pack({"columns": wanted.columns, "rows": wanted.rows}, {"pixels": pixels})


def cut_slice(studio: Studio, wanted: m.FrameSlice) -> bytes:
    """Distances of one frame to all as a binary message."""
    return pack({"frame": wanted.frame}, studio.ask(DESK, "slice", wanted.model_dump()))


def lay_poses(studio: Studio, wanted: m.FramePoses) -> bytes:
    """Frames laid over each other as a binary message."""
    return pack({"frames": wanted.frames}, studio.ask(DESK, "poses", wanted.model_dump()))


def grow_set(studio: Studio, wanted: m.GrowSet) -> m.GrownSet:
    """What can join the match set of a frame."""
    return m.GrownSet.model_validate(studio.ask(DESK, "grow", wanted.model_dump()))


def resolve_sets(studio: Studio, wanted: m.ResolveSets) -> m.ResolvedGraph:
    """The match sets of a graph, and what could be its next hub."""
    count = {} if wanted.count is None else {"count": wanted.count}
    arguments = {"request": wanted.request.to_data(), "takes": takes_of(studio, wanted.request), **count}
    return m.ResolvedGraph.model_validate(studio.ask(DESK, "resolve", arguments))


def takes_of(studio: Studio, request: GraphRequest) -> list[str]:
    """The takes that a graph is built from."""
    with studio.corpus() as corpus:
        return choose_material(corpus, request.takes)


def start_build(studio: Studio, wanted: m.BuildGraph) -> Job:
    """Build a graph instead of what is being built; pages get the result when it is done."""

    def keep(found: dict[str, Any]) -> None:
        files_of(studio).keep(found["digest"], found.pop("file"))
        studio.broadcast.send(m.GraphBuilt(tag=wanted.tag, built=m.BuiltGraph.model_validate(found)))

    job = studio.start(
        BUILDER,
        "build",
        {"request": wanted.request.to_data()},
        kind=BUILD,
        title="building the hub graph",
        key=BUILD,
        quiet=True,
        after=keep,
    )
    return job.status


def walk(studio: Studio, wanted: m.WalkGraph) -> m.WalkedGraph:
    """Make clips one after another an answer, which can be kept and written to files as those of searches."""
    result = studio.ask(BUILDER, "walk", wanted.model_dump())
    found = FoundAnswer(METHOD, None, result, motions=())  # pages play the clips themselves
    return m.WalkedGraph(answer=answers_of(studio).keep(found))
