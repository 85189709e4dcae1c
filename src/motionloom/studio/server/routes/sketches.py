"""Routes about sketches of takes."""

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.sketches import MOST, Sketches, TellingFrames, WantedSketches
from motionloom.studio.server.routes import TheStudio

router = api_router("/api/sketches")


@router.post("")
def sketches(studio: TheStudio, body: WantedSketches) -> Sketches:
    """Frames of takes as a few strokes."""
    wanted = [(each.take, each.frame) for each in body.wanted]
    return Sketches.model_validate({"sketches": studio.ask("display", "sketch", {"wanted": wanted})})


@router.get("/telling")
def telling_frames(studio: TheStudio, take: str, count: int) -> TellingFrames:
    """The frames of a take that are least alike."""
    arguments = {"take": take, "count": max(1, min(count, MOST))}
    return TellingFrames(frames=studio.ask("display", "telling_frames", arguments))
