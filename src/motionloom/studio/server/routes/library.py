"""Routes of the library: takes, what is made of them, files that come and go."""

from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from motionloom.studio.server import uploads
from motionloom.studio.server.exporting import exports_of
from motionloom.studio.server.messages.library import (
    CleanTakes,
    Export,
    ExportTakes,
    ImportBatch,
    ImportState,
    MadeTakes,
    NewBadges,
    RemovedTakes,
    RenameTake,
    RestoreTakes,
    TakeLabel,
    TakeList,
    TakeNames,
    TrimTake,
    Uploaded,
)
from motionloom.studio.server.messages.session import Done, Job
from motionloom.studio.server.packing import MEDIA_TYPE, pack
from motionloom.studio.server.routes import TheHouse
from motionloom.studio.server.shelves import shelves_of

router = APIRouter(prefix="/api")
_FILE = {"requestBody": {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}, "required": True}}


@router.get("/takes", response_model=TakeList)
def takes(house: TheHouse) -> Response:
    """All takes, with what is known about them."""
    return JSONResponse(shelves_of(house).list_takes())


@router.get("/takes/badges")
def new_badges(house: TheHouse, since: int) -> NewBadges:
    """Badges that were measured since the page last asked."""
    return shelves_of(house).new_badges(since)


@router.get("/takes/labels")
def take_labels(house: TheHouse, take: str) -> list[TakeLabel]:
    """The labels of one take."""
    with house.corpus() as corpus:
        labels = corpus.labels(take)
    return [TakeLabel(label=one.label, start=one.start, stop=one.stop, source=one.source) for one in labels]


@router.get("/takes/plots", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def take_plots(house: TheHouse, take: str) -> Response:
    """Curves of a take as a binary message."""
    return Response(pack(*house.ask("display", "plots", {"take": take})), media_type=MEDIA_TYPE)


@router.post("/takes/remove")
def remove_takes(house: TheHouse, wanted: TakeNames) -> RemovedTakes:
    """Remove takes; they can be brought back."""
    with house.changing("takes") as corpus:
        return RemovedTakes(numbers=corpus.remove(wanted.takes))


@router.post("/takes/restore")
def restore_takes(house: TheHouse, wanted: RestoreTakes) -> Done:
    """Bring removed takes back."""
    with house.changing("takes") as corpus:
        corpus.restore(wanted.takes, wanted.numbers)
    return Done()


@router.post("/takes/rename")
def rename_take(house: TheHouse, wanted: RenameTake) -> Done:
    """Give a take another name."""
    with house.changing("takes") as corpus:
        corpus.rename(wanted.take, wanted.name)
    return Done()


@router.post("/takes/mirror")
def mirror_takes(house: TheHouse, wanted: TakeNames) -> Job:
    """Mirror takes into new ones."""
    return shelves_of(house).mirror(wanted.takes)


@router.post("/takes/trim")
def trim_take(house: TheHouse, wanted: TrimTake) -> Job:
    """Keep some frames of a take as a new one."""
    return shelves_of(house).trim(wanted)


@router.post("/takes/clean")
def clean_takes(house: TheHouse, wanted: CleanTakes) -> Job:
    """Clean takes into new ones."""
    return shelves_of(house).clean(wanted)


@router.get("/takes/made")
def made_takes(house: TheHouse, job: int) -> MadeTakes:
    """What a job has made of takes."""
    return shelves_of(house).made(job)


@router.put("/upload", openapi_extra=_FILE)
async def upload(house: TheHouse, request: Request, batch: str, file: str) -> Uploaded:
    """Take in one file of a batch, as raw bytes."""
    return Uploaded(size=await uploads.receive(house, batch, file, request.stream()))


@router.post("/upload/drop")
def drop_upload(house: TheHouse, wanted: ImportBatch) -> Done:
    """Throw uploaded files away."""
    uploads.drop(house, wanted.batch)
    return Done()


@router.post("/import")
def import_uploaded(house: TheHouse, wanted: ImportBatch) -> Job:
    """Import the uploaded files of a batch."""
    return shelves_of(house).import_batch(wanted.batch)


@router.get("/import")
def import_state(house: TheHouse, batch: str) -> ImportState:
    """How far an import is, file by file."""
    return shelves_of(house).import_state(batch)


@router.post("/exports")
def export_takes(house: TheHouse, wanted: ExportTakes) -> Export:
    """Get takes ready to be fetched as a file."""
    return exports_of(house).prepare(wanted)


@router.get("/exports/{number}", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def fetch_export(house: TheHouse, number: int) -> Response:
    """The file of an export."""
    file, content = exports_of(house).fetch(number)
    named = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file)}"}
    return StreamingResponse(content, media_type=MEDIA_TYPE, headers=named)
