"""Routes about motions that can be played; their frames come over the websocket."""

from fastapi import APIRouter, Response

from motionloom.studio.server.messages.motions import Motion, Skeleton, Steps
from motionloom.studio.server.motions import describe_motion, describe_skeleton, pack_body, read_footsteps
from motionloom.studio.server.packing import MEDIA_TYPE
from motionloom.studio.server.routes import TheHouse

router = APIRouter(prefix="/api")


@router.get("/motion")
def motion(house: TheHouse, id: str) -> Motion:
    """What there is to know about a motion."""
    return describe_motion(house, id)


@router.get("/steps")
def steps(house: TheHouse, id: str) -> Steps:
    """Footprints and contacts of a motion."""
    return read_footsteps(house, id)


@router.get("/skeletons/{digest}")
def skeleton(house: TheHouse, digest: str) -> Skeleton:
    """A skeleton for drawing."""
    return describe_skeleton(house, digest)


@router.get("/bodies/{digest}", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def body(house: TheHouse, digest: str) -> Response:
    """The skinned body of a skeleton, as a binary message."""
    return Response(pack_body(house, digest), media_type=MEDIA_TYPE)
