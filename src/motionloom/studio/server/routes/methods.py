"""Routes about methods and their answers, the same for all; answers come over the websocket as they are found."""

from typing import Any

from fastapi import Response

from motionloom.methods import load
from motionloom.studio.server.answer_files import MEDIA, export_answer, save_answer
from motionloom.studio.server.answers import answers_of
from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.methods import (
    MethodDescription,
    MethodRequest,
    RequestText,
    SaveAnswer,
    SavedAnswer,
    SearchRequest,
)
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.packing import MEDIA_TYPE
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.searches import list_methods, start_in_turn

router = api_router("/api")


@router.get("/methods")
def methods() -> list[MethodDescription]:
    """All methods, with what can be asked of them."""
    return list_methods()


@router.post("/methods/{method}/search")
async def search_method(studio: TheStudio, method: str, wanted: SearchRequest) -> Job:
    """Search the motion of a request; a search of the method that runs is given up for it."""
    return await start_in_turn(studio, method, wanted)


@router.post("/methods/{method}/text")
def request_text(method: str, wanted: MethodRequest) -> RequestText:
    """A request as the YAML file that the command line runs."""
    return RequestText(text=load(method).Request.from_data(wanted.request).to_text(), name="request.yaml")


@router.post("/methods/{method}/parse")
def parse_request(method: str, wanted: RequestText) -> dict[str, Any]:
    """The request of a YAML file, with all defaults; a mistake is reported with its line."""
    return load(method).Request.parse(wanted.text, wanted.name).to_whole_data()


@router.post("/answers/save")
def keep_answer(studio: TheStudio, wanted: SaveAnswer) -> SavedAnswer:
    """Keep an answer as a take, or as several."""
    return save_answer(studio, wanted.answer, wanted.name)


@router.get("/answers/export", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def download_answer(studio: TheStudio, answer: str, extension: str, skeleton: str | None = None) -> Response:
    """An answer as a file: bvh, glb, npz, csv, c3d, png, mp4, or json for the report; several characters come as a zip.

    Motions are written on the skeleton of a take, or on that which they were made on.
    """
    written, content = export_answer(studio, answer, extension, skeleton)
    name = answers_of(studio).find(answer).method
    headers = {"Content-Disposition": f'attachment; filename="{name}.{written}"'}
    return Response(content, media_type=MEDIA[written], headers=headers)
