"""Messages about what is open: the corpus, its document, the jobs."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from motionloom.studio.document import CommandRecord, Document


class Message(BaseModel):
    """Something that travels."""

    model_config = ConfigDict(extra="forbid")


class ErrorMessage(Message):
    """What every refused request gets."""

    error: str  # a sentence for people


class Done(Message):
    """Done, with nothing to return."""

    ok: bool = True


class CorpusEntry(Message):
    """A corpus that can be opened."""

    name: str
    takes: int
    seconds: float


class OpenCorpus(Message):
    """The corpus that is open."""

    name: str
    takes: int
    seconds: float
    can_write: bool
    reason: str = ""  # why nothing can be written


class Session(Message):
    """How things stand when a page opens."""

    version: str
    corpus: OpenCorpus | None
    can_choose: bool  # other corpora may be opened and made
    home: str  # name of the folder with the corpora
    endings: list[str]  # of files that can be imported
    upload_limit: int  # bytes of one file


class CorpusName(Message):
    """Which corpus to open or make."""

    name: str = Field(min_length=1, max_length=100)


class Job(Message):
    """Work that takes longer than a moment."""

    id: int
    kind: str  # "import", "search", ...
    title: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    done: float = 0.0
    total: float = 0.0
    note: str = ""
    error: str = ""
    can_cancel: bool = True
    quiet: bool = False  # shown small: it runs in the background
    for_method: str = ""  # the method that searches, or gets ready to


class DocumentState(Message):
    """The document as it is saved: what was authored, and how it came about."""

    name: str
    revision: int
    content: Document
    past: list[CommandRecord] = []
    future: list[CommandRecord] = []
    problem: str = ""  # what could not be read of the saved one, why, and where it is kept
    changed: str = ""  # what another program has changed on disk since it was opened or saved, in a sentence
    is_gone: bool = False  # another program has deleted or renamed its files: it is open, and not on disk
    names: list[str] = []  # of all documents of the corpus


class SaveDocument(Message):
    """What a page wants to be saved."""

    name: str
    revision: int  # that the page started from
    content: Document
    past: list[CommandRecord] = []
    future: list[CommandRecord] = []
    over: bool = False  # also if another program has changed its files on disk; those are kept aside


class Saved(Message):
    """A document is on the disk."""

    revision: int
    kept: list[str] = []  # what was on disk and is kept aside, by the names of the files


class DocumentName(Message):
    """Which document to open, make or rename to."""

    name: str = Field(min_length=1, max_length=80)
