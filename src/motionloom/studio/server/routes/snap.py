"""Routes about hub graphs; what takes longer comes over the websocket."""

from typing import Any

from fastapi import Response

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages import snap as m
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.packing import MEDIA_TYPE
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.workspaces import snap

router = api_router("/api/snap")
BINARY: dict[int | str, dict[str, Any]] = {200: {"content": {MEDIA_TYPE: {}}}}


@router.post("/material")
async def snap_material(studio: TheStudio, wanted: m.GetMaterial) -> Job:
    """Compare takes with each other; others that are being compared are given up for it."""
    return snap.start_material(studio, wanted)


@router.post("/image", response_class=Response, responses=BINARY)
def snap_image(studio: TheStudio, wanted: m.DistanceImage) -> Response:
    """A part of the distance image: (height, width) shades, 0 nearest, 254 far, 255 cannot be compared."""
    return Response(snap.draw_image(studio, wanted), media_type=MEDIA_TYPE)


@router.post("/slice", response_class=Response, responses=BINARY)
def snap_slice(studio: TheStudio, wanted: m.FrameSlice) -> Response:
    """How far all frames are from one, in metres, and where each take comes nearest."""
    return Response(snap.cut_slice(studio, wanted), media_type=MEDIA_TYPE)


@router.post("/poses", response_class=Response, responses=BINARY)
def snap_poses(studio: TheStudio, wanted: m.FramePoses) -> Response:
    """Frames laid over the first of them, as their distance compares them."""
    return Response(snap.lay_poses(studio, wanted), media_type=MEDIA_TYPE)


@router.post("/grow")
def snap_grow(studio: TheStudio, wanted: m.GrowSet) -> m.GrownSet:
    """What can join the match set of a frame, nearest first."""
    return snap.grow_set(studio, wanted)


@router.post("/resolve")
def snap_resolve(studio: TheStudio, wanted: m.ResolveSets) -> m.ResolvedGraph:
    """The match sets of a graph, and what could be its next hub, the best first."""
    return snap.resolve_sets(studio, wanted)


@router.post("/build")
async def snap_build(studio: TheStudio, wanted: m.BuildGraph) -> Job:
    """Build a graph; one that is being built is given up for it."""
    return snap.start_build(studio, wanted)


@router.get("/graph/{digest}", response_class=Response, responses=BINARY)
def snap_graph(studio: TheStudio, digest: str) -> Response:
    """The file of a graph that was built."""
    return Response(snap.files_of(studio).find(digest), media_type=MEDIA_TYPE)


@router.post("/walk")
def snap_walk(studio: TheStudio, wanted: m.WalkGraph) -> m.WalkedGraph:
    """Make clips of a graph, one after another, an answer that can be kept."""
    return snap.walk(studio, wanted)
