"""Routes about sketches of takes."""

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.sketches import Sketches, WantedSketches
from motionloom.studio.server.routes import TheStudio

router = api_router("/api/sketches")


@router.post("")
def sketches(studio: TheStudio, body: WantedSketches) -> Sketches:
    """Frames of takes as a few strokes."""
    wanted = [(each.take, each.frame) for each in body.wanted]
    return Sketches.model_validate({"sketches": studio.ask("display", "sketch", {"wanted": wanted})})
