"""Routes about painted timelines; answers come over the websocket as they are found."""

from fastapi import APIRouter, Response

from motionloom.methods.timeline.request import Request
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.messages.timeline import (
    ChosenTakes,
    PaintableLabel,
    RequestText,
    SaveAnswer,
    SavedAnswer,
    SearchRequest,
)
from motionloom.studio.server.packing import MEDIA_TYPE
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.workspaces.timeline import MEDIA, export_answer, list_labels, save_answer, start_search

router = APIRouter(prefix="/api/timeline")


@router.post("/search")
async def search_timeline(studio: TheStudio, wanted: SearchRequest) -> Job:
    """Search the motion of a request; a search that runs is given up for it."""
    return start_search(studio, wanted)  # in no thread of its own: of two that come at once, the later one stays


@router.post("/labels")
def paintable_labels(studio: TheStudio, chosen: ChosenTakes) -> list[PaintableLabel]:
    """What can be painted with some takes."""
    return list_labels(studio, chosen.takes)


@router.post("/text")
def request_text(request: Request) -> RequestText:
    """A request as the YAML file that the command line runs."""
    return RequestText(text=request.to_text(), name="request.yaml")


@router.post("/parse")
def parse_request(wanted: RequestText) -> Request:
    """Read a YAML file; what is wrong with it is said with the line."""
    return Request.parse(wanted.text, wanted.name)


@router.post("/save")
def keep_answer(studio: TheStudio, wanted: SaveAnswer) -> SavedAnswer:
    """Keep an answer as a take."""
    return save_answer(studio, wanted.answer, wanted.name)


@router.get("/export", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def download_answer(studio: TheStudio, answer: str, ending: str) -> Response:
    """An answer as a file: bvh, glb, npz, png, mp4, or json for the report."""
    content = export_answer(studio, answer, ending)
    headers = {"Content-Disposition": f'attachment; filename="timeline.{ending}"'}
    return Response(content, media_type=MEDIA[ending], headers=headers)
