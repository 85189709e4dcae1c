"""Routes about painted timelines; what is the same for all methods is in `methods`."""

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.timeline import ChosenTakes, PaintableLabel
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.workspaces.timeline import list_labels

router = api_router("/api/timeline")


@router.post("/labels")
def paintable_labels(studio: TheStudio, chosen: ChosenTakes) -> list[PaintableLabel]:
    """What can be painted with some takes."""
    return list_labels(studio, chosen.takes)
