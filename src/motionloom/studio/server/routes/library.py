"""Routes of the library: takes, what is made of them, files that come and go."""

from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from motionloom import conform
from motionloom.corpus.labels.label_colours import label_colours
from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.library import (
    ChooseReference,
    ChosenReference,
    CleanTakes,
    Export,
    ExportTakes,
    ImportBatch,
    ImportState,
    LabelColours,
    LabelNames,
    MadeTakes,
    NewBadges,
    ReferenceSkeleton,
    RemovedTakes,
    RenameTake,
    RestoreTakes,
    StoredReference,
    TakeLabel,
    TakeList,
    TakeNames,
    TrimTake,
    Uploaded,
)
from motionloom.studio.server.messages.session import Done, Job
from motionloom.studio.server.packing import MEDIA_TYPE, pack
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.workspaces import uploads
from motionloom.studio.server.workspaces.exports import exports_of
from motionloom.studio.server.workspaces.library import library_of
from motionloom.studio.server.workspaces.take_list import describe_reference

router = api_router("/api")
_FILE = {"requestBody": {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}, "required": True}}


@router.get("/takes", response_model=TakeList)
def takes(studio: TheStudio) -> Response:
    """All takes, with what is known about them."""
    return JSONResponse(library_of(studio).list_takes())


@router.get("/takes/badges")
def new_badges(studio: TheStudio, since: int) -> NewBadges:
    """Badges that were measured since the page last asked."""
    return library_of(studio).new_badges(since)


@router.get("/takes/labels")
def take_labels(studio: TheStudio, take: str) -> list[TakeLabel]:
    """The labels of one take."""
    with studio.corpus() as corpus:
        labels = corpus.labels(take)
    return [TakeLabel(label=held.label, start=held.start, stop=held.stop, source=held.source) for held in labels]


@router.get("/takes/plots", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def take_plots(studio: TheStudio, take: str) -> Response:
    """Curves of a take as a binary message."""
    return Response(pack(*studio.ask("display", "plots", {"take": take})), media_type=MEDIA_TYPE)


@router.get("/labels/colours")
def known_label_colours(studio: TheStudio) -> LabelColours:
    """The colours of all labels of the corpus."""
    with studio.corpus() as corpus:
        return LabelColours(numbers=label_colours(corpus))


@router.post("/labels/colours")
def more_label_colours(studio: TheStudio, wanted: LabelNames) -> LabelColours:
    """The same with further words, whose colours are decided now."""
    with studio.corpus() as corpus:
        return LabelColours(numbers=label_colours(corpus, wanted.labels))


@router.post("/takes/remove")
def remove_takes(studio: TheStudio, wanted: TakeNames) -> RemovedTakes:
    """Remove takes; they can be brought back."""
    with studio.changing("takes") as corpus:
        return RemovedTakes(numbers=corpus.remove(wanted.takes))


@router.post("/takes/restore")
def restore_takes(studio: TheStudio, wanted: RestoreTakes) -> Done:
    """Bring removed takes back."""
    with studio.changing("takes") as corpus:
        corpus.restore(wanted.takes, wanted.numbers)
    return Done()


@router.post("/takes/rename")
def rename_take(studio: TheStudio, wanted: RenameTake) -> Done:
    """Give a take another name."""
    with studio.changing("takes") as corpus:
        corpus.rename(wanted.take, wanted.name)
    return Done()


@router.post("/reference")
def choose_reference(studio: TheStudio, wanted: ChooseReference) -> ChosenReference:
    """Show all takes on the skeleton of another take; what is made of them is made again when it is needed."""
    with studio.changing("takes") as corpus:
        before = StoredReference.model_validate(conform.stored_reference(corpus))
        found = conform.choose_reference(corpus, wanted.take)
    return ChosenReference(reference=ReferenceSkeleton(**describe_reference(found)), before=before)


@router.post("/reference/restore")
def restore_reference(studio: TheStudio, wanted: StoredReference) -> ReferenceSkeleton:
    """Bring a reference skeleton back that was replaced."""
    with studio.changing("takes") as corpus:
        return ReferenceSkeleton(**describe_reference(conform.restore_reference(corpus, wanted.model_dump())))


@router.post("/takes/mirror")
def mirror_takes(studio: TheStudio, wanted: TakeNames) -> Job:
    """Mirror takes into new ones."""
    return library_of(studio).mirror(wanted.takes)


@router.post("/takes/trim")
def trim_take(studio: TheStudio, wanted: TrimTake) -> Job:
    """Keep some frames of a take as a new one."""
    return library_of(studio).trim(wanted)


@router.post("/takes/clean")
def clean_takes(studio: TheStudio, wanted: CleanTakes) -> Job:
    """Clean takes into new ones."""
    return library_of(studio).clean(wanted)


@router.get("/takes/made")
def made_takes(studio: TheStudio, job: int) -> MadeTakes:
    """What a job has made of takes."""
    return library_of(studio).made(job)


@router.put("/upload", openapi_extra=_FILE)
async def upload(studio: TheStudio, request: Request, batch: str, file: str) -> Uploaded:
    """Take in one file of a batch, as raw bytes."""
    return Uploaded(size=await uploads.receive(studio, batch, file, request.stream()))


@router.post("/upload/drop")
def drop_upload(studio: TheStudio, wanted: ImportBatch) -> Done:
    """Throw uploaded files away."""
    uploads.drop(studio, wanted.batch)
    return Done()


@router.post("/import")
def import_uploaded(studio: TheStudio, wanted: ImportBatch) -> Job:
    """Import the uploaded files of a batch."""
    return library_of(studio).import_batch(wanted.batch)


@router.get("/import")
def import_state(studio: TheStudio, batch: str) -> ImportState:
    """How far an import is, file by file."""
    return library_of(studio).import_state(batch)


@router.post("/exports")
def export_takes(studio: TheStudio, wanted: ExportTakes) -> Export:
    """Get takes ready to be fetched as a file."""
    return exports_of(studio).prepare(wanted)


@router.get("/exports/{number}", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
def fetch_export(studio: TheStudio, number: int) -> Response:
    """The file of an export."""
    file, content = exports_of(studio).fetch(number)
    named = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file)}"}
    return StreamingResponse(content, media_type=MEDIA_TYPE, headers=named)
