"""Routes about hub graphs; what takes longer comes over the websocket."""

from typing import Any

from fastapi import APIRouter, Response

from motionloom.studio.server import snapping
from motionloom.studio.server.messages import snap as m
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.packing import MEDIA_TYPE
from motionloom.studio.server.routes import TheHouse

router = APIRouter(prefix="/api/snap")
BINARY: dict[int | str, dict[str, Any]] = {200: {"content": {MEDIA_TYPE: {}}}}


@router.post("/material")
async def snap_material(house: TheHouse, wanted: m.GetMaterial) -> Job:
    """Compare takes with each other; others that are being compared are given up for it."""
    return snapping.start_material(house, wanted)


@router.post("/image", response_class=Response, responses=BINARY)
def snap_image(house: TheHouse, wanted: m.DistanceImage) -> Response:
    """A part of the distance image: (height, width) shades, 0 nearest, 254 far, 255 cannot be compared."""
    return Response(snapping.draw_image(house, wanted), media_type=MEDIA_TYPE)


@router.post("/slice", response_class=Response, responses=BINARY)
def snap_slice(house: TheHouse, wanted: m.FrameSlice) -> Response:
    """How far all frames are from one, in metres, and where each take comes nearest."""
    return Response(snapping.cut_slice(house, wanted), media_type=MEDIA_TYPE)


@router.post("/poses", response_class=Response, responses=BINARY)
def snap_poses(house: TheHouse, wanted: m.FramePoses) -> Response:
    """Frames laid over the first of them, as their distance compares them."""
    return Response(snapping.lay_poses(house, wanted), media_type=MEDIA_TYPE)


@router.post("/grow")
def snap_grow(house: TheHouse, wanted: m.GrowSet) -> m.GrownSet:
    """What can join the match set of a frame, nearest first."""
    return snapping.grow_set(house, wanted)


@router.post("/resolve")
def snap_resolve(house: TheHouse, wanted: m.ResolveSets) -> m.ResolvedGraph:
    """The match sets of a graph, and what could be its next hub, the best first."""
    return snapping.resolve_sets(house, wanted)


@router.post("/build")
async def snap_build(house: TheHouse, wanted: m.BuildGraph) -> Job:
    """Build a graph; one that is being built is given up for it."""
    return snapping.start_build(house, wanted)


@router.get("/graph/{digest}", response_class=Response, responses=BINARY)
def snap_graph(house: TheHouse, digest: str) -> Response:
    """The file of a graph that was built."""
    return Response(snapping.files_of(house).find(digest), media_type=MEDIA_TYPE)
