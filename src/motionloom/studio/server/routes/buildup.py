"""Routes about building up; ways to where a pose is dragged come over the websocket."""

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages import buildup as m
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.workspaces import buildup

router = api_router("/api/buildup")


@router.post("/palette")
async def pose_palette(studio: TheStudio, wanted: m.GetPalette) -> Job:
    """Find the poses to choose from; others that are being found are given up for it."""
    return buildup.start_palette(studio, wanted)


@router.post("/standing")
def find_standing(studio: TheStudio, wanted: m.GetStanding) -> m.Standing:
    """Where a character stands, and what can be reached from there."""
    return buildup.stand(studio, wanted)


@router.post("/ways")
def choose_ways(studio: TheStudio, wanted: m.ChooseWays) -> m.ChosenWays:
    """The way of a step that is best for its hit, and the ways of the steps after it."""
    return buildup.choose_ways(studio, wanted)
