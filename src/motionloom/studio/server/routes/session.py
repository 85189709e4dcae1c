"""Routes about what is open: corpora, the document, jobs."""

from fastapi import APIRouter

from motionloom import __version__, formats
from motionloom.studio.server.corpora import make_demo
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
from motionloom.studio.server.papers import papers_of
from motionloom.studio.server.routes import TheHouse
from motionloom.studio.server.settings import UPLOAD_LIMIT

router = APIRouter(prefix="/api")


@router.get("/session")
def session(house: TheHouse) -> Session:
    """How things stand."""
    return Session(
        version=__version__,
        corpus=house.told(),
        can_choose=house.settings.corpus is None,
        home=house.settings.home.resolve().name,
        endings=sorted(formats.READABLE),
        upload_limit=UPLOAD_LIMIT,
    )


@router.get("/corpora")
def corpora(house: TheHouse) -> list[CorpusEntry]:
    """The corpora that can be opened."""
    return house.entries()


@router.post("/corpora/open")
def open_corpus(house: TheHouse, wanted: CorpusName) -> Done:
    """Open a corpus of the home folder."""
    house.open(house.find_folder(wanted.name))
    return Done()


@router.post("/corpora/new")
def new_corpus(house: TheHouse, wanted: CorpusName) -> Done:
    """Make an empty corpus and open it."""
    house.create(wanted.name)
    return Done()


@router.post("/corpora/demo")
def demo_corpus(house: TheHouse) -> Job:
    """Make the demo corpus, and open it when it is complete."""
    return make_demo(house)


@router.get("/document")
def document(house: TheHouse) -> DocumentState:
    """The open document."""
    return papers_of(house).state()


@router.put("/document")
def save_document(house: TheHouse, wanted: SaveDocument) -> Saved:
    """Save the document."""
    return Saved(revision=papers_of(house).save(wanted))


@router.post("/document/open")
def open_document(house: TheHouse, wanted: DocumentName) -> DocumentState:
    """Open another document."""
    return papers_of(house).open(wanted.name)


@router.post("/document/new")
def new_document(house: TheHouse, wanted: DocumentName) -> DocumentState:
    """Make a document and open it."""
    return papers_of(house).open(wanted.name, new=True)


@router.post("/document/rename")
def rename_document(house: TheHouse, wanted: DocumentName) -> DocumentState:
    """Give the open document another name."""
    return papers_of(house).rename(wanted.name)


@router.get("/jobs")
def jobs(house: TheHouse) -> list[Job]:
    """All jobs."""
    return house.jobs.all()


@router.post("/jobs/{number}/cancel")
def cancel_job(house: TheHouse, number: int) -> Done:
    """Stop a job."""
    house.jobs.cancel(number)
    return Done()
