"""Routes about motions that can be played; their frames come over the websocket."""

from fastapi import Response

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.motions import Footprints, Motion, Skeleton
from motionloom.studio.server.motions import describe_motion, describe_skeleton, pack_body, read_footsteps
from motionloom.studio.server.packing import MEDIA_TYPE
from motionloom.studio.server.routes import TheStudio

router = api_router("/api")


@router.get("/motion")
def motion(studio: TheStudio, id: str) -> Motion:
    """What there is to know about a motion."""
    return describe_motion(studio, id)


@router.get("/steps")
def steps(studio: TheStudio, id: str) -> Footprints:
    """Footprints and contacts of a motion."""
    return read_footsteps(studio, id)


@router.get("/skeletons/{digest}")
def skeleton(studio: TheStudio, digest: str) -> Skeleton:
    """A skeleton for drawing."""
    return describe_skeleton(studio, digest)


@router.get("/bodies/{digest}", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def body(studio: TheStudio, digest: str) -> Response:
    """The skinned body of a skeleton, as a binary message."""
    return Response(pack_body(studio, digest), media_type=MEDIA_TYPE)
