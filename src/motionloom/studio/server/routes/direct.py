"""Routes about directing; motions that are dragged come over the websocket."""

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages import direct as m
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.workspaces import direct

router = api_router("/api/direct")


@router.post("/ready")
async def get_director(studio: TheStudio, wanted: m.GetDirector) -> Job:
    """Prepare the model of a request; another one that is being prepared is given up for it."""
    return direct.start_ready(studio, wanted)


@router.get("/keys")
def marker_takes(studio: TheStudio, like: str | None = None) -> m.MarkerTakes:
    """Takes of the markers that a take has, or that most takes have, with frames that tell most of each."""
    return direct.find_marker_takes(studio, like)
