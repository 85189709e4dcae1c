"""Routes about what is open: corpora, the document, jobs."""

from motionloom import __version__, formats
from motionloom.studio.server.demo_corpus import make_demo
from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.session import (
    CorpusEntry,
    CorpusName,
    DocumentName,
    DocumentState,
    Done,
    Job,
    Saved,
    SaveDocument,
    Session,
)
from motionloom.studio.server.open_document import document_of
from motionloom.studio.server.problems import as_text
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.settings import UPLOAD_LIMIT

router = api_router("/api")


@router.get("/session")
def session(studio: TheStudio) -> Session:
    """How things stand."""
    return Session(
        version=__version__,
        corpus=studio.describe_corpus(),
        can_choose=studio.settings.corpus is None,
        home=as_text(studio.settings.home.resolve().name),
        endings=sorted(formats.READABLE),
        upload_limit=UPLOAD_LIMIT,
    )


@router.get("/corpora")
def corpora(studio: TheStudio) -> list[CorpusEntry]:
    """The corpora that can be opened."""
    return studio.entries()


@router.post("/corpora/open")
def open_corpus(studio: TheStudio, wanted: CorpusName) -> Done:
    """Open a corpus of the home folder."""
    studio.open(studio.find_folder(wanted.name))
    return Done()


@router.post("/corpora/new")
def new_corpus(studio: TheStudio, wanted: CorpusName) -> Done:
    """Make an empty corpus and open it."""
    studio.create(wanted.name)
    return Done()


@router.post("/corpora/demo")
def demo_corpus(studio: TheStudio) -> Job:
    """Make the demo corpus, and open it when it is complete."""
    return make_demo(studio)


@router.get("/document")
def document(studio: TheStudio) -> DocumentState:
    """The open document."""
    return document_of(studio).state()


@router.put("/document")
def save_document(studio: TheStudio, wanted: SaveDocument) -> Saved:
    """Save the document."""
    return document_of(studio).save(wanted)


@router.post("/document/open")
def open_document(studio: TheStudio, wanted: DocumentName) -> DocumentState:
    """Open another document."""
    return document_of(studio).open(wanted.name)


@router.post("/document/new")
def new_document(studio: TheStudio, wanted: DocumentName) -> DocumentState:
    """Make a document and open it."""
    return document_of(studio).open(wanted.name, new=True)


@router.post("/document/rename")
def rename_document(studio: TheStudio, wanted: DocumentName) -> DocumentState:
    """Give the open document another name."""
    return document_of(studio).rename(wanted.name)


@router.get("/jobs")
def jobs(studio: TheStudio) -> list[Job]:
    """All jobs."""
    return studio.jobs.all()


@router.post("/jobs/{number}/cancel")
def cancel_job(studio: TheStudio, number: int) -> Done:
    """Stop a job."""
    studio.jobs.cancel(number)
    return Done()
